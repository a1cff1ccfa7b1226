from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.measures import (
    AP,
    AP_IA,
    CATALOG,
    ERR_IA,
    NRBP,
    P_IA,
    Measure,
    P,
    StRecall,
    Success,
    Topic,
    alpha_DCG,
    alpha_nDCG,
    block,
    compute,
    nERR_IA,
    nNRBP,
    parse,
)

# a{1,2} b{1} c{3} d{2,3} e{4} f{1}; the run is a b x c f d y e, rows by document id
SPEC = Topic(((1, 2), (1,), None, (3,), (1,), (2, 3), None, (4,)))
DIVERSE = [family.name for family in CATALOG.values() if family.view == "subtopics"]
ALL = [
    *(alpha_DCG @ 5, alpha_DCG(alpha=0.3, normalize=True) @ 3, alpha_nDCG @ 5, ERR_IA @ 3),
    *(nERR_IA(alpha=0.2) @ 4, NRBP, nNRBP(alpha=0.7, beta=0.8), StRecall @ 3, P_IA @ 4, AP_IA),
]
SUBTOPICS = st.lists(st.integers(1, 4), max_size=4, unique=True).map(lambda s: tuple(sorted(s)))
TOPICS = st.builds(
    Topic, st.lists(st.none() | SUBTOPICS, max_size=8), st.lists(SUBTOPICS, max_size=5)
)


def values_of(topics: list[Topic], measures: list[Measure] = ALL) -> np.ndarray:
    return compute(measures, *block(topics))[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("alpha_nDCG@5", 0.7374156049),
        ("alpha_nDCG@10", 0.89105948),
        ("ERR_IA@5", 0.462934947),
        ("ERR_IA@10", 0.5125181723),
        ("nERR_IA@5", 0.7707808564),
        ("nERR_IA@10", 0.8482587065),
        ("StRecall@5", 0.75),
        ("StRecall@10", 1),
        ("α_nDCG@5", 0.7374156049),
        ("strec@5", 0.75),
        # pyndeval 0.0.8 through ir_measures 0.4.3
        ("NRBP", 0.45556640625),
        ("nNRBP", 0.7833753149),
        ("NRBP(alpha=0.3, beta=0.8)", 0.4335288320),
        ("MAP-IA", 0.4875),
        ("P_IA@5", 0.2500000000),
        ("alpha_DCG(normalize=true)@5", 0.4680435130),
    ],
)
def test_the_example_of_the_specification(text: str, value: float, value_of) -> None:
    assert value_of(text, SPEC) == pytest.approx(value, abs=5e-11)


def test_random_topics_against_the_reference(ref: ModuleType) -> None:
    rng = random.Random(11)
    for _ in range(200):
        marks = [tuple(s for s in (1, 2, 3) if rng.random() < 0.4) for _ in range(12)]
        ranked = [mark if rng.random() < 0.8 else None for mark in marks[:8]]
        names = [f"d{99 - i}" for i in range(12)]  # the reference prefers low ids, we high ones
        sub = {n: set(m) for n, m in zip(names, marks, strict=True)}
        sub = {n: m for n, m in sub.items() if names.index(n) >= 8 or ranked[names.index(n)]}
        topic = Topic(ranked, marks[8:])
        for k in (1, 5, 10):
            mine = values_of([topic], [m @ k for m in (alpha_DCG, alpha_nDCG, StRecall)])[0]
            slow = [f(names[:8], sub, k) for f in (ref.alpha_dcg, ref.alpha_ndcg, ref.strec)]
            assert mine == pytest.approx(slow, abs=1e-12)
            mine = values_of([topic], [ERR_IA @ k, nERR_IA @ k])[0]
            slow = [ref.err_ia(names[:8], sub, k), ref.nerr_ia(names[:8], sub, k)]
            assert mine == pytest.approx(slow, abs=1e-12)


@given(st.lists(TOPICS, max_size=5), st.data())
def test_values_depend_on_the_topic_alone(topics: list[Topic], data: st.DataObject) -> None:
    topics = [Topic(t.ranked, [*t.missed, (1,)]) for t in topics]  # no topic without subtopics
    cut = data.draw(st.integers(0, len(topics)))
    parts = np.concatenate([values_of(topics[:cut]), values_of(topics[cut:])])
    values = values_of(topics)
    assert values.tobytes() == parts.tobytes()
    for column, measure in enumerate(ALL):
        assert (values[:, column] >= 0).all()
        assert (values[:, column] <= measure.definition.range[1] + 1e-12).all()


@given(st.lists(st.sampled_from([None, 0, 1, 2]), max_size=9), st.lists(st.sampled_from([0, 1])))
def test_one_subtopic_is_plain_relevance(ranked: list, missed: list) -> None:
    topic = Topic(ranked, missed)
    diverse = values_of([topic], [AP_IA, P_IA @ 5, StRecall @ 3])[0]
    assert diverse == pytest.approx(values_of([topic], [AP, P @ 5, Success @ 3])[0] * 1.0)


def test_a_greedy_list_is_worth_one(value_of) -> None:
    greedy = Topic(((1, 2, 3), (2, 4), (1, 3), (4,)))
    for text in ("alpha_nDCG@10", "nERR_IA@10", "nNRBP"):
        assert value_of(text, greedy) == pytest.approx(1)


def test_repetition_counts_for_less_and_with_alpha_one_for_nothing(value_of) -> None:
    topic = Topic(((1,), (1,), (2,)))
    assert value_of("alpha_DCG(alpha=1)@2", topic) == 1
    assert value_of("alpha_DCG(alpha=0)@2", topic) > value_of("alpha_DCG@2", topic) > 1


def test_condensed_lists_leave_out_what_no_subtopic_judged(value_of) -> None:
    assert value_of("alpha_DCG'@1", Topic((None, (1, 2)))) == 2
    assert value_of("alpha_DCG'@1", Topic(((), (1, 2)))) == 0


@pytest.mark.parametrize("name", DIVERSE)
def test_a_topic_about_nothing_is_zero(name: str, value_of) -> None:
    family = CATALOG[name]
    text = f"{name}@5" if family.needs_cutoff else name
    assert value_of(text, Topic(((), None), ((),))) == value_of(text, Topic()) == 0
    assert parse(text).definition is family
