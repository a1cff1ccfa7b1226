"""From many judgments to one grade: every rule, its ties, and what it counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.judgment import Judgment
from cranfield.judging.policies import COMBINE, POLICIES, TIES, apply_policy, policy


def judged(*grades, doc="d", source="human", start=1):
    """One judgment a judge, one a second."""
    return [
        Judgment(
            "q",
            doc,
            g,
            source=source,
            assessor=f"{source}{i}",
            at=f"2026-01-01T00:00:{i:02}Z",
            id=i,
        )
        for i, g in enumerate(grades, start)
    ]


def grade_of(judgments, name, **more):
    return apply_policy(judgments, policy(name, **more)).qrels.to_dict().get("q", {}).get("d")


@pytest.mark.parametrize(
    ("grades", "rule", "ties", "expected"),
    [
        ((1, 2, 2), "majority", "lower", 2),
        ((3, 0, 3, 0, 1), "majority", "lower", 0),
        ((3, 0, 3, 0, 1), "majority", "higher", 3),
        ((3, 0, 3, 0, 1), "majority", "latest", 0),
        ((0, 3), "majority", "latest", 3),
        ((2, 0, 3), "min", "lower", 0),
        ((2, 0, 3), "max", "lower", 3),
        ((2, 0, 3), "median", "lower", 2),
        ((0, 1, 3, 3), "median", "lower", 1),
        ((0, 1, 3, 3), "median", "higher", 3),
        ((0, 3, 1), "latest", "lower", 1),
        ((-1, 2), "min", "lower", 2),  # pooled and not judged is no judgment
        ((-1, -1), "min", "lower", -1),
    ],
)
def test_rules(grades, rule, ties, expected):
    assert grade_of(judged(*grades), rule, ties=ties) == expected


def test_ties_and_conflicts_are_counted():
    found = apply_policy(
        [*judged(0, 3), *judged(1, 1, doc="e"), *judged(1, 2, 2, doc="f")], policy("majority")
    )
    assert (found.conflicts, found.ties, found.pairs, found.judgments) == (2, 1, 3, 7)
    dropped = apply_policy([*judged(0, 3), *judged(1, doc="e")], policy("majority", ties="drop"))
    assert dropped.qrels.to_dict() == {"q": {"e": 1}} and dropped.ties == 1


def test_people_before_models():
    both = [*judged(3, 3, source="llm", start=5), *judged(1)]
    assert grade_of(both, "human-over-llm") == 1
    assert grade_of(both, "majority") == 3
    found = apply_policy([*both, *judged(2, doc="e", source="llm")], policy("human-over-llm"))
    assert found.qrels.to_dict() == {"q": {"d": 1, "e": 2}}
    assert found.by_tier == (1, 1) and found.left_out == {}
    assert found.qrels.source is not None and found.qrels.assessor is not None
    assert found.qrels.source.to_list() == ["human", "llm"]
    assert found.qrels.assessor.to_list() == ["human1", "llm1"]


def test_what_no_tier_looks_at_is_counted():
    rows = [*judged(1), *judged(2, doc="e", source="llm"), *judged(2, doc="f", source="imported")]
    found = apply_policy(rows, policy("human"))
    assert found.qrels.to_dict() == {"q": {"d": 1}}
    assert found.left_out == {"llm": 1, "imported": 1} and found.without_grade == 2


def test_experts_before_the_crowd():
    crowd = judged(0, 0, 0)
    expert = Judgment("q", "d", 3, assessor="ann", id=9)
    assert grade_of([*crowd, expert], "expert-over-crowd", experts=("ann",)) == 3
    assert grade_of(crowd, "expert-over-crowd", experts=("ann",)) == 0
    with pytest.raises(UsageError, match="experts"):
        policy("expert-over-crowd")
    with pytest.raises(UsageError, match="experts"):
        policy("human", experts=("ann",))


def test_a_model_is_no_crowd():
    rule = policy("expert-over-crowd", experts=("ann",))
    rows = [
        Judgment("q", "a", 3, assessor="ann"), Judgment("q", "a", 0, assessor="bo"),
        Judgment("q", "b", 1, assessor="bo"), Judgment("q", "b", 0, source="llm", model="m"),
        Judgment("q", "c", 2, source="imported"), Judgment("q", "c", 0, source="llm", model="m"),
        Judgment("q", "d", 1, source="llm", model="m"),
    ]  # fmt: skip
    found = apply_policy(rows, rule)
    assert found.qrels.to_dict() == {"q": {"a": 3, "b": 1, "c": 2, "d": 1}}
    assert found.by_tier == (1, 1, 1, 1) and found.conflicts == 0


def samples(*grades, model="m"):
    return [
        Judgment("q", "d", g, source="llm", model=model, sample=i) for i, g in enumerate(grades)
    ]


def test_one_judge_has_one_vote():
    people = judged(1, 1)
    assert grade_of([*people, *samples(3, 3, 3)], "majority") == 1
    assert grade_of([*people, *samples(3, 3, 3)], "median") == 1
    assert grade_of([*people, *samples(0, 3, 3), *samples(3, model="n")], "median") == 1
    assert grade_of([*judged(0), *samples(0, 3, 3), *samples(3, model="n")], "majority") == 3
    assert grade_of(samples(0, 3, 3), "majority") == 3  # alone they are all there is
    assert grade_of([*judged(2), *samples(0, 3)], "majority", ties="drop") == 2  # of two minds
    with pytest.raises(NothingToEvaluate):
        grade_of([*samples(0, 3), *samples(0, 3, model="n")], "majority", ties="drop")


@pytest.mark.parametrize("name", [*COMBINE, "human-over-llm", "expert-over-crowd"])
def test_what_is_not_judged_wins_nowhere(name):
    more = {"experts": ("human1",)} if name == "expert-over-crowd" else {}
    rows = [*judged(-1), *judged(2, source="llm", start=5), *judged(-1, doc="e")]
    rows.append(Judgment("q", "d", -1, source="llm", assessor="late", at="2027", id=99))
    found = apply_policy(rows, policy(name, **more))
    assert found.qrels.to_dict() == {"q": {"d": 2, "e": -1}}


def test_doubt_is_no_grade():
    rows = [
        Judgment("q", "a", state="unsure", assessor="x"),
        Judgment("q", "b", state="skip", assessor="x"),
        Judgment("q", "c", state="unsure", assessor="x"),
        Judgment("q", "c", 2, assessor="y"),
    ]
    found = apply_policy(rows, policy("human"))
    assert found.qrels.to_dict() == {"q": {"c": 2}}
    assert found.without_grade == 2 and found.states == {"unsure": 2, "skip": 1}
    with pytest.raises(NothingToEvaluate):
        apply_policy(rows[:2], policy("human"))


def test_the_provenance_says_it_all():
    said = apply_policy(judged(0, 3), policy("human", combine="median", ties="higher")).provenance()
    assert said["policy"] == {
        "name": "human", "combine": "median", "ties": "higher", "tiers": [{"source": ["human"]}],
    }  # fmt: skip
    assert said["counts"]["ties_decided"] == 1 and said["counts"]["rows"] == 1


def test_names_that_are_none():
    with pytest.raises(UnknownName, match="human-over-llm"):
        policy("best")
    with pytest.raises(UnknownName, match="higher"):
        policy("human", ties="coin")  # type: ignore[arg-type]


rows_of = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["human", "llm"]), st.integers(0, 3)),
    min_size=1,
    max_size=12,
)


@given(rows_of, st.sampled_from(COMBINE), st.sampled_from(TIES[:3]))
def test_laws(rows, rule, ties):
    """A grade that somebody gave, between the least and the greatest; the counts add up."""
    made = [
        Judgment("q", doc, g, source=source, assessor=str(i), at=f"{i:03}", id=i + 1)
        for i, (doc, source, g) in enumerate(rows)
    ]
    found = apply_policy(made, policy(rule, ties=ties))
    assert found.judgments == len(made)
    for doc, grade in found.qrels.to_dict()["q"].items():
        given_grades = [g for d, _, g in rows if d == doc]
        assert grade in given_grades
        if rule == "min":
            assert grade == min(given_grades)
    assert apply_policy(made, policy(rule, ties=ties)).qrels.to_dict() == found.qrels.to_dict()
    assert set(COMBINE) < set(POLICIES)
