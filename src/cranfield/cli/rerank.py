"""`cranfield rerank`."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.making import latency_of, read_params, writable
from cranfield.cli.options import keep_inputs, say
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.data.card import RunCard
    from cranfield.data.collection import Query, TestCollection
    from cranfield.data.run import Run
    from cranfield.retrieval.rerank import Rerank


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
@click.option("--split", help="Which qrels of a BEIR folder [default: test].")
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
    from cranfield.formats.card import card_path, read_card, write_card
    from cranfield.formats.readers import read_collection, read_run
    from cranfield.formats.write import format_for, write_run
    from cranfield.kit.retry import Backoff
    from cranfield.retrieval.conduct import Settings, conduct
    from cranfield.retrieval.rerank import Rerank, reranker

    form = format_for(output, "run", run_format)
    keep_inputs(output, collection, run_file)
    writable(output)
    found = read_collection(collection, split=split)
    run = read_run(run_file)
    path = card_path(run_file)
    before = read_card(path) if path is not None else None
    queries, more = _sampled(_queries(found, run), sample, seed)
    options = read_params(params) | ({} if cache is None else {"cache": cache})
    model = reranker(how, **options)
    first = {} if before is None else {"first_stage": dict(before.config)}
    if run.name == "run" and before is not None:
        run = replace(run, name=before.name)
    try:
        system = Rerank(run, _documents(found), model, depth, rest=not drop_rest)
        longest = max((len(docs) for docs in system.lists.values()), default=1)
        done = conduct(
            system,
            queries,
            Settings(
                k=max(longest, 1),
                threads=threads,
                backoff=Backoff(attempts, seed=seed),
                propose=False,
            ),
            name=name or f"{run.name}+{model.name}",
            config={"collection": found.name, **more, **first},
            journal=f"{output}.part",
        )
        answered = [q for q in queries if q.id not in done.errors]
        card, told = _card(done.card, before, system, answered)
    finally:
        getattr(model, "close", lambda: None)()
    write_card(card, output)
    notes = write_run(done.run, output, form)
    again = [f"the same command asks the {len(done.errors)} failed again"] if done.errors else []
    say([*more.values(), *told, *done.notes, *again, *notes, latency_of(done.card.latency)])


def _documents(found: TestCollection) -> Any:
    from cranfield.errors import UsageError

    if found.documents is None:
        raise UsageError(f"{found.name} has no documents", "is there a corpus.jsonl?")
    return found.documents()


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
    """Those with the smallest hashes, in the run's order, so that two runs on the same queries are
    sampled alike and a larger sample holds the smaller one."""
    if n is None or n >= len(queries):
        return queries, {}

    def place(query: Query) -> bytes:
        said = f"{seed}\0{query.id}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(said).digest()

    chosen = {q.id for q in sorted(queries, key=place)[:n]}
    told = f"{n} of {len(queries)} queries, chosen by seed {seed}"
    return [q for q in queries if q.id in chosen], {"sample": told}


def _card(
    card: RunCard, before: RunCard | None, system: Rerank, answered: list[Query]
) -> tuple[RunCard, list[str]]:
    """The card with what was cut and with what the first stage says of latency and failures."""
    config, told = dict(card.config), []
    cut = system.cut(answered)
    config["input"] = {**config["input"], "truncated": None if cut is None else cut[0]}
    if cut is not None and cut[0]:
        told.append(f"{cut[0]} of {cut[1]} inputs are longer than the model reads and were cut")
    latency, failed = dict(card.latency), card.failed
    if before is not None:
        if all(query in before.latency for query in latency):
            latency = {q: round(ms + before.latency[q], 3) for q, ms in latency.items()}
            told.append("latency in the card is that of both stages, below of the reranker alone")
        known = set(latency) | set(failed)
        earlier = tuple(q for q in before.failed if q not in known)
        if earlier:
            told.append(f"{len(earlier)} queries had failed before and are not in the run")
        failed += earlier
    return replace(card, config=config, latency=latency, failed=failed), told
