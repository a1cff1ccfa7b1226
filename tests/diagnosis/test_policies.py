"""Labels carried over to copies, and copies taken out: the worked values and the laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.diagnosis.policies import collapse, collapse_list, expand, firsts
from cranfield.errors import InputError

QRELS = {"q": {"d1": 1, "d3": 0, "d4": 2}}
RANKED = ["d1x", "d2", "d1", "d4"]
CLUSTERS = (("d1", "d1x"),)


def scored(qrels, ranked):
    run = {"q": {doc: float(len(ranked) - i) for i, doc in enumerate(ranked)}}
    scores = cranfield.evaluate(qrels, {"run": run}, ["nDCG@10", "AP"])
    return scores.mean("nDCG@10", "run"), scores.mean("AP", "run")


def test_the_worked_values():
    assert scored(QRELS, RANKED) == pytest.approx((0.5174418337, 0.4166666667), abs=1e-10)
    wide = expand(Qrels.from_dict(QRELS), CLUSTERS)
    assert wide.qrels.to_dict() == {"q": {"d1": 1, "d3": 0, "d4": 2, "d1x": 1}}
    assert (wide.added, wide.raised, wide.removed) == (1, 0, 0)
    assert scored(wide.qrels, RANKED) == pytest.approx((0.7542018831, 0.8055555556), abs=1e-10)
    narrow = collapse(Qrels.from_dict(QRELS), CLUSTERS)
    ranked = collapse_list(RANKED, firsts(CLUSTERS))
    assert ranked == ["d1", "d2", "d4"] and narrow.qrels.to_dict() == QRELS
    assert scored(narrow.qrels, ranked) == pytest.approx((0.7601875334, 0.8333333333), abs=1e-10)


def test_the_greatest_grade_counts_and_pooled_rows_become_judged():
    qrels = Qrels.from_dict({"q": {"b": -1, "a": 2, "c": 1}, "p": {"b": -1}})
    wide = expand(qrels, [("a", "b", "c", "e")])
    assert wide.qrels.to_dict() == {"q": {"b": 2, "a": 2, "c": 2, "e": 2}, "p": {"b": -1}}
    assert (wide.added, wide.raised) == (1, 2)
    narrow = collapse(qrels, [("a", "b", "c", "e")])
    assert narrow.qrels.to_dict() == {"q": {"a": 2}, "p": {"a": -1}}
    assert (narrow.raised, narrow.removed) == (1, 2)


def test_further_columns_stay_in_line():
    qrels = Qrels.from_rows(
        [("q", "a", 1.0), ("p", "x", 0.0), ("q", "z", 0.0)],
        source=Ids.of(["human", "llm", "human"]),
        note=Ids.of(["1", "2", "3"]),
        iteration=Ids.of(["0", "0", "0"]),
    )
    wide = expand(qrels, [("a", "b")]).qrels
    assert wide.docs.to_list() == ["a", "z", "b", "x"]
    assert wide.source.to_list() == ["human", "human", "duplicate", "llm"]
    assert wide.note.to_list() == ["1", "3", "", "2"]
    assert wide.iteration.to_list() == ["0"] * 4


def test_what_has_no_single_grade_is_refused():
    twice = Qrels.from_rows(
        [("q", "a", 1.0), ("q", "a", 0.0)], iteration=Ids.of(["1", "2"]), name="subtopics"
    )
    for policy in (expand, collapse):
        with pytest.raises(InputError, match="subtopics"):
            policy(twice, CLUSTERS)


DOCS = [f"d{i}" for i in range(8)]
GRADES = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1)
RUN = st.permutations(DOCS).flatmap(lambda docs: st.integers(0, 8).map(lambda n: docs[:n]))
PARTS = st.lists(st.integers(0, 4), min_size=8, max_size=8)


@given(GRADES, RUN, PARTS)
def test_the_laws_of_both_policies(grades, ranked, parts):
    groups: dict[int, list[str]] = {}
    for doc, part in zip(DOCS, parts, strict=True):
        groups.setdefault(part, []).append(doc)
    clusters = [tuple(docs) for docs in groups.values() if len(docs) > 1]
    before = Qrels.from_dict({"q": grades})
    wide, narrow = expand(before, clusters), collapse(before, clusters)
    after = wide.qrels.to_dict()["q"]

    def judged(qrels, docs):
        return sum(qrels.get(d, -1) >= 0 for d in docs)

    # no judged result is lost, no grade falls, and members are alike
    assert judged(after, ranked) >= judged(grades, ranked)
    assert all(after[d] >= g for d, g in grades.items())
    for docs in clusters:
        if any(grades.get(d, -1) >= 0 for d in docs):
            assert {after.get(d) for d in docs} == {max(grades.get(d, -1) for d in docs)}
    assert len(after) == len(grades) + wide.added
    # doing it again changes nothing
    assert expand(wide.qrels, clusters).qrels.to_dict() == wide.qrels.to_dict()
    again = collapse(narrow.qrels, clusters)
    assert (again.removed, again.raised) == (0, 0)
    assert len(narrow.qrels) == len(grades) - narrow.removed
    # one grade a cluster, the greatest
    first_of = firsts(clusters)
    best: dict[str, int] = {}
    for doc, grade in grades.items():
        best[first_of.get(doc, doc)] = max(grade, best.get(first_of.get(doc, doc), -1))
    assert narrow.qrels.to_dict()["q"] == best
    short = collapse_list(ranked, first_of)
    assert len(set(short)) == len(short) and not set(short) - {first_of.get(d, d) for d in DOCS}
