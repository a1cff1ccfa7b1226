"""What a query id, a document id, a number and a label may be, for every format that comes as
columns of Python values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats, Ids, Index
from cranfield.data.qrels import NO_ITERATION
from cranfield.errors import FormatError
from cranfield.formats.names import Kind, value_name
from cranfield.formats.problems import MOST
from cranfield.scan.numbers import parse_numbers

NUMBER_HINT = {
    "qrels": "a grade is an integer or a fraction, such as 2 or 0.5",
    "run": "a score is a number, higher is better; NaN cannot be ranked",
}
_FLOAT_ID = "ids are text: read the column as text (in pandas: dtype=str), so that 1 stays 1"


@dataclass(frozen=True)
class Place:
    """Where rows come from, to say where one is wrong: on its line, where there are lines, else
    by what `name` calls it."""

    file: str
    kind: Kind
    line: Index | None = None
    name: Callable[[int], str] = "row {} (the first is 0)".format

    def problem(self, row: int, problem: str, hint: str | None = None) -> FormatError:
        if self.line is None:
            return FormatError(f"{self.name(row)}: {problem}", hint, file=self.file)
        return FormatError(problem, hint, file=self.file, line=int(self.line[row]))


def as_list(column: Any) -> Sequence[Any]:
    """A column as a list, copied where it is no list or tuple; numpy numbers become Python's."""
    if isinstance(column, (list, tuple)):
        return column
    for method in ("tolist", "to_list"):
        if hasattr(column, method):
            found: list[Any] = getattr(column, method)()
            return found
    return list(column)


def ids_of(column: Any, what: str, place: Place) -> tuple[Ids, dict[int, FormatError]]:
    """Ids of a column; unusable ones are named (and stand as an empty text)."""
    values = as_list(column)
    bad: dict[int, FormatError] = {}
    if set(map(type, values)) <= {str} and "" not in values:  # the usual case, without a loop
        texts = list(values)
        values = ()
    else:
        texts = [""] * len(values)
    for i, value in enumerate(values):
        if isinstance(value, str) and value:
            texts[i] = value
        elif isinstance(value, Integral) and not _is_bool(value):
            texts[i] = str(int(value))
        else:
            problem, hint = _no_id(value, what)
            bad[i] = place.problem(i, problem, hint)
            if len(bad) >= MOST:
                break
    try:
        return Ids.of(texts), bad
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can write
        for i, text in enumerate(texts):
            if any("\ud800" <= c <= "\udfff" for c in text):
                bad[i] = place.problem(i, f"the {what} id {text!a} is not a Unicode text")
                texts[i] = ""
        return Ids.of(texts), bad


def _no_id(value: Any, what: str) -> tuple[str, str | None]:
    if _is_missing(value):
        return f"the {what} id is missing", "every row needs a query id and a document id"
    if isinstance(value, Real) and not _is_bool(value):
        return f"the {what} id {value!r} is a number with a point", _FLOAT_ID
    return f"the {what} id {value!r} is neither text nor a whole number", None


def numbers_of(column: Any, place: Place) -> tuple[Floats, dict[int, FormatError]]:
    """The grades or scores; what is no number is named."""
    array = column.to_numpy() if hasattr(column, "to_numpy") else column
    if isinstance(array, np.ndarray) and array.dtype.kind in "iuf":
        values = array.astype(np.float64)
        return values, _refused(values, as_list(column), place)
    given = as_list(column)
    if all(isinstance(v, str) for v in given):
        texts = [v.strip(" ") for v in given]
        values, _ = parse_numbers(Ids.of(t.encode("utf-8", "backslashreplace") for t in texts))
        return values, _refused(values, given, place)
    plain = set(map(type, given)) <= {int, float}
    try:
        values = np.fromiter(given if plain else map(_number, given), np.float64, len(given))
    except OverflowError:  # a whole number beyond float64
        values = np.fromiter(map(_number, given), np.float64, len(given))
    return values, _refused(values, given, place)


def _number(value: Any) -> float:
    """A number or the text of one as float; NaN for everything else."""
    if isinstance(value, str):
        return float(parse_numbers(Ids.of([value.encode("utf-8", "backslashreplace")]))[0][0])
    if _is_bool(value) or isinstance(value, (bytes, bytearray)):  # float(b"1") is 1.0
        return float("nan")
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    except (TypeError, ValueError):
        return float("nan")


def beyond_float(column: Any, values: Floats) -> int:
    """How many of the infinite `values` stand as a number in the column: too large for float64."""
    rows = np.flatnonzero(np.isinf(values)).tolist()
    given = as_list(column) if rows else []
    return sum(
        any(map(str.isdigit, v)) if isinstance(v, str) else isinstance(v, Integral)
        for v in map(given.__getitem__, rows)
    )


def _refused(values: Floats, given: Sequence[Any], place: Place) -> dict[int, FormatError]:
    return {
        i: place.problem(i, number_problem(given[i], place.kind), NUMBER_HINT[place.kind])
        for i in np.flatnonzero(~are_fine(values, place.kind)).tolist()[:MOST]
    }


def are_fine(values: Floats, kind: Kind) -> NDArray[np.bool_]:
    """Grades are finite; a score may be infinite."""
    fine: NDArray[np.bool_] = np.isfinite(values) if kind == "qrels" else ~np.isnan(values)
    return fine


def number_problem(value: Any, kind: Kind) -> str:
    """What is wrong with this grade or score."""
    what = value_name(kind)
    text = value.strip() if isinstance(value, str) else value
    if _is_missing(text) and not isinstance(text, Real):
        return f"the {what} is missing"
    if str(text).casefold().lstrip("+-") == "nan":
        return f"the {what} is NaN" + (", which cannot be ranked" if kind == "run" else "")
    if kind == "qrels" and np.isinf(_number(text)):
        return f"the grade {text} is not finite"
    return f"the {what} {text!r} is not a number"


def labels_of(column: Any, name: str) -> Ids:
    """An optional column; a missing label is an empty text, a missing iteration `0`."""
    empty = NO_ITERATION.decode() if name == "iteration" else ""
    return Ids.of(
        (empty if _is_missing(v) else v if isinstance(v, str) else str(v)).encode(
            "utf-8", "backslashreplace"
        )
        for v in as_list(column)
    )


def _is_missing(value: Any) -> bool:
    # pandas' NA refuses to be compared, so its name is looked at first
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, str) and not value)
        or (isinstance(value, Real) and value != value)
    )


def _is_bool(value: Any) -> bool:
    """Python counts True among the whole numbers; here it is neither an id nor a grade."""
    return isinstance(value, (bool, np.bool_))
