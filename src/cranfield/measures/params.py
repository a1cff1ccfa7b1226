"""The parameters of measures: what each may be, how it is read, and how it is written."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TypeAlias

Table: TypeAlias = tuple[tuple[float, float], ...]  # (grade, gain), ascending, from (0, 0)
Levels: TypeAlias = tuple[float, ...]  # ascending, each once
Value: TypeAlias = bool | int | float | str | Table | Levels | None
Gain: TypeAlias = str | Table


@dataclass(frozen=True)
class Param:
    """One parameter of a family of measures.

    Parameters
    ----------
    name, help : what the user types, and one line about it.
    default : left out of a measure's text; None means "not given".
    allowed : the values there are, in words that follow "must be".
    read : gives a value its canonical form; ValueError or TypeError when it is not allowed.
    always : printed in the full name even when it is the default, because two people who leave
        it out may mean two numbers.
    when : (flag, value): the parameter means something only when that flag has that value.
    """

    name: str
    default: Value
    help: str
    allowed: str
    read: Callable[[object], Value]
    always: bool = False
    when: tuple[str, bool | None] | None = None

    def applies(self, values: Mapping[str, Value]) -> bool:
        """Whether the parameter means anything beside the other `values`."""
        return self.when is None or values[self.when[0]] is self.when[1]


def read_whole(value: object) -> int:
    """An integer of at least 1."""
    if isinstance(value, bool):
        raise TypeError
    whole = operator.index(value)  # type: ignore[arg-type]  # raises TypeError
    if whole < 1:
        raise ValueError
    return whole


def read_number(value: object) -> float:
    """A finite real number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def read_positive(value: object) -> float:
    """A number above 0."""
    number = read_number(value)
    if number <= 0:
        raise ValueError
    return number


def read_fraction(value: object) -> float:
    """A number between 0 and 1, both left out."""
    number = read_positive(value)
    if number >= 1:
        raise ValueError
    return number


def read_share(value: object) -> float:
    """A number from 0 to 1, both allowed."""
    number = read_number(value)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def read_levels(value: object) -> Levels:
    """Numbers from 0 to 1, kept in ascending order, each once."""
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        raise TypeError
    levels = tuple(sorted({read_share(level) for level in value}))
    if not levels:
        raise ValueError
    return levels


def read_flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise TypeError
    return value


def one_of(*names: str) -> Callable[[object], str]:
    """A reader that takes one of `names`."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError
        return value

    return read


def read_gain(value: object) -> Gain:
    """ "linear", "exp", or a table from grade to gain, kept as sorted pairs from (0, 0)."""
    if value in ("linear", "exp"):
        return str(value)
    pairs = value.items() if isinstance(value, Mapping) else value
    if isinstance(pairs, str) or not hasattr(pairs, "__iter__"):
        raise TypeError
    read = [(read_number(grade), read_number(gain)) for grade, gain in pairs]
    table = {0.0: 0.0, **dict(read)}
    twice = len({grade for grade, _ in read}) < len(read)
    if twice or table[0.0] != 0 or min(table) < 0 or min(table.values()) < 0:
        raise ValueError
    return tuple(sorted(table.items()))


def write(value: Value) -> str:
    """The text of a value; `cranfield.measures.grammar` reads it back."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        listed = ",".join(":".join(map(write, x if isinstance(x, tuple) else (x,))) for x in value)
        return f"{{{listed}}}" if isinstance(value[0], tuple) else f"[{listed}]"
    if float(value).is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(value)


CUTOFF = Param("k", None, "read only the first k documents", "an integer of at least 1", read_whole)
CONDENSED = Param(
    "condensed",
    False,
    "leave unjudged documents out of the list first (written as an apostrophe: nDCG'@10)",
    "true or false",
    read_flag,
)
REL = Param(
    "rel",
    1.0,
    "the lowest grade that counts as relevant",
    "a number above 0",
    read_positive,
)
GAIN = Param(
    "gain",
    "linear",
    'what a grade g is worth: "linear" g, "exp" 2^g − 1, or a table {0:0,1:1,2:5}',
    '"linear", "exp" or a table such as {0:0,1:1,2:5}: no gain below 0, and none for grade 0',
    read_gain,
    always=True,
)
GMAX = Param(
    "gmax",
    None,
    "the largest grade that an assessor could give; the collection's largest when left out",
    "a number above 0",
    read_positive,
    always=True,
)
PERSISTENCE = Param(
    "p",
    0.8,
    "the probability that the reader goes on to the next document",
    "a number between 0 and 1, both left out",
    read_fraction,
    always=True,
)
