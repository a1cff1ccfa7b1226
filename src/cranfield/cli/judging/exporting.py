"""`cranfield judge export`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli.judging.store import labels_option, queries_of, store_of, wanted_of, which
from cranfield.cli.options import keep_inputs, say

POLICIES = (
    *("human", "human-over-llm", "expert-over-crowd"),
    *("majority", "min", "max", "median", "latest"),
)


@click.command("export")
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="human",
    show_default=True,
    help="Which judgments decide a pair: people only; a model where no person graded; experts "
    "first; or one rule for all.",
)
@click.option(
    "--combine",
    type=click.Choice(POLICIES[3:]),
    default="majority",
    show_default=True,
    help="How the judgments that decide become one, for the first three policies.",
)
@click.option(
    "--tied",
    type=click.Choice(["lower", "higher", "latest", "drop"]),
    default="lower",
    show_default=True,
    help="A majority or a median that two grades share: which counts, or drop the pair.",
)
@click.option("--expert", "experts", multiple=True, help="An assessor who is one.")
@click.option(
    "--format",
    "form",
    help="trec, beir, json, jsonl, csv, parquet, arrow, quepid, rank-eval, opensearch, letor "
    "[default: by the ending of --output].",
)
@click.option("--queries", help="Queries, for tools that know them by their texts.")
@click.option("--index", help="For rank-eval: the index that ratings name.")
@which
@labels_option
@click.option("-o", "--output", required=True, help="The file; its card is written beside it.")
def command(
    policy: str,
    combine: Any,
    tied: Any,
    experts: tuple[str, ...],
    form: str | None,
    queries: str | None,
    index: str | None,
    labels: str | None,
    output: str,
    **chosen: Any,
) -> None:
    """Write one grade a pair, by a policy that is written into the card of the file.

    Undone and changed judgments do not count; unsure and skipped ones have no grade. Both are
    counted, as are conflicts and how they were settled.
    """
    from pathlib import Path

    from cranfield.cli.making import writable
    from cranfield.judging.interchange.write import write_labels
    from cranfield.judging.policies import apply_policy
    from cranfield.judging.policies import policy as policy_of

    keep_inputs(output, queries, labels)
    writable(output)
    rule = policy_of(policy, combine=combine, ties=tied, experts=experts)
    store = store_of(labels)
    wanted = wanted_of(**chosen)
    found = apply_policy(store.current(wanted), rule, name=Path(output).name.split(".")[0])
    known = queries_of(queries)
    about = {
        **found.provenance(),
        "only": {k: list(v) for k, v in wanted.columns().items()},
        "rows_of_store": store.last(),
        "at": store.time(),
    }
    notes = write_labels(found.qrels, output, form, provenance=about, queries=known, index=index)
    rows, asked = len(found.qrels), len(found.qrels.queries)
    click.echo(
        f"{output}: {rows} row{'s' * (rows != 1)} of {asked} quer{'y' if asked == 1 else 'ies'}, "
        f"by {policy}"
    )
    say([*counted(found), *notes])


def counted(found: Any) -> list[str]:
    """What the policy did, in words."""
    said = []
    if found.conflicts:
        said.append(f"{_pairs(found.conflicts)} in conflict, settled by {found.policy.combine}")
    if found.ties:
        dropped = found.policy.ties == "drop"
        how = "dropped" if dropped else f"settled by the {found.policy.ties} grade"
        said.append(f"{found.ties} of them tied, {how}")
    if found.without_grade:
        listed = ", ".join(f"{n} {state}" for state, n in found.states.items())
        said.append(
            f"left out: {_pairs(found.without_grade)} without a grade that counts"
            + (f" ({listed})" if listed else "")
        )
    if found.left_out:
        listed = ", ".join(f"{n} {source}" for source, n in found.left_out.items())
        said.append(f"judgments that the policy does not look at: {listed}")
    if len(found.by_tier) > 1:
        said.append("pairs decided by each tier: " + ", ".join(map(str, found.by_tier)))
    return said


def _pairs(n: int) -> str:
    return f"{n} pair{'' if n == 1 else 's'}"
