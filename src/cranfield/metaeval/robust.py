"""How the measures of a study stand fewer judgments and other cutoffs: what needs the judgments
and runs again and not only their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.evaluation.evaluate import evaluate
from cranfield.formats.readers import open_run, read_qrels
from cranfield.measures import Measure, parse
from cranfield.metaeval.cutoffs import CutoffCurve, cutoff_curves
from cranfield.metaeval.results import Condition
from cranfield.metaeval.robustness import HoleStudy, holes

KS = (5, 10, 20, 50, 100)
_SCORING = ("ties", "score_width", "scale", "on_duplicate", "run_format")


@dataclass(frozen=True, eq=False)
class Robustness:
    """What was asked for; None or empty otherwise.

    Parameters
    ----------
    holes : order and shares with fewer judgments.
    cutoffs : shares, means and orders at several cutoffs, one a measure that can be cut.
    """

    holes: HoleStudy | None = None
    cutoffs: tuple[CutoffCurve, ...] = ()


def robustness(
    qrels: Any,
    runs: Sequence[Any],
    condition: Condition,
    which: Iterable[str],
    *,
    alpha: float = 0.05,
    seed: int = 0,
    ks: Sequence[int] = KS,
    options: Mapping[str, Any] | None = None,
) -> Robustness:
    """Study the runs and queries that a condition kept once more.

    Parameters
    ----------
    qrels, runs : what the study was made from.
    which : "holes", "cutoff" or both.
    alpha : of the paired t-tests; seed : of the judgments that are taken away.
    ks : cutoffs, ascending.
    options : of `evaluate`. Merged grades have the scale 1, whatever that of the grades is.
    """
    wanted, passed = frozenset(which), dict(options or {})
    if condition.name == "binary":
        passed["scale"] = 1.0
    scoring = {name: passed[name] for name in _SCORING if name in passed}
    how = {"split": passed.get("split"), "on_duplicate": passed.get("on_duplicate", "error")}
    given = read_qrels(qrels, format=passed.get("qrels_format"), **how)
    judged = _merged(given) if condition.name == "binary" else given
    kept = frozenset(condition.matrix.runs)
    here = [run for run in runs if open_run(run, format=passed.get("run_format")).name in kept]
    names, queries = condition.matrix.measures, condition.matrix.queries
    passed.pop("split", None)
    passed.pop("qrels_format", None)
    return Robustness(
        holes(judged, here, names, seed=seed, queries=queries, alpha=alpha, **scoring)
        if "holes" in wanted
        else None,
        _cut(judged, here, names, queries, ks, alpha, passed) if "cutoff" in wanted else (),
    )


def _merged(qrels: Qrels) -> Qrels:
    """Every grade from 1 on is 1, every other judged one 0; below 0 still means not judged."""
    return replace(qrels, grade=np.where(qrels.grade >= 1, 1.0, np.minimum(qrels.grade, 0.0)))


def _cut(
    qrels: Qrels,
    runs: Sequence[Any],
    measures: Sequence[str],
    queries: Sequence[str],
    ks: Sequence[int],
    alpha: float,
    options: Mapping[str, Any],
) -> tuple[CutoffCurve, ...]:
    """Each measure that takes a cutoff at each of them."""
    families = list(dict.fromkeys(f for m in measures if (f := _without(parse(m))) is not None))
    if not families:
        return ()
    scores = evaluate(qrels, runs, [f @ k for f in families for k in ks], **options)
    place = {name: i for i, name in enumerate(scores.queries)}
    rows = [place[q] for q in queries]
    values: dict[str, Floats] = {}
    for i, family in enumerate(families):
        layers = slice(i * len(ks), (i + 1) * len(ks))
        values[str(family)] = np.where(scores.valid, scores.values, 0.0)[:, rows, layers]
    return cutoff_curves(values, ks, alpha=alpha)


def _without(measure: Measure) -> Measure | None:
    """The measure without its cutoff; None for one that takes none."""
    family = measure.definition
    if family.cutoff is None or not (measure.cutoff or measure.at is None):
        return None
    kept = {name: value for name, value in measure.params if name != family.cutoff}
    return Measure(measure.family, tuple(kept.items()))
