"""Files of preferences: `query group part document level`, as trec_eval's `-R prefs` reads them.

Within a query, a group is a person and a part one of the orders that this person gave; in a part a
document of a higher level is preferred to one of a lower level.
"""

from __future__ import annotations

import numpy as np

from cranfield.errors import FormatError, InputError
from cranfield.formats.complaints import columns_of, is_number
from cranfield.formats.inputs import Input
from cranfield.formats.problems import MOST
from cranfield.formats.rows import Rows
from cranfield.formats.text import decoded
from cranfield.scan.chunks import whole
from cranfield.scan.fields import HASH, split_fields
from cranfield.scan.numbers import parse_numbers

PREFS_FORM = "a line of preferences is: query group part document level"
RECOGNISED = (
    "read as preferences, five columns: query group part document level (--qrels-format says "
    "otherwise)"
)
_COLUMNS = 5


def read_prefs(source: Input) -> Rows:
    """A file of preferences; lines that begin with `#` are comments.

    Lines of another form, and levels that are no number of 0 or more, are among the problems.

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
    fields = split_fields(chunk.buffer, chunk.lo, chunk.hi, _COLUMNS, (0, 1, 2, 3, 4))
    query, group, part, docs, given = fields.columns
    level, _ = parse_numbers(given)
    comment = query.buffer[query.start] == HASH
    wrong = ~comment & ~((level >= 0) & np.isfinite(level))
    odd = [*fields.odd.tolist(), *fields.line[wrong].tolist()]
    lines = chunk.text.split(b"\n") if odd else []
    bad = sorted(n for n in odd if not lines[n].lstrip().startswith(b"#"))
    keep = np.flatnonzero(~comment & ~wrong)
    if not len(keep) and not bad:
        raise InputError(f"{source.name}: no preference in it", PREFS_FORM)
    rows = Rows(
        query.take(keep),
        docs.take(keep),
        level[keep],
        fields.line[keep] + chunk.first_line,
        {"group": group.take(keep), "part": part.take(keep)},
        problems=[
            FormatError(
                "this is no line of preferences",
                PREFS_FORM + ", the level a number of 0 or more",
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


def looks_like_prefs(head: bytes) -> bool:
    """Whether the beginning of a file can only be preferences.

    All lines have five columns and end in a number of 0 or more; the parts hold two documents or
    more on average; and it is neither a sample of judgments (columns 3 to 5 numbers throughout)
    nor qrels whose document ids hold a blank, of which column 2 is the same throughout and
    column 3 is not the same as it.
    """
    table = [columns_of(line) for line in _whole_lines(head)]
    if not table or any(len(c) != _COLUMNS or not _is_level(c[4]) for c in table):
        return False
    groups, parts = {c[1] for c in table}, {c[2] for c in table}
    sampled = all(is_number(c[2]) and is_number(c[3]) for c in table)
    orders = len({tuple(c[:3]) for c in table})
    pairs = len({tuple(c[:4]) for c in table})
    return (
        pairs == len(table)
        and 2 * orders <= len(table)
        and not sampled
        and (len(groups) > 1 or groups == parts)
    )


def _is_level(text: str) -> bool:
    return is_number(text) and 0 <= float(text) < float("inf")


def _whole_lines(head: bytes) -> list[str]:
    """The lines of data, without one that the end of the head cuts."""
    text = head.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if len(head) >= 1 << 16:
        lines.pop()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
