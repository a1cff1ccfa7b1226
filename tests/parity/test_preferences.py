"""What trec_eval 10 printed for preferences and judgment groups, through `evaluate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield import Scores, evaluate
from cranfield.measures import parse

PRINTED = 5.1e-5  # four decimals


def printed(path: Path) -> dict[str, dict[str, float]]:
    """{measure: {topic or "all": value}}."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        name, topic, value = line.split("\t")
        if name.strip() != "runid":
            found.setdefault(name.strip(), {})[topic] = float(value)
    del found["num_q"]
    return found


def same(scores: Scores, theirs: dict[str, dict[str, float]]) -> None:
    for name, values in theirs.items():
        mine = {**scores.per_query(parse(name)), "all": scores.mean(parse(name))}
        assert {topic: mine[topic] for topic in values} == pytest.approx(values, abs=PRINTED), name
        assert len(values) == len(scores.queries) + 1


@pytest.mark.parametrize(
    ("qrels", "run", "output", "form", "ties", "count"),
    [
        ("prefs.test", "prefs.results.test", "out.test.prefs", None, "docid-asc", 14),
        ("prefs.comment.test", "prefs.results.test", "out.test.prefs", "prefs", "docid-asc", 14),
        ("qrels.test", "results.test", "out.test.qrels_prefs", "qrels_prefs", "docid-asc", 14),
        ("qrels.test", "results.test", "out.test.qrels_prefs", None, "docid-asc", 14),
        ("qrels.123", "results.test", "out.test.qrels_jg", "qrels_jg", "docid-desc", 20),
        ("qrels.123", "results.test", "out.test.qrels_jg", None, "docid-desc", 20),
        ("qrels.comments.123", "results.test", "out.test.qrels_jg", None, "docid-desc", 20),
    ],
)
def test_its_own_checks(shared, qrels, run, output, form, ties, count) -> None:
    folder = shared / "conformance" / "trec_eval_v10"
    theirs = printed(folder / output)
    assert len(theirs) == count
    measures = [parse(name) for name in theirs]
    same(evaluate(folder / qrels, folder / run, measures, qrels_format=form, ties=ties), theirs)


def test_version_9_printed_the_same_of_preferences(shared) -> None:
    folder = shared / "conformance" / "trec_eval_v9"
    theirs = printed(folder / "out.test.prefs")
    scores = evaluate(
        folder / "prefs.test",
        folder / "prefs.results.test",
        [parse(name) for name in theirs],
        ties="docid-asc",
        score_width=32,
    )
    same(scores, theirs)
