"""How a study shows itself at the Python prompt and in a notebook: the measures in order, each with
what it tells apart; the report room writes the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.data.show import html_table, number, plain_table

if TYPE_CHECKING:
    from cranfield.metaeval.results import Condition, Study

_LEVEL = 0.05


def plain(found: Study) -> str:
    """The measures as aligned text."""
    return "\n".join([_title(found), *plain_table(*_table(found)), *_more(found)])


def html(found: Study) -> str:
    """The measures as an HTML table; every name is escaped."""
    return html_table(_title(found), *_table(found), _more(found))


def _title(found: Study) -> str:
    kept = found.selection
    runs, queries = len(kept.runs), len(kept.queries)
    return (
        f"Study of {found.name or 'scores'}: {runs} runs, {queries} queries, "
        f"{runs * (runs - 1) // 2} pairs; told apart at {_level(found):g}"
    )


def _level(found: Study) -> float:
    """The level of the table: .05, else the largest there is."""
    levels = found.conditions[0].discrimination.levels
    return _LEVEL if _LEVEL in levels else levels[-1]


def _table(found: Study) -> tuple[list[str], list[list[str]]]:
    several = len(found.conditions) > 1
    sure = found.conditions[0].discrimination.bootstrap is not None
    header = ["measure", *(["condition"] if several else []), "told apart"]
    header += ["low", "high", "above next"] if sure else []
    header += ["over levels", "difficulty"]
    rows = [row for c in found.conditions for row in _rows(c, _level(found), several)]
    return header, rows


def _rows(condition: Condition, level: float, several: bool) -> list[list[str]]:
    d = condition.discrimination
    order, at = d.order(level), d.levels.index(level)
    hard = dict(zip(condition.difficulty.measures, condition.difficulty.index(), strict=True))
    rows = []
    for i, measure in enumerate(order.measures):
        row = [measure, *([condition.name] if several else []), _percent(order.shares[i])]
        if d.bootstrap is not None:
            j = d.measures.index(measure)
            row += [_percent(float(b[j, at])) for b in (d.bootstrap.low, d.bootstrap.high)]
            last = i == len(order.measures) - 1
            row.append("" if last else "settled" if order.settled[i] else "not settled")
        index = hard[measure]
        row += [_percent(d.at(measure)), "–" if index is None else number(index)]
        rows.append(row)
    return rows


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _more(found: Study) -> list[str]:
    kept = found.selection
    said = []
    if kept.dropped_queries:
        n = len(kept.dropped_queries)
        said.append(f"{n} quer{'y' if n == 1 else 'ies'} without a relevant document dropped")
    if kept.dropped_runs:
        n = len(kept.dropped_runs)
        what = f"{n} run{'s' * (n != 1)} with a mean {kept.floor_measure} below {kept.min_ap:g}"
        said.append(f"{what} dropped")
    return [*said, *found.notes]
