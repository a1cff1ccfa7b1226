"""`cranfield topics` on the bundled collection and on small folders."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files as resources

import pytest


@pytest.fixture
def demo():
    return str(resources("cranfield.demo") / "collection")


def test_what_is_written_slices(cranfield, demo, tmp_path):
    out = tmp_path / "q.jsonl"
    done = cranfield("topics", demo, "-o", out)
    assert done.code == 0 and f"--queries {out} --by topic" in done.err
    queries = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    labels = [q.get("topic") for q in queries]
    assert len(queries) == 30 and len(set(labels) - {None}) == 3
    found = cranfield("check", demo, "--queries", out, "--no-documents", "--format", "json")
    checked = json.loads(found.out)
    small = next(f for f in checked["findings"] if f["key"] == "types_small")
    few = {f"topic={label}" for label in labels if label and labels.count(label) < 6}
    assert few and few <= {row["type"] for row in small["rows"]}
    runs = tmp_path / "a.run"
    runs.write_text("".join(f"{q['_id']} Q0 d 1 1 a\n" for q in queries))
    scored = cranfield("evaluate", demo, runs, "--queries", out, "--by", "topic", "--format", "csv")
    rows = {r["queries of"]: r["n"] for r in csv.DictReader(io.StringIO(scored.out))}
    for label in set(labels) - {None}:
        assert rows[f"topic={label}"] == str(labels.count(label))


def test_formats(cranfield, demo):
    first = cranfield("topics", demo, "--format", "json")
    data = json.loads(first.out)
    assert data["schema"] == "cranfield.topics/1" and data["settings"]["seed"] == 0
    assert sum(t["n_queries"] for t in data["topics"]) + len(data["unplaced"]) == 30
    assert cranfield("topics", demo, "--format", "json").out == first.out
    rows = list(csv.DictReader(io.StringIO(cranfield("topics", demo, "--format", "csv").out)))
    assert len(rows) == 30 and sum(r["topic"] == "" for r in rows) == len(data["unplaced"])
    html = cranfield("topics", demo, "--format", "html", "--lang", "zh").out
    assert html.startswith("<!") and "特征词" in html and data["topics"][0]["label"] in html
    assert cranfield("topics", demo, "--format", "md").out.startswith("# Topics of")


def test_both_languages_say_everything(cranfield, demo):
    for lang, word in (("en", "smallest p"), ("zh", "最小 p")):
        for options in ((), ("--by", "type"), ("-k", 4)):
            done = cranfield("topics", demo, "--lang", lang, *options)
            assert (done.code, done.err) == (0, "") and word in done.out
    assert "4 topics were asked for" in cranfield("topics", demo, "-k", 4).out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--by", "colour"), 2, "no query has a field 'colour'"),
        (("--field", "type"), 2, "have a field 'type' already"),
        (("-k", "40"), 2, "40 topics of 28 queries"),
        (("--seed", "-1"), 2, "seed is -1"),
        (("--analyzer", "none"), 2, "no analyzer 'none'"),
    ],
)
def test_refusals(cranfield, demo, options, code, said):
    done = cranfield("topics", demo, *options)
    assert done.code == code and said in done.err and "Traceback" not in done.err


def test_an_input_is_not_overwritten(cranfield, demo, files):
    queries = files("q.jsonl", '{"_id": "q01", "text": "x"}\n')
    done = cranfield("topics", demo, "--queries", queries, "-o", queries)
    assert done.code == 2 and "would be overwritten" in done.err
