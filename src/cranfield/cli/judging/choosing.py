"""`cranfield judge next`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.estimating import FORMATS, form_of
from cranfield.cli.judging.store import labels_option
from cranfield.cli.options import emit, keep_inputs, output


@click.command("next")
@click.argument("base")
@click.argument("run")
@click.option("-m", "--measure", default="nDCG@10", show_default=True)
@click.option(
    "--qrels", metavar="LABELS", help="What is judged so far: a file, or @human, @all [nothing]."
)
@click.option("-n", type=click.IntRange(min=0), default=20, show_default=True, help="Documents.")
@click.option("--all", "every", is_flag=True, help="All unjudged documents of the two lists.")
@click.option("--queries", help="Only these queries (JSON lines, TSV, TREC topics).")
@click.option(
    "--scale",
    type=float,
    help="The largest grade a label may have [default: that of the rubric in LABELS where it is "
    "known, else the largest there].",
)
@click.option(
    "--level", type=float, default=0.95, show_default=True, help="Of the probable rule: above 0.5."
)
@click.option(
    "--prior", type=float,
    help="The chance that an unjudged document is relevant [default: as among the judged].",
)  # fmt: skip
@click.option("--samples", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@labels_option
@inputs.lang
@inputs.page_format(FORMATS)
@output
def command(
    base: str,
    run: str,
    measure: str,
    qrels: str | None,
    n: int,
    every: bool,
    queries: str | None,
    labels: str | None,
    lang: str,
    form: str | None,
    output: str | None,
    **choices: Any,
) -> None:
    """Say which unjudged documents could change whether RUN is better than BASE, the most
    influential first, and whether that is settled.

    It is settled for certain when no grades of what is left could turn it, and for a chance of
    --level when so many of the gradings drawn from the prior say the same.
    """
    from cranfield.cli.judging.store import store_where_meant
    from cranfield.cli.options import read_queries
    from cranfield.judging.next import next_labels
    from cranfield.report import labelling
    from cranfield.report.render import render

    keep_inputs(output, base, run, qrels, queries)
    known = read_queries(queries)
    found = next_labels(
        base,
        run,
        measure,
        n=None if every else n,
        qrels=qrels,
        labels=store_where_meant(labels, qrels),
        queries=None if known is None else [q.id for q in known],
        **choices,
    )
    form = form or form_of(output)
    if form in ("csv", "tsv"):
        text = render(labelling.flat(found), form).decode()
    elif form == "json":
        text = labelling.to_json(found)
    else:
        text = labelling.page(found, lang).to("text" if form == "table" else form)
    emit(text.encode(), output)
