"""`cranfield judge estimate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import labels_option, wanted_of, which_told
from cranfield.cli.options import emit, keep_inputs, output

FORMATS = ["table", "md", "html", "json", "csv", "tsv"]


@click.command("estimate")
@click.argument("human")
@click.argument("llm")
@click.argument("base")
@click.argument("run", required=False)
@click.option("-m", "--measure", "measures", multiple=True, help="[default: nDCG@10]")
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the interval.")
@click.option(
    "--width", type=float, help="Of the whole interval: how many labels of people reach it?"
)
@click.option(
    "--scale",
    type=float,
    help="The largest grade [default: that of the rubric in the labels where it is known, else the "
    "largest there].",
)
@click.option(
    "--interval", type=click.Choice(["careful", "student", "bounded"]), default="careful",
    show_default=True,
    help="Student's t with an allowance for unseen errors, bounded where it is not to be trusted; "
    "plain t; from the limits of the measure alone.",
)  # fmt: skip
@which_told
@labels_option
@inputs.lang
@inputs.page_format(FORMATS)
@output
def command(
    human: str,
    llm: str,
    base: str,
    run: str | None,
    measures: tuple[str, ...],
    models: tuple[str, ...],
    prompts: tuple[str, ...],
    rubrics: tuple[str, ...],
    labels: str | None,
    lang: str,
    form: str | None,
    output: str | None,
    **choices: Any,
) -> None:
    """Estimate what BASE scores by the labels of people, or what RUN has over BASE, where few
    queries have labels of people (HUMAN) and many those of a model (LLM).

    The queries that people labelled must be drawn at random from all. Where nearly all of them are
    alike, the interval is taken from the limits of the measure, and a caution says so. HUMAN and
    LLM are files of labels in any format, or labels of the store: @human, @llm, @human:anna,
    @llm:MODEL, @llm:MODEL#PROMPT.
    """
    from cranfield.cli.judging.store import store_where_meant
    from cranfield.judging.honest import estimate
    from cranfield.report import honest
    from cranfield.report.render import render

    keep_inputs(output, human, llm, base, run)
    found = estimate(
        human,
        llm,
        [base] if run is None else [base, run],
        measures or ("nDCG@10",),
        labels=store_where_meant(labels, human, llm),
        which=wanted_of(models=models, prompts=prompts, rubrics=rubrics),
        **choices,
    )
    form = form or form_of(output)
    if form in ("csv", "tsv"):
        text = render(honest.flat(found), form).decode()
    elif form == "json":
        text = honest.to_json(found, lang)
    else:
        text = honest.page(found, lang).to("text" if form == "table" else form)
    emit(text.encode(), output)


def form_of(output: str | None) -> str:
    ending = Path(output).suffix.lstrip(".").lower() if output else ""
    return ending if ending in FORMATS else "table"
