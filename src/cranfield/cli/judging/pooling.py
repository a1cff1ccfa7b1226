"""`cranfield judge pool` and `fill`."""

from __future__ import annotations

from collections.abc import Callable

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import labels_option
from cranfield.cli.options import emit, keep_inputs, output, say
from cranfield.errors import UsageError


@click.command("pool")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--depth", default="100", show_default=True, metavar="K[,K...]",
    help="Of the pool; several cut it into strata.",
)  # fmt: skip
@click.option(
    "--rate", metavar="R[,R...]", help="Share of each stratum to label [default: 1, all of it]."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@click.option("--queries", help="Only these queries (JSON lines, TSV, TREC topics).")
@inputs.lang
@output
def pool(
    runs: tuple[str, ...],
    depth: str,
    rate: str | None,
    seed: int,
    queries: str | None,
    lang: str,
    output: str | None,
) -> None:
    """Write which documents of the RUNs to label: all within --depth of any run, or a sample of
    them by strata of depth, from which average precision can be inferred.

    `judge fill` puts the labels in.
    """
    from cranfield.cli.options import read_queries
    from cranfield.judging.poolfile import pool_text
    from cranfield.judging.pools import pool_of
    from cranfield.report.exchanged import pooled
    from cranfield.report.language import words

    keep_inputs(output, queries, *runs)
    depths = numbers(depth, int, "--depth")
    rates = [1.0] * len(depths) if rate is None else numbers(rate, float, "--rate")
    known = read_queries(queries)
    found = pool_of(
        runs, depths, rates, seed=seed, queries=None if known is None else [q.id for q in known]
    )
    emit(pool_text(found).encode(), output)
    say([pooled(found, seed, words(lang))])


@click.command("fill")
@click.argument("pool")
@click.argument("given", metavar="LABELS")
@click.option(
    "--format", "form", type=click.Choice(["qrels", "sampled"]), default="qrels", show_default=True,
    help="qrels: -1 for what has no grade, for infAP; sampled: with the stratum, for extended "
    "infAP.",
)  # fmt: skip
@inputs.lang
@labels_option
@output
def fill(
    pool: str, given: str, form: str, lang: str, labels: str | None, output: str | None
) -> None:
    """Put LABELS (a file in any format, or @human, @all of the store) into a POOL.

    Labels of documents that were not sampled are left out, and counted: they would undo the
    sample.
    """
    from cranfield.cli.judging.store import store_where_meant
    from cranfield.judging.poolfile import read_pool
    from cranfield.judging.pools import fill as filled
    from cranfield.judging.pools import pool_qrels, sampled_lines
    from cranfield.judging.sets import label_set
    from cranfield.report.exchanged import filled as in_words
    from cranfield.report.language import words

    keep_inputs(output, pool, given)
    known = label_set(given, labels=store_where_meant(labels, given))
    found = filled(read_pool(pool), known)
    if form == "sampled":
        text = sampled_lines(found.pool)
    else:
        q = pool_qrels(found.pool)
        names = q.queries.to_list()
        rows = zip(q.query.tolist(), q.docs, q.grade.tolist(), strict=True)
        text = "".join(f"{names[i]} 0 {doc} {grade:g}\n" for i, doc, grade in rows)
    emit(text.encode(), output)
    say([*in_words(found, words(lang)), *known.notes])


def numbers(text: str, kind: Callable[[str], int | float], option: str) -> list:  # type: ignore[type-arg]
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} {text!r} are not numbers", "for example 10,50,100") from None
