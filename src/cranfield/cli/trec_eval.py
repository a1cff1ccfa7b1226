"""`cranfield trec-eval`."""

from __future__ import annotations

import click

from cranfield import __version__
from cranfield.cli.options import emit, say

FORMATS = ["qrels", "qrels_jg", "prefs", "qrels_prefs"]


@click.command("trec-eval", add_help_option=False)
@click.argument("qrels", required=False)
@click.argument("run", required=False)
@click.option("-h", "--help", "help_wanted", is_flag=True, help="This text, or about -m MEASURE.")
@click.option("-v", "--version", is_flag=True, help="Print the version.")
@click.option("-q", "--query_eval_wanted", "by_topic", is_flag=True, help="Values by topic too.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME[.PARAMETERS]",
    help="Repeat for several; official, all_trec, set, qrels_jg, prefs and all_prefs are groups "
    "of measures [default: official].",
)
@click.option(
    "-c",
    "--complete_rel_info_wanted",
    "complete",
    is_flag=True,
    help="A judged topic that the run does not answer counts as 0.",
)
@click.option("-n", "--nosummary", is_flag=True, help="No summary.")
@click.option(
    "-l",
    "--level_for_rel",
    "level",
    type=int,
    default=1,
    show_default=True,
    help="The lowest relevant grade.",
)
@click.option(
    "-M",
    "--Max_retrieved_per_topic",
    "most",
    type=int,
    help="Read only the first so many documents of a topic.",
)
@click.option(
    "-J",
    "--Judged_docs_only",
    "judged_only",
    is_flag=True,
    help="Take unjudged documents out of the lists.",
)
@click.option(
    "-N",
    "--Number_docs_in_coll",
    "docs",
    type=int,
    default=0,
    help="Documents in the collection, for utility.",
)
@click.option(
    "-R",
    "--Rel_info_format",
    "form",
    type=click.Choice(FORMATS),
    default="qrels",
    show_default=True,
    help="What QRELS is.",
)
@click.option(
    "-T",
    "--Results_format",
    type=click.Choice(["trec_results"]),
    help="What RUN is: there is only one choice.",
)
@click.option(
    "-Z",
    "--Zscore",
    "zscores",
    metavar="FILE",
    help="Values as deviations from the means in FILE.",
)
@click.option("-D", "--Debug_level", "debug", metavar="N[.TOPIC]", help="Only the topic.")
@click.option("-o", "old", is_flag=True, help="Without effect, as in trec_eval.")
@click.option("--Output_old_results_format", "old_long", hidden=True)
@click.option("--v9", is_flag=True, help="The arithmetic and the measures of trec_eval 9.")
@click.pass_context
def command(
    ctx: click.Context,
    qrels: str | None,
    run: str | None,
    help_wanted: bool,
    version: bool,
    by_topic: bool,
    measures: tuple[str, ...],
    complete: bool,
    nosummary: bool,
    level: int,
    most: int | None,
    judged_only: bool,
    docs: int,
    form: str,
    results_format: str | None,
    zscores: str | None,
    debug: str | None,
    old: bool,
    old_long: str | None,
    v9: bool,
) -> None:
    """Print what trec_eval would print: the same options, the same bytes.

    QRELS are judgments, RUN is a TREC run file (- for standard input), compressed or not. The
    numbers are those of trec_eval 10.0; with --v9 those of 9.0.8.
    """
    if help_wanted:
        click.echo(ctx.get_help())
        _explain(measures, 9 if v9 else 10)
        return
    if version:
        click.echo(f"cranfield {__version__}: trec_eval 10.0, with --v9 trec_eval 9.0.8")
        return
    if qrels is None or run is None:
        raise click.UsageError("two files are needed: QRELS RUN", ctx)
    from cranfield.evaluation.treceval import trec_table
    from cranfield.evaluation.treceval_values import Options
    from cranfield.formats.inputs import Input
    from cranfield.formats.treceval import read_zscores

    table = trec_table(
        qrels,
        run,
        Options(
            measures=measures,
            version=9 if v9 else 10,
            complete=complete,
            level=level,
            judged_only=judged_only,
            most=most,
            docs=docs,
            form=form,  # type: ignore[arg-type]  # click has checked it
            zscores=None if zscores is None else read_zscores(Input(zscores)),
            topic=debug.partition(".")[2] or None if debug else None,
        ),
    )
    emit("".join(table.lines(by_topic, not nosummary)).encode(), None)
    notes = list(table.notes)
    if debug and not debug.startswith("0"):
        notes.append("-D prints nothing more here; `cranfield explain` works a score out")
    if old or old_long is not None:
        notes.append("-o has no effect, here and in trec_eval")
    say(notes)


def _explain(measures: tuple[str, ...], version: int) -> None:
    """The pages of the measures asked for."""
    from cranfield.evaluation.treceval_measures import asked, columns
    from cranfield.report.measures import page

    shown = columns(asked(measures, version), version=version)
    for family in dict.fromkeys(c.measure.family for c in shown if c.measure is not None):
        click.echo(f"\n{page(family)}", nl=False)
