"""The one layer over SQLite: a file that two processes may write and that survives a kill.

Write-ahead logging lets one process write while others read; a second writer waits. A change is
one transaction: it is in the file as a whole or not at all. A file knows what it is
(`application_id`) and how far its tables have come (`user_version`, one step a migration).
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cranfield.errors import CranfieldError, InputError, NoSuchInput

PATIENCE = 30.0  # seconds to wait for another process that writes


class Store:
    """One SQLite file.

    Parameters
    ----------
    path : the file; made with its folder at the first write.
    migrations : for each version, from 1, the statements that lead to it from the one before.
    application_id : a number that tells this kind of file from every other.
    what : its name in messages, as in "the ledger".
    patience : seconds to wait while another process writes.

    Raises
    ------
    NoSuchInput
        The file or its folder cannot be read or written.
    InputError
        It is damaged, no SQLite file, of another kind, or of a newer version.
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Sequence[str]],
        *,
        application_id: int,
        what: str,
        patience: float = PATIENCE,
    ) -> None:
        self.path, self.what, self.patience = path, what, patience
        self._migrations, self._application = migrations, application_id
        self._open: sqlite3.Connection | None = None
        self._writable = False

    def exists(self) -> bool:
        """Whether anything has been written."""
        return self.path.is_file()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are made together at the end, or none of them."""
        with self._told():
            connection = self._connect(write=True)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the file, whoever writes meanwhile."""
        with self._told():
            connection = self._connect(write=False)
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The answer to one question; none where nothing has been written yet."""
        if not self.exists():
            return []
        with self.snapshot() as connection:
            return connection.execute(sql, values).fetchall()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _connect(self, *, write: bool) -> sqlite3.Connection:
        if self._open is not None and (self._writable or not write):
            return self._open
        self.close()
        if write:
            self._make_folder()
        try:
            self._open = self._prepared(f"{self.path.resolve().as_uri()}?mode=rwc")
            self._writable = True
        except sqlite3.OperationalError as e:
            if write or _is_busy(e):
                raise
            self._open = self._read_only()
            self._writable = False
        return self._open

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise NoSuchInput(f"{self.what} {self.path} cannot be written: {e.strerror}") from None

    def _prepared(self, uri: str) -> sqlite3.Connection:
        """A connection to an up-to-date file."""
        connection = sqlite3.connect(
            uri, uri=True, timeout=self.patience, isolation_level=None, check_same_thread=False
        )
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            version = self._version(connection)
            if version < len(self._migrations):
                self._keep_log(connection)
                self._migrate(connection)
            connection.execute("PRAGMA synchronous = FULL")  # a power cut loses nothing either
        except BaseException:
            connection.close()
            raise
        return connection

    def _read_only(self) -> sqlite3.Connection:
        """For a folder that may not be written. What is still in a write-ahead log is seen where
        SQLite can open that log; else the file must be complete without one."""
        place = self.path.resolve().as_uri()
        log = Path(f"{self.path}-wal")
        alone = not log.exists() or not log.stat().st_size
        uris = [f"{place}?mode=ro", *([f"{place}?mode=ro&immutable=1"] if alone else [])]
        for i, uri in enumerate(uris):
            connection = sqlite3.connect(uri, uri=True, isolation_level=None)
            connection.row_factory = sqlite3.Row
            try:
                self._version(connection)
                return connection
            except sqlite3.OperationalError:
                connection.close()
                if i == len(uris) - 1:
                    raise
        raise AssertionError("there is at least one way to open it")

    def _version(self, connection: sqlite3.Connection) -> int:
        # one question, so that another process that makes the file is not seen half way
        version, kind, tables = connection.execute(
            "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_user_version, pragma_application_id"
        ).fetchone()
        if (version or tables) and kind != self._application:
            raise InputError(f"{self.path} is a database of something else, not {self.what}")
        if version > len(self._migrations):
            raise InputError(
                f"{self.what} {self.path} was written by a newer Cranfield (version {version} of "
                f"its tables; this one knows {len(self._migrations)})",
                "update: pip install --upgrade cranfield",
            )
        return int(version)

    def _keep_log(self, connection: sqlite3.Connection) -> None:
        """Turn write-ahead logging on. SQLite does not wait here by itself when two processes
        make the file at the same moment."""
        end = time.monotonic() + self.patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as e:
                if not _is_busy(e) or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            begun = self._version(connection)  # another process may have been faster
            for statements in self._migrations[begun:]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self._application}")
            connection.execute(f"PRAGMA user_version = {len(self._migrations)}")
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """SQLite's errors in our words."""
        try:
            yield
        except sqlite3.OperationalError as e:
            raise self._error(e) from None
        except sqlite3.DatabaseError as e:
            if type(e) is not sqlite3.DatabaseError:  # a broken constraint is a bug of ours
                raise
            raise InputError(
                f"{self.what} {self.path} is damaged or no database ({e})",
                "keep the file; sqlite3 FILE .recover may save what is in it",
            ) from None

    def _error(self, e: sqlite3.OperationalError) -> CranfieldError:
        if _is_busy(e):
            return NoSuchInput(
                f"{self.what} {self.path} is being written by another process "
                f"(waited {self.patience:g} s)",
                "try again when it has ended",
            )
        return NoSuchInput(f"{self.what} {self.path} cannot be opened or written: {e}")


def _is_busy(e: sqlite3.OperationalError) -> bool:
    return "locked" in str(e) or "busy" in str(e)
