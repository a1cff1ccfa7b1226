"""What may speak instead of the systems: the pool, ties, missing queries, several changes at once,
too few queries, too many hypotheses. Each is a `Remark`; none changes a figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cranfield.comparison.outcome import Choices, Difference, Remark
from cranfield.comparison.verdict import DECIMALS
from cranfield.data.card import RunCard, changed_keys
from cranfield.data.scores import RunReport, Scores

JUDGED_APART = 0.05  # judged@k may differ by this much
JUDGED_LOW = 0.5
TIED_MUCH = 0.005  # a smaller share of equal scores is not worth a sentence
LARGE = 0.8  # d_z: with fewer queries than show this, only very large effects are seen


def cautions(
    scores: Scores,
    cards: Sequence[RunCard],
    by: Sequence[str],
    rows: Sequence[Difference],
    choices: Choices,
) -> tuple[Remark, ...]:
    """All of them; those that put a verdict in doubt come first."""
    reports = {report.name: report for report in scores.reports}
    known = [reports[run] for run in scores.runs if run in reports]
    return (
        *_pool(scores, known),
        *_answers(scores, known, cards),
        *_ties(scores, known),
        *_no_relevant(scores),
        *_configurations(cards),
        *_sizes(scores, rows, choices),
        *_scales(rows),
        *_labels(scores, by),
        *_hypotheses(choices),
        *(Remark("card", {"run": c.name, "notes": c.notes}) for c in cards if c.notes),
    )


def _pool(scores: Scores, reports: Sequence[RunReport]) -> Iterator[Remark]:
    """Unjudged documents count as not relevant, which punishes a run whose documents nobody
    judged."""
    base = next((r for r in reports if r.name == scores.runs[0]), None)
    for report in reports:
        if not report.n_judged:
            continue
        if report.judged < JUDGED_LOW:
            values = {"run": report.name, "judged": report.judged, "k": scores.k}
            yield Remark("judged_low", {**values, "limit": JUDGED_LOW})
        if base is None or report is base or not base.n_judged:
            continue
        if round(abs(report.judged - base.judged), DECIMALS) > JUDGED_APART:
            values = {"base": base.name, "judged_base": base.judged, "run": report.name}
            yield Remark("judged_apart", {**values, "judged": report.judged, "k": scores.k})


def _answers(
    scores: Scores, reports: Sequence[RunReport], cards: Sequence[RunCard]
) -> Iterator[Remark]:
    empty = {card.name: set(card.empty) for card in cards}
    for report in reports:
        silent = empty.get(report.name, set())
        missing = tuple(q for q in report.missing if q not in silent)
        nothing = (*report.empty, *(q for q in report.missing if q in silent))
        if missing:
            values = {"run": report.name, "n": len(missing), "queries": missing}
            how = str(scores.settings.get("missing", "zero"))
            yield Remark(f"missing_{how}", values)
        if nothing:
            yield Remark("empty", {"run": report.name, "n": len(nothing), "queries": nothing})
        if report.unlabelled:
            values = {"run": report.name, "n": len(report.unlabelled)}
            yield Remark("unlabelled", {**values, "queries": report.unlabelled})
    for card in cards:
        if card.failed:
            values = {"run": card.name, "n": len(card.failed), "queries": card.failed}
            yield Remark("failed", values)


def _ties(scores: Scores, reports: Sequence[RunReport]) -> Iterator[Remark]:
    for report in reports:
        if report.tied >= TIED_MUCH:
            values = {"run": report.name, "share": report.tied, "k": scores.k}
            yield Remark("tied", {**values, "ties": str(scores.settings.get("ties", "docid-desc"))})


def _no_relevant(scores: Scores) -> Iterator[Remark]:
    n = len(scores.queries) - int(scores.answerable.sum())
    if n:
        yield Remark("no_relevant", {"n": n, "all": len(scores.queries)})


def _configurations(cards: Sequence[RunCard]) -> Iterator[Remark]:
    """One main variable at a time: with several, nobody knows which one it was."""
    for card in cards[1:]:
        changed = changed_keys(cards[0], card)
        if len(changed) > 1:
            yield Remark("several_changes", {"run": card.name, "n": len(changed), "keys": changed})


def _sizes(scores: Scores, rows: Sequence[Difference], choices: Choices) -> Iterator[Remark]:
    from cranfield.comparison.figures import detectable_effect

    n = len(scores.queries)
    small: dict[int, dict[str, None]] = {}
    for row in rows:
        where = "" if row.slice is None else f"{row.slice[0]}={row.slice[1]}"
        if row.slice is None and row.n < n:
            values = {"run": row.run, "measure": row.measure, "n": row.n, "all": n}
            yield Remark("fewer_queries", values)
        small.setdefault(row.n, {})[where] = None
    for size in sorted(small, reverse=True):
        effect = detectable_effect(size, choices)
        if effect is None or effect > LARGE:
            values = {"n": size, "effect": effect, "slices": tuple(filter(None, small[size]))}
            key = ("few_queries" if "" in small[size] else "small_slice") if effect else "no_test"
            yield Remark(key, values)


def _scales(rows: Sequence[Difference]) -> Iterator[Remark]:
    for compared in ("count", "log"):
        measures = tuple(dict.fromkeys(r.measure for r in rows if r.compared == compared))
        if measures:
            yield Remark(f"scale_{compared}", {"measures": measures})


def _labels(scores: Scores, by: Sequence[str]) -> Iterator[Remark]:
    for name in by:
        bare = np.array([label is None for label in scores.slices[name]], bool)
        if bare.any():
            queries = tuple(scores.queries[q] for q in np.flatnonzero(bare).tolist())
            yield Remark("no_label", {"field": name, "n": len(queries), "queries": queries})


def _hypotheses(choices: Choices) -> Iterator[Remark]:
    if choices.hypotheses > 1:
        values: Mapping[str, object] = {
            "n": choices.hypotheses,
            "correction": choices.correction,
            "alpha": choices.alpha,
        }
        yield Remark("uncorrected" if choices.correction == "none" else "hypotheses", values)
