"""Numbers that a caller gives, checked: a wrong one is a wrong call, told by its name, whatever it
is."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from cranfield.errors import UsageError


def number(name: str, value: object, wanted: str, fits: Callable[[float], bool]) -> float:
    """`value` as a float.

    Parameters
    ----------
    wanted : what it must be, in words that follow the name: `must lie between 0 and 1`
    fits : whether a number is that; it is never asked about NaN

    Raises
    ------
    UsageError
        It is no number (a bool is none), NaN, or does not fit.
    """
    given: Any = value
    known = isinstance(given, Real) and not isinstance(given, bool)
    found = float(given) if known else math.nan
    if math.isnan(found) or not fits(found):
        raise UsageError(f"{name} is {value!r}", f"{name} {wanted}")
    return found


def share(name: str, value: object) -> float:
    """A number strictly between 0 and 1; UsageError else."""
    return number(name, value, "must lie between 0 and 1", lambda x: 0 < x < 1)


def positive(name: str, value: object) -> float:
    """A finite number above 0; UsageError else."""
    return number(name, value, "must be a number above 0", lambda x: 0 < x < float("inf"))


def not_negative(name: str, value: object) -> float:
    """A finite number of 0 or more; UsageError else."""
    return number(name, value, "must be a number from 0 on", lambda x: 0 <= x < float("inf"))


def whole(name: str, value: object, least: int, wanted: str = "") -> int:
    """A whole number of at least `least`; UsageError else. `wanted` says it in other words."""
    given: Any = value
    known = isinstance(given, Integral) and not isinstance(given, bool)
    if not known or int(given) < least:
        said = "from 0 on" if least == 0 else f"of at least {least}"
        raise UsageError(
            f"{name} is {value!r}", f"{name} {wanted or f'must be a whole number {said}'}"
        )
    return int(given)
