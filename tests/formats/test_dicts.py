"""Plain dictionaries: the quick way is taken only where it gives what the general reader gives."""

from __future__ import annotations

from collections import OrderedDict, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import evaluate
from cranfield.errors import CranfieldError
from cranfield.formats.dicts import RunDict, plain_qrels
from cranfield.formats.frames import rows_from_object

KEY = st.sampled_from(["d1", "d2", "日本語", "é", "12", "", "\ud800", 7, b"d1", None, ("a",)])
NUMBER = st.one_of(
    st.floats(),
    st.integers(-3, 3),
    st.sampled_from([True, False, None, "1", b"1", 10**400, 2**60 + 1]),
    st.sampled_from(
        [np.float64(0.5), np.float32(0.1), np.int64(3), np.bool_(True), np.array([1.0])]
    ),
)
INNER = st.one_of(
    st.dictionaries(KEY, NUMBER, max_size=4),
    st.dictionaries(st.sampled_from(["d1", "d2", "é"]), st.floats(-9, 9), max_size=4),
    st.dictionaries(st.sampled_from(["d1", "d2", "é"]), st.integers(0, 3), max_size=4),
    st.just(["d1"]),
)
OUTER = st.dictionaries(st.sampled_from(["q1", "q2", "質問", 3, ""]), INNER, max_size=3)


@given(OUTER)
def test_plain_judgments_are_what_the_general_reader_reads(given_dict):
    rows = plain_qrels(given_dict)
    if rows is None:
        return
    general = rows_from_object(given_dict, "qrels") if given_dict else None
    if general is None:
        assert not len(rows.docs)
        return
    assert not general.problems
    assert rows.query.to_bytes() == general.query.to_bytes()
    assert rows.docs.to_bytes() == general.docs.to_bytes()
    assert rows.docs.to_list() == general.docs.to_list()
    assert rows.value.tobytes() == general.value.tobytes()


@given(OUTER)
def test_plain_runs_are_what_the_general_reader_reads(given_dict):
    found = RunDict.of(given_dict, "run")
    if found is None or not given_dict:
        return
    general = rows_from_object(given_dict, "run")
    assert general is not None and not general.problems
    assert found.score.tobytes() == general.value.tobytes()
    assert [d for docs in found.docs for d in docs] == general.docs.to_list()


@pytest.mark.parametrize("number", [1.5, 2, np.float64(0.5)])
@pytest.mark.parametrize("kind", [dict, OrderedDict, defaultdict])
def test_the_usual_dictionaries_are_plain(number, kind):
    inner = OrderedDict(a=number, b=0)
    inner.move_to_end("a")
    outer = defaultdict(dict) if kind is defaultdict else kind()
    outer["q"] = inner
    rows, run = plain_qrels(outer), RunDict.of(outer, "run")
    assert rows is not None and rows.docs.to_list() == ["b", "a"]
    assert rows.value.tolist() == [0.0, number]
    assert run is not None and run.score.tolist() == [0.0, number]


@pytest.mark.parametrize(
    "docs",
    [
        *({"d": True}, {"d": 1.0, "e": False}, {"d": "1"}, {"d": None}, {"d": float("nan")}),
        *({"d": 10**400}, {7: 1}, {"": 1.0}, {b"d": 1.0}, {"\ud800": 1.0}, ["d"]),
    ],
)
def test_what_is_not_plain_is_left_to_the_general_reader(docs):
    assert plain_qrels({"q": docs}) is None
    assert RunDict.of({"q": docs}, "run") is None


def test_a_truth_value_is_no_grade_however_the_others_look():
    with pytest.raises(CranfieldError, match="True"):
        evaluate({"q": {"a": 1.0, "b": True}}, {"q": {"a": 1.0}}, "AP")


@given(st.lists(st.lists(st.integers(0, 4), max_size=8), min_size=1, max_size=4), st.integers(1, 9))
def test_ties_among_the_first_k_are_counted_as_by_hand(scores, k):
    run = {f"q{i}": {f"d{j}": float(s) for j, s in enumerate(row)} for i, row in enumerate(scores)}
    qrels = {q: {"d0": 1, "x": 0} for q in run}
    report = evaluate(qrels, run, f"P@{k}").reports[0]
    shared = top = 0
    for row in scores:
        first = sorted(row, reverse=True)[:k]
        top += len(first)
        shared += sum(row.count(s) > 1 for s in first)
    assert report.tied == (shared / top if top else 0.0)
