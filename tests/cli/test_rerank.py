"""`cranfield rerank`: from a run to a run in a new order, with its card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield import plugins
from cranfield.data.card import changed_keys
from cranfield.formats.card import read_card
from cranfield.formats.readers import read_run

DOCS = {"d1": "one", "d2": "two two", "d3": "three three three", "d4": "four"}
QUERIES = [f"q{i}" for i in range(1, 7)]


class Longest:
    """Prefers long texts; fails for the queries named."""

    name = "longest"
    down: set[str] = set()  # noqa: RUF012
    asked: list[str] = []  # noqa: RUF012

    def __init__(self, factor=1.0):
        self.factor = factor

    @property
    def config(self):
        return {"factor": self.factor}

    def score(self, query, documents):
        self.asked.append(query.id)
        if query.id in self.down:
            raise ConnectionError("refused")
        return [self.factor * len(d.text) for d in documents]

    def cut(self, query, documents):
        return [len(d.text) > 10 for d in documents]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    rows = [{"_id": d, "title": "", "text": t} for d, t in DOCS.items()]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    rows = [{"_id": q, "text": q} for q in QUERIES]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    (tmp_path / "qrels").mkdir()
    lines = "".join(f"{q}\td3\t1\n" for q in QUERIES)
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + lines)
    lists = {q: {"d1": 4, "d2": 3, "d3": 2, "d4": 1} for q in QUERIES[:4]}
    (tmp_path / "first.json").write_text(json.dumps({**lists, "q5": {}}))
    card = {
        "name": "bm25",
        "config": {"bm25": {"k1": 0.9}},
        "latency_ms": dict.fromkeys(QUERIES[:5], 1000),
        "failed": ["q6"],
    }
    (tmp_path / "first.json.card.json").write_text(json.dumps(card))
    load = plugins.load
    monkeypatch.setattr(
        plugins, "load", lambda group, name: Longest if name == "longest" else load(group, name)
    )
    monkeypatch.setattr(Longest, "down", set())
    monkeypatch.setattr(Longest, "asked", [])
    return tmp_path


def call(cranfield, folder, *more, out="out.json"):
    return cranfield(
        "rerank", folder, folder / "first.json", "--with", "longest", "-o", folder / out, *more
    )


def test_a_run_and_its_card(cranfield, folder):
    done = call(cranfield, folder, "--depth", 3, "-p", "factor=2")
    assert done.code == 0 and done.out == ""
    lists = read_run(folder / "out.json").to_dict()
    assert list(lists) == QUERIES[:5]
    assert list(lists["q1"]) == ["d3", "d2", "d1", "d4"] and lists["q5"] == {}
    assert lists["q1"]["d3"] == 34 and lists["q1"]["d4"] < lists["q1"]["d1"]
    card = json.loads((folder / "out.json.card.json").read_text())
    own = card["config"].pop("rerank")
    assert card["config"] == {"bm25": {"k1": 0.9}, "collection": folder.name}
    assert own["reranker"] == {"name": "longest", "factor": 2}
    assert own["depth"] == 3 and own["rest"] == "below"
    assert own["input"] == {"text": "title + text", "truncated": 4}
    assert own["candidates"]["run"] == "first"
    assert card["failed"] == ["q6"] and card["empty"] == ["q5"]
    assert all(ms >= 1000 for ms in card["latency_ms"].values())
    assert "4 of 12 inputs are longer than the model reads" in done.err
    assert "1 query had failed before and is not in the run" in done.err
    assert "--exclude-self" not in done.err
    assert not (folder / "out.json.part").exists()


def test_a_comparison_shows_the_reranking_alone(cranfield, folder):
    """And a run may be reranked again."""
    assert call(cranfield, folder).code == 0
    done = cranfield("rerank", folder, folder / "out.json", "--with", "longest", "-p", "factor=-1",
                     "-o", folder / "again.json")  # fmt: skip
    assert done.code == 0
    cards = [read_card(folder / f"{name}.json.card.json") for name in ("first", "out", "again")]
    for before, after, key in zip(cards, cards[1:], ("rerank", "rerank_2"), strict=False):
        changed = changed_keys(before, after).keys() - {"collection"}
        assert changed and all(name.startswith(f"{key}.") for name in changed)
    assert next(iter(read_run(folder / "again.json").to_dict()["q1"])) == "d1"


def test_the_rest_may_be_dropped(cranfield, folder):
    assert call(cranfield, folder, "--depth", 2, "--drop-rest").code == 0
    assert list(read_run(folder / "out.json").to_dict()["q2"]) == ["d2", "d1"]


def test_a_failed_query_is_not_an_empty_one_and_is_asked_again(cranfield, folder, monkeypatch):
    monkeypatch.setattr(Longest, "down", {"q2"})
    first = call(cranfield, folder, "--attempts", 1)
    assert first.code == 0 and "1 query failed, asked once" in first.err
    card = json.loads((folder / "out.json.card.json").read_text())
    assert card["failed"] == ["q2", "q6"] and card["empty"] == ["q5"]
    assert "q2" not in read_run(folder / "out.json").to_dict()
    monkeypatch.setattr(Longest, "down", set())
    monkeypatch.setattr(Longest, "asked", [])
    second = call(cranfield, folder, "--attempts", 1)
    assert Longest.asked == ["q2"] and "resumed: 4 of 5" in second.err
    assert list(read_run(folder / "out.json").to_dict()) == QUERIES[:5]
    card = json.loads((folder / "out.json.card.json").read_text())
    assert (
        card["config"]["rerank"]["input"]["truncated"] == 4
    )  # of all, not only of those asked now


def test_a_changed_run_is_other_work(cranfield, folder, monkeypatch):
    monkeypatch.setattr(Longest, "down", {"q2"})
    call(cranfield, folder, "--attempts", 1)
    lists = json.loads((folder / "first.json").read_text())
    lists["q1"] = {"d4": 1}
    (folder / "first.json").write_text(json.dumps(lists))
    monkeypatch.setattr(Longest, "down", set())
    again = call(cranfield, folder)
    assert "of other work and is begun anew" in again.err
    assert list(read_run(folder / "out.json").to_dict()["q1"]) == ["d4"]


def test_a_sample_is_always_the_same_and_grows(cranfield, folder):
    def chosen(n, *more):
        assert call(cranfield, folder, "--sample", n, *more).code == 0
        return list(read_run(folder / "out.json").to_dict())

    two = chosen(2)
    assert two == chosen(2) and len(two) == 2
    assert set(two) < set(chosen(3))
    assert chosen(99) == QUERIES[:5]
    assert len({tuple(chosen(2, "--seed", s)) for s in range(8)}) > 1
    done = call(cranfield, folder, "--sample", 2)
    assert "2 of 5 queries, chosen by seed 0" in done.err
    card = json.loads((folder / "out.json.card.json").read_text())
    assert card["config"]["rerank"]["sample"] == "2 of 5 queries, chosen by seed 0"


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["-p", "speed=1"], 2, "its parameters: factor"),
        (["--cache", "x"], 2, "unexpected keyword argument 'cache'"),
        (["--depth", "0"], 2, "--depth"),
        (["--threads", "2"], 2, "thread-safe"),
        (["--with", "longer"], 2, "no reranker named 'longer'"),
        (["--with", "http", "-p", "model=m", "-p", "url=x"], 2, "is no address"),
        (["-o", "first.json"], 2, "would be overwritten"),
        (["-o", "nowhere/x.run"], 4, "does not exist"),
        (["-o", "x.doc"], 2, "names no format"),
    ],
)
def test_mistakes_are_said(cranfield, folder, args, code, said, monkeypatch):
    monkeypatch.chdir(folder)
    done = call(cranfield, folder, *args)
    assert done.code == code and said in done.err
    assert not (folder / "out.json").exists()


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ({"q1": {"strange": 1}}, "1 documents of the run"),
        ({"q1": {"d1": 1}, "q99": {"d1": 1}}, "1 queries of the run"),
    ],
)
def test_a_run_of_another_collection(cranfield, folder, lists, said):
    (folder / "first.json").write_text(json.dumps(lists))
    done = call(cranfield, folder)
    assert done.code == 3 and said in done.err
