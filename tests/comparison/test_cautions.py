"""What may speak instead of the systems, on both sides of each border."""

from __future__ import annotations

import pytest

from cranfield import compare_scores
from cranfield.data.card import RunCard

BASE, RUN = [0.1] * 20, [0.5 + 0.01 * i for i in range(20)]


def cautions(scores, key, runs=None, cards=None, by=(), choices=None, **more):
    s = scores(runs or {"base": BASE, "run": RUN}, **more)
    found = compare_scores(s, cards=cards, by=by, **(choices or {}))
    return [c.values for c in found.cautions if c.key == key]


def judged(base, run, n=20):
    return {"base": {"judged": base, "n_judged": n}, "run": {"judged": run, "n_judged": n}}


def test_judged_at_k_that_differs_by_more_than_005(scores):
    assert cautions(scores, "judged_apart", reports=judged(0.95, 0.90)) == []
    (found,) = cautions(scores, "judged_apart", reports=judged(0.95, 0.899))
    assert found == {"base": "base", "judged_base": 0.95, "run": "run", "judged": 0.899, "k": 10}
    assert len(cautions(scores, "judged_apart", reports=judged(0.6, 0.8))) == 1


def test_judged_at_k_below_a_half(scores):
    assert cautions(scores, "judged_low", reports=judged(0.5, 0.5)) == []
    found = cautions(scores, "judged_low", reports=judged(0.49, 0.5))
    assert [f["run"] for f in found] == ["base"]


def test_a_run_without_results_has_no_share_of_judged_ones(scores):
    reports = judged(0.9, 0.0)
    reports["run"]["n_judged"] = 0
    assert cautions(scores, "judged_apart", reports=reports) == []
    assert cautions(scores, "judged_low", reports=reports) == []


def test_ties(scores):
    assert cautions(scores, "tied", reports={"run": {"tied": 0.004}}) == []
    (found,) = cautions(scores, "tied", reports={"run": {"tied": 0.005}})
    assert (found["share"], found["ties"]) == (0.005, "docid-desc")


def test_queries_that_were_not_answered(scores):
    reports = {"run": {"missing": ("q1",), "empty": ("q2", "q3"), "unlabelled": ("x",)}}
    (found,) = cautions(scores, "missing_zero", reports=reports)
    assert found == {"run": "run", "n": 1, "queries": ("q1",)}
    assert cautions(scores, "missing_skip", reports=reports, missing="skip")[0]["n"] == 1
    assert cautions(scores, "empty", reports=reports)[0]["queries"] == ("q2", "q3")
    assert cautions(scores, "unlabelled", reports=reports)[0]["queries"] == ("x",)
    (found,) = cautions(scores, "failed", cards=[RunCard("run", failed=("q1",))])
    assert found["queries"] == ("q1",)
    for key in ("missing_zero", "empty", "unlabelled", "failed", "tied", "judged_low"):
        assert cautions(scores, key) == []


def test_more_than_one_changed_setting(scores):
    base = RunCard("base", {"bm25": {"k1": 0.9, "b": 0.4}, "lang": "zh"})
    one = RunCard("run", {"bm25": {"k1": 1.2, "b": 0.4}, "lang": "zh"})
    assert cautions(scores, "several_changes", cards=[base, one]) == []
    two = RunCard("run", {"bm25": {"k1": 1.2, "b": 0.7}, "lang": "zh"})
    (found,) = cautions(scores, "several_changes", cards=[base, two])
    assert found["keys"] == {"bm25.k1": (0.9, 1.2), "bm25.b": (0.4, 0.7)}
    assert cautions(scores, "several_changes", cards=[two]) == []  # nothing known of the base


def test_notes_of_a_card(scores):
    (found,) = cautions(scores, "card", cards=[RunCard("run", notes=("odd",))])
    assert found == {"run": "run", "notes": ("odd",)}


def test_slices_too_small_to_see_anything(scores):
    labels = {"type": ["x"] * 5 + ["y"] * 5 + ["z"] * 9 + ["one"]}
    (nine, five) = cautions(scores, "small_slice", by="type", slices=labels)
    assert (nine["n"], nine["slices"]) == (9, ("type=z",))
    assert (five["n"], five["slices"]) == (5, ("type=x", "type=y"))
    assert five["effect"] == pytest.approx(1.682, abs=0.001)
    (one,) = cautions(scores, "no_test", by="type", slices=labels)
    assert one["slices"] == ("type=one",)
    assert cautions(scores, "small_slice", by="type", slices={"type": ["x"] * 20}) == []


def test_few_queries_over_all(scores):
    assert cautions(scores, "few_queries") == []
    runs = {"base": BASE[:14], "run": RUN[:14]}
    assert cautions(scores, "few_queries", runs)[0]["n"] == 14
    runs = {"base": BASE[:15], "run": RUN[:15]}
    assert cautions(scores, "few_queries", runs) == []  # 15 show a d_z of 0.78


def test_queries_without_a_label(scores):
    labels = {"type": ["x"] * 19 + [None]}
    (found,) = cautions(scores, "no_label", by="type", slices=labels)
    assert found == {"field": "type", "n": 1, "queries": ("q019",)}


def test_measures_that_fewer_queries_have(scores):
    runs = {"base": [None, *BASE[1:]], "run": [None, *RUN[1:]]}
    (found,) = cautions(scores, "fewer_queries", runs)
    assert found == {"run": "run", "measure": "AP", "n": 19, "all": 20}
    assert cautions(scores, "fewer_queries") == []


def test_the_number_of_hypotheses(scores):
    assert cautions(scores, "hypotheses") == cautions(scores, "uncorrected") == []
    runs = {"base": BASE, "run": RUN, "other": BASE}
    few = {"resamples": 200}
    assert cautions(scores, "hypotheses", runs, choices=few)[0]["n"] == 2
    none = {"correction": "none", **few}
    assert cautions(scores, "uncorrected", runs, choices=none)[0]["n"] == 2
    assert cautions(scores, "hypotheses", runs, choices=none) == []
