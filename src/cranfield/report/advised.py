"""A recommendation in words, and the table of what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.metaeval.advice import Reason, Recommendation
from cranfield.metaeval.labels import Labels
from cranfield.report.blocks import Block, Note, Table, Text, Tone
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words

_SHARES = frozenset(
    (
        "share",
        "low",
        "high",
        "next_share",
        "decide_share",
        "error",
        "tie",
        "well",
        "overall",
        "step",
    )
)


def advised(made: Recommendation, w: Words) -> list[Block]:
    """What is recommended, why, and the standings of the measures."""
    key = "advice.title" if made.settled else "advice.title.unsettled"
    if len(made.standings) == 1:
        key = "advice.title.only"
    tone: Tone = "plain" if made.settled else "undecided"
    reasons = tuple(in_words(reason, w) for reason in made.reasons)
    weights = w("advice.and").join(
        f"{w(f'advice.criterion.{name}')} × {weight:g}" for name, weight in made.weights.items()
    )
    return [
        Note(w(key, measure=made.decide), reasons, tone),
        Table(standings(made, w)),
        Text(w("advice.weights", weights=weights)),
    ]


def in_words(reason: Reason, w: Words) -> str:
    """One sentence without a full stop."""
    values = dict(reason.values)
    both = w("advice.and")
    if reason.key == "difficulty":
        values["difficulty"] = 1.0 - values["mean"]
    if "leaders" in values:
        several = [{**one, "overall": _percent(one["overall"])} for one in values["leaders"]]
        values["leaders"] = both.join(w("advice.leader", **one) for one in several)
    if "pairs" in values and not isinstance(values["pairs"], int):
        values["pairs"] = both.join(w("advice.pair", **one) for one in values["pairs"])
    if "items" in values:
        kind = "like" if reason.key.endswith("like") else "share"
        values["items"] = both.join(_item(one, kind, w) for one in values["items"])
    shown = {k: _percent(v) if k in _SHARES and v is not None else v for k, v in values.items()}
    shown = {k: Count(v) if type(v) is int else v for k, v in shown.items()}
    return w(f"advice.{reason.key}", **shown)


def _item(one: Mapping[str, Any], kind: str, w: Words) -> str:
    values = {**one, "share": _percent(one["share"])}
    if one["queries"] is None:
        return w(f"advice.item.{kind}.never", **values)
    low, high = one["low"], one["high"]
    values["interval"] = (
        "" if low is None else w("advice.interval", low=low, high="…" if high is None else high)
    )
    values["beyond"] = w("advice.beyond") if one["beyond"] else ""
    return w(f"advice.item.{kind}", **values)


def standings(made: Recommendation, w: Words) -> Grid:
    """What is known of each measure, the highest share over all levels first."""
    stable = any(s.error is not None for s in made.standings)
    head = ["measure", "share", "low", "high", *(["error"] if stable else []), "one_minus"]
    kinds = ["text", "percent", "percent", "percent", *(["percent"] if stable else []), "score"]
    rows: list[tuple[Cell, ...]] = [
        (s.measure, s.share, s.low, s.high, *([s.error] if stable else []), s.difficulty,
         labels_text(s.labels, w), s.points)
        for s in made.standings
    ]  # fmt: skip
    head, kinds = [*head, "labels", "points"], [*kinds, "text", "amount"]
    return Grid(tuple(w(f"study.col.{h}") for h in head), tuple(kinds), tuple(rows))


def labels_text(labels: Labels, w: Words) -> str:
    """Which documents must be judged, in few words."""
    return w(f"study.need.{labels.need}", depth=labels.depth)


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
