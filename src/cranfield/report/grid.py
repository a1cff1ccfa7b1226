"""Scores as a grid of cells, the one form that every output format writes."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.scores import Scores

Cell = str | int | float | None


@dataclass(frozen=True)
class Grid:
    """`columns` are names, `kinds` how a number is shown: `text`, `count`, `score`, `share`,
    `percent` (a share, in percent), `gain` (that, with a sign), `signed` (a difference), `amount`
    (a time or a price), `short`."""

    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def records(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def means(scores: Scores, by: Sequence[str] = ()) -> Grid:
    """One row a run and subset: all queries, the answerable ones where that is fewer, and each
    slice of each field in `by`."""
    subsets: list[tuple[str, NDArray[np.bool_]]] = [("all", scores._mask("all"))]
    if not scores.answerable.all() and scores.answerable.any():
        subsets.append(("answerable", scores.answerable))
    for name in by:
        subsets += [(f"{name}={label}", mask) for label, mask in scores.by(name).items()]
    own_n = _own_counts(scores, subsets)
    columns, kinds = ["run", "queries of", "n"], ["text", "text", "count"]
    for i, m in enumerate(scores.measures):
        columns.append(m.full)
        kinds.append("count" if m.aggregate == "sum" else "score")
        columns += ends_of(scores, i)
        kinds += ["score"] * len(ends_of(scores, i))
        if i in own_n:
            columns.append(f"n of {m.full}")
            kinds.append("count")
    columns += [f"judged@{scores.k}", "missing", "empty", "unlabelled"]
    kinds += ["share", "count", "count", "count"]
    rows = []
    for r, run in enumerate(scores.runs):
        report = scores.reports[r]
        for name, mask in subsets:
            row: list[Cell] = [run, name, int(mask.sum())]
            for i in range(len(scores.measures)):
                value, n = scores.summary(r, i, mask)
                row.append(None if math.isnan(value) else value)
                if ends_of(scores, i):
                    row += [None if math.isnan(x) else x for x in scores.limits(r, i, mask)]
                if i in own_n:
                    row.append(n)
            if name == "all":
                row += [report.judged if report.n_judged else None]
                row += [len(report.missing), len(report.empty), len(report.unlabelled)]
            else:
                row += [None, None, None, None]
            rows.append(tuple(row))
    return Grid(tuple(columns), tuple(kinds), tuple(rows))


def ends_of(scores: Scores, measure: int) -> list[str]:
    """The names of the columns of bounds of a measure; none where there are none."""
    if scores.ranges is None or not scores.ranges.known(measure):
        return []
    world = "" if scores.ranges.world == "closed" else "open "
    return [f"{world}{end} {scores.measures[measure].full}" for end in ("low", "high")]


def _own_counts(scores: Scores, subsets: list[tuple[str, NDArray[np.bool_]]]) -> set[int]:
    """Measures whose mean is over other queries than the row's n."""
    return {
        i
        for i in range(len(scores.measures))
        for r in range(len(scores.runs))
        for _, mask in subsets
        if scores.summary(r, i, mask)[1] != int(mask.sum())
    }


def per_query(scores: Scores, by: Sequence[str] = ()) -> Grid:
    """One row a run and query; with `by` the query's labels too."""
    for name in by:
        scores.by(name)  # an unknown field is an error here too
    columns: list[str] = ["run", "query", *by]
    kinds = ["text"] * len(columns)
    tables, valid = [], []
    for i, m in enumerate(scores.measures):
        own = [m.full, *ends_of(scores, i)]
        columns += own
        kinds += [("count" if m.aggregate == "sum" else "score"), *["score"] * (len(own) - 1)]
        tables.append(scores.values[:, :, i])
        if len(own) > 1 and scores.ranges is not None:
            tables += [scores.ranges.low[:, :, i], scores.ranges.high[:, :, i]]
        valid += [scores.valid[:, :, i]] * len(own)
    cells, defined = np.stack(tables, axis=2), np.stack(valid, axis=2)
    rows = tuple(
        (
            run,
            query,
            *(scores.slices[name][q] for name in by),
            *(values if all(ok) else (v if o else None for v, o in zip(values, ok, strict=True))),
        )
        for r, run in enumerate(scores.runs)
        for q, (query, values, ok) in enumerate(
            zip(scores.queries, cells[r].tolist(), defined[r].tolist(), strict=True)
        )
    )
    return Grid(tuple(columns), tuple(kinds), rows)


def remarks(scores: Scores, most: int | None = None) -> list[str]:
    """What has to be said beside the numbers: what was skipped, missing or tied; what can be said
    of more than `most` runs in one line for all of them."""
    said = list(scores.notes)
    n = len(scores.queries)
    without = n - int(scores.answerable.sum())
    if without and scores.settings["no_relevant"] == "zero":
        said.append(
            f"{without} of {n} queries {'has' if without == 1 else 'have'} no relevant document "
            f"and count{'s' * (without == 1)} as 0 (the best possible mean is "
            f"{(n - without) / n:.4f})"
            + ("; rows 'answerable' leave them out" if scores.answerable.any() else "")
        )
    elif without:
        said.append(
            f"{without} of {n} queries {'has' if without == 1 else 'have'} no relevant document: "
            "not defined"
        )
    if any("'" in m.text for m in scores.measures):
        said.append(
            "condensed lists (') leave unjudged documents out, which favours runs that return few "
            "judged documents in good order, as new systems do; the plain measure is biased "
            f"against them: read both beside judged@{scores.k}"
        )
    own: list[tuple[str, str, str]] = []
    for report in scores.reports:
        name = report.name
        if report.missing:
            one = len(report.missing) == 1
            how = ("counts" if one else "count") + " as 0"
            if scores.settings["missing"] == "skip":
                how = "is left out" if one else "are left out"
            own.append(("missing", name, f"{_some(report.missing)} not answered and {how}"))
        if report.unlabelled:
            text = f"{_some(report.unlabelled)} without judgments, not scored"
            own.append(("unlabelled", name, text))
        if report.empty:
            text = f"{_some(report.empty)} answered with an empty list"
            own.append(("empty", name, text))
        if report.tied >= 0.005:
            text = (
                f"{report.tied:.0%} of the top {scores.k} share their score with another document; "
                f"their order is {scores.settings['ties']}"
            )
            own.append(("tied", name, text))
        own += [(_kind_of(note), name, note) for note in report.notes]
    return [*said, *_of_runs(own, most)]


def _kind_of(note: str) -> str:
    """A note without its numbers."""
    return "".join(c for c in note if not c.isdigit())


def _of_runs(own: list[tuple[str, str, str]], most: int | None) -> list[str]:
    """Lines from (kind, run, what is said of it); one for a kind that has more than `most`."""
    kinds: dict[str, list[str]] = {}
    for kind, name, _ in own:
        kinds.setdefault(kind, []).append(name)
    said = []
    for kind, name, text in own:
        names = kinds[kind]
        if most is None or len(names) <= most:
            said.append(f"{name}: {text}")
        elif names[0] == name:
            some = ", ".join(names[:most])
            said.append(f"{len(names)} runs ({some}, …); the first of them: {text}")
    return said


def suspicions(
    scores: Scores, qrels: str, runs: Sequence[str], most: int | None = None
) -> list[str]:
    """A line on each run whose queries or documents seem to be others than the judged ones, with
    the command that looks for the reason; of more than `most` runs one line for all of a kind."""
    own: list[tuple[str, str, str]] = []
    n = len(scores.queries)
    for r, (report, path) in enumerate(zip(scores.reports, runs, strict=True)):
        answered = n - len(report.missing)
        zero = bool(scores.answerable.any()) and not scores.values[r].any()
        if 2 * answered < n:
            kind, why = "answered", f"{answered} of {n} judged queries are answered"
        elif zero or (report.n_judged and not report.judged):
            kind = "judged"
            why = f"{report.judged:.0%} of the first {scores.k} documents are judged"
        else:
            continue
        command = f"cranfield doctor {shlex.quote(qrels)} {shlex.quote(path)}"
        own.append((kind, report.name, f"only {why}; do the ids fit? {command}"))
    return _of_runs(own, most)


def without_label(scores: Scores, by: Sequence[str]) -> list[str]:
    """Queries that stand in no row of a slice."""
    said = []
    for name in by:
        bare = [q for q, x in zip(scores.queries, scores.slices[name], strict=True) if x is None]
        if bare:
            said.append(f"{_some(bare)} without a {name}, in no row {name}=…")
    return said


def _some(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(names[:most]) + (", …" if len(names) > most else "")
    return f"{len(names)} quer{'y' if len(names) == 1 else 'ies'} ({shown})"


def choices(scores: Scores) -> str:
    """The choices that could make another tool print another number, in one line."""
    s = scores.settings
    zero = {"zero": "count as 0", "skip": "are left out", "nan": "are not defined"}
    return (
        f"ties {s['ties']}; scores float{s['score_width']}; queries not answered "
        f"{zero[s['missing']]}; queries without a relevant document {zero[s['no_relevant']]}"
    )
