"""Blocks as JSON: what a page shows, for programs.

The outermost object has `schema`, `title`, `lang` and `blocks`; each block has `type`. A change
that breaks a reader raises the number in `schema`.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, fields
from typing import Any

from cranfield.report.blocks import Block, Chart, Details, Table
from cranfield.report.grid import Grid

SCHEMA = "cranfield.page/1"


def to_json(title: str, lang: str, blocks: tuple[Block, ...]) -> str:
    """The page as one JSON object; numbers are exact, where a table shows four decimals."""
    page = {"schema": SCHEMA, "title": title, "lang": lang, "blocks": [_block(b) for b in blocks]}
    return json.dumps(page, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _block(block: Block) -> dict[str, Any]:
    kind = type(block).__name__
    name = kind[0].lower() + "".join(f"_{c.lower()}" if c.isupper() else c for c in kind[1:])
    if isinstance(block, Table):
        return {"type": name, **_grid(block.grid)}
    if isinstance(block, Details):
        inner = [_block(b) for b in block.blocks]
        return {"type": name, "title": block.title, "open": block.open, "blocks": inner}
    if isinstance(block, Chart):
        return {"type": name, "kind": block.chart.kind, **_plain(asdict(block.chart))}
    return {"type": name, **{f.name: _plain(getattr(block, f.name)) for f in fields(block)}}


def _plain(value: Any) -> Any:
    """Tuples as lists, dataclasses as objects; what is not a number as null, which is how a value
    that is not defined is written everywhere."""
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return _plain(asdict(value)) if hasattr(value, "__dataclass_fields__") else value


def _grid(grid: Grid) -> dict[str, Any]:
    return {
        "columns": list(grid.columns),
        "kinds": list(grid.kinds),
        "rows": _plain(grid.rows),
    }
