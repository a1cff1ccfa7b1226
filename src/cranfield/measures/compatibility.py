"""Compatibility: how much a list agrees with the best list that is nearest to it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats, Ints, sum_by_query
from cranfield.measures.measure import family
from cranfield.measures.params import PERSISTENCE, Param, read_flag, read_whole
from cranfield.measures.views import GradeView, share

DEPTH = Param(
    "depth",
    1000,
    'how many ranks are compared: a number, or "lists" for as many as the longer list has '
    "(ir_measures)",
    'an integer of at least 1 or "lists"',
    lambda value: "lists" if value == "lists" else read_whole(value),
)
NORMALIZE = Param(
    "normalize",
    True,
    "divide by what the best list has with itself",
    "true or false",
    read_flag,
)


@family(
    "Compatibility",
    title="compatibility: rank-biased overlap with the nearest of the best lists",
    formula=(
        "Σ_{d≤depth} p^{d−1} · |S_d ∩ I_d| / d, over the same for I and I; S_d the first d of the "
        "list, I all documents of grade > 0 by grade, equal grades in the list's own order"
    ),
    source="Clarke, Vtyurina & Smucker 2021, Assessing top-k preferences; its program's depth",
    no_relevant="0",
    range=(0, 1),
    params=(replace(PERSISTENCE, default=0.95), DEPTH, NORMALIZE),
    aliases=("Compat", "compat", "compatibility"),
    example=Example(
        "Compatibility(p=0.5, depth=2)",
        (1, 2),
        (),
        0.3333333333,
        "overlap 0 of 1 and 2 of 2: (0 + 0.5) / (1 + 0.5)",
    ),
)
def Compatibility(view: GradeView, *, p: float, depth: int | str, normalize: bool) -> Floats:
    """Compatibility."""
    ideal = view.judgments.ideal
    count = np.bincount(ideal.query, minlength=view.n_queries)
    most = np.maximum(view.n_ret, count) if isinstance(depth, str) else np.full_like(count, depth)
    sums = _overlap_weights(p, int(most.max(initial=0)))

    def weight(query: Ints, rank: Ints) -> Floats:
        """What a document adds that both lists have from this 0-based rank on."""
        end = most[query]
        return sums[end] - sums[np.minimum(rank, end)]

    never = int(max(view.rank.max(initial=0), most.max(initial=0))) + 1
    place = np.full(len(view.judgments.grade), never)
    place[view.row] = view.rank
    place = place[ideal.row]
    nearest = np.lexsort((place, -ideal.grade, ideal.query))
    joined = np.maximum(ideal.rank, place[nearest])
    found = sum_by_query(ideal.query, weight(ideal.query, joined), None, view.n_queries)
    if not normalize:
        return share(found, (1.0 - p ** most.astype(np.float64)) / (1.0 - p))
    own = sum_by_query(ideal.query, weight(ideal.query, ideal.rank), None, view.n_queries)
    return share(found, own)


def _overlap_weights(p: float, depth: int) -> Floats:
    """[d] Σ_{j≤d} p^(j−1) / j for d from 0 to at least `depth`."""
    return _sums(p, max(1024, 1 << depth.bit_length()))


@lru_cache(maxsize=8)
def _sums(p: float, size: int) -> Floats:
    terms = (p ** (d - 1) / d for d in range(1, size + 1))
    return np.fromiter(accumulate(terms, initial=0.0), np.float64, size + 1)
