"""`cranfield doctor`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, keep_apart, keep_inputs, output, read_queries, say
from cranfield.cli.reporting import form_for

FORMATS = ["table", "md", "json", "html"]


@click.command("doctor")
@click.argument("qrels")
@click.argument("run")
@click.option("--collection", help="A folder or irds:<id> with the queries and the documents.")
@inputs.queries
@inputs.split
@click.option("--write-run", metavar="FILE", help="Write RUN with the ids that are meant.")
@click.option("--write-qrels", metavar="FILE", help="Write QRELS with the ids that are meant.")
@click.option("-m", "--measure", default="nDCG@10", show_default=True, help="Of what is gained.")
@click.option(
    "-k",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Depth in which relevant documents are counted.",
)
@inputs.on_duplicate()
@inputs.qrels_format()
@inputs.run_format("the run")
@inputs.lang
@inputs.form(*FORMATS)
@output
@click.pass_context
def command(
    context: click.Context,
    /,
    qrels: str,
    run: str,
    collection: str | None,
    queries: str | None,
    write_run: str | None,
    write_qrels: str | None,
    measure: str,
    lang: str,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Say why RUN scores 0, or oddly low, by QRELS.

    Compares the ids of run, judgments and collection: a prefix or suffix, zeros in front, case,
    blanks, Unicode normalisation, 12.0 for 12, file extensions, passages; swapped or wrong columns,
    queries of another set or another split, and scores that fall where they should rise. Says what
    would put it right. With --write-run or --write-qrels, and only then, a copy is written that is
    right.

    The exit code is 1 when a finding is an error and nothing was written, else 0.
    """
    from cranfield.diagnosis.doctor import doctor
    from cranfield.formats.write import format_for
    from cranfield.report import checked, doctored

    keep_apart(write_run, write_qrels, output)
    for written, kind in ((write_run, "run"), (write_qrels, "qrels"), (output, None)):
        keep_inputs(written, qrels, run, collection, queries)
        if written is not None and kind is not None:
            format_for(written, kind)  # type: ignore[arg-type]
    found = doctor(
        qrels, run, collection, measures=measure, queries=read_queries(queries), **options
    )
    form = form or form_for(output, FORMATS, "table")
    if form == "json":
        text = checked.to_json(found.result, lang)
    else:
        text = doctored.page(found, lang).to("text" if form == "table" else form)
    emit(text.encode(), output)
    lines = []
    if write_run is not None:
        lines += _write_run(found, run, write_run, options, lang)
    if write_qrels is not None:
        lines += _write_qrels(found, qrels, write_qrels, options, lang)
    say(lines)
    right = (write_run is not None and found.run) or (write_qrels is not None and found.qrels)
    context.exit(0 if right else found.result.exit_code())


def _write_run(found: Any, run: str, path: str, options: dict[str, Any], lang: str) -> list[str]:
    from cranfield.diagnosis.doctor import repaired
    from cranfield.formats.write import write_run
    from cranfield.report.doctored import written

    if not found.run:
        return [written(path, None, lang)]
    form, policy = options["run_format"], options["on_duplicate"]
    made, counts = repaired(run, found.run, format=form, on_duplicate=policy)
    return [written(path, counts, lang), *write_run(made, path)]


def _write_qrels(
    found: Any, qrels: str, path: str, options: dict[str, Any], lang: str
) -> list[str]:
    from cranfield.diagnosis.repair import repaired_qrels
    from cranfield.formats.readers import read_qrels
    from cranfield.formats.write import write_qrels
    from cranfield.report.doctored import written

    if not found.qrels:
        return [written(path, None, lang)]
    form, policy = options["qrels_format"], options["on_duplicate"]
    given = read_qrels(qrels, format=form, on_duplicate=policy, split=options["split"])
    made, counts = repaired_qrels(given, found.qrels)
    return [written(path, counts, lang), *write_qrels(made, path)]
