"""Scores with the range that unjudged documents leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.data.ranges import BOUND_WORLDS, BoundChoice, BoundWorld, OpenEnds, Ranges
from cranfield.errors import MeasureError, UsageError
from cranfield.evaluation.holes import Bounded, levels_of, topics_of
from cranfield.evaluation.settings import Settings
from cranfield.formats.sources import RunSource
from cranfield.kit.progress import progress
from cranfield.measures import Hits, Judgments, Measure
from cranfield.measures.bound_blocks import block_bounds
from cranfield.measures.bounds import has_bounds
from cranfield.measures.heads import heads_of, holes_in

AUTO = "auto"
MANY_LEVELS = 64  # more grades than this are bounded topic by topic
AFFORDABLE = 500  # topics that are bounded one by one unasked, about a quarter of a second
DEEP = 100  # holes of a topic beyond which it takes longer, by their square


def bounded_means(measure: Measure) -> bool:
    """Whether bounds are known of a measure and of its summary, a mean."""
    return has_bounds(measure) and measure.definition.aggregate == "mean"


def check_world(bounds: object, ties: object) -> None:
    """UsageError where bounds are asked for that there cannot be."""
    if bounds is not None and bounds not in (AUTO, *BOUND_WORLDS):
        raise UsageError(f"bounds is {bounds!r}", "auto, closed, open or None")
    if bounds in BOUND_WORLDS and ties == "expected":
        raise UsageError(
            "bounds with ties 'expected'", "which documents a measure reads needs an order"
        )


def check_bounds(bounds: object, measures: Sequence[Measure]) -> None:
    """MeasureError where bounds are asked for and known of none of these."""
    if bounds in BOUND_WORLDS and not any(map(bounded_means, measures)):
        names = ", ".join(map(str, measures))
        raise MeasureError(
            f"no bounds are known for {names}", "they are for nDCG, AP, RR, P, R, ERR and others"
        )


def open_ends(
    bounds: BoundChoice | None,
    qrels: Qrels,
    judgments: Judgments,
    sources: Sequence[RunSource],
    hits: Sequence[Hits],
    measures: Sequence[Measure],
    settings: Settings,
) -> OpenEnds | None:
    """The ranges of these runs, to be worked out when they are read; None where none are wanted,
    and for `auto` where there can be none or they would be dear."""
    if bounds is None:
        return None
    levels = levels_of(qrels, settings.scale)
    if bounds == AUTO and (
        settings.ties == "expected"
        or len(levels) > MANY_LEVELS
        or not any(map(bounded_means, measures))
    ):
        return None
    names = tuple(source.name for source in sources), tuple(qrels.queries.to_list())
    world: BoundWorld = "open" if bounds == "open" else "closed"
    asked = bounds != AUTO
    slim = [replace(h, tie_start=h.query[:0], tie_len=h.query[:0]) for h in hits]  # kept for long
    made = Bounding(*names, judgments, slim, measures, levels, world, asked)
    return OpenEnds(made, made.count, asked)


@dataclass(frozen=True, eq=False)
class Bounding:
    """What bounds of every run, query and measure follow from (docs/concepts/holes.md).

    Parameters
    ----------
    runs, queries : names
    judgments, hits : the block, and what each run found of it
    measures : complete, with `gmax` resolved
    levels : the grades that a hole may have, ascending from 0, and all that were given
    asked : somebody waits for them; otherwise what takes long is left out
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    judgments: Judgments
    hits: Sequence[Hits]
    measures: Sequence[Measure]
    levels: Floats
    world: BoundWorld
    asked: bool

    def __call__(self) -> Ranges:
        shape = (len(self.hits), len(self.queries), len(self.measures))
        low, high = np.full(shape, np.nan), np.full(shape, np.nan)
        exact = np.ones((shape[0], shape[2]), bool)
        blocks, single, dear = self._divided()
        with progress("bounding scores", len(self.hits)) as advance:
            for r, found in enumerate(self.hits):
                for k, own in blocks.items():
                    self._blocks(found, k, own, low[r], high[r])
                for q, topic in enumerate(topics_of(self.judgments, found) if single else ()):
                    for i, way in single.items():
                        bound = way(topic)
                        low[r, q, i], high[r, q, i] = bound.low, bound.high
                        exact[r, i] &= bound.exact
                advance(1)
        names = tuple(m.full_name for m in self.measures)
        return Ranges(self.world, self.runs, self.queries, names, low, high, exact, dear)

    def count(self) -> dict[tuple[str, str], int]:
        """{(run, measure): unjudged documents among those that it reads}."""
        return {
            (run, m.full_name): int(holes_in(self.judgments, found, m.cutoff).sum())
            for run, found in zip(self.runs, self.hits, strict=True)
            for m in self.measures
        }

    def _divided(self) -> tuple[dict[int | None, list[int]], dict[int, Bounded], tuple[str, ...]]:
        """({cutoff: measures worked out in blocks}, those taken topic by topic, those left out)."""
        together = self.world == "closed" and len(self.levels) <= MANY_LEVELS
        blocks: dict[int | None, list[int]] = {}
        single: dict[int, Bounded] = {}
        dear = []
        for i, measure in enumerate(self.measures):
            if not bounded_means(measure):
                continue
            if together and block_bounds(measure) is not None:
                blocks.setdefault(measure.cutoff, []).append(i)
            elif self.asked or self._effort(measure) <= AFFORDABLE:
                single[i] = Bounded(measure, self.levels, self.world)
            else:
                dear.append(measure.full_name)
        return blocks, single, tuple(dear)

    def _effort(self, measure: Measure) -> float:
        """About how many shallow topics with holes take as long as all of these."""
        holes = [holes_in(self.judgments, found, measure.cutoff) for found in self.hits]
        return float(sum((1.0 + (own[own > 0] / DEEP) ** 2).sum() for own in holes))

    def _blocks(
        self, hits: Hits, k: int | None, own: Sequence[int], low: Floats, high: Floats
    ) -> None:
        """Fill [query, measure] of the measures with this cutoff."""
        for heads in heads_of(self.judgments, hits, k, self.levels):
            for i in own:
                block = block_bounds(self.measures[i])
                assert block is not None
                low[heads.topic, i], high[heads.topic, i] = block(heads, self.measures[i].values)
