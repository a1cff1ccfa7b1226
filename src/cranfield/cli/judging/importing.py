"""`cranfield judge import`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import (
    SOURCES,
    labels_option,
    queries_of,
    store_of,
)
from cranfield.cli.options import say


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--source",
    type=click.Choice(SOURCES),
    default="imported",
    show_default=True,
    help="Where labels come from whose rows do not say.",
)
@click.option("--assessor", default="", help="Who gave them, where rows do not say.")
@click.option("--model", default="", help="The model that gave them.")
@click.option("--prompt", default="", help="The fingerprint of its prompt.")
@click.option("--rubric", default="", help="The version of the guidelines.")
@click.option("--at", default="", metavar="TIME", help="When, as 2026-01-31T12:00:00Z [now].")
@click.option("--format", "form", help="[default: told from the content]")
@click.option("--queries", help="Queries, where FILE knows them by their texts alone.")
@click.option(
    "--on-duplicate",
    type=click.Choice(["error", "first", "last", "max"]),
    default="error",
    show_default=True,
    help="A judge who grades a pair twice in a file: an error, or which grade to keep.",
)
@inputs.lang
@labels_option
def command(
    files: tuple[str, ...],
    form: str | None,
    queries: str | None,
    on_duplicate: Any,
    lang: str,
    labels: str | None,
    **origin: Any,
) -> None:
    """Add the labels of FILEs to the store: qrels of every format, Quepid's CSV, Elasticsearch's
    rank_eval, OpenSearch's judgment lists, LTR lists, and what `judge log --format jsonl` wrote, of
    judgments or of --preferences.

    All of them are added, or none. Rows that the store has already are not added again; of what a
    judge says of a pair the newest counts, by the time of the row.
    """
    from cranfield.judging.interchange.exchange import import_labels
    from cranfield.judging.preferences import last
    from cranfield.report.exchanged import brought, read
    from cranfield.report.lab_words import Count
    from cranfield.report.language import words

    w = words(lang)
    known = queries_of(queries)
    at = origin.pop("at")
    store = store_of(labels, there=False)
    found = import_labels(
        files,
        store,
        form=form,
        queries=known,
        on_duplicate=on_duplicate,
        at=_time(at) if at else "",
        **origin,
    )
    for file, part in zip(files, found, strict=True):
        click.echo(read(file, part, w))
        say([f"{file}: {note}" for note in (*part.notes, *brought(part, w))])
    two = any(part.preferences for part in found)
    n = sum(part.brought.new for part in found if part.brought)
    total = last(store) if two else store.last()
    click.echo(w("exchange.added", n=Count(n), store=store.name, total=total))


def _time(text: str) -> str:
    from cranfield.errors import UsageError
    from cranfield.kit.clock import kept

    try:
        return kept(text)
    except ValueError:
        raise UsageError(f"--at {text!r} is no time", "such as 2026-01-31T12:00:00Z") from None
