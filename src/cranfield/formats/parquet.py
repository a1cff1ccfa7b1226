"""A run in a Parquet file, read by batches of rows and never held whole unless its queries are
scattered."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from cranfield.errors import FormatError
from cranfield.formats import arrow
from cranfield.formats.arrowplain import plain_lines, segments
from cranfield.formats.inputs import Input
from cranfield.formats.names import resolve
from cranfield.formats.sources import OnDuplicate, Piece, RunColumns, run_from_rows, settle
from cranfield.kit.files import STDIN
from cranfield.scan.lines import Lines

BATCH = 1 << 16  # rows
_BUFFER = 1 << 20  # bytes of a column read at a time


class RunParquet:
    """A Parquet file as the kernel reads it.

    Whatever is wrong with it is left to the reader of whole files, which says where.
    """

    def __init__(
        self, source: Input, *, on_duplicate: OnDuplicate = "error", batch: int = BATCH
    ) -> None:
        self.source, self.on_duplicate, self.batch = source, on_duplicate, batch
        self.name = source.stem

    def pieces(self) -> Iterator[Callable[[], Piece]]:
        groups = self._groups()
        try:
            first = next(groups, None)
        except _NotPlain:
            first = None
        if first is None:
            yield self.whole
            return
        yield partial(self._read, first)
        try:
            for group in groups:
                yield partial(self._read, group)
        except _NotPlain:
            yield self.whole  # its queries came before, so that the whole file is read alone

    def whole(self) -> Piece:
        return self.columns().whole()

    def columns(self) -> RunColumns:
        """The run as columns in memory."""
        rows = arrow.read_arrow(self.source, "run")
        return RunColumns(run_from_rows(rows, self.name), on_duplicate=self.on_duplicate)

    def _groups(self) -> Iterator[list[Any]]:
        """Lists of record batches of the three columns that matter, cut between queries."""
        pa = arrow.need_pyarrow(self.source.name)
        from pyarrow import parquet

        plain = self.source.path != STDIN and os.path.isfile(self.source.path)
        if not plain:
            raise _NotPlain
        try:
            with parquet.ParquetFile(self.source.path) as file:
                schema, known = file.schema_arrow, file.metadata
                role = resolve(list(schema.names), "run", file=self.source.name)
            wanted = [role[what] for what in ("query", "doc", "score")]
            if any("." in name for name in wanted):  # would be a path into nested columns
                raise _NotPlain
            coded = [role["query"]] if pa.types.is_string(schema.field(role["query"]).type) else []
            # read through small buffers, else all compressed row groups would end up in memory
            with parquet.ParquetFile(
                self.source.path,
                metadata=known,
                read_dictionary=coded,
                buffer_size=_BUFFER,
                pre_buffer=False,
            ) as file:
                held: list[Any] = []
                for batch in file.iter_batches(self.batch, columns=wanted, use_threads=False):
                    cut = _last_boundary(batch.column(role["query"]))
                    if cut:
                        yield [*held, batch.slice(0, cut)]
                        held = []
                    held.append(batch.slice(cut))
                if held:
                    yield held
        except (pa.ArrowException, OSError, FormatError, NotImplementedError):
            raise _NotPlain from None

    def _read(self, group: list[Any]) -> Piece:
        names = group[0].schema.names
        role = resolve(names, "run", file=self.source.name)
        query, doc, score = (names.index(role[what]) for what in ("query", "doc", "score"))
        lines = plain_lines(group, (query, doc, score))
        if lines is None:
            import pyarrow as pa

            try:
                table = pa.Table.from_batches(group)
                rows = arrow.rows_from_table(table, "run", self.source.name)
            except FormatError:
                return self.whole()  # counts rows from the beginning of the file
            lines = Lines.from_columns(rows.query, rows.docs, rows.value)
        return Piece(None) if lines is None else settle(lines, None, self.name, self.on_duplicate)


class _NotPlain(Exception):
    """To be read whole."""


def _last_boundary(query: Any) -> int:
    """The first row of the last query; 0 where all rows are of one."""
    names, first = segments(query) or _by_value(arrow.decoded_column(query))
    for i in range(len(names) - 1, 0, -1):
        if names[i] != names[i - 1]:
            return first[i]
    return 0


def _by_value(column: Any) -> tuple[list[Any], list[int]]:
    """As `segments`, for ids of any type; a null is a value."""
    values = column.to_pylist()
    first = [i for i, value in enumerate(values) if not i or value != values[i - 1]]
    return [values[i] for i in first], first
