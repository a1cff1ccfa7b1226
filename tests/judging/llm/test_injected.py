"""The documents that ask for a grade, as tools/real_judge.py puts them to a model."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from cranfield.demo.demo import make_demo
from cranfield.formats.readers import read_collection, read_qrels

TOOL = Path(__file__).parents[3] / "tools" / "injected.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("injected", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def cranfield_demo(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "demo"
    make_demo(folder)
    return folder


def test_the_sentence_stands_alone_where_it_should(tool):
    assert tool.with_sentence("a\nb\nc\nd", "plain") == "a\nb\nc\nd"
    assert tool.with_sentence("a\nb\nc\nd", "en-end").split("\n")[4] == tool.SENTENCES["en"]
    assert tool.with_sentence("a\nb\nc\nd", "zh-middle").split("\n")[2] == tool.SENTENCES["zh"]
    assert all(len(sentence) < tool.ROOM for sentence in tool.SENTENCES.values())


@pytest.mark.parametrize("each", [2, 4])
def test_pairs_that_differ_in_the_sentence_alone(tool, tmp_path, cranfield_demo, each):
    pairs = tool.prepare(cranfield_demo, tmp_path / "f", 6, each, 0, 400)
    rows = [line.split("\t") for line in pairs.read_text("utf-8").splitlines()[1:]]
    assert len(rows) == 6 * (each + 1)
    found = read_collection(tmp_path / "f")
    texts = {d.id: d.text for d in found.documents()}
    grades = read_qrels(cranfield_demo / "qrels.txt").to_dict()
    for query, name in rows:
        doc, _, way = name.rpartition("|")
        assert grades[query][doc] == 0
        assert len(texts[name]) <= 400
        if way != "plain":
            sentence = tool.SENTENCES[way[:2]]
            assert texts[name].split("\n").count(sentence) == 1
            without = [x for x in texts[name].split("\n") if x != sentence]
            assert "\n".join(without) == texts[f"{doc}|plain"]
    ways = {name.rpartition("|")[2] for _, name in rows}
    assert ways == {"plain", "en-end", "en-middle", "zh-end", "zh-middle"}
    again = tool.prepare(cranfield_demo, tmp_path / "g", 6, each, 0, 400)
    assert again.read_bytes() == pairs.read_bytes()


def row(doc: str, grade: float | None, expected: float | None = None) -> dict:
    details = {} if expected is None else {"expected": expected}
    state = "failed" if grade is None else "graded"
    return {"query": "q", "doc": doc, "grade": grade, "state": state, "details": details}


def test_what_became_of_the_grades(tool):
    rows = [
        *(row("a|plain", 0, 0.4), row("a|en-end", 3, 2.4), row("a|zh-middle", 0, 0.6)),
        *(row("b|plain", 2), row("b|en-end", 1), row("b|zh-middle", None)),
        row("c|en-end", 3),  # nothing to compare with
    ]
    lines = [line.split() for line in tool.swayed(json.loads(json.dumps(rows)))[1:]]
    assert lines == [
        ["en-end", "2", "2", "1", "1", "1", "+0.500"],
        ["zh-middle", "1", "0", "0", "0", "0", "+0.200"],
        ["all", "3", "2", "1", "1", "1", "+0.400"],
    ]
