"""`cranfield judge serve`, and what it shares with `cranfield judge terminal`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.cli.judging.store import labels_option, store_of
from cranfield.cli.options import say
from cranfield.errors import NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.data.collection import TestCollection
    from cranfield.judging.desk.desk import Desk
    from cranfield.judging.desk.pairs import Task
    from cranfield.judging.labels import Labels
    from cranfield.judging.llm.rubric import Rubric

F = TypeVar("F", bound=Callable[..., Any])
FALLBACK = "me"


def dealing(command: F) -> F:
    """What is judged, by whom, by which rubric."""
    for option in reversed(
        [
            click.argument("collection", required=False),
            click.option(
                "--work-list",
                metavar="FILE",
                help="Pairs to judge: what `check --holes` or `--suspects` wrote, or a query and a "
                "document a line [default: every document for every query].",
            ),
            click.option("--query", "only", multiple=True, help="Only this one. Repeat for more."),
            click.option(
                "--assessor",
                "assessors",
                multiple=True,
                help="Who judges. Repeat for several [default: $CRANFIELD_ASSESSOR, else $USER].",
            ),
            click.option(
                "--overlap",
                type=click.FloatRange(0, 1),
                default=0.0,
                show_default=True,
                help="Of several assessors: the share of pairs that all of them judge; the rest is "
                "divided.",
            ),
            click.option(
                "--divide",
                "unit",
                type=click.Choice(["pair", "query"]),
                default="pair",
                show_default=True,
                help="What is shared or divided: pairs, or whole queries.",
            ),
            click.option(
                "--order",
                type=click.Choice(["query", "mixed", "list"]),
                default="query",
                show_default=True,
                help="Query by query, both in random order; all pairs in random order; or as the "
                "work-list has them.",
            ),
            click.option("--seed", type=int, default=0, show_default=True, help="Of all that."),
            click.option(
                "--rubric",
                help="What is judged by: a TOML file, or the name of a bundled one (grades: 0-3; "
                "binary: 0 and 1) [default: binary where the collection's judgments are, else "
                "grades].",
            ),
            click.option(
                "--round",
                "round_",
                metavar="NAME",
                help="Judge again: only what was judged under this name counts as judged.",
            ),
            click.option(
                "--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True
            ),
            labels_option,
        ]
    ):
        command = option(command)
    return command


@click.command("serve")
@dealing
@click.option(
    "--field", "fields", multiple=True, help="A field of documents to show beside their text."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at. One that others can reach asks for a token a person.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8642, show_default=True)
@click.option("--token", "always", is_flag=True, help="Ask for a token at a local address too.")
def serve(fields: tuple[str, ...], host: str, port: int, always: bool, **chosen: Any) -> None:
    """Judge the documents of COLLECTION (a BEIR folder, irds:<id>, or a lab) in the browser.

    One document at a time for one query, the terms of the query marked; nobody sees which system
    found it, nor what others said. Keys: the grade, u unsure, s skip, z undo. Every judgment is in
    the label store before the next document is shown, and the same command goes on where it was
    left. Without COLLECTION: that of the lab.
    """
    from cranfield.web.serve import bound, needed, ready, secret_for

    needed()
    secret = secret_for(host, always=always)
    desk, task = desk_of(place="web", **chosen)
    rows = desk.labels.last()
    with bound(host, port) as listening:
        made = ready(
            desk, task, listening, host=host, secret=secret, lang=chosen["lang"], fields=fields
        )
        remarks(desk, task, chosen)
        ended = partial(setattr, made.server, "should_exit", True)
        before = signal.signal(signal.SIGINT, lambda *_: ended())  # the way to end it, from here on
        for assessor, link in made.links.items():
            n = len(desk.queues[assessor])
            click.echo(f"{assessor}: {link}  ({n} pair{'' if n == 1 else 's'})")
        sys.stdout.flush()
        try:
            made.server.run(sockets=[listening])
        finally:
            signal.signal(signal.SIGINT, before)
    added(desk, rows)


def desk_of(
    *,
    place: str,
    collection: str | None,
    work_list: str | None,
    only: tuple[str, ...],
    assessors: tuple[str, ...],
    overlap: float,
    unit: Any,
    order: Any,
    seed: int,
    rubric: str | None,
    round_: str | None,
    lang: str,
    labels: str | None,
) -> tuple[Desk, Task]:
    """The desk that the options name."""
    from cranfield.judging.desk.deal import Dealing, deal
    from cranfield.judging.desk.desk import Desk
    from cranfield.judging.desk.pairs import task_of

    if order == "list" and work_list is None:
        raise UsageError("--order list is of a work-list", "--work-list FILE")
    me = os.environ.get("CRANFIELD_ASSESSOR") or os.environ.get("USER") or FALLBACK
    how = Dealing(assessors or (me,), overlap, unit, order, seed)
    found, store = _collection(collection, labels)
    judged_by = _rubric(rubric, lang, found)
    task = task_of(found, work_list, only)
    desk = Desk(store, deal(task.pairs, how), judged_by, round=round_, place=place)
    desk.said(how.assessors[0])  # a store that cannot be read is said now
    return desk, task


def _rubric(name: str | None, lang: str, found: TestCollection) -> Rubric:
    """The rubric that was named, in the language of the pages; else one with the scale of the
    collection's judgments."""
    from cranfield.judging.llm.rubric import bundled, read_rubric

    if name is None:
        highest = max(found.qrels.grade.tolist(), default=3.0)
        if highest > 3:
            raise UsageError(
                f"the judgments of {found.name} go up to {highest:g}, and the bundled rubrics to 3",
                "--rubric FILE",
            )
        name = "binary" if highest <= 1 else "grades"
    in_language = f"{name}-{lang}"
    return read_rubric(in_language if in_language in bundled() else name)


def _collection(name: str | None, labels: str | None) -> tuple[TestCollection, Labels]:
    """A collection and a label store: those of a lab, where one is named or around."""
    if name is not None and not os.path.isfile(os.path.join(name, "cranfield.toml")):
        return _read(name), store_of(labels, there=False)
    from cranfield.experiment.lab import lab
    from cranfield.judging.labels import ADDRESS, FILE, open_labels

    config = lab(name).config
    if config.collection is None:
        raise UsageError(f"{config.path} names no collection", 'for example collection = "my-docs"')
    where = labels or os.environ.get(ADDRESS) or config.labels or str(config.folder / FILE)
    return _read(config.collection, config.qrels_split), open_labels(where)


def _read(name: str, split: str | None = None) -> TestCollection:
    """With judgments, which need not be there yet."""
    from cranfield.formats.readers import read_collection

    try:
        return read_collection(name, split=split)
    except (NoSuchInput, UsageError):
        return read_collection(name, judgments=False)


def remarks(desk: Desk, task: Task, chosen: dict[str, Any]) -> None:
    """What was dealt, on standard error."""
    shared = set.intersection(*(set(q) for q in desk.queues.values()))
    said = [f"{len(task.pairs)} pairs, by {desk.rubric.version}, seed {chosen['seed']}"]
    if len(desk.queues) > 1:
        said.append(f"{len(shared)} of them for every assessor")
    say(said)


def added(desk: Desk, rows: int) -> None:
    """How many rows came to the store since it had so many."""
    n = desk.labels.last() - rows
    click.echo(f"{n} row{'' if n == 1 else 's'} added to {desk.labels.name}")
    desk.labels.close()
