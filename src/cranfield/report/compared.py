"""A comparison as a page for people and as data for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import groupby

from cranfield.comparison.outcome import AllPairs, Change, Comparison, Difference, Remark
from cranfield.data.card import changed_keys
from cranfield.data.qrels import grade_text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Block, Heading, Page, Table, Text
from cranfield.report.remarks import (
    in_words,
    name_of,
    p_text,
    percent,
    sentences,
)

SHOWN_RUNS = 5  # whose changes are listed; JSON has all
MOST_ALIKE = 5  # cautions of one kind
MATRIX = 12  # systems up to which the matrix of all pairs is printed


def page(found: Comparison, lang: str = "en", *, depth: int = 10) -> Page:
    """The comparison: verdicts first, then figures, slices, cautions, pairs and changes.

    Parameters
    ----------
    depth : how many results of each list are shown beside a change
    """
    w = words(lang)
    blocks: list[Block] = [Text(line) for line in sentences(found, w)]
    blocks += [Heading(w("compare.figures")), Table(figures(found, found.differences, w))]
    for name in dict.fromkeys(row.slice[0] for row in found.slices if row.slice):
        rows = [row for row in found.slices if row.slice and row.slice[0] == name]
        blocks.append(Heading(w("compare.slices", field=w.name(name))))
        blocks.append(Table(figures(found, rows, w)))
    if found.cautions:
        said = "\n".join(f"- {line}" for line in _cautions(found, w))
        blocks += [Heading(w("compare.cautions")), Text(said)]
    blocks += _settings(found, w)
    for pairs in found.pairs:
        blocks += all_pairs(pairs, w)
    blocks += _changes(found, depth, w)
    blocks += [Heading(w("compare.how")), Text(choices(found, w))]
    blocks += [Text("\n".join(f"- {note}" for note in notes))] if (notes := notes_of(found)) else []
    return Page(w("compare.title", base=found.base), lang, tuple(blocks))


def figures(found: Comparison, rows: Sequence[Difference], w: Words) -> Grid:
    """One row a measure and run, and slice where there are any."""
    sliced = any(row.slice for row in rows)
    columns = ["measure", "run", *(["slice"] if sliced else []), "n", "base_mean", "mean"]
    columns += ["difference", "interval", "p", "p_adjusted", "d_z", "wins"]
    columns += ["detectable", "needed", "verdict"]
    left = ("measure", "run", "slice", "verdict")
    kinds = ["text" if c in left else "count" if c in ("n", "needed") else "score" for c in columns]
    plain = {"n": "n", "d_z": "d_z"}
    level = percent(1 - found.choices.alpha)
    heads = [plain.get(c) or w(f"column.{c}", level=level) for c in columns]
    return Grid(
        tuple(heads),
        tuple(kinds),
        tuple(_figures(row, found.choices.alpha, sliced, w) for row in rows),
    )


def _figures(row: Difference, alpha: float, sliced: bool, w: Words) -> tuple[Cell, ...]:
    where: list[Cell] = [w.name(row.slice[1]) if row.slice else ""] if sliced else []
    interval = "–"
    if row.low is not None and row.high is not None:
        interval = f"[{_signed(row.low)}, {_signed(row.high)}]"
    return (
        name_of(row),
        row.run,
        *where,
        row.n,
        *(_number(v) for v in (row.base_mean, row.mean)),
        _signed(row.difference),
        interval,
        p_text(row.p, alpha),
        p_text(row.p_adjusted, alpha),
        "–" if row.effect is None else f"{row.effect:+.2f}",
        f"{row.wins}/{row.ties}/{row.losses}",
        row.detectable,
        row.needed,
        w(f"verdict.{row.verdict.kind}"),
    )


def all_pairs(pairs: AllPairs, w: Words) -> list[Block]:
    """Means with the groups that cannot be told apart, and the matrix where it can be read."""
    member: list[list[int]] = [[] for _ in pairs.runs]
    for number, group in enumerate(pairs.groups, 1):
        for system in group:
            member[system].append(number)
    rows = tuple(
        (run, float(mean), " ".join(map(str, numbers)))
        for run, mean, numbers in zip(pairs.runs, pairs.means, member, strict=True)
    )
    heads = tuple(w(f"column.{c}") for c in ("run", "mean", "groups"))
    blocks: list[Block] = [
        Heading(w("compare.pairs", measure=pairs.measure)),
        Table(Grid(heads, ("text", "score", "text"), rows)),
        Text(w("compare.groups", method=pairs.method, n=pairs.n)),
    ]
    if len(pairs.runs) <= MATRIX:
        cells = tuple(
            (run, *("" if i == j else p_text(float(p)) for j, p in enumerate(line)))
            for i, (run, line) in enumerate(zip(pairs.runs, pairs.p, strict=True))
        )
        head = (w("compare.matrix"), *pairs.runs)
        blocks.append(Table(Grid(head, ("text", *("score",) * len(pairs.runs)), cells)))
    return blocks


def _cautions(found: Comparison, w: Words) -> list[str]:
    """Each in a sentence; of many of one kind the first few, and how many more there are."""
    said: list[str] = []
    for key, some in groupby(sorted(found.cautions, key=_kinds(found)), key=lambda r: r.key):
        remarks = list(some)
        said += [in_words(remark, w) for remark in remarks[:MOST_ALIKE]]
        if len(remarks) > MOST_ALIKE:
            said.append(w("compare.alike", n=len(remarks) - MOST_ALIKE, kind=key))
    return said


def _kinds(found: Comparison) -> Callable[[Remark], int]:
    """Remarks of a kind together, kinds in the order in which they first come."""
    order = {key: i for i, key in enumerate(dict.fromkeys(r.key for r in found.cautions))}
    return lambda remark: order[remark.key]


def _settings(found: Comparison, w: Words) -> list[Block]:
    """The settings in which each run differs from the base, by their cards."""
    blocks: list[Block] = []
    for card in found.cards[1:]:
        changed = changed_keys(found.cards[0], card)
        if changed:
            rows = tuple(
                (key, *("–" if v is None else str(v) for v in pair))
                for key, pair in changed.items()
            )
            heads = (w("column.setting"), found.base, card.name)
            blocks.append(Heading(w("compare.changed", run=card.name), 3))
            blocks.append(Table(Grid(heads, ("text",) * 3, rows)))
    return blocks


def _changes(found: Comparison, depth: int, w: Words) -> list[Block]:
    measure = found.measures[0].text
    if not found.changes:
        return []
    blocks: list[Block] = []
    for run in found.runs[:SHOWN_RUNS]:
        mine = [change for change in found.changes if change.run == run]
        if not mine:
            blocks.append(Text(w("compare.no_change", run=run, measure=measure)))
            continue
        blocks.append(Heading(w("compare.changes", run=run, measure=measure)))
        rows = tuple(
            (c.query, c.text or "", c.base_value, c.value, _signed(c.difference)) for c in mine
        )
        heads = (*(w(f"column.{c}") for c in ("query", "text")), found.base, run)
        kinds = ("text", "text", "score", "score", "score")
        blocks.append(Table(Grid((*heads, w("column.difference")), kinds, rows)))
        for change in mine:
            blocks += _lists(change, found.base, depth, w)
    if len(found.runs) > SHOWN_RUNS:
        more = len(found.runs) - SHOWN_RUNS
        blocks.append(Text(w("compare.left_out", shown=SHOWN_RUNS, n=more)))
    return blocks


def _lists(change: Change, base: str, depth: int, w: Words) -> list[Block]:
    """Both result lists side by side."""
    sides = change.base_results[:depth], change.results[:depth]
    length = max(map(len, sides))
    if not length:
        return []
    rows = []
    for i in range(length):
        row: list[Cell] = [i + 1]
        for side in sides:
            result = side[i] if i < len(side) else None
            named = "" if result is None else result.title or result.doc
            row += [named, "" if result is None else _grade(result.grade, w)]
        rows.append(tuple(row))
    grade = w("column.grade")
    heads = (w("column.rank"), base, grade, change.run, grade)
    return [
        Heading(w("compare.change", **{**asdict(change), "text": change.text or "–"}), 3),
        Table(Grid(heads, ("count", "text", "text", "text", "text"), tuple(rows))),
    ]


def _grade(grade: float | None, w: Words) -> str:
    return w("unjudged") if grade is None else grade_text(grade)


def choices(found: Comparison, w: Words) -> str:
    """Every choice that decides a verdict, in one sentence."""
    values = asdict(found.choices)
    for name in ("alpha", "min_effect", "tie"):
        values[name] = f"{values[name]:g}"
    for name in ("power", "max_missing"):
        values[name] = percent(values[name])
    return w("compare.choices", **values)


def notes_of(found: Comparison) -> list[str]:
    """What the readers of judgments and runs said."""
    return [
        *found.scores.notes,
        *(f"{r.name}: {note}" for r in found.scores.reports for note in r.notes),
    ]


def _number(value: float) -> Cell:
    return None if math.isnan(value) else value


def _signed(value: float) -> str:
    if math.isnan(value):
        return "–"
    rounded = round(value, 4) + 0.0
    return f"{rounded:+.4f}" if rounded else "0.0000"
