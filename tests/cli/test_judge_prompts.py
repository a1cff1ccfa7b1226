"""One model under several prompts, through the commands."""

from __future__ import annotations

import json

from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import open_labels

DOCS = [f"d{i}" for i in range(6)]
OLD, NEW = "0ce96db303a7", "1c0e9fd8f0ae"


def told(prompt, grade, docs, day):
    return [
        Judgment("q", d, grade, source="llm", model="m1", prompt=prompt, at=f"2026-01-0{day}")
        for d in docs
    ]


def test_the_commands_tell_them_apart(cranfield, tmp_path, monkeypatch):
    labels = open_labels(tmp_path / "l.sqlite")
    labels.record([Judgment("q", d, 1, assessor="ann") for d in DOCS])
    labels.record([*told(OLD, 0, DOCS, 1), *told(NEW, 1, DOCS[1:], 2)])
    labels.close()
    monkeypatch.chdir(tmp_path)
    store = ("--labels", "l.sqlite")
    out = cranfield("judge", "export", "--policy", "majority", "--source", "llm", "-o", "a", *store)
    assert out.code == 0 and "warning: labels of m1 by several prompts" in out.err
    rows = (tmp_path / "a").read_text().splitlines()
    assert [line.split()[3] for line in rows] == ["0", "1", "1", "1", "1", "1"]
    old = ("judge", "export", "--policy", "majority", "--source", "llm", "--prompt", OLD)
    assert cranfield(*old, "-o", "b", *store).code == 0
    assert {line.split()[3] for line in (tmp_path / "b").read_text().splitlines()} == {"0"}
    every = ("judge", "export", "--policy", "max", "--source", "llm", "--every-prompt")
    assert "put together" in cranfield(*every, "-o", "c", *store).err
    status = json.loads(cranfield("judge", "status", "--format", "json", *store).out)["rows"]
    assert [(r["judge"], r["prompt"]) for r in status[1:]] == [("m1", OLD), ("m1", NEW)]
    log = cranfield("judge", "log", "--model", "m1", "--prompt", NEW, "--format", "tsv", *store)
    assert log.out.count(NEW) == 5 and OLD not in log.out
    said = cranfield("agree", "@human", "@llm", "--prompt", OLD, "--resamples", "0", *store)
    assert "same grade (share)" in said.out and "0.0000" in said.out
    assert cranfield("agree", "@human", "@llm", "--prompt", "x", *store).code == 2
    run = tmp_path / "r.run"
    run.write_text("q Q0 d0 1 1 r\nq Q0 d1 2 0.5 r\n")
    (tmp_path / "thin").write_text("q 0 d9 1\n")
    holes = ("judge", "holes", "thin", "r.run", "--with", "@llm", "--format", "json", *store)
    assert json.loads(cranfield(*holes).out)["relevant"] == 1
    assert json.loads(cranfield(*holes, "--prompt", OLD).out)["relevant"] == 0
