"""`cranfield compare`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.lab import (
    base_and_runs,
    configuration,
    given_only,
    here,
    no_lab,
    recording,
    typed,
)
from cranfield.cli.options import (
    deciding,
    emit,
    keep_inputs,
    ordering,
    output,
    read_queries,
    reading,
    say,
)
from cranfield.cli.reporting import checked, form_for, write_comparison
from cranfield.errors import UsageError

FORMATS = ["table", "md", "json", "tsv", "csv"]
CHOICES = ("min_effect alpha power correction test interval resamples seed tie max_missing").split()


@click.command("compare")
@click.argument("arguments", nargs=-1, required=True, metavar="[QRELS] BASE RUN...")
@click.option("--qrels", help="The judgments; all arguments are then runs.")
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
@click.option(
    "--report", metavar="FILE", help="Write the report too; .html, .md, .json or .txt says how."
)
@inputs.lang
@inputs.form(*FORMATS)
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
    by: tuple[str, ...],
    measures: tuple[str, ...],
    top: int,
    depth: int | None,
    report: str | None,
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

    In a lab (`cranfield init`) QRELS may be left out, a run may be something recorded (@2, @last),
    and files are recorded.
    """
    lab = here()
    judgments, runs = base_and_runs(arguments, qrels, lab)
    for written in (output, report):
        keep_inputs(written, judgments, queries, *runs)
    if report is not None:
        checked(report)  # before anything is computed
    form = form or form_for(output, FORMATS, "table", "--report")
    depth = depth if depth is not None else 3 if form == "table" else 10
    more: dict[str, Any] = {"by": by, "top": top, "k": depth}
    if report is not None:
        more["k"] = max(depth, 10)
    elif form in ("tsv", "csv"):
        more["k"] = 0
    options = {**options, "score_width": int(score_width)}
    choices = {name: options.pop(name) for name in CHOICES}
    options = given_only(context, options)
    if lab is None:
        found, notes = _plainly(judgments, runs, measures, queries, {**more, **choices}, options)
    else:
        options |= {k: v for k, v in (("qrels", judgments), ("queries", queries)) if v is not None}
        found, notes = _in_lab(lab, runs, measures, more, choices, options, form)
    emit(_render(found, form, lang, depth), output)
    if report is not None:
        from cranfield.report.provenance import provenance

        named = judgments or (None if lab is None else lab.config.collection)
        about = provenance(named, runs[0], runs[1:], queries)
        write_comparison(found, about, report, lang)
    say(notes)


def _plainly(
    judgments: str | None,
    runs: list[str],
    measures: tuple[str, ...],
    queries: str | None,
    more: dict[str, Any],
    options: dict[str, Any],
) -> tuple[Any, list[str]]:
    """The comparison, outside every lab."""
    from cranfield.comparison.compare import compare
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES

    no_lab(options)
    base, *others = runs
    known = read_queries(queries)
    asked = measures or DEFAULT_MEASURES
    return compare(judgments, base, others, asked, queries=known, **more, **options), []


def _in_lab(
    lab: Any,
    runs: list[str],
    measures: tuple[str, ...],
    more: dict[str, Any],
    choices: dict[str, Any],
    options: dict[str, Any],
    form: str,
) -> tuple[Any, list[str]]:
    """The comparison, recorded, and what is said of that."""
    from cranfield.experiment.comparing import compare_in_lab
    from cranfield.report.history import said

    options["record"] = not options.pop("no_record", False)
    if configuration(options.pop("pairs", ()), options.pop("config_file", None)):
        raise UsageError("--config is of one run", "evaluate it first, or write RUN.card.json")
    done = compare_in_lab(lab, runs, measures, command=typed(), choices=choices, **more, **options)
    # what stands among the cautions of a table need not be said once more
    shown = () if form in ("tsv", "csv") else done.found.cautions
    return done.found, said([r for r in done.remarks if r not in shown])


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
