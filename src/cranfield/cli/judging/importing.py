"""`cranfield judge import`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli.judging.store import SOURCES, labels_option, queries_of, store_of
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
@labels_option
def command(
    files: tuple[str, ...],
    form: str | None,
    queries: str | None,
    on_duplicate: Any,
    labels: str | None,
    **origin: Any,
) -> None:
    """Add the labels of FILEs to the store: qrels of every format, Quepid's CSV, Elasticsearch's
    rank_eval, OpenSearch's judgment lists, LTR lists, and what `judge log --format jsonl` wrote.

    All of them are added, or none.
    """
    from cranfield.judging.interchange.origin import Origin
    from cranfield.judging.interchange.read import read_judgments

    known = queries_of(queries)
    at = origin.pop("at")
    how = Origin(at=_time(at) if at else "", **origin)
    found = [
        read_judgments(file, form, origin=how, queries=known, on_duplicate=on_duplicate)
        for file in files
    ]
    store = store_of(labels, there=False)
    shift, together = 0, []
    for part in found:
        together += _shifted(part.judgments, shift)
        shift += len(part.judgments)
    kept = store.record(together)
    for file, part in zip(files, found, strict=True):
        queries_n = len({j.query for j in part.judgments})
        many = "query" if queries_n == 1 else "queries"
        click.echo(f"{file}: {len(part.judgments)} judgments of {queries_n} {many} ({part.form})")
        say([f"{file}: {note}" for note in part.notes])
    click.echo(f"{len(kept)} rows added to {store.name}, which has {store.last()} now")


def _shifted(judgments: Any, shift: int) -> Any:
    """Rows of a later file that undo a row of theirs count from the first file on."""
    from dataclasses import replace

    return [replace(j, undoes=j.undoes - shift) if j.undoes else j for j in judgments]


def _time(text: str) -> str:
    from datetime import UTC, datetime

    from cranfield.errors import UsageError
    from cranfield.kit.clock import written

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--at {text!r} is no time", "such as 2026-01-31T12:00:00Z") from None
    return written(found if found.tzinfo else found.replace(tzinfo=UTC))
