"""`cranfield judge holes`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import (
    every_prompt_option,
    labels_option,
    store_of,
    wanted_of,
    which_told,
)
from cranfield.cli.options import emit, keep_inputs, output

FORMATS = ("table", "md", "html", "json")


@click.command("holes")
@click.argument("collection")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--with",
    "given",
    default="@all",
    show_default=True,
    help="The new labels: a file, or @llm, @human, @llm:MODEL, @llm:MODEL#PROMPT of the store.",
)
@click.option(
    "-k", type=click.IntRange(min=1), default=10, show_default=True, help="Results looked at."
)
@click.option("--rel", type=float, default=1, show_default=True, help="The least relevant grade.")
@click.option("-m", "--measure", "measures", multiple=True, help="Before and after [nDCG@10].")
@click.option(
    "--combine",
    type=click.Choice(["majority", "min", "max", "median", "latest"]),
    default="majority",
    show_default=True,
    help="How several new labels of a pair become one.",
)
@click.option("--examples", type=click.IntRange(min=0), default=3, show_default=True)
@click.option("--seed", default=0, show_default=True, help="Of the examples.")
@click.option("--split", help="Which qrels of a BEIR folder [default: test].")
@inputs.lang
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="[default: by --output's ending]"
)
@which_told
@every_prompt_option
@labels_option
@output
def command(
    collection: str,
    runs: tuple[str, ...],
    given: str,
    measures: tuple[str, ...],
    combine: Any,
    split: str | None,
    models: tuple[str, ...],
    prompts: tuple[str, ...],
    rubrics: tuple[str, ...],
    every_prompt: bool,
    lang: str,
    form: str | None,
    labels: str | None,
    output: str | None,
    **choices: Any,
) -> None:
    """Say how many of the first documents that COLLECTION (a folder, irds:<id>, or qrels) has no
    label of are relevant after all, by new labels, with examples, and what that does to the
    scores of the RUNs.
    """
    from cranfield.formats.readers import read_collection
    from cranfield.judging.filled import MEASURES, filled
    from cranfield.judging.policies import policy
    from cranfield.judging.sets import label_sets
    from cranfield.report.filled import page, to_json

    keep_inputs(output, collection, given, *runs)
    whole = os.path.isdir(collection) or collection.startswith("irds:")
    source: Any = read_collection(collection, split=split) if whole else collection
    store = store_of(labels) if given.startswith("@") and not os.path.exists(given) else None
    (new,) = label_sets(
        [given],
        labels=store,
        combine=policy(combine, every_prompt=every_prompt),
        which=wanted_of(models=models, prompts=prompts, rubrics=rubrics),
    )
    found = filled(source, runs, new, measures=measures or MEASURES, **choices)
    ending = Path(output).suffix.lstrip(".").lower() if output else ""
    form = form or (ending if ending in FORMATS else "table")
    text = (
        to_json(found)
        if form == "json"
        else page(found, lang).to("text" if form == "table" else form)
    )
    emit(text.encode(), output)
