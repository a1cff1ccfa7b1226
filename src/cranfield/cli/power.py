"""`cranfield power`."""

from __future__ import annotations

import math
from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_inputs, output, say
from cranfield.errors import UsageError


@click.command("power")
@click.argument("qrels", required=False)
@click.argument("base", required=False)
@click.argument("run", required=False)
@click.option("-m", "--measure", "measures", multiple=True, help="[default: nDCG@10]")
@click.option("--sd", type=float, help="Standard deviation of the differences by query.")
@click.option("--variance", type=float, help="Their variance, instead of --sd.")
@click.option("--difference", "differences", type=float, multiple=True, help="Repeat for several.")
@click.option("--queries", type=int, multiple=True, help="Numbers of queries. Repeat for several.")
@click.option("--alpha", type=float, default=0.05, show_default=True)
@click.option("--power", type=float, default=0.8, show_default=True)
@click.option(
    "--design",
    type=click.Choice(["t", "anova", "ci"]),
    help="A topic set size after Sakai (2016); for anova --sd is that of a score within a system.",
)
@click.option("--systems", type=int, default=2, show_default=True, help="For --design anova.")
@click.option("--width", type=float, help="Of the whole interval, for --design ci.")
@inputs.split
@inputs.lang
@click.option("--format", "form", type=click.Choice(["table", "md", "json"]), default="table")
@output
def command(
    qrels: str | None,
    base: str | None,
    run: str | None,
    measures: tuple[str, ...],
    sd: float | None,
    variance: float | None,
    split: str | None,
    lang: str,
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """Say how many queries show which difference.

    The spread of the differences comes from a pilot, two runs on some judged queries (QRELS BASE
    RUN), or from --sd or --variance. --difference asks for queries, --queries for the smallest
    difference that they show.
    """
    from cranfield.comparison.planning import plan, spread_of
    from cranfield.report.planned import as_json, page

    given = [value for value in (sd, variance, qrels) if value is not None]
    if len(given) != 1:
        raise UsageError(
            "the spread must come from one place", "QRELS BASE RUN of a pilot, --sd or --variance"
        )
    keep_inputs(output, qrels, base, run)
    notes: list[str] = []
    if qrels is None:
        if measures:
            raise UsageError("-m needs the runs of a pilot", "cranfield power QRELS BASE RUN -m …")
        plans = [plan(_sd(sd, variance), **options)]
    else:
        if base is None or run is None:
            raise UsageError("a pilot is two runs", "cranfield power QRELS BASE RUN")
        from cranfield.evaluation.evaluate import evaluate
        from cranfield.report.grid import remarks

        scores = evaluate(qrels, [base, run], measures or "nDCG@10", split=split)
        notes = remarks(scores)  # a pilot that left queries out says little
        spreads = [spread_of(scores, i) for i in range(len(scores.measures))]
        plans = [plan(spread, **options) for spread in spreads]
    text = as_json(plans) if form == "json" else None
    if text is None:
        text = page(plans, lang).to_markdown() if form == "md" else page(plans, lang).to_text()
    emit(text.encode(), output)
    say(notes)


def _sd(sd: float | None, variance: float | None) -> float:
    if variance is None:
        return sd or 0.0
    if not variance > 0:
        raise UsageError(f"the variance is {variance}", "a number above 0")
    return math.sqrt(variance)
