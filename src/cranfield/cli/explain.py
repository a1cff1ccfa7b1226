"""`cranfield explain`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_inputs, ordering, output


@click.command("explain")
@click.argument("qrels")
@click.argument("run")
@click.argument("query")
@click.option("-m", "--measure", default="nDCG@10", show_default=True)
@click.option("--depth", type=click.IntRange(min=1), default=10, show_default=True)
@inputs.lang
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@output
@inputs.split
@inputs.qrels_format()
@inputs.run_format("the run")
@ordering
def command(
    qrels: str,
    run: str,
    query: str,
    lang: str,
    form: str,
    output: str | None,
    score_width: str,
    **choices: Any,
) -> None:
    """Work out the score of one QUERY by hand: rank by rank, and where it was lost."""
    from cranfield.evaluation.explain import explain
    from cranfield.report.explained import as_json, as_text

    keep_inputs(output, qrels, run)
    found = explain(qrels, run, query, score_width=int(score_width), **choices)
    emit((as_json(found) if form == "json" else as_text(found, lang)).encode(), output)
