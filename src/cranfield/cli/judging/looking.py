"""`cranfield judge log`, `status` and `undo`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli.judging.store import labels_option, store_of, wanted_of, which
from cranfield.cli.options import emit, output, say

_LANG = click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)


@click.command("log")
@which
@click.option("-n", "last", type=click.IntRange(min=1), help="Only the last rows.")
@_LANG
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "tsv", "csv", "md", "json", "jsonl"]),
    default="table",
    show_default=True,
    help="jsonl holds everything, and `judge import` reads it back.",
)
@labels_option
@output
def log(
    last: int | None, lang: str, form: str, labels: str | None, output: str | None, **chosen: Any
) -> None:
    """List every row of the label store, changed and undone ones too, the oldest first."""
    from cranfield.judging.interchange.rows import to_lines
    from cranfield.report.judged import log_grid
    from cranfield.report.render import render

    rows = store_of(labels).history(wanted_of(**chosen))
    shown = rows[-last:] if last else rows
    if form == "jsonl":
        emit(to_lines(shown).encode(), output)
    else:
        emit(render(log_grid(shown, rows, lang), form), output)
    if len(shown) < len(rows):
        say([f"{len(rows) - len(shown)} earlier rows are not shown"])


@click.command("status")
@which
@_LANG
@click.option(
    "--format", "form", type=click.Choice(["table", "tsv", "csv", "md", "json"]), default="table"
)
@labels_option
@output
def status(lang: str, form: str, labels: str | None, output: str | None, **chosen: Any) -> None:
    """Count what each judge has done: grades, doubts, changes, time, and pairs that others judged
    too."""
    from cranfield.judging.preferences import current
    from cranfield.judging.status import status_of
    from cranfield.report.judged import status_grid, status_notes
    from cranfield.report.render import render

    store, wanted = store_of(labels), wanted_of(**chosen)
    found = status_of(store.history(wanted))
    emit(render(status_grid(found, lang), form), output)
    say(status_notes(found, lang, preferences=len(current(store, wanted))))


@click.command("undo")
@click.argument("number", type=click.IntRange(min=1))
@click.option("--reason", default="", help="Why.")
@labels_option
def undo(number: int, reason: str, labels: str | None) -> None:
    """Take row NUMBER back (`judge log` shows it); what its judge said before counts again."""
    done = store_of(labels).undo(number, reason)
    click.echo(f"row {done.id} undoes row {number}: query {done.query}, document {done.doc}")
