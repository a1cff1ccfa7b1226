"""What preferences come to, and what the measures make of a file of them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.judging.preferences import Preference
from cranfield.judging.settled import circular, prefs_lines, settled


def asked(a, b, better, **more):
    state = "graded" if better else "failed"
    base = {"source": "llm", "model": "m", "prompt": "p", "state": state}
    return Preference("q", a, b, better, **{**base, **more})


@pytest.mark.parametrize(
    ("first", "second", "outcome", "winner"),
    [
        ("a", "b", "preferred", "x"),  # x, shown first and then second
        ("b", "a", "preferred", "y"),
        ("a", "a", "inconsistent", None),  # whichever comes first
        ("b", "b", "inconsistent", None),
        ("tie", "tie", "tie", None),
        ("a", "tie", "inconsistent", None),
        (None, None, "failed", None),
        ("a", None, "one-sided", None),
    ],
)
def test_both_orders(first, second, outcome, winner):
    (found,) = settled([asked("x", "y", first), asked("y", "x", second)])
    assert (found.outcome, found.winner, found.docs) == (outcome, winner, ("x", "y"))
    assert found.loser == ({"x": "y", "y": "x"}[winner] if winner else None)


def test_samples_of_an_order_are_one_answer():
    said = [("x", "y", "a"), ("x", "y", "a"), ("x", "y", "b"), ("y", "x", "b")]
    rows = [asked(a, b, c, sample=n) for n, (a, b, c) in enumerate(said, 1)]
    assert [(s.outcome, s.winner) for s in settled(rows)] == [("preferred", "x")]
    even = [asked("x", "y", "a", sample=1), asked("x", "y", "b", sample=2), asked("y", "x", "b")]
    assert settled(even)[0].outcome == "inconsistent"  # no majority is a tie


def test_people_are_asked_once():
    (found,) = settled([Preference("q", "x", "y", "b", assessor="anna")])
    assert (found.outcome, found.winner) == ("preferred", "y")


@pytest.mark.parametrize(
    ("states", "outcome"),
    [
        (("failed", "failed"), "failed"),
        (("unsure",), "undecided"),
        (("failed", "skip"), "undecided"),
    ],
)
def test_without_an_answer(states, outcome):
    rows = [Preference("q", "x", "y", state=s, assessor="anna", sample=n)
            for n, s in enumerate(states)]  # fmt: skip
    assert [(s.outcome, s.winner) for s in settled(rows)] == [(outcome, None)]
    assert prefs_lines(settled(rows)).text == ""


def both(winner, loser, **more):
    return [asked(winner, loser, "a", **more), asked(loser, winner, "b", **more)]


def test_a_file_that_the_measures_score(tmp_path):
    rows = [*both("a", "b"), *both("c", "b"), asked("a", "c", "a"), asked("c", "a", "a"),
            *both("b", "a", model="other model")]  # fmt: skip
    made = prefs_lines(settled(rows))
    assert made.text == (
        "q m p1 a 2\nq m p1 b 1\nq m p2 c 2\nq m p2 b 1\n"
        "q other_model p1 b 2\nq other_model p1 a 1\n"
    )
    assert (made.preferences, made.circles) == (3, 0)
    assert made.outcomes == {"preferred": 3, "inconsistent": 1}
    (tmp_path / "x.prefs").write_text(made.text)
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    found = cranfield.evaluate(tmp_path / "x.prefs", run, ["NumPrefs", "prefs_simp"])
    assert found.means()["run"] == {"NumPrefs": 3.0, "prefs_simp": pytest.approx(1 / 3)}


def test_circles_are_taken_apart(tmp_path):
    rows = [*both("a", "b"), *both("b", "c"), *both("c", "a")]
    made = prefs_lines(settled(rows))
    assert made.circles == 1 and made.preferences == 3
    assert {line.split()[1] for line in made.text.splitlines()} == {"m/1", "m/2", "m/3"}
    (tmp_path / "x.prefs").write_text(made.text)
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    found = cranfield.evaluate(tmp_path / "x.prefs", run, ["prefs_simp"])
    assert found.means()["run"]["prefs_simp"] == pytest.approx(2 / 3)


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda e: e[0] != e[1])))
def test_a_circle_is_one_that_no_order_respects(edges):
    orders = itertools.permutations(range(5))
    some = any(all(order.index(a) < order.index(b) for a, b in edges) for order in orders)
    assert circular({(str(a), str(b)) for a, b in edges}) is not some


def test_judges_with_one_name_stay_apart():
    rows = [*both("a", "b"), *both("a", "b", prompt="p2")]
    lines = prefs_lines(settled(rows)).text.splitlines()
    assert {line.split()[1] for line in lines} == {"m", "m~2"}
