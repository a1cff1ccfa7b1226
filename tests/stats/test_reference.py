"""Every value of the reference file that belongs to the statistics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield.stats import corrections, effect, power, rankcorr, risk, tukey
from cranfield.stats.intervals import bootstrap_interval, t_interval
from cranfield.stats.significance import (
    bootstrap_asl,
    paired_t,
    randomisation,
    sign_test,
    wilcoxon,
)

Array = NDArray[np.float64]

# of three data sets of ircor (Urbano), whose rounded values have ties
_SETS = [
    (
        ".897 .372 .908 .898 .661 .062 .177 .384 .498 .992",
        ".820 .406 .817 .953 .673 .073 .364 .547 .589 .988",
    ),
    (
        ".266 .573 .202 .945 .629 .206 .687 .770 .718 .380",
        ".263 .843 .728 .928 .080 .114 .467 .641 .973 .644",
    ),
    (
        ".185 .573 .944 .129 .468 .553 .761 .405 .976 .445",
        ".845 .272 .275 .924 .605 .334 .162 .872 .018 .250",
    ),
]
_P = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]

# what the file holds besides: agreement of assessors, other tests than paired ones, the pitfalls
# that it warns of, and figures of the approximations that we do not use
_ELSEWHERE = ("agree.", "t.unpaired", "t.from_variances", "bootstrap.scipy", "effect.J_approx")


def _tests(abc: Array) -> Iterator[tuple[str, Any]]:
    a, b, _ = abc
    d = a - b
    t, sign, rank = paired_t(d), sign_test(d), wilcoxon(d)
    interval = t_interval(d)
    yield "t.stat", t.statistic
    yield "t.p", t.p
    yield "t.mean_diff", t.details["mean"]
    yield "t.var_diff", t.details["sd"] ** 2
    yield "t.ci_lo", interval.low
    yield "t.ci_hi", interval.high
    yield "sign.pos", sign.details["positive"]
    yield "sign.neg", sign.details["negative"]
    yield "sign.p", sign.p
    yield "wilcoxon.W+", rank.details["W+"]
    yield "wilcoxon.W-", rank.details["W-"]
    yield "wilcoxon.p_asym", wilcoxon(d, "normal").p
    yield "wilcoxon.p_asym_cc", wilcoxon(d, "normal", continuity=True).p
    yield "wilcoxon.p_exact_ties", rank.p
    yield "wilcoxon.p_exact_ties_scipy_perm", wilcoxon(d, "exact").p
    yield "randomisation.p_exact", randomisation(d).p
    drawn = randomisation(d, method="monte-carlo", resamples=10_000)
    yield "randomisation.p_mc(B=10000,seed=0)", pytest.approx(drawn.p, abs=0.01)
    yield "bootstrap.asl(B=10000,seed=0)", pytest.approx(bootstrap_asl(d).p, abs=0.008)
    for method in ("percentile", "bca"):
        found = bootstrap_interval(d, method=method)
        name = f"bootstrap.{method}_ci(B=10000,seed=0)"
        yield name, pytest.approx([found.low, found.high], abs=0.0051)


def _effects(abc: Array) -> Iterator[tuple[str, Any]]:
    a, b, _ = abc
    j = effect.correction_j(19)
    yield "effect.d_z", effect.d_z(a - b)
    yield "effect.d_av", effect.d_av(a, b)
    yield "effect.d_rm", effect.d_rm(a, b)
    yield "effect.g_z", effect.hedges_g(a - b)
    yield "effect.g_av", j * (effect.d_av(a, b) or 0)
    yield "effect.J", j
    yield "effect.r", 1 - ((effect.d_rm(a, b) or 0) / (effect.d_z(a - b) or 1)) ** 2 / 2
    yield "effect.glass_y", effect.glass(a, b)


def _tukey(abc: Array) -> Iterator[tuple[str, Any]]:
    found = tukey.blocked_anova(abc)
    for name in ("SA", "SB", "SE", "VA", "VB", "VE"):
        yield f"anova.{name}", getattr(found, name)
    yield "anova.FA", found.F
    yield "anova.FB", found.F_topics
    yield "anova.pA", found.p
    yield "anova.pB", found.p_topics
    yield "anova.moe95", found.margin()
    hsd = tukey.tukey_hsd(abc)
    drawn = tukey.randomised_tukey_hsd(abc, resamples=20_000).p
    pairs = {"AB": (0, 1), "AC": (0, 2), "BC": (1, 2)}
    for name, at in pairs.items():
        yield f"tukey.q_{name}", hsd.q[at]
        yield f"tukey.p_{name}", hsd.p[at]
        assert hsd.effect is not None
        yield f"tukey.effect_{name}", hsd.effect[at]
    yield "tukey.HSD_05", hsd.hsd
    expected = {name: pytest.approx(drawn[at], abs=0.013) for name, at in pairs.items()}
    yield "rthsd.p(B=20000,seed=0)", expected


def _others() -> Iterator[tuple[str, Any]]:
    for method in ("bonferroni", "holm", "bh", "by"):
        yield f"multi.{method}", pytest.approx(corrections.adjust(_P, method), rel=1e-12)
    x, y = (
        row.split()
        for row in (
            ".67 .45 .29 .12 .57 .24 .94 .75 .08 .54",
            ".48 .68 .32 .09 .06 .61 .87 .22 .44 .84",
        )
    )
    yield "tau_a", rankcorr.kendall_tau(x, y, "a")
    yield "tau_ap", rankcorr.tau_ap(x, y)
    yield "tau_ap_reverse", rankcorr.tau_ap(y, x)
    yield "tau_ap_b", rankcorr.tau_ap_b(x, y)
    for number, rows in enumerate(_SETS, 1):
        x, y = (np.array(row.split(), np.float64) for row in rows)
        coarse_x, coarse_y = np.round(x, 1), np.round(y, 1)
        yield f"ircor.set{number}.tau_b", rankcorr.kendall_tau(x, y)
        yield f"ircor.set{number}.tau_ap", rankcorr.tau_ap(x, y)
        yield f"ircor.set{number}.tau_ap_b", rankcorr.tau_ap_b(x, y)
        yield f"ircor.set{number}.tau_b_ties", rankcorr.kendall_tau(coarse_x, coarse_y)
        yield f"ircor.set{number}.tau_ap_b_ties", rankcorr.tau_ap_b(coarse_x, coarse_y)


def _risk() -> Iterator[tuple[str, Any]]:
    x = np.array([row.split() for row in (
        ".5 .2 .8 0 .6 .4", ".4 .3 .5 .2 .6 .35", ".1 .9 .3 .3 .2 .5"
    )], np.float64)  # fmt: skip
    d = x[0] - x[1]
    for name, eps in (("risk.wtl", 0.0), ("risk.wtl_eps.05", 0.05)):
        found = risk.win_tie_loss(d, eps)
        yield name, [found.wins, found.ties, found.losses]
    for alpha in (0, 1, 5):
        yield f"risk.URisk(a={alpha})", risk.urisk(d, alpha)
        yield f"risk.TRisk(a={alpha})", risk.trisk(d, alpha)
    for alpha in (0, 5):
        for number in range(3):
            yield f"risk.ZRisk(sys{number},a={alpha})", risk.zrisk(x, alpha)[number]
            yield f"risk.GeoRisk(sys{number},a={alpha})", risk.georisk(x, alpha)[number]


def _power(reference: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for alpha, beta, least in ((0.05, 0.2, 0.5), (0.05, 0.2, 0.2), (0.05, 0.2, 0.3),
                               (0.01, 0.1, 0.5), (0.05, 0.05, 0.2)):  # fmt: skip
        name = f"power.sakai(alpha={alpha},beta={beta},minDelta={least})"
        found = power.design_t(least, alpha=alpha, power=1 - beta)
        exact = {"n": found.n, "exact_power_at_n": pytest.approx(found.attained, rel=1e-9)}
        yield name, {**reference[name], **exact}
    for n in (15, 25, 30, 50, 100, 249):
        # the file's were solved to about 1e-6
        yield (
            f"power.min_detectable_dz(n={n},power=.8)",
            pytest.approx(power.detectable(n), rel=5e-6),
        )


def _urbano(names: list[str], x: Array) -> Iterator[tuple[str, Any]]:
    raw = x[names.index("uwmt8a1")] - x[names.index("uwmt8a0")]
    yield "urbano.t_p", paired_t(raw).p
    # with the continuity correction that R makes
    yield "urbano.wilcoxon_p_rounded", wilcoxon(raw, "normal", continuity=True).p
    yield "urbano.sign_p(min_d=.01)", sign_test(raw, 0.01).p
    yield "urbano.randomisation_exact", randomisation(raw, method="exact").p


def test_every_value(shared: Path, abc: Array, trec8: tuple[list[str], Array]) -> None:
    reference = json.loads((shared / "spec" / "examples_stats.json").read_text())
    found = dict(
        pair
        for values in (
            _tests(abc),
            _effects(abc),
            _tukey(abc),
            _others(),
            _risk(),
            _power(reference),
            _urbano(*trec8),
        )
        for pair in values
    )
    unknown = {
        name
        for name in set(reference) - set(found)
        if not name.startswith(_ELSEWHERE) and "pitfall" not in name and "raw_floats" not in name
    }
    assert unknown == set()
    for name, value in found.items():
        if isinstance(value, float | np.floating):
            assert value == pytest.approx(reference[name], rel=1e-9), name
        else:
            assert reference[name] == value, name


def test_the_book(abc: Array, ab: Array) -> None:
    """What Sakai (2018) prints, without the reference file."""
    found = paired_t(ab)
    assert found.p is not None and found.statistic is not None
    assert [round(found.details["mean"], 4), round(found.details["sd"] ** 2, 4)] == [0.075, 0.0251]
    assert [round(found.statistic, 3), round(found.p, 3)] == [2.116, 0.048]
    assert round(effect.d_z(ab) or 0, 3) == 0.473
    anova = tukey.blocked_anova(abc)
    assert round(anova.F, 3) == 2.475
    assert round(anova.margin(), 4) == 0.0670
    sizes = tukey.tukey_hsd(abc).effect
    assert sizes is not None
    assert np.round(sizes[[0, 0, 1], [1, 2, 2]], 3).tolist() == [0.507, 0.676, 0.169]
