"""`cranfield overlap` on parts of the bundled collection."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files as resources

import pytest


@pytest.fixture
def demo():
    return str(resources("cranfield.demo") / "collection")


@pytest.fixture
def parts(demo, tmp_path):
    """The documents and queries of each language as folders without judgments."""
    made = []
    for lang in ("en", "zh"):
        folder = tmp_path / lang
        folder.mkdir()
        for name in ("corpus.jsonl", "queries.jsonl"):
            with open(f"{demo}/{name}", encoding="utf-8") as stream:
                own = [line for line in stream if f'"lang": "{lang}"' in line]
            (folder / name).write_text("".join(own), "utf-8")
        made.append(folder)
    return made


def test_formats(cranfield, demo, parts, tmp_path):
    done = cranfield("overlap", demo, *parts, "--format", "json")
    assert (done.code, done.err) == (0, "")
    data = json.loads(done.out)
    assert data["schema"] == "cranfield.overlap/1" and data["mine"]["n_documents"] == 64
    assert [c["rank"] for c in data["collections"]] == [1, 2]
    for one in data["collections"]:
        low, high = one["nearness"]["interval"]
        assert 0 <= low <= one["nearness"]["value"] <= high <= 1
    assert cranfield("overlap", demo, *reversed(parts), "--format", "json").out == done.out
    out = tmp_path / "near.csv"
    assert cranfield("overlap", demo, *parts, "-o", out).code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"))))
    assert [r["collection"] for r in rows] == [c["name"] for c in data["collections"]]
    assert float(rows[0]["nearness"]) == data["collections"][0]["nearness"]["value"]
    assert "JSD" in cranfield("overlap", demo, *parts, "--format", "md").out
    assert cranfield("overlap", demo, *parts, "--format", "html").out.startswith("<!")


def test_languages_that_differ_are_said(cranfield, parts):
    en, zh = parts
    done = cranfield("overlap", en, zh)
    assert done.code == 0 and "zh is in another script" in done.out
    assert "none can be ranked" in done.out
    assert "另一种文字" in cranfield("overlap", en, zh, "--lang", "zh").out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ((), 2, "Missing argument"),
        (("nowhere",), 4, "nowhere: no such folder"),
        ((__file__,), 2, "is no collection"),
    ],
)
def test_refusals(cranfield, demo, options, code, said):
    done = cranfield("overlap", demo, *options)
    assert done.code == code and said in done.err and "Traceback" not in done.err


def test_what_has_no_documents_is_named(cranfield, demo, tmp_path):
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "x"}\n')
    done = cranfield("overlap", demo, folder)
    assert done.code == 6 and "bare: no document with a text" in done.err
