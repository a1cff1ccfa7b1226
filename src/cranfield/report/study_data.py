"""A study as data for programs, and each of its tables by name."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from cranfield.errors import UnknownName, UsageError
from cranfield.metaeval.studied import Studied
from cranfield.report import study_across, study_methods, study_robust, study_tables
from cranfield.report.advised import standings
from cranfield.report.grid import Grid
from cranfield.report.language import Words, words
from cranfield.report.study_tables import Case, cases

SCHEMA = "cranfield.study/1"
_MORE = (study_methods.TABLES, study_robust.TABLES, study_across.TABLES)
_HIDDEN = ("matrix",)  # scores of every run on every query: an input, not a finding


def _case_tables(level: float, w: Words) -> dict[str, Callable[[Case], Grid | None]]:
    def with_parts(case: Case) -> Grid | None:
        return study_tables.part_rows(case, level, w) if case.condition.parts else None

    def with_sizes(table: Callable[[Case, float, Words], Grid]) -> Callable[[Case], Grid | None]:
        return lambda case: table(case, level, w) if case.condition.sizes is not None else None

    def advice(case: Case) -> Grid | None:
        made = case.studied.advice.get(case.condition.name)
        return None if made is None else standings(made, w)

    return {
        "shares": lambda case: study_tables.shares(case, w),
        "order": lambda case: study_tables.orders(case, w),
        "level": lambda case: study_tables.intervals(case, level, w),
        "overall": lambda case: study_tables.intervals(case, None, w),
        "improvements": lambda case: study_tables.improvements(case, level, w),
        "parts": with_parts,
        "sizes": with_sizes(study_tables.size_rows),
        "needed": with_sizes(study_tables.needed),
        "difficulty": lambda case: study_tables.difficulty(case, w),
        **{name: _with_words(made, w) for tables in _MORE for name, made in tables.items()},
        "standings": advice,
    }


def _with_words(
    made: Callable[[Case, Words], Grid | None], w: Words
) -> Callable[[Case], Grid | None]:
    return lambda case: made(case, w)


TABLES = ("collections", "across", *_case_tables(0.05, words("en")))


def table(several: Sequence[Studied], name: str, lang: str = "en", *, level: float = 0.05) -> Grid:
    """One of `TABLES`, over all collections and conditions.

    Raises
    ------
    UnknownName
        There is no such table.
    UsageError
        The study does not have it: its method was not run.
    """
    w = words(lang)
    if name not in TABLES:
        raise UnknownName(f"no table {name!r}", f"tables: {', '.join(TABLES)}")
    if name == "collections":
        return study_tables.collections(several, w)
    if name == "across":
        whole = study_across.across(several, w)
        if whole is None:
            raise _lacks(several, name)
        return whole
    grid = study_tables.labelled(several, _case_tables(level, w)[name], w)
    if not grid.rows:
        raise _lacks(several, name)
    return grid


def _lacks(several: Sequence[Studied], name: str) -> UsageError:
    return UsageError(f"this study has no table {name!r}", f"it has {', '.join(have(several))}")


def have(several: Sequence[Studied]) -> tuple[str, ...]:
    """The tables that a study has."""
    made = _case_tables(_level(several), words("en"))
    some = cases(several)
    across = ("across",) if study_across.across(several, words("en")) is not None else ()
    return (
        "collections",
        *across,
        *(n for n, t in made.items() if any(t(case) is not None for case in some)),
    )


def _level(several: Sequence[Studied]) -> float:
    return several[0].study.conditions[0].discrimination.levels[-1]


def as_json(several: Sequence[Studied]) -> str:
    """Everything that was found but the scores themselves and the p of every single pair; numbers
    are exact, and what is not defined is null. Schema `cranfield.study/1`."""
    made = {"schema": SCHEMA, "studies": [_studied(s) for s in several]}
    return json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _studied(s: Studied) -> dict[str, Any]:
    study = s.study
    conditions = []
    for condition in study.conditions:
        found = plain(condition)
        d = condition.discrimination
        found["discrimination"] |= {"share": plain(d.share), "overall": plain(d.overall),
                                    "pairs": d.pairs}  # fmt: skip
        found["difficulty"]["index"] = plain(condition.difficulty.index())
        for given, part in zip(found["parts"], condition.parts, strict=True):
            given["share"] = plain(part.share)
        if condition.name in s.methods:
            found["methods"] = _methods(s, condition.name)
        d_of_queries = condition.difficulty
        found["difficulty"]["of_queries"] = [
            plain(d_of_queries.of_queries(m)) for m in d_of_queries.measures
        ]
        if condition.name in s.standard:
            found["standardised"] = plain(s.standard[condition.name])
        if condition.name in s.predicted:
            found["predictors"] = plain(s.predicted[condition.name])
        if condition.name in s.robust:
            found["robustness"] = plain(s.robust[condition.name])
        if condition.name in s.advice:
            found["recommendation"] = plain(s.advice[condition.name])
        conditions.append(found)
    texts = {} if s.texts is None else {"texts": plain(s.texts)}
    return {
        "name": study.name,
        **texts,
        "selection": plain(study.selection),
        "settings": plain(study.settings),
        "notes": list(study.notes),
        "conditions": conditions,
    }


def _methods(s: Studied, condition: str) -> dict[str, Any]:
    """The other methods, without the p of every single pair."""
    found: dict[str, Any] = plain(s.methods[condition])
    if found["power"] is not None:
        del found["power"]["curves"]
    return {name: value for name, value in found.items() if value not in (None, [])}


def plain(value: Any) -> Any:
    """Dataclasses as objects, arrays and tuples as lists, what is no number as null."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)
                if f.name not in _HIDDEN}  # fmt: skip
    if isinstance(value, Mapping):
        return {" ".join(map(str, k)) if isinstance(k, tuple) else str(k): plain(v)
                for k, v in value.items()}  # fmt: skip
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
