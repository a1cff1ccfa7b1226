"""`cranfield rollup`."""

from __future__ import annotations

from dataclasses import replace

import click

from cranfield.cli.options import keep_inputs, say


@click.command("rollup")
@click.argument("run")
@click.option(
    "--how",
    type=click.Choice(["max", "first", "sum"]),
    default="max",
    show_default=True,
    help="A document's score: that of its best passage, of its first, or a sum.",
)
@click.option(
    "--top", type=click.IntRange(min=1), default=3, show_default=True, help="Passages in the sum."
)
@click.option("-k", type=click.IntRange(min=1), help="Documents a query [default: all].")
@click.option("-o", "--output", required=True, help="The run; the card of RUN goes with it.")
@click.option("--run-format", help="Write this format [default: by the ending of --output].")
def command(
    run: str, how: str, top: int, k: int | None, output: str, run_format: str | None
) -> None:
    """Make a run of documents from a RUN of passages, whose ids are DOCUMENT#NUMBER."""
    from cranfield.formats.card import card_path, read_card, write_card
    from cranfield.formats.readers import read_run
    from cranfield.formats.write import format_for, write_run
    from cranfield.retrieval.passages import Rollup, roll_up

    form = format_for(output, "run", run_format)
    keep_inputs(output, run)
    rollup = Rollup(how, top)
    rolled = roll_up(read_run(run), rollup, k=k)
    card = card_path(run)
    if card is not None:
        known = read_card(card)
        config = {**known.config, "rollup": rollup.config()}
        write_card(replace(known, config=config), output)
    say([*write_run(rolled, output, form)])
