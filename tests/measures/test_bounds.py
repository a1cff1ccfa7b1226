"""Bounds against the engine itself: every grading of the unjudged documents is tried."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import MeasureError
from cranfield.measures import Hits, Judgments, compute, parse
from cranfield.measures.bounds import Bound, Seen, bounds, has_bounds

MEASURES = [
    "nDCG@3",
    'nDCG(gain="exp")@4',
    "nDCG",
    "nDCG(gain={0:0,1:3,2:1,3:4})@3",
    'DCG(gain="exp")@3',
    "P@3",
    "P",
    "P(rel=2)@4",
    "R@3",
    "R(rel=2)@4",
    "R",
    "AP",
    "AP(rel=2)@3",
    'AP(norm="min")@3',
    "RR",
    "RR(rel=2)@3",
    "Success@2",
    "ERR(gmax=3)@3",
    "ERR(gmax=3)",
    "RBP(p=0.7)@3",
    "RBP(p=0.8, graded=true, gmax=3)@4",
    "RBP(p=0.8)",
    "nDCG_JK@3",
    "nDCG_JK(b=2.5)",
    'NCG(gain="exp")@3',
    "NCG",
    "SDCG(gmax=3)@3",
    "INSQ(gmax=3)",
    "P_Wu(gmax=3)@3",
    "RR_Wu(gmax=3)",
    "F@3",
    "F(beta2=0.3)",
    "F(rel=2, beta2=4)",
    "RelP@3",
    "RelP",
    "SetAP",
    "Rprec",
    "Rprec(mult=0.4, rel=2)",
    "Rprec(mult=2.3)",
    "GAP(gmax=3)",
    "GAP(g={1:0.2,2:0,3:0.8})",
    "bpref",
    "bpref(rel=2)",
    "nERR(gmax=3)@3",
    "nERR(gmax=4)",
    "Q",
    'Q(gain="exp", beta=2)@3',
    "Q(rel=2)@4",
    "Q(beta=0)@3",
]
SLOW_TO_TURN = ("F(beta2=0.3)", "Rprec", "Rprec(mult=0.4, rel=2)", "Rprec(mult=2.3)")
ELSEWHERE = {"bpref": (0, 1, 2), "bpref(rel=2)": (0, 1, 2)}  # grades that open worlds add


def topic(judged: dict[str, float], *lists: list[str]) -> Seen:
    number: dict[str, int] = {}
    for docs in lists:
        for doc in docs:
            if doc not in judged:
                number.setdefault(doc, len(number))
    return Seen(
        np.array(list(judged.values()), np.float64),
        tuple(np.array([judged.get(d, 0.0) for d in docs], np.float64) for docs in lists),
        tuple(np.array([number.get(d, -1) for d in docs], np.int64) for docs in lists),
    )


def scores(text: str, gradings: Iterable[dict[str, float]], docs: list[str]) -> np.ndarray:
    """The engine's score of the list under each grading, all as topics of one block."""
    every = list(gradings)
    query, grade, hits = [], [], []
    for q, judged in enumerate(every):
        row = {doc: len(query) + i for i, doc in enumerate(judged)}
        query += [q] * len(judged)
        grade += judged.values()
        hits += [(q, rank, row[doc]) for rank, doc in enumerate(docs) if doc in row]
    seen = np.array(hits, np.int64).reshape(-1, 3).T
    found = Hits(*seen, seen[1], np.ones(len(hits), np.int64), np.full(len(every), len(docs)))
    block = Judgments(len(every), np.array(query, np.int64), np.array(grade, np.float64))
    return compute([parse(text)], block, found)[0][:, 0]


def score(text: str, judged: dict[str, float], docs: list[str]) -> float:
    return float(scores(text, [judged], docs)[0])


def gradings(judged: dict[str, float], holes: list[str], top: int):
    for grades in itertools.product(range(top + 1), repeat=len(holes)):
        yield {**judged, **dict(zip(holes, map(float, grades), strict=True))}


def holes_of(text: str, judged: dict[str, float], *lists: list[str]) -> list[str]:
    k = parse(text).cutoff
    return sorted({d for docs in lists for d in docs[:k] if d not in judged})


@st.composite
def cases(draw: st.DrawFn, n_lists: int, top: int, longest: int = 5):
    pool = [f"d{i}" for i in range(7)]
    judged = draw(st.dictionaries(st.sampled_from(pool), st.integers(0, top), max_size=4))
    lists = [
        draw(st.lists(st.sampled_from(pool), unique=True, max_size=longest)) for _ in range(n_lists)
    ]
    return {d: float(g) for d, g in judged.items()}, lists


@pytest.mark.parametrize("text", MEASURES)
@settings(max_examples=15)
@given(case=cases(1, 3))
def test_one_list_is_bounded_exactly(text: str, case) -> None:
    judged, (docs,) = case
    got = bounds(parse(text), topic(judged, docs), range(4))
    tried = scores(text, gradings(judged, holes_of(text, judged, docs), 3), docs)
    assert got.exact
    assert got.low == pytest.approx(min(tried), abs=1e-12)
    assert got.high == pytest.approx(max(tried), abs=1e-12)


@pytest.mark.parametrize("text", MEASURES)
@settings(max_examples=15)
@given(case=cases(2, 2, longest=4))
def test_a_difference_is_bounded_exactly_with_shared_grades(text: str, case) -> None:
    judged, (one, other) = case
    if "gain={" in text:
        return  # its table has a level 3, tried with one list
    got = bounds(parse(text), topic(judged, one, other), range(3))
    every = list(gradings(judged, holes_of(text, judged, one, other), 2))
    tried = scores(text, every, one) - scores(text, every, other)
    assert got.exact
    assert got.low == pytest.approx(min(tried), abs=1e-12)
    assert got.high == pytest.approx(max(tried), abs=1e-12)


TRIED = [
    "AP",
    "AP@3",
    'AP(norm="min")@3',
    "ERR(gmax=2)@4",
    "nERR(gmax=2)@4",
    "nERR(gmax=3)",
    "GAP(gmax=2)",
    "bpref",
    "Q",
    "Q(rel=2, beta=3)@4",
    "Q(gain={0:0,1:3,2:1}, rel=2)",
]


@pytest.mark.parametrize("world", ["closed", "open"])
@pytest.mark.parametrize("text", TRIED)
@settings(max_examples=25)
@given(case=cases(2, 2))
def test_with_too_many_holes_the_bound_is_an_outer_one_and_says_so(text: str, world, case) -> None:
    judged, (one, other) = case
    for lists in ((one, other), (one,)):
        seen = topic(judged, *lists)
        narrow = bounds(parse(text), seen, range(3), world=world)
        outer = bounds(parse(text), seen, range(3), world=world, enumerated=0)
        assert outer.low <= narrow.low + 1e-12 and narrow.high <= outer.high + 1e-12
        assert -1 - 1e-12 <= outer.low <= outer.high <= 1 + 1e-12
        holes = holes_of(text, judged, *lists)
        shared = set(one[:4]) & set(other[:4]) - set(judged)
        if text.startswith("ERR"):
            assert outer.exact == (len(lists) == 1 or not shared)
        elif len(lists) == 2 and holes:
            assert not outer.exact
        elif len(lists) == 1 and text in ("AP", "bpref"):
            assert outer.exact


def test_one_kind_of_relevant_document_leaves_q_exact_however_many_holes() -> None:
    judged = {"a": 1.0, "b": 0.0, "c": 1.0}
    docs = ["u0", "b", "u1", "a", "u2", "u3", "u4"]
    outer = bounds(parse("Q"), topic(judged, docs), range(2), enumerated=0)
    tried = scores("Q", gradings(judged, holes_of("Q", judged, docs), 1), docs)
    assert outer.exact and outer.low == pytest.approx(tried.min())
    assert outer.high == pytest.approx(tried.max())


NO_TAIL = [text for text in MEASURES if text != "RBP(p=0.8)" and "gain={" not in text]


def elsewhere(text: str, most: int):
    """Documents that no list returned, as many as `most`, all of one grade or of two."""
    grades = ELSEWHERE.get(text, (1, 2))
    yield from (
        {f"x{i}": float(g) for i, g in enumerate(some)}
        for n in range(most + 1)
        for some in itertools.combinations_with_replacement(grades, n)
    )


@pytest.mark.parametrize("text", NO_TAIL)
@settings(max_examples=12)
@given(case=cases(1, 2, longest=4))
def test_the_open_world_holds_whatever_else_is_relevant(text: str, case) -> None:
    judged, (docs,) = case
    got = bounds(parse(text), topic(judged, docs), range(3), world="open")
    closed = bounds(parse(text), topic(judged, docs), range(3))
    every = gradings(judged, holes_of(text, judged, docs), 2)
    # .4 R reaches the end of four documents at R = 10; behind three that are not relevant bpref is
    # largest with five relevant ones and three others elsewhere
    most = 10 if "mult=0.4" in text else 8 if text.startswith("bpref") else 5
    tried = scores(text, ({**j, **m} for j in every for m in elsewhere(text, most)), docs)
    assert got.low <= min(tried) + 1e-12
    assert got.low <= closed.low + 1e-12 and closed.high <= got.high + 1e-12
    if closed.exact:  # few documents elsewhere are enough for the upper end
        assert got.high == pytest.approx(max(tried), abs=1e-12)
    assert max(tried) <= got.high + 1e-12


def test_a_part_of_r_is_reached_by_many_documents_elsewhere() -> None:
    text, docs = "Rprec(mult=0.4, rel=2)", ["d0", "d1", "d2", "d3"]
    judged = {"d0": 0.0, "d1": 0.0}
    got = bounds(parse(text), topic(judged, docs), range(3), world="open")
    relevant = {**judged, "d2": 2.0, "d3": 2.0} | {f"x{i}": 2.0 for i in range(8)}
    assert got.high == score(text, relevant, docs) == 0.5


@pytest.mark.parametrize("text", NO_TAIL)
@settings(max_examples=12)
@given(case=cases(2, 2, longest=3))
def test_a_difference_in_the_open_world(text: str, case) -> None:
    judged, (one, other) = case
    seen = topic(judged, one, other)
    got = bounds(parse(text), seen, range(3), world="open")
    back = bounds(parse(text), topic(judged, other, one), range(3), world="open")
    assert (got.low, got.high) == (pytest.approx(-back.high), pytest.approx(-back.low))
    holes = gradings(judged, holes_of(text, judged, one, other), 2)
    every = [{**j, **more} for j in holes for more in elsewhere(text, 3)]
    tried = scores(text, every, one) - scores(text, every, other)
    assert got.low - 1e-12 <= min(tried) and max(tried) <= got.high + 1e-12
    if got.exact and max(tried) > 0 and text not in SLOW_TO_TURN:
        assert got.high == pytest.approx(max(tried), abs=1e-12)


def test_the_tails_of_two_lists_in_the_open_world() -> None:
    seen = topic({"a": 1.0, "b": 1.0}, ["a", "u"], ["b"])
    got = bounds(parse("RBP(p=0.5)"), seen, [0, 1], world="open")
    # a 1/2, u at most 1/4, below the list at most 1/4; b 1/2, below it at most 1/2
    assert (got.low, got.high) == (pytest.approx(-0.5), pytest.approx(0.5))


GRADES = "01:1 02:0 04:3 05:0 06:2 08:0 09:1 11:0 12:2 13:3 14:1 15:0 16:0"
QRELS = {f"d{pair[:2]}": float(pair[3:]) for pair in GRADES.split()}
RANKED = [f"d{i:02}" for i in range(1, 13)]


@pytest.mark.parametrize(
    ("text", "world", "low", "high"),
    [
        ("P@10", "closed", 0.4, 0.7),
        ("AP", "closed", 0.4087301587, 0.5830952381),
        ("nDCG@10", "closed", 0.4221261698, 0.5995200066),
        ("nDCG@10", "open", 0.2425025403, 0.5995200066),
        ('nDCG(gain="exp")@10', "closed", 0.352267692, 0.5607484451),
        ('nDCG(gain="exp")@10', "open", 0.1692941925, 0.5607484451),
        ("RBP(p=0.8)", "open", 0.4186703012, 0.4186703012 + 0.2759918223),
    ],
)
def test_worked_values(text: str, world, low: float, high: float) -> None:
    got = bounds(parse(text), topic(QRELS, RANKED), range(4), world=world)
    assert got == Bound(pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


def test_counting_unjudged_documents_as_0_is_no_lower_bound() -> None:
    docs = ["x", *(f"n{i}" for i in range(8)), "u"]
    judged = {"x": 1.0, **{f"n{i}": 0.0 for i in range(8)}}
    measure = parse('nDCG(gain="exp")@10')
    got = bounds(measure, topic(judged, docs), range(4))
    assert score(str(measure), judged, docs) == 1.0
    assert got.low == pytest.approx(0.3962104071, abs=1e-9) and got.high == 1.0


def test_many_holes_and_levels_stay_exact() -> None:
    """Levels spread over 200 holes: more gradings than can be tried, but a better one would have
    been found by chance or by shifting one hole."""
    rng = np.random.default_rng(7)
    judged = {f"j{i}": float(g) for i, g in enumerate(rng.integers(0, 5, 60))}
    docs = [f"j{i}" for i in range(0, 60, 2)] + [f"u{i}" for i in range(200)]
    docs = [docs[i] for i in rng.permutation(len(docs))]
    got = bounds(parse("nDCG"), topic(judged, docs), range(5))
    holes = [d for d in docs if d not in judged]
    for _ in range(300):
        cuts = np.sort(rng.integers(0, len(holes) + 1, 4))
        best = {d: float(4 - np.searchsorted(cuts, i, "right")) for i, d in enumerate(holes)}
        worst = dict(zip(holes, reversed(best.values()), strict=True))
        for grades in (best, worst):
            value = score("nDCG", {**judged, **grades}, docs)
            assert got.low - 1e-12 <= value <= got.high + 1e-12
    assert got.exact and math.isclose(got.low, min(_tops(judged, docs, holes)), abs_tol=1e-12)


def _tops(judged: dict[str, float], docs: list[str], holes: list[str]) -> list[float]:
    """The last n holes at the top, for every n: where the least value must be."""
    return [
        score("nDCG", {**judged, **dict.fromkeys(holes[len(holes) - n :], 4.0)}, docs)
        for n in range(len(holes) + 1)
    ]


def test_measures_without_bounds_are_refused() -> None:
    for text in (
        "infAP",
        "nDCG'@10",
        "INST(gmax=3)",
        "AP_Wu",
        "ERR@10",
        'RBP(graded=true, gmax="topic")',
    ):
        assert not has_bounds(parse(text))
        with pytest.raises(MeasureError, match="no bounds"):
            bounds(parse(text), topic({}, []), [0, 1])


def test_a_sign_is_open_only_where_it_could_change() -> None:
    assert Bound(-0.1, 0.2).open and Bound(0.0, 0.2).open
    assert not Bound(0.01, 0.2).open and not Bound(0.0, 0.0).open


def test_two_lists_that_are_nearly_one_are_bounded_nearly_exactly() -> None:
    """Holes in pairs count little where both lists rank them alike, however many there are."""
    docs = [f"d{i:03}" for i in range(100)]
    turned = [docs[1], docs[0], *docs[2:]]
    seen = topic({docs[1]: 1.0}, docs, turned)
    assert seen.n_holes == 99
    found = bounds(parse("AP"), seen, [0.0, 1.0])
    # d001 moves from rank 2 to 1; with d000 not relevant and nothing else it gains 1 - 1/2
    assert not found.exact
    assert found.low == pytest.approx(-0.5, abs=1e-12)
    assert found.high < 0.01
