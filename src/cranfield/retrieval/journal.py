"""The journal of a run that is being made: answers so far, in a file beside the output."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from cranfield.data.collection import Query
from cranfield.errors import CranfieldError, NoSuchInput
from cranfield.kit.lock import taken

ENDING = ".part"


@dataclass(frozen=True)
class Answer:
    """What a system said to one query: its documents and the milliseconds it took, or, where it
    failed, the `error`. `asked` is a fingerprint of the query."""

    query: str
    result: tuple[tuple[str, float], ...] = ()
    ms: float = 0.0
    error: str | None = None
    cause: type[Exception] = CranfieldError  # the kind of the error
    asked: str = ""

    @property
    def docs(self) -> tuple[str, ...]:
        return tuple(doc for doc, _ in self.result)


def fingerprint(query: Query) -> str:
    """Of the text and fields of a query: an answer to another text is none to this one."""
    said = json.dumps([query.text, dict(query.fields)], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


class Journal:
    """Answers appended one a line, so that interrupted work goes on where it stopped.

    The first line says what the work is; a file of other work is begun anew. A line cut short by
    a crash is dropped. Failed queries are kept as such, so that they are asked after the
    others. A file without an answer is not left behind. While it is open no other process can
    open it, so that the same command typed twice does not mix two halves of the work.
    """

    def __init__(self, path: str | os.PathLike[str], work: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._head = json.dumps(work, sort_keys=True, ensure_ascii=False).encode() + b"\n"
        self._stream: IO[bytes] | None = None
        self._holds = False  # whether an answer is in it
        self.stale = False  # whether there was a file of other work
        self.kept: dict[str, Answer] = {}  # answers that were there when it was opened
        self.failed: dict[str, Answer] = {}  # queries that had failed and were not answered since

    def read(self) -> dict[str, Answer]:
        """The answers and failures kept so far, by query."""
        try:
            return self._found(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as e:
            raise NoSuchInput(f"{self.path} cannot be read: {e.strerror}") from None

    def _found(self, data: bytes) -> dict[str, Answer]:
        self.stale = bool(data) and not data.startswith(self._head)
        if self.stale:
            return {}
        lines = data[len(self._head) :].split(b"\n")[:-1]  # the last is empty, or was cut short
        return {a.query: a for line in lines if (a := _answer(line)) is not None}

    def __enter__(self) -> Journal:
        """Open for adding. What is there already stays as it is, so that being killed here loses
        nothing; only a line cut short is taken away.

        Raises
        ------
        CranfieldError
            Another process is at work with this file.
        NoSuchInput
            The file cannot be written.
        """
        try:
            self._stream = _locked(self.path)
            data = self._stream.read()
            found = self._found(data)
            whole = 0 if self.stale else data.rfind(b"\n") + 1
            self._stream.truncate(whole)
            if not whole:
                self._stream.write(self._head)
        except OSError as e:
            hint = "the journal of a run lies beside its output"
            raise NoSuchInput(f"{self.path} cannot be written: {e.strerror}", hint) from None
        self.kept = {query: a for query, a in found.items() if a.error is None}
        self.failed = {query: a for query, a in found.items() if a.error is not None}
        self._holds = bool(self.kept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._stream is not None
        self._stream.close()
        if not self._holds:  # nothing to go on from
            self.done()

    def add(self, answer: Answer) -> None:
        """Keep an answer; it is in the hands of the operating system when this returns."""
        assert self._stream is not None
        record: dict[str, Any] = {"query": answer.query, "asked": answer.asked}
        if answer.error is None:
            record |= {"ms": answer.ms, "result": answer.result}
            self._holds = True
        else:
            record["error"] = answer.error
        line = json.dumps(record, ensure_ascii=False)
        self._stream.write(line.encode("utf-8", "backslashreplace") + b"\n")
        self._stream.flush()

    def done(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def _locked(path: Path) -> IO[bytes]:
    """The file, open at its beginning for reading and at its end for writing, and nobody else's."""
    while True:
        stream = path.open("a+b")
        try:
            if not taken(stream):
                raise CranfieldError(
                    f"{path}: another process is at work on this run",
                    "wait until it has ended, or write to another file; nothing was changed",
                )
            if _same(stream, path):
                stream.seek(0)
                return stream
        except BaseException:
            stream.close()
            raise
        stream.close()  # it was removed, its work done, between opening and locking: once more


def _same(stream: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _answer(line: bytes) -> Answer | None:
    try:
        record = json.loads(line)
        query, asked = str(record["query"]), str(record["asked"])
        if "error" in record:
            return Answer(query, error=str(record["error"]), asked=asked)
        result = tuple((str(doc), float(score)) for doc, score in record["result"])
        return Answer(query, result, float(record["ms"]), asked=asked)
    except (ValueError, KeyError, TypeError):
        return None
