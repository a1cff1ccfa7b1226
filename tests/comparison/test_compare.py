"""Figures and verdicts of scores, and the laws that hold for all of them."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield import compare_scores
from cranfield.comparison.outcome import Choices
from cranfield.data.card import RunCard
from cranfield.errors import UnknownName, UsageError


def test_the_figures_of_a_published_example(scores, sakai):
    """Sakai 2018, table 5.1: the book's difference, interval and effect, and the exact p of the
    randomisation test."""
    found = compare_scores(scores({"B": sakai["B"], "A": sakai["A"]}))
    row = found.difference("AP", "A")
    assert row.difference == pytest.approx(0.075, abs=1e-12)
    assert (row.low, row.high) == pytest.approx((0.0008059447, 0.1491940553), abs=1e-10)
    assert row.p == pytest.approx(0.06591796875, abs=1e-15)
    assert row.effect == pytest.approx(0.4730982874, abs=1e-10)
    assert (row.wins, row.ties, row.losses, row.n) == (10, 5, 5, 20)
    assert (row.base_mean, row.mean) == pytest.approx((0.27, 0.345))
    # the interval leaves 0 out and the test finds nothing: neither is hidden
    assert row.verdict.kind == "undecided"
    assert [r.key for r in row.verdict.reasons][:2] == ["not_shown", "interval_without_0"]


@pytest.mark.parametrize(
    ("test", "p", "kind"),
    [
        ("t", 0.0477967618, "better"),
        ("wilcoxon", 0.04034423828, "better"),
        ("sign", 0.3017578125, "undecided"),
        ("randomisation", 0.06591796875, "undecided"),
    ],
)
def test_each_test_gives_its_p(scores, sakai, test, p, kind):
    found = compare_scores(scores({"B": sakai["B"], "A": sakai["A"]}), test=test)
    assert found.differences[0].p == pytest.approx(p, abs=1e-10)
    assert found.differences[0].verdict.kind == kind


def test_the_bootstrap_is_near(scores, sakai):
    found = compare_scores(
        scores({"B": sakai["B"], "A": sakai["A"]}), test="bootstrap", interval="percentile"
    )
    assert found.differences[0].p == pytest.approx(0.049, abs=0.004)
    assert found.differences[0].low == pytest.approx(0.01, abs=0.006)
    assert "seed 0" in found.differences[0].method


def test_holm_over_measures_and_runs(scores, sakai):
    s = scores(
        {name: [[a, b] for a, b in zip(v, sakai["C"], strict=True)] for name, v in sakai.items()},
        measures=("AP", "RR"),
    )
    found = compare_scores(s, base="B", resamples=500)
    assert found.choices.hypotheses == 4
    p = {(r.measure, r.run): (r.p, r.p_adjusted) for r in found.differences}
    raw = p["AP", "A"][0]
    assert p["AP", "A"][1] == pytest.approx(4 * raw)  # the smallest of four
    assert p["RR", "C"] == (1.0, 1.0)
    uncorrected = compare_scores(s, base="B", correction="none", resamples=500)
    assert all(r.p == r.p_adjusted for r in uncorrected.differences)


def test_slices_join_the_family_and_are_compared_on_their_own_queries(scores, sakai):
    labels = ["x"] * 12 + ["y"] * 8
    s = scores({"B": sakai["B"], "A": sakai["A"]}, slices={"type": labels})
    found = compare_scores(s, by="type")
    assert found.choices.hypotheses == 3
    row = found.difference("AP", "A", slice=("type", "x"))
    assert row.n == 12
    d = np.array(sakai["A"][:12]) - np.array(sakai["B"][:12])
    assert row.difference == pytest.approx(d.mean())
    assert compare_scores(s, by=["type", "type"]).choices.hypotheses == 3
    with pytest.raises(UnknownName, match="no query field 'lang'"):
        compare_scores(s, by="lang")


def test_max_t_asks_less_than_holm_where_measures_go_together(scores, sakai):
    both = {name: [[v, v * 0.9] for v in values] for name, values in sakai.items() if name in "AB"}
    s = scores(both, measures=("AP", "nDCG"))
    holm = compare_scores(s, base="B").difference("AP", "A")
    joint = compare_scores(s, base="B", correction="max-t").difference("AP", "A")
    assert holm.p_adjusted == pytest.approx(2 * holm.p)
    assert joint.p_adjusted == pytest.approx(joint.p, abs=0.003)  # the two are one


def test_max_t_over_slices(scores, sakai):
    s = scores({"B": sakai["B"], "A": sakai["A"]}, slices={"t": ["x", "y"] * 10})
    found = compare_scores(s, by="t", correction="max-t", resamples=5000)
    rows = [*found.differences, *found.slices]
    assert all(row.p <= row.p_adjusted <= 1 for row in rows)
    assert rows[0].p_adjusted < 3 * rows[0].p


# -- what is never certified ---------------------------------------------------------------------


def refusal(found, run=None, **where):
    verdict = found.difference(None, run, **where).verdict
    return verdict.kind, [reason.key for reason in verdict.reasons]


GOOD = [0.5 + 0.01 * i for i in range(20)]


@pytest.mark.parametrize("side", ["base", "run"])
def test_too_many_missing_queries(scores, side):
    runs = {"base": [0.1] * 20, "run": GOOD}
    within = {side: {"missing": ("q000",)}}  # 1 of 20 is the 5% that are allowed
    assert compare_scores(scores(runs, reports=within)).differences[0].verdict.kind == "better"
    beyond = {side: {"missing": ("q000", "q001")}}
    found = compare_scores(scores(runs, reports=beyond))
    assert refusal(found) == ("refused", ["unanswered"])
    allowed = compare_scores(scores(runs, reports=beyond), max_missing=0.1)
    assert allowed.differences[0].verdict.kind == "better"


def test_failed_queries_count_like_missing_ones_and_once(scores):
    s = scores({"base": [0.1] * 20, "run": GOOD}, reports={"run": {"missing": ("q000",)}})
    same = compare_scores(s, cards=[RunCard("run", failed=("q000",))])
    assert same.differences[0].verdict.kind == "better"
    more = compare_scores(s, cards={"run": RunCard("whatever", failed=("q001",))})
    assert refusal(more) == ("refused", ["unanswered"])


def test_an_empty_result_is_an_answer_where_the_card_says_so(scores):
    silent = ("q000", "q001", "q002")
    s = scores({"base": [0.1] * 20, "run": GOOD}, reports={"run": {"missing": silent}})
    assert refusal(compare_scores(s))[0] == "refused"
    said = compare_scores(s, cards=[RunCard("run", empty=silent)])
    assert said.differences[0].verdict.kind == "better"
    assert [c.key for c in said.cautions if c.key in ("empty", "missing_zero")] == ["empty"]


def test_a_slice_is_refused_for_its_own_missing_queries(scores):
    labels = ["x"] * 5 + ["y"] * 15
    s = scores(
        {"base": [0.1] * 20, "run": GOOD},
        reports={"run": {"missing": ("q000",)}},
        slices={"type": labels},
    )
    found = compare_scores(s, by="type", correction="none")
    assert found.differences[0].verdict.kind == "better"
    assert refusal(found, slice=("type", "x")) == ("refused", ["unanswered"])
    assert found.difference(slice=("type", "y")).verdict.kind == "better"


def test_other_queries_on_the_two_sides(scores):
    found = compare_scores(scores({"base": [0.1] * 20, "run": [None, *GOOD[1:]]}))
    assert refusal(found) == ("refused", ["other_queries"])
    row = found.differences[0]
    assert (row.n, row.base_mean) == (19, pytest.approx(0.1))
    assert row.verdict.reasons[0].values["n_base"] == 20
    both = compare_scores(scores({"base": [None, *[0.1] * 19], "run": [None, *GOOD[1:]]}))
    assert both.differences[0].verdict.kind == "better"
    assert [c.key for c in both.cautions if c.key == "fewer_queries"]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_value_that_is_no_number(scores, bad):
    s = scores({"base": [0.1] * 20, "run": GOOD})
    values = s.values.copy()
    values[1, 3, 0] = bad
    found = compare_scores(replace(s, values=values))
    assert refusal(found) == ("refused", ["no_number"])
    assert found.differences[0].n == 19
    assert all(math.isfinite(c.value) for c in found.changes)


@pytest.mark.parametrize("n", [1, 2])
def test_one_query_is_no_evidence(scores, n):
    found = compare_scores(scores({"base": [0.1] * n, "run": GOOD[:n]}))
    row = found.differences[0]
    assert (row.verdict.kind == "refused") == (n == 1)
    if n == 1:
        assert (row.low, row.p, row.p_adjusted, row.effect, row.needed) == (None,) * 5
        assert found.choices.hypotheses == 0


def test_no_query_with_a_value(scores):
    found = compare_scores(scores({"base": [None, None], "run": [None, None]}))
    assert (found.differences[0].n, refusal(found)) == (0, ("refused", ["few"]))
    assert "nan" not in repr(found)


def test_the_same_values_are_equivalent(scores):
    found = compare_scores(scores({"base": GOOD, "run": GOOD}))
    assert found.differences[0].verdict.kind == "equivalent"
    assert found.differences[0].effect is None


def test_noise_in_the_last_digit_is_no_change(scores):
    noisy = [v + 1e-15 for v in GOOD]
    row = compare_scores(scores({"base": GOOD, "run": noisy})).differences[0]
    assert (row.wins, row.ties, row.losses) == (0, 20, 0)
    assert row.verdict.kind == "equivalent"


# -- equivalence ------------------------------------------------------------------------------


def test_equivalent_within_what_matters(scores):
    rng = np.random.default_rng(1)
    near = [v + e for v, e in zip(GOOD, rng.normal(0.001, 0.004, 20).tolist(), strict=True)]
    s = scores({"base": GOOD, "run": near})
    assert compare_scores(s, min_effect=0.02).differences[0].verdict.kind == "equivalent"
    assert compare_scores(s, min_effect=0.0015).differences[0].verdict.kind == "undecided"


def test_equivalence_is_corrected_as_a_family_of_its_own(scores):
    near = np.array([0.02, -0.02] * 10)  # p = 0.026 for equivalence within 0.0095
    one = {"base": [0.5] * 20, "run": (0.5 + near).tolist()}
    margin = 0.0095
    alone = compare_scores(scores(one), min_effect=margin).differences[0]
    assert alone.verdict.kind == "equivalent"
    many = {**one, **{f"far{i}": (0.5 + 10 * near).tolist() for i in range(9)}}
    crowd = compare_scores(scores(many), min_effect=margin, resamples=500).difference(None, "run")
    assert crowd.verdict.kind == "undecided"


# -- other scales -----------------------------------------------------------------------------


def test_counts_are_compared_by_query(scores):
    s = scores({"base": [3, 4, 5], "run": [4, 6, 5]}, aggregate="sum")
    found = compare_scores(s)
    row = found.differences[0]
    assert (row.compared, row.base_mean, row.mean) == ("count", 4.0, 5.0)
    assert [c.key for c in found.cautions if c.key.startswith("scale")] == ["scale_count"]


def test_geometric_means_are_compared_as_logs(scores):
    s = scores({"base": [0.1, 0.2, 0.4], "run": [0.2, 0.4, 0.0]}, aggregate="gm")
    row = compare_scores(s).differences[0]
    assert row.compared == "log"
    gm = {run: s.mean("AP", run) for run in s.runs}
    assert row.difference == pytest.approx(math.log(gm["run"] / gm["base"]))
    assert row.mean == pytest.approx(math.log(gm["run"]))


# -- laws -------------------------------------------------------------------------------------

VALUES = st.lists(
    st.tuples(*[st.integers(0, 20).map(lambda v: v / 20)] * 3), min_size=2, max_size=14
)
MIRROR = {"better": "worse", "worse": "better"}


def make(scores, table, order=None, names=("base", "one", "two")):
    ids = [f"q{i:02}" for i in range(len(table))]
    order = list(range(len(table))) if order is None else order
    return scores(
        {name: [table[q][i] for q in order] for i, name in enumerate(names)},
        queries=[ids[q] for q in order],
    )


@settings(max_examples=40)
@given(VALUES, st.sampled_from([0.0, 0.05]))
def test_exchanging_base_and_run_mirrors_everything(scores, table, min_effect):
    s = make(scores, table)
    there = compare_scores(s, base="base", min_effect=min_effect, resamples=200).difference(
        None, "one"
    )
    back = compare_scores(s, base="one", min_effect=min_effect, resamples=200).difference(
        None, "base"
    )
    assert back.difference == -there.difference
    assert back.p == there.p
    assert (back.wins, back.losses) == (there.losses, there.wins)
    if there.low is not None:
        assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=1e-12)


@settings(max_examples=40)
@given(VALUES)
def test_exchanging_base_and_run_mirrors_the_verdict(scores, table):
    pairs = [row[:2] for row in table]
    there = compare_scores(make(scores, pairs, names=("a", "b"))).differences[0]
    back = compare_scores(make(scores, pairs, names=("a", "b")), base="b").differences[0]
    assert back.verdict.kind == MIRROR.get(there.verdict.kind, there.verdict.kind)


@settings(max_examples=30)
@given(VALUES, st.randoms(use_true_random=False))
def test_the_order_of_queries_and_runs_does_not_matter(scores, table, random):
    order = list(range(len(table)))
    random.shuffle(order)
    first = compare_scores(make(scores, table), resamples=300)
    again = compare_scores(make(scores, table, order), resamples=300)
    assert first.differences == again.differences
    assert first.changes == again.changes
    names = ("base", "two", "one")
    turned = make(scores, [(a, c, b) for a, b, c in table], names=names)
    other = compare_scores(turned, resamples=300)
    assert {r.run: r for r in other.differences} == {r.run: r for r in first.differences}
    assert [p.p.tolist() for p in other.pairs] == [p.p.tolist() for p in first.pairs]
    assert [p.runs for p in other.pairs] == [p.runs for p in first.pairs]


@settings(max_examples=30)
@given(VALUES)
def test_a_query_that_is_0_for_all_brings_the_means_together_and_changes_no_side(scores, table):
    before = compare_scores(make(scores, table), resamples=200).difference(None, "one")
    after = compare_scores(make(scores, [*table, (0.0, 0.0, 0.0)]), resamples=200).difference(
        None, "one"
    )
    n = before.n
    assert after.difference == pytest.approx(before.difference * n / (n + 1))
    assert (after.wins, after.ties, after.losses) == (
        before.wins,
        before.ties + 1,
        before.losses,
    )
    assert after.p == pytest.approx(before.p)  # a 0 has the same sum with either sign


@settings(max_examples=30)
@given(VALUES)
def test_one_comparison_alone_has_the_raw_p_of_several(scores, table):
    several = compare_scores(make(scores, table), resamples=200).difference(None, "one")
    alone = compare_scores(
        make(scores, [row[:2] for row in table], names=("base", "one"))
    ).differences[0]
    assert alone.p == several.p
    assert alone.p_adjusted <= several.p_adjusted


def test_monte_carlo_does_not_depend_on_order_either(scores):
    rng = np.random.default_rng(5)
    table = rng.random((2, 60))
    ids = [f"q{i}" for i in range(60)]
    order = rng.permutation(60)
    one = compare_scores(scores({"a": table[0], "b": table[1]}, queries=ids))
    two = compare_scores(
        scores({"a": table[0][order], "b": table[1][order]}, queries=[ids[i] for i in order])
    )
    assert "Monte Carlo" in one.differences[0].method
    assert one.differences == two.differences


# -- wrong calls ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "value"),
    [
        ("alpha", 2.0),
        ("alpha", 0.0),
        ("power", 1.0),
        ("power", 0.04),
        ("min_effect", -0.1),
        ("min_effect", math.nan),
        ("tie", math.inf),
        ("max_missing", 1.5),
        ("test", "chi"),
        ("correction", "tukey"),
        ("interval", "wald"),
        ("resamples", 0),
        ("seed", -1),
    ],
)
def test_a_wrong_choice_is_named(scores, choice, value):
    with pytest.raises(UsageError, match=choice):
        compare_scores(scores({"a": GOOD, "b": GOOD}), **{choice: value})


def test_max_t_goes_with_the_test_whose_draws_it_shares(scores):
    with pytest.raises(UsageError, match="max-t"):
        compare_scores(scores({"a": GOOD, "b": GOOD}), correction="max-t", test="t")


def test_wrong_scores(scores):
    with pytest.raises(UsageError, match="nothing to compare it with"):
        compare_scores(scores({"a": GOOD}))
    with pytest.raises(UnknownName, match="no run 'c'"):
        compare_scores(scores({"a": GOOD, "b": GOOD}), base="c")
    twice = replace(scores({"a": GOOD, "b": GOOD}), runs=("a", "a"))
    with pytest.raises(UsageError, match="two runs are called 'a'"):
        compare_scores(twice)
    with pytest.raises(UnknownName, match="'c', which is no run"):
        compare_scores(scores({"a": GOOD, "b": GOOD}), cards=[RunCard("c")])
    with pytest.raises(UsageError, match="top is -1"):
        compare_scores(scores({"a": GOOD, "b": GOOD}), top=-1)
    with pytest.raises(TypeError):
        compare_scores(scores({"a": GOOD, "b": GOOD}), alhpa=0.1)


def test_a_base_that_is_not_the_first(scores, sakai):
    found = compare_scores(scores(sakai), base="C")
    assert (found.base, found.runs) == ("C", ("A", "B"))
    assert found.difference(None, "A").difference == pytest.approx(
        np.mean(sakai["A"]) - np.mean(sakai["C"])
    )
    assert [card.name for card in found.cards] == ["C", "A", "B"]


def test_choices_are_recorded(scores):
    found = compare_scores(scores({"a": GOOD, "b": GOOD}), alpha=0.01, seed=7)
    assert (found.choices.alpha, found.choices.seed) == (0.01, 7)
    assert {f.name for f in fields(Choices)} >= {"resamples", "tie", "max_missing"}


def test_rows_are_found_by_any_name_of_the_measure(scores):
    found = compare_scores(scores({"a": GOOD, "b": GOOD}))
    assert found.difference("AP", "b") is found.difference()
    with pytest.raises(UnknownName, match="no comparison of c"):
        found.difference("AP", "c")


def test_it_shows_itself(scores):
    found = compare_scores(scores({"<a>": [0.1] * 20, "中文": GOOD}))
    assert "Comparison with <a>: 1 run, 20 queries" in repr(found)
    assert "中文" in repr(found) and "better" in repr(found)
    assert "&lt;a&gt;" in found._repr_html_() and "<a>" not in found._repr_html_()


def test_a_query_without_a_value_on_one_side_is_no_change(scores):
    found = compare_scores(scores({"a": [0.9, 0.5, 0.5], "b": [None, 0.7, 0.5]}))
    assert [(c.query, round(c.difference, 6)) for c in found.changes] == [("q001", 0.2)]
