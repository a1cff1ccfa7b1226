"""`cranfield report`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cranfield.cli import inputs
from cranfield.cli.lab import known_here
from cranfield.cli.options import emit, keep_inputs, output, read_queries
from cranfield.cli.reporting import form_for
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.report.page import Page

FORMS = ["text", "md", "html", "json"]


@click.command("report")
@click.argument("collection", required=False)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--lab", "of_lab", is_flag=True, help="The index of the lab you are in.")
@inputs.lang
@inputs.form(*FORMS, default="text")
@click.option(
    "--by",
    multiple=True,
    metavar="FIELD",
    help="The query field of the table [default: type, where there is one].",
)
@click.option(
    "--exhaustive", is_flag=True, help="One run: the labels are complete, document by query."
)
@click.option("-m", "--measure", "measures", multiple=True, help="Several runs: the measures.")
@click.option("--check", "with_check", is_flag=True, help="Add what `cranfield check` finds.")
@click.option("--queries", help="Several runs: queries with texts and fields.")
@inputs.split
@output
def command(
    collection: str | None,
    runs: tuple[str, ...],
    of_lab: bool,
    lang: str,
    form: str | None,
    by: tuple[str, ...],
    exhaustive: bool,
    measures: tuple[str, ...],
    with_check: bool,
    queries: str | None,
    split: str | None,
    output: str | None,
) -> None:
    """Write a report on a COLLECTION (a BEIR folder or irds:<id>): of one RUN the baseline, of
    several the comparison of the others with the first.

    The baseline report: means over all and over answerable queries, no-answer and empty and
    under-labelled queries told apart, a table by query type, and the queries where most is lost.
    The comparison: what `cranfield compare` finds, with charts and both result lists of the
    queries that changed most; COLLECTION may be a file of qrels then. With --lab: everything that
    was recorded in the lab; -o may name a folder then.
    """
    if of_lab:
        if collection is not None:
            raise UsageError("--lab takes no collection and no runs")
        _write_lab(lang, form, output)
        return
    if collection is None or not runs:
        raise UsageError("the collection or the run is missing", "cranfield report COLLECTION RUN")
    keep_inputs(output, collection, queries, *runs)
    form = form or form_for(output, FORMS, "text")
    page = (
        _baseline(collection, runs[0], by, lang, exhaustive, split)
        if len(runs) == 1
        else _comparison(collection, runs, by, lang, measures, queries, split)
    )
    if with_check:
        page = _checked(page, collection, runs, measures, queries, split)
    emit(page.to(form).encode(), output)


def _checked(
    page: Page,
    collection: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    queries: str | None,
    split: str | None,
) -> Page:
    from cranfield.diagnosis.check import MEASURES, check
    from cranfield.report.checked import appended

    known = read_queries(queries)
    return appended(
        page,
        check(
            collection,
            list(runs),
            measures or MEASURES,
            queries=known,
            split=split,
            **known_here(collection),
        ),
    )


def _baseline(
    collection: str,
    run: str,
    by: tuple[str, ...],
    lang: str,
    exhaustive: bool,
    split: str | None,
) -> Page:
    from cranfield.formats.readers import read_collection, read_run
    from cranfield.report.pages import baseline

    if len(by) > 1:
        raise UsageError("the baseline report has one table", "give --by once")
    return baseline(
        read_collection(collection, split=split),
        read_run(run),
        by=by[0] if by else None,
        lang=lang,
        exhaustive=exhaustive,
    )


def _comparison(
    collection: str,
    runs: tuple[str, ...],
    by: tuple[str, ...],
    lang: str,
    measures: tuple[str, ...],
    queries: str | None,
    split: str | None,
) -> Page:
    from cranfield.comparison.compare import compare
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES
    from cranfield.report.pages import comparison
    from cranfield.report.provenance import provenance

    found = compare(
        collection,
        runs[0],
        list(runs[1:]),
        measures or DEFAULT_MEASURES,
        queries=read_queries(queries),
        by=by,
        split=split,
    )
    return comparison(found, lang, about=provenance(collection, runs[0], runs[1:], queries))


def _write_lab(lang: str, form: str | None, output: str | None) -> None:
    from cranfield.cli.lab import needed
    from cranfield.report.pages import lab

    folder = None
    if output is not None and (os.path.isdir(output) or output.endswith(os.sep)):
        folder = Path(output)
    form = form or ("html" if folder is not None else form_for(output, FORMS, "text"))
    page = lab(needed(), lang)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for ending, inside in (("html", "html"), ("md", "md"), ("json", "json")):
            emit(page.to(inside).encode(), str(folder / f"index.{ending}"))
        return
    emit(page.to(form).encode(), output)
