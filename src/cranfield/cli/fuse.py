"""`cranfield fuse`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.making import write_both
from cranfield.cli.options import keep_inputs, say
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.data.card import RunCard

METHODS = ["rrf", "isr", "borda", "sum", "mnz", "anz", "max", "min", "med", "weighted"]
NORMS = ["none", "min-max", "max", "sum", "zmuv", "rank"]


@click.command("fuse")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.option("--method", type=click.Choice(METHODS), default="rrf", show_default=True)
@click.option("--k", type=float, help="The constant of rrf; not for the others  [default: 60]")
@click.option(
    "--norm", type=click.Choice(NORMS), help="How scores are made comparable [min-max]; not for "
    "rrf, isr and borda, which use ranks.",
)  # fmt: skip
@click.option("--weights", metavar="W,W...", help="One number a run.")
@click.option("--depth", type=click.IntRange(min=1), help="Documents a query [default: all].")
@click.option("-o", "--output", required=True, help="The run; its card is written beside it.")
@click.option("--name", help="Of the run [default: fused-METHOD].")
@click.option("--run-format", help="Write this format [default: by the ending of --output].")
def command(
    runs: tuple[str, ...],
    weights: str | None,
    output: str,
    name: str | None,
    run_format: str | None,
    **choices: Any,
) -> None:
    """Make one run of several RUNs.

    Equal scores are ranked by descending document id, as evaluation ranks them. A query that one
    run lacks is fused from the others.
    """
    from cranfield.formats.card import card_path, read_card
    from cranfield.formats.readers import read_run
    from cranfield.formats.write import format_for
    from cranfield.retrieval.fuse import fuse
    from cranfield.retrieval.fusion_rules import Fusion

    form = format_for(output, "run", run_format)
    keep_inputs(output, *runs)
    how = Fusion(weights=_weights(weights), **choices)
    cards = {run: read_card(path) for run in runs if (path := card_path(run)) is not None}
    fused = fuse([read_run(run) for run in runs], how, name=name)
    failed = _failed([cards[run].failed if run in cards else () for run in runs], fused)
    card = _card(fused, [dict(cards[r].config) if r in cards else {} for r in runs], failed)
    notes = write_both(fused, card, output, form)
    partly = [
        f"{run}: {len(card.failed)} failed queries are fused from the other runs"
        for run, card in cards.items()
        if set(card.failed) - set(failed)
    ]
    say([*fused.notes, *partly, *notes])


def _weights(text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"weights {text!r} are not numbers", "for example 0.7,0.3") from None


def _failed(failed: list[tuple[str, ...]], fused: Any) -> tuple[str, ...]:
    """Queries that failed in some run and are in no other."""
    answered = set(fused.queries)
    return tuple(dict.fromkeys(q for own in failed for q in own if q not in answered))


def _card(fused: Any, configs: list[dict[str, Any]], failed: tuple[str, ...]) -> RunCard:
    from cranfield.data.card import RunCard

    parts = [{"name": n, **c} for n, c in zip(fused.config["runs"], configs, strict=True)]
    return RunCard(fused.name, {**fused.config, "runs": parts}, failed=failed)
