"""The rank of every judged document that was returned.

The order of a run is score descending; what happens to equal scores is a named choice:
`docid-desc` (bytes, as trec_eval), `docid-asc`, or `file` (as they stand). Ids are compared only
inside groups of equal scores that hold a judged document; everything else keeps its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, distinct
from cranfield.scan.lines import Lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

Ties = Literal["docid-desc", "docid-asc", "file"]


@dataclass(frozen=True)
class Ranked:
    """For the rows asked about: 0-based rank, and the first rank and size of the group of equal
    scores each belongs to. Per query: how many of its first k rows share their score."""

    rank: Index
    tie_start: Index
    tie_len: Index
    tied_in_top: Index


def order_rows(score: Floats | NDArray[np.float32], lines: Lines) -> Index | None:
    """Rows by (query, score descending), equal scores as they stand; None if they stand so."""
    segment_start = np.zeros(len(score), bool)
    segment_start[lines.first[lines.first < len(score)]] = True
    if not ((score[1:] > score[:-1]) & ~segment_start[1:]).any():
        return None
    return np.lexsort((-score, lines.segment))


def rank_rows(
    lines: Lines, rows: Index, *, ties: Ties = "docid-desc", single: bool = False, k: int = 10
) -> Ranked:
    """Ranks of `rows` (ascending row numbers of `lines`).

    Parameters
    ----------
    single : bool
        Hold scores as float32, as trec_eval 9 does.
    k : int
        Depth for `tied_in_top`.
    """
    score: Floats | NDArray[np.float32] = lines.score
    if single:
        with np.errstate(over="ignore"):  # a double beyond float32's range is an infinity there
            score = score.astype(np.float32)
    n = len(score)
    order = order_rows(score, lines)
    place = rows
    if order is not None:
        score = score[order]
        inverse = np.empty(n, np.int64)
        inverse[order] = np.arange(n)
        place = inverse[rows]
    opens = np.ones(n + 1, bool)  # a group of equal scores begins here
    np.not_equal(score[1:], score[:-1], out=opens[1:n])
    opens[lines.first] = True
    border = np.flatnonzero(opens)
    group = np.searchsorted(border, place, side="right") - 1
    start, size = border[group], np.diff(border)[group] if len(border) > 1 else place
    if ties != "file" and (tied := np.flatnonzero(size > 1)).size:
        place = place.copy()
        place[tied] = _by_id(lines.docs, order, border, group[tied], place[tied], ties)
    offset = lines.first[lines.segment[rows]]
    return Ranked(place - offset, start - offset, size, _tied_in_top(border, lines, k))


def _by_id(
    docs: Ids, order: Index | None, border: Index, group: Index, place: Index, ties: Ties
) -> Index:
    """New places of rows in groups of equal scores, once each group is in the order of its ids."""
    groups = distinct(group)
    start, size = border[groups], border[groups + 1] - border[groups]
    owner = np.repeat(np.arange(len(groups)), size)
    member = np.arange(len(owner)) + np.repeat(start - (np.cumsum(size) - size), size)
    row = member if order is None else order[member]
    keys = []
    for k in range(docs.n_words(row)):
        word = docs.word(k, row).byteswap()  # as a big-endian number: the order of the bytes
        keys.append(~word if ties == "docid-desc" else word)
    sorted_to = np.lexsort([*keys[::-1], owner])
    new = np.empty(len(member), np.int64)
    new[sorted_to] = member
    # `member` ascends, so each asked-for place is found by bisection
    return new[np.searchsorted(member, place)]


def _tied_in_top(border: Index, lines: Lines, k: int) -> Index:
    """Per query, how many of the first k rows share their score with another row."""
    size = np.diff(border)
    shared = np.flatnonzero(size > 1)
    if not len(shared):
        return np.zeros(len(lines.names), np.int64)
    start = border[shared]
    owner = np.searchsorted(lines.first, start, side="right") - 1
    inside = np.clip(lines.first[owner] + k - start, 0, size[shared])
    return np.bincount(owner, inside, minlength=len(lines.names)).astype(np.int64)
