"""What is compared: for each measure, run and set of queries the values of both sides, and why they
may not be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.comparison.outcome import Choices, Remark
from cranfield.data.card import RunCard
from cranfield.data.columns import Floats, Index
from cranfield.data.scores import GM_FLOOR, Scores

Mask = NDArray[np.bool_]
Compared = Literal["value", "count", "log"]
COMPARED: Mapping[str, Compared] = {"mean": "value", "sum": "count", "gm": "log"}


@dataclass(frozen=True, eq=False)
class Sample:
    """One run and the base under one measure on some queries.

    Parameters
    ----------
    base, values : float64 [n], over the queries that both have a value for, in the order of the
        query ids, so that neither the order of a file nor that of the runs can show in a figure.
    places : where these queries stand among all, by id.
    """

    run: str
    measure: str
    slice: tuple[str, str] | None
    compared: Compared
    base: Floats
    values: Floats
    places: Index
    refusals: tuple[Remark, ...]

    @property
    def d(self) -> Floats:
        return self.values - self.base


def samples(
    scores: Scores, by: Sequence[str], cards: Sequence[RunCard], choices: Choices
) -> Iterator[Sample]:
    """By measure, then run, then all queries and each label of each field in `by`."""
    subsets: list[tuple[tuple[str, str] | None, Mask]] = [(None, scores._mask("all"))]
    for field in by:
        subsets += [((field, label), mask) for label, mask in scores.by(field).items()]
    order = by_name(scores.queries)
    absent = [_unanswered(scores, card) for card in cards]
    finite = np.isfinite(scores.values)
    for i, measure in enumerate(scores.measures):
        compared = COMPARED[measure.aggregate]
        for r in range(1, len(scores.runs)):
            usable = (scores.valid[[0, r], :, i] & finite[[0, r], :, i]).all(axis=0)
            for name, mask in subsets:
                refusals: tuple[Remark, ...] = (
                    *_silent(scores, (0, r), absent, mask, choices.max_missing),
                    *_other_queries(scores, r, i, mask),
                    *_no_numbers(scores, (0, r), i, mask, finite),
                )
                places = np.flatnonzero((usable & mask)[order])
                kept = order[places]
                refusals += tuple(_moot(scores, r, i, kept))
                base, values = (scale(scores.values[x, kept, i], compared) for x in (0, r))
                yield Sample(
                    scores.runs[r], measure.text, name, compared, base, values, places, refusals
                )


def by_name(names: Sequence[str]) -> Index:
    """The numbers of names in their order, so that no order of files or runs shows in a figure."""
    return np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)


def scale(values: Floats, compared: Compared) -> Floats:
    """What stands for each query: a geometric mean is the mean of logs."""
    return np.log(np.maximum(values, GM_FLOOR)) if compared == "log" else values


def barred(scores: Scores, i: int, cards: Sequence[RunCard], choices: Choices) -> NDArray[np.bool_]:
    """bool [runs]: those of which nothing may be concluded under measure `i`: too much is
    unanswered, other queries have a value than with the base, or a value is no number."""
    everything = scores._mask("all")
    finite = np.isfinite(scores.values)
    absent = [_unanswered(scores, card) for card in cards]

    def refusals(r: int) -> Iterator[Remark]:
        yield from _silent(scores, (r,), absent, everything, choices.max_missing)
        yield from _other_queries(scores, r, i, everything)
        yield from _no_numbers(scores, (r,), i, everything, finite)

    return np.array([any(True for _ in refusals(r)) for r in range(len(scores.runs))], bool)


def _unanswered(scores: Scores, card: RunCard) -> tuple[Mask, Mask]:
    """(missing, failed) over the queries."""
    report = next((r for r in scores.reports if r.name == card.name), None)
    missing = set(report.missing if report else ()) - set(card.empty)
    failed = set(card.failed)
    return (
        np.array([q in missing for q in scores.queries], bool),
        np.array([q in failed for q in scores.queries], bool),
    )


def _silent(
    scores: Scores,
    sides: tuple[int, ...],
    absent: Sequence[tuple[Mask, Mask]],
    mask: Mask,
    most: float,
) -> Iterator[Remark]:
    n = int(mask.sum())
    for r in sides:
        missing, failed = (a & mask for a in absent[r])
        share = float((missing | failed).sum()) / n if n else 0.0
        if share > most:
            values = {"run": scores.runs[r], "missing": int(missing.sum())}
            values |= {"failed": int(failed.sum()), "n": n, "share": share, "most": most}
            yield Remark("unanswered", values)


def _other_queries(scores: Scores, r: int, i: int, mask: Mask) -> Iterator[Remark]:
    one, two = scores.valid[0, :, i] & mask, scores.valid[r, :, i] & mask
    if (one != two).any():
        yield Remark(
            "other_queries",
            {
                "base": scores.runs[0],
                "run": scores.runs[r],
                "n_base": int(one.sum()),
                "n_run": int(two.sum()),
                "n_both": int((one & two).sum()),
            },
        )


def _moot(scores: Scores, r: int, i: int, kept: Index) -> Iterator[Remark]:
    """Queries of which the measure can say nothing: all without a relevant document, all 0."""
    answerable = scores.answerable[kept].any()
    if len(kept) > 1 and not answerable and not scores.values[:, kept, i][[0, r]].any():
        yield Remark("moot", {"n": len(kept)})


def _no_numbers(
    scores: Scores, sides: tuple[int, ...], i: int, mask: Mask, finite: Mask
) -> Iterator[Remark]:
    for r in sides:
        bad = int((scores.valid[r, :, i] & ~finite[r, :, i] & mask).sum())
        if bad:
            yield Remark("no_number", {"run": scores.runs[r], "n": bad})
