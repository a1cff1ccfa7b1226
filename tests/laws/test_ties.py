"""`ties="expected"` is the mean over every order of the documents that share a score, and a named
order is one of those orders."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield import evaluate
from cranfield.errors import MeasureError
from cranfield.measures import CATALOG, Measure

GRADE = st.sampled_from([-1, 0, 0.5, 1, 2, 3, None])
ABLE = [name for name, family in CATALOG.items() if family.ties != "ordered"]
RANKED = [name for name, family in CATALOG.items() if family.view == "grades"]
ORDERED = [name for name in RANKED if CATALOG[name].ties == "ordered"]


def member(name: str) -> Measure:
    family = CATALOG[name]
    return (
        Measure(name) @ (5 if family.cutoff == "k" else 0.5)
        if family.needs_cutoff
        else Measure(name)
    )


PARAMS = {
    "k": st.integers(1, 7),
    "rel": st.sampled_from([0.5, 1, 2]),
    "gain": st.sampled_from(["linear", "exp", {1: 2, 2: 1, 3: 5, 0.5: 0}]),
    "norm": st.sampled_from(["rel", "min"]),
    "condensed": st.booleans(),
}


@st.composite
def measures(draw) -> list[Measure]:
    found = [member(name) for name in ABLE]
    for name in draw(st.lists(st.sampled_from(ABLE), max_size=6)):
        chosen = [p.name for p in CATALOG[name].params if p.name in PARAMS and draw(st.booleans())]
        found.append(member(name)(**{p: draw(PARAMS[p]) for p in chosen}))
    return list(dict.fromkeys(found))


@st.composite
def topic(draw) -> tuple[dict, list[list[str]]]:
    """Grades of documents, and the groups of documents that share a score, best first."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda s: sum(s) <= 7))
    n = sum(sizes)
    grades = draw(st.lists(GRADE, min_size=n + 2, max_size=n + 2))
    names = [f"d{i}" for i in range(n + 2)]  # the last two are not returned
    qrels = {d: g for d, g in zip(names, grades, strict=True) if g is not None}
    assume(any(g >= 0 for g in qrels.values()))
    ends = list(itertools.accumulate(sizes))
    return qrels, [names[e - s : e] for s, e in zip(sizes, ends, strict=True)]


def orders(groups: list[list[str]]) -> Iterator[list[str]]:
    for choice in itertools.product(*map(itertools.permutations, groups)):
        yield [doc for group in choice for doc in group]


def scored(groups: list[list[str]]) -> dict[str, float]:
    return {doc: -float(i) for i, group in enumerate(groups) for doc in group}


@given(topic(), measures())
def test_the_expectation_is_the_mean_over_all_orders(one, asked):
    qrels, groups = one
    found = evaluate({"q": qrels}, {"q": scored(groups)}, asked, ties="expected")
    every = list(orders(groups))
    apart = evaluate(
        {str(i): qrels for i in range(len(every))},
        {str(i): {d: -float(n) for n, d in enumerate(order)} for i, order in enumerate(every)},
        asked,
    )
    means = [values.mean() for values in apart.values[0].T]
    assert found.values[0, 0].tolist() == pytest.approx(means, rel=1e-12, abs=1e-14)


@given(topic(), measures())
def test_without_ties_the_expectation_is_the_value_to_the_bit(one, asked):
    qrels, groups = one
    run = {"q": scored([[doc] for group in groups for doc in group])}
    expected = evaluate({"q": qrels}, run, asked, ties="expected")
    assert expected.values.tobytes() == evaluate({"q": qrels}, run, asked).values.tobytes()


@given(topic(), st.sampled_from(["docid-desc", "docid-asc", "file"]))
def test_a_named_order_is_the_order_of_those_names(one, ties):
    qrels, groups = one
    asked = [member(n) for n in RANKED]
    run = scored(groups)
    by_hand = [list(group) for group in groups]
    if ties != "file":
        by_hand = [sorted(group, reverse=ties == "docid-desc") for group in groups]
    plain = {d: -float(i) for i, d in enumerate(d for group in by_hand for d in group)}
    tied = evaluate({"q": qrels}, {"q": run}, asked, ties=ties, scale=3)
    apart = evaluate({"q": qrels}, {"q": plain}, asked, scale=3)
    assert tied.values.tobytes() == apart.values.tobytes()


@pytest.mark.parametrize("name", ORDERED)
def test_a_measure_without_an_expectation_says_so(name):
    measure = member(name)
    with pytest.raises(MeasureError, match="has no expectation over tied scores") as e:
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, measure, ties="expected")
    assert "nDCG" in e.value.hint


def test_the_example_of_the_specification():
    """Four equal scores: what each order makes of them, and their mean."""
    qrels, run = {"q": {"a": 0, "b": 1, "c": 0, "d": 2}}, {"q": dict.fromkeys("abcd", 1.0)}
    asked = ["AP", "RR", "nDCG"]
    desc = evaluate(qrels, run, asked).means()["run"]
    asc = evaluate(qrels, run, asked, ties="docid-asc").means()["run"]
    assert list(desc.values()) == pytest.approx([0.833333, 1, 0.950234], abs=5e-7)
    assert list(asc.values()) == pytest.approx([0.5, 0.5, 0.567207], abs=5e-7)
    mean = evaluate(qrels, run, asked, ties="expected").means()["run"]
    both = np.array([list(desc.values()), list(asc.values())])
    assert (np.array(list(mean.values())) > both.min(axis=0)).all()
    assert (np.array(list(mean.values())) < both.max(axis=0)).all()
