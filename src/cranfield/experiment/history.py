"""What was recorded, in order: how a measure went, and what changed from one time to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.data.card import changed_keys
from cranfield.errors import UnknownName
from cranfield.experiment.entries import Entry, RunEntry
from cranfield.experiment.ledger import Ledger

Series = tuple[str, str | None, str]


@dataclass(frozen=True)
class Point:
    """A run of a recorded evaluation under one measure.

    Parameters
    ----------
    value, n : its mean, None where no query counts, and over how many queries.
    series : which points are comparable: (fingerprint of the qrels, of the part of the split,
        settings as text).
    before : number of the evaluation that it is held against: the last earlier one of its series
        that has a run of this name, or that has one run.
    difference : value minus that one's; None without it.
    changed : {key: (then, now)} of the configurations; None: one of the two says nothing.
    same_run : the run holds exactly what that one held.
    qrels_before : number of the last evaluation by the same qrels, where what they hold has
        changed since: the scores are not comparable.
    settings_changed : {key: (then, now)} against the last evaluation by the same qrels.
    """

    entry: Entry
    run: RunEntry
    value: float | None
    n: int
    series: Series
    before: int | None = None
    difference: float | None = None
    changed: Mapping[str, tuple[Any, Any]] | None = None
    same_run: bool = False
    qrels_before: int | None = None
    settings_changed: Mapping[str, tuple[Any, Any]] | None = None


@dataclass(frozen=True)
class History:
    """Points of one measure, the oldest first.

    Parameters
    ----------
    measure, full : its short and full name.
    points : those asked for.
    trends : {series: all its points, also those before the ones asked for}, in the order of
        their last points.
    without : evaluations that do not have the measure.
    """

    measure: str
    full: str
    points: tuple[Point, ...]
    trends: Mapping[Series, tuple[Point, ...]]
    without: int = 0


def history(
    ledger: Ledger,
    measure: str | None = None,
    *,
    default: str | None = None,
    run: str | None = None,
    last: int | None = None,
) -> History:
    """The points of one measure.

    Parameters
    ----------
    measure : None for `default`, or the first of the last evaluation.
    run : only runs of this name.
    last : only so many points.

    Raises
    ------
    UnknownName
        Nothing was recorded with this measure, or no run of this name.
    """
    entries = ledger.entries()
    if run is not None and entries and not any(e.run(run) for e in entries):
        names = dict.fromkeys(r.name for e in entries for r in e.runs)
        raise UnknownName(f"no run {run!r} was recorded", f"runs: {', '.join(list(names)[:20])}")
    text, full = _measure(entries, measure, default)
    points = _points(entries, text)
    if run is not None:
        points = [p for p in points if p.run.name == run]
    trends: dict[Series, tuple[Point, ...]] = {}
    for p in points:
        trends[p.series] = (*trends.pop(p.series, ()), p)
    shown = points if last is None else points[max(0, len(points) - last) :]
    kept = {p.series for p in shown}
    without = sum(text not in {m.text for m in e.measures} for e in entries)
    return History(
        text, full, tuple(shown), {s: t for s, t in trends.items() if s in kept}, without
    )


def _measure(entries: Sequence[Entry], measure: str | None, default: str | None) -> tuple[str, str]:
    from cranfield.measures import parse

    if not entries:
        return measure or default or "", measure or default or ""
    asked = measure or default
    have = {m.text: m.full for e in entries for m in e.measures}
    if asked is not None:
        text = asked if asked in have else str(parse(asked))
        if text in have:
            return text, have[text]
        if measure is not None:
            raise UnknownName(
                f"nothing was recorded under {measure}", f"measures: {', '.join(have)}"
            )
    newest = entries[-1].measures[0]
    return newest.text, newest.full


def _points(entries: Sequence[Entry], measure: str) -> list[Point]:
    points: list[Point] = []
    by_qrels: dict[tuple[str, object], Entry] = {}
    groups: dict[Series, list[list[Point]]] = {}
    for entry in entries:
        judged = (entry.qrels, sample_of(entry))
        last = by_qrels.get(judged)
        by_qrels[judged] = entry
        changed = last is not None and last.qrels_fingerprint != entry.qrels_fingerprint
        series = series_of(entry)
        here: list[Point] = []
        for run in entry.runs:
            if measure not in run.means:
                continue
            value, n = run.means[measure]
            point = Point(
                entry,
                run,
                value,
                n,
                series,
                qrels_before=last.id if last is not None and changed else None,
                settings_changed=_settings_changed(last, entry),
            )
            here.append(_against(point, groups.get(series, [])))
        if here:
            groups.setdefault(series, []).append(here)
        points += here
    return points


def sample_of(entry: Entry) -> object:
    """How many queries an experiment drew for these runs, None for all: a sample has fewer
    judgments, and nobody has changed any."""
    keys = (key for run in entry.runs for key in entry.card(run).flat().items())
    return next((n for key, n in keys if key.rpartition(".")[2] == "sample"), None)


def series_of(entry: Entry) -> Series:
    """What makes the points of two evaluations comparable."""
    settings = ", ".join(f"{k}={v}" for k, v in sorted(entry.settings.items()))
    return entry.qrels_fingerprint, entry.split_fingerprint, settings


def _settings_changed(last: Entry | None, entry: Entry) -> dict[str, tuple[Any, Any]] | None:
    if last is None:
        return None
    keys = dict.fromkeys([*last.settings, *entry.settings])
    pairs = {k: (last.settings.get(k), entry.settings.get(k)) for k in keys}
    found = {k: pair for k, pair in pairs.items() if pair[0] != pair[1]}
    if last.split != entry.split:
        found["split"] = (last.split, entry.split)
    return found or None


def _against(point: Point, earlier: Sequence[Sequence[Point]]) -> Point:
    """The point with what changed since the last one that it can be held against."""
    for group in reversed(earlier):
        same = [p for p in group if p.run.name == point.run.name]
        if not same and len(group) > 1:
            continue
        then = same[0] if same else group[0]
        one, two = then.entry.card(then.run), point.entry.card(point.run)
        known = bool(one.config) and bool(two.config)
        return Point(
            point.entry,
            point.run,
            point.value,
            point.n,
            point.series,
            before=then.entry.id,
            difference=None
            if point.value is None or then.value is None
            else point.value - then.value,
            changed=changed_keys(one, two) if known else None,
            same_run=then.run.fingerprint == point.run.fingerprint,
            qrels_before=point.qrels_before,
            settings_changed=point.settings_changed,
        )
    return point
