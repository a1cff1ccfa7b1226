"""`cranfield rerank`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cranfield.cli import inputs
from cranfield.cli.making import latency_of, read_params, writable, write_both
from cranfield.cli.options import keep_inputs, say
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.data.card import RunCard
    from cranfield.data.collection import Query, TestCollection
    from cranfield.data.run import Run


@click.command("rerank")
@click.argument("collection")
@click.argument("run_file", metavar="RUN")
@click.option("--with", "how", required=True, help="A registered reranker.")
@click.option(
    "-p",
    "--param",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the reranker; repeat for several.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Documents a query that are reranked.",
)
@click.option("--drop-rest", is_flag=True, help="Leave out the documents below the depth.")
@click.option("--sample", type=click.IntRange(min=1), help="Only so many queries, always the same.")
@click.option("--seed", default=0, show_default=True, help="Of the sample and of pauses.")
@click.option("-o", "--output", required=True, help="The run; its card is written beside it.")
@click.option("--name", help="Of the run [default: RUN's and the reranker's].")
@inputs.split
@click.option("--cache", help="A folder to keep the vectors of documents in.")
@click.option(
    "--attempts",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    help="How often a query that fails is asked, with growing pauses.",
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--run-format", help="Write this format [default: by the ending of --output].")
def command(
    collection: str,
    run_file: str,
    how: str,
    params: tuple[str, ...],
    depth: int,
    drop_rest: bool,
    sample: int | None,
    seed: int,
    output: str,
    name: str | None,
    split: str | None,
    cache: str | None,
    attempts: int,
    threads: int,
    run_format: str | None,
) -> None:
    """Put the first documents of a RUN on a COLLECTION (a BEIR folder or irds:<id>) in a new order.

    A query that fails is asked again and then recorded as failed, never as empty. Answers are kept
    in OUTPUT.part until the run is whole; the same command goes on where it was interrupted.
    """
    from cranfield.formats.readers import read_collection
    from cranfield.formats.write import format_for, refuse_ids
    from cranfield.kit.retry import Backoff
    from cranfield.retrieval.collection import card_of_both, documents_of
    from cranfield.retrieval.conduct import Settings, conduct
    from cranfield.retrieval.rerank import Rerank, make_reranker

    form = format_for(output, "run", run_format)
    keep_inputs(output, collection, run_file)
    writable(output)
    journal = Path(f"{output}.part")
    found = read_collection(collection, split=split)
    run, before = _run(run_file)
    queries, more = _sampled(_queries(found, run), sample, seed)
    options = read_params(params) | ({} if cache is None else {"cache": cache})
    model = make_reranker(how, **options)
    try:
        system = Rerank(run, documents_of(found), model, depth, rest=not drop_rest)
        done = conduct(
            system,
            queries,
            Settings(
                k=max([1, *map(len, system.lists.values())]),
                threads=threads,
                backoff=Backoff(attempts, seed=seed),
                propose=False,
            ),
            name=name or f"{run.name}+{model.name}",
            config={"collection": found.name, **more},
            journal=journal,
            keep=True,
            accept=partial(refuse_ids, form),
        )
        answered = [q for q in queries if q.id not in done.errors]
        card, told = card_of_both(done.card, before, system, answered)
    finally:
        getattr(model, "close", lambda: None)()
    notes = write_both(done.run, card, output, form)
    if not done.errors:
        journal.unlink(missing_ok=True)
    again = [f"the same command asks the {len(done.errors)} failed again"] if done.errors else []
    say(
        [
            *more.values(),
            *getattr(model, "notes", ()),
            *told,
            *done.notes,
            *again,
            *notes,
            latency_of(done.card.latency),
        ]
    )


def _run(file: str) -> tuple[Run, RunCard | None]:
    """The run, and its card where there is one."""
    from cranfield.formats.card import card_path, read_card
    from cranfield.formats.readers import read_run

    path = card_path(file)
    return read_run(file), read_card(path) if path is not None else None


def _queries(found: TestCollection, run: Run) -> list[Query]:
    """The queries of the run, in its order, with their texts."""
    texts = {q.id: q for q in found.queries}
    names = run.queries.to_list()
    lacking = [name for name in names if name not in texts]
    if lacking:
        raise InputError(
            f"{len(lacking)} queries of the run {run.name!r} are not in the collection, for "
            f"example {lacking[0]!r}",
            "is it the collection that the run was made on?",
        )
    return [texts[name] for name in names]


def _sampled(queries: list[Query], n: int | None, seed: int) -> tuple[list[Query], dict[str, str]]:
    """Some queries, and how they were chosen, in words."""
    from cranfield.retrieval.collection import sampled

    chosen = sampled(queries, n, seed)
    if len(chosen) == len(queries):
        return queries, {}
    return chosen, {"sample": f"{n} of {len(queries)} queries, chosen by seed {seed}"}
