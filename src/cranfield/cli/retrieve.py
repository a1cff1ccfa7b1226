"""`cranfield retrieve`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import inputs
from cranfield.cli.making import latency_of, read_params, writable, write_both
from cranfield.cli.options import keep_inputs, say
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.data.collection import Query, TestCollection


@click.command("retrieve")
@click.argument("collection")
@click.option(
    "--system", "system_name", default="bm25", show_default=True, help="A registered system."
)
@click.option(
    "-p",
    "--param",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the system; repeat for several.",
)
@click.option("-k", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("-o", "--output", required=True, help="The run; its card is written beside it.")
@click.option("--name", help="Of the run [default: that of the system].")
@inputs.split
@click.option("--all-queries", is_flag=True, help="Also queries without judgments.")
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="FIELD",
    help="Only documents with the query's own value in this field; repeat for several.",
)
@click.option("--exclude-self", is_flag=True, help="Leave out the document with the query's id.")
@click.option(
    "--passages", type=click.IntRange(min=1), metavar="TOKENS", help="Search passages of this size."
)
@click.option("--overlap", type=click.IntRange(min=0), help="Tokens that passages share [0].")
@click.option(
    "--rollup",
    type=click.Choice(["max", "first", "sum", "none"]),
    help="How passages become documents [max]; none: the run is one of passages.",
)
@click.option("--cache", help="A folder to keep the index in.")
@click.option(
    "--attempts",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    help="How often a query that fails is asked, with growing pauses.",
)
@click.option("--seed", default=0, show_default=True, help="Of the pauses' random part.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--batch", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--run-format", help="Write this format [default: by the ending of --output].")
def command(
    collection: str,
    system_name: str,
    params: tuple[str, ...],
    output: str,
    name: str | None,
    split: str | None,
    all_queries: bool,
    cache: str | None,
    run_format: str | None,
    attempts: int,
    seed: int,
    passages: int | None,
    overlap: int | None,
    rollup: str | None,
    **choices: Any,
) -> None:
    """Run a search system over the queries of a COLLECTION (a BEIR folder or irds:<id>).

    A query that fails is asked again and then recorded as failed, never as empty. Answers are kept
    in OUTPUT.part until the run is whole; the same command goes on where it was interrupted.
    """
    from cranfield.formats.readers import read_collection
    from cranfield.formats.write import format_for, refuse_ids
    from cranfield.kit.retry import Backoff
    from cranfield.retrieval.collection import system_on
    from cranfield.retrieval.conduct import Settings, conduct

    form = format_for(output, "run", run_format)
    keep_inputs(output, collection)
    writable(output)
    journal = Path(f"{output}.part")
    found = read_collection(collection, split=split)
    queries = _queries(found, all_queries)
    options = read_params(params) | ({} if cache is None else {"cache": cache})
    settings = Settings(backoff=Backoff(attempts, seed=seed), **choices)
    cut = _passages(passages, overlap, rollup)
    system = system_on(found, system_name, options, cut)
    try:
        done = conduct(
            system,
            queries,
            settings,
            name=name,
            config={"collection": found.name} | ({} if cut is None else {"passages": cut}),
            journal=journal,
            keep=True,
            accept=partial(refuse_ids, form),
        )
    finally:
        getattr(system, "close", lambda: None)()
    notes = write_both(done.run, done.card, output, form)
    if not done.errors:
        journal.unlink(missing_ok=True)
    again = [f"the same command asks the {len(done.errors)} failed again"] if done.errors else []
    say([*getattr(system, "notes", ()), *done.notes, *again, *notes, latency_of(done.card.latency)])


def _queries(found: TestCollection, everything: bool) -> list[Query]:
    """Those with judgments, unless all are wanted."""
    if everything:
        return list(found.queries)
    from cranfield.retrieval.collection import judged_queries

    kept = judged_queries(found)
    left = len(found.queries) - len(kept)
    if left:
        what, them = ("query", "it") if left == 1 else ("queries", "them")
        say([f"{left} {what} without judgments left out (--all-queries asks {them} too)"])
    if not kept:
        from cranfield.errors import NothingToEvaluate

        raise NothingToEvaluate(f"{found.name}: no query has judgments", "--all-queries asks all")
    return kept


def _passages(size: int | None, overlap: int | None, rollup: str | None) -> dict[str, Any] | None:
    """How documents are cut, None where they are not."""
    if size is not None:
        return {"size": size, "overlap": overlap or 0, "rollup": rollup or "max"}
    if overlap is not None or rollup is not None:
        raise UsageError("--overlap and --rollup are for --passages", "for example --passages 200")
    return None
