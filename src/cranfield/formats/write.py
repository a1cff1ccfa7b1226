"""Judgments and runs written so that reading them back gives the same: every id byte for byte,
every number exactly. What a format cannot hold is refused or said, never lost silently."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import PurePath
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Ids
from cranfield.data.qrels import NO_ITERATION, Qrels
from cranfield.data.run import Run
from cranfield.errors import InputError, MissingExtra, UnknownName, UsageError
from cranfield.formats.cells import NUMBER_HINT
from cranfield.formats.detect import FORMATS
from cranfield.formats.names import EXTRAS, Kind, value_name
from cranfield.formats.rendering import RENDERERS, Sheet
from cranfield.kit.files import write_whole

ENDINGS = {
    "trec": (".txt", ".trec", ".qrels", ".qrel", ".run", ".res", ".dat", ".out", ""),
    "beir": (".tsv",),
    "json": (".json",),
    "jsonl": (".jsonl", ".ndjson"),
    "csv": (".csv",),
    "parquet": (".parquet",),
    "arrow": (".arrow", ".feather", ".ipc"),
}
# What an id must not hold if the file is to read back; JSON, Parquet and Arrow hold every id.
_FORBIDDEN = {
    "trec": re.compile("[\t-\r \0]"),
    "beir": re.compile("[\t\n\r\0]"),
    "csv": re.compile("\0"),
}
_NOTHING = re.compile("(?!)")
_LINES = 1 << 14  # lines encoded at a time


def write_qrels(
    qrels: Qrels, path: str | os.PathLike[str], format: str | None = None
) -> tuple[str, ...]:
    """Write judgments in their stored order; returns in words what the format could not hold.

    Parameters
    ----------
    format : one of `FORMATS`; by default told from the ending (`.tsv` is BEIR). A further `.gz`,
        `.bz2`, `.xz` or `.zst` compresses.

    Raises
    ------
    InputError
        An id or a grade that would not read back.
    UnknownName, UsageError
        `format` or the ending is none.
    """
    form = format_for(path, "qrels", format)
    extra = _extra(qrels)
    held = {name: c for name, c in extra.items() if name in _holds(form)}
    if form in ("trec", "beir") and qrels.judged_by_people:
        raise InputError(
            f"{qrels.name}: preferences, or judgments of several groups, cannot be written as "
            f"{form}",
            "jsonl, csv and parquet can hold them",
        )
    sheet = Sheet.of_qrels(qrels, held)
    _check(sheet, form, ~np.isfinite(qrels.grade))
    _write(sheet, path, form)
    lost = [name for name in extra if name not in held]
    notes = [f"{', '.join(lost)} left out: {form} cannot hold it, jsonl can"] if lost else []
    return (*notes, *_sniffed_wrongly(sheet, form))


def write_run(run: Run, path: str | os.PathLike[str], format: str | None = None) -> tuple[str, ...]:
    """Write a run in its stored order; parameters, result and errors as `write_qrels`.

    In a TREC file the rank follows from the scores and the tag is the run's name, with `_` for
    every blank.
    """
    form = format_for(path, "run", format)
    tag = re.sub(r"[\s\0]", "_", run.name) or "run"
    sheet = Sheet.of_run(run, tag)
    _check(sheet, form, np.isnan(run.score))
    _write(sheet, path, form)
    notes = []
    empty = len(run.queries) - len(np.unique(run.query))
    if empty and form != "json":
        what = "query without results" if empty == 1 else "queries without results"
        notes.append(f"{empty} {what} left out: {form} cannot hold them, json can")
    if form == "trec" and tag != run.name:
        notes.append(f"the tag is written as {tag!r}, since it must be one word")
    return (*notes, *_sniffed_wrongly(sheet, form))


def format_for(path: str | os.PathLike[str], kind: Kind, declared: str | None = None) -> str:
    """The format to write: the declared one, or that of the ending; a file without ending is TREC.

    Raises
    ------
    UnknownName, UsageError
        No such format, an ending nobody knows, or BEIR for a run.
    """
    if declared is not None and declared not in FORMATS:
        raise UnknownName(f"no format {declared!r}", f"formats: {', '.join(FORMATS)}")
    name = PurePath(os.fspath(path))
    ending = (PurePath(name.stem) if name.suffix.lower() in _PACKERS else name).suffix.lower()
    found = declared or next((f for f, known in ENDINGS.items() if ending in known), None)
    if found is None:
        endings = " ".join(e for known in ENDINGS.values() for e in known if e)
        raise UsageError(
            f"{name}: the ending {ending!r} names no format",
            f"say format=, one of {', '.join(FORMATS)}, or use an ending: {endings}",
        )
    if found == "beir" and kind == "run":
        raise UsageError("BEIR's TSV holds judgments, not runs", "write .run, .csv or .jsonl")
    return found


def refuse_ids(form: str, query: str, docs: Iterable[str]) -> None:
    """Refuse ids that a format cannot hold before hours of work have gone into their run.

    Raises
    ------
    InputError
        An id is empty, or holds what the format sets apart, such as a blank in a TREC file.
    """
    forbidden = _FORBIDDEN.get(form, _NOTHING)
    for name, ids in (("query", (query,)), ("document", docs)):
        for text in ids:
            _refuse_id(form, name, text, forbidden)


def _refuse_id(form: str, name: str, text: str, forbidden: re.Pattern[str]) -> None:
    if text and not forbidden.search(text):
        return
    hint = "ids must not be empty" if not text else _where_it_fits(form)
    raise InputError(f"the {name} id {text!r} cannot be written as {form}", hint)


def _extra(qrels: Qrels) -> dict[str, Ids]:
    """The further columns that say something (column 2 is often `0` throughout)."""
    found = {
        names[0]: c for name, names in EXTRAS.items() if (c := getattr(qrels, name)) is not None
    }
    if "iteration" in found and not set(found["iteration"].to_bytes()) - {NO_ITERATION, b""}:
        del found["iteration"]
    return found


def _holds(form: str) -> tuple[str, ...]:
    """The further columns that a format holds."""
    if form == "json":
        return ()
    return ("iteration",) if form in ("trec", "beir") else tuple(n[0] for n in EXTRAS.values())


def _check(sheet: Sheet, form: str, bad_number: NDArray[np.bool_]) -> None:
    """Refuse what would not read back."""
    what = value_name(sheet.kind)
    if bad_number.any():
        row = int(np.flatnonzero(bad_number)[0])
        raise InputError(
            f"{_row_name(sheet, row)}: the {what} {sheet.value[row]} cannot be written",
            NUMBER_HINT[sheet.kind],
        )
    forbidden = _FORBIDDEN.get(form, _NOTHING)
    for name, column in (("query", sheet.names), ("document", sheet.docs)):
        for text in column:
            _refuse_id(form, name, text, forbidden)
    for name, column in sheet.extra.items():
        for text in column:
            if forbidden.search(text):
                raise InputError(
                    f"the {name} {text!r} cannot be written as {form}", _where_it_fits(form)
                )
    if form == "trec" and len(sheet.docs):
        first = next(sheet.query)
        if first.startswith(("\ufeff", "BZh")):  # read as a byte order mark, as bzip2
            raise InputError(
                f"a TREC file cannot begin with the query id {first!r}", _where_it_fits(form)
            )
    if form == "json":
        _refuse_repeats(sheet)


def _where_it_fits(form: str) -> str:
    what = {"trec": "blanks", "beir": "tabs and line ends", "csv": "NUL characters"}[form]
    return f"{form} cannot hold {what}; jsonl, {'' if form == 'csv' else 'csv, '}parquet can"


def _refuse_repeats(sheet: Sheet) -> None:
    seen: set[tuple[int, bytes]] = set()
    for row, pair in enumerate(zip(sheet.code.tolist(), sheet.docs.to_bytes(), strict=True)):
        if pair in seen:
            raise InputError(
                f"{_row_name(sheet, row)} comes twice, which json cannot hold",
                "jsonl, csv and parquet can",
            )
        seen.add(pair)


def _row_name(sheet: Sheet, row: int) -> str:
    return f"query {sheet.names[int(sheet.code[row])]!r}, document {sheet.docs[row]!r}"


def _sniffed_wrongly(sheet: Sheet, form: str) -> tuple[str, ...]:
    """A TREC file that begins as another format does."""
    first = next(sheet.query, "") if form == "trec" else ""
    if not first.startswith(("{", "[", "PAR1", "ARROW1")):
        return ()
    return (f"the first query id is {first!r}: the file must be read with format='trec'",)


def _write(sheet: Sheet, path: str | os.PathLike[str], form: str) -> None:
    with write_whole(path) as raw, _packed(raw, os.fspath(path)) as stream:
        if form in ("parquet", "arrow"):
            from cranfield.formats.arrow import to_table, write_table

            write_table(to_table(sheet.columns()), stream, form)
        else:
            _write_lines(RENDERERS[form](sheet), stream)


def _write_lines(lines: Iterable[str], stream: BinaryIO) -> None:
    rest = iter(lines)
    while block := "".join(islice(rest, _LINES)):
        stream.write(block.encode())


@contextlib.contextmanager
def _packed(raw: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """Compressed by the ending; the same content gives the same bytes (no time, no name)."""
    ending = PurePath(path).suffix.lower()
    if ending not in _PACKERS:
        yield raw
        return
    with _PACKERS[ending](raw, path) as stream:
        yield stream


def _zstd(raw: BinaryIO, path: str) -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra(f"{path} (zstd)", "zstd") from None
    return zstandard.ZstdCompressor().stream_writer(raw, closefd=False)


_PACKERS: dict[str, Callable[[BinaryIO, str], Any]] = {
    ".gz": lambda raw, _: gzip.GzipFile("", "wb", fileobj=raw, mtime=0),
    ".bz2": lambda raw, _: bz2.BZ2File(raw, "wb"),
    ".xz": lambda raw, _: lzma.LZMAFile(raw, "wb"),
    ".zst": _zstd,
}
