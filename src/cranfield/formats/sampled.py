"""Samples of a pool by strata: `query iteration document stratum grade`, the form that NIST's
sample_eval reads for extended infAP; a grade below 0 where a document of the pool has none.

Another form of samples, `query document grade method probability` (prels), belongs to measures
that divide by the probability of each document and is not read.
"""

from __future__ import annotations

import numpy as np

from cranfield.formats.complaints import is_number
from cranfield.formats.five import WIDTH, Layout, read_five, rows_of
from cranfield.formats.inputs import Input
from cranfield.formats.rows import Rows

SAMPLED_FORM = "a line of a sampled pool is: query iteration document stratum grade"
RECOGNISED = (
    "read as a pool sampled by strata, five columns: query iteration document stratum grade "
    "(--qrels-format says otherwise)"
)
_SAMPLED = Layout(
    ("a sampled pool", "document"),
    SAMPLED_FORM,
    "the grade a number, below 0 where the document has none",
    2,
    {"iteration": 1, "stratum": 3},
    lambda grade: np.asarray(grade == grade),
)


def read_sampled(source: Input) -> Rows:
    """A file of a sampled pool; lines that begin with `#` are comments.

    Lines of another form, and grades that are no finite number, are among the problems.

    Raises
    ------
    FormatError
        The file is no text.
    InputError
        It holds no line of data.
    """
    return read_five(source, _SAMPLED)


def looks_like_sampled(head: bytes) -> bool:
    """Whether the beginning of a file can only be a sampled pool.

    All lines have five columns, of which the second is 0 or Q0 throughout, the fourth a whole
    number and the fifth a number; some grade is below 0; and a stratum has two documents of a
    query or more on average, which the ranks of a run without tags have not.
    """
    table = []
    for c in rows_of(head):
        if len(c) != WIDTH or not _is_row(c):
            return False
        table.append(c)
    if not table:
        return False
    strata = len({(c[0], c[3]) for c in table})
    pairs = len({(c[0], c[2]) for c in table})
    second = {c[1].upper() for c in table}
    return (
        len(second) == 1
        and pairs == len(table)
        and 2 * strata <= len(table)
        and any(float(c[4]) < 0 for c in table)
    )


def _is_row(c: list[str]) -> bool:
    whole = c[3].isascii() and c[3].isdigit()
    return c[1].upper() in ("0", "Q0") and whole and is_number(c[4])
