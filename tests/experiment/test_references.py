"""References, recorded scores together, and the history."""

from __future__ import annotations

import pytest

import cranfield
from cranfield.comparison.compare import compare_scores
from cranfield.errors import UnknownName, UsageError
from cranfield.experiment.comparing import compare_in_lab


@pytest.fixture
def three(folder, lab):
    """@1: good and bad; @2: bad; @3: good, other measures."""
    here = lab()
    here.evaluate(["good.run", "bad.run"])
    here.evaluate("bad.run", config={"k": 1})
    here.evaluate("good.run", ["AP", "P@2"])
    return here


@pytest.mark.parametrize(
    ("text", "number", "run"),
    [
        ("@1", 1, None),
        (2, 2, None),
        ("@last", 3, None),
        ("@last-1", 2, None),
        ("@-1", 3, None),
        ("@-3", 1, None),
        ("@bad", 2, "bad"),
        ("@1:bad", 1, "bad"),
        ("@last-2:good", 1, "good"),
    ],
)
def test_a_reference_leads_to_an_evaluation(three, text, number, run):
    found = three.resolve(text)
    assert (found.id, found.run) == (number, run)
    assert three.entry(text).id == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@4", "there are @1 to @3"),
        ("@0", "there are @1 to @3"),
        ("@last-3", "there are @1 to @3"),
        ("@-4", "there are @1 to @3"),
        ("@god", "did you mean @good"),
        ("@2:good", "@2 has no run 'good'"),
    ],
)
def test_one_that_leads_nowhere_says_where_there_is_something(three, text, said):
    with pytest.raises(UnknownName) as e:
        three.entry(text)
    assert said in str(e.value)


def test_before_anything_is_recorded_that_is_said(lab):
    with pytest.raises(UnknownName, match="nothing has been recorded yet"):
        lab().entry("@last")


def test_recorded_scores_compare_as_the_files_do(three, folder):
    together = three.scores("@1:good", "@2")
    assert together.runs == ("good", "bad")
    for name in ("good.run", "bad.run"):
        (folder / name).unlink()
    found = compare_scores(three.scores("@1:good", "@2"))
    judged = cranfield.read_qrels("c").to_dict()
    assert found.difference("AP").difference == pytest.approx(
        found.scores.mean("AP", "bad") - found.scores.mean("AP", "good")
    )
    assert list(found.scores.queries) == list(judged)


def test_runs_of_one_name_are_told_apart(three):
    assert three.scores("@1", "@2").runs == ("good", "bad @1", "bad @2")
    with pytest.raises(UsageError, match="named twice"):
        three.scores("@2", "@2")


def test_what_cannot_stand_together_is_refused_with_the_reason(three, folder, lab):
    with pytest.raises(UsageError, match=r"different measures \(nDCG@10, AP; AP, P@2\)"):
        three.scores("@1", "@3")
    assert three.scores("@2", "@3", measures=["AP"]).runs == ("bad", "good")
    with pytest.raises(UnknownName, match=r"@3 has no scores for nDCG@10"):
        three.scores("@2", "@3", measures=["nDCG@10"])
    three.evaluate("good.run", missing="skip")
    with pytest.raises(UsageError, match="@2 and @4 differ in missing: zero and skip"):
        three.scores("@2", "@4")
    (folder / "c" / "qrels.txt").write_text("q1 0 a 2\nq2 0 b 1\n")
    here = lab()
    here.evaluate("good.run")
    with pytest.raises(UsageError, match=r"different qrels \(c, changed since\)"):
        here.scores("@2", "@5")


def test_the_history_tells_what_changed(three, folder, lab):
    points = three.history("AP").points
    assert [(p.entry.id, p.run.name) for p in points] == [
        (1, "good"),
        (1, "bad"),
        (2, "bad"),
        (3, "good"),
    ]
    first, second, third, fourth = points
    assert first.before is second.before is None
    assert (third.before, third.same_run, third.difference) == (1, True, 0.0)
    assert third.changed is None  # the first bad.run said nothing of how it was made
    # of the two in @1 the one of its name, for @2 has one run, but of another name
    assert (fourth.before, fourth.same_run) == (2, False)
    assert fourth.difference == pytest.approx(first.value - third.value)
    three.evaluate("bad.run", "AP", config={"k": 2, "s": "x"})
    last = three.history("AP", run="bad").points[-1]
    assert (last.before, last.changed) == (3, None)  # good.run has no configuration
    three.evaluate("bad.run", "AP", config={"k": 3, "s": "x"})
    last = three.history("AP").points[-1]
    assert (last.before, last.changed) == (4, {"k": (2, 3)})


def test_new_qrels_begin_a_new_series(three, folder, lab):
    (folder / "c" / "qrels.txt").write_text("q1 0 a 2\nq2 0 b 1\n")
    here = lab()
    here.evaluate("good.run")
    here.evaluate("bad.run")
    *_, fresh, next_ = here.history("AP").points
    assert (fresh.before, fresh.qrels_before) == (None, 3)
    assert (next_.before, next_.qrels_before) == (4, None)
    assert len(here.history("AP").trends) == 2


def test_a_measure_may_be_named_as_elsewhere(three):
    assert three.history("map").measure == "AP"
    assert three.history().measure == "nDCG@10" and three.history().without == 1
    assert [p.entry.id for p in three.history("AP", last=2).points] == [2, 3]
    with pytest.raises(UnknownName, match="nothing was recorded under RR"):
        three.history("RR")
    with pytest.raises(UnknownName, match="no run 'worse'"):
        three.history(run="worse")


def test_a_comparison_shows_lists_only_of_unchanged_files(three, folder, lab):
    done = compare_in_lab(three, ["@1:good", "@2"], ["AP"], k=3)
    assert done.remarks == ()
    change = done.found.changes[0]
    assert [r.doc for r in change.base_results] == ["d"] and change.text == "HTTP 429"
    (folder / "bad.run").write_text((folder / "bad.run").read_text() + "q4 Q0 e 1 1 s\n")
    done = compare_in_lab(three, ["@1:good", "@2"], ["AP"])
    assert [r.key for r in done.remarks] == ["lab.list_changed"]
    assert done.found.changes[0].results == ()
    (folder / "bad.run").unlink()
    assert compare_in_lab(three, ["@1", "@2"], ["AP"]).remarks[0].key == "lab.list_gone"


def test_a_file_beside_a_reference_is_evaluated_as_that_was(three):
    three.evaluate("good.run", missing="skip")
    done = compare_in_lab(three, ["@last", "bad.run"])
    assert three.entry("@last").settings["missing"] == "skip"
    assert done.found.scores.runs == ("good", "bad") and three.ledger.last() == 5
    with pytest.raises(UsageError, match="was not recorded"):
        compare_in_lab(three, ["@last", "good.run"], record=False)


def test_files_are_recorded_in_one_evaluation(three):
    done = compare_in_lab(three, ["good.run", "bad.run"], choices={"seed": 5})
    assert [r.values["id"] for r in done.remarks] == [4]
    entry = three.entry(4)
    assert [r.name for r in entry.runs] == ["good", "bad"] and entry.seed == 5
    assert done.found.changes[0].results
    with pytest.raises(UsageError, match="given twice"):
        compare_in_lab(three, ["good.run", "./good.run"])
    with pytest.raises(UsageError, match="ties is for an evaluation"):
        compare_in_lab(three, ["@1", "@2"], ["AP"], ties="file")


def test_comparing_test_queries_is_a_look(three, folder, lab):
    from cranfield.experiment.drawing import draw
    from cranfield.experiment.splits import write_split

    write_split(draw(three.queries, 2).split, folder / "split.json")
    here = lab()
    done = compare_in_lab(here, ["@1", "@2"], ["AP"])
    assert [r.key for r in done.remarks] == ["lab.looks"]
    looks = here.looks()
    assert looks is not None and (looks.count, looks.runs) == (1, 2)
