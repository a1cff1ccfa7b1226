"""Scores by people's labels with the help of a model's."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.judging.honest import estimate
from cranfield.judging.judgment import Judgment
from cranfield.judging.parts import draw_parts
from cranfield.report import honest

DOCS = [f"d{i}" for i in range(8)]
Labels = dict[str, dict[str, int]]


def world(n: int, seed: int) -> tuple[Labels, Labels, dict[str, dict[str, float]]]:
    """Grades of people, those of a kind and noisy model, and a run."""
    rng = np.random.default_rng(seed)
    people, model, run = {}, {}, {}
    for q in range(n):
        grades = (rng.random(8) < 0.2 + 0.6 * rng.random()).astype(int)
        noisy = np.where(rng.random(8) < 0.2, 1, grades)
        name = f"q{q:03}"
        people[name] = dict(zip(DOCS, grades.tolist(), strict=True))
        model[name] = dict(zip(DOCS, noisy.tolist(), strict=True))
        score = grades + rng.normal(0, 1, 8)
        run[name] = dict(zip(DOCS, score.tolist(), strict=True))
    return people, model, run


def part(labels: Labels, n: int) -> Labels:
    return dict(list(labels.items())[:n])


def test_the_mean_is_that_of_the_formula() -> None:
    people, model, run = world(60, 1)
    found = estimate(part(people, 20), model, [run], ["P@5"])
    (row,) = found.rows
    assert (found.n, found.others, row.base) == (20, 40, None)
    y, f = (
        np.array(list(cranfield.evaluate(labels, run, "P@5").per_query().values()))
        for labels in (people, model)
    )
    assert row.classical.mean == pytest.approx(f[20:].mean() + (y[:20] - f[:20]).mean())
    weight = row.tuned.weight
    assert row.tuned.mean == pytest.approx(
        weight * f[20:].mean() + (y[:20] - weight * f[:20]).mean()
    )
    assert row.true.mean == pytest.approx(y[:20].mean())
    assert row.model == pytest.approx(f.mean())
    assert row.correlation == pytest.approx(np.corrcoef(y[:20], f[:20])[0, 1])


def test_two_runs_give_their_difference_whatever_the_order_of_queries() -> None:
    people, model, run = world(50, 2)
    base = {q: {d: -s for d, s in docs.items()} for q, docs in run.items()}
    one = estimate(part(people, 15), model, [base, run], ["nDCG@5", "AP"])
    turned = dict(reversed(list(part(people, 15).items())))
    two = estimate(turned, dict(reversed(list(model.items()))), [base, run], ["nDCG@5", "AP"])
    assert [r.measure for r in one.rows] == ["nDCG@5", "AP"]
    for a, b in zip(one.rows, two.rows, strict=True):
        assert a.tuned.mean == pytest.approx(b.tuned.mean, abs=1e-12)
        assert a.tuned.low == pytest.approx(b.tuned.low, abs=1e-12)
        assert a.tuned.mean is not None and a.tuned.mean > 0


def test_it_covers_the_mean_by_people_where_the_model_alone_does_not() -> None:
    """A collection of 400 queries is the world; people label 25 of them at random."""
    people, model, run = world(400, 3)
    truth = cranfield.evaluate(people, run, "P@5").mean()
    rng = np.random.default_rng(4)
    held, narrower = 0, 0
    for _ in range(60):
        chosen = rng.choice(400, 25, replace=False)
        few = {f"q{q:03}": people[f"q{q:03}"] for q in chosen}
        (row,) = estimate(few, model, [run], ["P@5"]).rows
        assert row.tuned.low is not None and row.tuned.high is not None
        held += row.tuned.low <= truth <= row.tuned.high
        narrower += (row.tuned.width or 0) < (row.true.width or 0)
        assert row.model - truth > 0.05  # the model is kind
    assert held >= 51  # .95 of 60 is 57; fewer than 51 come once in a hundred
    assert narrower > 45


def test_labels_needed_and_worth() -> None:
    people, model, run = world(200, 5)
    found = estimate(part(people, 20), model, [run], ["P@5"], width=0.12)
    (row,) = found.rows
    assert row.needed is not None and row.needed.n is not None and row.needed.more is not None
    assert row.needed.more == row.needed.n - 20 > 0
    assert row.worth is not None and row.worth > 20
    assert f"{row.needed.more} queries more" in honest.page(found).to_text()
    assert "还需人工标注" in honest.page(found, "zh").to_text()


def test_rare_errors_are_doubted_and_worth_is_never_more_than_all_there_is() -> None:
    rng = np.random.default_rng(9)
    names = [f"q{i:03}" for i in range(120)]
    first = rng.integers(0, 3, 120)  # rank of the relevant document, mostly judged right
    run = {q: {"a": 3.0, "b": 2.0, "c": 1.0} for q in names}
    people = {q: {d: int(d == "abc"[k]) for d in "abc"} for q, k in zip(names, first, strict=True)}
    found = estimate(part(people, 25), people, [run], "RR", width=0.1)
    (row,) = found.rows
    assert row.tuned.interval == row.classical.interval == "bounded"
    assert row.worth is not None and row.worth <= 120
    assert row.needed is None
    text = honest.page(found).to_text()
    assert "nearly all of the 25 queries are alike" in text and "cannot be told" in text
    assert "honest.doubt.few.bounded" in [c.key for c in found.cautions]
    first[25:80], first[80:] = 0, 1  # the others differ less than those that people labelled
    people = {q: {d: int(d == "abc"[k]) for d in "abc"} for q, k in zip(names, first, strict=True)}
    (plain,) = estimate(part(people, 25), people, [run], "RR", interval="student").rows
    assert plain.true.width is not None and plain.tuned.width is not None
    assert 25 * (plain.true.width / plain.tuned.width) ** 2 > 120
    assert plain.worth == 120.0  # of the queries that there are
    same = {q: {"a": 1} for q in names}
    (none,) = (alike := estimate(part(same, 25), same, [run], ["DCG@3"])).rows
    assert none.tuned.width == 0 and none.tuned.interval == "careful"  # DCG has no limit
    assert alike.cautions[0].key == "honest.doubt.few.open"
    assert "not to be trusted" in honest.page(alike).to_text()


def test_what_must_be_known_is_said() -> None:
    people, model, run = world(60, 6)
    few = part(people, 10)
    few["extra"] = {"d0": 1}
    for q, docs in few.items():
        few[q] = {d: g for d, g in docs.items() if d < "d5"}
    kind = {q: dict.fromkeys(docs, 1) if q in few else docs for q, docs in model.items()}
    found = estimate(few, kind, [run], ["P@5"])
    keys = [c.key for c in found.cautions]
    assert keys == ["honest.few", "honest.shallow", "honest.unlike"]
    assert found.only_human == ("extra",)
    text = honest.page(found).to_text()
    assert "Only 10 queries are labelled by people" in text
    assert "extra" in text


def test_queries_a_rubric_was_tuned_on_are_named(labels) -> None:
    people, model, run = world(30, 7)
    rows = [
        Judgment(q, d, g, source=source, assessor=source)
        for source, some in (("human", part(people, 12)), ("llm", model))
        for q, docs in some.items()
        for d, g in docs.items()
    ]
    labels.record(rows)
    draw_parts(labels, list(people)[:12], share=0.5, seed=1)
    found = estimate("@human", "@llm", [run], ["P@5"], labels=labels)
    assert [c.values["n"] for c in found.cautions if c.key == "honest.tuned"] == [6]


def test_refusals() -> None:
    people, model, run = world(6, 8)
    with pytest.raises(NothingToEvaluate):
        estimate(people, model, [run])  # no query that the model alone labels
    with pytest.raises(NothingToEvaluate):
        estimate(part(people, 1), model, [run])
    with pytest.raises(UsageError):
        estimate(part(people, 3), model, [run, run, run])


def test_a_model_that_knows_nothing_is_worth_nothing() -> None:
    """Where people's few labels are doubted, so is what is made of them with a model's; and no
    worth is read off the widths of two kinds of interval."""
    rng = np.random.default_rng(5)
    names = [f"q{i:02}" for i in range(29)]
    docs = [f"d{i}" for i in range(10)]
    runs = [
        {q: {d: float(s) for d, s in zip(docs, rng.permutation(10), strict=True)} for q in names}
        for _ in range(2)
    ]
    for _ in range(20):
        people, noise = (
            {q: {d: int(rng.integers(0, 4)) for d in docs} for q in names} for _ in range(2)
        )
        (row,) = estimate(part(people, 12), noise, runs).rows
        assert (row.true.interval == "bounded") <= (row.tuned.interval == "bounded")
        assert row.worth is None or row.worth <= 12 or row.tuned.weight > 0
