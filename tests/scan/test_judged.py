"""The hash of judged pairs, against a dictionary."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.scan.judged import JudgedIndex
from cranfield.scan.lines import Lines

# Short ids, ids alike in their last or first eight bytes or in all but the middle, and one word's
# worth exactly.
STEM = st.sampled_from(["", "a", "b", "docdocdo", "docdocdocdocdocdoc", "é", "日本語日本語"])
ID = st.builds(lambda a, b, c: f"{a}{b}{c}" or "x", STEM, st.text("01", max_size=9), STEM)
QUERY = st.sampled_from(["q1", "q2", "1", "01", "quite a long name of a query", "q"])
PAIRS = st.lists(st.tuples(QUERY, ID), max_size=60, unique=True)


def look_up(judged: list[tuple[str, str]], asked: list[tuple[str, str]]) -> dict[int, int]:
    qrels = Qrels.from_rows((q, d, 1.0) for q, d in judged)
    index = JudgedIndex(qrels)
    asked = sorted(asked)
    lines = Lines.from_columns(
        Ids.of(q for q, _ in asked), Ids.of(d for _, d in asked), np.zeros(len(asked))
    )
    query = index.queries_of(lines)[lines.segment] if lines.names else np.empty(0, np.int64)
    rows, found = index.find(query, lines.docs)
    assert (np.diff(rows) > 0).all()
    return dict(zip(rows.tolist(), found.tolist(), strict=True))


def check(judged: list[tuple[str, str]], asked: list[tuple[str, str]]) -> None:
    row = {pair: i for i, pair in enumerate(judged)}
    expected = {i: row[pair] for i, pair in enumerate(sorted(asked)) if pair in row}
    assert look_up(judged, asked) == expected


@given(PAIRS.filter(bool), PAIRS)
def test_what_is_judged_is_found_and_nothing_else(judged, asked):
    check(judged, asked)
    check(judged, judged)


@pytest.mark.parametrize(
    "make",
    [
        lambda i: f"{i:06d}-same-last-eight-bytes",
        lambda i: f"the-same-long-beginning-{i}",
        lambda i: f"both-ends-{i:05d}-are-the-same",
        lambda i: "x" * (i + 1),
        lambda i: f"{i:08d}",
        lambda i: f"clueweb09-en{i % 134:04d}-{i % 97:02d}-{i:05d}",
    ],
    ids="suffix prefix both length eight clueweb".split(),
)
def test_ids_that_are_hard_to_tell_apart(make):
    judged = [(q, make(i)) for q in ("1", "2") for i in range(0, 600, 2)]
    asked = [(q, make(i)) for q in ("1", "2", "3") for i in range(600)]
    check(judged, asked)


def test_many_rows_that_share_slots():
    """More rows than the least table has slots, so that chains are walked."""
    random.seed(5)
    ids = [f"{random.getrandbits(40):x}" for _ in range(20000)]
    judged = sorted({(str(i % 50), d) for i, d in enumerate(ids[:10000])})
    check(judged, sorted({(str(i % 60), d) for i, d in enumerate(ids)}))


def test_the_same_document_in_two_queries_is_two_rows():
    judged = [("q1", "d"), ("q2", "d"), ("q1", "e")]
    assert look_up(judged, [("q1", "d"), ("q2", "d"), ("q2", "e")]) == {0: 0, 1: 1}


def test_a_query_without_judgments_finds_nothing():
    assert look_up([("q1", "d")], [("q", "d"), ("q1 ", "d"), ("Q1", "d")]) == {}


def test_no_rows_on_either_side():
    assert look_up([("q1", "d")], []) == {}
    assert look_up([], [("q1", "d")]) == {}
