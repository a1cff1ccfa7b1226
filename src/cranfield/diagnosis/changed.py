"""Judgments that are not those of the last evaluation by them."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.diagnosis.asked import Earlier
from cranfield.diagnosis.finding import Finding, Rows
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import Effect, Unpriced
from cranfield.kit.fingerprint import of_file

Row = tuple[str, str, float, float, float]


def changed(found: Examined) -> Iterator[Finding]:
    """Where a lab recorded other judgments under this name, with the scores then and now of the
    runs that are checked, if they were evaluated by them and are the same."""
    then = found.asked.recorded
    if then is None or then.fingerprint == found.given.fingerprint():
        return
    rows = _then_and_now(found, then)
    effect: Effect = {} if rows else Unpriced("not_recorded")
    for _, measure, _, _, difference in rows:
        if abs(difference) >= abs(effect.get(measure, 0.0)):
            effect[measure] = difference
    table = Rows(
        "then_and_now",
        ("run", "measure", "then", "now", "difference"),
        ("text", "text", "score", "score", "signed"),
        tuple(rows),
    )
    values = {"entry": f"@{then.entry}", "at": then.at}
    yield Finding("qrels_changed", "warning", values, effect=effect, rows=table if rows else None)


def _then_and_now(found: Examined, then: Earlier) -> list[Row]:
    settings = found.settings.shown()
    if any(settings.get(name, value) != value for name, value in then.settings.items()):
        return []
    rows: list[Row] = []
    for r, path in enumerate(found.paths.runs):
        means = then.means.get(of_file(path), {}) if path is not None else {}
        for i, measure in enumerate(found.measures):
            before = means.get(measure.full_name)
            if before is not None:
                now = float(found.values[r, :, i].mean())
                rows.append((found.runs[r], str(measure), before, now, now - before))
    return rows
