"""The laws again, where several people judged, in one order or in several partial ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import Qrels, evaluate
from cranfield.data.columns import Ids
from cranfield.formats.inputs import Input
from cranfield.formats.sources import RunFile
from cranfield.measures import CATALOG, Measure, parse

DOCS = [f"d{i}" for i in range(8)]
QUERIES = ["q1", "q2", "q3"]
PREFERENCES = [name for name, family in CATALOG.items() if family.view == "preferences"]
GROUPS = [name for name, family in CATALOG.items() if family.view == "groups"]
MEASURES = [
    m(pairs=pairs)
    for m in map(Measure, PREFERENCES)
    for pairs in ("all", "ret", "imp")
    if pairs != "imp" or m.family != "prefs_avgjg_Rnonrel"
]
MEANS = [parse(text) for text in ("AP_avgjg", "AP_avgjg(rel=2)@3", "P_avgjg@3", "Rprec_avgjg")]
MEANS += [parse(text) for text in ("AP_avgjg'", "P_avgjg'@3", "Rprec_avgjg(mult=0.4)'")]

Row = tuple[str, str, str, str, float]  # query, group, part, document, level


@st.composite
def preferences(draw, most=2) -> list[Row]:
    """Orders of two or three people for each query; of one person they never contradict."""
    rows: list[Row] = []
    for query in QUERIES:
        for group in ("ann", "bob", "eve")[: draw(st.integers(1, 3))]:
            hidden = draw(st.permutations(range(len(DOCS))))
            bottom = draw(st.sets(st.sampled_from(DOCS), max_size=4))
            for part in range(draw(st.integers(1, most))):
                docs = draw(st.lists(st.sampled_from(DOCS), unique=True, min_size=1))
                rows += [
                    (query, group, str(part), d, 0.0 if d in bottom else 1.0 + hidden[int(d[1])])
                    for d in docs
                ]
    rows += [("q1", "ann", "sure", "z1", 1.0), ("q1", "ann", "sure", "z2", 0.0)]
    return rows


@st.composite
def grades(draw) -> list[Row]:
    """What three people gave to some documents of each query."""
    marks = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([-1, 0, 1, 2]), min_size=1)
    return [
        (query, group, "0", doc, float(grade))
        for query in QUERIES
        for group in ("ann", "bob", "eve")
        for doc, grade in {**draw(marks), "d0": 1}.items()
    ]


UNTIED = st.integers(-1000, 1000).map(float)


@st.composite
def runs(draw, score=UNTIED) -> dict[str, dict[str, float]]:
    docs = st.dictionaries(st.sampled_from([*DOCS, "x", "y"]), score, max_size=9)
    return {q: draw(docs.filter(lambda d: len(set(d.values())) == len(d))) for q in QUERIES}


def qrels_of(rows: list[Row], *, parts: bool = True) -> Qrels:
    query, group, part, docs = (Ids.of(row[i] for row in rows) for i in range(4))
    level = np.array([row[4] for row in rows])
    more = {"part": part} if parts else {}
    return Qrels.from_columns(query, docs, level, group=group, **more)


def of(rows, run, *, parts=True, measures=None, **how) -> dict[str, list[float]]:
    asked = measures or (MEASURES if parts else MEANS)
    scores = evaluate(qrels_of(rows, parts=parts), run, asked, **how)
    return dict(zip(scores.queries, scores.values[0].tolist(), strict=True))


BOTH = st.one_of(st.tuples(preferences(), st.just(True)), st.tuples(grades(), st.just(False)))


@given(BOTH, runs(), st.randoms())
def test_the_order_of_rows_and_queries_does_not_matter(data, run, rng) -> None:
    rows, parts = data
    shuffled = list(rows)
    rng.shuffle(shuffled)
    queries = list(run)
    rng.shuffle(queries)
    expected = of(rows, run, parts=parts)
    assert of(shuffled, {q: run[q] for q in queries}, parts=parts) == expected


@given(BOTH, runs(), st.sampled_from([lambda x: x**3, math.atan, lambda x: x / 7 - 2]))
def test_only_the_order_of_the_scores_matters(data, run, transform) -> None:
    rows, parts = data
    moved = {q: {d: transform(s) for d, s in docs.items()} for q, docs in run.items()}
    assert of(rows, moved, parts=parts) == of(rows, run, parts=parts)


@given(BOTH, runs(), st.permutations(DOCS), st.permutations(["ann", "bob", "eve"]))
def test_names_do_not_matter(data, run, docs, people) -> None:
    """Sums of several people come in the order of their names, so that a last bit may differ; and
    of several orders trec_eval leaves out the documents whose ids come last."""
    rows, parts = data
    new = dict(zip(DOCS, (f"文{d}" for d in docs), strict=True))
    who = dict(zip(("ann", "bob", "eve"), people, strict=True))
    asked = [m for m in MEASURES if m.family != "prefs_avgjg_Rnonrel"] if parts else MEANS
    renamed = [("T" + q, who[g], "p" + p, new.get(d, d), level) for q, g, p, d, level in rows]
    again = {"T" + q: {new.get(d, d): s for d, s in ds.items()} for q, ds in run.items()}
    found = of(renamed, again, parts=parts, measures=asked)
    for query, values in of(rows, run, parts=parts, measures=asked).items():
        assert found["T" + query] == pytest.approx(values, abs=1e-12)


@given(preferences(most=1), runs(), st.permutations(DOCS))
def test_names_do_not_matter_to_one_order_each(rows, run, docs) -> None:
    rows = [("q1", "ann", "0", *row[3:]) if row[2] == "sure" else row for row in rows]
    new = dict(zip(DOCS, docs, strict=True))
    renamed = [(q, g, p, new.get(d, d), level) for q, g, p, d, level in rows]
    again = {q: {new.get(d, d): s for d, s in ds.items()} for q, ds in run.items()}
    expected = of(rows, run)
    for query, values in of(renamed, again).items():
        assert values == pytest.approx(expected[query], abs=1e-12)


@given(BOTH, runs())
def test_values_lie_in_the_declared_range(data, run) -> None:
    rows, parts = data
    asked = MEASURES if parts else MEANS
    for values in of(rows, run, parts=parts).values():
        for measure, value in zip(asked, values, strict=True):
            low, high = measure.definition.range
            assert low <= value <= high * (1 + 1e-12)


@given(BOTH, runs())
def test_topics_may_be_evaluated_apart(data, run) -> None:
    rows, parts = data
    together = of(rows, run, parts=parts)
    for part in (["q1"], ["q1", "q3"]):
        found = of([row for row in rows if row[0] in part], run, parts=parts)
        assert found == {q: together[q] for q in part}


@given(BOTH, runs(), st.integers(1, 200), st.integers(1, 3))
def test_chunks_and_threads_do_not_matter(tmp_path_factory, data, run, size, threads) -> None:
    rows, parts = data
    path = tmp_path_factory.mktemp("run") / "run.txt"
    lines = [f"{q} Q0 {d} 1 {s!r} t\n" for q, docs in run.items() for d, s in docs.items()]
    if not lines:
        return
    path.write_text("".join(lines))
    source = RunFile(Input(path), chunk_size=size)
    assert of(rows, source, parts=parts, threads=threads) == of(rows, run, parts=parts)


@given(preferences(), runs())
def test_levels_matter_only_by_their_order(rows, run) -> None:
    stretched = [(*row[:4], row[4] ** 2 * 3) for row in rows]
    assert of(stretched, run) == of(rows, run)


@given(preferences(), runs())
def test_unjudged_documents_change_nothing(rows, run) -> None:
    more = {q: docs | {f"u{i}": 2000.0 + i for i in range(5)} for q, docs in run.items()}
    assert of(rows, more) == of(rows, run)
