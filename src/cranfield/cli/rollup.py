"""`cranfield rollup`."""

from __future__ import annotations

from dataclasses import replace

import click

from cranfield.cli.making import write_both
from cranfield.cli.options import keep_inputs, say
from cranfield.errors import UsageError


@click.command("rollup")
@click.argument("run")
@click.option(
    "--how",
    type=click.Choice(["max", "first", "sum"]),
    default="max",
    show_default=True,
    help="A document's score: that of its best passage, of its first, or a sum.",
)
@click.option("--top", type=click.IntRange(min=1), help="Passages in the sum [3].")
@click.option("-k", type=click.IntRange(min=1), help="Documents a query [default: all].")
@click.option("-o", "--output", required=True, help="The run; its card is written beside it.")
@click.option("--run-format", help="Write this format [default: by the ending of --output].")
def command(
    run: str, how: str, top: int | None, k: int | None, output: str, run_format: str | None
) -> None:
    """Make a run of documents from a RUN of passages, whose ids are DOCUMENT#NUMBER."""
    from cranfield.data.card import RunCard
    from cranfield.formats.card import card_path, read_card
    from cranfield.formats.readers import read_run
    from cranfield.formats.write import format_for
    from cranfield.retrieval.passages import Rollup, roll_up

    form = format_for(output, "run", run_format)
    keep_inputs(output, run)
    if top is not None and how != "sum":
        raise UsageError("--top is for --how sum", "leave it out")
    rollup = Rollup(how, top or 3)
    rolled = roll_up(read_run(run), rollup, k=k)
    card = card_path(run)
    known = RunCard(rolled.name) if card is None else read_card(card)
    known = replace(known, config={**known.config, "rollup": rollup.config()})
    say([*rolled.notes, *write_both(rolled, known, output, form)])
