"""Fewer judgments and other cutoffs, for what a study kept."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import Qrels, Run, evaluate, study
from cranfield.metaeval.cutoffs import t_share
from cranfield.metaeval.robust import KS, robustness

QUERIES = [f"q{i}" for i in range(10)]


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(3)
    docs = [f"d{i}" for i in range(60)]
    grades = {q: dict(zip(docs, rng.choice([0, 1, 3], 60, p=[0.6, 0.3, 0.1]), strict=True))
              for q in QUERIES}  # fmt: skip
    grades["empty"] = {"d0": 0}
    qrels = Qrels.from_dict({q: {d: int(g) for d, g in row.items()} for q, row in grades.items()})
    runs = []
    for r in range(5):
        ranked = {
            q: {d: float(rng.random() + 0.2 * r * grades[q][d]) for d in docs} for q in QUERIES
        }
        runs.append(Run.from_dict(ranked, name=f"run{r}"))
    runs.append(Run.from_dict({q: {"elsewhere": 1.0} for q in QUERIES}, name="nothing"))
    return qrels, runs


def test_a_cutoff_of_the_study_is_a_point_of_the_curve(made):
    qrels, runs = made
    (condition,) = study(qrels, runs, ["nDCG@10", "Rprec", "AP"], resamples=0, parts=(), sizes=()
                         ).conditions  # fmt: skip
    assert "nothing" not in condition.matrix.runs  # below the floor
    found = robustness(qrels, runs, condition, ["cutoff"])
    assert found.holes is None
    assert [c.family for c in found.cutoffs] == ["nDCG", "AP"]  # R-precision takes none
    curve = found.cutoffs[0]
    assert curve.ks == KS
    at = curve.ks.index(10)
    assert curve.shares[at] == condition.discrimination.at("nDCG@10", 0.05)
    assert curve.means[at] == pytest.approx(condition.difficulty.mean[0])
    assert curve.tau[-1][-1] == 1.0


def test_all_judgments_give_the_study_and_binary_merges_grades(made):
    qrels, runs = made
    whole = study(qrels, runs, ["nDCG@10"], conditions=["binary", "graded"], resamples=0,
                  parts=(), sizes=())  # fmt: skip
    shares = {}
    for condition in whole.conditions:
        found = robustness(qrels, runs, condition, ["holes"], seed=2).holes
        assert found.runs == condition.matrix.runs and found.queries == condition.matrix.queries
        assert found.full_mean[0] == pytest.approx(condition.difficulty.mean[0])
        assert found.full_share[0] == condition.discrimination.at("nDCG@10", 0.05)
        assert (found.judgments < found.all_judgments).all()
        shares[condition.name] = found.full_mean[0]
    assert shares["binary"] != shares["graded"]


def test_options_of_the_study_are_those_of_the_curve(made):
    qrels, runs = made
    (condition,) = study(qrels, runs, ["P@10"], ties="docid-asc", resamples=0, parts=(), sizes=()
                         ).conditions  # fmt: skip
    found = robustness(qrels, runs, condition, ["cutoff"], options={"ties": "docid-asc"})
    direct = evaluate(qrels, runs[:5], ["P@20"], ties="docid-asc")
    rows = [direct.queries.index(q) for q in QUERIES]
    assert found.cutoffs[0].shares[KS.index(20)] == t_share(direct.values[:, rows, 0])


def test_ties_width_and_scale_of_the_study_are_those_of_the_holes():
    rng = np.random.default_rng(4)
    docs = [f"d{i}" for i in range(20)]
    grades = {q: {d: int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1])) for d in docs} for q in QUERIES}
    ties = [0.25, 0.5, 0.5 + 1e-12, 0.75]  # two of them are one in 32 bits
    runs = [
        Run.from_dict(
            {q: {d: float(rng.choice(ties)) for d in docs} for q in QUERIES}, name=f"r{r}"
        )
        for r in range(3)
    ]
    qrels, ways = Qrels.from_dict(grades), ({}, {"ties": "docid-asc"}, {"score_width": 32},
                                            {"ties": "expected"}, {"scale": 4})  # fmt: skip
    seen = {}
    for options in ways:
        measure = "P@5" if options.get("ties") == "expected" else "P_Wu@5"
        both = study(qrels, runs, [measure], min_ap=None, resamples=0, parts=(), sizes=(),
                     conditions=["binary", "graded"], **options)  # fmt: skip
        for condition in both.conditions:
            found = robustness(qrels, runs, condition, ["holes", "cutoff"], options=options)
            mean = condition.difficulty.mean[0]
            assert found.holes.full_mean[0] == pytest.approx(mean)
            assert found.cutoffs[0].means[0] == pytest.approx(mean)
            seen[str(options), condition.name] = round(mean, 12)
    graded = [seen[str(options), "graded"] for options in ways]
    assert len(set(graded)) == len(ways)  # each of them decides a number
    assert seen[str({"scale": 4}), "binary"] == seen["{}", "binary"]
