"""A comparison as data for programs: one JSON object, or one row a measure, run and slice."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from cranfield.comparison.outcome import Comparison, Difference, Remark
from cranfield.data.card import changed_keys
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.remarks import in_words


def as_grid(found: Comparison) -> Grid:
    """Every figure of every measure, run and slice, a row each."""
    columns = {
        "measure": "text",
        "run": "text",
        "base": "text",
        "slice": "text",
        "n": "count",
        "base_mean": "score",
        "mean": "score",
        "difference": "score",
        "low": "score",
        "high": "score",
        "p": "score",
        "p_adjusted": "score",
        "method": "text",
        "d_z": "score",
        "wins": "count",
        "ties": "count",
        "losses": "count",
        "detectable": "score",
        "needed": "count",
        "compared": "text",
        "verdict": "text",
        "reasons": "text",
    }
    w = words("en")
    rows = tuple(_cells(row, found.base, w) for row in (*found.differences, *found.slices))
    return Grid(tuple(columns), tuple(columns.values()), rows)


def _cells(row: Difference, base: str, w: Words) -> tuple[Cell, ...]:
    return (
        row.measure,
        row.run,
        base,
        "" if row.slice is None else "=".join(row.slice),
        row.n,
        *(None if math.isnan(v) else v for v in (row.base_mean, row.mean, row.difference)),
        row.low,
        row.high,
        row.p,
        row.p_adjusted,
        row.method,
        row.effect,
        row.wins,
        row.ties,
        row.losses,
        row.detectable,
        row.needed,
        row.compared,
        row.verdict.kind,
        "; ".join(in_words(reason, w) for reason in row.verdict.reasons),
    )


def as_json(found: Comparison, lang: str = "en") -> str:
    """Everything: choices, settings, figures, pairs, changes with both lists, cautions, cards."""
    w = words(lang)
    scores = found.scores
    data = {
        "base": found.base,
        "runs": found.runs,
        "measures": [{"text": m.text, "full": m.full} for m in found.measures],
        "queries": len(scores.queries),
        "choices": asdict(found.choices),
        "settings": dict(scores.settings),
        "differences": [_difference(row, w) for row in found.differences],
        "slices": [_difference(row, w) for row in found.slices],
        "pairs": [
            {**{f.name: getattr(p, f.name) for f in fields(p)}, "means": p.means.tolist()}
            | {"p": p.p.tolist()}
            for p in found.pairs
        ],
        "changes": [{**asdict(c), "difference": c.difference} for c in found.changes],
        "cautions": [remark_data(remark, w) for remark in found.cautions],
        "cards": [
            {
                "name": card.name,
                "config": card.config,
                "changed": {
                    key: {"base": a, "run": b}
                    for key, (a, b) in changed_keys(found.cards[0], card).items()
                },
                "failed": card.failed,
                "empty": card.empty,
            }
            for card in found.cards
        ],
        "reports": [asdict(report) for report in scores.reports],
        "notes": scores.notes,
    }
    return json.dumps(plain(data), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _difference(row: Difference, w: Words) -> dict[str, Any]:
    data = {f.name: getattr(row, f.name) for f in fields(row)}
    data["verdict"] = {
        "kind": row.verdict.kind,
        "certified": row.verdict.certified,
        "reasons": [remark_data(reason, w) for reason in row.verdict.reasons],
    }
    return data


def remark_data(remark: Remark, w: Words) -> dict[str, Any]:
    """A remark for programs: its key and values, and the sentence for people."""
    return {"key": remark.key, "values": dict(remark.values), "text": in_words(remark, w)}


def plain(value: Any) -> Any:
    """What JSON can hold: no NaN, and keys that are texts."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value if isinstance(value, (str, int, bool)) or value is None else str(value)
