"""Vectors of texts kept in a folder, found again by model and text.

Each process that adds vectors writes a file of its own, records of one size behind a line of JSON,
and reads those of all others. A record carries a checksum: what a killed process left half-written
is passed over, and no lock is needed.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import NoSuchInput
from cranfield.kit.files import make_folder

WHOLE, CUT, UNKNOWN = 0, 1, 2  # whether the model saw a text to its end
ENDING = ".vectors"


def key_of(side: str, text: str) -> bytes:
    """The first 16 bytes of the SHA-256 of a text and what it is, a `query` or a `document`."""
    said = f"{side}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(said).digest()[:16]


class VectorCache:
    """The vectors of one model.

    Parameters
    ----------
    folder : for all models; each has a folder of its own there
    model : what decides a vector, as JSON can hold it
    dimension : numbers in a vector

    Raises
    ------
    NoSuchInput
        The folder cannot be written.
    """

    def __init__(
        self, folder: str | os.PathLike[str], model: Mapping[str, Any], dimension: int
    ) -> None:
        said = json.dumps(
            {"form": 1, "dimension": dimension, "model": model}, sort_keys=True, ensure_ascii=False
        )
        self._head = said.encode("utf-8", "surrogatepass") + b"\n"
        self.folder = Path(folder) / f"vectors-{hashlib.sha256(self._head).hexdigest()[:24]}"
        self._record = np.dtype(
            [("key", "V16"), ("flag", "<u4"), ("crc", "<u4"), ("vector", "<f4", (dimension,))]
        )
        self._stream: IO[bytes] | None = None
        self._rows: dict[bytes, tuple[NDArray[Any], int]] = {}
        make_folder(Path(folder), "a cache")
        make_folder(self.folder, "a cache")
        for path in sorted(self.folder.glob(f"*{ENDING}")):
            self._read(path)

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, tuple[NDArray[np.float32], int]]:
        """{key: (vector, flag)} of those that are here."""
        out = {}
        for key in keys:
            if key in self._rows:
                records, row = self._rows[key]
                out[key] = (records["vector"][row], int(records["flag"][row]))
        return out

    def add(self, keys: Sequence[bytes], vectors: NDArray[Any], flags: Sequence[int]) -> None:
        """Keep vectors; they are in the hands of the operating system when this returns."""
        records = np.zeros(len(keys), self._record)
        for row, (key, flag) in enumerate(zip(keys, flags, strict=True)):
            records["key"][row] = np.void(key)
            records["flag"][row] = flag
        records["vector"] = vectors
        for row in range(len(records)):
            records["crc"][row] = _checksum(records[row])
        if self._stream is None:
            path = self.folder / f"{uuid.uuid4().hex}{ENDING}"
            try:
                self._stream = path.open("xb")
            except OSError as e:
                raise NoSuchInput(f"{path} cannot be written: {e.strerror}") from None
            self._stream.write(self._head)
        self._stream.write(records.tobytes())
        self._stream.flush()
        self._note(records)

    def close(self) -> None:
        """Close the file that is written to."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _read(self, path: Path) -> None:
        with path.open("rb") as stream:
            if stream.readline() != self._head:
                return  # cut within its first line
            begin = stream.tell()
        whole = (path.stat().st_size - begin) // self._record.itemsize
        if whole:
            self._note(np.memmap(path, self._record, "r", begin, (whole,)))

    def _note(self, records: NDArray[Any]) -> None:
        for row in range(len(records)):
            if int(records["crc"][row]) == _checksum(records[row]):
                self._rows[records["key"][row].tobytes()] = (records, row)


def _checksum(record: Any) -> int:
    """CRC-32 over everything but itself."""
    data = record.tobytes()
    return zlib.crc32(data[24:], zlib.crc32(data[:20]))
