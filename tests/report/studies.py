"""Studies to draw, with hostile and Chinese names."""

from __future__ import annotations

import numpy as np

from cranfield import ScoreMatrix, study
from cranfield.metaeval.method_names import METHODS, Draws
from cranfield.metaeval.methods import methods
from cranfield.metaeval.recommend import recommend
from cranfield.metaeval.studied import Studied

MEASURES = ("AP", 'AP_Wu(variant="padded")', "P@10", "<u>指标</u>")
FEW = Draws(asl=50, permutation=50, rthsd=50, sets=20, trials=20, halves=10)


def matrix(runs: int = 12, queries: int = 30, name: str = "收集一") -> ScoreMatrix:
    rng = np.random.default_rng(5)
    quality = np.linspace(0.2, 0.5, runs)[:, None] + rng.normal(0, 0.08, queries)
    layers = [quality + rng.normal(0, noise, quality.shape) for noise in (0.05, 0.07, 0.15, 0.6)]
    values = np.clip(np.stack(layers, axis=2), 0, 1)
    names = tuple(f"系统{i}<i>" for i in range(runs)), tuple(f"q{i}" for i in range(queries))
    return ScoreMatrix(*names, MEASURES, values, name)


def studied(given: ScoreMatrix, which=METHODS, **options) -> Studied:
    made = study(given, resamples=60, repeats=4, min_ap=None, **options)
    (condition,) = made.conditions
    found = methods(condition.matrix, which, draws=FEW) if which else None
    if found is None:
        return Studied(made)
    advice = recommend(condition, found.agreement.tau, [r.by_sets for r in found.reliability])
    return Studied(made, {condition.name: found}, {condition.name: advice})
