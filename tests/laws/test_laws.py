"""Laws that every measure of the catalogue keeps when it is reached through `evaluate`: what must
not matter does not change a bit, and what is said about ranges and ties is so."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield import Qrels, Run, Scores, evaluate
from cranfield.errors import MeasureError
from cranfield.formats.inputs import Input
from cranfield.formats.sources import RunFile
from cranfield.measures import CATALOG, Measure

PARAMS = {
    "k": st.integers(1, 12),
    "rel": st.sampled_from([0.5, 1, 1.5, 2, 3]),
    "gain": st.sampled_from(["linear", "exp", {1: 2, 2: 1, 3: 5, 0.5: 0}]),
    "norm": st.sampled_from(["rel", "min"]),
    "beta2": st.sampled_from([0.25, 1, 4]),
    "p": st.sampled_from([0.1, 0.5, 0.8, 0.95]),
    "graded": st.booleans(),
    "gmax": st.sampled_from([3, 4, 7.5]),
    "denom": st.sampled_from(["min", "k"]),
    "any_row": st.booleans(),
    "condensed": st.booleans(),
    "pairs": st.sampled_from(["all", "imp", "ret"]),
}


def plain(name: str) -> Measure:
    family = CATALOG[name]
    if not family.needs_cutoff:
        return Measure(name)
    return Measure(name) @ (10 if family.cutoff == "k" else 0.5)


OTHERS = ("subtopics", "strata")  # views of judgments that no dictionary holds
FAMILIES = sorted(name for name, family in CATALOG.items() if family.view not in OTHERS)
DEFAULTS = [plain(name) for name in FAMILIES]


@st.composite
def a_measure(draw) -> Measure:
    """A member of a random family with some parameters drawn."""
    measure = plain(draw(st.sampled_from(FAMILIES)))
    params = measure.definition.params
    for param in sorted(params, key=lambda p: p.when is not None):  # flags before what they open
        known = param.name in PARAMS and param.applies(measure.values)
        if known and draw(st.booleans()):
            with suppress(MeasureError):  # allowed for another family only
                measure = measure(**{param.name: draw(PARAMS[param.name])})
    return measure


MEASURES = st.lists(a_measure(), max_size=6).map(lambda more: list(dict.fromkeys(DEFAULTS + more)))
GRADE = st.sampled_from([-1, 0, 0, 0.5, 1, 2, 3])
DOCS = [f"d{i}" for i in range(16)]
TOPIC = st.fixed_dictionaries({}, optional=dict.fromkeys(DOCS, GRADE))
TIED = st.sampled_from([3.0, 2.0, 1.0, 0.5, 0.0, -1.0])


@st.composite
def a_collection(draw, score=TIED, most=5) -> tuple[dict, dict]:
    """Judgments and a run of a few queries; some queries stand on one side only."""
    names = [f"q{i}" for i in range(draw(st.integers(1, most)))]
    qrels = {q: docs for q in names if (docs := draw(TOPIC))}
    run = {
        q: draw(st.fixed_dictionaries({}, optional=dict.fromkeys(DOCS, score)))
        for q in draw(st.permutations(names))
        if draw(st.integers(0, 5))
    }
    assume(any(g >= 0 for q in qrels for g in qrels[q].values()))
    assume(set(run) & {q for q in qrels if max(qrels[q].values()) >= 0})
    assume(any_preference(qrels))
    return qrels, run


def any_preference(qrels: dict) -> bool:
    """Without one, measures of preferences are refused."""
    return any(len({g for g in docs.values() if g >= 0}) > 1 for docs in qrels.values())


UNTIED = st.integers(-1000, 1000).map(float)


def untied(run: dict) -> bool:
    return all(len(set(docs.values())) == len(docs) for docs in run.values())


def table(scores: Scores, names: dict[str, str] | None = None) -> dict[str, tuple]:
    """{query: (bits of the values, which are defined)}."""
    names = names or {}
    return {
        names.get(q, q): (scores.values[0, i].tobytes(), scores.valid[0, i].tobytes())
        for i, q in enumerate(scores.queries)
    }


def of(qrels, run, measures, **how) -> dict[str, tuple]:
    return table(evaluate(qrels, run, measures, scale=3, **how))


INCREASING = [
    lambda x: x * 2 - 7,
    lambda x: x / 3,
    lambda x: x**3,
    lambda x: 1 / (1 + math.exp(-x / 50)),
    lambda x: math.nextafter(x, math.inf),
    lambda x: math.atan(x / 100),
]


@given(
    a_collection(), MEASURES, st.sampled_from(INCREASING), st.sampled_from(["docid-desc", "file"])
)
def test_only_the_order_of_the_scores_matters(collection, measures, transform, ties):
    qrels, run = collection
    moved = {q: {d: transform(s) for d, s in docs.items()} for q, docs in run.items()}
    assert of(qrels, moved, measures, ties=ties) == of(qrels, run, measures, ties=ties)


@given(a_collection(UNTIED), MEASURES, st.permutations(DOCS), st.randoms())
def test_names_of_documents_and_queries_do_not_matter(collection, measures, order, rng):
    qrels, run = collection
    assume(untied(run))
    doc = {d: f"new-{n}" + "-long" * rng.randrange(4) for d, n in zip(DOCS, order, strict=True)}
    query = {q: f"日{i}" for i, q in enumerate(sorted(qrels | run, key=lambda q: rng.random()))}

    def renamed(data):
        return {query[q]: {doc[d]: v for d, v in docs.items()} for q, docs in data.items()}

    expected = table(evaluate(qrels, run, measures, scale=3), query)
    assert of(renamed(qrels), renamed(run), measures) == expected


@given(a_collection(), MEASURES, st.sampled_from(["docid-desc", "docid-asc"]), st.randoms())
def test_the_order_of_queries_and_rows_does_not_matter(collection, measures, ties, rng):
    qrels, run = collection
    judged = [(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
    rows = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    assume({q for q, _, g in judged if g >= 0} & {q for q, _, _ in rows})
    expected = of(judged, rows, measures, ties=ties)
    assert of(judged[::-1], rows[::-1], measures, ties=ties) == expected
    rng.shuffle(judged)
    rng.shuffle(rows)
    assert of(judged, rows, measures, ties=ties) == expected


# What these measures say, unjudged documents below everything may change.
SEE_THE_TAIL = {
    *("NumRet", "Judged", "Unjudged", "RBPRes", "P", "F"),
    *("RelP", "SetAP", "Utility", "Rndcg"),
}


@given(a_collection(), MEASURES, st.integers(1, 30))
def test_unjudged_documents_below_everything_change_nothing(collection, measures, n):
    qrels, run = collection
    seen = [
        m
        for m in measures
        if m.family not in SEE_THE_TAIL or m.condensed or (m.family == "P" and m.cutoff)
    ]
    longer = {q: docs | {f"x{i}": -5.0 - i for i in range(n)} for q, docs in run.items()}
    assert of(qrels, longer, seen) == of(qrels, run, seen)


@given(a_collection(most=6), MEASURES, st.data())
def test_topics_may_be_evaluated_apart(collection, measures, data):
    qrels, run = collection
    together = of(qrels, run, measures)
    first = set(data.draw(st.lists(st.sampled_from(sorted(qrels)))))
    for part in (first, set(qrels) - first):
        some = {q: docs for q, docs in qrels.items() if q in part}
        if set(some) & set(run) & set(together) and any_preference(some):
            found = of(some, run, measures)
            assert found == {q: together[q] for q in found}
            assert set(found) == part & set(together)


@given(a_collection(), MEASURES, st.integers(1, 300), st.integers(1, 3))
@settings(max_examples=50)
def test_chunks_and_threads_do_not_matter(tmp_path_factory, collection, measures, size, threads):
    qrels, run = collection
    path = tmp_path_factory.mktemp("run") / "run.txt"
    rows = [f"{q} Q0 {d} 1 {s!r} t\n" for q, docs in run.items() for d, s in docs.items()]
    answered = {q: docs for q, docs in run.items() if docs}
    assume(set(answered) & {q for q in qrels if max(qrels[q].values()) >= 0})
    path.write_text("".join(rows))
    source = RunFile(Input(path), chunk_size=size)
    assert of(qrels, source, measures, threads=threads) == of(qrels, answered, measures)


@given(a_collection(), MEASURES)
def test_forms_of_judgments_and_runs_do_not_matter(collection, measures):
    qrels, run = collection
    expected = of(qrels, run, measures)
    assert of(Qrels.from_dict(qrels), Run.from_dict(run), measures) == expected


@given(a_collection(), MEASURES)
def test_values_lie_in_the_declared_range_and_means_between_them(collection, measures):
    scores = evaluate(*collection, measures, scale=3)
    assert np.isfinite(scores.values).all()
    for i, measure in enumerate(scores.measures):
        low, high = CATALOG[list(measures)[i].family].range
        mine = scores.values[0, scores.valid[0, :, i], i]
        assert (mine >= low).all()
        assert (mine <= high * (1 + 1e-12)).all()
        if measure.aggregate == "mean" and len(mine):
            assert mine.min() - 1e-15 <= scores.mean(measure.full) <= mine.max() + 1e-15


@given(a_collection(), MEASURES)
def test_what_nobody_answered_scores_as_an_empty_list(collection, measures):
    qrels, run = collection
    empty = {q: run.get(q, {}) for q in {**run, **qrels}}
    assert of(qrels, empty, measures) == of(qrels, run, measures)


@given(a_collection(most=2), MEASURES)
@settings(max_examples=30)
def test_a_measure_has_one_value_under_all_its_names(collection, measures):
    scores = evaluate(*collection, measures, scale=3)
    for i, label in enumerate(scores.measures):
        for text in (label.text, label.full):
            again = evaluate(*collection, text, scale=3)
            assert again.values[0, :, 0].tobytes() == scores.values[0, :, i].tobytes()


@pytest.mark.parametrize(
    "measure", [m for m in DEFAULTS if m.definition.aggregate == "mean"], ids=str
)
def test_the_mean_does_not_depend_on_the_order_of_the_queries(measure):
    """Sums are exact before they are rounded once: no order of a thousand queries shows."""
    rng = np.random.default_rng(4)
    grade, score = rng.integers(0, 3, (300, 8)), rng.random((300, 8))
    qrels = {f"q{q}": {f"d{d}": int(grade[q, d]) for d in range(8)} for q in range(300)}
    run = {f"q{q}": {f"d{d}": float(score[q, d]) for d in range(8)} for q in range(300)}
    means = set()
    for _ in range(5):
        order = [f"q{i}" for i in rng.permutation(300)]
        shuffled = {q: qrels[q] for q in order}
        means.add(evaluate(shuffled, run, measure, scale=2).mean())
    assert len(means) == 1
