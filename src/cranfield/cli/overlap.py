"""`cranfield overlap`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_inputs, output
from cranfield.cli.reporting import form_for

FORMS = ["table", "md", "html", "json", "csv", "tsv"]


@click.command("overlap")
@click.argument("mine")
@click.argument("others", nargs=-1, required=True, metavar="OTHER...")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=5000,
    show_default=True,
    help="The most documents of a collection that are looked at.",
)
@click.option(
    "--queries",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    help="The most queries.",
)
@click.option("--analyzer", default="mixed", show_default=True, help="As for `retrieve`'s bm25.")
@click.option(
    "--resamples",
    type=click.IntRange(min=100),
    default=1000,
    show_default=True,
    help="Samples of the queries of MINE, for the intervals.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@inputs.lang
@inputs.form(*FORMS)
@output
def command(
    mine: str,
    others: tuple[str, ...],
    lang: str,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Rank the OTHER collections by how near their queries and documents are to those of MINE.

    Collections are BEIR folders or irds:<id>; judgments are not needed. What is said on public
    collections holds for a task that is like theirs: this says which of them are.
    """
    from cranfield.report import overlapped
    from cranfield.report.render import render
    from cranfield.subjects.overlap import overlap

    keep_inputs(output, mine, *others)
    found = overlap(mine, others, **options)
    form = form or form_for(output, FORMS, "table")
    if form == "json":
        data = overlapped.to_json(found, lang).encode()
    elif form in ("csv", "tsv"):
        data = render(overlapped.table(found), form)
    else:
        data = overlapped.page(found, lang).to("text" if form == "table" else form).encode()
    emit(data, output)
