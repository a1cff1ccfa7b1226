"""Options that several commands share, so that they are spelled and checked alike."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from cranfield.errors import NoSuchInput, UsageError

F = TypeVar("F", bound=Callable[..., Any])


def ordering(command: F) -> F:
    """How a run is ordered and its documents counted."""
    for option in reversed(
        [
            click.option(
                "--ties",
                type=click.Choice(["docid-desc", "docid-asc", "file", "expected"]),
                default="docid-desc",
                show_default=True,
                help="The order of equal scores; expected: the mean over all orders.",
            ),
            click.option(
                "--score-width",
                type=click.Choice(["64", "32"]),
                default="64",
                show_default=True,
                help="Bits of a score; 32 is the arithmetic of trec_eval 9 and pytrec_eval.",
            ),
            click.option(
                "--scale",
                type=float,
                help="The largest grade of the guidelines [default: the largest in the qrels].",
            ),
            click.option(
                "--on-duplicate",
                type=click.Choice(["error", "first", "last", "max"]),
                default="error",
                show_default=True,
                help="A document twice for a query: an error, or which to keep.",
            ),
        ]
    ):
        command = option(command)
    return command


def output(command: F) -> F:
    """Where the result goes."""
    return click.option(
        "-o", "--output", type=str, help="Write to this file instead of standard output."
    )(command)


def queries_at(path: str | None) -> Any:
    """The queries of a file (their fields make slices), None without one."""
    if path is None:
        return None
    from cranfield.formats.inputs import Input
    from cranfield.formats.topics import read_queries

    return read_queries(Input(path))


def emit(data: bytes, path: str | None) -> None:
    """Write to a file, whole or not at all, or to standard output."""
    if path is not None:
        from cranfield.kit.files import write_whole

        with write_whole(Path(path)) as stream:
            stream.write(data)
        return
    if sys.stdout is None:
        raise NoSuchInput("standard output is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as e:
        sys.stdout = None  # nothing more can be written there, at exit either
        raise NoSuchInput(f"standard output cannot be written: {e.strerror}") from None


def keep_inputs(output: str | None, *inputs: str | None) -> None:
    """Refuse to write over what is read."""
    for name in inputs:
        both = output and name and os.path.isfile(output) and os.path.exists(name)
        if both and os.path.samefile(str(output), str(name)):
            raise UsageError(f"{output} is an input and would be overwritten", "name another")


def say(lines: list[str]) -> None:
    """Remarks, on the standard error stream so that a pipe stays clean."""
    for line in lines:
        click.echo(f"note: {line}", err=True)
