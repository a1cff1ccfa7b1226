"""The same numbers as pytrec_eval, to the last bit, where it computes the same thing: it holds
scores as float32 and grades as integers."""

from __future__ import annotations

import random

import pytest
import pytrec_eval

from cranfield import evaluate

CUTS = (1, 3, 5, 10, 20, 100)
THEIRS = {
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "set_P": "P",
    "set_recall": "R",
    "set_F": "F",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
}
THEIRS_CUT = {
    "P": "P",
    "recall": "R",
    "ndcg_cut": "nDCG",
    "map_cut": "AP",
    "success": "Success",
}
ALL_OF_THEM = {*THEIRS, *(f"{t}.{','.join(map(str, CUTS))}" for t in THEIRS_CUT)}


def asked(rel: int = 1) -> dict[str, str]:
    """{their name: ours}."""
    names = dict(THEIRS) | {f"{t}_{k}": f"{o}@{k}" for t, o in THEIRS_CUT.items() for k in CUTS}
    if rel == 1:
        return names

    def with_rel(ours: str) -> str:
        family, at, k = ours.partition("@")
        graded = family in ("nDCG", "NumRet")
        return ours if graded else f"{family}(rel={rel}){at}{k}"

    return {theirs: with_rel(ours) for theirs, ours in names.items()}


def collection(seed: int) -> tuple[dict, dict]:
    """Random judgments and a run; scores with ties, some equal only as float32."""
    rng = random.Random(seed)
    docs = [f"d{rng.getrandbits(20)}-{i}" for i in range(rng.choice([6, 40, 150]))]
    scores = [rng.uniform(-3, 3) for _ in range(rng.choice([2, 8, 60]))]
    scores += [s * (1 + 1e-9) for s in scores] + [0.0, -0.0]
    grades = rng.choice([[0, 1], [-1, 0, 1], [-2, 0, 0, 0, 1, 2, 3], [0, 0, 0, 4], [0]])
    qrels, run = {}, {}
    for q in range(12):
        qrels[f"q{q}"] = {
            d: rng.choice(grades) for d in rng.sample(docs, rng.randrange(1, len(docs)))
        }
        run[f"q{q}"] = {
            d: rng.choice(scores) for d in rng.sample(docs, rng.randrange(1, len(docs)))
        }
    return qrels, run


@pytest.mark.parametrize("seed", range(40))
def test_every_value_is_the_same_number(seed):
    qrels, run = collection(seed)
    names = asked()
    theirs = pytrec_eval.RelevanceEvaluator(qrels, ALL_OF_THEM).evaluate(run)
    judged = {q: d for q, d in qrels.items() if max(d.values()) >= 0}
    ours = evaluate(qrels, run, list(names.values()), score_width=32)
    assert set(ours.queries) == set(judged)
    for name, our in names.items():
        found = ours.per_query(our)
        assert found == {q: theirs[q][name] for q in judged}, name


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("rel", [2, 3])
def test_every_value_with_another_level_of_relevance(seed, rel):
    qrels, run = collection(seed)
    names = asked(rel)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, ALL_OF_THEM, relevance_level=rel)
    judged = {q: d for q, d in qrels.items() if max(d.values()) >= 0}
    theirs = evaluator.evaluate({q: run[q] for q in judged})
    ours = evaluate(qrels, run, list(names.values()), score_width=32)
    for name, our in names.items():
        assert ours.per_query(our) == {q: theirs[q][name] for q in judged}, name


def test_float32_is_what_makes_the_two_agree():
    """With float64, as trec_eval 10, the same data give other numbers somewhere."""
    different = 0
    for seed in range(40):
        qrels, run = collection(seed)
        wide, narrow = (evaluate(qrels, run, "nDCG@10", score_width=w) for w in (64, 32))
        different += wide.per_query() != narrow.per_query()
    assert different > 5


@pytest.mark.slow
def test_real_runs_of_30_topics(shared):
    from cranfield import read_qrels, read_run

    folder = shared / "runs" / "trec-covid-r1"
    qrels = read_qrels(folder / "qrels.covid-round1.txt")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels.to_dict(), ALL_OF_THEM)
    names = asked()
    for path in sorted((folder / "runs").glob("*.gz"))[::12]:
        run = read_run(path)
        theirs = evaluator.evaluate(run.to_dict())
        ours = evaluate(qrels, path, list(names.values()), score_width=32)
        for name, our in names.items():
            found = ours.per_query(our)
            assert {q: found[q] for q in theirs} == {q: theirs[q][name] for q in theirs}, name
