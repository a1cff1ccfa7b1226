"""`cranfield judge plan`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.estimating import FORMATS, form_of
from cranfield.cli.judging.pooling import numbers
from cranfield.cli.judging.store import labels_option
from cranfield.cli.options import emit, keep_inputs, output


@click.command("plan")
@click.argument("qrels")
@click.argument("base")
@click.argument("run", required=False)
@click.option("-m", "--measure", default="nDCG@10", show_default=True)
@click.option("--budget", type=float, required=True, help="Labels.")
@click.option(
    "--depth", metavar="K[,K...]", help="To compare [default: 1,2,3,5,10,... to the cutoff]."
)
@click.option(
    "--per-query", type=float, default=0, show_default=True,
    help="What a query costs beside its labels, in labels.",
)  # fmt: skip
@click.option("--most-queries", type=int, help="There are no more than these.")
@click.option(
    "--scale",
    type=float,
    help="The largest grade [default: by the rubric in QRELS, else the largest there].",
)
@labels_option
@inputs.lang
@inputs.page_format(FORMATS)
@output
def command(
    qrels: str,
    base: str,
    run: str | None,
    measure: str,
    depth: str | None,
    labels: str | None,
    lang: str,
    form: str | None,
    output: str | None,
    **choices: Any,
) -> None:
    """Say whether a budget of labels is better spent on few queries judged deep or on many judged
    thinly, for the mean of BASE, or the difference of RUN less BASE.

    QRELS is a pilot: some queries judged as deep as any depth to compare. It is judged again as
    thinly as each depth would do it.
    """
    from cranfield.cli.judging.store import store_where_meant
    from cranfield.judging.budget import plan_budget
    from cranfield.report import budget
    from cranfield.report.render import render

    keep_inputs(output, qrels, base, run)
    found = plan_budget(
        qrels,
        [base] if run is None else [base, run],
        measure,
        depths=[] if depth is None else numbers(depth, int, "--depth"),
        labels=store_where_meant(labels, qrels),
        **choices,
    )
    form = form or form_of(output)
    if form in ("csv", "tsv"):
        text = render(budget.flat(found), form).decode()
    elif form == "json":
        text = budget.to_json(found)
    else:
        text = budget.page(found, lang).to("text" if form == "table" else form)
    emit(text.encode(), output)
