"""A study of measures on several collections, written down as TOML and read key by key."""

from __future__ import annotations

import glob
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any

from cranfield.errors import FormatError, NoSuchInput, UnknownName, UsageError
from cranfield.experiment.config import Checker
from cranfield.formats.inputs import Input
from cranfield.formats.readers import IRDS
from cranfield.metaeval.choices import Choices
from cranfield.metaeval.method_names import Draws, named
from cranfield.metaeval.standardised import FORMS
from cranfield.retrieval.analyze import NAMES

_TOP = ("measures", "conditions", "methods", "recommend", "settings", "draws", "collection")
_COLLECTION = ("name", "qrels", "runs", "scores", "measures", "split", "rows", "missing",
               "corpus", "analyzer")  # fmt: skip
_EVALUATE = ("ties", "score_width", "scale", "on_duplicate")
_DRAWS = (*(f.name for f in fields_of(Draws)), "fuzziness", "difference", "unit", "weight",
          "standardise")  # fmt: skip
_NAMED_DRAWS = {"unit": ("measure", "mean", "spread"), "standardise": FORMS}


@dataclass(frozen=True)
class StudyCollection:
    """One collection of a study: judgments and runs, or files of scores.

    Parameters
    ----------
    name : in tables and charts.
    qrels, runs : a path or `irds:<id>`, and the files that the patterns match; None and () where
        there are scores.
    scores : files of a score matrix.
    measures : of this collection; empty: those of the study.
    split, rows, missing : as for `evaluate` and `read_matrix`.
    corpus, analyzer : a folder or `irds:<id>` with queries and documents, for predictors of
        difficulty, and what cuts both into terms.
    """

    name: str
    qrels: str | None = None
    runs: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    split: str | None = None
    rows: str | None = None
    missing: str | None = None
    corpus: str | None = None
    analyzer: str | None = None


@dataclass(frozen=True)
class StudyFile:
    """A study.toml; what it leaves out is not in `settings` and `draws`."""

    path: str
    collections: tuple[StudyCollection, ...]
    measures: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    recommend: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    draws: Mapping[str, Any] = field(default_factory=dict)


def read_study_file(path: str) -> StudyFile:
    """Read a study.toml.

    Raises
    ------
    NoSuchInput
        The file cannot be read, or a pattern of runs matches nothing.
    FormatError
        It is no TOML (with the line), or a key is unknown, lacking or of the wrong kind (with the
        key).
    """
    data, check = _toml(path), Checker(path)
    check.known(data, _TOP, "")
    for key in ("measures", "conditions", "methods"):
        check.kind(data, key, list, f"a list of {key}")
    check.kind(data, "recommend", bool, "true or false")
    for key in ("settings", "draws"):
        check.kind(data, key, dict, f"a table: [{key}]")
    settings, draws = data.get("settings", {}), data.get("draws", {})
    check.known(settings, (*sorted(Choices.names()), *_EVALUATE), "settings.")
    check.known(draws, _DRAWS, "draws.")
    for name, value in draws.items():
        if name in _NAMED_DRAWS:
            if value not in _NAMED_DRAWS[name]:
                hint = f"one of {', '.join(_NAMED_DRAWS[name])}"
                raise check.wrong(f"draws.{name}", f"{value!r} is none", hint)
        elif isinstance(value, bool) or not isinstance(value, (int, float)):
            raise check.wrong(f"draws.{name}", f"{value!r} is not a number")
    try:
        made = Choices(**{k: v for k, v in settings.items() if k in Choices.names()})
    except UsageError as e:
        raise check.wrong("settings", e.message, e.hint) from None
    if "level" in settings and made.level not in made.levels:
        raise check.wrong(
            "settings.level", f"{made.level:g} is none of the levels", "name it there"
        )
    check.settings({k: v for k, v in settings.items() if k in _EVALUATE})
    measures = check.measures(data.get("measures", []))
    conditions = _texts(data, "conditions", "", check)
    for name in conditions:
        if name not in ("binary", "graded"):
            raise check.wrong("conditions", f"no condition {name!r}", "binary or graded")
    try:
        methods = named(_texts(data, "methods", "", check))
    except UnknownName as e:
        raise check.wrong("methods", e.message, e.hint) from None
    return StudyFile(
        path,
        _collections(data.get("collection", []), Path(path).parent, check),
        measures,
        conditions,
        methods,
        data.get("recommend", False),
        dict(settings),
        dict(draws),
    )


def _toml(path: str) -> dict[str, Any]:
    with Input(path).open() as stream:
        raw = stream.read()
    try:
        return tomllib.loads(raw.decode())
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", file=path) from None
    except tomllib.TOMLDecodeError as e:
        at = re.search(r" \(at line (\d+), column \d+\)$", str(e))
        said = str(e)[: at.start()] if at else str(e)
        line = int(at[1]) if at else None
        raise FormatError(f"not TOML: {said}", file=path, line=line) from None


def _collections(rows: Any, folder: Path, check: Checker) -> tuple[StudyCollection, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise check.wrong("collection", "not a list of tables", "write [[collection]]")
    if not rows:
        raise check.wrong("collection", "none is named", "add a table [[collection]]")
    found: list[StudyCollection] = []
    for i, row in enumerate(rows, 1):
        key = f"collection[{i}]."
        check.known(row, _COLLECTION, key)
        made = _collection(row, key, folder, check)
        if made.name in [other.name for other in found]:
            raise check.wrong(key + "name", f"{made.name!r} is taken", "another name")
        found.append(made)
    return tuple(found)


def _collection(row: Mapping[str, Any], key: str, folder: Path, check: Checker) -> StudyCollection:
    for name in ("name", "qrels", "split", "corpus", "analyzer"):
        check.kind(row, name, str, "a text", key)
    if "name" not in row:
        raise check.wrong(key + "name", "is lacking")
    for name, allowed in (("rows", ("runs", "queries")), ("missing", ("refuse", "zero"))):
        if name in row and row[name] not in allowed:
            hint = f"one of {', '.join(allowed)}"
            raise check.wrong(key + name, f"{row[name]!r} is no choice", hint)
    both = "qrels" in row or "runs" in row
    if both == ("scores" in row) or both != ("qrels" in row and "runs" in row):
        raise check.wrong(
            key.rstrip("."), "needs qrels and runs, or scores", "one of the two and not both"
        )
    places = {name: row.get(name) for name in ("qrels", "corpus")}
    for name, place in places.items():
        if place is not None and not place.startswith(IRDS):
            places[name] = str(folder / place)
            if not (folder / place).exists():
                raise NoSuchInput(f"{check.file}: {key}{name}: no file {folder / place}")
    if row.get("analyzer") not in (None, *NAMES):
        problem = f"no analyzer {row['analyzer']!r}"
        raise check.wrong(key + "analyzer", problem, f"one of {', '.join(NAMES)}")
    return StudyCollection(
        name=row["name"],
        qrels=places["qrels"],
        runs=_files(row, "runs", key, folder, check),
        scores=_files(row, "scores", key, folder, check),
        measures=check.measures(_texts(row, "measures", key, check), key + "measures"),
        split=row.get("split"),
        rows=row.get("rows"),
        missing=row.get("missing"),
        corpus=places["corpus"],
        analyzer=row.get("analyzer"),
    )


def _texts(row: Mapping[str, Any], name: str, key: str, check: Checker) -> tuple[str, ...]:
    """A list of texts; a single text stands for a list of one."""
    given = row.get(name, [])
    given = [given] if isinstance(given, str) else given
    if not isinstance(given, list) or not all(isinstance(v, str) for v in given):
        raise check.wrong(key + name, f"{given!r} is no list of texts")
    return tuple(given)


def _files(
    row: Mapping[str, Any], name: str, key: str, folder: Path, check: Checker
) -> tuple[str, ...]:
    """The files that patterns match, each pattern's in the order of their names."""
    found: list[str] = []
    for pattern in _texts(row, name, key, check):
        here = str(folder / pattern)
        matched = [f for f in sorted(glob.glob(here, recursive=True)) if Path(f).is_file()]
        if not matched:
            raise NoSuchInput(f"{check.file}: {key}{name}: no file matches {here}")
        found += [f for f in matched if f not in found]
    return tuple(found)
