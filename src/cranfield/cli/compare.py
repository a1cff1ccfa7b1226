"""`cranfield compare`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cranfield.cli.options import (
    deciding,
    emit,
    keep_inputs,
    ordering,
    output,
    read_queries,
    reading,
)

FORMATS = ["table", "md", "json", "tsv", "csv"]


@click.command("compare")
@click.argument("qrels")
@click.argument("base")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("-m", "--measure", "measures", multiple=True, help="Repeat for several.")
@click.option("--by", multiple=True, metavar="FIELD", help="Each label of a query field, too.")
@deciding
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Losses, and gains, shown for each run.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    help="Results of both lists beside a change [default: 3 in a table, else 10].",
)
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="[default: by the ending of --output; else table]",
)
@output
@reading
@ordering
def command(
    qrels: str,
    base: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    top: int,
    depth: int | None,
    lang: str,
    form: str | None,
    output: str | None,
    queries: str | None,
    score_width: str,
    **options: Any,
) -> None:
    """Say whether each RUN is better than BASE on the queries of QRELS, and why.

    Prints a verdict in words (better, worse, equivalent within --min-effect, cannot tell, or none
    at all) with the difference, its interval, p, effect size, wins and losses, what this many
    queries can show, what may speak instead of the systems, and the queries that changed most.
    A card beside a run (RUN.card.json) says how it was made. The exit code does not depend on the
    verdict.
    """
    from cranfield.comparison.compare import compare
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES

    keep_inputs(output, qrels, base, queries, *runs)
    form = form or _form_of(output)
    depth = depth if depth is not None else 3 if form == "table" else 10
    found = compare(
        qrels,
        base,
        list(runs),
        measures or DEFAULT_MEASURES,
        queries=read_queries(queries),
        top=top,
        k=0 if form in ("tsv", "csv") else depth,
        score_width=int(score_width),
        **options,
    )
    emit(_render(found, form, lang, depth), output)


def _render(found: Any, form: str, lang: str, depth: int) -> bytes:
    if form in ("table", "md"):
        from cranfield.report.compared import page

        whole = page(found, lang, depth=depth)
        # on a terminal the verdict is the first line
        return (
            whole.to_markdown() if form == "md" else replace(whole, title="").to_text()
        ).encode()
    from cranfield.report.compared_data import as_grid, as_json
    from cranfield.report.render import render

    return as_json(found, lang).encode() if form == "json" else render(as_grid(found), form)


def _form_of(output: str | None) -> str:
    ending = Path(output).suffix.lstrip(".").lower() if output else ""
    return ending if ending in FORMATS else "table"
