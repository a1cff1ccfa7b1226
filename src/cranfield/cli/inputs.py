"""Single options on what is read and how, so that every command spells and explains them alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
Option = Callable[[F], F]

DUPLICATES = ("error", "first", "last", "max")
TIES = ("docid-desc", "docid-asc", "file")

queries = click.option("--queries", help="Queries with texts (JSON lines, TSV, TREC topics).")
split = click.option("--split", help="Which qrels of a BEIR folder [default: test].")
all_errors = click.option(
    "--all-errors", is_flag=True, help="List up to 20 problems, not only the first."
)
threads = click.option(
    "--threads", type=click.IntRange(min=1), help="[default: processors, at most 4]"
)
lang = click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)


def page_format(forms: Sequence[str]) -> Option[Any]:
    """`--format` of a command that prints a page."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        help="[default: by the ending of --output; else table]",
    )


def qrels_format(what: str = "the qrels") -> Option[Any]:
    """`what`: the judgments, as the command calls them."""
    return click.option(
        "--qrels-format", help=f"Read {what} as this format, whatever they look like."
    )


def run_format(what: str = "the runs") -> Option[Any]:
    """`what`: the runs, as the command calls them."""
    return click.option("--run-format", help=f"Read {what} as this format.")


def on_duplicate(where: str = "") -> Option[Any]:
    """`where` a document may come twice."""
    return click.option(
        "--on-duplicate",
        type=click.Choice(DUPLICATES),
        default="error",
        show_default=True,
        help=f"A document twice for a query{where}: an error, or which to keep.",
    )


def ties(*more: str, help: str = "The order of equal scores.") -> Option[Any]:
    """`more` orders than those of documents and of the file."""
    return click.option(
        "--ties",
        type=click.Choice([*TIES, *more]),
        default=TIES[0],
        show_default=True,
        help=help,
    )


def scale(help: str) -> Option[Any]:
    """The largest grade."""
    return click.option("--scale", type=float, help=help)


def form(*known: str, default: str = "table") -> Option[Any]:
    """The format of what is written, told from the name of the output where it is not said."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(known),
        help=f"[default: by the ending of --output; else {default}]",
    )
