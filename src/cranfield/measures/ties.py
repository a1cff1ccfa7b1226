"""Expectations over random orders of equal scores, in closed form.

When a run gives L documents one score it does not say in which order they come. A measure's
expectation over all their orders, each as likely as the next, needs only what stands above the
group (its first rank s, 0-based), its size L and the grades in it (McSherry & Najork 2008,
"Computing information retrieval performance measures efficiently in the presence of tied
scores"). The groups of a query do not overlap, so looking at every place of every group costs no
more than reading the list once.

All functions take the hits that matter to a measure, not all hits, and leave groups of one alone:
there the plain value stands, bit for bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.measures.hits import Bools, Floats, Ints, runs_of, sum_by_query
from cranfield.measures.views import GradeView, arrival, log2_table


class Groups(NamedTuple):
    """Groups of equal scores that hold a marked hit, in rank order."""

    first: Ints  # [group] the first marked hit in it
    of_hit: Ints  # [marked hit] its group
    start: Ints  # [group] 0-based rank of its first place
    size: Ints  # [group] how many documents share the score
    marked: Ints  # [group] how many of them are marked


class Places(NamedTuple):
    """Places in the list that groups of more than one document share, group by group."""

    group: Ints  # [place]
    rank: Ints  # [place] 0-based
    step: Ints  # [place] 0 for a group's first place


def groups_of(view: GradeView, mask: Bools) -> Groups:
    """The groups that hold the hits marked by `mask`."""
    hit = np.flatnonzero(mask)
    fresh = runs_of(view.query[hit], view.tie_start[hit])
    first = hit[fresh]
    of_hit = np.cumsum(fresh) - 1
    marked = np.bincount(of_hit, minlength=len(first)).astype(np.int64, copy=False)
    return Groups(first, of_hit, view.tie_start[first], view.tie_len[first], marked)


def places_of(groups: Groups, k: int | None) -> Places:
    """The places among the first k that belong to groups of more than one document."""
    length = groups.size if k is None else np.clip(k - groups.start, 0, groups.size)
    length = np.where(groups.size > 1, length, 0)
    group = np.repeat(np.arange(len(length)), length)
    step = np.arange(len(group)) - np.repeat(np.cumsum(length) - length, length)
    return Places(group, groups.start[group] + step, step)


def expected_discount(view: GradeView, mask: Bools, k: int | None) -> Floats:
    """[marked hit] the mean of 1 / log2(rank + 1) over the places that a hit's group has.

    Places below k count 0. The value of a hit that is alone in its group means nothing.
    """
    groups = groups_of(view, mask)
    places = places_of(groups, k)
    table = log2_table(int(places.rank.max(initial=0)) + 1)
    total = sum_by_query(places.group, 1.0 / table[places.rank], None, len(groups.first))
    return (total / groups.size)[groups.of_hit]


def expected_precisions(view: GradeView, rel: float, k: int | None) -> Floats:
    """[relevant hit] what the tied relevant documents add to the sum of precisions of AP.

    In a group with r relevant documents, with c relevant ones above it, each place holds a
    relevant one with probability r/L; given that, the places before it in the group hold
    (r - 1)/(L - 1) relevant ones each. The i-th place (i = 1..L, rank s + i) therefore adds
    r/L * (c + 1 + (i - 1)(r - 1)/(L - 1)) / (s + i). The first relevant hit of a group carries
    the sum for all of it, the others 0; values of hits that are alone mean nothing.
    """
    groups = groups_of(view, view.relevant(rel))
    above = view.relevant_so_far(rel)[groups.first] - 1
    each = (groups.marked - 1) / np.maximum(groups.size - 1, 1)
    at = places_of(groups, k)
    found = (above[at.group] + 1) + at.step * each[at.group]
    added = groups.marked[at.group] / groups.size[at.group] * found / (at.rank + 1)
    total = sum_by_query(at.group, added, None, len(groups.first))
    carried = np.zeros(len(groups.of_hit))
    carried[np.flatnonzero(runs_of(groups.of_hit))] = total
    return carried


def expected_reciprocal(view: GradeView, first: Bools, rel: float, k: int | None) -> Floats:
    """[first relevant hit of a query] the expectation of 1 / rank of the first relevant document.

    `first` marks those hits. Going down a group with r relevant of L documents, the place after
    j that were not relevant holds a relevant one with probability r / (L - j): the reader of a
    cascade who stops there. The values of hits that are alone mean nothing.
    """
    groups = groups_of(view, view.relevant(rel))
    at = places_of(groups, k)
    left = groups.size[at.group] - at.step
    stop = np.minimum(groups.marked[at.group] / left, 1.0)
    value = arrival(stop, at.group) * stop / (at.rank + 1)
    return sum_by_query(at.group, value, None, len(groups.first))[first[groups.first]]
