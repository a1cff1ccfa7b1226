"""Judgments and runs as values: dictionaries in and out, what they refuse, how they are shown."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import Qrels, Query, Run, TestCollection
from cranfield.data.qrels import grade_text
from cranfield.errors import InputError, UnknownName

NAME = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
GRADES = st.integers(-5, 10**15) | st.floats(-5, 100, allow_subnormal=False)
QRELS = st.dictionaries(NAME, st.dictionaries(NAME, GRADES, min_size=1, max_size=4), max_size=5)
SCORES = st.floats(allow_nan=False)
RUN = st.dictionaries(NAME, st.dictionaries(NAME, SCORES, max_size=4), max_size=5)


@given(QRELS)
def test_judgments_come_out_of_a_dictionary_as_they_went_in(given_):
    found = Qrels.from_dict(given_)
    assert found.to_dict() == given_
    assert list(found.to_dict()) == list(given_)
    assert len(found) == sum(map(len, given_.values()))
    rows = [(q, d, g) for q, docs in given_.items() for d, g in docs.items()]
    assert Qrels.from_rows(rows).to_dict() == given_


@given(RUN)
def test_a_run_comes_out_of_a_dictionary_as_it_went_in(given_):
    found = Run.from_dict(given_)
    assert found.to_dict() == given_
    assert list(found.to_dict()) == list(given_)  # queries with an empty result too
    assert len(found) == sum(map(len, given_.values()))


@given(RUN)
def test_ranks_are_those_of_a_stable_sort(given_):
    found = Run.from_dict(given_)
    expected = []
    for docs in given_.values():
        order = sorted(docs, key=docs.__getitem__, reverse=True)  # stable, too
        expected += [order.index(d) + 1 for d in docs]
    assert found.ranks().tolist() == expected


@given(GRADES)
def test_a_grade_is_written_so_that_it_reads_back(grade):
    assert float(grade_text(float(grade))) == float(grade)
    assert "e" not in grade_text(2.0)


def test_a_query_without_judgments_is_left_out():
    assert Qrels.from_dict({"q1": {}, "q2": {"a": 1}}).queries.to_list() == ["q2"]


@pytest.mark.parametrize("grade", [math.nan, math.inf, "1", None, [1]])
def test_a_grade_that_is_none_is_named(grade):
    with pytest.raises(InputError, match=r"qrels\['q'\]\['a'\]"):
        Qrels.from_dict({"q": {"a": grade}})


@pytest.mark.parametrize("score", [math.nan, "1", None, [1]])
def test_a_score_that_is_none_is_named(score):
    with pytest.raises(InputError, match=r"run\['q'\]\['a'\]"):
        Run.from_dict({"q": {"a": score}})


def test_the_scale_is_declared_or_the_largest_grade():
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 2.5, "c": -1}})
    assert qrels.max_grade == 2.5
    assert qrels.levels.tolist() == [-1, 1, 2.5]
    assert dataclasses.replace(qrels, scale=4.0).max_grade == 4.0
    assert Qrels.from_dict({}).max_grade == 0.0


def test_rows_can_be_taken_and_queries_without_rows_go():
    qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"b": 2, "c": 0}})
    assert qrels.take(qrels.grade > 1).to_dict() == {"q2": {"b": 2}}
    assert qrels.take(np.array([2, 0])).to_dict() == {"q1": {"a": 1}, "q2": {"c": 0}}


def test_how_they_are_shown():
    qrels = Qrels.from_dict({"q": {f"d{i}": i / 2 for i in range(10)}}, name="toy")
    assert repr(qrels) == (
        "Qrels('toy': 10 judgments, 1 queries, grades 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, …)"
    )
    assert repr(Run.from_dict({"q": {"a": 1.0}})) == "Run('run': 1 rows, 1 queries)"


def test_they_cannot_be_assigned_to():
    run = Run.from_dict({"q": {"a": 1.0}})
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.name = "other"


def test_slices_of_a_collection():
    queries = (
        Query("1", "a", {"type": "x", "n": 3}),
        Query("2", "b", {"type": "y"}),
        Query("3", ""),
    )
    collection = TestCollection("toy", queries, Qrels.from_dict({}))
    assert collection.slice_names == ("type",)
    assert collection.slices("type") == {"1": "x", "2": "y"}
    with pytest.raises(UnknownName, match="no query has a field 'kind'") as e:
        collection.slices("kind")
    assert "type" in e.value.hint
