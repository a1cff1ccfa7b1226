from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield import evaluate
from cranfield.errors import InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.metaeval.cutoffs import by_cutoff, cutoff_curves, t_share
from cranfield.metaeval.robustness import holes
from cranfield.stats.rankcorr import kendall_tau
from cranfield.stats.significance import paired_t

QRELS = {f"查询{q}": {f"d{d}": int((d * 7 + q) % 5 < 2) for d in range(20)} for q in range(8)} | {
    "none": {"d1": 0}
}


def _runs(many: int = 5) -> dict[str, dict[str, dict[str, float]]]:
    """Each run puts relevant documents higher than the one before it."""
    chance = np.random.default_rng(2)
    return {
        f"r{i}": {
            q: {d: float(chance.normal(0.5 * i * g, 1)) for d, g in docs.items()}
            for q, docs in QRELS.items()
        }
        for i in range(many)
    }


def test_everything_kept_changes_nothing() -> None:
    runs = _runs()
    found = holes(QRELS, runs, ["AP", "P@5"], rates=[1.0], draws=2)
    assert (found.tau == 1).all() and found.defined.all()
    assert (found.share == found.full_share).all() and (found.mean == found.full_mean).all()
    assert (found.judgments == found.all_judgments).all() and found.all_judgments == 161
    assert found.queries == tuple(f"查询{q}" for q in range(8)) and found.runs == tuple(runs)


def test_a_thinned_collection_is_that_collection() -> None:
    """The means are those of the judgments that stay, evaluated alone."""
    from cranfield.data.qrels import Qrels
    from cranfield.metaeval.thinning import thinned

    runs, whole = _runs(), Qrels.from_dict(QRELS)
    found = holes(whole, runs, ["AP", "nDCG@10", "bpref"], rates=[0.5, 0.2], draws=2, seed=3,
                  least_other=2)  # fmt: skip
    assert found.seeds == (3, 4)
    for r, rate in enumerate((0.5, 0.2)):
        for k, seed in enumerate((3, 4)):
            grade = thinned(whole.query, whole.grade, rate, least_other=2, seed=seed)
            left = whole.take(grade >= 0)
            scores = evaluate(left, runs, ["AP", "nDCG@10", "bpref"])
            kept = [scores.queries.index(q) for q in found.queries]
            values = scores.values[:, kept]
            assert found.mean[r, k] == pytest.approx(values.mean(axis=(0, 1)))
            assert found.judgments[r, k] == len(left)
            assert found.share[r, k, 1] == t_share(values[:, :, 1])
    full = evaluate(whole, runs, ["AP"]).values[:, :8, 0].mean(axis=1)
    less = values[:, :, 0].mean(axis=1)
    assert found.tau[1, 1, 0] == pytest.approx(kendall_tau(full, less))
    mean = found.tau_at(0.2, "AP")
    assert mean == pytest.approx(found.tau[1, :, 0].mean())


def test_runs_that_all_lose_everything_have_no_order() -> None:
    found = holes(QRELS, _runs(3), ["P@5"], rates=[0.0], draws=1, least_relevant=0)
    assert not found.defined.any() and (found.tau == 0).all()
    assert found.tau_at(0.0, "P@5") is None


def test_some_queries_only_and_what_is_refused() -> None:
    runs = _runs(3)
    found = holes(QRELS, runs, "AP", rates=[0.5], draws=1, queries=["查询3", "none"])
    assert found.queries == ("查询3", "none")
    with pytest.raises(UnknownName, match="no judged query 'x'"):
        holes(QRELS, runs, "AP", queries=["x"])
    with pytest.raises(NothingToEvaluate, match="0 queries with a relevant"):
        holes(QRELS, runs, "AP", rel=2)
    with pytest.raises(InputError, match="two runs"):
        holes(QRELS, {"r": runs["r0"]}, "AP")
    with pytest.raises(UsageError, match="one rate"):
        holes(QRELS, runs, "AP", rates=[])
    with pytest.raises(UsageError, match="share of judgments"):
        holes(QRELS, runs, "AP", rates=[2])


@pytest.mark.slow
def test_bpref_stands_fewer_judgments_better_than_ap(shared: Path) -> None:
    """What Buckley & Voorhees (2004) found, on TREC-COVID round 1: its mean hardly moves, and its
    order of runs holds longer."""
    folder = shared / "runs" / "trec-covid-r1"
    runs = sorted((folder / "runs").glob("*.gz"))[::3]
    found = holes(
        folder / "qrels.covid-round1.txt", runs, ["AP", "bpref"], rates=[0.5, 0.1], draws=2
    )
    moved = np.abs(found.mean.mean(axis=1) / found.full_mean - 1)
    assert (moved[:, 1] < moved[:, 0] / 3).all()
    assert (found.tau_at(0.5, "AP") or 0) > (found.tau_at(0.1, "AP") or 0)


def test_cutoffs() -> None:
    runs, ks = _runs(), (1, 5, 10, 20)
    scores = evaluate(QRELS, runs, [f"P@{k}" for k in ks])
    (curve,) = cutoff_curves({"P": scores.values}, ks)
    assert curve.family == "P" and curve.ks == ks and curve.alpha == 0.05
    means = scores.values.mean(axis=1)
    for i in range(4):
        x = scores.values[:, :, i]
        pairs = [paired_t(x[a] - x[b]).p or 0 for a in range(5) for b in range(a + 1, 5)]
        assert curve.shares[i] == sum(p < 0.05 for p in pairs) / 10
        assert curve.means[i] == pytest.approx(x.mean())
        assert curve.tau_to_deepest[i] == kendall_tau(means[:, i], means[:, 3])
    assert curve.means[3] == pytest.approx(means[0, 3])  # every run returns everything
    assert curve.tau[3][3] is None  # and so all are equal at 20


def test_cutoffs_of_runs() -> None:
    """Over the queries that have a relevant document, or over those named."""
    runs, ks = _runs(), (1, 5, 10)
    names = [f"{family}@{k}" for family in ("P", 'nDCG(gain="exp")') for k in ks]
    values = evaluate(QRELS, runs, names).values[:, :8]
    expected = cutoff_curves({"P": values[:, :, :3], 'nDCG(gain="exp")': values[:, :, 3:]}, ks)
    assert by_cutoff(QRELS, runs, ["P", 'nDCG(gain="exp")'], ks) == expected
    some = by_cutoff(QRELS, runs, ["P"], ks, queries=["查询1", "查询3", "查询4"])
    assert some == cutoff_curves({"P": values[:, [1, 3, 4], :3]}, ks)
    with pytest.raises(UnknownName, match="no judged query 'x'"):
        by_cutoff(QRELS, runs, ["P"], ks, queries=["x"])


def test_cutoffs_that_are_none() -> None:
    values = np.random.default_rng(0).random((3, 4, 2))
    for ks in ([5, 1], [1, 1], [0, 1], []):
        with pytest.raises(UsageError, match="ascend"):
            cutoff_curves({"P": values}, ks)
    with pytest.raises(InputError, match="for 3 cutoffs"):
        cutoff_curves({"P": values}, [1, 2, 3])
