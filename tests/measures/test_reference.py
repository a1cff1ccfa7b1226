"""Random topics against the slow reference code, which writes every formula out."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from cranfield.measures import Measure, Topic, block, compute, parse

SCALES = [(0, 1), (-1, 0, 1, 2, 3), (0, 0, 0, 1), (0.5, 1, 2.5, 0)]


def random_topic(rng: random.Random, scales: list[tuple[float, ...]] = SCALES) -> Topic:
    grades = rng.choice(scales)
    judged = [None] * rng.randrange(1, 4) + list(grades)
    ranked = [rng.choice(judged) for _ in range(rng.randrange(0, 30))]
    return Topic(ranked, [rng.choice(grades) for _ in range(rng.randrange(0, 12))])


def as_reference(topic: Topic) -> tuple[list[str], dict[str, float]]:
    ranking = [f"r{i}" for i in range(len(topic.ranked))]
    qrels = {d: g for d, g in zip(ranking, topic.ranked, strict=True) if g is not None}
    qrels |= {f"m{i}": g for i, g in enumerate(topic.missed)}
    return ranking, qrels


def reference(ref: ModuleType, text: str, topic: Topic) -> float:
    """The value that the reference code gives to a measure of ours."""
    measure = parse(text)
    ranking, qrels = as_reference(topic)
    given = measure.values
    if given.pop("condensed", False):
        ranking = ref.condensed(ranking, qrels)
    k, rel = given.get("k"), given.get("rel", 1)
    gain = ref.exponential if given.get("gain") == "exp" else ref.linear
    graded = given.get("gmax") if given.get("graded") else None
    functions = {
        "P": lambda: ref.precision(ranking, qrels, k, rel),
        "R": lambda: ref.recall(ranking, qrels, k, rel),
        "F": lambda: ref.set_f(ranking, qrels, given["beta2"], rel),
        "Success": lambda: ref.success(ranking, qrels, k, rel),
        "RR": lambda: ref.rr(ranking, qrels, k, rel),
        "AP": lambda: ref.ap(ranking, qrels, k, rel),
        "Rprec": lambda: ref.rprec(ranking, qrels, rel),
        "bpref": lambda: ref.bpref(ranking, qrels, rel),
        "DCG": lambda: ref.dcg([ref.grade(qrels, d) for d in ranking], k, gain),
        "nDCG": lambda: ref.ndcg(ranking, qrels, k, gain),
        "ERR": lambda: ref.err(ranking, qrels, k, given["gmax"]),
        "RBP": lambda: ref.rbp(ranking, qrels, given["p"], k, rel, graded),
        "RBPRes": lambda: ref.rbp_residual(ranking, qrels, given["p"], k),
        "Judged": lambda: ref.judged_at(ranking, qrels, k, given["denom"]) or 0.0,
        "nDCG_JK": lambda: ref.ndcg_jk(ranking, qrels, k, given["b"], gain),
        "AnDCG": lambda: ref.andcg_jk(ranking, qrels, k, given["b"], gain),
        "nERR": lambda: ref.nerr(ranking, qrels, k, given["gmax"]),
        "Q": lambda: ref.q_measure(ranking, qrels, given["beta"], rel, gain, k),
        "O": lambda: ref.o_measure(ranking, qrels, given["beta"], rel, gain),
        "PMeasure": lambda: ref.p_measure(ranking, qrels, given["beta"], gain),
        "PPlus": lambda: ref.p_measure(ranking, qrels, given["beta"], gain, plus=True),
        "GAP": lambda: ref.gap_robertson(
            ranking, qrels, {g: chance for g, chance in given["g"] if g}
        ),
        "AP_Wu": lambda: ref.ap_wu(ranking, qrels, given["variant"]),
        "P_Wu": lambda: ref.p10_wu(ranking, qrels, given["gmax"], k),
        "RP_Wu": lambda: (
            ref.rp_wu_levels(ranking, qrels, 3) if given["by_level"] else ref.rp_wu(ranking, qrels)
        ),
        "RR_Wu": lambda: ref.rr_wu(ranking, qrels, int(given["gmax"])),
        "Compatibility": lambda: ref.compatibility(
            ranking, qrels, given["p"], given["depth"], given["normalize"]
        ),
        "IPrec": lambda: ref.iprec(ranking, qrels, given["level"], rel),
        "infAP": lambda: ref.infap(ranking, qrels, rel),
        "GMAP": lambda: ref.ap(ranking, qrels, None, rel),
        "NumRel": lambda: ref.n_rel(qrels, rel),
    }
    return float(functions[measure.family]())


TEXTS = [
    "P",
    "P@5",
    "P@40",
    "P(rel=2)@10",
    "R",
    "R@5",
    "R(rel=2)",
    "F",
    "F(beta2=4)",
    "F(rel=2)",
    "Success@1",
    "Success(rel=2)@5",
    "RR",
    "RR@3",
    "RR(rel=2)",
    "AP",
    "AP@10",
    "AP(rel=2)",
    "AP(rel=0.5)",
    "Rprec",
    "Rprec(rel=2)",
    "bpref",
    "bpref(rel=2)",
    "DCG",
    "DCG@5",
    "nDCG",
    "nDCG@5",
    "nDCG@10",
    "nDCG@100",
    "NumRel",
    "NumRel(rel=2)",
    'DCG(gain="exp")@10',
    'nDCG(gain="exp")',
    'nDCG(gain="exp")@10',
    "Judged@10",
    "ERR(gmax=3)",
    "ERR(gmax=4)@10",
    "RBP",
    "RBP(p=0.95)@10",
    "RBP(rel=2)",
    "RBPRes",
    "RBPRes(p=0.95)@10",
    "P'@10",
    "R'@10",
    "AP'",
    "AP'(rel=2)",
    "nDCG'",
    "nDCG'@10",
    "RBP'",
    "ERR'(gmax=3)",
    "Rprec'",
    "RR'",
    "bpref'",
    "F'",
    'Judged(denom="k")@10',
    "RBP(p=0.8, graded=true, gmax=3)",
    "RBP'(p=0.5, graded=true, gmax=4)@7",
    "nDCG_JK",
    "nDCG_JK(b=2)@5",
    'nDCG_JK(b=10, gain="exp")@20',
    "nDCG_JK'",
    "AnDCG(b=3)@12",
    "nERR(gmax=3)",
    "nERR(gmax=4)@5",
    "nERR'(gmax=3)@3",
    "Q",
    "Q@5",
    "Q'",
    "Q(beta=0.5, rel=2)",
    'Q(beta=10, gain="exp")@10',
    "O(rel=0.5)",
    "O'(rel=0.5, beta=2)",
    "PMeasure(rel=0.5)",
    "PMeasure'(rel=0.5, beta=3)",
    'PPlus(rel=0.5, gain="exp")',
    "GAP(g={1:0.2,2:0.3,3:0.5})",
    "GAP'(g={1:0.5,2:0.5})",
    "Compatibility(depth=40)",
    "Compatibility(p=0.8, depth=7)",
    "Compatibility'(p=0.9, depth=30, normalize=false)",
    "IPrec@0",
    "IPrec@0.1",
    "IPrec(rel=2)@0.5",
    "IPrec'@0.7",
    "infAP",
    "infAP(rel=2)",
    "GMAP'",
]


@pytest.mark.parametrize("text", TEXTS)
def test_random_topics(text: str, ref: ModuleType) -> None:
    rng = random.Random(text)
    topics = [random_topic(rng) for _ in range(300)]
    measure: Measure = parse(text)
    values, valid = compute([measure], *block(topics))
    slow = [reference(ref, text, topic) for topic in topics]
    assert values[:, 0].tolist() == pytest.approx(slow, abs=1e-12)
    assert valid.all() or measure.family == "Judged"


WHOLE = [
    "AP_Wu",
    'AP_Wu(variant="padded")',
    'AP_Wu(variant="weighted")',
    "AP_Wu'",
    "P_Wu(gmax=3)@10",
    "RP_Wu",
    "RP_Wu(by_level=true)",
    "RP_Wu'",
    "RR_Wu(gmax=3)",
]


@pytest.mark.parametrize("text", WHOLE)
def test_random_topics_with_whole_grades(text: str, ref: ModuleType) -> None:
    rng = random.Random(text)
    topics = [random_topic(rng, [(0, 1), (-1, 0, 1, 2, 3), (0, 3)]) for _ in range(300)]
    values, _ = compute([parse(text)], *block(topics))
    slow = [reference(ref, text, topic) for topic in topics]
    assert values[:, 0].tolist() == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("text", ["AP", "nDCG", "nDCG@10", "ERR(gmax=3)", "RR", "P@10", "Rprec"])
def test_sums_have_the_very_bits_of_a_loop_in_rank_order(text: str, ref: ModuleType) -> None:
    rng = random.Random(5)
    topics = [random_topic(rng) for _ in range(300)]
    values, _ = compute([parse(text)], *block(topics))
    assert values[:, 0].tolist() == [reference(ref, text, topic) for topic in topics]
