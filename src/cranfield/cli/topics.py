"""`cranfield topics`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_inputs, read_queries, say


@click.command("topics")
@click.argument("collection")
@click.option("-o", "--output", help="Write the queries with their topic, as JSON lines.")
@click.option("-k", type=click.IntRange(min=2), help="How many topics [default: see above].")
@click.option(
    "--most",
    type=click.IntRange(min=2),
    help="The largest number tried [default: a sixth of the queries, at most 12].",
)
@click.option("--by", metavar="FIELD", help="Describe the topics of this query field instead.")
@click.option("--field", default="topic", show_default=True, help="What a proposed topic is under.")
@click.option(
    "--documents",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Relevant documents read for a query.",
)
@click.option("--analyzer", default="mixed", show_default=True, help="As for `retrieve`'s bm25.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first centres.")
@inputs.queries
@inputs.split
@inputs.lang
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "md", "html", "json", "csv", "tsv"]),
    default="table",
    show_default=True,
    help="What is printed; csv and tsv: one line a query.",
)
def command(
    collection: str,
    output: str | None,
    queries: str | None,
    lang: str,
    form: str,
    **options: Any,
) -> None:
    """Divide the queries of COLLECTION (a BEIR folder or irds:<id>) by topic.

    Queries are clustered by their own terms and those of their relevant documents, and each topic
    is named by its characteristic terms. Without -k their number is the smallest whose mean
    silhouette lies within one standard error of the greatest. Every command takes what --output
    writes: cranfield evaluate QRELS RUN --queries FILE --by topic.
    """
    from cranfield.formats.querylines import to_lines
    from cranfield.report import divided
    from cranfield.report.render import render
    from cranfield.subjects.topics import topics

    keep_inputs(output, collection, queries)
    found = topics(collection, queries=read_queries(queries), **options)
    if output is not None:
        emit(to_lines(found.queries).encode("utf-8", "surrogatepass"), output)
    if form == "json":
        data = divided.to_json(found, lang).encode()
    elif form in ("csv", "tsv"):
        data = render(divided.table(found), form)
    else:
        data = divided.page(found, lang).to("text" if form == "table" else form).encode()
    emit(data, None)
    if output is not None:
        say([f"{output}: --queries {output} --by {found.field} slices by topic"])
