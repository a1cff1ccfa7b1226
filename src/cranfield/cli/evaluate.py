"""`cranfield evaluate`."""

from __future__ import annotations

import sys
from typing import Any

import click

from cranfield.cli.lab import configuration, given_only, here, no_lab, recording, told_apart, typed
from cranfield.cli.options import (
    emit,
    keep_inputs,
    ordering,
    output,
    read_queries,
    reading,
    said_by_cards,
    say,
)
from cranfield.cli.reporting import form_for

FORMATS = ["table", "tsv", "csv", "json", "jsonl", "md", "latex", "parquet"]


@click.command("evaluate")
@click.argument("arguments", nargs=-1, required=True, metavar="[QRELS] RUN...")
@click.option("--qrels", help="The judgments; all arguments are then runs.")
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
@recording
@reading
@ordering
@click.pass_context
def command(
    context: click.Context,
    /,
    arguments: tuple[str, ...],
    qrels: str | None,
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
    In a lab (`cranfield init`) QRELS may be left out, and the scores are recorded.
    """
    from cranfield.report import grid
    from cranfield.report.render import render

    lab = here()
    judgments, runs = told_apart(arguments, qrels, None if lab is None else lab.config)
    keep_inputs(output, judgments, queries, *runs)
    form = form or form_for(output, FORMATS, _default(output))
    choices = given_only(context, {**choices, "score_width": int(score_width)})
    if lab is None:
        scores = _plainly(judgments, runs, measures, queries, choices)
        notes: list[str] = []
    else:
        scores, notes = _recorded(lab, judgments, runs, measures, queries, choices)
    table = (grid.per_query if per_query else grid.means)(scores, by)
    remarks = [*grid.remarks(scores), *grid.without_label(scores, by), *said_by_cards(runs, scores)]
    about = {"settings": dict(scores.settings), "notes": remarks}
    emit(render(table, form, about), output)
    if form in ("table", "md") and output is None:
        remarks = [*remarks, grid.choices(scores)]
    say([*remarks, *notes])


def _plainly(
    judgments: str | None,
    runs: list[str],
    measures: tuple[str, ...],
    queries: str | None,
    choices: dict[str, Any],
) -> Any:
    """The scores, outside every lab."""
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES, evaluate

    no_lab(choices)
    known = read_queries(queries)
    return evaluate(judgments, runs, measures or DEFAULT_MEASURES, queries=known, **choices)


def _recorded(
    lab: Any,
    judgments: str | None,
    runs: list[str],
    measures: tuple[str, ...],
    queries: str | None,
    choices: dict[str, Any],
) -> tuple[Any, list[str]]:
    """The scores, recorded in the lab, and what is said of that."""
    from cranfield.report.history import said

    config = configuration(choices.pop("pairs", ()), choices.pop("config_file", None))
    done = lab.conduct(
        runs,
        measures,
        qrels=judgments,
        queries=queries,
        config=config,
        command=typed(),
        record=not choices.pop("no_record", False),
        **choices,
    )
    return done.scores, said(done.remarks)


def _default(output: str | None) -> str:
    """A table on a terminal, TSV in a pipe and in a file whose name says nothing."""
    return "table" if output is None and sys.stdout is not None and sys.stdout.isatty() else "tsv"
