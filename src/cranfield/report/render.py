"""A grid written as a table, TSV, CSV, JSON, JSON lines, Markdown, LaTeX or Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

from cranfield.data.show import ljust, width
from cranfield.errors import MissingExtra, UnknownName, clip
from cranfield.report.grid import Cell, Grid

DIGITS = 4


def render(grid: Grid, form: str, about: dict[str, Any] | None = None) -> bytes:
    """The bytes of a grid in one of `FORMATS`; `about` (settings, notes) goes into JSON."""
    if form not in FORMATS:
        raise UnknownName(f"no output format {form!r}", f"formats: {', '.join(FORMATS)}")
    if form == "parquet":
        return _parquet(grid)
    if form == "json":
        return _json({**(about or {}), "rows": grid.records()}).encode() + b"\n"
    return _TEXT[form](grid).encode()


def shown(value: Cell, kind: str) -> str:
    """A cell for people: four decimals, counts whole, nothing where not defined."""
    if value is None:
        return ""
    if isinstance(value, str):  # an id may hold what would move the cursor
        return value if value.isprintable() else clip(value, len(value) + 1)
    if kind == "amount":
        return f"{value:.4g}"
    if kind == "signed":
        text = f"{value:+.{DIGITS}f}"
        return text if float(text) else text[1:]  # zero has no sign
    if kind in ("percent", "gain"):
        text = f"{100 * value:{'+' if kind == 'gain' else ''}.2f}"
        return f"{text if float(text) else text.lstrip('+-')} %"
    if kind == "short":  # milliseconds, money: any size
        return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"
    return f"{value:.0f}" if kind == "count" else f"{value:.{DIGITS}f}"


def exact(value: Cell, kind: str) -> str:
    """A cell for programs: the shortest text that reads back as the same number."""
    if value is None:
        return ""
    if isinstance(value, float) and kind == "count" and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else repr(value)


def _cells(grid: Grid) -> list[list[str]]:
    return [[shown(v, k) for v, k in zip(row, grid.kinds, strict=True)] for row in grid.rows]


def aligned(grid: Grid) -> str:
    """Columns lined up by terminal width, so that Chinese text stays in line."""
    rows = [list(grid.columns), *_cells(grid)]
    widths = [max(width(row[c]) for row in rows) for c in range(len(grid.columns))]
    lines = []
    for i, row in enumerate(rows):
        cells = [
            ljust(cell, w) if kind == "text" else " " * (w - width(cell)) + cell
            for cell, w, kind in zip(row, widths, grid.kinds, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
        if i == 0:
            lines.append("  ".join("─" * w for w in widths))
    return "\n".join(lines) + "\n"


def _tsv(grid: Grid) -> str:
    def clean(text: str) -> str:
        return text.replace("\t", " ").replace("\n", " ")

    def cell(value: Cell, kind: str) -> str:
        if isinstance(value, float) and kind != "count":  # most cells; nothing to clean in them
            return repr(value)
        return clean(exact(value, kind))

    def line(row: tuple[Cell, ...]) -> str:
        return "\t".join(map(cell, row, grid.kinds))

    return "\n".join(["\t".join(map(clean, grid.columns)), *map(line, grid.rows), ""])


def _csv(grid: Grid) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(grid.columns)
    for row in grid.rows:
        writer.writerow([exact(v, k) for v, k in zip(row, grid.kinds, strict=True)])
    return out.getvalue()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)


def _jsonl(grid: Grid) -> str:
    return "".join(
        json.dumps(r, ensure_ascii=False, allow_nan=False) + "\n" for r in grid.records()
    )


def _markdown(grid: Grid) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(c.replace("|", "\\|").replace("<", "&lt;") for c in cells) + " |"

    rule = "|" + "|".join("---" if k == "text" else "---:" for k in grid.kinds) + "|"
    return "\n".join([line(list(grid.columns)), rule, *map(line, _cells(grid))]) + "\n"


_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "|": r"\textbar{}",  # another sign in LaTeX's oldest font encoding, as are the next two
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "`": r"\textasciigrave{}",
}
_LIGATURE = re.compile(r"(?<=-)-|(?<=')'|(?<=,),")


def _in_latex(text: str) -> str:
    """The text as LaTeX prints it, sign by sign: two hyphens stay two."""
    return _LIGATURE.sub(r"{}\g<0>", "".join(_LATEX.get(c, c) for c in text))


def _latex(grid: Grid) -> str:
    def line(cells: list[str]) -> str:
        row = " & ".join(map(_in_latex, cells)) + r" \\"
        # the end of the row before would take a star or a bracket for its own
        return f"{{{row[0]}}}{row[1:]}" if row[0] in "*[" else row

    spec = "".join("l" if k == "text" else "r" for k in grid.kinds)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{spec}}}",
            r"\hline",
            line(list(grid.columns)),
            r"\hline",
            *map(line, _cells(grid)),
            r"\hline",
            r"\end{tabular}",
            "",
        ]
    )


def _parquet(grid: Grid) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet output", "arrow") from None
    arrays = []
    for c, kind in enumerate(grid.kinds):
        column = [row[c] for row in grid.rows]
        whole = kind == "count" and all(v is None or float(v).is_integer() for v in column)
        form = pyarrow.string() if kind == "text" else pyarrow.float64()
        arrays.append(pyarrow.array(column, pyarrow.int64() if whole else form))
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(arrays, names=list(grid.columns)), out)
    return out.getvalue()


_TEXT: dict[str, Callable[[Grid], str]] = {
    "table": aligned,
    "tsv": _tsv,
    "csv": _csv,
    "jsonl": _jsonl,
    "md": _markdown,
    "latex": _latex,
}
FORMATS = (*_TEXT, "json", "parquet")
