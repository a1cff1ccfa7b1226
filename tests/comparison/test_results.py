"""The queries that changed most, with both lists; and everything that is read for them."""

from __future__ import annotations

import gzip
import json

import pytest

import cranfield
from cranfield.data import Document, Qrels, Query
from cranfield.data.collection import TestCollection
from cranfield.data.run import Run
from cranfield.errors import FormatError, UnknownName, UsageError

QRELS = {f"q{i}": {"a": 1, "b": 0, "c": 2} for i in range(4)}
ABC = {"a": 3.0, "b": 2.0, "x": 1.0}
BASE = {q: dict(ABC) for q in QRELS}
RUN = {**BASE, "q1": {"c": 3.0, "a": 2.0}, "q2": {"x": 2.0, "b": 1.0}}


def lines(run):
    return "".join(
        f"{q} Q0 {d} {i} {s} tag\n" for q in run for i, (d, s) in enumerate(run[q].items(), 1)
    )


def shown(results):
    return [(r.rank, r.doc, r.grade) for r in results]


def check_lists(found):
    loss, gain = found.changes
    assert (loss.query, gain.query) == ("q2", "q1")
    assert loss.difference < 0 < gain.difference
    assert shown(loss.base_results) == [(1, "a", 1.0), (2, "b", 0.0)]
    assert shown(loss.results) == [(1, "x", None), (2, "b", 0.0)]
    assert shown(gain.results) == [(1, "c", 2.0), (2, "a", 1.0)]
    assert gain.results[0].score == 3.0


def test_lists_of_dictionaries():
    found = cranfield.compare(QRELS, BASE, RUN, "nDCG@10", k=2)
    check_lists(found)
    assert (found.base, found.runs) == ("base", ("run",))


@pytest.mark.parametrize("form", ["trec", "gz", "scattered", "json"])
def test_lists_of_files(write, form):
    def file(name, run):
        if form == "json":
            return write(f"{name}.json", json.dumps(run))
        text = lines(run)
        if form == "scattered":
            rows = text.splitlines(True)
            text = "".join(sorted(rows, key=lambda row: row.split()[3]))
        if form == "gz":
            return write(f"{name}.run.gz", gzip.compress(text.encode(), mtime=0))
        return write(f"{name}.run", text)

    found = cranfield.compare(QRELS, file("old", BASE), file("new", RUN), "nDCG@10", k=2)
    check_lists(found)
    assert (found.base, found.runs) == ("old", ("new",))


def test_lists_are_in_the_order_that_was_scored():
    tied = {q: {"a": 1.0, "b": 1.0} for q in QRELS}
    for ties, first in (("docid-desc", "b"), ("docid-asc", "a")):
        found = cranfield.compare(QRELS, tied, RUN, "nDCG@10", ties=ties, k=1)
        assert {c.base_results[0].doc for c in found.changes} == {first}


def test_a_repeated_document_in_a_scattered_file_is_settled_as_asked(write):
    rows = lines(RUN).splitlines(True)
    rows = [*sorted(rows, key=lambda r: r.split()[3]), "q2 Q0 c 3 0.5 tag\n", "q2 Q0 c 1 9 tag\n"]
    new = write("new.run", "".join(rows))
    old = write("old.run", lines(BASE))
    found = cranfield.compare(QRELS, old, new, "nDCG@10", k=1, on_duplicate="max", top=3)
    (q2,) = [c for c in found.changes if c.query == "q2"]
    assert shown(q2.results) == [(1, "c", 2.0)]


def test_top_and_k_limit_what_is_shown():
    found = cranfield.compare(QRELS, BASE, RUN, "nDCG@10", k=0)
    assert all(c.results == c.base_results == () for c in found.changes)
    assert cranfield.compare(QRELS, BASE, RUN, "nDCG@10", top=0).changes == ()


def test_the_worst_come_first_and_equal_ones_by_id():
    qrels = {f"q{i}": {"a": 1} for i in range(6)}
    base = {q: {"a": 1.0} for q in qrels}
    worse = {"q0": 3, "q1": 1, "q2": 3, "q3": 2, "q4": 1, "q5": 2}  # the rank of a
    run = {
        q: {**{f"x{i}": 9.0 - i for i in range(rank - 1)}, "a": 0.5} for q, rank in worse.items()
    }
    found = cranfield.compare(qrels, base, run, "RR", top=3)
    assert [c.query for c in found.changes] == ["q0", "q2", "q3"]
    small = cranfield.compare(qrels, base, run, "RR", top=9, tie=0.5)
    assert [c.query for c in small.changes] == ["q0", "q2"]


def collection(documents=True):
    docs = [Document("a", "Title of a", "text  of\n a"), Document("x", "", "long " * 100)]
    return TestCollection(
        "c",
        tuple(Query(q, f"text of {q}", {"type": "t"}) for q in QRELS),
        Qrels.from_dict(QRELS),
        (lambda: iter(docs)) if documents else None,
    )


def test_titles_and_texts_of_a_collection():
    found = cranfield.compare(collection(), BASE, RUN, "nDCG@10", by="type")
    loss = found.changes[0]
    assert loss.text == "text of q2"
    a, b, x = loss.base_results
    assert (a.title, a.snippet) == ("Title of a", "text of a")
    assert (b.title, b.snippet) == (None, None)  # not in the corpus
    assert x.title is None and len(x.snippet) == 160 and x.snippet.endswith("…")
    assert [row.slice for row in found.slices] == [("type", "t")]
    bare = cranfield.compare(collection(documents=False), BASE, RUN, "nDCG@10")
    assert {r.title for c in bare.changes for r in c.results} == {None}


def test_documents_are_read_no_further_than_needed():
    def documents():
        yield from (Document(d, d, "t") for d in ("a", "b", "c", "x"))
        raise AssertionError("read on")

    whole = TestCollection("c", (), Qrels.from_dict(QRELS), documents)
    assert cranfield.compare(whole, BASE, RUN, "nDCG@10").changes[0].results[0].title == "x"


def test_one_run_under_two_names(write):
    text = lines(RUN)
    old, new = write("old.run", text), write("new.run", text.replace("tag", "other"))
    found = cranfield.compare(QRELS, old, new, "nDCG@10")
    assert "same_results" in [c.key for c in found.cautions]
    assert found.differences[0].verdict.kind == "equivalent"
    alike = {**RUN, "q0": {**ABC, "x": 0.5}}  # the same values from another score
    found = cranfield.compare(QRELS, old, alike, "nDCG@10")
    assert "same_results" not in [c.key for c in found.cautions]
    assert found.differences[0].verdict.kind == "equivalent"


# -- cards and inputs ------------------------------------------------------------------------


def test_cards_beside_the_files(write):
    old, new = write("old.run", lines(BASE)), write("new.json", json.dumps(RUN))
    write("old.run.card.json", '{"name": "mine", "config": {"k1": 1, "b": 2}}')
    write("new.json.card.json", '{"config": {"k1": 2, "b": 3}, "failed": ["q3"]}')
    found = cranfield.compare(QRELS, old, new, "nDCG@10")
    assert [(c.name, dict(c.config)) for c in found.cards] == [
        ("old", {"k1": 1, "b": 2}),
        ("new", {"k1": 2, "b": 3}),
    ]
    keys = [c.key for c in found.cautions]
    assert "several_changes" in keys and "failed" in keys
    assert found.differences[0].verdict.reasons[0].key == "unanswered"
    # cards that are handed over take the place of the files
    none = cranfield.compare(QRELS, old, new, "nDCG@10", cards=[])
    assert none.differences[0].verdict.kind != "refused"


def test_cards_of_named_files(write):
    write("new.run", lines(RUN))
    write("new.run.card.json", '{"config": {"k1": 2}}')
    new = write("new.run", lines(RUN))
    found = cranfield.compare(QRELS, {"old": BASE}, {"fresh": str(new)}, "nDCG@10")
    assert (found.base, found.runs) == ("old", ("fresh",))
    assert dict(found.cards[1].config) == {"k1": 2}


def test_the_configuration_of_a_run_in_memory():
    old = Run.from_dict(BASE, name="old", config={"k1": 1})
    new = Run.from_dict(RUN, name="new", config={"k1": 2})
    found = cranfield.compare(QRELS, old, [new], "nDCG@10")
    assert [dict(c.config) for c in found.cards] == [{"k1": 1}, {"k1": 2}]


def test_a_broken_card_is_an_error(write):
    old, new = write("old.run", lines(BASE)), write("new.run", lines(RUN))
    write("new.run.card.json", '{"failed": "q1"}')
    with pytest.raises(FormatError, match=r"new\.run\.card\.json: 'failed' is not a list"):
        cranfield.compare(QRELS, old, new, "nDCG@10")


def test_a_file_given_twice(write):
    old = write("old.run", lines(BASE))
    with pytest.raises(UsageError, match="given twice"):
        cranfield.compare(QRELS, old, [old], "nDCG@10")
    with pytest.raises(UsageError, match="given twice"):
        cranfield.compare(QRELS, BASE, [str(old), f"{old.parent}/./old.run"], "nDCG@10")


def test_two_bases():
    with pytest.raises(UsageError, match="2 runs where one base is expected"):
        cranfield.compare(QRELS, {"a": BASE, "b": RUN}, RUN, "nDCG@10")


def test_wrong_calls_are_found_before_anything_is_read():
    with pytest.raises(UsageError, match="alpha"):
        cranfield.compare("no-such-file", "nor-this", "nor-that", alpha=2)
    with pytest.raises(UnknownName, match="no query field"):
        cranfield.compare(QRELS, BASE, RUN, by="type")
    with pytest.raises(TypeError, match="alhpa"):
        cranfield.compare(QRELS, BASE, RUN, alhpa=0.1)


def test_options_of_evaluate_are_handed_on():
    run = {q: RUN[q] for q in ("q0", "q1", "q2")}
    found = cranfield.compare(QRELS, BASE, run, "nDCG@10", missing="skip", max_missing=1)
    assert found.differences[0].verdict.reasons[0].key == "other_queries"
    assert found.scores.settings["missing"] == "skip"
    top = cranfield.compare(QRELS, BASE, RUN, "ERR", scale=4)
    assert top.scores.settings["scale"] == 4
