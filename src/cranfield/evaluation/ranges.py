"""Scores with the range that unjudged documents leave open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.ranges import BoundWorld, Ranges
from cranfield.errors import MeasureError
from cranfield.evaluation.holes import Bounded, levels_of, topics_of
from cranfield.kit.progress import progress
from cranfield.measures import Hits, Judgments, Measure
from cranfield.measures.bounds import has_bounds


def bounded_means(measure: Measure) -> bool:
    """Whether bounds are known of a measure and of its summary, a mean."""
    return has_bounds(measure) and measure.definition.aggregate == "mean"


def check_bounds(measures: Sequence[Measure]) -> None:
    """MeasureError where bounds are known of none of these."""
    if not any(map(bounded_means, measures)):
        names = ", ".join(map(str, measures))
        raise MeasureError(
            f"no bounds are known for {names}", "they are for nDCG, AP, RR, P, R, ERR and others"
        )


def ranges_of(
    qrels: Qrels,
    judgments: Judgments,
    hits: Sequence[Hits],
    measures: Sequence[Measure],
    world: BoundWorld,
    scale: float | None = None,
) -> Ranges:
    """Bounds of every run, query and measure (docs/concepts/holes.md).

    Parameters
    ----------
    hits : of each run
    measures : complete, with `gmax` resolved
    scale : the largest grade that an unjudged document may have; by default the largest judged
    """
    levels = levels_of(qrels, scale)
    shape = (len(hits), judgments.n_queries, len(measures))
    low, high = np.full(shape, np.nan), np.full(shape, np.nan)
    exact = np.ones((len(hits), len(measures)), bool)
    ways = [(i, Bounded(m, levels, world)) for i, m in enumerate(measures) if bounded_means(m)]
    with progress("bounding scores", len(hits)) as advance:
        for r, found in enumerate(hits):
            for q, topic in enumerate(topics_of(judgments, found)):
                for i, way in ways:
                    bound = way(topic)
                    low[r, q, i], high[r, q, i] = bound.low, bound.high
                    exact[r, i] &= bound.exact
            advance(1)
    return Ranges(world, low, high, exact, float(levels[-1]))
