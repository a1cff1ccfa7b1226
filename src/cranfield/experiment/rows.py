"""Rows of the ledger's tables, written and read."""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import cranfield
from cranfield.data.card import RunCard
from cranfield.data.scores import Label, RunReport, Scores
from cranfield.experiment.entries import NO_BOUNDS, About, Entry, Range, RunEntry
from cranfield.experiment.packing import pack, pack_json, pack_mask, text_of, unpack_json
from cranfield.kit.fingerprint import of_parts


def versions() -> dict[str, str]:
    """What the numbers were computed with."""
    return {
        "cranfield": cranfield.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def insert(db: sqlite3.Connection, table: str, **cells: Any) -> int:
    """Add a row and return its number."""
    names, marks = ", ".join(cells), ", ".join("?" * len(cells))
    done = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(cells.values()))
    return int(done.lastrowid or 0)


def query_set(db: sqlite3.Connection, scores: Scores) -> int:
    """The number of these queries, answerable or not, with these labels; written once."""
    content = {
        "ids": scores.queries,
        "answerable": scores.answerable.astype(int).tolist(),
        "slices": dict(scores.slices),
    }
    name = of_parts([text_of(content)])
    found = db.execute("SELECT id FROM query_sets WHERE fingerprint = ?", (name,)).fetchone()
    if found:
        return int(found[0])
    cells = {"fingerprint": name, "n": len(scores.queries), "content": pack_json(content)}
    return insert(db, "query_sets", **cells)


def record_run(db: sqlite3.Connection, number: int, r: int, scores: Scores, about: About) -> int:
    """Add run r of an evaluation with its scores, and return its number."""
    report, card = scores.reports[r], about.cards[r]
    latency, cost = list(card.latency.values()), list(card.cost.values())
    run = insert(
        db,
        "runs",
        evaluation=number,
        position=r,
        name=scores.runs[r],
        path=about.paths[r],
        fingerprint=about.fingerprints[r],
        config=text_of(dict(card.config)),
        n_returned=report.n_returned,
        judged=report.judged if report.n_judged else None,
        n_judged=report.n_judged,
        tied=report.tied,
        n_missing=len(report.missing),
        n_empty=len(report.empty),
        n_unlabelled=len(report.unlabelled),
        latency_median=float(np.quantile(latency, 0.5)) if latency else None,
        latency_p95=float(np.quantile(latency, 0.95)) if latency else None,
        cost_mean=float(np.mean(cost)) if cost else None,
        currency=card.currency,
        details=pack_json(
            {
                "missing": report.missing,
                "unlabelled": report.unlabelled,
                "empty": report.empty,
                "notes": report.notes,
                "latency": dict(card.latency),
                "cost": dict(card.cost),
                "failed": card.failed,
                "answered_empty": card.empty,
            }
        ),
    )
    everyone = np.ones(len(scores.queries), bool)
    for i in range(len(scores.measures)):
        mean, n = scores.summary(r, i, everyone)
        insert(
            db,
            "scores",
            run=run,
            measure=i,
            mean=mean if n or scores.measures[i].aggregate == "sum" else None,
            n=n,
            value=pack(scores.values[r, :, i]),
            valid=pack_mask(scores.valid[r, :, i]),
        )
    return run


def entries_of(
    rows: Sequence[sqlite3.Row],
    runs: Sequence[sqlite3.Row],
    means: Sequence[sqlite3.Row],
    ranges: Sequence[sqlite3.Row] = (),
    worlds: Mapping[int, str | None] | None = None,
) -> tuple[Entry, ...]:
    """Evaluations from their rows, those of their runs, the means of these and their ranges.

    Parameters
    ----------
    worlds : {evaluation: of its ranges, None where none were worked out}
    """
    labels = {row["id"]: _labels(row["measures"]) for row in rows}
    of_run: dict[int, dict[int, tuple[float | None, int]]] = {}
    for row in means:
        of_run.setdefault(row["run"], {})[row["measure"]] = (row["mean"], row["n"])
    ends: dict[int, dict[int, Range]] = {}
    for row in ranges:
        found = Range(row["holes"], row["low"], row["high"], bool(row["exact"]))
        ends.setdefault(row["run"], {})[row["measure"]] = found
    known = {id: world or NO_BOUNDS for id, world in (worlds or {}).items()}
    of_entry: dict[int, list[RunEntry]] = {}
    for row in runs:
        names = labels[row["evaluation"]]
        own = {names[i].text: mean for i, mean in of_run.get(row["id"], {}).items()}
        left = {names[i].text: end for i, end in ends.get(row["id"], {}).items()}
        of_entry.setdefault(row["evaluation"], []).append(_run_entry(row, own, left))
    same = "id at command qrels qrels_fingerprint n_queries seed split split_fingerprint note"
    return tuple(
        Entry(
            **{name: row[name] for name in same.split()},
            versions=json.loads(row["versions"]),
            measures=labels[row["id"]],
            settings=json.loads(row["settings"]),
            runs=tuple(of_entry.get(row["id"], ())),
            bounds=known.get(row["id"]),
        )
        for row in rows
    )


def _run_entry(
    row: sqlite3.Row, means: dict[str, tuple[float | None, int]], ranges: dict[str, Range]
) -> RunEntry:
    same = (
        "name path fingerprint n_returned judged n_missing n_empty n_unlabelled "
        "latency_median latency_p95 cost_mean currency"
    )
    cells: dict[str, Any] = {name: row[name] for name in same.split()}
    return RunEntry(**cells, config=json.loads(row["config"]), means=means, ranges=ranges)


def _labels(text: str) -> tuple[Label, ...]:
    return tuple(
        Label(text, full, tuple(asked), aggregate)
        for text, full, asked, aggregate in json.loads(text)
    )


def details(row: sqlite3.Row) -> tuple[RunReport, RunCard]:
    """What is known of a recorded run beside its scores."""
    more = unpack_json(row["details"])
    report = RunReport(
        name=row["name"],
        n_returned=row["n_returned"],
        missing=tuple(more["missing"]),
        unlabelled=tuple(more["unlabelled"]),
        empty=tuple(more["empty"]),
        judged=row["judged"] or 0.0,
        n_judged=row["n_judged"],
        tied=row["tied"],
        notes=tuple(more["notes"]),
    )
    card = RunCard(
        row["name"],
        json.loads(row["config"]),
        more["latency"],
        more["cost"],
        tuple(more["failed"]),
        row["currency"],
        tuple(more["answered_empty"]),
    )
    return report, card
