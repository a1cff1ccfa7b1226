"""`cranfield.toml`: where a lab is, and what holds there when nothing else is said."""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cranfield.errors import FormatError, MeasureError, NoSuchInput, UsageError
from cranfield.evaluation.settings import CHOICES
from cranfield.formats.readers import IRDS
from cranfield.kit.files import write_whole
from cranfield.measures import parse_many

NAME = "cranfield.toml"
LEDGER = ".cranfield/ledger.sqlite"
_TEXTS = ("collection", "queries", "qrels_split", "labels")
_TOP = (*_TEXTS, "measures", "settings", "split", "gate", "experiment")
_SETTINGS = ("ties", "score_width", "missing", "no_relevant", "scale", "on_duplicate")

_TEMPLATE = """\
# A lab: what `cranfield evaluate` scores in this folder or below it is kept in .cranfield/.
# Paths begin at the folder of this file.

# What runs are judged against: a folder with queries and qrels, a file of qrels, or irds:<id>.
{collection}
# queries = "queries.jsonl"    # queries with text and fields, for a collection that is qrels alone
# qrels_split = "dev"          # which file in qrels/ of a BEIR folder
# labels = "postgresql://host/labels"  # judgments of a team; else .cranfield/labels.sqlite

# What is computed where no -m is given.
measures = {measures}

[settings]  # see docs/concepts/conventions.md
# ties = "docid-desc"
# score_width = 64
# missing = "zero"
# no_relevant = "zero"
# scale = 3
# on_duplicate = "error"

[split]
file = "split.json"            # written by `cranfield split`

[gate]  # rules of a release check, read by `cranfield gate`
"""


@dataclass(frozen=True)
class Config:
    """A lab's cranfield.toml.

    Parameters
    ----------
    path : the file.
    collection, queries : as `evaluate` takes them, paths made whole; None where not named.
    qrels_split : which qrels of a BEIR folder.
    labels : the label store, a path or an address; None: `.cranfield/labels.sqlite`.
    measures : asked for where a call names none; empty: Cranfield's own.
    settings : arguments of `evaluate`.
    split : the file of the frozen split.
    gate : the rules of a release check, as they stand.
    experiment : the matrix of `cranfield experiment`, as it stands.
    """

    path: Path
    collection: str | None = None
    queries: str | None = None
    qrels_split: str | None = None
    labels: str | None = None
    measures: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    split: str = "split.json"
    gate: Mapping[str, Any] = field(default_factory=dict)
    experiment: Mapping[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.path.parent


def find_lab(start: str | os.PathLike[str] | None = None) -> Path | None:
    """The nearest cranfield.toml in a folder or above it; None outside every lab."""
    folder = Path(os.path.abspath(start if start is not None else os.curdir))
    return next((f / NAME for f in (folder, *folder.parents) if (f / NAME).is_file()), None)


def read_config(path: Path) -> Config:
    """Read a cranfield.toml.

    Raises
    ------
    NoSuchInput
        It cannot be read.
    FormatError
        It is no TOML (with the line), or a key is unknown or of the wrong kind (with the key).
    """
    try:
        data = tomllib.loads(path.read_bytes().decode())
    except OSError as e:
        raise NoSuchInput(f"{path}: {e.strerror}") from None
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", file=str(path)) from None
    except tomllib.TOMLDecodeError as e:
        at = re.search(r" \(at line (\d+), column \d+\)$", str(e))
        line = int(at[1]) if at else None
        said = str(e)[: at.start()] if at else str(e)
        raise FormatError(f"not TOML: {said}", file=str(path), line=line) from None
    check = Checker(str(path))
    check.known(data, _TOP, "")
    for key in _TEXTS:
        check.kind(data, key, str, "a text")
    check.kind(data, "measures", list, 'a list such as ["nDCG@10", "AP"]')
    for key in ("settings", "split", "gate", "experiment"):
        check.kind(data, key, dict, f"a table: [{key}]")
    measures = check.measures(data.get("measures", []))
    settings = check.settings(data.get("settings", {}))
    split = data.get("split", {})
    check.known(split, ("file",), "split.")
    check.kind(split, "file", str, "a text", "split.")
    place = path.parent
    return Config(
        path=path,
        collection=_whole(place, data.get("collection")),
        queries=_whole(place, data.get("queries")),
        qrels_split=data.get("qrels_split"),
        labels=_whole(place, data.get("labels")),
        measures=measures,
        settings=settings,
        split=str(place / split.get("file", "split.json")),
        gate=data.get("gate", {}),
        experiment=data.get("experiment", {}),
    )


def _whole(place: Path, name: str | None) -> str | None:
    return name if name is None or name.startswith(IRDS) or "://" in name else str(place / name)


class Checker:
    """What may stand in the file, checked key by key."""

    def __init__(self, file: str) -> None:
        self.file = file

    def wrong(self, key: str, problem: str, hint: str | None = None) -> FormatError:
        return FormatError(f"{key}: {problem}", hint, file=self.file)

    def known(self, table: Mapping[str, Any], keys: Sequence[str], prefix: str) -> None:
        for key in table:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, 1)
                hint = f"did you mean {near[0]}?" if near else f"keys: {', '.join(keys)}"
                raise self.wrong(prefix + key, "no such key", hint)

    def kind(
        self, table: Mapping[str, Any], key: str, kind: type, hint: str, prefix: str = ""
    ) -> None:
        if key in table and not isinstance(table[key], kind):
            raise self.wrong(prefix + key, f"{table[key]!r} is not {hint}")

    def measures(self, given: Sequence[Any], key: str = "measures") -> tuple[str, ...]:
        for item in given:
            if not isinstance(item, str):
                raise self.wrong(key, f"{item!r} is not a text")
            try:
                parse_many([item])
            except MeasureError as e:
                raise self.wrong(key, e.message, e.hint) from None
        return tuple(given)

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        self.known(given, _SETTINGS, "settings.")
        for key, value in given.items():
            if key == "scale":
                if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
                    raise self.wrong("settings.scale", f"{value!r} is not a number above 0")
            elif value not in CHOICES[key]:
                hint = f"one of {', '.join(map(str, CHOICES[key]))}"
                raise self.wrong(f"settings.{key}", f"{value!r} is no choice", hint)
        return dict(given)


def make_lab(folder: Path, collection: str | None = None, measures: Sequence[str] = ()) -> Path:
    """Write the cranfield.toml of a new lab and return its path.

    Raises
    ------
    UsageError
        There is one already, or a measure is not one.
    NoSuchInput
        The collection is not there, or the folder cannot be made.
    """
    path = folder / NAME
    if path.exists():
        raise UsageError(f"{path} is there already", "edit it, or name another folder")
    if collection is not None and not collection.startswith(IRDS):
        if not os.path.exists(collection):
            raise NoSuchInput(f"{collection}: no such collection")
        collection = Path(os.path.relpath(collection, folder)).as_posix()
    parse_many(list(measures))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise NoSuchInput(f"{folder} cannot be made: {e.strerror}") from None
    named = _text(collection or "collection")
    line = f"collection = {named}" if collection is not None else f"# collection = {named}"
    listed = f"[{', '.join(map(_text, measures or _default_measures()))}]"
    with write_whole(path) as stream:
        stream.write(_TEMPLATE.format(collection=line, measures=listed).encode())
    return path


def _default_measures() -> tuple[str, ...]:
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES

    return DEFAULT_MEASURES


def _text(value: str) -> str:
    """A TOML string: JSON's is one, but for the delete character; quotes inside need none."""
    if '"' in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
