"""A pool as a file: a line that says how it was drawn, then a table.

# pool: depths 10,50; rates 1,0.2; seed 0; runs a,b
query   document   stratum   sampled   rank   runs
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from cranfield.errors import FormatError, InputError, NoSuchInput
from cranfield.judging.pools import Pool, Pooled

COLUMNS = ("query", "document", "stratum", "sampled", "rank", "runs")
_FIRST = re.compile(r"# pool: depths ([\d,]+); rates ([\d.,e-]+); seed (-?\d+); runs (.*)")
_HINT = "a file that `cranfield judge pool` wrote"


def pool_text(pool: Pool) -> str:
    """The file.

    Raises
    ------
    InputError
        An id with a tab or a line end in it.
    """
    bad = next((x for r in pool.rows for x in (r.query, r.doc) if re.search(r"[\t\n\r]", x)), None)
    if bad is not None:
        raise InputError(f"the id {bad!r} cannot stand in a table", "no tab, no line end")
    depths, rates = ",".join(map(str, pool.depths)), ",".join(f"{r:g}" for r in pool.rates)
    runs = ",".join(re.sub(r"\s", "_", name) for name in pool.runs)
    rows = (
        f"{r.query}\t{r.doc}\t{r.stratum}\t{int(r.sampled)}\t{r.rank}\t{r.runs}" for r in pool.rows
    )
    first = f"# pool: depths {depths}; rates {rates}; seed {pool.seed}; runs {runs}"
    return "\n".join([first, "\t".join(COLUMNS), *rows]) + "\n"


def read_pool(path: str | os.PathLike[str]) -> Pool:
    """A pool that `pool_text` wrote.

    Raises
    ------
    NoSuchInput, FormatError
    """
    name = os.fspath(path)
    try:
        lines = Path(name).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise NoSuchInput(f"{name} cannot be read: {getattr(e, 'strerror', 'not UTF-8')}") from None
    first = _FIRST.fullmatch(lines[0]) if lines else None
    if first is None or lines[1:2] != ["\t".join(COLUMNS)]:
        raise FormatError("no pool", _HINT, file=name, line=1)
    try:
        depths = tuple(map(int, first[1].split(",")))
        rates = tuple(map(float, first[2].split(",")))
    except ValueError:
        raise FormatError("depths or rates are no numbers", _HINT, file=name, line=1) from None
    rows = tuple(
        _row(line, name, number, len(depths)) for number, line in enumerate(lines[2:], 3) if line
    )
    return Pool(rows, depths, rates, int(first[3]), tuple(first[4].split(",")))


def _row(line: str, name: str, number: int, strata: int) -> Pooled:
    cells = line.split("\t")
    try:
        query, doc, *numbers = cells
        stratum, sampled, rank, runs = map(int, numbers)
    except ValueError:
        raise FormatError(
            "no row of a pool", "two ids and four whole numbers", file=name, line=number, text=line
        ) from None
    if not 1 <= stratum <= strata or sampled not in (0, 1):
        raise FormatError(
            f"stratum {stratum} of {strata}, sampled {sampled}", _HINT, file=name, line=number
        )
    return Pooled(query, doc, stratum, bool(sampled), rank, runs)
