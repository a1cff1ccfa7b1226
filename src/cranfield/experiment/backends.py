"""What the back end of a cell is made with, what of that decides its run, and whether it can be
made at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield import plugins
from cranfield.data.collection import Query, TestCollection
from cranfield.experiment.code import code_of
from cranfield.experiment.plan import Cell
from cranfield.kit.fingerprint import of_file, of_parts
from cranfield.retrieval import passages
from cranfield.retrieval.collection import check_system_on, documents_of


def options(cell: Cell, folder: Path) -> dict[str, Any]:
    """What it is made with: parameters with whole paths, and a place for its index or vectors.

    Parameters
    ----------
    folder : where the paths begin
    """
    group, name, parameters = _named(cell)
    made = {
        k: v if (p := _path(v, folder)) is None else os.fspath(p) for k, v in parameters.items()
    }
    if "cache" in plugins.parameters(group, name) and "cache" not in made:
        made["cache"] = os.fspath(folder / ".cranfield" / "cache")
    return made


def contents(cell: Cell, folder: Path) -> dict[str, Any]:
    """Its parameters as they decide a run: a file or folder by what it holds, a cache not at
    all."""
    found: dict[str, Any] = {}
    for name, value in _named(cell)[2].items():
        path = _path(value, folder)
        if name == "cache":
            continue
        found[name] = value if path is None or not path.exists() else _content(path)
    return found


def code(cell: Cell) -> dict[str, Any]:
    """The code that makes its run, by fingerprint; that of passages where any are searched."""
    cut = cell.reranker is None and cell.system.passages is not None
    return code_of(*_named(cell), [passages.__name__] if cut else [])


def check(cell: Cell, queries: tuple[Query, ...], found: TestCollection, folder: Path) -> None:
    """Refuse a cell that is sure to fail; nothing is made and no service asked.

    Parameters
    ----------
    queries, found : what is asked, on which collection

    Raises
    ------
    Exception
        What making the back end would raise, as far as that can be known.
    """
    group, name, _ = _named(cell)
    made = options(cell, folder)
    if cell.reranker is None:
        system = cell.system
        check_system_on(found, name, made, system.passages, system.filters, queries)
    else:
        plugins.check(group, name, **made)
        documents_of(found)


def _named(cell: Cell) -> tuple[str, str, Mapping[str, Any]]:
    """(group, name, parameters) of the back end."""
    if cell.reranker is None:
        return plugins.SYSTEMS, cell.system.system, cell.system.parameters
    return plugins.RERANKERS, cell.reranker.reranker, cell.reranker.parameters


def _path(value: Any, folder: Path) -> Path | None:
    """A parameter that begins with `./`, `../` or `/` is a path from the folder of the file."""
    begins = isinstance(value, str) and value.startswith(("./", "../", "/"))
    return folder / value if begins else None


def _content(path: Path) -> str:
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    names = (p.relative_to(path).as_posix() for p in files)
    return of_parts(x for n, p in zip(names, files, strict=True) for x in (n, of_file(p)))
