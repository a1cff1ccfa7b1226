"""An input named on the command line or in a call: a file, or `-` for standard input."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO

from cranfield.kit.files import STDIN, open_input

_ENDING = re.compile(
    r"\.(?:txt|run|res|trec|tsv|csv|jsonl?|ndjson|parquet|arrow|feather|qrels?|dat|out)\Z",
    re.IGNORECASE,
)


class Input:
    """Bytes that can be read more than once. What comes only once, standard input or a pipe under
    a path, is kept."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.name = "standard input" if self.path == STDIN else self.path

    @cached_property
    def _once(self) -> bool:
        there = os.path.exists(self.path)
        return self.path == STDIN or (there and not os.path.isfile(self.path))

    @cached_property
    def _kept(self) -> bytes:
        with open_input(self.path) as stream:
            return stream.read()

    @contextlib.contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The decompressed bytes from the beginning."""
        if self._once:
            yield io.BytesIO(self._kept)
        else:
            with open_input(self.path) as stream:
                yield stream

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, without a byte order mark."""
        with self.open() as stream:
            return stream.read(1 << 16).removeprefix(b"\xef\xbb\xbf")

    @property
    def stem(self) -> str:
        """A short name: the file's, without endings such as `.run.gz`."""
        if self.path == STDIN:
            return "stdin"
        base = os.path.basename(self.path)
        packed = re.sub(r"\.(?:gz|bz2|xz|zst)\Z", "", base, flags=re.IGNORECASE)
        return _ENDING.sub("", packed) or base
