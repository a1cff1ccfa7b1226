"""`cranfield qrels`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_apart, keep_inputs, output, say
from cranfield.cli.reporting import form_for
from cranfield.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ["table", "md", "json", "csv", "tsv", "html"]


def _reading(command: F) -> F:
    """How sets of judgments are read."""
    for option in (
        inputs.split,
        inputs.qrels_format("the sets"),
        inputs.on_duplicate(" in one set"),
    ):
        command = option(command)
    return command


@click.group("qrels")
def command() -> None:
    """Compare, merge and count sets of judgments.

    A set is a file (TREC, BEIR, JSON, JSON lines, CSV, Parquet, Arrow), a BEIR folder or irds:<id>.
    """


@command.command("diff")
@click.argument("a")
@click.argument("b")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("-m", "--measure", "measures", multiple=True, help="Repeat for several.")
@click.option("--common", is_flag=True, help="Score on the queries that both sets judge only.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Of the paired t-tests.")
@click.option(
    "--correction",
    type=click.Choice(["none", "holm", "bonferroni", "bh", "by"]),
    default="none",
    show_default=True,
    help="For all pairs of runs under one measure.",
)
@inputs.scale("The largest grade [default: the larger of both sets].")
@inputs.ties("expected")
@inputs.run_format()
@click.option(
    "--table",
    type=click.Choice(["changes", "confusion", "queries", "scores", "pairs"]),
    default="changes",
    show_default=True,
    help="Which table CSV and TSV hold.",
)
@_reading
@inputs.lang
@inputs.form(*FORMATS)
@output
def diff(
    a: str,
    b: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    table: str,
    lang: str,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Say what changed from judgments A to judgments B, and what that does to the RUNs.

    Counts rows added, removed, raised and lowered, as a table of grades and by query. With RUNs,
    scores them on both sets and says whether their order changes (Kendall's tau_b, tau_AP,b,
    swapped pairs) and which differences become or stop being significant.
    """
    from cranfield.diagnosis.qrels_diff import qrels_diff
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES
    from cranfield.report import qrels, qrels_data
    from cranfield.report.language import words
    from cranfield.report.render import render

    keep_inputs(output, a, b, *runs)
    if "-" in runs:
        raise UsageError("runs are read twice, and standard input only once", "name a file")
    found = qrels_diff(a, b, list(runs), measures or DEFAULT_MEASURES, **options)
    form = form or form_for(output, FORMATS, "table")
    if form == "json":
        data = qrels_data.diff_json(found).encode()
    elif form in ("csv", "tsv"):
        data = render(qrels.grid(found, table, words(lang)), form)
    else:
        data = qrels.page(found, lang).to("text" if form == "table" else form).encode()
    emit(data, output)


@command.command("merge")
@click.argument("sets", nargs=-1, required=True, metavar="A B...")
@click.option("-o", "--output", required=True, help="Write the judgments here, in its format.")
@click.option(
    "--policy",
    type=click.Choice(["error", "first", "last", "max", "min", "majority"]),
    default="error",
    show_default=True,
    help="A document that sets judge differently: an error, or which grade counts.",
)
@click.option(
    "--on-tie",
    type=click.Choice(["error", "first", "last", "max", "min"]),
    default="error",
    show_default=True,
    help="With --policy majority: as many votes for one grade as for another.",
)
@click.option("--conflicts", metavar="FILE", help="Write every conflict, as TSV.")
@_reading
@inputs.lang
@inputs.form("table", "md", "json", "csv", "tsv")
def merge(
    sets: tuple[str, ...],
    output: str,
    conflicts: str | None,
    lang: str,
    form: str | None,
    **options: Any,
) -> None:
    """Make one set of judgments of several: A, B, ...

    A card beside the output (OUTPUT.card.json) names the sets with their fingerprints, the policy,
    and for every row the sets that give it its grade; formats with a column `source` say so in the
    row too. A grade below 0 is no judgment and gives way to any.
    """
    from cranfield.diagnosis.qrels_merge import qrels_merge
    from cranfield.formats.qrelscard import write_qrels_card
    from cranfield.formats.write import format_for, write_qrels
    from cranfield.report import qrels_data, qrels_sets
    from cranfield.report.render import render

    for written in (output, conflicts):
        keep_inputs(written, *sets)
    keep_apart(output, conflicts)
    format_for(output, "qrels")
    found = qrels_merge(list(sets), name=Path(output).name.partition(".")[0] or "merged", **options)
    if conflicts is not None:
        emit(render(qrels_sets.conflicts(found), "tsv"), conflicts)
    notes = write_qrels(found.decided(), output)
    write_qrels_card(qrels_data.card_of(found), output)
    if form == "json":
        data = qrels_data.merge_json(found, output).encode()
    else:
        data = render(qrels_sets.merge_grid(found, lang), form or "table")
        if form in (None, "table", "md"):
            data = f"{qrels_sets.merge_headline(found, lang)}\n\n".encode() + data
    emit(data, None)
    # the card says of every row which sets it comes from
    ours = "source left out" if not found.own_source else "\0"
    say([note for note in notes if not note.startswith(ours)])


@command.command("stats")
@click.argument("qrels")
@click.option(
    "--table",
    type=click.Choice(["grades", "spread"]),
    default="grades",
    show_default=True,
    help="Which table CSV and TSV hold.",
)
@_reading
@inputs.lang
@inputs.form(*FORMATS)
@output
def stats(
    qrels: str,
    table: str,
    lang: str,
    form: str | None,
    output: str | None,
    on_duplicate: Any,
    qrels_format: str | None,
    split: str | None,
) -> None:
    """Count the judgments QRELS: rows, grades, rows a query, queries without positives or
    negatives, and their fingerprint."""
    from cranfield.diagnosis.qrels_stats import qrels_stats
    from cranfield.report import qrels_data, qrels_sets
    from cranfield.report.language import words
    from cranfield.report.render import render

    keep_inputs(output, qrels)
    found = qrels_stats(qrels, on_duplicate=on_duplicate, format=qrels_format, split=split)
    form = form or form_for(output, FORMATS, "table")
    if form == "json":
        data = qrels_data.stats_json(found).encode()
    elif form in ("csv", "tsv"):
        data = render(qrels_sets.stats_grid(found, table, words(lang)), form)
    else:
        data = qrels_sets.stats_page(found, lang).to("text" if form == "table" else form).encode()
    emit(data, output)
