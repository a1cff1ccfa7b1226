"""Dictionaries met with their judgments: each judged document is looked up, and the scores of its
query are bisected for its rank."""

from __future__ import annotations

from itertools import repeat

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.evaluation.scattered import Matched
from cranfield.formats.dicts import RunDict
from cranfield.scan.counting import bisect_within
from cranfield.scan.judged import JudgedIndex
from cranfield.scan.order import Ranked, Ties


def look_up(source: RunDict, index: JudgedIndex, *, ties: Ties, single: bool, k: int) -> Matched:
    """The hits of a run of dictionaries, as `rank_rows` would rank them."""
    score = _narrow(source.score) if single else source.score
    end = np.cumsum(source.size)
    begin = end - source.size
    names = list(source.run)
    get = index.number.get
    number = np.fromiter((get(n.encode(), -1) for n in names), np.int64, len(names))
    rows, of, value = _judged(source, index, number)
    if single:
        value = _narrow(value)
    ordered = score.copy()
    for a, b in zip(begin.tolist(), end.tolist(), strict=True):
        ordered[a:b].sort()
    lo, hi = begin[of], end[of]
    left = bisect_within(ordered, lo, hi, value)
    right = left + 1
    more = np.flatnonzero(right < hi)
    more = more[ordered[right[more]] == value[more]]  # shared with others
    right[more] = _end_of(ordered, right[more], hi[more], value[more])
    above, size = hi - right, right - left
    rank = above.copy()
    tied = np.flatnonzero(size > 1)
    if len(tied):
        rank[tied] += _before(source, index, score, begin, rows, of, value, tied, ties)
    labelled = np.flatnonzero(number >= 0)
    n_ret, shared = (np.zeros(len(index.number), np.int64) for _ in range(2))
    n_ret[number[labelled]] = source.size[labelled]
    shared[number[labelled]] = _tied_in_top(ordered, begin, end, k)[labelled]
    answered = np.zeros(len(index.number), bool)
    answered[number[labelled]] = True
    others = np.flatnonzero(number < 0)
    others = others[np.argsort(source.size[others] == 0, kind="stable")]  # empty ones last
    return Matched(
        rows,
        number[of],
        Ranked(rank, above, size, shared),
        n_ret,
        answered,
        [names[i].encode() for i in others.tolist()],
        len(score),
    )


def _end_of(ordered: Floats, lo: Index, hi: Index, value: Floats) -> Index:
    """Behind the last place in lo .. hi that holds the value."""
    with np.errstate(over="ignore"):  # what is behind the largest finite number is infinity
        behind = np.nextafter(value, np.inf)
    end = bisect_within(ordered, lo, hi, behind)
    return np.where(np.isposinf(value), hi, end)


def _judged(source: RunDict, index: JudgedIndex, number: Index) -> tuple[Index, Index, Floats]:
    """(row of the judgments, which dictionary, score) of the judged documents returned."""
    rows, begin = index.by_query
    texts = index.texts
    found: list[float] = []
    asked: list[Index] = []
    of: list[int] = []
    for i, (query, docs) in enumerate(zip(number.tolist(), source.docs, strict=True)):
        if query >= 0:
            mine = rows[begin[query] : begin[query + 1]]
            asked.append(mine)
            of.append(i)
            names = texts[begin[query] : begin[query + 1]]
            found.extend(map(docs.get, names, repeat(np.nan)))
    value = np.array(found, np.float64)
    row = np.concatenate(asked) if asked else np.empty(0, np.int64)
    owner = np.repeat(np.array(of, np.int64), list(map(len, asked)))
    here = np.flatnonzero(~np.isnan(value))
    return row[here], owner[here], value[here]


def _before(
    source: RunDict,
    index: JudgedIndex,
    score: Floats,
    begin: Index,
    rows: Index,
    of: Index,
    value: Floats,
    tied: Index,
    ties: Ties,
) -> Index:
    """For each tied hit, how many documents of its score come before it."""
    out = np.zeros(len(tied), np.int64)
    names: list[str] = []
    place: dict[str, int] = {}
    last: tuple[int, float] | None = None
    query = -1
    order = np.lexsort((value[tied], of[tied]))
    for j in order.tolist():
        hit = int(tied[j])
        group = (int(of[hit]), float(value[hit]))
        if group != last:
            last = group
            if group[0] != query:
                query = group[0]
                names = list(source.docs[query])
                mine = score[begin[query] : begin[query] + len(names)]
            members = [names[i] for i in np.flatnonzero(mine == group[1]).tolist()]
            if ties != "file":
                members.sort(reverse=ties == "docid-desc")  # code points order as UTF-8 bytes do
            place = {name: i for i, name in enumerate(members)}
        out[j] = place[index.docs[int(rows[hit])]]
    return out


def _tied_in_top(ordered: Floats, begin: Index, end: Index, k: int) -> Index:
    """Per query, how many of its k best scores are shared; scores ascend within a query."""
    low = np.maximum(begin, end - min(k + 1, int((end - begin).max(initial=0))))
    held = end - low  # the best k and one more, to see whether the k-th is shared
    first = np.cumsum(held) - held
    owner = np.repeat(np.arange(len(held)), held)
    place = np.arange(len(owner)) - first[owner]  # from the lowest of the held ones
    score = ordered[low[owner] + place]
    same = np.zeros(len(score) + 1, bool)
    same[1:-1] = (score[1:] == score[:-1]) & (place[1:] > 0)
    shared = (same[1:] | same[:-1]) & (held[owner] - place <= k)
    return np.bincount(owner[shared], minlength=len(held))


def _narrow(score: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return score.astype(np.float32).astype(np.float64)
