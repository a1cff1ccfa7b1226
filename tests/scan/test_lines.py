"""Rows grouped by query, repeated rows, and which of them is kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.columns import Ids
from cranfield.data.run import Run
from cranfield.scan.lines import Lines, hash_ids, keep_one, repeats

NAMES = st.sampled_from(["q1", "q2", "a query with a long name", "q"])
ROWS = st.lists(st.tuples(NAMES, st.text("ab", min_size=1, max_size=11)), max_size=40)


def columns(rows):
    return Ids.of(q for q, _ in rows), Ids.of(d for _, d in rows), np.arange(len(rows), dtype=float)


def shown(lines: Lines) -> list[tuple[str, str, float]]:
    names = [n.decode() for n in lines.names]
    docs, score = lines.docs.to_list(), lines.score.tolist()
    return [(names[s], d, v) for s, d, v in zip(lines.segment.tolist(), docs, score, strict=True)]


@given(ROWS)
def test_rows_of_a_query_come_together_and_keep_their_order(rows):
    query, docs, score = columns(rows)
    lines = Lines.from_run(Run.from_columns(query, docs, score), np.arange(len(rows)) + 1)
    order = {q: i for i, q in enumerate(dict.fromkeys(q for q, _ in rows))}
    expected = sorted(range(len(rows)), key=lambda i: order[rows[i][0]])
    assert shown(lines) == [(*rows[i], float(i)) for i in expected]
    assert lines.line.tolist() == [i + 1 for i in expected]


@given(ROWS)
def test_adjacent_queries_are_known_and_scattered_ones_are_told(rows):
    query, docs, score = columns(rows)
    lines = Lines.from_columns(query, docs, score)
    runs = [q for i, (q, _) in enumerate(rows) if i == 0 or rows[i - 1][0] != q]
    if len(set(runs)) < len(runs):
        assert lines is None
    else:
        assert [n.decode() for n in lines.names] == runs
        assert shown(lines) == [(*row, float(i)) for i, row in enumerate(rows)]


@given(ROWS, st.data())
def test_queries_left_without_rows_stay(rows, data):
    lines = Lines.from_run(Run.from_columns(*columns(rows)))
    keep = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), bool
    )
    kept = lines.take(keep)
    assert kept.names == lines.names
    assert shown(kept) == [row for row, k in zip(shown(lines), keep.tolist(), strict=True) if k]


@given(ROWS)
def test_repeats_are_what_a_dictionary_finds(rows):
    query, docs, score = columns(rows)
    run = Run.from_columns(query, docs, score)
    seen, expected = {}, []
    for i, row in enumerate(rows):
        if row in seen:
            expected.append((seen[row], i))
        seen.setdefault(row, i)
    assert repeats(run.query, run.docs) == expected


def test_ids_of_different_length_with_the_same_words_are_not_the_same():
    ids = Ids.of([b"a", b"a\0", b"a\0\0", b"12345678", b"12345678\0"])
    group = np.zeros(5, np.int64)
    assert repeats(group, ids) == []
    assert len(set(hash_ids(group, ids).tolist())) == 5


def test_the_same_id_in_another_group_is_no_repeat():
    assert repeats(np.array([0, 1, 0]), Ids.of(["a", "a", "a"])) == [(0, 2)]


@pytest.mark.parametrize(
    ("policy", "expected"), [("first", [0, 3]), ("last", [3, 4]), ("max", [2, 3])]
)
def test_the_policy_says_which_is_kept(policy, expected):
    pairs = [(0, 1), (0, 2), (0, 4)]
    value = np.array([1.0, 2.0, 5.0, 0.0, 5.0])
    assert np.flatnonzero(keep_one(pairs, policy, value, 5)).tolist() == expected


@given(ROWS, st.sampled_from(["first", "last", "max"]))
def test_one_of_each_is_kept(rows, policy):
    run = Run.from_columns(*columns(rows))
    keep = keep_one(repeats(run.query, run.docs), policy, run.score, len(run))
    kept = [row for row, k in zip(rows, keep.tolist(), strict=True) if k]
    assert len(kept) == len(set(kept))
    assert set(kept) == set(rows)
