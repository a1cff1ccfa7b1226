"""The SQLite layer: transactions, migrations, other people's files, locks, kills."""

from __future__ import annotations

import importlib.util
import os
import random
import sqlite3
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from cranfield.errors import InputError, NoSuchInput
from cranfield.kit.store import Store


def _load(name: str) -> ModuleType:
    """A file of helpers beside the rooms of the tests, which are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


killed = _load("killed")
FIRST = ("CREATE TABLE t (x INTEGER)",)
SECOND = ("ALTER TABLE t ADD COLUMN y TEXT NOT NULL DEFAULT 'none'",)


def store(path: Path, *migrations: tuple[str, ...], **more) -> Store:
    return Store(path, migrations or (FIRST,), application_id=77, what="the notebook", **more)


def add(there: Store, value: int) -> None:
    with there.transaction() as db:
        db.execute("INSERT INTO t (x) VALUES (?)", (value,))


def values(there: Store) -> list[int]:
    return [row[0] for row in there.rows("SELECT x FROM t ORDER BY rowid")]


def test_nothing_is_made_before_the_first_write(tmp_path):
    there = store(tmp_path / "deep" / "a.sqlite")
    assert not there.exists() and values(there) == []
    assert not (tmp_path / "deep").exists()
    add(there, 1)
    assert there.exists() and values(there) == [1]


def test_write_ahead_logging_is_on(tmp_path):
    there = store(tmp_path / "a.sqlite")
    add(there, 1)
    assert there.rows("PRAGMA journal_mode")[0][0] == "wal"


def test_a_transaction_is_whole_or_nothing(tmp_path):
    there = store(tmp_path / "a.sqlite")
    add(there, 1)

    def half() -> None:
        with there.transaction() as db:
            db.execute("INSERT INTO t VALUES (2)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert values(there) == [1]


def test_an_older_file_is_brought_up_to_date_and_keeps_its_rows(tmp_path):
    path = tmp_path / "a.sqlite"
    old = store(path)
    add(old, 1)
    old.close()
    new = store(path, FIRST, SECOND)
    add(new, 2)
    rows = [tuple(r) for r in new.rows("SELECT x, y FROM t ORDER BY x")]
    assert rows == [(1, "none"), (2, "none")]
    assert new.rows("PRAGMA user_version")[0][0] == 2


class _Between:
    """A connection to a file with which something happens after so many questions."""

    def __init__(self, connection, happens, after):
        self._connection, self._happens, self._left = connection, happens, after

    def execute(self, sql):
        row = self._connection.execute(sql).fetchone()
        self._left -= 1
        if not self._left:
            self._happens()
        return _Answer(row)


class _Answer:
    def __init__(self, row):
        self._row = row

    def fetchone(self):
        return self._row


@pytest.mark.parametrize("after", [1, 2])
def test_a_file_that_another_process_makes_just_now_is_ours(tmp_path, after):
    """Between any two questions it may come into being."""
    path = tmp_path / "a.sqlite"

    connection = sqlite3.connect(path, isolation_level=None)
    mine = store(path)

    def made() -> None:
        other = store(path)
        add(other, 1)
        other.close()

    try:
        assert mine._version(_Between(connection, made, after)) == 0
        made()
        assert mine._version(connection) == 1
    finally:
        connection.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "a.sqlite"
    old = store(path)
    add(old, 1)
    old.close()
    bad = store(path, FIRST, (SECOND[0], "CREATE NONSENSE"))
    with pytest.raises(NoSuchInput, match="NONSENSE"):
        add(bad, 2)
    assert values(store(path)) == [1]


def test_a_newer_file_is_refused(tmp_path):
    path = tmp_path / "a.sqlite"
    new = store(path, FIRST, SECOND)
    add(new, 1)
    new.close()
    with pytest.raises(InputError, match="newer Cranfield") as e:
        values(store(path))
    assert "upgrade" in str(e.value.hint)


@pytest.mark.parametrize("text", [b"no database, " * 400, b""])
def test_another_file_is_refused_or_empty(tmp_path, text):
    path = tmp_path / "a.sqlite"
    path.write_bytes(text)
    if text:
        with pytest.raises(InputError, match="damaged or no database"):
            values(store(path))
        assert path.read_bytes() == text
    else:
        add(store(path), 1)
        assert values(store(path)) == [1]


def test_a_database_of_something_else_is_refused(tmp_path):
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="something else"):
        add(store(path), 1)
    assert path.read_bytes() == before


def test_a_lock_that_does_not_end_is_told(tmp_path):
    path = tmp_path / "a.sqlite"
    there = store(path)
    with there.transaction() as db:
        db.execute("INSERT INTO t VALUES (1)")
        other = store(path, patience=0.1)
        with pytest.raises(NoSuchInput, match=r"another process \(waited 0.1 s\)"):
            add(other, 2)
    add(other, 3)
    assert values(there) == [1, 3]


def test_reading_does_not_wait_for_a_writer(tmp_path):
    path = tmp_path / "a.sqlite"
    there = store(path)
    add(there, 1)
    with there.transaction() as db:
        db.execute("INSERT INTO t VALUES (2)")
        assert values(store(path, patience=0.1)) == [1]


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(NoSuchInput, match="cannot be written"):
        add(store(tmp_path / "file" / "a.sqlite"), 1)
    nowhere = tmp_path / "folder"
    nowhere.symlink_to("/proc/version_that_is_not_there")
    with pytest.raises(NoSuchInput):
        add(store(nowhere / "a.sqlite"), 1)


def as_nobody(work: Callable[[], str]) -> str:
    """What a function says in a child process for which permissions hold, as they do not for
    root. (A child made by fork, since nobody may not run the interpreter everywhere.)"""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads
        child = os.fork()
    if not child:
        try:
            if os.getuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            os.write(writer, work().encode())
        except BaseException as e:
            os.write(writer, repr(e).encode())
        finally:
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as stream:
        return stream.read()


def test_a_folder_without_write_permission_can_still_be_read():
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "folder" / "a.sqlite"
        there = store(path)
        add(there, 1)
        there.close()
        Path(name).chmod(0o755)
        path.parent.chmod(0o555)
        path.chmod(0o444)

        def work() -> str:
            there = store(path)
            found = values(there)
            try:
                add(there, 2)
            except NoSuchInput as e:
                return f"{found} {e.message}"
            return f"{found} written"

        said = as_nobody(work)
        path.parent.chmod(0o755)
    assert said.startswith("[1] the notebook")
    assert "cannot be opened or written" in said


# A program that writes three rows a transaction until it is killed, and says after each one that
# it is done.
WRITER = """
import sys
import time
from pathlib import Path
from cranfield.kit.store import Store
there = Store(Path(sys.argv[1]), (("CREATE TABLE t (x INTEGER)",),), application_id=77, what="it")
n = 0
end = time.monotonic() + 120  # should nobody come to kill it
while time.monotonic() < end:
    with there.transaction() as db:
        for _ in range(3):
            db.execute("INSERT INTO t VALUES (?)", (int(sys.argv[2]) * 1_000_000 + n,))
    print(n, flush=True)
    n += 1
"""


def test_a_kill_at_any_moment_leaves_whole_transactions(tmp_path):
    rng = random.Random(8)
    for attempt in range(12):
        path = tmp_path / f"{attempt % 4}.sqlite"  # some files are killed several times
        before = len(values(store(path))) // 3
        writer = killed.Worker(WRITER, path, attempt, said=tmp_path / "said")
        if attempt % 3:  # else it may die while it makes the file
            writer.wait_for(1)
        time.sleep(rng.uniform(0, 0.2))
        done = writer.kill()
        there = store(path)
        if not there.exists():
            continue
        assert there.rows("PRAGMA integrity_check")[0][0] == "ok"
        found = values(there) if there.rows("SELECT 1 FROM sqlite_master") else []
        assert len(found) % 3 == 0
        assert all(found[i] == found[i + 1] == found[i + 2] for i in range(0, len(found), 3))
        assert len(found) // 3 in (before + done, before + done + 1), "a finished one is lost"
        there.close()


def test_two_processes_that_write_at_once_lose_nothing(tmp_path):
    path = tmp_path / "a.sqlite"
    writers = {n: killed.Worker(WRITER, path, n, said=tmp_path / f"said{n}") for n in (1, 2)}
    for writer in writers.values():
        writer.wait_for(15)
    done = {n: writer.kill() for n, writer in writers.items()}
    found = values(store(path))
    for n, said in done.items():
        mine = [x - n * 1_000_000 for x in found if x // 1_000_000 == n]
        assert len(mine) % 3 == 0 and len(mine) // 3 in (said, said + 1)
        assert mine == sorted(mine) and mine[::3] == list(range(len(mine) // 3))
