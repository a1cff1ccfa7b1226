"""`cranfield show`."""

from __future__ import annotations

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, output, say


@click.command("show")
@click.argument("reference", default="@last")
@click.option("-q", "--per-query", is_flag=True, help="The score of every query.")
@inputs.lang
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "tsv", "json", "md"]),
    help="[default: table; with --per-query TSV]",
)
@output
def command(
    reference: str, per_query: bool, lang: str, form: str | None, output: str | None
) -> None:
    """Show a recorded evaluation in full: @7, @last, @last-1, @-2, or @NAME, a run's last one.

    With --per-query the scores come from the ledger; the run's file is not needed.
    """
    from cranfield.cli.lab import needed
    from cranfield.report import grid
    from cranfield.report.history import entry_page, said
    from cranfield.report.render import render

    lab = needed()
    if per_query:
        scores = lab.scores(reference)
        emit(render(grid.per_query(scores), form or "tsv", {"settings": scores.settings}), output)
        return
    entry = lab.entry(reference)
    if form == "tsv":
        emit(render(grid.means(lab.scores(reference)), "tsv"), output)
        return
    page = entry_page(entry, lab.config.folder, lang, beside=form == "json")
    emit(page.to({"json": "json", "md": "md"}.get(form or "", "text")).encode(), output)
    say(said(lab.look_remarks(), lang))
