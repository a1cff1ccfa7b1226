"""`cranfield explain`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli.options import emit, keep_inputs, ordering, output


@click.command("explain")
@click.argument("qrels")
@click.argument("run")
@click.argument("query")
@click.option("-m", "--measure", default="nDCG@10", show_default=True)
@click.option("--depth", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@output
@click.option("--split", help="Which qrels of a BEIR folder [default: test].")
@click.option("--qrels-format", help="Read the qrels as this format, whatever they look like.")
@click.option("--run-format", help="Read the run as this format.")
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
