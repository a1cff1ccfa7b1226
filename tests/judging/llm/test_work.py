"""Which pairs are judged."""

from __future__ import annotations

import json

import pytest

from cranfield.errors import FormatError, InputError, NothingToEvaluate, UsageError
from cranfield.formats.readers import read_collection
from cranfield.judging.lists import read_pairs
from cranfield.judging.llm.rubric import read_rubric
from cranfield.judging.llm.work import Which, choose

GRADES, REFERENCE, PREFERENCE = map(read_rubric, ("grades", "reference", "preference"))
RUN = "q2 Q0 c 1 3 s\nq2 Q0 d 2 2 s\nq2 Q0 a 3 1 s\nq1 Q0 b 1 2 s\nq1 Q0 a 2 1 s\nqx Q0 a 1 1 s\n"
OTHER = "q1 Q0 d 1 2 t\nq1 Q0 a 2 1 t\n"


@pytest.fixture
def found(tmp_path):
    (tmp_path / "c" / "qrels").mkdir(parents=True)
    docs = [{"_id": d, "title": "", "text": f"text {d}"} for d in "abcd"]
    queries = [{"_id": f"q{n}", "text": f"query {n}"} for n in (1, 2, 3)]
    for name, rows in (("corpus", docs), ("queries", queries)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "c" / f"{name}.jsonl").write_text(lines)
    qrels = "q1\ta\t2\nq1\tb\t1\nq1\tc\t0\nq2\ta\t1\nq2\td\t-1\n"
    (tmp_path / "c" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + qrels)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(OTHER)
    return read_collection(str(tmp_path / "c"))


def ids(chosen):
    return [i.ids for i in chosen.items]


def test_what_runs_return_and_nobody_judged(found, tmp_path):
    runs = (str(tmp_path / "a.run"), str(tmp_path / "b.run"))
    chosen = choose(found, GRADES, Which(runs=runs))
    # a negative grade means not judged
    assert ids(chosen) == [("q1", "d"), ("q2", "c"), ("q2", "d")]
    assert chosen.items[0].documents[0].text == "text d"
    assert chosen.left_out == {"judged": 3}
    chosen = choose(found, GRADES, Which(runs=runs, depth=1, unjudged=False))
    assert ids(chosen) == [("q1", "b"), ("q1", "d"), ("q2", "c")]
    assert ids(choose(found, GRADES, Which(runs=runs, queries={"q1"}))) == [("q1", "d")]


def test_pairs_for_preferences(found, tmp_path):
    chosen = choose(found, PREFERENCE, Which(runs=(str(tmp_path / "a.run"),)))
    assert ids(chosen) == [
        ("q1", "b", "a"), ("q2", "c", "d"), ("q2", "c", "a"), ("q2", "d", "a"),
    ]  # fmt: skip
    (tmp_path / "w.tsv").write_text("doc_a\tquery\tdoc_b\na\tq1\td\n")
    assert ids(choose(found, PREFERENCE, Which(work_list=str(tmp_path / "w.tsv")))) == [
        ("q1", "a", "d")
    ]
    with pytest.raises(UsageError, match="no labelled pairs"):
        choose(found, PREFERENCE, Which(labelled=True))


def test_a_known_document_is_another_one(found):
    chosen = choose(found, REFERENCE, Which(labelled=True))
    assert [(*i.ids, i.reference.id) for i in chosen.items] == [
        ("q1", "a", "b"), ("q1", "b", "a"), ("q1", "c", "a"),
    ]  # fmt: skip
    assert chosen.left_out == {"reference": 1}


def test_samples(found):
    labelled = choose(found, GRADES, Which(labelled=True))
    assert ids(labelled) == [("q1", "a"), ("q1", "b"), ("q1", "c"), ("q2", "a")]
    for seed in range(5):
        some = choose(found, GRADES, Which(labelled=True, sample=3, balanced=True, seed=seed))
        assert ("q1", "a") in ids(some) and ("q1", "c") in ids(some) and len(some.items) == 3
        plain = choose(found, GRADES, Which(labelled=True, sample=2, seed=seed))
        assert set(ids(plain)) < set(ids(labelled)) and len(plain.items) == 2


def test_lists(tmp_path):
    path = tmp_path / "list"

    def read(text, documents=1):
        path.write_text(text)
        return read_pairs(str(path), documents)

    assert read("query\tdocument\trank\nq1\td 1\t3\nq1\td 1\t4\n") == [("q1", "d 1")]
    assert read("﻿rank\tdoc_id\tqid\n1\td\tq\n") == [("q", "d")]
    assert read("q1 d1\n\nq2 d2\r\n") == [("q1", "d1"), ("q2", "d2")]
    assert read("q1 0 d1 1\n") == [("q1", "d1")]  # qrels
    assert read("q1 d1 d2\n", 2) == [("q1", "d1", "d2")]
    for text, documents in (("q1\n", 1), ("q1 d1 x\n", 1), ("q1 d1\n", 2), ("query\tdoc\nq1\n", 1)):
        with pytest.raises(
            FormatError, match="no query and " + ("document" if documents == 1 else "two")
        ):
            read(text, documents)
    path.write_bytes(b"\xff q")
    with pytest.raises(FormatError, match="UTF-8"):
        read_pairs(str(path), 1)


def test_a_list_keeps_its_order(found, tmp_path):
    (tmp_path / "w.tsv").write_text("query\tdocument\tweight\nq2\tb\t3\nq1\td\t2\nq2\ta\t1\n")
    chosen = choose(found, GRADES, Which(work_list=str(tmp_path / "w.tsv")))
    assert ids(chosen) == [("q2", "b"), ("q1", "d"), ("q2", "a")]


def test_what_is_not_in_the_collection(found, tmp_path):
    for text, said in (("q1 z\n", "1 documents are not"), ("q9 a\n", "query 'q9'")):
        (tmp_path / "w").write_text(text)
        with pytest.raises(InputError, match=said):
            choose(found, GRADES, Which(work_list=str(tmp_path / "w")))
    with pytest.raises(NothingToEvaluate):
        choose(found, GRADES, Which(labelled=True, queries={"q3"}))


def test_one_source_of_pairs():
    for more in ({}, {"runs": ("a",), "labelled": True}, {"runs": ("a",), "balanced": True},
                 {"labelled": True, "sample": 0}, {"runs": ("a",), "depth": 0}):  # fmt: skip
        with pytest.raises(UsageError):
            Which(**more)
