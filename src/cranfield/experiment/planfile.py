"""The `[experiment]` table of a cranfield.toml, read key by key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from cranfield import plugins
from cranfield.errors import UnknownName, UsageError
from cranfield.experiment.config import Checker, Config
from cranfield.experiment.plan import Plan, PlannedCollection, PlannedReranker, PlannedSystem
from cranfield.formats.readers import IRDS

_TOP = ("k", "measures", "judged_at", "seed", "attempts", "runs", "collection", "system")
_COLLECTION = ("name", "path", "split", "task", "domain", "group", "sample", "exclude_self")
_CUT = ("passages", "overlap", "rollup")  # as the options of `cranfield retrieve`
_SYSTEM = ("name", "system", "parameters", "collections", *_CUT, "filter")
_RERANKER = ("name", "with", "depth", "sample", "parameters", "collections", "systems")
_ROLLUPS = ("max", "first", "sum")
_NAME = re.compile(r"[^\W_][\w.\-]*")  # part of a file name and of a run's tag
_HOW = "letters, digits, . _ and -, for example bm25-mixed"

T = TypeVar("T")


def plan_of(config: Config) -> Plan:
    """The matrix of a lab.

    Raises
    ------
    UsageError
        There is none.
    FormatError
        A key is unknown, lacking or of the wrong kind; the message names the file and the key.
    """
    if not config.experiment:
        raise UsageError(
            f"{config.path} has no [experiment]",
            "a matrix has [[experiment.collection]] and [[experiment.system]]",
        )
    return _Reader(config).plan()


class _Reader:
    """Reads the table key by key."""

    def __init__(self, config: Config) -> None:
        self.config, self.table = config, config.experiment
        self.check = Checker(str(config.path))

    def plan(self) -> Plan:
        self.check.known(self.table, (*_TOP, "reranker"), "experiment.")
        measures = self.table.get("measures", list(self.config.measures) or ["nDCG@10"])
        if not isinstance(measures, list) or not measures:
            raise self.check.wrong("experiment.measures", f"{measures!r} is no list of measures")
        collections = self._rows("collection", _COLLECTION, ("name", "path"))
        systems = self._rows("system", _SYSTEM, ("name", "system"))
        rerankers = self._rows("reranker", _RERANKER, ("name", "with"))
        for kind, rows in (("collection", collections), ("system", systems)):
            if not rows:
                key = f"experiment.{kind}"
                raise self.check.wrong(key, "none is named", f"add a table [[{key}]]")
        names = {
            "collections": [row["name"] for _, row in collections],
            "systems": [row["name"] for _, row in systems],
        }
        found = Plan(
            file=str(self.config.path),
            folder=self.config.folder,
            collections=tuple(self._collection(key, row) for key, row in collections),
            systems=tuple(s for key, row in systems for s in self._system(key, row, names)),
            rerankers=tuple(r for key, row in rerankers for r in self._reranker(key, row, names)),
            k=self._whole(self.table, "k", 100, "experiment."),
            measures=self.check.measures(measures, "experiment.measures"),
            judged_at=self._whole(self.table, "judged_at", 10, "experiment."),
            seed=self._whole(self.table, "seed", 0, "experiment.", least=0),
            attempts=self._whole(self.table, "attempts", 4, "experiment."),
            runs=str(self._text(self.table, "runs", "experiment.", "runs")),
            on_duplicate=self.config.settings.get("on_duplicate", "error"),
        )
        self._one_name(found)
        return found

    def _rows(
        self, kind: str, known: Sequence[str], needed: Sequence[str]
    ) -> list[tuple[str, Mapping[str, Any]]]:
        rows = self.table.get(kind, [])
        where = f"experiment.{kind}"
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.check.wrong(where, "not a list of tables", f"write [[{where}]]")
        found: list[tuple[str, Mapping[str, Any]]] = []
        for i, row in enumerate(rows, 1):
            key = f"{where}[{i}]."
            self.check.known(row, known, key)
            for name in needed:
                if name not in row:
                    raise self.check.wrong(key + name, "is lacking")
                self._text(row, name, key)
            if not _NAME.fullmatch(row["name"]):
                raise self.check.wrong(key + "name", f"{row['name']!r} is no name", _HOW)
            if row["name"] in [other["name"] for _, other in found]:
                raise self.check.wrong(key + "name", f"{row['name']!r} is taken", "another name")
            found.append((key, row))
        return found

    def _collection(self, key: str, row: Mapping[str, Any]) -> PlannedCollection:
        path = row["path"]
        self.check.kind(row, "exclude_self", bool, "true or false", key)
        return PlannedCollection(
            name=row["name"],
            path=path if path.startswith(IRDS) else str(self.config.folder / path),
            sample=self._whole(row, "sample", None, key),
            exclude_self=row.get("exclude_self", False),
            **{name: self._text(row, name, key) for name in ("split", "task", "domain", "group")},
        )

    def _system(
        self, key: str, row: Mapping[str, Any], names: Mapping[str, list[str]]
    ) -> Iterator[PlannedSystem]:
        self._registered(plugins.SYSTEMS, row["system"], key + "system")
        only = self._names(row, "collections", key, names)
        filters = self._filters(row, key)
        cuts = list(self._cuts(row, key))
        for told, values in self._grid(key, row, plugins.SYSTEMS, row["system"]):
            for more, cut in cuts:
                label = _label(row["name"], told + more)
                yield PlannedSystem(row["name"], label, row["system"], values, only, cut, filters)

    def _cuts(
        self, row: Mapping[str, Any], key: str
    ) -> Iterator[tuple[list[str], dict[str, Any] | None]]:
        """(what tells it apart, how documents are cut into passages); lists are a grid."""
        given = {name: row[name] for name in _CUT if name in row}
        if not given:
            yield [], None
            return
        if "passages" not in given:
            raise self.check.wrong(key + next(iter(given)), "is for passages", "passages = 200")
        for told, chosen in self._variants(key, given):
            one = {"overlap": 0, "rollup": "max", **chosen}
            size = self._whole(one, "passages", 1, key)
            overlap = self._whole(one, "overlap", 0, key, least=0)
            if overlap >= size:
                raise self.check.wrong(
                    f"{key}overlap", f"{overlap} is not below the {size} tokens of a passage"
                )
            if one["rollup"] not in _ROLLUPS:
                hint = f"one of {', '.join(_ROLLUPS)}; the judgments are of documents"
                raise self.check.wrong(f"{key}rollup", f"{one['rollup']!r} is no choice", hint)
            yield told, {"size": size, "overlap": overlap, "rollup": one["rollup"]}

    def _filters(self, row: Mapping[str, Any], key: str) -> tuple[str, ...]:
        given = row.get("filter", [])
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(n, str) and n for n in names):
            raise self.check.wrong(f"{key}filter", f"{given!r} is no field, and no list of fields")
        return tuple(dict.fromkeys(names))

    def _reranker(
        self, key: str, row: Mapping[str, Any], names: Mapping[str, list[str]]
    ) -> Iterator[PlannedReranker]:
        self._registered(plugins.RERANKERS, row["with"], key + "with")
        for told, values in self._grid(key, row, plugins.RERANKERS, row["with"]):
            yield PlannedReranker(
                name=row["name"],
                label=_label(row["name"], told),
                reranker=row["with"],
                depth=self._whole(row, "depth", 100, key),
                sample=self._whole(row, "sample", None, key),
                parameters=values,
                collections=self._names(row, "collections", key, names),
                systems=self._names(row, "systems", key, names),
            )

    def _grid(
        self, key: str, row: Mapping[str, Any], group: str, name: str
    ) -> Iterator[tuple[list[str], dict[str, Any]]]:
        """(what tells it apart, parameters): a list stands for its members, one variant each; a
        list that is itself the value stands in a list."""
        given = row.get("parameters", {})
        if not isinstance(given, dict):
            raise self.check.wrong(
                key + "parameters", f"{given!r} is no table", "for example {k1 = 1.2}"
            )
        takes = _accepted(group, name)
        if "documents" in given or (takes is not None and given.keys() - set(takes)):
            wrong = min(n for n in given if n == "documents" or n not in (takes or given))
            have = ", ".join(n for n in takes or () if n != "documents") or "none"
            place = f"{key}parameters.{wrong}"
            raise self.check.wrong(place, f"{name} takes no such parameter", f"parameters: {have}")
        yield from self._variants(key + "parameters.", given)

    def _variants(
        self, prefix: str, given: Mapping[str, Any]
    ) -> Iterator[tuple[list[str], dict[str, Any]]]:
        choices = {n: v if isinstance(v, list) else [v] for n, v in given.items()}
        empty = next((n for n, v in choices.items() if not v), None)
        if empty is not None:
            raise self.check.wrong(prefix + empty, "an empty list: no variant at all")
        several = [n for n, v in choices.items() if len(v) > 1]
        for values in product(*choices.values()):
            chosen = dict(zip(choices, values, strict=True))
            yield [f"{n}={_short(chosen[n])}" for n in several], chosen

    def _registered(self, group: str, name: str, key: str) -> None:
        if name not in plugins.names(group):
            try:
                plugins.load(group, name)
            except UnknownName as e:
                raise self.check.wrong(key, e.message, e.hint) from None

    def _names(
        self, row: Mapping[str, Any], key: str, prefix: str, names: Mapping[str, list[str]]
    ) -> tuple[str, ...]:
        given = row.get(key, [])
        if not isinstance(given, list) or not all(isinstance(n, str) for n in given):
            raise self.check.wrong(prefix + key, f"{given!r} is no list of names")
        stranger = next((n for n in given if n not in names[key]), None)
        if stranger is not None:
            have = ", ".join(names[key])
            raise self.check.wrong(prefix + key, f"none is called {stranger!r}", f"names: {have}")
        return tuple(given)

    def _whole(
        self, row: Mapping[str, Any], key: str, default: T, prefix: str, least: int = 1
    ) -> int | T:
        if key not in row:
            return default
        value = row[key]
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.check.wrong(prefix + key, f"{value!r} is no whole number of {least} or more")
        return value

    def _text(
        self, row: Mapping[str, Any], key: str, prefix: str, default: str | None = None
    ) -> str | None:
        if key not in row:
            return default
        value = row[key]
        if not isinstance(value, str) or not value.strip():
            raise self.check.wrong(prefix + key, f"{value!r} is not a text")
        return value

    def _one_name(self, plan: Plan) -> None:
        """What a name stands for is never in doubt, and a group is of one task."""
        seen: dict[str, str] = {}
        for kind in ("collections", "systems", "rerankers"):
            labels = [getattr(x, "label", x.name) for x in getattr(plan, kind)]
            twice = next((label for label in labels if labels.count(label) > 1), None)
            if twice is not None:
                raise self.check.wrong(f"experiment.{kind[:-1]}", f"{twice} is there twice")
            for name in dict.fromkeys(x.name for x in getattr(plan, kind)):
                if name in seen:
                    raise self.check.wrong(
                        "experiment", f"{name!r} names one of the {seen[name]} and of the {kind}"
                    )
                seen[name] = kind
        for group in {c.group for c in plan.collections if c.group}:
            tasks = {c.task for c in plan.collections if c.group == group}
            if len(tasks) > 1:
                listed = ", ".join(sorted(map(str, tasks)))
                raise self.check.wrong(
                    "experiment.collection", f"group {group!r} has several tasks: {listed}"
                )


def _accepted(group: str, name: str) -> tuple[str, ...] | None:
    """The parameters that a back end takes; None where it takes any, or where it cannot be loaded:
    then its cells fail and say why."""
    try:
        return None if plugins.takes_any(group, name) else plugins.parameters(group, name)
    except Exception:
        return None


def _label(name: str, told: Sequence[str]) -> str:
    return f"{name}[{','.join(told)}]" if told else name


def _short(value: Any) -> str:
    """A parameter as it stands in a label: without blanks or quotes around a text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return re.sub(r"[\s+]+", "", text)
