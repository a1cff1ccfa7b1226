"""A bundle checked: nothing added, lost or changed, and its numbers made again."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from cranfield.comparison.compare import compare
from cranfield.errors import CranfieldError, FormatError, NoSuchInput
from cranfield.report.bundle import MANIFEST, SCHEMA, queries_of, results, unpack
from cranfield.report.provenance import versions

CLOSE = 1e-9  # other versions of NumPy and SciPy may round the last digits otherwise


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Parameters
    ----------
    files : how many were verified.
    again : the results that were made again; `exact` if each is the same byte for byte.
    problems : what is not as it should be; none: the bundle holds.
    other_versions : {software: (packed with, checked with)} where they differ.
    """

    files: int
    again: tuple[str, ...]
    exact: bool
    problems: tuple[str, ...]
    other_versions: Mapping[str, tuple[str, str]]


def check_bundle(path: str) -> Checked:
    """Verify a bundle and compute its scores and figures again.

    Raises
    ------
    NoSuchInput
        There is no such file.
    FormatError
        It is no bundle.
    """
    if not Path(path).is_file():
        raise NoSuchInput(f"{path}: no such file")
    try:
        with zipfile.ZipFile(path) as packed:
            return _check(packed, path)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as e:
        raise FormatError(f"not a bundle ({e})", "cranfield bundle writes one", file=path) from None


def _check(packed: zipfile.ZipFile, path: str) -> Checked:
    about = _manifest(packed, path)
    problems = list(_changed(packed, about["files"]))
    packed_with = {str(k): str(v) for k, v in about["versions"].items()}
    now = versions()
    other = {k: (v, now.get(k, "–")) for k, v in packed_with.items() if now.get(k) != v}
    n = len(about["files"])
    if problems:  # what is not what was packed is not worth computing with
        return Checked(n, (), False, tuple(problems), other)
    with tempfile.TemporaryDirectory() as folder:
        for file in about["files"]:
            unpack(packed, file["path"], Path(folder))
        try:
            made = _again(about, Path(folder))
        except (CranfieldError, TypeError, ValueError) as e:  # an option that nobody knows
            why = e.message if isinstance(e, CranfieldError) else str(e)
            return Checked(n, (), False, (f"cannot be computed again: {why}",), other)
        exact = True
        for name, data in made.items():
            kept = (Path(folder) / name).read_bytes()
            if kept != data:
                exact = False
                problems += _difference(name, kept.decode(), data.decode())
    return Checked(n, tuple(made), exact, tuple(problems), other)


def _manifest(packed: zipfile.ZipFile, path: str) -> dict[str, Any]:
    try:
        about = json.loads(packed.read(MANIFEST))
        if about["schema"] != SCHEMA:
            raise FormatError(f"schema {about['schema']!r}", f"read here: {SCHEMA}", file=path)
        for file in about["files"]:
            parts = PurePosixPath(file["path"]).parts
            if not parts or ".." in parts or parts[0] == "/" or "\\" in file["path"]:
                raise FormatError(f"a file outside of it: {file['path']!r}", file=path)
        packed_files = {file["path"] for file in about["files"]}
        named = [r["path"] for r in about["runs"]]
        named += [about[k] for k in ("qrels", "queries") if about[k] not in (None, "collection")]
        if not packed_files.issuperset(named):
            raise FormatError(f"{MANIFEST} names files that are not inside", file=path)
        wanted: dict[str, Callable[[Any], bool]] = {
            "qrels": lambda v: isinstance(v, str),
            "runs": lambda v: len(v) > 1 and all(r["name"] and r["path"] for r in v),
            "measures": lambda v: isinstance(v, list),
            "options": lambda v: isinstance(v, dict),
            "versions": lambda v: isinstance(v, dict),
        }
        if not all(test(about[key]) for key, test in wanted.items()):
            raise FormatError(f"{MANIFEST} is not as it should be", file=path)
    except (KeyError, TypeError, ValueError) as e:
        raise FormatError(f"no {MANIFEST} that can be read ({e!r})", file=path) from None
    return about  # type: ignore[no-any-return]


def _changed(packed: zipfile.ZipFile, files: list[Mapping[str, Any]]) -> Iterator[str]:
    inside = {info.filename: info.file_size for info in packed.infolist()}
    for file in files:
        name = file["path"]
        if name not in inside:
            yield f"{name} is missing"
        elif inside[name] != file["bytes"] or _sha256(packed, name) != file["sha256"]:
            yield f"{name} is not what was packed"
    named = {file["path"] for file in files} | {MANIFEST}
    yield from (f"{name} was added" for name in sorted(set(inside) - named))


def _sha256(packed: zipfile.ZipFile, name: str) -> str:
    found = hashlib.sha256()
    try:
        with packed.open(name) as stream:
            while piece := stream.read(1 << 20):
                found.update(piece)
    except zipfile.BadZipFile:
        return "damaged"
    return found.hexdigest()


def _again(about: Mapping[str, Any], folder: Path) -> dict[str, bytes]:
    base, *runs = ({run["name"]: str(folder / run["path"])} for run in about["runs"])
    queries = about.get("queries")
    found = compare(
        str(folder / about["qrels"]),
        base,
        {name: path for run in runs for name, path in run.items()},
        about["measures"],
        queries=None if queries is None else queries_of(str(folder / queries)),
        **about["options"],
    )
    return results(found)


def _difference(name: str, kept: str, made: str) -> list[str]:
    """What differs by more than rounding."""
    if name.endswith(".json"):
        return []  # the same numbers stand in the TSV
    one, two = kept.splitlines(), made.splitlines()
    if len(one) != len(two):
        return [f"{name}: {len(one)} lines, but {len(two)} when made again"]
    for i, (a, b) in enumerate(zip(one, two, strict=True), 1):
        for x, y in zip(a.split("\t"), b.split("\t"), strict=False):
            if x != y and not _close(x, y):
                return [f"{name}, line {i}: {x}, but {y} when made again"]
    return []


def _close(x: str, y: str) -> bool:
    try:
        return abs(float(x) - float(y)) <= CLOSE
    except ValueError:
        return False
