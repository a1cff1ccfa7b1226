"""Files of preferences: `query group part document level`, as trec_eval's `-R prefs` reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Floats, Ids
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError, InputError
from cranfield.formats.inputs import Input
from cranfield.formats.text import decoded
from cranfield.scan.chunks import whole
from cranfield.scan.fields import split_fields
from cranfield.scan.numbers import parse_numbers

PREFS_FORM = "a line of preferences is: query group part document level"


@dataclass(frozen=True, eq=False)
class Preferences:
    """Columns of preferences, one entry a line. Within a query, a group is a person and a part one
    of the orders that this person gave; a document of a higher level is preferred in it."""

    query: Ids
    group: Ids
    part: Ids
    docs: Ids
    level: Floats


def read_prefs(source: Input) -> Preferences:
    """A file of preferences; lines that begin with `#` are comments.

    Raises
    ------
    FormatError
        A line of another form, or a level that is no number of 0 or more.
    """
    with source.open() as stream:
        chunk = whole(stream)
    decoded(chunk.text, source.name)
    fields = split_fields(chunk.buffer, chunk.lo, chunk.hi, 5, (0, 1, 2, 3, 4))
    level, _ = parse_numbers(fields.columns[4])
    comment = fields.columns[0].buffer[fields.columns[0].start] == ord("#")
    wrong = ~comment & ~((level >= 0) & np.isfinite(level))
    suspect = [*fields.odd.tolist(), *fields.line[wrong].tolist()]
    lines = chunk.text.split(b"\n") if suspect else []
    for number in sorted(suspect):
        if not lines[number].lstrip().startswith(b"#"):
            raise FormatError(
                "this is no line of preferences",
                PREFS_FORM + ", the level a number of 0 or more",
                file=source.name,
                line=chunk.first_line + number,
                text=lines[number].decode(),
            )
    keep = np.flatnonzero(~comment)
    if not len(keep):
        raise InputError(f"{source.name}: no preference in it", PREFS_FORM)
    query, group, part, docs, _ = (ids.take(keep) for ids in fields.columns)
    return Preferences(query, group, part, docs, level[keep])


def preferences_of(qrels: Qrels) -> Preferences:
    """Judgments as preferences: column 2 is the group, and a higher grade is preferred. Documents
    that were not judged (a grade below 0) have no part in it."""
    rows = np.flatnonzero(qrels.grade >= 0)
    assert qrels.iteration is not None
    return Preferences(
        qrels.queries.take(qrels.query[rows]),
        qrels.iteration.take(rows),
        Ids.of([b"0"] * len(rows)),
        qrels.docs.take(rows),
        qrels.grade[rows],
    )
