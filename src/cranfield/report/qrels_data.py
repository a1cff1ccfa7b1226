"""Two sets of judgments compared, counted or merged, as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cranfield.diagnosis.qrels_diff import CHANGES, Effect, QrelsDiff
from cranfield.diagnosis.qrels_merge import Merged
from cranfield.diagnosis.qrels_stats import QUANTILES, QrelsStats, Spread
from cranfield.report.qrels import or_none

KINDS = ("diff", "stats", "merge")
SCHEMAS: dict[str, str] = {kind: f"cranfield.qrels-{kind}/1" for kind in KINDS}


def diff_json(found: QrelsDiff) -> str:
    """Everything, for programs."""
    sides = ("before", "after")
    data: dict[str, Any] = {
        "schema": SCHEMAS["diff"],
        **{
            side: {"name": name, "fingerprint": print_, "rows": rows}
            for side, name, print_, rows in zip(
                sides, found.names, found.fingerprints, found.rows, strict=True
            )
        },
        "same": found.same,
        **{change: found.count(change) for change in CHANGES},
        "queries_added": list(found.queries_added),
        "queries_removed": list(found.queries_removed),
        "confusion": [
            {"before": a, "after": b, "rows": n} for (a, b), n in found.confusion.items()
        ],
        "changes": [
            {
                "query": row.query,
                "document": row.document,
                **({} if row.subtopic is None else {"subtopic": row.subtopic}),
                "before": row.before,
                "after": row.after,
                "change": row.change,
            }
            for row in found.changes
        ],
        "runs": list(found.runs),
        "effects": [_effect_json(effect) for effect in found.effects],
        "settings": dict(found.settings),
        "notes": list(found.notes),
    }
    return _json(data)


def _effect_json(effect: Effect) -> dict[str, Any]:
    tests = effect.significance
    return {
        "measure": effect.measure,
        "scores": [
            {
                "run": run,
                "before": or_none(effect.before[r]),
                "n_before": effect.n_before[r],
                "after": or_none(effect.after[r]),
                "n_after": effect.n_after[r],
            }
            for r, run in enumerate(effect.runs)
        ],
        "tau_b": effect.order.tau,
        "tau_ap_b": effect.order.tau_ap,
        "swapped": [list(pair) for pair in effect.order.swapped],
        "tied_on_one_side": effect.order.tied,
        "significance": {
            "pairs": tests.pairs,
            "before": tests.before,
            "after": tests.after,
            "changed": [
                {"run": run, "other": other, "change": kind} for run, other, kind in tests.changed
            ],
        },
    }


def stats_json(found: QrelsStats) -> str:
    """Everything, for programs."""

    def spread(counts: Spread) -> dict[str, Any]:
        at = dict(zip(map(str, QUANTILES), counts.at, strict=True))
        return {"mean": counts.mean, "quantiles": at}

    data = asdict(found)
    data["grades"] = [{"grade": g, "rows": n, "queries": q} for g, n, q in found.grades]
    for name in ("judged", "positives", "negatives"):
        data[name] = spread(getattr(found, name))
    for name in ("sources", "assessors"):
        data[name] = dict(getattr(found, name))
    return _json({"schema": SCHEMAS["stats"], **data})


def merge_json(found: Merged, output: str) -> str:
    """The summary, and every conflict."""
    about = {"schema": SCHEMAS["merge"], "output": output}
    return _json({**about, **card_of(found), **_conflicts(found)})


def card_of(found: Merged) -> dict[str, Any]:
    """What the card beside merged judgments says: the sets, the policy, how many conflicts there
    were, and which stretches of rows (first and last, from 1) come from which sets."""
    qrels = found.decided()
    names = [source.name for source in found.sources]
    return {
        "name": qrels.name,
        "made_by": "cranfield qrels merge",
        "policy": found.policy,
        **({"on_tie": found.on_tie} if found.policy == "majority" else {}),
        "rows": len(qrels),
        "sets": [asdict(source) for source in found.sources],
        "conflicts": len(found.conflicts),
        "given_by": [
            {"sets": [names[s] for s in sets], "rows": ",".join(map(_stretch, stretches))}
            for sets, stretches in found.provenance()
        ],
        "notes": list(found.notes),
    }


def _stretch(rows: tuple[int, int]) -> str:
    first, last = rows
    return str(first) if first == last else f"{first}-{last}"


def _conflicts(found: Merged) -> dict[str, Any]:
    names = [source.name for source in found.sources]
    return {
        "conflicts": [
            {
                "query": c.query,
                "document": c.document,
                **({} if c.subtopic is None else {"subtopic": c.subtopic}),
                "kept": c.kept,
                "grades": {n: g for n, g in zip(names, c.grades, strict=True) if g is not None},
            }
            for c in found.conflicts
        ]
    }


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
