"""A run in a Parquet file, read by batches of rows and never held whole unless its queries are
scattered."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from cranfield.errors import FormatError
from cranfield.formats import arrow
from cranfield.formats.inputs import Input
from cranfield.formats.names import resolve
from cranfield.formats.sources import OnDuplicate, Piece, RunColumns, run_from_rows, settle
from cranfield.kit.files import STDIN
from cranfield.scan.lines import Lines

BATCH = 1 << 16  # rows


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
        tables = self._tables()
        try:
            first = next(tables, None)
        except _NotPlain:
            first = None
        if first is None:
            yield self.whole
            return
        yield partial(self._read, first)
        try:
            for table in tables:
                yield partial(self._read, table)
        except _NotPlain:
            yield self.whole  # its queries came before, so that the whole file is read alone

    def whole(self) -> Piece:
        return self.columns().whole()

    def columns(self) -> RunColumns:
        """The run as columns in memory."""
        rows = arrow.read_arrow(self.source, "run")
        return RunColumns(run_from_rows(rows, self.name), on_duplicate=self.on_duplicate)

    def _tables(self) -> Iterator[Any]:
        """Tables of the three columns that matter, whose cuts lie between queries."""
        pa = arrow.need_pyarrow(self.source.name)
        from pyarrow import parquet

        plain = self.source.path != STDIN and os.path.isfile(self.source.path)
        if not plain:
            raise _NotPlain
        try:
            with parquet.ParquetFile(self.source.path) as file:
                role = resolve(list(file.schema_arrow.names), "run", file=self.source.name)
                wanted = [role[what] for what in ("query", "doc", "score")]
                if any("." in name for name in wanted):  # would be a path into nested columns
                    raise _NotPlain
                held: list[Any] = []
                for batch in file.iter_batches(self.batch, columns=wanted):
                    cut = _last_boundary(batch.column(role["query"]))
                    if cut:
                        yield pa.Table.from_batches([*held, batch.slice(0, cut)])
                        held = []
                    held.append(batch.slice(cut))
                if held:
                    yield pa.Table.from_batches(held)
        except (pa.ArrowException, OSError, FormatError, NotImplementedError):
            raise _NotPlain from None

    def _read(self, table: Any) -> Piece:
        try:
            rows = arrow.rows_from_table(table, "run", self.source.name)
        except FormatError:
            return self.whole()  # counts rows from the beginning of the file
        lines = Lines.from_columns(rows.query, rows.docs, rows.value)
        return Piece(None) if lines is None else settle(lines, None, self.name, self.on_duplicate)


class _NotPlain(Exception):
    """To be read whole."""


def _last_boundary(query: Any) -> int:
    """The first row of the last query; 0 where all rows are of one."""
    import pyarrow.compute as pc

    plain = arrow.decoded_column(query)
    same = pc.fill_null(pc.equal(plain, plain[-1]), False).to_numpy(zero_copy_only=False)
    other = np.flatnonzero(~same.astype(bool))
    return int(other[-1]) + 1 if len(other) else 0
