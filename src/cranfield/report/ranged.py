"""Scores with the ranges that unjudged documents leave open, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.data.scores import Scores
from cranfield.errors import CranfieldError
from cranfield.evaluation.ranges import bounded_means
from cranfield.measures import parse
from cranfield.report.grid import Cell, Grid, ends_of

PEOPLE = ("table", "md", "latex")  # forms in which the ends stand below a score, not beside it
NARROW = 1e-9
SAMPLED = ("xinfAP", "infAP")  # which infer what was not judged
COUNTING = ("Judged", "Unjudged")  # holes are what they count
ENDS = {
    "closed": ("  at least", "  at most"),
    "open": ("  at least, open", "  at most, open"),
}
WORLDS = {
    "closed": "the unjudged documents that its measure reads (the first k)",
    "open": "unjudged documents, in the lists and elsewhere,",
}


def stacked(scores: Scores, grid: Grid) -> Grid:
    """The grid with the ends of the ranges in rows below the scores, so that it grows no wider; a
    row without anything open has none.

    Parameters
    ----------
    grid : of `means` or `per_query`; its second column says what a row is about
    """
    if scores.ranges is None:
        return grid
    ends = {}
    for i, measure in enumerate(scores.measures):
        if ends_of(scores, i):
            at = grid.columns.index(measure.full)
            ends[at] = (at + 1, at + 2)
    return below(grid, ends, 1, ENDS[scores.ranges.world])


def below(grid: Grid, ends: Mapping[int, tuple[int, int]], at: int, names: Sequence[str]) -> Grid:
    """The grid with ends in rows of their own.

    Parameters
    ----------
    ends : {column of a score: columns of its low and of its high end}
    at, names : the column that says what a row is about, and what it says of a row of ends
    """
    dropped = {column for pair in ends.values() for column in pair}
    kept = [c for c in range(len(grid.columns)) if c not in dropped]
    rows = []
    for row in grid.rows:
        rows.append(tuple(row[c] for c in kept))
        if any(apart(row[low], row[high]) for low, high in ends.values()):
            for side, name in enumerate(names):
                cells: dict[int, Cell] = {c: row[pair[side]] for c, pair in ends.items()}
                rows.append(tuple({at: name, **cells}.get(c) for c in kept))
    columns, kinds = (tuple(names[c] for c in kept) for names in (grid.columns, grid.kinds))
    return Grid(columns, kinds, tuple(rows))


def apart(low: Cell, high: Cell) -> bool:
    """Whether something is left open between two ends."""
    return isinstance(low, float) and isinstance(high, float) and high - low > NARROW


def of_holes(scores: Scores, form: str) -> list[str]:
    """What unjudged documents in the first results mean for the scores."""
    said = [*_judged(scores)]
    if scores.ranges is None:
        more = "; --bounds closed says how far that may move each score"
        return [f"{line}{more if _boundable(scores) else ''}" for line in said]
    below = form in PEOPLE
    ends = "'at least' and 'at most'" if below else "low and high"
    said.append(
        f"{ends} ({scores.ranges.world} world): between these a score lies, whatever "
        f"{WORLDS[scores.ranges.world]} turn out to be, with grades up to {_top(scores)}"
    )
    if not scores.answerable.all() or scores.settings["no_relevant"] != "zero":
        which = {"zero": "in rows 'answerable'"}.get(scores.settings["no_relevant"], "here")
        said.append(
            f"{which} only queries with a relevant document count, and which these are is taken as "
            "it is now: a label can bring another one in, which no range allows for"
        )
    numbers = range(len(scores.measures))
    left = [m.full for m in scores.measures if m.full in scores.ranges.dear]
    if left:
        said.append(f"no range of {_listed(left)} here, which takes longer: --bounds closed has it")
    unknown = [scores.measures[i].full for i in numbers if not scores.ranges.known(i)]
    quiet = () if scores.open_ends and scores.open_ends.asked else COUNTING
    evaluated = scores.open_ends.ranges.measures if scores.open_ends else ()
    left += [name for name in unknown if name not in evaluated]  # a budget's, for example
    unknown = [name for name in unknown if name not in left and not name.startswith(quiet)]
    if unknown:
        said.append(f"no bounds are known for {_listed(unknown)}")
    outer = [i for i in numbers if scores.ranges.known(i) and not scores.ranges.exact[:, i].all()]
    if outer:
        names = _listed([scores.measures[i].full for i in outer])
        said.append(f"the bounds of {names} are outer ones: wider than need be")
    return said


def _boundable(scores: Scores) -> bool:
    """Whether bounds could be had of any of the measures as they were evaluated."""
    return scores.settings["ties"] != "expected" and any(_known(m.full) for m in scores.measures)


def _known(measure: str) -> bool:
    try:
        return bounded_means(parse(measure))
    except CranfieldError:  # a column of another kind, such as a budget's
        return False


def _top(scores: Scores) -> str:
    """The largest grade that was supposed, and whose choice it was."""
    assert scores.ranges is not None
    said = scores.settings.get("scale") is not None
    return f"{scores.ranges.top:g}" + ("" if said else " (the largest judged; see --scale)")


def _judged(scores: Scores) -> list[str]:
    some = [r for r in scores.reports if r.n_judged and r.judged < 1]
    if not some:
        return []
    if all(m.full.startswith(SAMPLED) for m in scores.measures):
        return []
    least = min(some, key=lambda r: r.judged)
    which = least.name if len(scores.reports) == 1 else f"{least.name} (the least)"
    return [
        f"judged@{scores.k} is {least.judged:.4f} for {which}: documents without a judgment "
        "count as not relevant"
    ]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
