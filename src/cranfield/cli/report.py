"""`cranfield report`."""

from __future__ import annotations

import click

from cranfield.cli.options import emit, output


@click.command("report")
@click.argument("collection")
@click.argument("run")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option("--format", "form", type=click.Choice(["text", "md", "html"]), default="text")
@click.option("--by", help="The query field of the table [default: type, where there is one].")
@click.option(
    "--exhaustive", is_flag=True, help="The labels are complete: every document, every query."
)
@click.option("--split", help="Which qrels of a BEIR folder [default: test].")
@output
def command(
    collection: str,
    run: str,
    lang: str,
    form: str,
    by: str | None,
    exhaustive: bool,
    split: str | None,
    output: str | None,
) -> None:
    """Write the baseline report of a RUN on a COLLECTION (a BEIR folder or irds:<id>).

    Means over all and over answerable queries, no-answer and empty and under-labelled queries told
    apart, a table by query type, and the queries where most is lost.
    """
    from cranfield.formats.readers import read_collection, read_run
    from cranfield.report.baseline import baseline

    page = baseline(
        read_collection(collection, split=split),
        read_run(run),
        by=by,
        lang=lang,
        exhaustive=exhaustive,
    )
    write = {"text": page.to_text, "md": page.to_markdown, "html": page.to_html}[form]
    emit(write().encode(), output)
