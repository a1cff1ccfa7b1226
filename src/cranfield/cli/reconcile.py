"""`cranfield reconcile`."""

from __future__ import annotations

import click

from cranfield.cli.options import emit, output


@click.command("reconcile")
@click.argument("qrels")
@click.argument("run")
@click.option("-m", "--measure", default="nDCG@10", show_default=True)
@click.option("--value", help="The number seen, as printed: 0.4312, 43.12 or 43.12%.")
@click.option(
    "--digits", type=click.IntRange(0, 15), help="Decimals to compare [default: as typed]."
)
@click.option("--query", metavar="ID", help="The value of this query, not the mean.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=5000,
    show_default=True,
    help="Combinations to try at most.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@output
def command(
    qrels: str,
    run: str,
    measure: str,
    value: str | None,
    digits: int | None,
    query: str | None,
    limit: int,
    form: str,
    output: str | None,
) -> None:
    """Find out which tool or convention gives a number seen elsewhere.

    Computes one measure as other tools compute it and says which of them gives --value; if none
    does, which conventions would. Without --value it lists what each tool would print.
    """
    from cranfield.reconciliation.search import reconcile
    from cranfield.report.reconciled import as_json, as_text

    found = reconcile(qrels, run, measure, value, digits=digits, query=query, limit=limit)
    emit((as_json(found) if form == "json" else as_text(found, digits)).encode(), output)
