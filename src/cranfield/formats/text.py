"""Text files read as UTF-8, strictly: a byte that is none is named, with its line."""

from __future__ import annotations

from cranfield.errors import FormatError
from cranfield.formats.inputs import Input


def read_text(source: Input) -> str:
    """The whole text without a byte order mark; line ends as they are.

    Raises
    ------
    FormatError
        A byte that is not UTF-8, or a NUL.
    """
    with source.open() as stream:
        return decoded(stream.read(), source.name)


def read_lines(source: Input) -> list[str]:
    """The lines, whatever ends them (LF, CRLF or CR); nothing else ends a line."""
    text = read_text(source).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def decoded(raw: bytes, file: str, first_line: int = 1) -> str:
    """`raw` as text; `first_line` is the number of its first line in the file."""
    if first_line == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(
            "the file is UTF-16, not UTF-8",
            "convert it first, for example: iconv -f utf-16 -t utf-8",
            file=file,
            line=1,
        )
    if b"\0" in raw:
        before_nul = raw[: raw.index(b"\0")].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        raise FormatError(
            "a NUL byte: this is not a text file",
            "run files and qrels are text, or JSON, CSV, Parquet, Arrow",
            file=file,
            line=first_line + before_nul.count(b"\n"),
        )
    try:
        text = raw.decode().removeprefix("\ufeff") if first_line == 1 else raw.decode()
    except UnicodeDecodeError as e:
        before = raw[: e.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        rest = raw[e.start :].replace(b"\r", b"\n").split(b"\n", 1)[0]
        raise FormatError(
            f"byte 0x{raw[e.start]:02x} is not UTF-8",
            "convert the file first, for example: iconv -f latin1 -t utf-8",
            file=file,
            line=first_line + before.count(b"\n"),
            text=(before.rsplit(b"\n", 1)[-1] + rest).decode("utf-8", "backslashreplace"),
        ) from None
    return text
