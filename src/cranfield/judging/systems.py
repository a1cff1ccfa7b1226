"""Whether systems come in the same order under two sets of labels, and whether a set is kinder to
some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.data.scores import Scores
from cranfield.errors import InputError
from cranfield.judging.how import How
from cranfield.judging.sets import Paired
from cranfield.stats.arrays import DECIMALS
from cranfield.stats.bootstrap import place
from cranfield.stats.rankcorr import kendall_tau, tau_ap_b
from cranfield.stats.resampling import blocks, multiplicities
from cranfield.stats.results import Interval

MOST_RESAMPLES = 1000  # of orders, each of which costs the square of the number of systems


@dataclass(frozen=True)
class RunBias:
    """The first k results of a run that both sets grade.

    Parameters
    ----------
    n : of them, over all queries; `returned` of the first k, graded or not.
    mean_a, mean_b : of their grades; None where there is none.
    bias : mean_b - mean_a, with its interval over queries.
    """

    run: str
    n: int
    returned: int
    mean_a: float | None
    mean_b: float | None
    bias: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Tau:
    """A rank correlation of two orders with its percentile interval over queries; None where one
    order is constant."""

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True)
class Differences:
    """What becomes of the pairs of systems whose difference is significant.

    Parameters
    ----------
    pairs : of systems.
    kept : significant by both sets, with the same sign; `reversed` with the other.
    lost, gained : significant by the first set alone, by the second alone.
    opposite : of the lost, those whose sign is the other one by the second set.
    which_lost, which_reversed : (better, worse) by the first set.
    """

    pairs: int
    kept: int
    lost: int
    gained: int
    reversed: int
    opposite: int
    which_lost: tuple[tuple[str, str], ...]
    which_reversed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Order:
    """The systems under one measure.

    Parameters
    ----------
    runs : by the first set, the best first.
    mean_a, mean_b : [m] over the n queries.
    tau_b, tau_ap_b : of all systems; `top_*` of the `top` best by the first set.
    moved : the run that moved furthest, and its ranks (from 1) by both.
    """

    measure: str
    runs: tuple[str, ...]
    mean_a: Floats
    mean_b: Floats
    n: int
    tau_b: Tau
    tau_ap_b: Tau
    top: int
    top_tau_b: Tau
    top_tau_ap_b: Tau
    moved: tuple[str, int, int]
    differences: Differences

    @property
    def best_b(self) -> str:
        """The best by the second set."""
        return self.runs[int(np.argmax(np.round(self.mean_b, DECIMALS)))]


def scored(
    a: Qrels, b: Qrels, runs: Sequence[Any], measures: Any, **options: Any
) -> tuple[Scores, Scores]:
    """The same runs under both sets of labels."""
    from cranfield.evaluation.evaluate import evaluate

    one, two = (evaluate(q, list(runs), measures, **options) for q in (a, b))
    if one.queries != two.queries:
        shared = [q for q in one.queries if q in set(two.queries)]
        raise InputError(
            f"only {len(shared)} queries are judged by both sets", "pairs='common' keeps those"
        )
    return one, two


def orders(one: Scores, two: Scores, how: How) -> tuple[Order, ...]:
    """One a measure, of two systems or more."""
    found = []
    for i, measure in enumerate(one.measures):
        usable = (one.valid[:, :, i] & two.valid[:, :, i]).all(axis=0)
        x, y = one.values[:, usable, i], two.values[:, usable, i]
        if len(x) >= 2 and usable.sum() >= 2:
            found.append(_order(measure.text, one.runs, x, y, how))
    return tuple(found)


def _order(measure: str, names: Sequence[str], x: Floats, y: Floats, how: How) -> Order:
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__))
    x, y = x[by_name], y[by_name]
    names = [names[i] for i in by_name.tolist()]
    best = np.argsort(-np.round(x.mean(axis=1), DECIMALS), kind="stable")
    x, y = x[best], y[best]
    names = [names[i] for i in best.tolist()]
    top = min(how.top, len(names))
    whole, upper = _taus(x, y, how), _taus(x[:top], y[:top], how)
    mean_a, mean_b = x.mean(axis=1), y.mean(axis=1)
    rank_a, rank_b = _ranks(mean_a), _ranks(mean_b)
    far = int(np.argmax(np.abs(rank_a - rank_b)))
    return Order(
        measure,
        tuple(names),
        mean_a,
        mean_b,
        x.shape[1],
        *whole,
        top,
        *upper,
        (names[far], int(rank_a[far]), int(rank_b[far])),
        differences(x, y, names, how),
    )


def _ranks(means: Floats) -> NDArray[np.int64]:
    """From 1; equal means share the least."""
    rounded = np.round(means, DECIMALS)
    return np.asarray(1 + (rounded[None, :] > rounded[:, None]).sum(axis=1), np.int64)


def _taus(x: Floats, y: Floats, how: How) -> tuple[Tau, Tau]:
    from cranfield.kit.progress import progress

    seen = [f(x.mean(axis=1), y.mean(axis=1)) for f in (kendall_tau, tau_ap_b)]
    resamples = min(how.resamples, MOST_RESAMPLES)
    if not resamples or len(x) < 3:
        return Tau(seen[0]), Tau(seen[1])
    n = x.shape[1]
    drawn: list[list[float]] = [[], []]
    with progress("drawing queries", resamples) as advance:
        for first, count in blocks(resamples, n * len(x)):
            weights = multiplicities(how.seed, first, count, n)
            for p, q in zip(weights @ x.T, weights @ y.T, strict=True):
                for values, f in zip(drawn, (kendall_tau, tau_ap_b), strict=True):
                    value = f(p / n, q / n)
                    values += [] if value is None else [value]
                advance(1)
    return tuple(
        Tau(value, _interval(values, how, resamples, n))
        for value, values in zip(seen, drawn, strict=True)
    )  # type: ignore[return-value]


def _interval(values: list[float], how: How, resamples: int, n: int) -> Interval:
    method = f"percentile bootstrap over queries, {resamples} resamples, seed {how.seed}"
    if len(values) < 0.95 * resamples:
        return Interval(None, None, how.level, method, n, "often not defined")
    ordered, tail = sorted(values), (1 - how.level) / 2
    low, high = (ordered[place(p, len(ordered))] for p in (tail, 1 - tail))
    return Interval(low, high, how.level, method, n)


def differences(x: Floats, y: Floats, names: Sequence[str], how: How) -> Differences:
    """Pairs of systems that are significantly different, by scores x and y [systems, queries]."""
    rows, columns = np.triu_indices(len(x), 1)
    (sure_a, sign_a), (sure_b, sign_b) = (_significant(s, rows, columns, how) for s in (x, y))
    same = sign_a == sign_b
    lost, turned = sure_a & ~sure_b, sure_a & sure_b & ~same

    def pairs(which: NDArray[np.bool_]) -> tuple[tuple[str, str], ...]:
        at = np.flatnonzero(which)
        both = zip(rows[at].tolist(), columns[at].tolist(), sign_a[at].tolist(), strict=True)
        return tuple((names[i], names[j]) if s > 0 else (names[j], names[i]) for i, j, s in both)

    return Differences(
        len(rows),
        int((sure_a & sure_b & same).sum()),
        int(lost.sum()),
        int((sure_b & ~sure_a).sum()),
        int(turned.sum()),
        int((lost & (sign_a * sign_b < 0)).sum()),
        pairs(lost),
        pairs(turned),
    )


def _significant(x: Floats, rows: Any, columns: Any, how: How) -> tuple[Any, Any]:
    from cranfield.stats.corrections import adjust
    from cranfield.stats.pairs import paired_t_all, randomisation_all

    if how.test == "t":
        found = paired_t_all(x)
    else:
        found = randomisation_all(x, resamples=10_000, seed=how.seed)
    p = adjust(found.p[rows, columns], how.correction)  # type: ignore[arg-type]
    return p < how.alpha, np.sign(np.round(found.difference[rows, columns], DECIMALS))


def run_biases(pairs: Paired, runs: Sequence[Any], how: How) -> tuple[RunBias, ...]:
    """The grades of the first k results of each run by both sets; equal scores are ordered by
    descending document id, as evaluation orders them."""
    from cranfield.evaluation.lists import result_lists
    from cranfield.formats.readers import open_run
    from cranfield.stats.bootstrap import bootstrap_interval

    place_of = {
        (pairs.queries[q], d): i
        for i, (q, d) in enumerate(zip(pairs.query.tolist(), pairs.docs, strict=True))
    }
    found = []
    for run in runs:
        source = open_run(run)
        lists = result_lists(source, pairs.queries, how.k)
        returned = sum(map(len, lists.values()))
        at = [
            [place_of[q, d] for d, _ in lists.get(q, ()) if (q, d) in place_of]
            for q in pairs.queries
        ]
        flat = np.array([i for own in at for i in own], np.int64)
        if not len(flat):
            found.append(RunBias(source.name, 0, returned, None, None, None, None))
            continue
        off = pairs.b - pairs.a
        # a ratio of sums over queries is linearised, so that the interval is over queries
        sums = np.array([off[own].sum() for own in at])
        counts = np.array([len(own) for own in at], np.float64)
        bias = float(sums.sum() / counts.sum())
        around = bias + (sums - bias * counts) / counts.mean()
        interval = (
            bootstrap_interval(around, how.level, resamples=how.resamples, seed=how.seed)
            if how.resamples
            else None
        )
        means = float(pairs.a[flat].mean()), float(pairs.b[flat].mean())
        found.append(RunBias(source.name, len(flat), returned, *means, bias, interval))
    return tuple(found)
