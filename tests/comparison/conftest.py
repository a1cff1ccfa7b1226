"""Scores made of plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from cranfield.data.scores import Label, RunReport, Scores


def make_scores(
    runs: Mapping[str, Sequence[Any]],
    *,
    measures: Sequence[str] = ("AP",),
    queries: Sequence[str] | None = None,
    reports: Mapping[str, Mapping[str, Any]] | None = None,
    slices: Mapping[str, Sequence[str | None]] | None = None,
    aggregate: str = "mean",
    **settings: Any,
) -> Scores:
    """Scores of {run: values}, one measure each unless a value is a list; None is not defined."""
    rows = [[v if isinstance(v, list) else [v] for v in values] for values in runs.values()]
    raw = np.array([[[np.nan if v is None else v for v in q] for q in run] for run in rows])
    valid = np.array([[[v is not None for v in q] for q in run] for run in rows])
    names = tuple(queries or (f"q{i:03}" for i in range(raw.shape[1])))
    plain = {"n_returned": 10, "missing": (), "unlabelled": (), "empty": ()}
    plain |= {"judged": 1.0, "n_judged": len(names), "tied": 0.0}
    return Scores(
        runs=tuple(runs),
        queries=names,
        measures=tuple(Label(m, m, (m,), aggregate) for m in measures),  # type: ignore[arg-type]
        values=np.where(valid, raw, 0.0),
        valid=valid,
        answerable=np.ones(len(names), bool),
        reports=tuple(
            RunReport(**{"name": run, **plain, **(reports or {}).get(run, {})}) for run in runs
        ),
        k=10,
        settings={"ties": "docid-desc", "score_width": 64, "missing": "zero", **settings},
        slices={k: tuple(v) for k, v in (slices or {}).items()},
    )


@pytest.fixture(scope="session")  # has no state, and hypothesis asks for it
def scores() -> Callable[..., Scores]:
    return make_scores


def texts(numbers: str) -> list[float]:
    return [float(x) for x in numbers.split()]


@pytest.fixture
def sakai() -> dict[str, list[float]]:
    """Three systems on twenty topics (Sakai 2018, table 5.1)."""
    return {
        "A": texts(".7 .3 .2 .6 .4 .4 0 .7 .1 .3 .5 .4 0 .6 .5 .3 .1 .5 .2 .1"),
        "B": texts(".5 .1 0 .2 .4 .3 0 .5 .3 .3 .4 .4 .1 .4 .2 .1 .1 .6 .3 .2"),
        "C": texts("0 0 .2 .1 .3 .3 .1 .2 .4 .4 .4 .3 .3 .2 .2 .2 .1 .5 .4 .3"),
    }
