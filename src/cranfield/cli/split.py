"""`cranfield split`."""

from __future__ import annotations

import os
from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_inputs, say
from cranfield.errors import UsageError


@click.command("split")
@click.argument("collection", required=False)
@click.option("--test", type=float, help="Test queries: a number, or a share below 1.")
@click.option("--by", metavar="FIELD", help="Share out by this query field [default: type].")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--near",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.7,
    show_default=True,
    help="Similarity from which two queries stay on one side.",
)
@click.option("--extend", is_flag=True, help="Take in the queries that are new since.")
@click.option("--queries", help="A file of queries, where the collection is qrels alone.")
@inputs.lang
@click.option("-o", "--output", help="The split's file [default: that of cranfield.toml].")
def command(
    collection: str | None,
    test: float | None,
    extend: bool,
    queries: str | None,
    lang: str,
    output: str | None,
    near: float,
    **choices: Any,
) -> None:
    """Divide the queries into dev and test, and freeze the test.

    The sides are alike in query type, near-duplicates stay together, and the same seed gives the
    same split. Choose on the dev queries, report on the test queries: `cranfield evaluate --split
    test RUN`. COLLECTION is a folder or a file of queries; in a lab it is the lab's.
    """
    from cranfield.experiment.drawing import draw
    from cranfield.experiment.drawing import extend as extended
    from cranfield.experiment.splits import read_split, write_split
    from cranfield.report.language import words
    from cranfield.report.render import render
    from cranfield.report.splitting import sides, split_notes

    keep_inputs(output, collection, queries)
    known, path = _queries(collection, queries, output)
    there = os.path.exists(path)
    if extend:
        found = extended(read_split(path), known, test)
    elif there:
        raise UsageError(
            f"{os.path.relpath(path)}: a test list is frozen there already",
            "--extend takes in new queries; another list needs another file: -o",
        )
    else:
        found = draw(known, 0.5 if test is None else test, threshold=near, **choices)
    write_split(found.split, path)
    shown = os.path.relpath(path)
    emit(render(sides(found, known, lang), "table"), None)
    say([*split_notes(found, known, lang), words(lang)("lab.split.written", path=shown)])


def _queries(
    collection: str | None, queries: str | None, output: str | None
) -> tuple[tuple[Any, ...], str]:
    """The queries to divide and the file of the split."""
    from cranfield.experiment.lab import lab
    from cranfield.formats.inputs import Input
    from cranfield.formats.readers import IRDS, read_collection
    from cranfield.formats.topics import read_queries

    if queries is not None:
        known = read_queries(Input(queries))
    elif collection is not None and (collection.startswith(IRDS) or os.path.isdir(collection)):
        known = read_collection(collection).queries
    elif collection is not None:
        known = read_queries(Input(collection))
    else:
        mine = lab()
        return mine.queries_to_split(), output or mine.config.split
    if output is None:
        raise UsageError("where should the split go?", "-o split.json; in a lab it has its place")
    return known, output
