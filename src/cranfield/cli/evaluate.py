"""`cranfield evaluate`."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from cranfield.cli.lab import configuration, given_only, here, no_lab, recording, told_apart, typed
from cranfield.cli.options import (
    emit,
    keep_inputs,
    of_passages,
    ordering,
    output,
    read_queries,
    reading,
    said_by_cards,
    say,
)
from cranfield.cli.reporting import form_for
from cranfield.errors import UsageError

POLICY = "on_duplicate"
FEW = 5  # runs that each have a line of their own; of more there is one line for all
FORMATS = ["table", "tsv", "csv", "json", "jsonl", "md", "latex", "parquet"]


@click.command("evaluate")
@click.argument("arguments", nargs=-1, required=True, metavar="[QRELS] RUN...")
@click.option("--qrels", help="The judgments; all arguments are then runs.")
@click.option("-m", "--measure", "measures", multiple=True, help="Repeat for several.")
@click.option("--by", multiple=True, metavar="FIELD", help="A row for each label of a query field.")
@click.option("-q", "--per-query", is_flag=True, help="A row for each query.")
@click.option(
    "--budget",
    "budgets",
    type=click.IntRange(min=0),
    multiple=True,
    metavar="TOKENS",
    help="Recall of what fits into so many tokens, too; QRELS is a collection with documents.",
)
@click.option(
    "--bounds",
    type=click.Choice(["auto", "closed", "open", "none"]),
    default="auto",
    show_default=True,
    help="How far unjudged documents may move each score: those that the measure reads, the first "
    "k (closed), or any others too (open); auto: closed, where there are such documents.",
)
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
    budgets: tuple[int, ...],
    bounds: str,
    form: str | None,
    output: str | None,
    queries: str | None,
    score_width: str,
    **choices: Any,
) -> None:
    """Score one or more RUNs against QRELS.

    QRELS is a file (TREC, BEIR TSV, JSON, JSON lines, CSV, Parquet), a BEIR folder, or irds:<id>;
    preferences, judgments of several people and pools sampled by strata are read as well
    (--qrels-format prefs, qrels_jg, sampled).
    A RUN is a file (TREC, JSON, JSON lines, CSV, Parquet), compressed or not; - is standard input.
    In a lab (`cranfield init`) QRELS may be left out, and the scores are recorded.
    """
    from cranfield.report import grid, ranged
    from cranfield.report.render import render

    lab = here()
    judgments, runs = told_apart(arguments, qrels, None if lab is None else lab.config)
    keep_inputs(output, judgments, queries, *runs)
    form = form or form_for(output, FORMATS, _default(output))
    ends = None if bounds == "none" else bounds
    choices = given_only(context, {**choices, "score_width": int(score_width), "bounds": ends})
    if lab is None:
        scores = _plainly(judgments, runs, measures, queries, choices)
        notes: list[str] = []
    else:
        scores, notes = _recorded(lab, judgments, runs, measures, queries, choices)
    if budgets:
        scores = _with_budgets(scores, judgments, runs, budgets, lab, choices)
    table = (grid.per_query if per_query else grid.means)(scores, by)
    if form in ranged.PEOPLE:
        table = ranged.stacked(scores, table)
    more = [*ranged.of_holes(scores, form), *grid.without_label(scores, by)]
    more += said_by_cards(runs, scores)
    about = {"settings": dict(scores.settings), "notes": [*grid.remarks(scores), *more]}
    emit(render(table, form, about), output)
    if form in ("table", "md") and output is None:
        more = [*more, grid.choices(scores)]
    doubts = grid.suspicions(scores, _typed(judgments, lab), runs, FEW)
    say([*grid.remarks(scores, FEW), *more, *notes, *doubts])


def _typed(judgments: str | None, lab: Any) -> str:
    """The judgments as they could be typed here."""
    if judgments is not None or lab is None:
        return judgments or "QRELS"
    return os.path.relpath(str(lab.config.collection))


def _with_budgets(
    scores: Any,
    judgments: str | None,
    runs: list[str],
    budgets: tuple[int, ...],
    lab: Any,
    choices: dict[str, Any],
) -> Any:
    """The scores with a column for each token budget."""
    from cranfield.formats.card import card_path, read_card
    from cranfield.formats.readers import IRDS, read_collection, read_run
    from cranfield.retrieval.budget import with_budgets

    name = str(judgments or (None if lab is None else lab.config.collection))
    if not name.startswith(IRDS) and os.path.isfile(name):
        raise UsageError(f"--budget needs documents, and {name} has none", "name a collection")
    if "-" in runs:
        raise UsageError("--budget reads a run twice", "name a file, not standard input")
    split = choices.get("split") if lab is None else lab.config.qrels_split
    kept = {} if lab is None else {k: v for k, v in lab.config.settings.items() if k == POLICY}
    policy = {k: v for k, v in {**kept, **choices}.items() if k == POLICY}
    cards = [read_card(path).config if (path := card_path(run)) else {} for run in runs]
    return with_budgets(
        scores,
        read_collection(name, split=split, **policy),
        [read_run(run, format=choices.get("run_format"), **policy) for run in runs],
        tuple(dict.fromkeys(budgets)),
        [of_passages(card) for card in cards],
    )


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
