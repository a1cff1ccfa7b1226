"""Anything that holds judgments or a run, read: paths in every format, dictionaries, frames."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import NoSuchInput, UsageError
from cranfield.formats import trec
from cranfield.formats.detect import GROUPED, PREFS, SAMPLED, Kind, format_of
from cranfield.formats.dicts import plain_qrels
from cranfield.formats.inputs import Input
from cranfield.formats.judgments import qrels_from_rows, settled
from cranfield.formats.prefs import RECOGNISED, read_prefs
from cranfield.formats.problems import Problems
from cranfield.formats.qrelsfile import read_trec_qrels
from cranfield.formats.rows import Rows
from cranfield.formats.sources import (
    OnDuplicate,
    RunColumns,
    RunFile,
    RunSource,
    notes_of,
    run_from_rows,
)
from cranfield.scan.chunks import whole

IRDS = "irds:"


def read_qrels(
    source: Any,
    *,
    format: str | None = None,
    on_duplicate: OnDuplicate = "error",
    all_errors: bool = False,
    split: str | None = None,
    threads: int | None = None,
) -> Qrels:
    """Judgments from a path, a BEIR folder, `irds:<id>`, or an object.

    Parameters
    ----------
    source : path, `-`, Qrels, TestCollection, {query: {doc: grade}}, DataFrame, Arrow table
    format : one of `cranfield.formats.detect.QRELS_FORMATS`; by default told from the content
    on_duplicate : what a document judged twice for a query means: an error, or keep the `first`,
        the `last` or the `max` grade
    all_errors : list up to twenty problems instead of the first
    split : which file of `qrels/` of a BEIR folder; a path that is none must have no split
    threads : for a TREC file; None for one below four megabytes, else as many as processors, at
        most four

    Raises
    ------
    FormatError, InputError, NoSuchInput, UsageError
    """
    if isinstance(source, Qrels):
        return source
    if isinstance(source, TestCollection):
        return source.qrels
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        refuse_split(text, split)
        if text.startswith(IRDS) or Path(text).is_dir():
            return read_collection(text, split=split, on_duplicate=on_duplicate).qrels
        given = Input(text)
        problems = Problems(all_errors)
        if format_of(given, "qrels", format) == "trec":
            found = read_trec_qrels(given, given.stem, threads=threads)
            return settled(found, given.name, on_duplicate, problems)
        rows = _rows(given, "qrels", format)
        return qrels_from_rows(rows, given.name, given.stem, on_duplicate, problems)
    rows = plain_qrels(source) or _rows_of_object(source, "qrels")
    return qrels_from_rows(rows, "qrels", "qrels", on_duplicate, Problems(all_errors))


def read_sets(sources: Sequence[Any], split: str | None, **options: Any) -> list[Qrels]:
    """Several sets of judgments; a split is that of the folders among them.

    Raises
    ------
    UsageError
        A split is named and none of them is a folder. And as `read_qrels`.
    """
    folders = [has_splits(source) for source in sources]
    if not any(folders):
        for source in sources:
            refuse_split(source, split)
    return [
        read_qrels(source, split=split if folder else None, **options)
        for source, folder in zip(sources, folders, strict=True)
    ]


def has_splits(source: Any) -> bool:
    """Whether it is a folder, whose judgments may be of several splits."""
    return isinstance(source, (str, os.PathLike)) and Path(source).is_dir()


def refuse_split(source: Any, split: str | None) -> None:
    """UsageError where a split is named of a path that has none."""
    if split is not None and isinstance(source, (str, os.PathLike)) and not has_splits(source):
        name = os.fspath(source)
        if name.startswith(IRDS):
            hint = f"the id names its split, as in {name}/{split}"
        else:
            hint = "a split is a file in qrels/ of a folder: name the folder, or that file alone"
        raise UsageError(f"split {split!r}: {name} has no splits", hint)


def open_run(
    source: Any,
    *,
    name: str | None = None,
    format: str | None = None,
    on_duplicate: OnDuplicate = "error",
    all_errors: bool = False,
) -> RunSource:
    """A run as the kernel reads it; a TREC file is not read yet.

    Parameters are those of `read_qrels`; `name` overrides the file's.
    """
    found: RunSource
    if isinstance(source, Run):
        found = RunColumns(source, on_duplicate=on_duplicate)
    elif isinstance(source, (str, os.PathLike)):
        given = Input(source)
        form = format_of(given, "run", format)
        if form == "trec":
            found = RunFile(given, on_duplicate=on_duplicate)
        elif form == "parquet":
            from cranfield.formats.parquet import RunParquet

            found = RunParquet(given, on_duplicate=on_duplicate)
        else:
            rows = _rows(given, "run", format)
            problems = Problems(all_errors)
            problems.add(rows.problems)
            problems.done()
            found = RunColumns(
                run_from_rows(rows, given.stem), on_duplicate=on_duplicate, skipped=rows.skipped
            )
    elif hasattr(source, "pieces") and hasattr(source, "whole"):
        found = cast("RunSource", source)
    else:
        rows = _rows_of_object(source, "run")
        Problems().add(rows.problems)
        found = RunColumns(
            run_from_rows(rows, name or "run"), on_duplicate=on_duplicate, skipped=rows.skipped
        )
    if name is not None:
        found.name = name
    return found


def read_run(
    source: Any,
    *,
    name: str | None = None,
    format: str | None = None,
    on_duplicate: OnDuplicate = "error",
    all_errors: bool = False,
) -> Run:
    """A run as columns in memory; parameters as `open_run`."""
    if isinstance(source, Run):
        return source
    found = open_run(
        source, name=name, format=format, on_duplicate=on_duplicate, all_errors=all_errors
    )
    problems = Problems(all_errors)
    if isinstance(found, RunFile):
        return found.load(problems)
    if not isinstance(found, RunColumns) and hasattr(found, "columns"):  # a RunParquet
        found = found.columns()
    piece = found.whole()
    problems.add(piece.problems)
    problems.done()
    assert isinstance(found, RunColumns)
    if not piece.skipped:
        return found.run
    lines = piece.lines
    assert lines is not None
    return Run(
        found.run.queries,
        lines.segment,
        lines.docs,
        lines.score,
        name=found.name,
        notes=notes_of(piece.skipped),
    )


def read_collection(
    source: Any,
    *,
    split: str | None = None,
    on_duplicate: OnDuplicate = "error",
    judgments: bool = True,
) -> TestCollection:
    """A test collection from a BEIR folder or `irds:<id>`; with `judgments=False` its queries and
    documents alone, so that it needs none."""
    if isinstance(source, TestCollection):
        return source
    text = os.fspath(source)
    if text.startswith(IRDS):
        refuse_split(text, split)
        from cranfield.formats.irds import read_irds

        name = text.removeprefix(IRDS)
        return read_irds(
            name,
            lambda rows: qrels_from_rows(rows, text, name, on_duplicate, Problems()),
            judgments=judgments,
        )
    from cranfield.formats.beir import read_folder

    if not os.path.lexists(text):
        raise NoSuchInput(
            f"{text}: no such folder",
            "a collection is a folder with queries.jsonl and qrels/, or irds:<id>",
        )
    if not Path(text).is_dir():
        raise UsageError(
            f"{text} is no collection",
            "a collection is a folder with queries.jsonl and qrels/, or irds:<id>",
        )

    def to_qrels(given: Input) -> Qrels:
        return read_qrels(given.path, on_duplicate=on_duplicate)

    return read_folder(Path(text), split, to_qrels if judgments else None)


def judgment_rows(given: Input, declared: str | None = None) -> Rows:
    """The rows of a file of judgments as they stand: a document may come several times, as it
    does where several people judged. Problems are not raised."""
    if format_of(given, "qrels", declared) == "trec":
        with given.open() as stream:
            return trec.qrels_rows(whole(stream), given.name)
    return _rows(given, "qrels", declared)


def _rows(given: Input, kind: Kind, declared: str | None) -> Rows:
    form = format_of(given, kind, declared)
    if form in GROUPED:
        with given.open() as stream:
            rows = trec.qrels_rows(whole(stream), given.name)
        if "iteration" in rows.extra:
            rows.extra["group"] = rows.extra.pop("iteration")
        return rows
    if form == PREFS:
        rows = read_prefs(given)
        if declared is None:
            rows.notes.append(RECOGNISED)
        return rows
    if form == SAMPLED:
        from cranfield.formats import sampled

        rows = sampled.read_sampled(given)
        if declared is None:
            rows.notes.append(sampled.RECOGNISED)
        return rows
    if form == "csv":
        from cranfield.formats.tabular import read_csv

        return read_csv(given, kind)
    if form in ("json", "jsonl"):
        from cranfield.formats import jsonl

        return (jsonl.read_json if form == "json" else jsonl.read_jsonl)(given, kind)
    if form == "beir":
        from cranfield.formats.beir import read_beir_qrels

        return read_beir_qrels(given, header=declared is None)
    from cranfield.formats.arrow import read_arrow

    return read_arrow(given, kind)


def _rows_of_object(source: Any, kind: Kind) -> Rows:
    from cranfield.formats.frames import rows_from_object

    rows = rows_from_object(source, kind)
    if rows is None:
        raise UsageError(
            f"{type(source).__name__} cannot be read as {'a run' if kind == 'run' else kind}",
            "give a path, {query: {document: number}}, a pandas or Polars frame or an Arrow table",
        )
    return rows
