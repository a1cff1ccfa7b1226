"""`cranfield log`."""

from __future__ import annotations

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, output, say


@click.command("log")
@click.option("-m", "--measure", help="[default: the first of cranfield.toml]")
@click.option("-n", "last", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--run", help="Only the runs of this name.")
@inputs.lang
@click.option(
    "--format", "form", type=click.Choice(["table", "tsv", "json", "md"]), default="table"
)
@click.option("--plot", metavar="FILE", help="Draw the trend into this SVG file, too.")
@output
def command(
    measure: str | None,
    last: int,
    run: str | None,
    lang: str,
    form: str,
    plot: str | None,
    output: str | None,
) -> None:
    """List what was recorded in this lab, the oldest first, with the trend of a measure.

    Each line says how the measure changed against the last comparable evaluation (same qrels,
    queries and settings) and what changed in the configuration since.
    """
    from cranfield.cli.lab import needed
    from cranfield.report.history import SPARKS, log_grid, log_notes, said, trend
    from cranfield.report.render import render

    lab = needed()
    found = lab.history(measure, run=run, last=last)
    looks = lab.look_remarks()
    notes = [*log_notes(found, lang), *said(looks, lang)]
    grid = log_grid(found, lang)
    if form == "json":
        emit(render(grid, form, {"measure": found.full, "notes": notes}), output)
    else:
        head = b""
        chart = trend(found, lang, SPARKS)
        if form == "table" and chart.steps:
            lines = zip(chart.sparks(), chart.lines, strict=True)
            head = "".join(f"{spark}  {line.label}\n" for spark, line in lines).encode() + b"\n"
        emit(head + render(grid, form), output)
    if plot is not None:
        from cranfield.report.trend import trend_svg

        emit(trend_svg(trend(found, lang)), plot)
    say(notes)
