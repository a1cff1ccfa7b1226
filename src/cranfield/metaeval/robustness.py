"""How a measure stands fewer judgments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats, Index
from cranfield.errors import InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.evaluation.align import align
from cranfield.evaluation.evaluate import DEFAULT_MEASURES
from cranfield.evaluation.inputs import asked_measures, judged_queries, judgments_of, sources_of
from cranfield.evaluation.people import block_of, check_people
from cranfield.evaluation.settings import Settings, TieChoice
from cranfield.evaluation.strata import check_strata
from cranfield.evaluation.subtopics import check_subtopics
from cranfield.formats.sources import OnDuplicate, RunSource
from cranfield.kit.arguments import share
from cranfield.kit.parallel import ordered_map
from cranfield.kit.progress import progress
from cranfield.measures import Hits, Judgments, Measure, compute
from cranfield.metaeval.cutoffs import t_share
from cranfield.metaeval.thinning import thinned
from cranfield.scan.judged import JudgedIndex
from cranfield.stats.rankcorr import kendall_tau

RATES = (0.9, 0.7, 0.5, 0.3, 0.1)


@dataclass(frozen=True, eq=False)
class HoleStudy:
    """The order of systems and the share of significant pairs with fewer judgments.

    Parameters
    ----------
    measures : s names.
    runs, queries : what was scored; a query that is left without relevant documents scores 0.
    rates : r shares of the judgments that stay.
    seeds : of the draws, one after the other for each rate.
    alpha : of the paired t-tests.
    judgments : [r, seeds] how many stay, of `all_judgments`.
    full_share, full_mean : [s] share of significant pairs and mean score with all judgments.
    share, mean : [r, seeds, s] the same with fewer.
    tau : [r, seeds, s] τ_b of the order of runs with the order that all judgments give.
    defined : [r, seeds, s] False where all runs have the same mean: τ is then 0 and says nothing.
    """

    measures: tuple[str, ...]
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    rates: tuple[float, ...]
    seeds: tuple[int, ...]
    alpha: float
    judgments: Index
    all_judgments: int
    full_share: Floats
    full_mean: Floats
    share: Floats
    mean: Floats
    tau: Floats
    defined: NDArray[np.bool_]

    def tau_at(self, rate: float, measure: str) -> float | None:
        """The mean τ over the draws at a rate; None where it is not defined in any."""
        r, s = self.rates.index(rate), self.measures.index(measure)
        some = self.defined[r, :, s]
        return float(self.tau[r, some, s].mean()) if some.any() else None


@dataclass(frozen=True, eq=False)
class _Block:
    judgments: Judgments
    hits: tuple[Hits, ...]
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    among: Index
    expected: bool

    def values(self, grade: Floats) -> Floats:
        """[run, query, measure] with these grades; what is not defined is 0."""
        judgments = Judgments(self.judgments.n_queries, self.judgments.query, grade)
        wanted = list(self.measures)
        made = [
            compute(wanted, judgments, one, expected_ties=self.expected)[0] for one in self.hits
        ]
        return np.stack(made)[:, self.among]


def holes(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    rates: Sequence[float] = RATES,
    draws: int = 5,
    seed: int = 0,
    queries: Sequence[str] | None = None,
    alpha: float = 0.05,
    rel: float = 1,
    least_relevant: int = 1,
    least_other: int = 10,
    ties: TieChoice = "docid-desc",
    score_width: int = 64,
    scale: float | None = None,
    on_duplicate: OnDuplicate = "error",
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> HoleStudy:
    """Judgments are taken away at random, and the runs scored again (Buckley & Voorhees 2004).

    Parameters
    ----------
    qrels, runs, measures, ties, score_width, scale, on_duplicate, qrels_format, run_format : as for
        `evaluate`. Without a scale the largest grade is that of all judgments, however few are
        left.
    rates : shares of the judgments that stay, each from 0 to 1.
    draws, seed : how often at each rate; seeds seed, seed + 1, ... The sets of a draw are nested.
    queries : those that count; without them all that have a relevant document.
    alpha : of the paired t-tests.
    rel : the least relevant grade, of both the queries that count and the thinning.
    least_relevant, least_other : documents of a query whose judgment stays in any case.
    """
    alpha = share("alpha", alpha)
    if not rates or draws < 1:
        raise UsageError("holes: one rate and one draw at least")
    settings = Settings(ties, score_width, scale=scale)
    reading = on_duplicate, qrels_format, run_format
    block = _block(qrels, runs, measures, queries, rel, settings, reading)
    grade = block.judgments.grade
    full = block.values(grade)
    seeds = tuple(range(seed, seed + draws))
    shape = (len(rates), draws, len(block.names))
    shares, means, tau = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    defined, left = np.zeros(shape, bool), np.zeros(shape[:2], np.int64)
    order = full.mean(axis=1)
    steps = [(r, d) for r in range(len(rates)) for d in range(draws)]

    def step(at: tuple[int, int]) -> tuple[Floats, int]:
        less = thinned(
            block.judgments.query, grade, rates[at[0]], rel=rel, least_relevant=least_relevant,
            least_other=least_other, seed=seeds[at[1]],
        )  # fmt: skip
        return block.values(less), int(np.count_nonzero(less >= 0))

    with progress("taking judgments away", len(steps)) as advance:
        workers = min(2, os.cpu_count() or 1)
        for at, (values, count) in zip(steps, ordered_map(step, steps, workers), strict=True):
            left[at] = count
            for s in range(len(block.names)):
                shares[at][s] = t_share(values[:, :, s], alpha)
                means[at][s] = values[:, :, s].mean()
                found = kendall_tau(order[:, s], values[:, :, s].mean(axis=1))
                tau[at][s], defined[at][s] = found or 0.0, found is not None
            advance(1)
    return HoleStudy(
        block.names,
        block.runs,
        block.queries,
        tuple(rates),
        seeds,
        alpha,
        left,
        int(np.count_nonzero(grade >= 0)),
        np.array([t_share(full[:, :, s], alpha) for s in range(len(block.names))]),
        np.array([full[:, :, s].mean() for s in range(len(block.names))]),
        shares,
        means,
        tau,
        defined,
    )


def _block(
    qrels: Any,
    runs: Any,
    measures: Any,
    queries: Sequence[str] | None,
    rel: float,
    settings: Settings,
    how: tuple[OnDuplicate, str | None, str | None],
) -> _Block:
    on_duplicate, qrels_format, run_format = how
    asked = asked_measures(measures)
    given, _ = judgments_of(qrels, qrels_format, on_duplicate, False, None, None)
    wanted = [measure for _, measure in asked]
    check_people(given, wanted)
    check_subtopics(given, wanted)
    check_strata(given, wanted)
    rated, _ = judged_queries(given)
    judged, judgments = block_of(rated, wanted)
    sources = sources_of(runs, run_format, on_duplicate, False)
    if len(sources) < 2:
        raise InputError("an order of runs needs two runs or more", f"{len(sources)} given")
    names = judged.queries.to_list()
    among = _among(names, judgments, queries, rel)
    index = JudgedIndex(judged)
    with progress("reading runs", len(sources)) as advance:

        def read(source: RunSource) -> Hits:
            single = settings.score_width == 32
            hits = align(source, index, ties=settings.order, single=single).hits
            advance(1)
            return hits

        hits = tuple(ordered_map(read, sources, min(4, os.cpu_count() or 1)))
    top = settings.scale if settings.scale is not None else judged.max_grade
    resolved = tuple(measure.resolve(top) for measure in wanted)
    return _Block(
        judgments,
        hits,
        resolved,
        tuple(str(measure) for measure in wanted),
        tuple(source.name for source in sources),
        tuple(names[q] for q in among.tolist()),
        among,
        settings.ties == "expected",
    )


def _among(
    names: Sequence[str], judgments: Judgments, queries: Sequence[str] | None, rel: float
) -> Index:
    if queries is None:
        relevant = judgments.query[judgments.grade >= rel]
        found = np.flatnonzero(np.bincount(relevant, minlength=len(names)) > 0)
        if len(found) < 2:
            raise NothingToEvaluate(f"{len(found)} queries with a relevant document", "two or more")
        return found
    place = {name: q for q, name in enumerate(names)}
    for name in queries:
        if name not in place:
            raise UnknownName(f"no judged query {name!r}", f"there are: {', '.join(names[:8])}")
    return np.array([place[name] for name in queries], np.int64)
