"""`cranfield check`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.lab import known_here
from cranfield.cli.options import emit, keep_apart, keep_inputs, output, read_queries
from cranfield.cli.reporting import form_for
from cranfield.errors import FormatError, NoSuchInput

FORMATS = ["table", "md", "json", "html"]


@click.command("check")
@click.argument("collection")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help="Whose scores are bounded; the first decides orders [default: nDCG@10, P@10, RR@10]",
)
@click.option(
    "-k",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Depth of judged@k and of the work-list.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["info", "caution", "warning", "error", "never"]),
    default="error",
    show_default=True,
    help="Exit with 1 when a finding is as grave as this.",
)
@click.option("--holes", metavar="FILE", help="Write all documents to label, as TSV.")
@click.option(
    "--order",
    type=click.Choice(["auto", "swing", "weight"]),
    default="auto",
    show_default=True,
    help="The documents to label first: those that pull compared runs apart (swing), or that runs "
    "rank high (weight); auto: weight only for a single run.",
)
@click.option("--suspects", metavar="FILE", help="Write the labels to look at again, as TSV.")
@click.option(
    "--good",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="The share of the runs, the best by the first measure, that labels are held against.",
)
@click.option("--groups", metavar="FILE", help="Lines of run<TAB>group, left out together.")
@click.option(
    "--pool-depth",
    type=click.IntRange(1, 100),
    help="For leaving runs out [default: what the judgments show]",
)
@click.option("--no-documents", is_flag=True, help="Do not read the documents.")
@click.option("--exact", is_flag=True, help="Look for exact duplicates among documents only.")
@inputs.queries
@inputs.split
@inputs.ties()
@inputs.scale("The largest grade of the guidelines.")
@inputs.on_duplicate()
@inputs.qrels_format()
@inputs.run_format()
@inputs.threads
@inputs.lang
@inputs.form(*FORMATS)
@output
@click.pass_context
def command(
    context: click.Context,
    /,
    collection: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    k: int,
    fail_on: Any,
    holes: str | None,
    suspects: str | None,
    good: float,
    groups: str | None,
    pool_depth: int | None,
    no_documents: bool,
    exact: bool,
    queries: str | None,
    lang: str,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Say what is wrong with COLLECTION, and how far it may move the scores of the RUNs.

    COLLECTION is a folder or a file of judgments. Counts what was judged, bounds each score and
    each difference over all that unjudged documents may turn out to be, lists the documents to
    label first, and scores each run without the judgments that only it brought in. Looks for ids
    that lead nowhere or are written otherwise, duplicate documents, queries that tell no runs
    apart, and labels that speak against all good runs. In a lab it says whether the judgments have
    changed since they were last used, and compares queries across the frozen split.

    The exit code is 1 when a finding is as grave as --fail-on, else 0.
    """
    from cranfield.diagnosis.check import MEASURES, check
    from cranfield.diagnosis.copies import NEAR
    from cranfield.report import checked
    from cranfield.report.render import render

    form = form or form_for(output, FORMATS, "table")
    for written in (output, holes, suspects):
        keep_inputs(written, collection, queries, groups, *runs)
    keep_apart(output, holes, suspects)
    found = check(
        collection,
        list(runs),
        measures or MEASURES,
        k=k,
        pool_depth=pool_depth,
        groups=None if groups is None else _groups(groups),
        documents=not no_documents,
        near=None if exact else NEAR,
        good=good,
        queries=read_queries(queries),
        **known_here(collection),
        **options,
    )
    if form == "json":
        text = checked.to_json(found, lang)
    else:
        text = checked.page(found, lang).to("text" if form == "table" else form)
    if holes is not None:
        emit(render(checked.holes(found.holes), "tsv"), holes)
    if suspects is not None:
        emit(render(checked.holes(found.suspects), "tsv"), suspects)
    emit(text.encode(), output)
    context.exit(found.exit_code(fail_on))


def _groups(path: str) -> dict[str, str]:
    """{run: group}.

    Raises
    ------
    NoSuchInput, FormatError
        There is no file, or a line of it is no run and group.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise NoSuchInput(f"{path} cannot be read: {getattr(e, 'strerror', 'not UTF-8')}") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise FormatError(
                "not a run and its group", "run<TAB>group", file=path, line=number, text=line
            )
        found[cells[0]] = cells[1]
    return found
