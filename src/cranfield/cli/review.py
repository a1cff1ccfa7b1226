"""`cranfield review`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, output, say


@click.group("review")
def command() -> None:
    """Look at the same queries with every new run, and say what is wrong.

    A lab keeps the queries with notes and tags: misread-term, wrong-entity, duplicate, stale,
    label-error, or words of your own.
    """


def _set() -> tuple[Any, Any]:
    from cranfield.cli.lab import needed
    from cranfield.experiment.reviewset import ReviewSet

    lab = needed()
    return lab, ReviewSet(lab.ledger)


@command.command("add")
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@click.option("--note", help="Why they are on the list, or what to look for.")
@click.option("--tag", help="What is wrong in the run that was reviewed last.")
@inputs.lang
def add(queries: tuple[str, ...], note: str | None, tag: str | None, lang: str) -> None:
    """Put queries on the list."""
    from cranfield.experiment.shown import known_queries
    from cranfield.report.language import words

    lab, chosen = _set()
    known_queries(lab, queries)
    run = chosen.run() if tag else None
    chosen.add(queries, note)
    if run is not None:
        for query in queries:
            chosen.tag(query, tag, run)
    from cranfield.report.lab_words import Count

    there = list(chosen.queries())
    some = ", ".join(there[:10]) + (", …" if len(there) > 10 else "")
    click.echo(words(lang)("lab.review.added", n=Count(len(there)), some=some))


@command.command("remove")
@click.argument("query")
def remove(query: str) -> None:
    """Take a query off the list; its notes and tags stay in the ledger."""
    _set()[1].remove(query)


@command.command("note")
@click.argument("query")
@click.argument("text")
def note(query: str, text: str) -> None:
    """Write a note on a query; earlier ones stay."""
    _set()[1].note(query, text)


@command.command("tag")
@click.argument("query")
@click.argument("tag")
@click.option("--run", help="The name of a reviewed run [default: the last one].")
@click.option("--off", is_flag=True, help="Take the tag back.")
@inputs.lang
def tag(query: str, tag: str, run: str | None, off: bool, lang: str) -> None:
    """Say what is wrong with a run's answer to a query."""
    from cranfield.report.language import words
    from cranfield.report.reviewed import tag_word

    _, chosen = _set()
    w = words(lang)
    about = chosen.run(run)
    chosen.tag(query, tag, about, off=off)
    tags = chosen.queries()[query].tags.get(about.fingerprint, ())
    listed = ", ".join(tag_word(t, w) for t in tags) or w("lab.review.no_tags")
    click.echo(w("lab.review.tagged", query=query, run=about.name, tags=listed))


@command.command("show")
@click.argument("run", default="@last")
@click.option("-k", type=click.IntRange(min=1), default=10, show_default=True, help="Results.")
@click.option("--peek", is_flag=True, help="Do not remember that this run was shown.")
@inputs.lang
@click.option("--format", "form", type=click.Choice(["text", "md", "json"]), default="text")
@output
def show(run: str, k: int, peek: bool, lang: str, form: str, output: str | None) -> None:
    """Show the lists of a RUN (a file or @N) beside those of the run reviewed before it."""
    from cranfield.experiment.shown import review_run
    from cranfield.report.reviewed import review_json, review_page

    found = review_run(_set()[0], run, k=k, keep=not peek)
    emit(
        review_json(found) if form == "json" else review_page(found, lang).to(form).encode(),
        output,
    )


@command.command("tags")
@inputs.lang
@click.option(
    "--format", "form", type=click.Choice(["table", "tsv", "json", "md"]), default="table"
)
@output
def tags(lang: str, form: str, output: str | None) -> None:
    """Count the tags of each reviewed run."""
    from cranfield.report.language import words
    from cranfield.report.render import render
    from cranfield.report.reviewed import tags_grid

    found = _set()[1].tag_counts()
    emit(render(tags_grid(found, lang), form), output)
    if not found.counts:
        say([words(lang)("lab.review.no_tags_yet")])
