"""The examples run, offline, and print what their first line promises."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cranfield.experiment.config import read_config
from cranfield.experiment.planfile import plan_of

FOLDER = Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("[0-9][0-9]_*.py"))
PRINTED = {
    "01_evaluate.py": ["Scores: 2 runs, 30 queries", "judged@10 1.0000"],
    "02_slices.py": ["exact", "queries got worse"],
    "03_explain.py": ["IDCG", "of DCG"],
    "04_own_system.py": ["sequential-scan", "character-pairs"],
    "05_compare.py": ["terms is better than sequential-scan", "undecided", "[3]"],
    "08_which_measure.py": ["10 runs, 45 pairs, 25 queries", "decide by", "needs"],
}


def test_all_examples_are_here() -> None:
    assert [e.name for e in EXAMPLES] == list(PRINTED)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.stem)
def test_example_runs(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert [words for words in PRINTED[example.name] if words not in done.stdout] == []
    assert not list(tmp_path.iterdir()), "an example leaves files"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.stem)
def test_example_is_one_screen_and_says_how_to_run_it(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 45
    assert f"python examples/{example.name}" in text.splitlines()[0]


def _cranfield(*args: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "cranfield", *args],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_the_matrix_of_the_bundled_collection(tmp_path: Path) -> None:
    folder = shutil.copytree(FOLDER / "06_matrix", tmp_path / "06_matrix")
    assert _cranfield("demo", "cranfield-demo", folder=folder).returncode == 0
    first = _cranfield("experiment", folder=folder)
    assert first.returncode == 0, first.stderr
    assert "note: 4 cells: 4 made" in first.stderr
    for words in ("bm25[k1=1.5]", "terms+e5", "100.0%", "as Elastic computes it"):
        assert words in first.stdout
    again = _cranfield("experiment", folder=folder)
    assert again.stdout == first.stdout and "4 there already" in again.stderr


def test_the_matrix_of_seven_collections_is_a_matrix() -> None:
    path = FOLDER / "07_collections" / "cranfield.toml"
    plan = plan_of(read_config(path))
    assert len(plan.collections) >= 4 and len(plan.systems) == 2
    assert {r.reranker for r in plan.rerankers} == {"embedding", "llm"}
    for reranker in plan.rerankers:
        assert len(reranker.collections) >= 4
        assert reranker.depth > plan.judged_at  # else it cannot move the judge rate
    assert "8080" in str(tomllib.loads(path.read_text()))
