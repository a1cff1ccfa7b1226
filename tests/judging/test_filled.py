"""Holes seen through new labels; where the truth is known, it is found again."""

from __future__ import annotations

import json
import lzma
import random

import pytest

from cranfield import Document, Query
from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.formats.readers import read_qrels, read_run
from cranfield.judging.filled import filled
from cranfield.judging.judgment import Judgment
from cranfield.judging.sets import LabelSet, label_set
from cranfield.report.filled import page, to_json
from cranfield.stats.intervals import wilson

OLD = [("q1", "a", 1), ("q1", "b", 0), ("q2", "a", 1), ("q2", "x", -1)]
RUN = {"q1": {"c": 4, "a": 3, "d": 2, "e": 1}, "q2": {"x": 3, "a": 2, "d": 1}, "q3": {"a": 1}}
OTHER = {"q1": {"d": 2, "c": 1}}
NEW = {"q1": {"c": 2, "d": 0, "b": 2, "e": 2}, "q2": {"x": 1}}


def collection():
    docs = [Document(d, "", f"text of {d}") for d in "abcdex"]
    queries = tuple(Query(q, f"query {q}") for q in ("q1", "q2", "q3"))
    return TestCollection("c", queries, Qrels.from_rows(OLD), lambda: iter(docs))


def test_by_hand():
    found = filled(collection(), [RUN, OTHER], LabelSet("new", Qrels.from_rows(
        [(q, d, g) for q, own in NEW.items() for d, g in own.items()])), k=3)  # fmt: skip
    # in the first three: c, d of q1; x (which is pooled and not judged) and d of q2
    assert (found.queries, found.known, found.holes, found.graded, found.relevant) == (
        2,
        2,
        4,
        3,
        2,
    )
    assert found.interval == wilson(2, 3) and found.share == 2 / 3
    assert found.expected == pytest.approx((4 * found.interval.low, 8 / 3, 4 * found.interval.high))
    assert [(r.holes, r.graded, r.relevant) for r in found.runs] == [(4, 3, 2), (2, 2, 1)]
    assert found.binary  # the collection knows 1 at most
    before, after = (s.means()["run"]["nDCG@10"] for s in (found.before, found.after))
    assert before == pytest.approx((1 / 1.5849625 + 1 / 1.5849625) / 2, abs=1e-6)
    # q1: c, a and e of 1, at ranks 1, 2 and 4, of three relevant; q2: x and a, the first two
    ideal = 1 + 1 / 1.5849625 + 1 / 2
    assert after == pytest.approx(((1 + 1 / 1.5849625 + 1 / 2.3219281) / ideal + 1) / 2, abs=1e-6)


def test_examples_are_side_by_side():
    rows = [Judgment(q, d, g, source="llm", model="m", reason=f"because {d}")
            for q, own in NEW.items() for d, g in own.items()]  # fmt: skip
    found = filled(collection(), [RUN], label_set(rows), k=3, examples=5)
    assert sorted((e.query, e.known, e.found, e.rank, e.grade) for e in found.examples) == [
        ("q1", "a", "c", 1, 2.0), ("q2", "a", "x", 1, 1.0),
    ]  # fmt: skip
    for lang, word in (("en", "labelled relevant (a): text of a"), ("zh", "已标为相关（a）")):
        text = page(found, lang).to_text()
        assert word in text and "because c" in text and "0.6667" in text
    assert "<script" not in page(found).to_html()
    body = json.loads(to_json(found))
    assert body["graded"] == 3 and len(body["examples"]) == 2
    assert body["scores"][0]["change"] == pytest.approx(
        body["scores"][0]["after"] - body["scores"][0]["before"]
    )


def test_grades_are_kept_where_the_collection_has_as_high_ones():
    old = [*OLD, ("q2", "z", 2)]
    new = LabelSet("n", Qrels.from_rows([("q1", "c", 2), ("q1", "d", 1)]))
    found = filled(Qrels.from_rows(old), [RUN], new, rel=2)
    assert not found.binary and found.examples == ()
    assert (found.graded, found.relevant, found.known) == (2, 1, 1)


def test_nothing_to_say():
    none = LabelSet("n", Qrels.from_rows([("q1", "a", 2), ("q9", "c", 2)]))
    with pytest.raises(NothingToEvaluate, match="none of the"):
        filled(collection(), [RUN], none)
    some = LabelSet("n", Qrels.from_rows([("q1", "c", 2)]))
    for more in ({"k": 0}, {"examples": -1}):
        with pytest.raises(UsageError):
            filled(collection(), [RUN], some, **more)
    with pytest.raises(UsageError, match="no run"):
        filled(collection(), [], some)


@pytest.fixture(scope="module")
def covid(shared):
    """TREC-COVID round 1: all judged pairs, one relevant a topic of them, and three runs."""
    folder = shared / "runs" / "trec-covid-r1"
    full = read_qrels(folder / "qrels.covid-round1.txt").to_dict()
    rng = random.Random(3)
    thin = {}
    for query, own in full.items():
        relevant = sorted(d for d, g in own.items() if g >= 1)
        if relevant:
            thin[query] = {rng.choice(relevant): 1}
    files = sorted((folder / "runs").iterdir())[::48][:3]
    return full, thin, [read_run(f) for f in files]


def rows(grades):
    return Qrels.from_rows([(q, d, float(g)) for q, own in grades.items() for d, g in own.items()])


def test_a_hidden_share_is_found_again(covid):
    full, thin, runs = covid
    truth = LabelSet("hidden", rows(full))
    found = filled(rows(thin), runs, truth, k=10)
    # counted once more, from the runs
    tops = {}
    for run in runs:
        for query, docs in run.to_dict().items():
            if query in thin:
                first = sorted(docs, key=lambda d: (docs[d], d), reverse=True)[:10]
                tops.setdefault(query, set()).update(first)
    holes = {(q, d) for q, docs in tops.items() for d in docs if d not in thin[q]}
    graded = {p for p in holes if full[p[0]].get(p[1], -1) >= 0}
    relevant = {p for p in graded if full[p[0]][p[1]] >= 1}
    assert (found.holes, found.graded, found.relevant) == (len(holes), len(graded), len(relevant))
    assert found.holes > 300 and 0.2 < found.share < 0.9
    # a sample of 100 of them brackets the share nearly always
    rng = random.Random(0)
    hits = 0
    for _ in range(60):
        some = {}
        for q, d in rng.sample(sorted(graded), 100):
            some.setdefault(q, {})[d] = full[q][d]
        interval = filled(rows(thin), runs[:1] + runs[1:], LabelSet("s", rows(some)), k=10).interval
        hits += interval.low <= found.share <= interval.high
    assert hits >= 54


@pytest.fixture(scope="module")
def dl(shared):
    """TREC DL 2019: the same, relevant from grade 2 on, and five of its runs."""
    packs = shared / "runs" / "packs"
    full = read_qrels(packs / "trec-dl-2019-passage.qrels.txt").to_dict()
    rng = random.Random(3)
    relevant = {q: sorted(d for d, g in own.items() if g >= 2) for q, own in full.items()}
    thin = {q: {rng.choice(docs): 1} for q, docs in relevant.items() if docs}
    lists = {}
    with lzma.open(packs / "trec-dl-2019-passage.top100.tsv.xz", "rt") as lines:
        for run, topic, rank, doc, score in (line.rstrip("\n").split("\t") for line in lines):
            if rank.isdigit() and int(rank) <= 20:
                lists.setdefault(run, {}).setdefault(topic, {})[doc] = float(score)
    names = sorted(lists)[::8]
    return full, thin, [Run.from_dict(lists[name], name=name) for name in names]


def test_the_hidden_share_of_deep_learning_passages(dl):
    """All of the first ten were judged, so that the true share is known exactly; a sample of 200
    of the 1000 holes finds it, and all labels bring the scores back."""
    full, thin, runs = dl
    found = filled(rows(thin), runs, LabelSet("hidden", rows(full)), rel=2)
    assert found.graded == found.holes > 900 and 0.3 < found.share < 0.6
    rng = random.Random(0)
    pairs = {
        (q, d)
        for run in runs
        for q, docs in run.to_dict().items()
        for d in sorted(docs, key=lambda d: (docs[d], d), reverse=True)[:10]
        if q in thin and d not in thin[q]
    }
    assert len(pairs) == found.holes
    assert sum(full[q][d] >= 2 for q, d in pairs) == found.relevant
    hits = 0
    for _ in range(40):
        some = {}
        for q, d in rng.sample(sorted(pairs), 200):
            some.setdefault(q, {})[d] = full[q][d]
        interval = filled(rows(thin), runs, LabelSet("s", rows(some)), rel=2).interval
        hits += interval.low <= found.share <= interval.high
    assert hits >= 35
    for run in runs:
        before, after = (s.means()[run.name]["nDCG@10"] for s in (found.before, found.after))
        assert after > before + 0.1


def test_scores_come_back(covid):
    """With all hidden labels the scores are those of the full collection, of the same queries."""
    import cranfield

    full, thin, runs = covid
    found = filled(rows(thin), runs, LabelSet("hidden", rows(full)), k=10)
    kept = {q: {d: float(g >= 1) for d, g in own.items() if g >= 0} for q, own in full.items()}
    whole = cranfield.evaluate(rows({q: kept[q] for q in thin}), runs, ["nDCG@10"])
    for run in runs:
        after = found.after.means()[run.name]["nDCG@10"]
        assert after == pytest.approx(whole.means()[run.name]["nDCG@10"], abs=1e-12)
        assert found.before.means()[run.name]["nDCG@10"] < after
