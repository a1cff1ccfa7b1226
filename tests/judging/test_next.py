"""What to label next: every claim of settledness against all gradings there are."""

from __future__ import annotations

import itertools
import json
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.errors import InputError, MeasureError, NothingToEvaluate, UnknownName, UsageError
from cranfield.evaluation.holes import grades_of
from cranfield.judging.chances import (
    Chances,
    chance,
    differences,
    scored_as_is,
    seen_prior,
    uniform_prior,
)
from cranfield.judging.contest import Contest
from cranfield.judging.judgment import Judgment
from cranfield.judging.llm.rubric import read_rubric
from cranfield.judging.next import contest_of, next_labels
from cranfield.judging.scale import scale_of
from cranfield.judging.sets import label_set
from cranfield.judging.settling import settle
from cranfield.measures import parse
from cranfield.measures.bounds import Bound
from cranfield.report import labelling

DOCS = "abcdef"
LEVELS = np.array([0.0, 1.0, 2.0])
MEASURES = [
    *("nDCG@3", 'nDCG(gain="exp")@4', "DCG@3", "AP", "AP@3", "P@2", "R@3", "RR", "Success@2"),
    *("ERR(gmax=2)@4", "RBP(p=0.6)@4"),
]
LISTS = st.lists(st.sampled_from(DOCS), max_size=4, unique=True)
SOME = st.dictionaries(st.sampled_from(DOCS), st.integers(0, 2), max_size=3)
CASES = st.fixed_dictionaries({q: st.tuples(LISTS, LISTS, SOME) for q in ("q1", "q2")})
Case = dict[str, tuple[list[str], list[str], dict[str, int]]]


def contest(case: Case, measure: str, order: int = 1) -> Contest:
    items = list(case.items())[::order]
    return Contest(
        {q: x[0] for q, x in items},
        {q: x[1] for q, x in items},
        {q: dict(list(x[2].items())[::order]) for q, x in items},
        parse(measure).resolve(2),
        LEVELS,
    )


def by_all_gradings(of: Contest) -> list[float]:
    """The mean difference under each grading of what is not judged."""
    several = []
    for topic in of.topics:
        every = list(itertools.product(LEVELS, repeat=len(topic.names)))
        grades = np.array(every).reshape(len(every), len(topic.names))
        several.append(sorted(set(np.round(differences(topic, of.measure, grades), 12).tolist())))
    return [math.fsum(parts) / len(several) for parts in itertools.product(*several)]


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=8)
@given(case=CASES, seed=st.integers(0, 99))
def test_a_settled_answer_is_that_of_all_gradings(measure: str, case: Case, seed: int) -> None:
    rng = random.Random(seed)
    truth = {(q, d): rng.choice([0.0, 1.0, 2.0]) for q in case for d in DOCS}
    mine = contest(case, measure)
    holes = mine.holes
    found = settle(mine, lambda q, d: truth[q, d])
    asked = [(q, d) for q, d, _ in found.labels]
    assert len(asked) == len(set(asked)) <= holes == found.holes
    left = by_all_gradings(mine)
    sides = {"run" if x > 1e-9 else "base" if x < -1e-9 else "equal" for x in left}
    assert sides == {found.answer}


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "P@2", "ERR(gmax=2)@4"])
@settings(max_examples=8)
@given(case=CASES)
def test_the_order_of_labels_does_not_depend_on_that_of_the_files(measure: str, case: Case) -> None:
    one, two = contest(case, measure), contest(case, measure, -1)
    assert one.candidates() == two.candidates()
    assert one.bound == two.bound
    prior = uniform_prior(LEVELS, 0.4)
    assert chance(one, prior, samples=20, seed=3) == chance(two, prior, samples=20, seed=3)
    best = one.candidates()
    assert one.first() == (best[0] if best else None)


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=10)
@given(case=CASES)
def test_turning_the_runs_round_turns_the_answer(measure: str, case: Case) -> None:
    one = contest(case, measure)
    two = contest({q: (b, a, j) for q, (a, b, j) in case.items()}, measure)
    assert one.bound.low == pytest.approx(-two.bound.high, abs=1e-12)
    turned = {"run": "base", "base": "run", "equal": "equal"}
    first = [(c.query, c.doc, c.influence, turned[c.helps]) for c in one.candidates()]
    assert first == [(c.query, c.doc, c.influence, c.helps) for c in two.candidates()]


@pytest.mark.parametrize(
    "measure", ["nDCG@3", "DCG@3", "P@2", "AP@3", "RBP(p=0.6)@4", "ERR(gmax=2)@4"]
)
@settings(max_examples=10)
@given(case=CASES)
def test_influence_is_what_a_label_takes_off_the_bounds_at_most(measure: str, case: Case) -> None:
    mine = contest(case, measure)
    before = mine.bound.width
    for candidate in mine.candidates():
        drops = []
        for grade in LEVELS.tolist():
            after = contest(case, measure)
            after.record(candidate.query, candidate.doc, grade)
            drops.append(before - after.bound.width)
        ends = max(drops[0], drops[-1])
        assert candidate.influence == pytest.approx(ends, abs=1e-9)
        assert min(drops) > -1e-9


def test_the_weights_of_average_precision_by_hand() -> None:
    """Base a b c, run c a d; a is relevant. c_ij = 1/max of ranks in the run less in the base."""
    mine = Contest(
        {"q": ["a", "b", "c"]}, {"q": ["c", "a", "d"]}, {"q": {"a": 1.0}}, parse("AP"), LEVELS[:2]
    )
    b = -(1 / 2 + 1 / 2), -(1 / 2 + 1 / 2 + 1 / 3)  # itself and a; without it c too
    c = (1 + 1 / 2) - (1 / 3 + 1 / 3), (1 + 1 / 2 + 1 / 3) - (1 / 3 + 1 / 3 + 1 / 3)
    d = (1 / 3 + 1 / 3), (1 / 3 + 1 / 3 + 1 / 3)
    want = {"b": max(map(abs, b)) / 2, "c": max(map(abs, c)) / 2, "d": max(map(abs, d)) / 2}
    got = {x.doc: x.influence for x in mine.candidates()}
    assert got == pytest.approx(want, abs=1e-9)
    assert {x.doc: x.helps for x in mine.candidates()} == {"b": "base", "c": "run", "d": "run"}
    assert [x.doc for x in mine.candidates()] == ["b", "d", "c"] or got["c"] > got["d"]


@settings(max_examples=30)
@given(
    base=st.permutations(list("abcdef")),
    run=st.permutations(list("abcdefgh")),
    cut=st.tuples(st.integers(1, 6), st.integers(1, 8)),
    grades=st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 1.0])),
)
def test_the_weights_are_what_a_label_does_to_the_sums_of_pairs(base, run, cut, grades) -> None:
    """Carterette, Allan & Sitaraman 2006, from the definition: AP · R is a sum over pairs of
    relevant documents, each once; a relevant label adds the pairs with what is known to be
    relevant, and one that is not takes away all that could still have been."""
    lists = base[: cut[0]], run[: cut[1]]
    mine = Contest({"q": lists[0]}, {"q": lists[1]}, {"q": grades}, parse("AP"), LEVELS[:2])

    def pairs(relevant: set[str]) -> float:
        """Σ over pairs, and documents with themselves, of 1/max rank; the run's less the base's."""
        total = 0.0
        for sign, docs in ((-1, lists[0]), (1, lists[1])):
            at = [i for i, doc in enumerate(docs, 1) if doc in relevant]
            total += sign * sum(1 / max(i, j) for n, i in enumerate(at) for j in at[n:])
        return total

    known = {doc for doc, grade in grades.items() if grade}
    possible = known | {c.doc for c in mine.candidates()}
    for c in mine.candidates():
        added = pairs(known | {c.doc}) - pairs(known)
        lost = pairs(possible) - pairs(possible - {c.doc})
        R = len(known) + 1
        assert c.influence == pytest.approx(max(abs(added), abs(lost)) / R, abs=1e-9)
        if abs(added) > 1e-9:
            assert c.helps == ("run" if added > 0 else "base")


@settings(max_examples=15)
@given(case=CASES)
def test_a_chance_is_the_share_of_gradings(case: Case) -> None:
    mine = contest(case, "nDCG@3")
    prior = np.array([0.5, 0.3, 0.2])
    wins = 0.0
    parts = []
    for topic in mine.topics:
        every = list(itertools.product(range(3), repeat=len(topic.names)))
        weights = [math.prod(prior[list(g)].tolist()) for g in every]
        grades = LEVELS[np.array(every, np.int64).reshape(len(every), len(topic.names))]
        parts.append(list(zip(differences(topic, mine.measure, grades), weights, strict=True)))
    merged: list[dict[float, float]] = []
    for part in parts:
        sums: dict[float, float] = {}
        for x, weight in part:
            sums[round(float(x), 12)] = sums.get(round(float(x), 12), 0.0) + weight
        merged.append(sums)
    for (x, v), (y, w) in itertools.product(*(m.items() for m in merged)):
        wins += v * w * (1.0 if x + y > 1e-9 else 0.5 if abs(x + y) <= 1e-9 else 0.0)
    assert chance(mine, prior, samples=2000) == pytest.approx(wins, abs=0.06)


def test_a_label_leaves_the_draws_of_other_documents_as_they_were() -> None:
    mine = contest({"q1": (["a", "b"], ["c", "d"], {})}, "P@2")
    prior = uniform_prior(LEVELS)
    chances = Chances(mine, 400, 1)
    before = chances.draw(mine.topics[0], prior)
    mine.record("q1", "a", 0.0)
    after = chances.draw(mine.topics[0], prior)
    assert set(np.round(after - before, 9)) == {0.0, 0.5}  # only a counts no more


def world(seed: int, n: int = 12) -> tuple[Any, Any, dict[str, dict[str, float]]]:
    """A good run, a poor one, and the truth."""
    rng = np.random.default_rng(seed)
    docs = [f"d{i:02}" for i in range(40)]
    good, poor, truth = {}, {}, {}
    for q in range(n):
        grades = (rng.random(40) < 0.3).astype(float)
        name = f"q{q:02}"
        truth[name] = dict(zip(docs, grades.tolist(), strict=True))
        good[name] = dict(zip(docs, (2 * grades + rng.normal(0, 1, 40)).tolist(), strict=True))
        poor[name] = dict(zip(docs, (0.3 * grades + rng.normal(0, 1, 40)).tolist(), strict=True))
    return poor, good, truth


def runs(seed: int, measure: str) -> tuple[Contest, dict[str, dict[str, float]]]:
    poor, good, truth = world(seed)
    lists = [
        {q: sorted(docs, key=lambda d: (-docs[d], d)) for q, docs in run.items()}
        for run in (poor, good)
    ]
    return Contest(*lists, {}, parse(measure), LEVELS[:2]), truth


@pytest.mark.parametrize("measure", ["nDCG@10", "P@10", "AP@10"])
def test_the_chosen_order_settles_earlier_than_a_random_one(measure: str) -> None:
    mine, truth = runs(1, measure)
    chosen = settle(mine, lambda q, d: truth[q][d])
    other, _ = runs(1, measure)
    pairs = [(t.query, doc) for t in other.topics for doc in t.names]
    random.Random(7).shuffle(pairs)
    drawn = settle(other, lambda q, d: truth[q][d], order=pairs)
    again, _ = runs(1, measure)
    likely = settle(again, lambda q, d: truth[q][d], rule="probable", level=0.95)
    assert chosen.answer == drawn.answer == likely.answer == "run"
    assert len(likely.labels) < len(chosen.labels) < 0.9 * len(drawn.labels) < chosen.holes


def test_a_limit_leaves_it_open() -> None:
    mine, truth = runs(2, "P@5")
    found = settle(mine, lambda q, d: truth[q][d], most=3)
    assert (found.answer, len(found.labels), mine.labels) == (None, 3, 3)


def test_the_page_says_how_it_stands() -> None:
    poor, good, truth = world(3)
    known = {q: dict(list(docs.items())[:30]) for q, docs in truth.items()}
    found = next_labels(poor, good, "nDCG@10", qrels=known, n=4)
    tops = {
        (q, d)
        for run in (poor, good)
        for q, docs in run.items()
        for d in sorted(docs, key=lambda d: -docs[d])[:10]
    }
    assert found.judged + found.holes == len(tops)
    scores = cranfield.evaluate(known, {"a": poor, "b": good}, "nDCG@10")
    assert found.difference == pytest.approx(scores.mean(run="b") - scores.mean(run="a"))
    assert found.bound.low < found.difference < found.bound.high
    shown = labelling.page(found).to_text()
    assert f"{found.holes - 4} more can change it." in shown
    assert "(as among the judged)" in shown
    assert "接下来标注" in labelling.page(found, "zh").to_text()
    all_known = next_labels(poor, good, "P@10", qrels=truth)
    assert all_known.answer == "run" and not all_known.documents
    assert "Settled" in labelling.page(all_known).to_text()


def test_without_any_label_and_for_some_queries() -> None:
    poor, good, _ = world(4)
    found = next_labels(poor, good, "P@5", queries=["q01", "q02"], n=None, prior=0.3)
    assert found.queries == 2
    assert (found.prior_from, found.prior) == ("given", ((0.0, 0.7), (1.0, 0.3)))
    assert {c.query for c in found.documents} == {"q01", "q02"}
    assert (found.judged, found.holes) == (0, len(found.documents))
    assert next_labels(poor, good, "P@5").prior_from == "none"
    assert scored_as_is(runs(4, "P@5")[0]) == 0


def test_mistakes() -> None:
    poor, good, _ = world(5, 2)
    with pytest.raises(MeasureError, match="bounds"):
        next_labels(poor, good, "infAP")
    with pytest.raises(UsageError):
        next_labels(poor, good, ["P@5", "AP"])
    with pytest.raises(UsageError):
        next_labels(poor, good, prior=1.5)
    with pytest.raises(NothingToEvaluate):
        next_labels(poor, good, queries=["nobody"])
    mine, _ = runs(5, "P@5")
    with pytest.raises(UnknownName):
        mine.record("nobody", "d00", 1)
    with pytest.raises(InputError):
        mine.record("q00", "d00", 7)
    with pytest.raises(UsageError):
        settle(mine, lambda q, d: 0.0, rule="perhaps")  # type: ignore[arg-type]
    assert seen_prior(mine).tolist() == [0.5, 0.5]


def test_a_pair_of_trec_covid_is_settled_by_half_of_its_pool(shared) -> None:
    """Labels hidden at first; the answer must be that of the whole pool of both runs."""
    folder = shared / "runs" / "trec-covid-r1"
    qrels = cranfield.read_qrels(folder / "qrels.covid-round1.txt", on_duplicate="first")
    truth = grades_of(qrels)

    def start() -> Contest:
        pair = (
            cranfield.read_run(folder / "runs" / f"{name}.gz", on_duplicate="first")
            for name in ("bm25t5", "BERT")
        )
        return contest_of(*pair, "AP@10", scale=2, queries=list(truth))[0]

    def judge(query: str, doc: str) -> float:
        return truth[query].get(doc, 0.0)

    whole = start()
    for topic in whole.topics:
        for doc in list(topic.names):
            whole.record(topic.query, doc, judge(topic.query, doc))
    certain = settle(start(), judge)
    likely = settle(start(), judge, rule="probable", samples=200)
    assert certain.answer == likely.answer == whole.answer == "base"
    assert certain.holes == 584
    assert len(certain.labels) < 0.65 * 584
    assert len(likely.labels) < 0.2 * 584


def two_lists() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Of `run` the second document is unjudged; it decides if its grade is above 1."""
    return {"q1": {"A": 2.0, "X": 1.0}}, {"q1": {"Y": 2.0, "U": 1.0}}


def test_a_verdict_takes_the_scale_of_the_rubric() -> None:
    base, run = two_lists()
    version = read_rubric("grades-en").version

    def said(rubric: str, **more: Any) -> Any:
        rows = [Judgment("q1", d, g, rubric=rubric) for d, g in (("A", 1), ("Y", 0), ("X", 0))]
        return next_labels(base, run, "nDCG@2", qrels=rows, **more)

    known = said(version)
    assert (known.scale.top, known.scale.source, known.answer) == (3.0, "rubric", None)
    assert f"0 to 3 (rubric {version})" in labelling.page(known).to_text()
    seen = said("of our own@1")
    assert (seen.scale.top, seen.scale.source, seen.answer) == (1.0, "seen", "base")
    page = labelling.page(seen).to_text()
    assert "Settled on the scale 0 to 1 alone" in page and "whatever" not in page
    assert "仅在 0 到 1" in labelling.page(seen, "zh").to_text()
    given = said("of our own@1", scale=3)
    assert (given.scale.source, given.answer) == ("given", None)
    after = Judgment("q1", "U", 3)  # the label that turns it
    rows = [Judgment("q1", d, g) for d, g in (("A", 1), ("Y", 0), ("X", 0))]
    assert next_labels(base, run, "nDCG@2", qrels=[*rows, after]).answer == "run"


def test_the_scale_is_known_of_models_and_of_desks(labels: Any) -> None:
    grades = [{"grade": g} for g in range(5)]
    content = {"rubric": "mine@1", "rubric_in_full": {"grades": grades}}
    labels.database.add("askings", [{"at": "", "prompt": "", "content": json.dumps(content)}])
    labels.record([Judgment("q", "d", 1, source="llm", rubric="mine@1")])
    found = scale_of([label_set("@llm", labels=labels)], None, labels)
    assert (found.top, found.source, found.rubrics) == (4.0, "rubric", ("mine@1",))
    desk = Judgment("q", "d", 1, rubric="theirs@1", details={"desk": "web", "scale": 2})
    assert scale_of([label_set([desk])]).top == 2.0
    above = Judgment("q", "e", 7, rubric="theirs@1")
    assert scale_of([label_set([desk, above])]).source == "seen"
    assert scale_of([]).source == "none"


def test_labels_that_would_settle_are_none_only_where_it_is_settled() -> None:
    """Bounds that end at 0, but for rounding, leave open whether there is a difference at all."""
    docs = {"U": 3.0, "a": 2.0, "b": 1.0}
    run = dict.fromkeys(("q1", "q2"), docs)
    base = {q: {"c": 3.0, "a": 2.0, "b": 1.0} for q in run}
    known = {q: {"c": 1, "a": 1, "b": 1} for q in run}
    found = next_labels(base, run, "nDCG@3", qrels=known)
    assert abs(found.bound.high) < 1e-9 and found.bound.low < 0
    assert (found.answer, found.labels) == (None, 1)
    assert Bound(-0.1, -1e-17).open and Bound(-0.1, 1e-17).open
    assert not Bound(-1e-17, 1e-17).open and not Bound(-0.2, -0.1).open


def test_scales_and_levels_that_mean_nothing() -> None:
    base, run = two_lists()
    known = {"q1": {"A": 2}}
    for wrong in ({"scale": 0}, {"scale": 1}, {"scale": math.nan}, {"level": 0.5}, {"level": 0.4}):
        with pytest.raises(UsageError):
            next_labels(base, run, qrels=known, **wrong)
    with pytest.raises(UsageError):
        settle(runs(1, "P@5")[0], lambda q, d: 0, rule="probable", level=0.3)
