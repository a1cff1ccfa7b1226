"""`cranfield evaluate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from cranfield.cli.options import emit, keep_inputs, ordering, output, say

FORMATS = ["table", "tsv", "csv", "json", "jsonl", "md", "latex", "parquet"]


@click.command("evaluate")
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("-m", "--measure", "measures", multiple=True, help="Repeat for several.")
@click.option("--by", multiple=True, metavar="FIELD", help="A row for each label of a query field.")
@click.option("-q", "--per-query", is_flag=True, help="A row for each query.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="[default: by the ending of --output; table on a terminal; else tsv]",
)
@output
@click.option("--queries", help="Queries with fields (JSON lines, TSV, TREC topics), for --by.")
@click.option("--split", help="Which qrels of a BEIR folder [default: test].")
@ordering
@click.option(
    "--missing",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="A judged query that the run did not answer.",
)
@click.option(
    "--no-relevant",
    type=click.Choice(["zero", "skip", "nan"]),
    default="zero",
    show_default=True,
    help="A query without a relevant document.",
)
@click.option("--all-errors", is_flag=True, help="List up to 20 problems, not only the first.")
@click.option("--qrels-format", help="Read the qrels as this format, whatever they look like.")
@click.option("--run-format", help="Read the runs as this format.")
@click.option("--threads", type=click.IntRange(min=1), help="[default: processors, at most 4]")
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    by: tuple[str, ...],
    per_query: bool,
    form: str | None,
    output: str | None,
    queries: str | None,
    score_width: str,
    **choices: Any,
) -> None:
    """Score one or more RUNs against QRELS.

    QRELS is a file (TREC, BEIR TSV, JSON, JSON lines, CSV, Parquet), a BEIR folder, or irds:<id>;
    preferences and judgments of several people are read as well (--qrels-format prefs, qrels_jg).
    A RUN is a file (TREC, JSON, JSON lines, CSV, Parquet), compressed or not; - is standard input.
    """
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES, evaluate
    from cranfield.report import grid
    from cranfield.report.render import render

    keep_inputs(output, qrels, queries, *runs)
    known = None
    if queries is not None:
        from cranfield.formats.inputs import Input
        from cranfield.formats.topics import read_queries

        known = read_queries(Input(queries))
    scores = evaluate(
        qrels,
        list(runs),
        measures or DEFAULT_MEASURES,
        queries=known,
        score_width=int(score_width),
        **choices,
    )
    table = (grid.per_query if per_query else grid.means)(scores, by)
    form = form or _form_of(output)
    remarks = [*grid.remarks(scores), *grid.without_label(scores, by)]
    about = {"settings": dict(scores.settings), "notes": remarks}
    emit(render(table, form, about), output)
    if form in ("table", "md") and output is None:
        remarks = [*remarks, grid.choices(scores)]
    say(remarks)


def _form_of(output: str | None) -> str:
    """The format that a file's ending names; else a table on a terminal and TSV in a pipe."""
    ending = Path(output).suffix.lstrip(".").lower() if output else ""
    ending = {"tex": "latex", "ndjson": "jsonl"}.get(ending, ending)
    if ending in FORMATS:
        return ending
    return "table" if output is None and sys.stdout is not None and sys.stdout.isatty() else "tsv"
