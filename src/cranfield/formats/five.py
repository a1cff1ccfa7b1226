"""TREC files of judgments with five columns, read whole: preferences, and samples of a pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Floats
from cranfield.errors import FormatError, InputError
from cranfield.formats.complaints import columns_of
from cranfield.formats.inputs import Input
from cranfield.formats.problems import MOST
from cranfield.formats.rows import Rows
from cranfield.formats.text import decoded
from cranfield.measures.hits import Bools
from cranfield.scan.chunks import whole
from cranfield.scan.fields import HASH, split_fields
from cranfield.scan.numbers import parse_numbers

WIDTH = 5


@dataclass(frozen=True)
class Layout:
    """One kind of such a file.

    Parameters
    ----------
    what : a line is called, and what the file holds (`a preference`).
    form : how a line looks, in words; `number` what its last column may be.
    doc : the column of the document, from 0; `extra` {name in `Qrels`: its column}.
    right : [row] of the values of the last column, which may be.
    """

    what: tuple[str, str]
    form: str
    number: str
    doc: int
    extra: dict[str, int]
    right: Callable[[Floats], Bools]


def read_five(source: Input, layout: Layout) -> Rows:
    """The rows; lines that begin with `#` are comments, and lines of another form are among the
    problems.

    Raises
    ------
    FormatError
        The file is no text.
    InputError
        It holds no line of data.
    """
    with source.open() as stream:
        chunk = whole(stream)
    decoded(chunk.text, source.name)
    fields = split_fields(chunk.buffer, chunk.lo, chunk.hi, WIDTH, tuple(range(WIDTH)))
    query = fields.columns[0]
    value, _ = parse_numbers(fields.columns[WIDTH - 1])
    comment = query.buffer[query.start] == HASH
    wrong = ~comment & ~(layout.right(value) & np.isfinite(value))
    odd = [*fields.odd.tolist(), *fields.line[wrong].tolist()]
    lines = chunk.text.split(b"\n") if odd else []
    bad = sorted(n for n in odd if not lines[n].lstrip().startswith(b"#"))
    keep = np.flatnonzero(~comment & ~wrong)
    line, held = layout.what
    if not len(keep) and not bad:
        raise InputError(f"{source.name}: no {held} in it", layout.form)
    rows = Rows(
        query.take(keep),
        fields.columns[layout.doc].take(keep),
        value[keep],
        fields.line[keep] + chunk.first_line,
        {name: fields.columns[at].take(keep) for name, at in layout.extra.items()},
        problems=[
            FormatError(
                f"this is no line of {line}",
                f"{layout.form}, {layout.number}",
                file=source.name,
                line=chunk.first_line + n,
                text=lines[n].decode(),
            )
            for n in bad[:MOST]
        ],
    )
    if comments := int(np.count_nonzero(comment)) + len(odd) - len(bad):
        rows.skipped["comment"] = comments
    return rows


def rows_of(head: bytes) -> Iterator[list[str]]:
    """The columns of the lines of data, without a line that the end of the head cuts."""
    text = head.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if len(head) >= 1 << 16:
        lines.pop()
    return (columns_of(x) for x in lines if x.strip() and not x.lstrip().startswith("#"))
