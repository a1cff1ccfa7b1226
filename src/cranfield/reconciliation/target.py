"""The number that somebody saw, as precise as they typed it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from cranfield.errors import UsageError

SLACK = 1e-9  # of the last digit: a value halfway between two may have been rounded either way


@dataclass(frozen=True)
class Target:
    """`value` with `digits` decimals; `percent` where it was given as one (43.12 for 0.4312)."""

    text: str
    value: float
    digits: int
    percent: bool = False

    def meets(self, value: float) -> bool:
        """Whether the value, rounded or cut off to these digits, is the one seen."""
        if math.isnan(value):
            return False
        unit = 10.0**-self.digits
        off = (value - self.value) / unit
        return abs(off) <= 0.5 + SLACK

    def off_by(self, value: float) -> float:
        return math.inf if math.isnan(value) else abs(value - self.value)


def target_of(seen: str | float, digits: int | None = None, largest: float = 1.0) -> Target:
    """What was seen.

    Parameters
    ----------
    seen : `"0.4312"`, `"43.12%"`, or a number
    digits : how many decimals of it to trust; by default as many as were typed
    largest : the largest value that the measure can have; a greater one is read as per cent

    Raises
    ------
    UsageError
        It is no number.
    """
    text = str(seen).strip()
    bare = text.removesuffix("%").strip()
    try:
        number = Decimal(bare)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise UsageError(f"{text!r} is not a number", "give what was printed, such as 0.4312")
    exponent = number.as_tuple().exponent
    typed = max(0, -exponent) if isinstance(exponent, int) else 0
    percent = text.endswith("%") or float(number) > largest
    if percent:
        number, typed = number / 100, typed + 2
    kept = typed if digits is None else digits
    return Target(text, float(number), kept, percent)
