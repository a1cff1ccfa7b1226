"""The official results of TREC-COVID round 1: all 143 runs, to the digits that were published."""

from __future__ import annotations

import csv

import pytest

from cranfield import evaluate

PUBLISHED = {"ndcg@10": "nDCG@10", "p@5": "P@5", "bpref": "bpref", "MAP": "AP"}


@pytest.mark.slow
def test_the_leaderboard_is_reproduced(shared):
    folder = shared / "runs" / "trec-covid-r1"
    with (folder / "leaderboard.csv").open() as stream:
        board = {row["run"]: row for row in csv.DictReader(stream)}
    runs = sorted((folder / "runs").glob("*.gz"))
    assert len(board) == len(runs) == 143
    scores = evaluate(
        folder / "qrels.covid-round1.txt", runs, list(PUBLISHED.values()), score_width=32
    )
    assert set(scores.runs) == set(board)
    found = {
        (run, theirs): f"{scores.mean(ours, run):.4f}"
        for run in scores.runs
        for theirs, ours in PUBLISHED.items()
    }
    expected = {(run, theirs): row[theirs] for run, row in board.items() for theirs in PUBLISHED}
    assert {k: (found[k], v) for k, v in expected.items() if found[k] != v} == {}
