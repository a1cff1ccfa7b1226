"""The index of a lab: what the ledger holds, and nothing else."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cranfield.comparison.compare import compare_scores
from cranfield.experiment.config import read_config
from cranfield.experiment.lab import Lab
from cranfield.experiment.reviewset import ReviewSet
from cranfield.report.pages import lab as index


@pytest.fixture
def place(tmp_path: Path) -> Lab:
    (tmp_path / "c").mkdir()
    queries = [f"q{i}" for i in range(12)]
    rows = [f"{q} 0 d{j} {(i + j) % 3}" for i, q in enumerate(queries) for j in range(5)]
    (tmp_path / "c" / "qrels.txt").write_text("\n".join(rows) + "\n")
    texts = [json.dumps({"_id": q, "text": f"<b>查询 {q}</b>"}) for q in queries]
    (tmp_path / "c" / "queries.jsonl").write_text("\n".join(texts) + "\n")
    config = tmp_path / "cranfield.toml"
    config.write_text('collection = "c"\nmeasures = ["nDCG@10", "AP"]\n')
    return Lab(read_config(config), clock=lambda: datetime(2026, 1, 31, 12, tzinfo=UTC))


def run_file(folder: Path, name: str, key: int) -> str:
    rows = [
        f"q{i} Q0 d{j} 0 {(j * key + i) % 7 + j / 100} {name}" for i in range(12) for j in range(5)
    ]
    (folder / f"{name}.run").write_text("\n".join(rows) + "\n")
    return str(folder / f"{name}.run")


def blocks(page, kind: str) -> list[dict]:
    return [b for b in json.loads(page.to_json())["blocks"] if b["type"] == kind]


def test_an_empty_lab_says_so(place):
    page = index(place)
    assert len(page.blocks) == 1
    page.to_html()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_lists_runs_changes_and_reviews(place, tmp_path, lang):
    for name, key in (("one", 1), ("two", 3), ("three", 5)):
        place.evaluate(run_file(tmp_path, name, key), note=f"note of {name}")
    kept = ReviewSet(place.ledger)
    kept.add(["q3"], "look <i>again</i>")
    page = index(place, lang)
    trends = [c for c in blocks(page, "chart") if c["kind"] == "trend"]
    means = [place.scores(f"@{i}").mean("nDCG@10") for i in (1, 2, 3)]
    assert [line["values"] for line in trends[0]["lines"]] == [means]
    assert len(trends) == 2  # AP has its own
    compared = next(c for c in blocks(page, "chart") if c["kind"] == "intervals")
    assert len(compared["rows"]) == 2
    both = place.scores("@2", "@3", measures=["nDCG@10"])
    expected = compare_scores(both, top=0).difference()
    row = compared["rows"][-1]
    assert (row["value"], row["low"], row["high"]) == (
        expected.difference,
        expected.low,
        expected.high,
    )
    text = page.to_text()
    for word in ("note of three", "look <i>again</i>", "q3", "@2"):
        assert word in text
    html = page.to_html()
    assert "<i>again" not in html
    assert index(place, lang).to_html() == html
    assert str(tmp_path) not in html


def test_the_command_writes_a_folder_or_a_file(place, tmp_path, monkeypatch):
    from click.testing import CliRunner

    from cranfield.cli.main import main

    place.evaluate(run_file(tmp_path, "one", 1))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    for args, names in (
        (["-o", "out"], ["out/index.html", "out/index.md", "out/index.json"]),
        (["-o", "lab.json"], ["lab.json"]),
        (["-o", "new/"], ["new/index.html"]),
    ):
        ended = CliRunner().invoke(main, ["report", "--lab", *args], catch_exceptions=False)
        assert ended.exit_code == 0
        for name in names:
            assert (tmp_path / name).stat().st_size > 500
    data = json.loads((tmp_path / "lab.json").read_text())
    assert data["schema"] == "cranfield.page/1"
