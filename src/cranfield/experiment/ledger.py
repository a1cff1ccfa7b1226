"""The ledger of a lab: one SQLite file in which each evaluation is one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.data.card import RunCard
from cranfield.data.scores import RunReport, Scores
from cranfield.errors import UnknownName
from cranfield.experiment.entries import About, Entry
from cranfield.experiment.packing import text_of, unpack, unpack_json, unpack_mask
from cranfield.experiment.ranges import ends_of, kept, record_ranges
from cranfield.experiment.rows import (
    details,
    entries_of,
    insert,
    query_set,
    record_run,
    versions,
)
from cranfield.experiment.schema import APPLICATION, MIGRATIONS
from cranfield.kit.clock import Clock, now, written
from cranfield.kit.fingerprint import of_parts
from cranfield.kit.store import PATIENCE, Store


class Ledger:
    """The evaluations of a lab, in the order in which they were made."""

    def __init__(self, path: Path, *, clock: Clock = now, patience: float = PATIENCE) -> None:
        self.store = Store(
            path, MIGRATIONS, application_id=APPLICATION, what="the ledger", patience=patience
        )
        self._clock = clock

    def time(self) -> str:
        """Now, as it is written."""
        return written(self._clock())

    def record(self, scores: Scores, about: About, *, look: str | None = None) -> int:
        """Write one evaluation, whole or not at all, and return its number.

        Parameters
        ----------
        look : fingerprint of the frozen test list where its queries are among the scores; the
            look is counted in the same transaction.
        """
        _ = scores.ranges  # what takes long is done before others have to wait
        with self.store.transaction() as db:
            at = self.time()
            number = insert(
                db,
                "evaluations",
                at=at,
                command=about.command,
                versions=text_of(versions()),
                qrels=about.qrels,
                qrels_fingerprint=about.qrels_fingerprint,
                query_set=query_set(db, scores),
                measures=text_of([[m.text, m.full, m.asked, m.aggregate] for m in scores.measures]),
                k=scores.k,
                settings=text_of(dict(scores.settings)),
                seed=about.seed,
                split=about.split,
                split_fingerprint=about.split_fingerprint,
                note=about.note,
                remarks=text_of(scores.notes),
            )
            added = [record_run(db, number, r, scores, about) for r in range(len(scores.runs))]
            record_ranges(db, number, added, scores)
            if look is not None:
                looked = zip(scores.runs, about.fingerprints, about.cards, strict=True)
                runs = [(n, f, c.config) for n, f, c in looked]
                self.look(db, look, about.command, runs, number, at)
            return number

    def look(
        self,
        db: sqlite3.Connection,
        test: str,
        command: str,
        runs: Sequence[tuple[str, str, Any]],
        evaluation: int | None = None,
        at: str | None = None,
    ) -> None:
        """Count one look at a test list, inside a transaction."""
        seen = [[n, f, of_parts([text_of(config)]) if config else ""] for n, f, config in runs]
        insert(
            db,
            "looks",
            at=at or self.time(),
            command=command,
            test=test,
            evaluation=evaluation,
            runs=text_of(seen),
        )

    def last(self) -> int:
        """The number of the last evaluation, 0 where there is none."""
        found = self.store.rows("SELECT max(id) FROM evaluations")
        return int(found[0][0] or 0) if found else 0

    def entries(self, first: int = 1, last: int | None = None) -> tuple[Entry, ...]:
        """Evaluations by number, the oldest first."""
        last = self.last() if last is None else last
        rows = self.store.rows(
            "SELECT e.*, s.n AS n_queries FROM evaluations e JOIN query_sets s "
            "ON s.id = e.query_set WHERE e.id BETWEEN ? AND ? ORDER BY e.id",
            (first, last),
        )
        runs = self.store.rows(
            "SELECT * FROM runs WHERE evaluation BETWEEN ? AND ? ORDER BY evaluation, position",
            (first, last),
        )
        means = self.store.rows(
            "SELECT c.run, c.measure, c.mean, c.n FROM scores c JOIN runs r ON r.id = c.run "
            "WHERE r.evaluation BETWEEN ? AND ? ORDER BY c.run, c.measure",
            (first, last),
        )
        if not kept(self.store):
            return entries_of(rows, runs, means)
        worlds = self.store.rows(
            "SELECT evaluation, world FROM bounded WHERE evaluation BETWEEN ? AND ?", (first, last)
        )
        ranges = self.store.rows(
            "SELECT g.run, g.measure, g.holes, g.low, g.high, g.exact FROM ranges g "
            "JOIN runs r ON r.id = g.run WHERE r.evaluation BETWEEN ? AND ?",
            (first, last),
        )
        return entries_of(rows, runs, means, ranges, {row[0]: row[1] for row in worlds})

    def entry(self, number: int) -> Entry:
        """One evaluation.

        Raises
        ------
        UnknownName
            There is none of this number.
        """
        found = self.entries(number, number)
        if not found:
            last = self.last()
            have = f"there are @1 to @{last}" if last else "nothing has been recorded yet"
            raise UnknownName(f"no evaluation @{number}", have)
        return found[0]

    def scores(self, number: int) -> Scores:
        """The scores of an evaluation as they were, whether or not the files are still there."""
        entry = self.entry(number)
        content = self.store.rows(
            "SELECT s.content, e.k, e.remarks FROM evaluations e JOIN query_sets s "
            "ON s.id = e.query_set WHERE e.id = ?",
            (number,),
        )[0]
        about = unpack_json(content["content"])
        n, m = len(about["ids"]), len(entry.measures)
        values = np.zeros((len(entry.runs), n, m))
        valid = np.ones((len(entry.runs), n, m), bool)
        for row in self.store.rows(
            "SELECT r.position, c.measure, c.value, c.valid FROM scores c JOIN runs r "
            "ON r.id = c.run WHERE r.evaluation = ?",
            (number,),
        ):
            values[row["position"], :, row["measure"]] = unpack(row["value"])
            valid[row["position"], :, row["measure"]] = unpack_mask(row["valid"], n)
        return Scores(
            runs=tuple(r.name for r in entry.runs),
            queries=tuple(about["ids"]),
            measures=entry.measures,
            values=values,
            valid=valid,
            answerable=np.array(about["answerable"], bool),
            reports=tuple(report for report, _ in self._details(number)),
            k=int(content["k"]),
            settings=dict(entry.settings),
            slices={k: tuple(v) for k, v in about["slices"].items()},
            notes=tuple(json.loads(content["remarks"])),
            open_ends=ends_of(self.store, entry, tuple(about["ids"]), values),
        )

    def cards(self, number: int) -> tuple[RunCard, ...]:
        """Configuration, latency and cost of each run of an evaluation."""
        self.entry(number)
        return tuple(card for _, card in self._details(number))

    def _details(self, number: int) -> list[tuple[RunReport, RunCard]]:
        return [
            details(row)
            for row in self.store.rows(
                "SELECT * FROM runs WHERE evaluation = ? ORDER BY position", (number,)
            )
        ]
