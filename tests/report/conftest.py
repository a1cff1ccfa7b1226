"""Comparisons to draw: a small one whose documents and names are hostile, and a large one."""

from __future__ import annotations

import random

import pytest

from cranfield import Document, Qrels, Query, Run, TestCollection
from cranfield.comparison.compare import compare, compare_scores
from cranfield.comparison.outcome import Comparison
from cranfield.data.card import RunCard
from cranfield.evaluation.evaluate import evaluate

HOSTILE = '<script>alert("x")</script><img src=https://example.org/x.png onerror=alert(1)>\'"&'
OVERRIDE = "‮txet desrever"
LONG = "d" + "0123456789" * 30


def _text(i: int) -> str:
    some = (
        HOSTILE,
        OVERRIDE,
        "中文文档：查询与排序" * 12,
        "شكرا جزيلا",
        "\x00\x1b[31mred",
        "x" * 400,
    )
    return some[i % len(some)]


@pytest.fixture(scope="session")
def hostile() -> Comparison:
    """12 queries, 20 documents, two runs, slices, cards; texts that try to break out."""
    rng = random.Random(7)
    docs = [LONG, "<b>bold</b>", "文档一", *(f"d{i}" for i in range(17))]
    names = [f"q{i}" for i in range(10)] + ["</title><script>q</script>", "查询十一"]
    documents = [Document(d, _text(i), _text(i + 1)) for i, d in enumerate(docs)]
    qrels = {q: {d: rng.choice((0, 0, 1, 2, 3)) for d in rng.sample(docs, 12)} for q in names}
    queries = tuple(
        Query(q, _text(i), {"kind": ("one", HOSTILE)[i % 2]}) for i, q in enumerate(names)
    )
    collection = TestCollection(
        "hostile", queries, Qrels.from_dict(qrels), documents=lambda: iter(documents)
    )

    def run(name: str, luck: float) -> Run:
        ranked = {}
        for q in names:
            order = sorted(docs, key=lambda d: rng.random() - luck * qrels[q].get(d, 0))
            ranked[q] = {d: float(20 - i) for i, d in enumerate(order[:12])}
        return Run.from_dict(ranked, name=name)

    cards = [
        RunCard(
            "base",
            {"model": "bm25", "k1": 0.9},
            {q: 10.0 + i for i, q in enumerate(names)},
            dict.fromkeys(names, 0.25),
            currency="EUR",
        ),
        RunCard("new <i>", {"model": HOSTILE, "k1": 0.9}, dict.fromkeys(names, 20.0)),
    ]
    return compare(
        collection,
        run("base", 0.05),
        [run("new <i>", 0.6), run("第三个系统", 0.1)],
        ["nDCG@10", "AP"],
        by=["kind"],
        cards=cards,
        resamples=2000,
        min_effect=0.01,
    )


@pytest.fixture(scope="session")
def many() -> Comparison:
    """400 queries and 60 runs."""
    rng = random.Random(1)
    queries = [f"q{i:04d}" for i in range(400)]
    qrels = {q: {"a": 1, "b": 0} for q in queries}
    runs = {}
    for r in range(60):
        share = 0.2 + r / 90
        runs[f"system-{r}-with-a-long-name-indeed-and-longer"] = {
            q: {"a": 2.0, "b": 1.0} if rng.random() < share else {"b": 2.0, "a": 1.0}
            for q in queries
        }
    return compare_scores(evaluate(qrels, runs, ["RR@10"]), resamples=500)
