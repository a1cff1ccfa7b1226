"""Rubrics: what a model is told to judge by. A rubric is a file; its version is what it says."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from cranfield.errors import FormatError, InputError, NoSuchInput, UnknownName
from cranfield.kit.files import open_input
from cranfield.kit.fingerprint import of_mapping

LANGUAGES = ("en", "zh")
KINDS = ("grades", "preference")
MOST_GRADES = 10  # each is one digit, and so one token


@dataclass(frozen=True)
class Grade:
    """A grade of the scale: a digit, its name, and when it is given."""

    grade: int
    name: str
    text: str


@dataclass(frozen=True)
class Rubric:
    """What is judged, and how.

    Parameters
    ----------
    name : short, without blanks.
    lang : of the sentences around it, `en` or `zh`.
    kind : `grades`: a document gets one of `grades`; `preference`: of two documents the better.
    task : what the judge is and does.
    grades : the best first; empty for preferences.
    relevant : the least grade that means relevant.
    reason : whether the judge says why before it decides.
    reference : whether it is shown a document that is known to be relevant.
    """

    name: str
    lang: str
    kind: str
    task: str
    grades: tuple[Grade, ...] = ()
    relevant: int = 1
    reason: bool = False
    reference: bool = False

    @property
    def version(self) -> str:
        """Its name and the first digits of the fingerprint of all it says."""
        return f"{self.name}@{of_mapping(asdict(self))[:8]}"

    @property
    def scale(self) -> tuple[int, ...]:
        """The grades, ascending."""
        return tuple(sorted(g.grade for g in self.grades))


def bundled() -> tuple[str, ...]:
    """Names of the rubrics that come with the package."""
    found = resources.files(__package__).joinpath("rubrics").iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in found if f.name.endswith(".toml")))


def read_rubric(given: str) -> Rubric:
    """A bundled rubric by name, in English where the name ends in no language; or a TOML file.

    Raises
    ------
    UnknownName
        No such bundled rubric.
    NoSuchInput, FormatError, InputError
        The file cannot be read, is no TOML, or says something that no rubric says.
    """
    if given.endswith(".toml") or Path(given).is_file():
        with open_input(given) as stream:
            return _parsed(stream.read(), given)
    names = bundled()
    name = given if given in names else f"{given}-en"
    if name not in names:
        raise UnknownName(f"no rubric {given!r}", f"a file .toml, or one of {', '.join(names)}")
    file = resources.files(__package__).joinpath("rubrics", f"{name}.toml")
    return _parsed(file.read_bytes(), name)


def rubric_text(name: str) -> str:
    """A bundled rubric as it stands, to begin one's own with."""
    read_rubric(name)  # or it is none
    full = name if name in bundled() else f"{name}-en"
    file = resources.files(__package__).joinpath("rubrics", f"{full}.toml")
    if not file.is_file():
        raise NoSuchInput(f"{name} is a file already")
    return file.read_text(encoding="utf-8")


def _parsed(data: bytes, where: str) -> Rubric:
    try:
        table = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as e:
        raise FormatError(f"no TOML: {e}", file=where) from None
    known = {"name", "lang", "kind", "task", "grades", "relevant", "reason", "reference"}
    if odd := sorted(table.keys() - known):
        raise InputError(f"{where}: a rubric has no key {odd[0]!r}", f"keys: {', '.join(known)}")
    name, task = (_text(table, key, where) for key in ("name", "task"))
    if not name.isprintable() or any(c.isspace() for c in name):
        raise InputError(f"{where}: the name {name!r} holds a blank")
    kind = table.get("kind", "grades")
    lang = table.get("lang", "en")
    if kind not in KINDS or lang not in LANGUAGES:
        raise InputError(
            f"{where}: kind {kind!r}, lang {lang!r}",
            f"kinds: {', '.join(KINDS)}; languages: {', '.join(LANGUAGES)}",
        )
    grades = _grades(table.get("grades", []), where)
    if (kind == "grades") != bool(grades):
        raise InputError(f"{where}: grades go with the kind `grades`", "two or more [[grades]]")
    flags = {key: table.get(key, False) for key in ("reason", "reference")}
    if not all(isinstance(flag, bool) for flag in flags.values()):
        raise InputError(f"{where}: reason and reference are true or false")
    if kind == "preference" and flags["reference"]:
        raise InputError(f"{where}: a preference is judged without a reference")
    relevant = table.get("relevant", 1)
    if grades and relevant not in [g.grade for g in grades][:-1]:
        raise InputError(f"{where}: relevant = {relevant!r}", "a grade above the lowest")
    return Rubric(name, lang, kind, task, grades, int(relevant), **flags)


def _grades(given: Any, where: str) -> tuple[Grade, ...]:
    if not isinstance(given, list) or not all(isinstance(g, Mapping) for g in given):
        raise InputError(f"{where}: grades are tables", "[[grades]] with grade, name and text")
    found = []
    for g in given:
        grade = g.get("grade")
        if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade < MOST_GRADES:
            raise InputError(
                f"{where}: grade {grade!r}", f"a whole number from 0 to {MOST_GRADES - 1}"
            )
        if odd := sorted(g.keys() - {"grade", "name", "text"}):
            raise InputError(f"{where}: a grade has no key {odd[0]!r}", "grade, name, text")
        found.append(Grade(grade, _text(g, "name", where), _text(g, "text", where)))
    if len({g.grade for g in found}) != len(found) or len(found) == 1:
        raise InputError(f"{where}: a scale has two grades or more, each once")
    return tuple(sorted(found, key=lambda g: -g.grade))


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where}: {key} is {value!r}", "a text that is not empty")
    return value.strip()


def mean_of(distribution: Mapping[float, float]) -> float:
    """The expected grade of {grade: probability}."""
    return math.fsum(grade * p for grade, p in distribution.items())
