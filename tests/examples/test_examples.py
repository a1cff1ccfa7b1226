"""The examples run, offline, and print what their first line promises."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("[0-9][0-9]_*.py"))
PRINTED = {
    "01_evaluate.py": ["Scores: 2 runs, 30 queries", "judged@10 1.0000"],
    "02_slices.py": ["exact", "queries got worse"],
    "03_explain.py": ["IDCG", "of DCG"],
    "04_own_system.py": ["sequential-scan", "character-pairs"],
    "05_compare.py": ["terms is better than sequential-scan", "undecided", "[3]"],
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
