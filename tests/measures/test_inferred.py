from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import MeasureError
from cranfield.measures import Topic, block, compute, parse, xinfAP
from cranfield.measures.declaration import Sampled

# d5 d1 d2 d4 d3 d6 d7 d8 d12 of a pool where d2 and d6 are not judged; d9, d10, d11 missed
SAMPLED = Topic((0, 1, -1, None, 1, -1, 1, 0, None), (1, 0, 0))


def test_the_example_of_the_specification(value_of) -> None:
    assert value_of("infAP", SAMPLED) == pytest.approx(0.4047629563, abs=5e-11)
    assert value_of("AP", SAMPLED) == pytest.approx(0.3321428571, abs=5e-11)
    assert value_of("bpref", SAMPLED) == 0.5625


def test_without_holes_it_is_average_precision(value_of) -> None:
    topic = Topic((0, 1, 0, 1, 1), (1, 0))
    assert value_of("infAP", topic) == pytest.approx(value_of("AP", topic), abs=2e-5)


def test_unjudged_documents_are_its_point() -> None:
    with pytest.raises(MeasureError, match="no parameter 'condensed'"):
        parse("infAP'")


# the same list and pool in two strata: d1, d3, d5 all judged, of the others five of seven
TWO = Topic(
    tuple(
        None if g is None else Sampled(s, g)
        for s, g in zip((1, 1, 2, 0, 1, 2, 2, 2, 0), SAMPLED.ranked, strict=True)
    ),
    (Sampled(2, 1), Sampled(2, 0), Sampled(2, 0)),
)


def test_strata_of_the_specification(value_of) -> None:
    assert value_of("xinfAP", TWO) == pytest.approx(0.3750009028, abs=5e-11)
    assert value_of("xinfAP", SAMPLED) == pytest.approx(value_of("infAP", SAMPLED), abs=1e-12)


def test_nists_program_says_the_same(value_of) -> None:
    """Figures of sample_eval.pl, to its four decimals. In the second a relevant document comes
    below one of a stratum of which nothing above was judged: 1/2 of it by the paper, 1/3 there."""
    bare = Topic((Sampled(2, -1), Sampled(1, 1), Sampled(2, 1)), (Sampled(2, 0), Sampled(2, -1)))
    assert f"{value_of('xinfAP(outcomes=3)', TWO):.4f}" == "0.3542"
    assert f"{value_of('xinfAP(outcomes=3)', bare):.4f}" == "0.7407"
    assert value_of("xinfAP", bare) > value_of("xinfAP(outcomes=3)", bare)


def test_without_a_relevant_document_it_is_0(value_of) -> None:
    assert value_of("xinfAP", Topic()) == 0
    assert value_of("xinfAP", Topic((Sampled(1, -1),), (Sampled(2, 0),))) == 0
    assert value_of("xinfAP(rel=2)", Topic((Sampled(1, 2),))) == 1


MARKS = st.builds(Sampled, st.integers(0, 3), st.sampled_from([-1, -1, 0, 0, 1, 2]))
TOPICS = st.builds(Topic, st.lists(st.none() | MARKS, max_size=12), st.lists(MARKS, max_size=6))


def in_words(topic: Topic) -> tuple[list[str], list[dict[str, float | None]]]:
    """(ranking, strata) as the slow implementation takes them."""
    strata: list[dict[str, float | None]] = [{} for _ in range(4)]
    for i, mark in enumerate((*topic.ranked, *topic.missed)):
        if isinstance(mark, Sampled):
            strata[mark.stratum][f"d{i}"] = mark.grade if mark.grade >= 0 else None
    return [f"d{i}" for i in range(len(topic.ranked))], strata


@given(TOPICS, st.sampled_from([1, 2]))
def test_against_the_slow_way(topic: Topic, rel: int) -> None:
    """Written again from the definition, document by document."""
    ranking, strata = in_words(topic)
    judged = [[g for g in s.values() if g is not None] for s in strata]
    weight = [len(s) / len(j) if j else 0 for s, j in zip(strata, judged, strict=True)]
    R = sum(w * sum(g >= rel for g in j) for w, j in zip(weight, judged, strict=True))
    total = 0.0
    for k, doc in enumerate(ranking):
        home = next((i for i, s in enumerate(strata) if doc in s), None)
        grade = None if home is None else strata[home][doc]
        if home is None or grade is None or grade < rel:
            continue
        above = 0.0
        for s in strata:
            seen = [s[d] for d in ranking[:k] if d in s]
            known = [g for g in seen if g is not None]
            above += len(seen) * (sum(g >= rel for g in known) + 1e-5) / (len(known) + 2e-5)
        total += weight[home] * (1 + above) / (k + 1)
    found = compute([xinfAP(rel=rel)], *block([topic]))[0][0, 0]
    assert found == pytest.approx(total / R if R else 0, abs=1e-12)


@given(st.lists(TOPICS, min_size=1, max_size=4))
def test_a_topic_depends_on_its_own_rows_alone(topics: list[Topic]) -> None:
    whole = compute([xinfAP], *block(topics))[0][:, 0]
    alone = [compute([xinfAP], *block([t]))[0][0, 0] for t in topics]
    assert whole.tolist() == alone
