"""`cranfield judge export`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import (
    every_prompt_option,
    labels_option,
    queries_of,
    store_of,
    wanted_of,
    which,
)
from cranfield.cli.options import keep_inputs, say

POLICIES = (
    *("human", "human-over-llm", "expert-over-crowd"),
    *("majority", "min", "max", "median", "latest"),
)


@click.command("export")
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="human",
    show_default=True,
    help="Which judgments decide a pair: people only; a model where no person graded; experts "
    "first; or one rule for all.",
)
@click.option(
    "--combine",
    type=click.Choice(POLICIES[3:]),
    default="majority",
    show_default=True,
    help="How the judgments that decide become one, for the first three policies.",
)
@click.option(
    "--tied",
    type=click.Choice(["lower", "higher", "latest", "drop"]),
    default="lower",
    show_default=True,
    help="A majority or a median that two grades share: which counts, or drop the pair.",
)
@click.option("--expert", "experts", multiple=True, help="An assessor who is one.")
@click.option(
    "--format",
    "form",
    help="trec, beir, json, jsonl, csv, parquet, arrow, quepid, rank-eval, opensearch, letor "
    "[default: by the ending of --output].",
)
@click.option("--queries", help="Queries, for tools that know them by their texts.")
@click.option("--index", help="For rank-eval: the index that ratings name.")
@every_prompt_option
@which
@inputs.lang
@labels_option
@click.option("-o", "--output", required=True, help="The file; its card is written beside it.")
def command(
    policy: str,
    combine: Any,
    tied: Any,
    experts: tuple[str, ...],
    every_prompt: bool,
    form: str | None,
    queries: str | None,
    index: str | None,
    lang: str,
    labels: str | None,
    output: str,
    **chosen: Any,
) -> None:
    """Write one grade a pair, by a policy that is written into the card of the file.

    Undone and changed judgments do not count; unsure and skipped ones have no grade. Both are
    counted, as are conflicts and how they were settled.
    """
    from cranfield.cli.making import writable
    from cranfield.judging.interchange.exchange import export_labels
    from cranfield.report.exchanged import counted, written
    from cranfield.report.language import words

    keep_inputs(output, queries, labels)
    writable(output)
    made = export_labels(
        store_of(labels),
        policy,
        output,
        combine=combine,
        ties=tied,
        experts=experts,
        every_prompt=every_prompt,
        wanted=wanted_of(**chosen),
        form=form,
        queries=queries_of(queries),
        index=index,
    )
    w = words(lang)
    click.echo(written(output, made.export, w))
    say([*counted(made.export, w), *made.notes])
