"""Studies to draw, with hostile and Chinese names."""

from __future__ import annotations

import numpy as np

from cranfield import Qrels, Run, ScoreMatrix, study
from cranfield.experiment.study_texts import Terms, predictions
from cranfield.metaeval.across import standard_scores
from cranfield.metaeval.method_names import METHODS, Draws
from cranfield.metaeval.methods import methods
from cranfield.metaeval.predictors import count_terms
from cranfield.metaeval.recommend import recommend
from cranfield.metaeval.robust import robustness
from cranfield.metaeval.studied import Studied, Texts

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


def of_runs(name: str, seed: int = 1) -> Studied:
    """Of judgments and runs, with all that a matrix does not give."""
    rng = np.random.default_rng(seed)
    queries, docs = [f"q{i}" for i in range(12)], [f"d{i}" for i in range(30)]
    grades = {q: {d: int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1])) for d in docs} for q in queries}
    runs = [
        Run.from_dict(
            {q: {d: float(rng.random() + 0.3 * r * grades[q][d]) for d in docs} for q in queries},
            name=f"运行{r}",
        )
        for r in range(4)
    ]
    qrels = Qrels.from_dict(grades)
    made = study(qrels, runs, ["nDCG@5", "P@5"], name=name, resamples=0, parts=(), sizes=())
    (condition,) = made.conditions
    words = [f"w{i}" for i in range(9)]
    asked = {q: list(rng.choice(words, 2)) for q in queries[1:11]} | {"q0": ["火星"]}
    statistics = count_terms(list(rng.choice(words, 5)) for _ in range(20))
    texts = Texts(name, "mixed", statistics.documents, statistics.tokens)
    predicted, without = predictions(made, Terms(texts, asked, statistics))
    return Studied(
        made,
        robust={"graded": robustness(qrels, runs, condition, ("holes", "cutoff"))},
        standard={"graded": standard_scores(condition.matrix)},
        predicted=predicted,
        texts=Texts(name, "mixed", statistics.documents, statistics.tokens, without),
    )
