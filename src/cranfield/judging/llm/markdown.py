"""Rubrics as Markdown: a short front matter, the task, and a heading for each grade.

---
name: shop
lang: en
---

You judge the results of a shop's search ...

## 2 buys it

The product is what the query asks for.

## 0 another thing
...
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.errors import FormatError, InputError

if TYPE_CHECKING:
    from cranfield.judging.llm.rubric import Rubric

ENDINGS = (".md", ".markdown")
_FENCE = "---"
_GRADE = re.compile(r"#{1,6}\s+(?P<grade>-?\d+)(?:\s*[:：.)、–—-]\s*|\s+)(?P<name>.*?)\s*#*\s*")
_HEADING = re.compile(r"(?P<marks>#{1,6})(?:\s+(?P<text>.*?))?\s*#*\s*")
_CODE = re.compile(r"\s{0,3}(?P<mark>`{3,}|~{3,})")


@dataclass(frozen=True)
class Table:
    """What a rubric file says.

    Parameters
    ----------
    values : by key, as in a TOML file.
    lines : {key: where it stands}; of the n-th grade `grades.n`.
    """

    values: dict[str, Any]
    lines: dict[str, int] = field(default_factory=dict)


def read_markdown(text: str, where: str) -> Table:
    """The keys of the front matter, the task (everything before the first grade; a first heading
    that is a title is for readers of the file alone), and the grades.

    Raises
    ------
    FormatError
        There is no front matter, a line of it is no `key: value`, or a heading after the first
        grade is none.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    values, known, begin = _front(lines, where)
    task: list[str] = []
    grades: list[dict[str, Any]] = []
    body: list[str] = task
    code: str | None = None
    for number, line in enumerate(lines[begin:], begin + 1):
        fence = _CODE.match(line)
        if fence is not None and code in (None, fence["mark"]):
            code = fence["mark"] if code is None else None
        heading = None if code or fence else _HEADING.fullmatch(line)
        grade = None if heading is None else _GRADE.fullmatch(line)
        if grade is not None:
            body = []
            grades.append({"grade": int(grade["grade"]), "name": grade["name"], "text": body})
            known[f"grades.{len(grades)}"] = number
        elif heading is not None and grades:
            raise FormatError(
                "a heading after the first grade is a grade", "## 1 its name",
                file=where, line=number, text=line,
            )  # fmt: skip
        elif heading is not None and len(heading["marks"]) == 1 and not any(map(str.strip, task)):
            continue  # a title
        else:
            if body is task and line.strip():
                known.setdefault("task", number)
            body.append(line)
    if "task" in values:
        raise FormatError("the task stands below the front matter", file=where, line=known["task"])
    values["task"] = "\n".join(task).strip()
    if grades:
        values["grades"] = [{**g, "text": "\n".join(g["text"]).strip()} for g in grades]
    return Table(values, known)


def _front(lines: list[str], where: str) -> tuple[dict[str, Any], dict[str, int], int]:
    """The front matter: its values, their lines, and the number of lines up to its end."""
    if not lines or lines[0].rstrip() != _FENCE:
        raise FormatError(
            "a rubric in Markdown begins with its front matter",
            "a line ---, lines such as name: shop, and a line ---",
            file=where, line=1, text=lines[0] if lines else "",
        )  # fmt: skip
    values: dict[str, Any] = {}
    known: dict[str, int] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == _FENCE:
            return values, known, number
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if not colon or not key.strip() or key != key.lstrip():
            raise FormatError(
                "no key: value", "for example lang: en", file=where, line=number, text=line
            )
        key = key.strip()
        if key in values:
            raise FormatError(f"{key} is given twice", file=where, line=number, text=line)
        values[key], known[key] = _value(value.strip()), number
    raise FormatError(
        "the front matter has no end", "a line --- before the task", file=where, line=len(lines)
    )


def _value(text: str) -> Any:
    """true, false and whole numbers as such; a text may stand in quotes."""
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


def to_markdown(rubric: Rubric) -> str:
    """A rubric as such a file; read again it is the same, with the same version.

    Raises
    ------
    InputError
        It holds a line that would be a heading there.
    """
    front = [f'name: "{rubric.name}"', f"lang: {rubric.lang}"]
    front += [f"kind: {rubric.kind}"] if rubric.kind != "grades" else []
    front += [f"relevant: {rubric.relevant}"] if rubric.grades else []
    front += ["reason: true"] * rubric.reason + ["reference: true"] * rubric.reference
    parts = ["\n".join([_FENCE, *front, _FENCE]), rubric.task]
    parts += [f"## {g.grade} {g.name}\n\n{g.text}" for g in rubric.grades]
    text = "\n\n".join(parts) + "\n"
    try:
        said = read_markdown(text, rubric.name).values
    except FormatError:
        said = {}
    grades = [{"grade": g.grade, "name": g.name, "text": g.text} for g in rubric.grades]
    if said.get("task") != rubric.task or said.get("grades", []) != grades:
        raise InputError(
            f"{rubric.name} cannot be written as Markdown: a line of it would be a heading"
        )
    return text
