"""Files read by what they hold and written whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from cranfield.errors import InputError, MissingExtra, NoSuchInput

STDIN = "-"
# What a compressed file begins with, whatever it is called.
_GZIP, _BZIP2, _XZ, _ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"


@contextlib.contextmanager
def open_input(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """The decompressed bytes of a file, `-` for standard input.

    Raises
    ------
    NoSuchInput
        The file is missing, a folder, or may not be read.
    InputError
        It begins as a compressed file and is damaged.
    """
    name = os.fspath(path)
    try:
        if name == STDIN:
            stdin: Any = sys.stdin.buffer
            if not hasattr(stdin, "peek"):  # a program may have put its own there
                stdin = io.BufferedReader(stdin)
            with _decompressed(stdin, name) as stream:
                yield stream
        else:
            with open(name, "rb") as raw, _decompressed(raw, name) as stream:
                yield stream
    except FileNotFoundError:
        raise NoSuchInput(f"{name}: no such file", _nearby(name)) from None
    except IsADirectoryError:
        raise NoSuchInput(f"{name} is a folder, not a file") from None
    except PermissionError:
        raise NoSuchInput(f"{name} may not be read (permissions)") from None
    except (EOFError, zlib.error) as e:
        raise InputError(f"{name}: damaged or cut compressed file ({e})") from None
    except OSError as e:
        if e.errno is None:  # gzip and bz2 report damage as a bare OSError
            raise InputError(f"{name}: damaged compressed file ({e})") from None
        raise NoSuchInput(f"{name}: {e.strerror}") from None


def _decompressed(raw: IO[bytes], name: str) -> contextlib.AbstractContextManager[BinaryIO]:
    head: bytes = raw.peek(6)[:6]  # type: ignore[attr-defined]
    opened: Any = None
    if head.startswith(_GZIP):
        import gzip

        opened = gzip.open(raw)
    elif head.startswith(_BZIP2):
        import bz2

        opened = bz2.open(raw)
    elif head.startswith(_XZ):
        opened = _xz(raw, name)
    elif head.startswith(_ZSTD):
        opened = _zstd(raw, name)
    return opened or contextlib.nullcontext(cast("BinaryIO", raw))


@contextlib.contextmanager
def _xz(raw: IO[bytes], name: str) -> Iterator[BinaryIO]:
    import lzma

    try:
        with lzma.open(raw) as stream:
            yield cast("BinaryIO", stream)
    except lzma.LZMAError as e:
        raise InputError(f"{name}: damaged or cut compressed file ({e})") from None


@contextlib.contextmanager
def _zstd(raw: IO[bytes], name: str) -> Iterator[BinaryIO]:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra(f"{name} (zstd)", "zstd") from None
    try:
        yield io.BufferedReader(_Frames(raw, zstandard.ZstdDecompressor().decompressobj))
    except zstandard.ZstdError as e:
        raise InputError(f"{name}: damaged compressed file ({e})") from None


class _Frames(io.RawIOBase):
    """Decompressed zstd frames one after another. (The library's own reader takes a file that was
    cut short for one that ended.)"""

    def __init__(self, raw: IO[bytes], make: Callable[[], Any]) -> None:
        self._raw, self._make = raw, make
        self._frame: Any = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not len(self._ready):
            packed = self._raw.read(1 << 16)
            if not packed:
                if self._frame is not None and not self._frame.eof:
                    raise EOFError("the last frame is not complete")
                return 0
            plain = []
            while packed:
                if self._frame is None or self._frame.eof:
                    self._frame = self._make()
                plain.append(self._frame.decompress(packed))
                packed = self._frame.unused_data if self._frame.eof else b""
            self._ready = memoryview(b"".join(plain))
        n = min(len(buffer), len(self._ready))
        buffer[:n] = self._ready[:n]
        self._ready = self._ready[n:]
        return n


def _nearby(name: str) -> str | None:
    """A file of nearly that name in the same folder."""
    import difflib

    path = Path(name)
    try:
        names = [p.name for p in path.parent.iterdir()]
    except OSError:
        return f"the folder {path.parent} does not exist either"
    close = difflib.get_close_matches(path.name, names, 1)
    return f"did you mean {path.parent / close[0]}?" if close else None


@contextlib.contextmanager
def write_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to that takes its place under `path` only when all has been written.

    An error or an interrupt leaves what was there before. Symbolic links are followed, so that
    the link stays and its target changes.
    """
    import tempfile

    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise NoSuchInput(f"{path} is a folder", "name a file to write to")
    try:
        if target.exists() and not target.is_file():  # a device or pipe takes what it is given
            with open(target, "wb") as stream:
                yield stream
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except FileNotFoundError:
        raise NoSuchInput(f"{path}: the folder {target.parent} does not exist") from None
    except OSError as e:
        raise NoSuchInput(f"{path} cannot be written: {e.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode_of(target))
        os.replace(temporary, target)
    except BaseException as e:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(e, OSError):
            raise NoSuchInput(f"{path} cannot be written: {e.strerror}") from None
        raise


def make_folder(folder: Path, what: str) -> None:
    """Make a folder and those above it, if they are not there.

    Parameters
    ----------
    what : it is for, for the message

    Raises
    ------
    NoSuchInput
        It cannot be made, or is a file.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise NoSuchInput(f"{folder} cannot be {what}: {e.strerror}") from None


def _mode_of(target: Path) -> int:
    """The permissions of the file to be replaced, else what a new file would get."""
    try:
        return target.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
