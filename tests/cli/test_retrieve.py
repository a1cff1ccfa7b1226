"""`cranfield retrieve`: from a folder to a run with its card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield import plugins
from cranfield.demo import collection
from cranfield.formats.readers import read_run
from cranfield.retrieval.bm25 import BM25
from cranfield.retrieval.journal import Answer, Journal
from cranfield.retrieval.system import retrieve

DOCS = [
    {"_id": "d1", "title": "", "text": "apples and pears", "lang": "en"},
    {"_id": "d2", "title": "", "text": "pears and plums", "lang": "de"},
    {"_id": "q2", "title": "", "text": "plums"},
]
QUERIES = [
    {"_id": "q1", "text": "pears", "lang": "de"},
    {"_id": "q2", "text": "plums"},
    {"_id": "q3", "text": "apples"},
]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, rows in (("corpus", DOCS), ("queries", QUERIES)):
        text = "".join(json.dumps(r) + "\n" for r in rows)
        (tmp_path / f"{name}.jsonl").write_text(text)
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text(QRELS)
    return tmp_path


def test_a_run_and_its_card(cranfield, folder):
    out = folder / "x.run"
    done = cranfield("retrieve", folder, "-o", out, "-p", "k1=1.2", "-p", "analyzer=standard")
    assert done.code == 0 and done.out == ""
    assert read_run(out).to_dict().keys() == {"q1", "q2"}
    card = json.loads((folder / "x.run.card.json").read_text())
    assert card["config"]["bm25"] == {"method": "lucene", "k1": 1.2, "b": 0.4}
    assert card["config"]["analyzer"]["name"] == "standard"
    assert set(card["latency_ms"]) == {"q1", "q2"}
    assert "1 query without judgments left out" in done.err
    assert not (folder / "x.run.part").exists()


def test_the_run_is_that_of_the_library(cranfield, tmp_path):
    bundled = collection()
    source = Path(__file__).parents[2] / "src" / "cranfield" / "demo" / "collection"
    out = tmp_path / "x.json"
    assert cranfield("retrieve", source, "-o", out, "-k", 7, "-p", "analyzer=mixed").code == 0
    expected = retrieve(BM25(bundled.documents(), analyzer="mixed"), bundled.queries, 7)
    assert read_run(out).to_dict() == expected.to_dict()


def test_all_queries_filters_and_self(cranfield, folder):
    out = folder / "x.json"
    args = ("retrieve", folder, "-o", out, "--all-queries", "--filter", "lang")
    first = cranfield(*args)
    assert {q: set(d) for q, d in read_run(out).to_dict().items()} == {
        "q1": {"d2"},
        "q2": {"d2", "q2"},
        "q3": {"d1"},
    }
    assert "--exclude-self" in first.err
    second = cranfield(*args, "--exclude-self")
    assert "--exclude-self" not in second.err
    assert set(read_run(out).to_dict()["q2"]) == {"d2"}


class Breaks:
    """Fails for one query, until it is mended."""

    name = "breaks"
    broken = True

    def __init__(self, documents):
        self.ids = [d.id for d in documents]

    def search(self, query, k):
        if self.broken and query.id == "q2":
            raise ConnectionError("refused")
        return [(d, 1.0) for d in self.ids[:k]]


def test_a_failed_query_stands_in_the_card_and_is_asked_again(cranfield, folder, monkeypatch):
    monkeypatch.setattr(plugins, "load", lambda group, name: Breaks)
    out = folder / "x.json"
    args = ("retrieve", folder, "--system", "breaks", "-o", out, "--attempts", 1)
    first = cranfield(*args)
    assert first.code == 0
    assert "1 query failed, asked once" in first.err and "ConnectionError: refused" in first.err
    assert "asks the 1 failed again" in first.err
    assert json.loads((folder / "x.json.card.json").read_text())["failed"] == ["q2"]
    assert list(read_run(out).to_dict()) == ["q1"]
    monkeypatch.setattr(Breaks, "broken", False)
    second = cranfield(*args)
    assert "resumed: 1 of 2" in second.err
    assert list(read_run(out).to_dict()) == ["q1", "q2"]
    assert "failed" not in json.loads((folder / "x.json.card.json").read_text())


def test_nothing_is_written_when_all_fails(cranfield, folder, monkeypatch):
    class Down(Breaks):
        def search(self, query, k):
            raise ConnectionError("refused")

    monkeypatch.setattr(plugins, "load", lambda group, name: Down)
    out = folder / "x.run"
    done = cranfield("retrieve", folder, "--system", "down", "-o", out, "--attempts", 1)
    assert done.code == 8 and "no query was answered" in done.err
    assert not out.exists() and not (folder / "x.run.card.json").exists()


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["-p", "k1"], 2, "not NAME=VALUE"),
        (["-p", "k1=1", "-p", "k1=2"], 2, "given twice"),
        (["-p", "speed=1"], 2, "its parameters: k1, b"),
        (["-p", "k1=fast"], 2, "k1 is 'fast'"),
        (["--system", "bm52"], 2, "did you mean bm25"),
        (["--system", "scan", "--cache", "x"], 2, "unexpected keyword argument 'cache'"),
        (["--split", "dev"], 2, "no split 'dev'"),
        (["--batch", "2"], 2, "one query at a time"),
        (["--filter", "tenant"], 2, "no query has a field 'tenant'"),
    ],
)
def test_mistakes_are_said(cranfield, folder, args, code, said):
    done = cranfield("retrieve", folder, "-o", folder / "x.run", *args)
    assert done.code == code and said in done.err
    assert not (folder / "x.run").exists()


def test_an_ending_that_names_no_format_is_said_before_the_work(cranfield, folder):
    done = cranfield("retrieve", folder, "-o", folder / "x.doc")
    assert done.code == 2 and "names no format" in done.err


def test_a_folder_that_is_not_there_is_said_before_the_work(cranfield, folder, monkeypatch):
    monkeypatch.setattr(plugins, "load", lambda group, name: 1 / 0)
    done = cranfield("retrieve", folder, "-o", folder / "no" / "x.run")
    assert done.code == 4 and "does not exist" in done.err


def test_the_cache(cranfield, folder):
    args = ("retrieve", folder, "--cache", folder / "cache", "-o")
    assert cranfield(*args, folder / "a.run").code == 0
    assert cranfield(*args, folder / "b.run").code == 0
    assert (folder / "a.run").read_bytes() == (folder / "b.run").read_bytes()
    assert len(list((folder / "cache").iterdir())) == 1


def test_passages(cranfield, folder):
    def run(*more):
        out = folder / "x.json"
        done = cranfield("retrieve", folder, "-o", out, "--passages", 2, "--overlap", 1, *more)
        assert done.code == 0, done.err
        return {q: set(d) for q, d in read_run(out).to_dict().items()}

    assert run() == {"q1": {"d1", "d2"}, "q2": {"d2", "q2"}}
    assert run("--rollup", "none") == {"q1": {"d1#1", "d2#0"}, "q2": {"d2#1", "q2#0"}}
    card = json.loads((folder / "x.json.card.json").read_text())
    assert card["config"]["passages"] == {"size": 2, "overlap": 1, "rollup": "none"}
    done = cranfield("retrieve", folder, "-o", folder / "y.run", "--overlap", 1)
    assert done.code == 2 and "--passages 200" in done.err


def test_an_id_that_cannot_be_written_ends_the_work_at_once(cranfield, folder):
    """A document id with a blank is said at the first answer that has one, not after the last, and
    leaves what was there; another format is enough."""
    out, card = folder / "x.run", folder / "x.run.card.json"
    assert cranfield("retrieve", folder, "-o", out).code == 0
    before = out.read_bytes(), card.read_bytes()
    rows = [{**row, "_id": row["_id"].replace("d", "d ")} for row in DOCS]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    args = ("retrieve", folder, "-o", out)
    refused = cranfield(*args)
    assert refused.code == 3 and "cannot be written as trec" in refused.err
    assert (out.read_bytes(), card.read_bytes()) == before
    done = cranfield(*args, "--run-format", "jsonl")
    assert done.code == 0 and "resumed" not in done.err
    assert not (folder / "x.run.part").exists()
    (folder / "queries.jsonl").write_text('{"_id": "q 1", "text": "x"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq 1\td 1\t1\n")
    refused = cranfield(*args)
    assert refused.code == 3 and "the query id 'q 1' cannot be written as trec" in refused.err


def test_a_run_that_cannot_be_written_has_no_card(cranfield, folder):
    rows = [{**row, "_id": row["_id"].replace("d", "d ")} for row in DOCS]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    assert cranfield("retrieve", folder, "-o", folder / "x.run").code == 3
    assert not list(folder.glob("x.run*"))


def test_the_same_command_twice_at_once(cranfield, folder):
    """The second of two is refused while the first is at work, and leaves its answers alone."""
    out = folder / "x.run"
    with Journal(f"{out}.part", {}) as book:
        book.add(Answer("q1", (("d1", 1.0),)))
        refused = cranfield("retrieve", folder, "-o", out)
        assert refused.code == 8 and "another process is at work on this run" in refused.err
    assert not out.exists() and "q1" in Journal(f"{out}.part", {}).read()
    assert cranfield("retrieve", folder, "-o", out).code == 0


def test_recall_within_a_budget(cranfield, folder):
    out, rolled = folder / "p.json", folder / "rolled.json"
    args = ("--passages", 2, "--rollup", "none", "-p", "analyzer=whitespace")
    assert cranfield("retrieve", folder, "-o", out, *args).code == 0
    assert cranfield("rollup", out, "-o", rolled).code == 0
    call = ("evaluate", folder, out, rolled, "-m", "P@1", "--format", "json")
    done = cranfield(*call, "--budget", 0, "--budget", 100, "--budget", 100)
    assert done.code == 0, done.err
    rows = [r for r in json.loads(done.out)["rows"] if r["queries of"] == "all"]
    assert [row["run"] for row in rows] == ["p", "rolled"]
    for row in rows:
        assert row["R@0tokens"] == 0 and row["R@100tokens"] == 1
    assert "p: a run of passages, and no judgment is of one; cranfield rollup" in done.err
    assert "rolled: a run of passages" not in done.err
    a_query = cranfield(*call, "--budget", 100, "-q")
    assert {row["R@100tokens"] for row in json.loads(a_query.out)["rows"]} == {1.0}
    ranged = cranfield(*call, "--budget", 100, "--bounds", "closed")
    first = json.loads(ranged.out)["rows"][0]
    assert "low P@1" in first and "low R@100tokens" not in first
    assert "bounds are known" not in ranged.err  # nobody expects any of a budget
    (folder / "p.json.card.json").unlink()
    lost = cranfield(*call, "--budget", 100)
    assert lost.code == 3 and "results of 'p' are not in" in lost.err
    qrels = next((folder / "qrels").iterdir())
    wrong = cranfield("evaluate", qrels, rolled, "--budget", 5)
    assert wrong.code == 2 and "needs documents" in wrong.err


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_file_of_the_collection_is_not_written_over(cranfield, folder, name):
    before = (folder / name).read_bytes()
    done = cranfield("retrieve", folder, "-o", folder / name, "--run-format", "trec")
    assert done.code == 2 and "is an input and would be overwritten" in done.err
    assert (folder / name).read_bytes() == before


def test_the_documents_are_no_parameter_and_a_file_no_cache(cranfield, folder):
    done = cranfield("retrieve", folder, "-o", folder / "x.run", "-p", "documents=5")
    assert done.code == 2 and "documents is no parameter" in done.err
    done = cranfield("retrieve", folder, "-o", folder / "x.run", "--cache", folder / "corpus.jsonl")
    assert done.code == 4 and "corpus.jsonl cannot be a cache: " in done.err
    args = ("-p", 'fields={"title": "x"}')
    done = cranfield("retrieve", folder, "-o", folder / "x.run", *args)
    assert done.code == 2 and "names with weights" in done.err
    for args in (("retrieve", folder, "--system", "dense"), ("rerank", folder, folder / "r.run")):
        if args[0] == "rerank":
            (folder / "r.run").write_text("q1 Q0 d1 1 1 x\n")
            args += ("--with", "embedding")
        done = cranfield(*args, "-o", folder / "x.run", "-p", "embedder=5")
        assert done.code == 2 and "embedder is 5" in done.err
