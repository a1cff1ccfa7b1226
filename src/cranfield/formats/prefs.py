"""Files of preferences: `query group part document level`, as trec_eval's `-R prefs` reads them.

Within a query, a group is a person and a part one of the orders that this person gave; in a part a
document of a higher level is preferred to one of a lower level.
"""

from __future__ import annotations

import numpy as np

from cranfield.formats.complaints import is_number
from cranfield.formats.five import WIDTH, Layout, read_five, rows_of
from cranfield.formats.inputs import Input
from cranfield.formats.rows import Rows

PREFS_FORM = "a line of preferences is: query group part document level"
RECOGNISED = (
    "read as preferences, five columns: query group part document level (--qrels-format says "
    "otherwise)"
)
_PREFS = Layout(
    ("preferences", "preference"),
    PREFS_FORM,
    "the level a number of 0 or more",
    3,
    {"group": 1, "part": 2},
    lambda level: np.asarray(level >= 0),
)


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
    return read_five(source, _PREFS)


def looks_like_prefs(head: bytes) -> bool:
    """Whether the beginning of a file can only be preferences.

    All lines have five columns and end in a number of 0 or more; the parts hold two documents or
    more on average; and it is neither a sample of judgments (columns 3 to 5 numbers throughout)
    nor qrels whose document ids hold a blank, of which column 2 is the same throughout and
    column 3 is not the same as it.
    """
    table = list(rows_of(head))
    if not table or any(len(c) != WIDTH or not _is_level(c[4]) for c in table):
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
