"""`cranfield judge log`, `status` and `undo`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import labels_option, store_of, wanted_of, which
from cranfield.cli.options import emit, output, say

_PREFERENCES = click.option(
    "--preferences",
    "two",
    is_flag=True,
    help="Of the answers to which of two documents is better, which have a table of their own.",
)


@click.command("log")
@which
@_PREFERENCES
@click.option("-n", "last", type=click.IntRange(min=1), help="Only the last rows.")
@inputs.lang
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "tsv", "csv", "md", "json", "jsonl"]),
    default="table",
    show_default=True,
    help="jsonl holds all that a row says, and `judge import` reads it back.",
)
@labels_option
@output
def log(
    two: bool,
    last: int | None,
    lang: str,
    form: str,
    labels: str | None,
    output: str | None,
    **chosen: Any,
) -> None:
    """List every row of the label store, changed and undone ones too, the oldest first."""
    from cranfield.judging.interchange.rows import to_lines
    from cranfield.judging.moving import beside
    from cranfield.judging.preferences import history
    from cranfield.judging.preferences import last as preferences_last
    from cranfield.report.exchanged import not_logged
    from cranfield.report.judged import log_grid, preference_log_grid
    from cranfield.report.lab_words import Count
    from cranfield.report.language import words
    from cranfield.report.render import render

    store, wanted = store_of(labels), wanted_of(**chosen)
    rows: Any = history(store, wanted) if two else store.history(wanted)
    shown = rows[-last:] if last else rows
    if form == "jsonl":
        emit(to_lines(shown).encode(), output)
    else:
        grid = (preference_log_grid if two else log_grid)(shown, rows, lang)
        emit(render(grid, form), output)
    if form == "jsonl":
        left = beside(store)
        other = store.last() if two else preferences_last(store)
        left |= {"judgments" if two else "preferences": other} if other else {}
        say(not_logged(left, words(lang)))
    if len(shown) < len(rows):
        say([words(lang)("judge.log.earlier", n=Count(len(rows) - len(shown)))])


@click.command("status")
@which
@_PREFERENCES
@inputs.lang
@click.option(
    "--format", "form", type=click.Choice(["table", "tsv", "csv", "md", "json"]), default="table"
)
@labels_option
@output
def status(
    two: bool, lang: str, form: str, labels: str | None, output: str | None, **chosen: Any
) -> None:
    """Count what each judge has done: grades, doubts, changes, time, and pairs that others judged
    too."""
    from cranfield.judging.preferences import current_preferences, history
    from cranfield.judging.status import preferences_status, status_of
    from cranfield.report import judged
    from cranfield.report.render import render

    store, wanted = store_of(labels), wanted_of(**chosen)
    if two:
        both = preferences_status(history(store, wanted))
        emit(render(judged.preference_status_grid(both, lang), form), output)
        say(judged.preference_status_notes(both, lang))
        return
    found = status_of(store.history(wanted))
    emit(render(judged.status_grid(found, lang), form), output)
    say(judged.status_notes(found, lang, preferences=len(current_preferences(store, wanted))))


@click.command("undo")
@click.argument("number", type=click.IntRange(min=1))
@_PREFERENCES
@click.option("--reason", default="", help="Why.")
@inputs.lang
@labels_option
def undo(number: int, two: bool, reason: str, lang: str, labels: str | None) -> None:
    """Take row NUMBER back (`judge log` shows it); what its judge said before counts again."""
    from cranfield.judging import preferences
    from cranfield.report.language import words

    store, w = store_of(labels), words(lang)
    if two:
        done = preferences.undo(store, number, reason)
        docs = f"{done.doc_a}, {done.doc_b}"
        key, about = "judge.undone.two", {"row": done.id, "query": done.query, "docs": docs}
    else:
        one = store.undo(number, reason)
        key, about = "judge.undone", {"row": one.id, "query": one.query, "doc": one.doc}
    click.echo(w(key, number=number, **about))
