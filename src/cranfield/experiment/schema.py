"""The tables of the ledger, as migrations: a step is never changed once it has been released."""

from __future__ import annotations

from collections.abc import Sequence

APPLICATION = 0x43524E46  # "CRNF"

_TABLES = (
    # which queries a vector of values is over; most evaluations share one
    """CREATE TABLE query_sets (
        id INTEGER PRIMARY KEY,
        fingerprint TEXT NOT NULL UNIQUE,
        n INTEGER NOT NULL,
        content BLOB NOT NULL  -- JSON, deflated: ids, answerable, slices
    )""",
    """CREATE TABLE evaluations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,  -- UTC, ISO 8601
        command TEXT NOT NULL,
        versions TEXT NOT NULL,  -- JSON: cranfield, numpy, python
        qrels TEXT NOT NULL,
        qrels_fingerprint TEXT NOT NULL,
        query_set INTEGER NOT NULL REFERENCES query_sets (id),
        measures TEXT NOT NULL,  -- JSON: text, full, asked, aggregate
        k INTEGER NOT NULL,
        settings TEXT NOT NULL,  -- JSON
        seed INTEGER,
        split TEXT,
        split_fingerprint TEXT,
        note TEXT,
        remarks TEXT NOT NULL  -- JSON: what was said of the judgments
    )""",
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        evaluation INTEGER NOT NULL REFERENCES evaluations (id),
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        path TEXT,  -- from the folder of the lab where it lies inside
        fingerprint TEXT NOT NULL,
        config TEXT NOT NULL,  -- JSON
        n_returned INTEGER NOT NULL,
        judged REAL,
        n_judged INTEGER NOT NULL,
        tied REAL NOT NULL,
        n_missing INTEGER NOT NULL,
        n_empty INTEGER NOT NULL,
        n_unlabelled INTEGER NOT NULL,
        latency_median REAL,
        latency_p95 REAL,
        cost_mean REAL,
        currency TEXT NOT NULL,
        details BLOB NOT NULL,  -- JSON, deflated: names of queries, notes, latency, cost, failed
        UNIQUE (evaluation, position)
    )""",
    """CREATE TABLE scores (
        run INTEGER NOT NULL REFERENCES runs (id),
        measure INTEGER NOT NULL,  -- a place in evaluations.measures
        mean REAL,
        n INTEGER NOT NULL,
        value BLOB NOT NULL,  -- float64 a query, deflated
        valid BLOB,  -- bits, deflated; NULL: all are
        PRIMARY KEY (run, measure)
    )""",
    "CREATE INDEX runs_by_name ON runs (name, evaluation)",
    """CREATE TABLE looks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        command TEXT NOT NULL,
        test TEXT NOT NULL,  -- fingerprint of the frozen list
        evaluation INTEGER REFERENCES evaluations (id),
        runs TEXT NOT NULL  -- JSON: [name, fingerprint, fingerprint of the configuration or ""]
    )""",
    """CREATE TABLE review (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,  -- add, remove, note, tag, untag
        query TEXT NOT NULL,
        run TEXT,  -- fingerprint of the run that a tag or note is about
        text TEXT NOT NULL
    )""",
    """CREATE TABLE reviewed (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        name TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        k INTEGER NOT NULL,
        lists BLOB NOT NULL  -- JSON, deflated: {query: [[document, score, grade], ...]}
    )""",
)
_KEPT = "query_sets evaluations runs scores looks review reviewed".split()
_RANGES = (
    # how far unjudged documents may move the scores; an evaluation from before has no row here
    """CREATE TABLE bounded (
        evaluation INTEGER PRIMARY KEY REFERENCES evaluations (id),
        world TEXT,  -- closed or open; NULL: no ranges were wanted, or they would have been dear
        asked INTEGER NOT NULL,  -- 1: they were asked for
        dear TEXT NOT NULL  -- JSON: measures left out because they take long
    )""",
    """CREATE TABLE ranges (
        run INTEGER NOT NULL REFERENCES runs (id),
        measure INTEGER NOT NULL,  -- a place in evaluations.measures
        holes INTEGER,  -- unjudged documents among those that the measure reads
        low REAL,  -- of the mean; NULL: not known
        high REAL,
        exact INTEGER NOT NULL,  -- 0: outer bounds
        value BLOB,  -- float64: the low ends of the queries, then the high ones, deflated
        PRIMARY KEY (run, measure)
    )""",
)


def _only_added_to(tables: Sequence[str]) -> list[str]:
    """Triggers: a row is never changed or taken away."""
    return [
        f"""CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table}
        BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END"""
        for table in tables
        for verb in ("UPDATE", "DELETE")
    ]


MIGRATIONS = (
    (*_TABLES, *_only_added_to(_KEPT)),
    (*_RANGES, *_only_added_to(("bounded", "ranges"))),
)
