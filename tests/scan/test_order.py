"""Ranks, against a plain sort of Python tuples."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.columns import Ids
from cranfield.scan.lines import Lines
from cranfield.scan.order import rank_rows

CLOSE = [1.00000001, 1.00000002, 1.00000003, 1.0]  # one float32, four float64
SCORE = st.sampled_from([0.0, -0.0, 1.5, -2.0, math.inf, -math.inf, 1e300, 1e39, 5e-324, *CLOSE])
STEM = st.sampled_from(["", "é", "z", "日", "a-long-beginning-of-"])
DOC = st.builds(lambda a, b: a + b or "x", STEM, st.text("ab", max_size=10))
RUN = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(DOC, SCORE, max_size=14), max_size=3
)


def lines_of(run: dict[str, dict[str, float]]) -> Lines:
    rows = [(d, s) for docs in run.values() for d, s in docs.items()]
    sizes = [len(docs) for docs in run.values()]
    first = np.cumsum([0, *sizes])[:-1].astype(np.int64)
    return Lines(
        [q.encode() for q in run],
        first,
        Ids.of(d for d, _ in rows),
        np.array([s for _, s in rows], np.float64),
    )


def narrow(score: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", score))[0]
    except OverflowError:
        return math.copysign(math.inf, score)


def by_hand(run, ties: str, single: bool, k: int):
    """(rank, first rank of the tie group, its size) of each row; tied_in_top of each query."""
    ranks, tied = [], []
    for docs in run.values():
        rows = [(d.encode(), narrow(s) if single else s) for d, s in docs.items()]
        order = list(rows)
        if ties != "file":
            order.sort(key=lambda row: row[0], reverse=ties == "docid-desc")
        order.sort(key=lambda row: -row[1])  # stable
        scores = [s for _, s in order]
        for doc, score in rows:
            ranks.append((order.index((doc, score)), scores.index(score), scores.count(score)))
        tied.append(sum(scores.count(s) > 1 for s in scores[:k]))
    return ranks, tied


TIES = st.sampled_from(["docid-desc", "docid-asc", "file"])


@given(RUN, TIES, st.booleans(), st.integers(1, 12), st.data())
def test_ranks_are_those_of_a_plain_sort(run, ties, single, k, data):
    lines = lines_of(run)
    ranks, tied = by_hand(run, ties, single, k)
    wanted = data.draw(st.lists(st.booleans(), min_size=len(ranks), max_size=len(ranks)))
    rows = np.flatnonzero(np.array(wanted, bool))
    found = rank_rows(lines, rows, ties=ties, single=single, k=k)
    columns = (found.rank.tolist(), found.tie_start.tolist(), found.tie_len.tolist())
    assert list(zip(*columns, strict=True)) == [ranks[i] for i in rows.tolist()]
    assert found.tied_in_top.tolist() == tied


@given(RUN)
def test_what_is_asked_about_one_row_does_not_depend_on_the_others(run):
    lines = lines_of(run)
    together = rank_rows(lines, np.arange(len(lines))).rank.tolist()
    alone = [rank_rows(lines, np.array([i])).rank[0] for i in range(len(lines))]
    assert together == alone


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("docid-desc", [3, 2, 1, 0]), ("docid-asc", [0, 1, 2, 3]), ("file", [1, 0, 2, 3])],
)
def test_equal_scores_are_ordered_as_asked(ties, expected):
    lines = lines_of({"q": {"b": 1.0, "a": 1.0, "c": 1.0, "d": 1.0}})
    rank = dict(zip("bacd", rank_rows(lines, np.arange(4), ties=ties).rank.tolist(), strict=True))
    assert [rank[d] for d in "abcd"] == expected


def test_bytes_decide_and_not_letters_or_numbers():
    lines = lines_of({"q": {"10": 1.0, "9": 1.0, "Z": 1.0, "a": 1.0, "é": 1.0, "日": 1.0}})
    rank = rank_rows(lines, np.arange(6), ties="docid-asc").rank.tolist()
    assert rank == [0, 1, 2, 3, 4, 5]


def test_an_id_that_begins_another_is_smaller():
    lines = lines_of({"q": {"doc-0000": 1.0, "doc-00001": 1.0, "doc-0000-b": 1.0}})
    assert rank_rows(lines, np.arange(3), ties="docid-asc").rank.tolist() == [0, 2, 1]


def test_scores_that_float32_cannot_tell_apart_are_ties_only_there():
    lines = lines_of({"q": {"c": 1.00000001, "a": 1.00000003, "b": 1.00000002}})
    assert rank_rows(lines, np.arange(3)).rank.tolist() == [2, 0, 1]
    assert rank_rows(lines, np.arange(3)).tie_len.tolist() == [1, 1, 1]
    assert rank_rows(lines, np.arange(3), single=True).rank.tolist() == [0, 2, 1]
    assert rank_rows(lines, np.arange(3), single=True).tie_len.tolist() == [3, 3, 3]


def test_minus_zero_ties_with_zero_and_infinities_tie_with_themselves():
    scores = {"a": -0.0, "b": 0.0, "c": math.inf, "d": math.inf, "e": -math.inf}
    found = rank_rows(lines_of({"q": scores}), np.arange(5), ties="docid-asc")
    assert found.rank.tolist() == [2, 3, 0, 1, 4]
    assert found.tie_len.tolist() == [2, 2, 2, 2, 1]
    assert found.tie_start.tolist() == [2, 2, 0, 0, 4]


def test_beyond_float32_is_an_infinity_without_a_warning():
    found = rank_rows(lines_of({"q": {"a": 1e39, "b": 1e300}}), np.arange(2), single=True)
    assert found.tie_len.tolist() == [2, 2]


@pytest.mark.parametrize(("k", "tied"), [(1, 0), (2, 1), (3, 2), (4, 2), (10, 2)])
def test_a_tie_that_reaches_beyond_the_top_counts_only_inside_it(k, tied):
    run = {"p": {"x": 1.0}, "q": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}}
    assert rank_rows(lines_of(run), np.arange(0), k=k).tied_in_top.tolist() == [0, tied]
