"""The same numbers as ir_measures where the definitions are the same."""

from __future__ import annotations

import random

import ir_measures
import pytest
from ir_measures import AP, RR, Judged, P, Qrel, R, ScoredDoc, Success, nDCG

from cranfield import evaluate

PAIRS = {
    P(rel=2) @ 5: "P(rel=2)@5",
    P @ 10: "P@10",
    P(judged_only=True) @ 5: "P'@5",
    RR: "RR",
    RR(rel=2): "RR(rel=2)",
    RR @ 3: "RR@3",
    AP: "AP",
    AP(rel=2): "AP(rel=2)",
    AP @ 5: "AP@5",
    AP(judged_only=True): "AP'",
    R @ 10: "R@10",
    R(rel=2) @ 5: "R(rel=2)@5",
    Success @ 5: "Success@5",
    nDCG @ 10: "nDCG@10",
    nDCG(judged_only=True) @ 10: "nDCG'@10",
    nDCG(dcg="exp-log2") @ 10: 'nDCG(gain="exp")@10',
    Judged @ 5: "Judged@5",
    Judged @ 20: "Judged@20",
}
GDEVAL = 1e-5  # printed with five decimals by the program that ir_measures runs


def collection(seed: int) -> tuple[dict, dict]:
    """Without ties, which ir_measures orders in more than one way; query ids are numbers, as
    gdeval wants them."""
    rng = random.Random(seed)
    docs = [f"d{i:03d}" for i in range(60)]
    qrels, run = {}, {}
    for q in range(1, 9):
        qrels[str(q)] = {d: rng.choice([0, 0, 1, 2, 3]) for d in rng.sample(docs, 30)}
        order = rng.sample(docs, rng.randrange(21, 60))
        run[str(q)] = {d: float(100 - i) for i, d in enumerate(order)}
    return qrels, run


@pytest.mark.parametrize("measure", PAIRS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_every_value_is_the_same(measure, seed):
    qrels, run = collection(seed)
    provider = ir_measures.providers.registry
    if "exp-log2" in str(measure) and not provider["gdeval"].is_available():
        pytest.skip("ir_measures computes this by a Perl program, and there is no Perl")
    their_qrels = [Qrel(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
    their_run = [ScoredDoc(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    theirs = {m.query_id: m.value for m in ir_measures.iter_calc([measure], their_qrels, their_run)}
    ours = evaluate(qrels, run, PAIRS[measure]).per_query()
    tolerance = GDEVAL if "exp-log2" in str(measure) else 1e-12
    assert ours == pytest.approx(theirs, rel=0, abs=tolerance)


def test_judged_divides_by_what_was_returned_here_and_there():
    """Three of four returned are judged: 0.75 of Judged@10, not 0.3."""
    qrels = [Qrel("q", d, 1) for d in "abc"]
    run = [ScoredDoc("q", d, float(-i)) for i, d in enumerate("abxc")]
    theirs = ir_measures.calc_aggregate([Judged @ 10], qrels, run)[Judged @ 10]
    ours = evaluate(
        {"q": dict.fromkeys("abc", 1)},
        {"q": {d: -float(i) for i, d in enumerate("abxc")}},
        "Judged@10",
    )
    assert ours.mean() == theirs == 0.75
