"""ranx against the face of ranx and against its profile: one test, because ranx compiles itself for
a minute in every process that calls it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from cranfield.compat import ranx as ours

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import ranx

PROFILE = {
    "ndcg@10": "nDCG@10",
    "ndcg": "nDCG",
    "map": "AP",
    "map@5": "AP@5",
    "precision@5": "P@5",
    "recall@5": "R@5",
    "mrr@3": "RR@3",
    "mrr": "RR",
    "r-precision": "Rprec",
    "hit_rate@3": "Success@3",
    "f1@5": "F@5",
}
MORE = """hits hits@3 hit_rate precision precision@5-l2 recall recall@5-l2 f1 map@5-l2 mrr-l3 dcg
    dcg@5 dcg_burges ndcg@5-l2 ndcg_burges ndcg_burges@10 r-precision-l2 hits@5-l2""".split()
NEARLY = ["rbp.95", "rbp.5-l2"]  # powers of p are made in another way


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # numba's, about casts of its own
def test_every_value_is_the_same_number(collection, value):
    for seed in range(12):
        qrels, run = collection(seed)
        metrics = [*PROFILE, *MORE, *NEARLY]
        given = ranx.Qrels(qrels), ranx.Run(run)
        theirs = ranx.evaluate(*given, metrics, return_mean=False, make_comparable=True)
        means = ranx.evaluate(*given, metrics, make_comparable=True)
        mine = ours.Run(run)
        found = ours.evaluate(
            ours.Qrels(qrels), mine, metrics, return_mean=False, make_comparable=True
        )
        for metric in metrics:
            where = f"{metric}, seed {seed}"
            if metric in NEARLY:
                np.testing.assert_allclose(found[metric], theirs[metric], rtol=1e-14)
            else:
                assert found[metric].tolist() == theirs[metric].tolist(), where
                assert mine.mean_scores[metric] == means[metric], where
            if metric in PROFILE:
                told = value("ranx", PROFILE[metric], qrels, run)
                assert told == pytest.approx(means[metric], rel=1e-14), where
        told = value("ranx ndcg_burges", "nDCG@10", qrels, run)
        assert told == pytest.approx(means["ndcg_burges@10"], rel=1e-14)
        assert [*given[1].scores["map"].items()] == [*mine.scores["map"].items()]
