"""The method on the runs of real tracks, against shares computed before by a slow implementation
written apart from this one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield import study
from cranfield.metaeval.discrimination import discriminate
from cranfield.metaeval.parts import part_curve


@pytest.fixture(scope="module")
def reference(shared: Path) -> dict[str, Any]:
    return json.loads((shared / "spec" / "metric_study_on_real_data.json").read_text())


def percent(shares):
    return [round(100 * share, 2) for share in np.asarray(shares).tolist()]


def test_robust_2004(trec, reference):
    found = study(trec("robust2004-ap-110x249.csv"), resamples=0, parts=(), sizes=())
    assert len(found.selection.runs) == 110 and found.selection.dropped_runs == ()
    curve = found.conditions[0].discrimination
    assert 100 * curve.share[0] == pytest.approx(reference["robust2004"]["curves"]["AP"])
    assert percent([curve.at("AP", 0.05)]) == [81.48]


@pytest.mark.parametrize("parts", [2, 3, 5, 10])
def test_parts_of_robust_2004(trec, reference, parts):
    matrix = trec("robust2004-ap-110x249.csv")
    cut = part_curve(matrix, parts, how="contiguous")
    expected = reference[f"robust2004/parts{parts}/contiguous"]
    assert 100 * cut.share[0] == pytest.approx(expected)
    drawn = part_curve(matrix, parts, repeats=20)
    once = np.array(reference[f"robust2004/parts{parts}/random seed 0"]) / 100
    assert (np.abs(drawn.share[0] - once) < 4 * drawn.sd[0]).all()
    assert (drawn.low[0] - 0.01 < once).all() and (once < drawn.high[0] + 0.01).all()


def test_trec_8(trec, reference):
    found = study(trec("trec8-adhoc-ap-129x50.csv"), resamples=0, parts=(), sizes=())
    assert (len(found.selection.runs), len(found.selection.dropped_runs)) == (119, 10)
    assert all(run.mean < 0.05 for run in found.selection.dropped_runs)
    shares = 100 * found.conditions[0].discrimination.share[0]
    assert shares == pytest.approx(reference["adhoc8"]["curves"]["AP"])
    everyone = discriminate(trec("trec8-adhoc-ap-129x50.csv"), resamples=0)
    assert everyone.at("AP", 0.05) > shares[-2] / 100  # broken runs are easy to tell apart


NAMES = ("AP", "P@10", "RP", "RR", "NDCG")


@pytest.fixture(scope="module")
def covid(shared: Path):
    folder = shared / "runs" / "trec-covid-r1"
    runs = sorted((folder / "runs").iterdir())
    more = {"resamples": 400, "parts": (), "sizes": ()}
    return study(folder / "qrels.covid-round1.txt", runs, **more)


@pytest.mark.slow
def test_trec_covid_round_1(covid, reference):
    assert (len(covid.selection.runs), len(covid.selection.dropped_runs)) == (118, 25)
    assert covid.selection.dropped_queries == ()
    for condition, key in (("binary", "binary"), ("graded", "graded-padded")):
        expected = reference[f"TREC-COVID r1/{key}"]
        found = covid[condition]
        for i, name in enumerate(NAMES):
            curve = 100 * found.discrimination.share[i]
            assert curve == pytest.approx(expected["curves"][name])
            assert found.difficulty.index()[i] == pytest.approx(expected["difficulty"][name])


@pytest.mark.slow
def test_the_order_of_trec_covid_round_1(covid):
    order = covid["binary"].discrimination.order(0.05)
    assert order.measures == ("nDCG_JK", "AP", "Rprec", "P@10", "RR")
    assert percent(order.shares) == [69.72, 66.52, 63.45, 59.15, 37.80]
    assert order.settled == (True,) * 4 and order.probability > 0.9
    assert covid["binary"].discrimination.order().measures == order.measures
    # With grades the same order is seen, and the queries do not settle who is first.
    graded = covid["graded"].discrimination.order(0.05)
    assert [m.split("(")[0] for m in graded.measures] == [
        "nDCG_JK",
        "AP_Wu",
        "RP_Wu",
        "P_Wu",
        "RR_Wu",
    ]
    assert graded.settled[0] is False and 0.7 < graded.above_next[0] < 0.975
    assert covid["binary"].difficulty.order() == ("RR", "P@10", "nDCG_JK", "Rprec", "AP")


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["ideal", "weighted"])
def test_other_readings_of_graded_average_precision(shared, reference, variant):
    folder = shared / "runs" / "trec-covid-r1"
    runs = sorted((folder / "runs").iterdir())
    measures = [f'AP_Wu(variant="{variant}")', "RR_Wu"]
    more = {"resamples": 0, "parts": (), "sizes": ()}
    found = study(folder / "qrels.covid-round1.txt", runs, measures, **more).conditions[0]
    expected = reference[f"TREC-COVID r1/graded-{variant}"]
    assert 100 * found.discrimination.share[0] == pytest.approx(expected["curves"]["AP"])
    assert 100 * found.discrimination.share[1] == pytest.approx(expected["curves"]["RR"])
