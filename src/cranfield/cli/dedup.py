"""`cranfield dedup`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_apart, keep_inputs, say
from cranfield.errors import UsageError


@click.command("dedup")
@click.argument("collection")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("-o", "--output", help="Write the judgments to this file.")
@click.option(
    "--policy",
    type=click.Choice(["expand", "collapse"]),
    default="expand",
    show_default=True,
    help="Give all copies the greatest grade of one, or keep one of them.",
)
@click.option("--near", is_flag=True, help="Near-duplicates too, not only exact ones.")
@click.option(
    "--threshold",
    type=float,
    default=0.8,
    show_default=True,
    help="Jaccard similarity from which two are near-duplicates; implies --near.",
)
@click.option(
    "--shingles",
    type=click.Choice(["word", "char"]),
    default="word",
    show_default=True,
    help="3-grams of words (of characters, in Chinese) or 5-grams of characters; implies --near.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the MinHash functions.")
@click.option("--clusters", metavar="FILE", help="Write the clusters, as JSON lines.")
@click.option("--runs-to", metavar="FOLDER", help="Write the collapsed RUNs there.")
@click.option("-m", "--measure", "measures", multiple=True, help="[default: nDCG@10, P@10, RR@10]")
@inputs.split
@inputs.on_duplicate()
@inputs.lang
@click.pass_context
def command(
    context: click.Context,
    /,
    collection: str,
    runs: tuple[str, ...],
    output: str | None,
    policy: Any,
    near: bool,
    threshold: float,
    shingles: Any,
    seed: int,
    clusters: str | None,
    runs_to: str | None,
    measures: tuple[str, ...],
    lang: str,
    **options: Any,
) -> None:
    """Find duplicate documents in COLLECTION, and write judgments that treat them alike.

    Documents are duplicates when their titles and texts are equal after Unicode NFKC, lower case
    and collapsing of white space. With RUNs, prints their scores as they are, with all copies
    labelled alike, and with one copy of each.
    """
    from cranfield.diagnosis.check import MEASURES
    from cranfield.diagnosis.copies import Near
    from cranfield.diagnosis.dedup import dedup
    from cranfield.formats.write import format_for, write_qrels
    from cranfield.report import deduplicated
    from cranfield.report.render import render

    if runs_to is not None and (policy != "collapse" or not runs):
        raise UsageError("--runs-to writes collapsed runs", "give RUNs and --policy collapse")
    for written in (output, clusters):
        keep_inputs(written, collection, *runs)
    keep_apart(output, clusters)
    if output is not None:
        format_for(output, "qrels")
    near = near or any(
        context.get_parameter_source(name) is not ParameterSource.DEFAULT
        for name in ("threshold", "shingles")
    )
    found = dedup(
        collection,
        list(runs),
        measures or MEASURES,
        policy=policy,
        near=Near(threshold, shingles, seed) if near else None,
        **options,
    )
    notes: tuple[str, ...] = ()
    if output is not None:
        notes = write_qrels(found.changed.qrels, output)
    if clusters is not None:
        emit(deduplicated.clusters(found).encode(), clusters)
    if runs_to is not None:
        notes += _write_runs(found, Path(runs_to), runs)
    text = "".join(f"{line}\n" for line in deduplicated.remarks(found, lang)).encode()
    if found.means:
        text += b"\n" + render(deduplicated.before_after(found, lang), "table")
    emit(text, None)
    say(list(notes))


def _write_runs(found: Any, folder: Path, inputs: tuple[str, ...]) -> tuple[str, ...]:
    from cranfield.formats.write import write_run

    folder.mkdir(parents=True, exist_ok=True)
    notes: list[str] = []
    for run in found.collapsed_runs():
        path = folder / f"{Path(run.name).name}.run"
        keep_inputs(str(path), *inputs)
        notes += write_run(run, path)
    return tuple(notes)
