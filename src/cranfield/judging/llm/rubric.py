"""Rubrics: what a model is told to judge by. A rubric is a file; its version is what it says."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from cranfield.errors import FormatError, NoSuchInput, UnknownName
from cranfield.judging.llm.markdown import ENDINGS, Table, read_markdown
from cranfield.kit.files import open_input
from cranfield.kit.fingerprint import of_mapping

LANGUAGES = ("en", "zh")
KINDS = ("grades", "preference")
Wrong = Callable[..., FormatError]  # (problem, hint, keys that say the line)
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
    """A bundled rubric by name, in English where the name ends in no language; or a file, TOML or
    (`.md`) Markdown.

    Raises
    ------
    UnknownName
        No such bundled rubric.
    NoSuchInput, FormatError
        The file cannot be read, is neither, or says something that no rubric says.
    """
    if given.endswith((".toml", *ENDINGS)) or Path(given).is_file():
        with open_input(given) as stream:
            return _parsed(stream.read(), given)
    names = bundled()
    name = given if given in names else f"{given}-en"
    if name not in names:
        raise UnknownName(
            f"no rubric {given!r}", f"a file .toml or .md, or one of {', '.join(names)}"
        )
    file = resources.files(__package__).joinpath("rubrics", f"{name}.toml")
    return _parsed(file.read_bytes(), name)


def rubric_text(name: str) -> str:
    """A bundled rubric as it stands, to begin one's own with."""
    read_rubric(name)  # or it is none
    full = name if name in bundled() else f"{name}-en"
    file = resources.files(__package__).joinpath("rubrics", f"{full}.toml")
    if not file.is_file():
        raise NoSuchInput(f"{name} is a file already", "--format md writes it as Markdown")
    return file.read_text(encoding="utf-8")


def _parsed(data: bytes, where: str) -> Rubric:
    try:
        text = data.decode()
    except ValueError as e:
        raise FormatError(f"not UTF-8 ({e})", file=where) from None
    front = not where.endswith(".toml") and text.removeprefix("\ufeff").startswith("---\n")
    if where.lower().endswith(ENDINGS) or front:
        return _checked(read_markdown(text, where), where)
    try:
        return _checked(Table(tomllib.loads(text)), where)
    except (ValueError, RecursionError) as e:
        at = re.search(r"\(at line (\d+), column \d+\)", str(e))
        line = None if at is None else int(at[1])
        raise FormatError(f"no TOML: {e}", file=where, line=line) from None


def _checked(said: Table, where: str) -> Rubric:
    """A rubric of what a file says."""
    table = said.values

    def wrong(problem: str, hint: str | None, *keys: str) -> FormatError:
        line = next((said.lines[k] for k in keys if k in said.lines), None)
        return FormatError(problem, hint, file=where, line=line)

    known = {"name", "lang", "kind", "task", "grades", "relevant", "reason", "reference"}
    if odd := sorted(table.keys() - known):
        raise wrong(f"a rubric has no key {odd[0]!r}", f"keys: {', '.join(sorted(known))}", odd[0])
    name, task = (_text(table, key, wrong, key) for key in ("name", "task"))
    if not name.isprintable() or any(c.isspace() for c in name):
        raise wrong(f"the name {name!r} holds a blank", None, "name")
    kind = table.get("kind", "grades")
    lang = table.get("lang", "en")
    if kind not in KINDS or lang not in LANGUAGES:
        raise wrong(
            f"kind {kind!r}, lang {lang!r}",
            f"kinds: {', '.join(KINDS)}; languages: {', '.join(LANGUAGES)}",
            "kind" if kind not in KINDS else "lang",
        )
    grades = _grades(table.get("grades", []), wrong)
    if (kind == "grades") != bool(grades):
        hint = "two or more [[grades]], in Markdown two or more headings such as ## 1 its name"
        raise wrong("grades go with the kind `grades`", hint, "grades.1", "kind")
    flags = {key: table.get(key, False) for key in ("reason", "reference")}
    if odd := [key for key, flag in flags.items() if not isinstance(flag, bool)]:
        raise wrong("reason and reference are true or false", None, odd[0])
    if kind == "preference" and flags["reference"]:
        raise wrong("a preference is judged without a reference", None, "reference")
    relevant = table.get("relevant", 1)
    if grades and relevant not in [g.grade for g in grades][:-1]:
        raise wrong(f"relevant = {relevant!r}", "a grade above the lowest", "relevant")
    return Rubric(name, lang, kind, task, grades, int(relevant), **flags)


def _grades(given: Any, wrong: Wrong) -> tuple[Grade, ...]:
    if not isinstance(given, list) or not all(isinstance(g, Mapping) for g in given):
        raise wrong("grades are tables", "[[grades]] with grade, name and text", "grades")
    found: list[Grade] = []
    for number, g in enumerate(given, 1):
        here = f"grades.{number}"
        grade = g.get("grade")
        if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade < MOST_GRADES:
            hint = f"a whole number from 0 to {MOST_GRADES - 1}"
            raise wrong(f"grade {grade!r}", hint, here)
        if odd := sorted(g.keys() - {"grade", "name", "text"}):
            raise wrong(f"a grade has no key {odd[0]!r}", "grade, name, text", here)
        if grade in [f.grade for f in found]:
            raise wrong("a scale has two grades or more, each once", None, here)
        name, text = (_text(g, key, wrong, here) for key in ("name", "text"))
        found.append(Grade(grade, name, text))
    if len(found) == 1:
        raise wrong("a scale has two grades or more, each once", None, "grades.1")
    return tuple(sorted(found, key=lambda g: -g.grade))


def _text(table: Mapping[str, Any], key: str, wrong: Wrong, *where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise wrong(f"{key} is {value!r}", "a text that is not empty", *where)
    return value.strip()


def mean_of(distribution: Mapping[float, float]) -> float:
    """The expected grade of {grade: probability}."""
    return math.fsum(grade * p for grade, p in distribution.items())
