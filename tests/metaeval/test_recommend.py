"""What is recommended, on scores of which it is known which measure tells systems apart."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import ScoreMatrix, evaluate
from cranfield.errors import UnknownName, UsageError
from cranfield.metaeval.agreement import agreement
from cranfield.metaeval.choices import Choices
from cranfield.metaeval.errors_ties import stability
from cranfield.metaeval.labels import NEEDS, labels_of
from cranfield.metaeval.recommend import recommend
from cranfield.metaeval.study import examine

NOISE = {"AP": 0.04, "nDCG@10": 0.07, "P@10": 0.08, "RR": 0.5}


def scores(measures=NOISE, runs=16, queries=40, seed=3) -> ScoreMatrix:
    """Runs of rising quality; a measure is that quality with noise of its own."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.25, 0.45, runs)[:, None] + rng.normal(0, 0.05, queries)
    layers = [quality + rng.normal(0, noise, quality.shape) for noise in measures.values()]
    values = np.clip(np.stack(layers, axis=2), 0.001, 1)
    if "RR" in measures:
        values[:, :, list(measures).index("RR")] *= 1.6  # easy
    names = tuple(f"r{i}" for i in range(runs)), tuple(f"q{i}" for i in range(queries))
    return ScoreMatrix(*names, tuple(measures), np.clip(values, 0, 1), "made")


def made(matrix: ScoreMatrix, *, resamples=200, sizes=(), shares=(), **more):
    choices = Choices(resamples=resamples, repeats=5, parts=(), sizes=sizes, shares=shares)
    condition = examine(matrix, "given", choices)
    tau = agreement(matrix.values, matrix.measures).tau
    errors = [stability(matrix.of(m), sets=50) for m in matrix.measures]
    return recommend(condition, tau, errors, **more), condition


@pytest.fixture(scope="module")
def clear():
    return made(scores())


def test_the_measure_with_the_least_noise_decides_and_that_is_settled(clear):
    found, condition = clear
    assert found.decide == "AP" and found.leaders == ("AP",) and found.settled
    assert [s.measure for s in found.standings][-1] == "RR"
    standing = found.standing("AP")
    assert standing.share == condition.discrimination.at("AP", 0.05)
    assert standing.low < standing.share < standing.high
    assert standing.behind is False and found.standing("RR").behind is True
    keys = [reason.key for reason in found.reasons]
    assert found.queries == ()  # no curve was asked for
    assert keys[:2] == ["decide", "settled"] and "not_settled" not in keys
    assert standing.difficulty == pytest.approx(1 - standing.mean)


def test_an_easy_measure_that_tells_few_pairs_apart_misleads(clear):
    found, _ = clear
    assert found.misleading == ("RR",)
    reason = next(r for r in found.reasons if r.key == "misleading")
    assert reason.values["mean"] > found.standing("AP").mean
    assert reason.values["share"] < 0.75 * reason.values["decide_share"]


def test_two_like_measures_are_not_settled_and_the_cheaper_one_wins():
    matrix = scores({"AP": 0.05, "P@10": 0.05})
    found, _ = made(matrix)
    assert set(found.leaders) == {"AP", "P@10"} and not found.settled
    points = {s.measure: s.points for s in found.standings}
    assert found.decide == min(points, key=points.get)
    assert "not_settled" in [r.key for r in found.reasons]
    # the weights decide: with labels alone the one that needs ten documents wins
    only_labels, _ = made(matrix, weights={"labels": 1.0})
    assert only_labels.decide == "P@10"


def test_without_resamples_nothing_is_settled():
    found, _ = made(scores(), resamples=0)
    assert set(found.leaders) == set(NOISE) and not found.settled
    assert found.standing("AP").behind is None and found.standing("AP").low is None
    keys = [r.key for r in found.reasons]
    assert keys[:2] == ["decide.plain", "no_resamples"]
    assert found.misleading == ()


def test_what_orders_the_systems_alike_adds_nothing_and_what_does_not_is_watched():
    matrix = scores({"AP": 0.03, "twin": 0.03, "P@10": 0.06})
    values = matrix.values.copy()
    values[:, :, 1] = 0.9 * values[:, :, 0]  # the same order
    values[:, :, 2] = values[::-1, :, 2]  # the other way about
    turned = ScoreMatrix(matrix.runs, matrix.queries, matrix.measures, values, "made")
    found, _ = made(turned)
    assert found.decide in ("AP", "twin")
    other = "twin" if found.decide == "AP" else "AP"
    assert found.alike == ((other, 1.0),)
    assert found.watch == "P@10" and found.watch_tau < 0
    alone, _ = made(turned.select(measures=["AP", "twin"]))
    assert alone.watch is None and "watch.none" in [r.key for r in alone.reasons]


def test_how_many_queries_come_from_the_curve():
    found, condition = made(scores(queries=40), sizes=(5, 10, 20, 40), shares=(0.5,))
    mine = {(n.like, n.share): n for n in found.queries if n.measure == found.decide}
    like = next(n for n in mine.values() if n.like == "P@10")
    assert like.queries < len(condition.matrix.queries)  # it needs fewer than P@10 has
    assert [r.key for r in found.reasons][-2:] == ["queries.share", "queries.like"]


def test_one_measure_has_nothing_to_be_held_against():
    found, _ = made(scores({"AP": 0.05}))
    assert found.decide == "AP" and found.watch is None
    assert "only_one" in [r.key for r in found.reasons]


def test_few_runs_are_said():
    found, _ = made(scores({"AP": 0.05, "RR": 0.3}, runs=4, queries=12))
    few = next(r for r in found.reasons if r.key == "few_pairs")
    assert few.values["count"] == 6 and few.values["step"] == pytest.approx(1 / 6)
    many, _ = made(scores({"AP": 0.05, "RR": 0.3}, runs=9, queries=12))
    assert "few_pairs" not in [r.key for r in many.reasons]


def test_wrong_choices_are_said():
    matrix = scores({"AP": 0.05, "RR": 0.3}, runs=4, queries=6)
    for more in ({"weights": {"beauty": 1.0}}, {"weights": {"share": -1.0}}, {"same": 2.0}):
        with pytest.raises(UsageError):
            made(matrix, **more)
    with pytest.raises(UnknownName, match=r"no level 0\.03"):
        made(matrix, level=0.03)


RUN = {"q": {f"d{i}": 20.0 - i for i in range(20)}}
FEW = {"q": {f"d{i}": (i * 7) % 3 for i in range(20)}}
MORE = {"q": {**FEW["q"], **{f"e{i}": 3 for i in range(20)}}}


@pytest.mark.parametrize(
    "measure",
    ["P@5", "Success@5", "RR", "RR@5", "RBP@10", "ERR@10", "DCG@10", "Judged@10", "P_Wu@10",
     "RR_Wu", "RBP", "SDCG@10", "AP", "nDCG@5", "nDCG", "R@5", "Rprec", "Q@10", "bpref",
     "nDCG_JK@5", "AP_Wu", "RP_Wu", "GAP", "AP@5", "nERR@10"],
)  # fmt: skip
def test_a_measure_of_the_ranking_alone_ignores_what_no_run_returns(measure):
    """Twenty more relevant documents that are not in the run change a measure exactly where the
    table says that it needs the collection's labels."""
    before, after = (evaluate(q, RUN, [measure], scale=3).values[0, 0, 0] for q in (FEW, MORE))
    need = labels_of(measure).need
    alone = need in ("until", "first") or measure in ("RBP",)
    assert need in NEEDS
    if alone:
        assert before == after
    elif measure not in ("Q@10",):  # divides by the smaller of k and the relevant
        assert before != after


def test_labels_have_a_depth_and_an_order():
    assert labels_of("P@5").depth == 5 and labels_of("nDCG@10").depth == 10
    order = ["RR", "P@5", "P@10", "nDCG@10", "AP", "my own measure"]
    ranks = [labels_of(m).rank for m in order]
    assert ranks == sorted(ranks) and len(set(ranks)) == len(ranks)
    assert labels_of("my own measure").need == "unknown"
