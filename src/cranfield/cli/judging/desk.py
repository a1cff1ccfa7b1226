"""`cranfield judge serve`, and what it shares with `cranfield judge terminal`."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.judging.desk_options import dealing
from cranfield.cli.judging.store import of_lab, store_of
from cranfield.cli.options import say
from cranfield.errors import NoSuchInput, UnknownName, UsageError

if TYPE_CHECKING:
    from cranfield.data.collection import TestCollection
    from cranfield.judging.desk.desk import Desk
    from cranfield.judging.desk.pairs import Task
    from cranfield.judging.labels import Labels
    from cranfield.judging.llm.rubric import Rubric

FALLBACK = "me"


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
    found it, nor what others said. Keys: the grade, u unsure, s skip, z undo. With --rubric
    preference two documents stand side by side, which of them left is random, and the better one
    is chosen. Every judgment is in the label store before the next document is shown, and the same
    command goes on where it was left. Without COLLECTION: that of the lab.
    """
    from cranfield.report.lab_words import Count
    from cranfield.report.language import words
    from cranfield.web.serve import bound, needed, ready, secret_for

    w = words(chosen["lang"])
    needed()
    secret = secret_for(host, always=always)
    desk, task = desk_of(place="web", **chosen)
    known = dict.fromkeys(name for d in task.documents.values() for name in d.fields)
    if strange := [name for name in fields if name not in known]:
        raise UnknownName(
            f"no document has a field {strange[0]!r}", f"fields: {', '.join(known) or 'none'}"
        )
    rows = desk.rows()
    with bound(host, port) as listening:
        made = ready(
            desk, task, listening, host=host, secret=secret, lang=chosen["lang"], fields=fields
        )
        remarks(desk, task, chosen)
        ended = partial(setattr, made.server, "should_exit", True)
        before = signal.signal(signal.SIGINT, lambda *_: ended())  # the way to end it, from here on
        for assessor, link in made.links.items():
            n = len(desk.queues[assessor])
            click.echo(f"{assessor}: {link}  ({w('desk.dealt.own', n=Count(n))})")
        sys.stdout.flush()
        try:
            made.server.run(sockets=[listening])
        finally:
            signal.signal(signal.SIGINT, before)
    added(desk, rows, chosen["lang"])


def desk_of(
    *,
    place: str,
    collection: str | None,
    work_list: str | None,
    runs: tuple[str, ...],
    depth: int,
    sample: int | None,
    both: bool,
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
    from cranfield.judging.desk.deal import Dealing, deal, turned
    from cranfield.judging.desk.desk import Desk

    if order == "list" and work_list is None:
        raise UsageError("--order list is of a work-list", "--work-list FILE")
    me = os.environ.get("CRANFIELD_ASSESSOR") or os.environ.get("USER") or FALLBACK
    how = Dealing(assessors or (me,), overlap, unit, order, seed)
    found, store = _collection(collection, labels)
    judged_by = _rubric(rubric, lang, found)
    preference = judged_by.kind == "preference"
    if both and not preference:
        raise UsageError("--both-orders is of preferences", "--rubric preference")
    task = _task(found, judged_by, work_list, runs, depth, sample, seed, only, lang)
    queues = deal(task.pairs, how)
    if preference:
        queues = turned(queues, seed, both=both)
    desk = Desk(store, queues, judged_by, round=round_, place=place, references=task.references)
    desk.said(how.assessors[0])  # a store that cannot be read is said now
    return desk, task


def _task(
    found: TestCollection,
    rubric: Rubric,
    work_list: str | None,
    runs: tuple[str, ...],
    depth: int,
    sample: int | None,
    seed: int,
    only: tuple[str, ...],
    lang: str,
) -> Task:
    """What is to be judged."""
    from cranfield.judging.desk.pairs import proposed, task_of
    from cranfield.judging.llm.work import Which
    from cranfield.report.lab_words import Count
    from cranfield.report.language import words

    preference = rubric.kind == "preference"
    if runs and work_list is not None:
        raise UsageError("what is to be judged: a --run or a --work-list?", "one of the two")
    if preference and not runs and work_list is None:
        raise UsageError(
            "which two documents?",
            "--run RUN for pairs of its first documents, or --work-list FILE with a query and two "
            "documents a line",
        )
    if not runs and not preference:
        if sample is not None:
            raise UsageError("--sample draws from what --run names", "--run RUN")
        task = task_of(found, work_list, only, rubric)
    else:
        which = Which(runs=runs, depth=depth, work_list=work_list, sample=sample, seed=seed)
        task, _ = proposed(found, rubric, which, only)
    w = words(lang)
    say([w(f"llm.left_out.{why}", n=Count(n)) for why, n in task.left_out.items()])
    return task


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
    from cranfield.judging.labels import open_labels

    own = of_lab(name, labels)
    if own is None:
        assert name is not None
        return _read(name), store_of(labels, there=False)
    return _read(own.collection, own.split), open_labels(own.labels)


def _read(name: str, split: str | None = None) -> TestCollection:
    """With judgments, which need not be there yet."""
    from cranfield.formats.readers import read_collection

    try:
        return read_collection(name, split=split)
    except (NoSuchInput, UsageError):
        return read_collection(name, judgments=False)


def remarks(desk: Desk, task: Task, chosen: dict[str, Any]) -> None:
    """What was dealt, on standard error."""
    from cranfield.report.lab_words import Count
    from cranfield.report.language import words

    own = ({(p[0], *sorted(p[1:])) for p in queue} for queue in desk.queues.values())
    shared = set.intersection(*own)
    w = words(chosen["lang"])
    two = desk.rubric.kind == "preference"
    said = [
        w(
            "desk.dealt.two" if two else "desk.dealt",
            n=Count(len(task.pairs)), rubric=desk.rubric.version, seed=chosen["seed"],
        )
    ]  # fmt: skip
    if len(desk.queues) > 1:
        said.append(w("desk.dealt.shared", n=Count(len(shared))))
    if chosen["both"]:
        said.append(w("desk.dealt.both"))
    say(said)


def added(desk: Desk, rows: int, lang: str) -> None:
    """How many rows came to the store since it had so many."""
    from cranfield.report.lab_words import Count
    from cranfield.report.language import words

    click.echo(words(lang)("desk.added", n=Count(desk.rows() - rows), store=desk.labels.name))
    desk.labels.close()
