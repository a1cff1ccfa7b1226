"""Where the data of a page come from: files with their fingerprints, and versions."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

# What of a BEIR folder decides scores and slices; the corpus only lends titles to a page.
PARTS = ("qrels.*", "qrels/*", "queries.*")


@dataclass(frozen=True)
class Source:
    """A file that went in: what for, its name without the folder, sha256 and size of what it
    holds (decompressed); no sha256 for what can be read only once."""

    role: str
    name: str
    sha256: str | None
    size: int | None


@dataclass(frozen=True)
class Provenance:
    """Where the data of a page come from and what made it.

    Parameters
    ----------
    sources : the files, in the order in which they were named.
    versions : {software: version}.
    """

    sources: tuple[Source, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)


def versions() -> dict[str, str]:
    """Of everything that can change a figure."""
    from importlib.metadata import PackageNotFoundError, version

    import numpy as np

    from cranfield import __version__

    found = {
        "cranfield": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    with suppress(PackageNotFoundError):
        found["scipy"] = version("scipy")
    return found


def provenance(
    qrels: str | None, base: str, runs: Iterable[str], queries: str | None = None
) -> Provenance:
    """Of a comparison whose inputs are files, a BEIR folder, `irds:<id>` or `@` references; qrels
    may be None where nobody named them."""
    named = [("qrels", qrels), ("queries", queries), ("base", base)]
    named += [("run", run) for run in runs]
    return files((role, path) for role, path in named if path is not None)


def files(named: Iterable[tuple[str, str]]) -> Provenance:
    """Of anything made from (what for, path) pairs."""
    sources = [s for role, path in named for s in _sources(role, path)]
    return Provenance(tuple(sources), versions())


def _sources(role: str, path: str) -> Iterator[Source]:
    if os.path.isdir(path):
        folder = Path(path)
        for part in PARTS:
            for file in sorted(folder.glob(part)):
                if file.is_file():
                    inside = file.relative_to(folder).as_posix()
                    yield _source(role, str(file), f"{folder.resolve().name}/{inside}")
    elif os.path.isfile(path):
        yield _source(role, path, os.path.basename(path))
    else:
        yield Source(role, path, None, None)


def _source(role: str, path: str, name: str) -> Source:
    import hashlib

    from cranfield.kit.files import open_input

    found, size = hashlib.sha256(), 0
    with open_input(path) as stream:
        while piece := stream.read(1 << 20):
            found.update(piece)
            size += len(piece)
    return Source(role, name, found.hexdigest(), size)
