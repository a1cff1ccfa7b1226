"""`cranfield bundle`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import deciding, keep_inputs, ordering, output, reading
from cranfield.errors import InputError, UsageError


@click.command("bundle")
@click.argument("qrels", required=False)
@click.argument("base", required=False)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--check", metavar="FILE", help="Verify a bundle and compute its numbers again.")
@click.option("-m", "--measure", "measures", multiple=True, help="Repeat for several.")
@click.option("--by", multiple=True, metavar="FIELD", help="Each label of a query field, too.")
@deciding
@click.option("--top", type=click.IntRange(min=0), default=5, show_default=True, help="Changes.")
@inputs.lang
@output
@reading
@ordering
def command(
    qrels: str | None,
    base: str | None,
    runs: tuple[str, ...],
    check: str | None,
    measures: tuple[str, ...],
    lang: str,
    output: str | None,
    queries: str | None,
    score_width: str,
    **options: Any,
) -> None:
    """Pack a comparison for the appendix of a paper: one zip with qrels, runs, scores of every
    query, figures, report, choices, seeds, versions, and a sha256 of each file.

    The same input makes the same bytes. Anyone can check the zip with --check, which verifies
    every file, scores the runs inside again and says whether the numbers are the same.
    """
    if check is not None:
        if qrels is not None:
            raise UsageError("--check takes no other file")
        _check(check)
        return
    if qrels is None or base is None or not runs or output is None:
        raise UsageError(
            "qrels, a base, a run or -o is missing",
            "cranfield bundle QRELS BASE RUN -o appendix.zip",
        )
    if not output.lower().endswith(".zip"):
        raise UsageError(f"{output}: a bundle is a zip file", "name a file that ends in .zip")
    from cranfield.evaluation.evaluate import DEFAULT_MEASURES
    from cranfield.report.bundle import write_bundle

    keep_inputs(output, qrels, base, queries, *runs)
    options.pop("threads")  # changes no number, and belongs to a machine
    packed = write_bundle(
        output,
        qrels,
        base,
        runs,
        measures or DEFAULT_MEASURES,
        queries_file=queries,
        lang=lang,
        score_width=int(score_width),
        **{**options, "by": list(options["by"])},
    )
    click.echo(f"{output}: {len(packed.names) + 1} files")


def _check(path: str) -> None:
    from cranfield.report.bundle_check import check_bundle

    found = check_bundle(path)
    for name, (then, now) in found.other_versions.items():
        click.echo(f"note: packed with {name} {then}, checked with {now}", err=True)
    if found.problems:
        raise InputError("\n".join([f"{path} does not hold", *found.problems]))
    same = "byte for byte the same" if found.exact else "the same but for rounding"
    click.echo(f"{path}: {found.files} files as they were packed; made again and {same}:")
    for name in found.again:
        click.echo(f"  {name}")
