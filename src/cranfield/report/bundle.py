"""A comparison packed into one file for the appendix of a paper: judgments, runs, scores, figures,
pages, choices, seeds and versions, and how to make them again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from cranfield.comparison.compare import compare
from cranfield.comparison.outcome import Comparison
from cranfield.data.collection import Query
from cranfield.errors import UsageError
from cranfield.formats.card import card_path
from cranfield.kit.files import write_whole
from cranfield.report.bundle_words import README
from cranfield.report.provenance import PARTS, provenance, versions

SCHEMA = "cranfield.bundle/1"
MANIFEST = "bundle.json"
_WHEN = (1980, 1, 1, 0, 0, 0)  # of every member: the same input makes the same bytes


@dataclass(frozen=True)
class Member:
    """A file of the bundle: its name inside and where its bytes come from."""

    name: str
    source: bytes | Path


@dataclass(frozen=True)
class Packed:
    """What `write_bundle` wrote."""

    found: Comparison
    names: tuple[str, ...]


def write_bundle(
    path: str | os.PathLike[str],
    qrels: str,
    base: str,
    runs: Sequence[str],
    measures: Sequence[str],
    *,
    queries_file: str | None = None,
    lang: str = "en",
    **options: Any,
) -> Packed:
    """Compare runs that are files and write everything that the comparison rests on.

    Parameters
    ----------
    path : of the zip to write; it is written whole or not at all, with the same bytes each time
    qrels : a file or a folder of a collection (its corpus is not packed)
    queries_file : queries with texts and fields
    options : as `cranfield.compare` takes them; values that JSON can hold

    Raises
    ------
    UsageError
        Something that is no file, so that its bytes cannot be packed.
    Others
        As `cranfield.compare`.
    """
    for name in (base, *runs, *filter(None, (queries_file,))):
        if not os.path.isfile(name):
            raise UsageError(f"{name} is no file", "a bundle packs files, byte for byte")
    found = compare(qrels, base, list(runs), measures, queries=queries_of(queries_file), **options)
    inputs = _inputs(qrels, queries_file, (base, *runs))
    pages = _pages(found, provenance(qrels, base, runs, queries_file), lang)
    about = {
        "schema": SCHEMA,
        "qrels": "collection" if os.path.isdir(qrels) else inputs[0].name,
        "queries": None if queries_file is None else f"queries/{os.path.basename(queries_file)}",
        "runs": [
            {"name": name, "path": f"runs/{i:03d}/{os.path.basename(file)}"}
            for i, (name, file) in enumerate(zip(found.scores.runs, (base, *runs), strict=True))
        ],
        "measures": list(measures),
        "options": options,
        "versions": versions(),
    }
    readme = Member("README.md", README.format(base=found.base, n=len(found.runs)).encode())
    members = sorted([*inputs, *pages, readme], key=lambda m: m.name)
    with write_whole(path) as stream:
        _write(stream, members, about)
    return Packed(found, tuple(m.name for m in members))


def queries_of(file: str | None) -> tuple[Query, ...] | None:
    if file is None:
        return None
    from cranfield.formats.inputs import Input
    from cranfield.formats.topics import read_queries

    return read_queries(Input(file))


def _inputs(qrels: str, queries: str | None, runs: Sequence[str]) -> list[Member]:
    found: list[Member] = []
    if os.path.isdir(qrels):
        folder = Path(qrels)
        found += [
            Member(f"collection/{file.relative_to(folder).as_posix()}", file)
            for part in PARTS  # the corpus stays where it is
            for file in sorted(folder.glob(part))
            if file.is_file()
        ]
    elif os.path.isfile(qrels):
        found.append(Member(f"qrels/{os.path.basename(qrels)}", Path(qrels)))
    else:
        raise UsageError(f"{qrels} is neither a file nor a folder", "a bundle packs files")
    if queries is not None:
        found.append(Member(f"queries/{os.path.basename(queries)}", Path(queries)))
    for i, run in enumerate(runs):
        found.append(Member(f"runs/{i:03d}/{os.path.basename(run)}", Path(run)))
        card = card_path(run)
        if card is not None:
            found.append(Member(f"runs/{i:03d}/{card.name}", card))
    return found


def _pages(found: Comparison, about: Any, lang: str) -> list[Member]:
    from cranfield.report.compared_data import as_json
    from cranfield.report.pages import comparison

    page = comparison(found, lang, about=about)
    return [
        *(Member(name, data) for name, data in results(found).items()),
        Member("comparison/comparison.json", as_json(found, lang).encode()),
        Member("comparison/report.html", page.to_html().encode()),
        Member("comparison/report.md", page.to_markdown().encode()),
    ]


def results(found: Comparison) -> dict[str, bytes]:
    """The numbers of a bundle, which a check makes again: scores by query, means, figures."""
    from cranfield.report.compared_data import as_grid
    from cranfield.report.grid import means, per_query
    from cranfield.report.render import render

    by_query = per_query(found.scores)
    return {
        "scores/by-query.tsv": render(by_query, "tsv"),
        "scores/by-query.json": render(by_query, "json", {"settings": dict(found.scores.settings)}),
        "scores/means.tsv": render(means(found.scores), "tsv"),
        "comparison/figures.tsv": render(as_grid(found), "tsv"),
    }


def _write(stream: BinaryIO, members: Sequence[Member], about: Mapping[str, Any]) -> None:
    files = []
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for member in members:
            digest, size = hashlib.sha256(), 0
            with packed.open(_info(member.name), "w", force_zip64=True) as target:
                for piece in _bytes(member.source):
                    digest.update(piece)
                    size += len(piece)
                    target.write(piece)
            files.append({"path": member.name, "bytes": size, "sha256": digest.hexdigest()})
        manifest = json.dumps({**about, "files": files}, ensure_ascii=False, indent=1)
        packed.writestr(_info(MANIFEST), manifest + "\n")


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _WHEN)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info


def _bytes(source: bytes | Path) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield source
        return
    with open(source, "rb") as stream:
        while piece := stream.read(1 << 20):
            yield piece


def unpack(packed: zipfile.ZipFile, name: str, folder: Path) -> Path:
    """One member written below `folder`, under the name that the manifest gives it."""
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(name) as source, open(target, "wb") as stream:
        shutil.copyfileobj(source, stream, 1 << 20)
    return target
