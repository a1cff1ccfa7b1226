"""Options that several commands share, so that they are spelled and checked alike."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.cli import inputs
from cranfield.errors import NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.data.scores import Scores

# the choices of `cranfield.comparison.outcome`, which is not loaded for a help text
TESTS = ("randomisation", "t", "wilcoxon", "sign", "bootstrap")
CORRECTIONS = ("holm", "bonferroni", "bh", "by", "max-t", "none")
INTERVALS = ("t", "percentile", "bca", "studentised")
F = TypeVar("F", bound=Callable[..., Any])


def ordering(command: F) -> F:
    """How a run is ordered and its documents counted."""
    return _with(
        command,
        inputs.ties(
            "expected", help="The order of equal scores; expected: the mean over all orders."
        ),
        click.option(
            "--score-width",
            type=click.Choice(["64", "32"]),
            default="64",
            show_default=True,
            help="Bits of a score; 32 is the arithmetic of trec_eval 9 and pytrec_eval.",
        ),
        inputs.scale("The largest grade of the guidelines [default: the largest in the qrels]."),
        inputs.on_duplicate(),
    )


def reading(command: F) -> F:
    """How queries, judgments and runs are read, and which queries count."""
    return _with(
        command,
        click.option("--queries", help="Queries with texts and fields (JSON lines, TSV, topics)."),
        click.option(
            "--split",
            help="In a lab that has a split: dev or test. Else which qrels of a BEIR folder "
            "[default: test].",
        ),
        click.option(
            "--missing",
            type=click.Choice(["zero", "skip"]),
            default="zero",
            show_default=True,
            help="A judged query that the run did not answer.",
        ),
        click.option(
            "--no-relevant",
            type=click.Choice(["zero", "skip", "nan"]),
            default="zero",
            show_default=True,
            help="A query without a relevant document.",
        ),
        inputs.all_errors,
        inputs.qrels_format(),
        inputs.run_format(),
        inputs.threads,
    )


def deciding(command: F) -> F:
    """What decides a verdict (the fields of `Choices`)."""
    return _with(
        command,
        _number("--min-effect", 0.0, "The smallest difference of means that matters."),
        _number("--alpha", 0.05, "The level of the tests; intervals have 1 - alpha."),
        _number("--power", 0.8, "The chance of finding a difference, for what n can show."),
        _choice("--correction", CORRECTIONS, "For all hypotheses taken together."),
        _choice("--test", TESTS, "What p comes from."),
        _choice("--interval", INTERVALS, "What the interval comes from."),
        click.option(
            "--resamples",
            type=int,
            default=100_000,
            show_default=True,
            help="Of whatever is drawn at random.",
        ),
        click.option("--seed", type=int, default=0, show_default=True),
        _number("--tie", 0.0, "Changes of a query up to this size count as ties."),
        _number("--max-missing", 0.05, "Share of unanswered queries that still allows a verdict."),
    )


def _with(command: F, *options: Callable[[F], F]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def _number(name: str, default: float, help: str) -> Callable[[F], F]:
    return click.option(name, type=float, default=default, show_default=True, help=help)


def _choice(name: str, allowed: tuple[str, ...], help: str) -> Callable[[F], F]:
    kind = click.Choice(allowed)
    return click.option(name, type=kind, default=allowed[0], show_default=True, help=help)


def read_queries(path: str | None) -> Any:
    """The queries of a file, None without one."""
    if path is None:
        return None
    from cranfield.formats.inputs import Input
    from cranfield.formats.topics import read_queries as read

    return read(Input(path))


def output(command: F) -> F:
    """Where the result goes."""
    return click.option(
        "-o", "--output", type=str, help="Write to this file instead of standard output."
    )(command)


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
    """Refuse to write over what is read: a file given, or one of a collection's folder."""
    if not output or not os.path.isfile(output):
        return
    for name in inputs:
        if name and any(os.path.samefile(output, path) for path in _read_from(name)):
            raise UsageError(f"{output} is an input and would be overwritten", "name another")


def _read_from(name: str) -> Sequence[str | Path]:
    if os.path.isdir(name):
        from cranfield.formats.beir import files_of

        return files_of(Path(name))
    return [name] if os.path.exists(name) else []


def keep_apart(*outputs: str | None) -> None:
    """Refuse to write two things to one file."""
    named = [os.path.realpath(name) for name in outputs if name]
    for name in named:
        if named.count(name) > 1:
            raise UsageError(f"two things would be written to {name}", "name two files")


def say(lines: list[str]) -> None:
    """Remarks, on the standard error stream so that a pipe stays clean."""
    for line in lines:
        click.echo(f"note: {line}", err=True)


def said_by_cards(runs: Sequence[str], scores: Scores) -> list[str]:
    """What the cards beside these runs, scored in this order, say of queries whose systems
    failed, and that a run is one of passages where the judgments are not."""
    from cranfield.formats.card import card_path, read_card

    lines = []
    for run, report in zip(runs, scores.reports, strict=True):
        path = card_path(run)
        if path is None:
            continue
        card = read_card(path)
        if card.failed:
            shown = ", ".join(card.failed[:5]) + (", …" if len(card.failed) > 5 else "")
            many = "query" if len(card.failed) == 1 else "queries"
            lines.append(f"{report.name}: {len(card.failed)} {many} ({shown}) failed with an error")
        if of_passages(card.config) and not report.judged:
            lines.append(
                f"{report.name}: a run of passages, and no judgment is of one; cranfield rollup "
                "makes documents of it"
            )
    return lines


def of_passages(config: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """How the passages of a run were cut, by its card; None for a run of documents."""
    cut = config.get("passages")
    known = isinstance(cut, dict) and cut.get("rollup") == "none" and "rollup" not in config
    return cut if known else None
