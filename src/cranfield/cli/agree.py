"""`cranfield agree`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.exporting import POLICIES
from cranfield.cli.judging.store import (
    every_prompt_option,
    labels_option,
    store_of,
    which_told,
)
from cranfield.cli.options import emit, keep_inputs, output, say
from cranfield.cli.reporting import form_for
from cranfield.errors import UsageError

FORMATS = ["table", "md", "html", "json", "csv", "tsv"]


@click.command("agree")
@click.argument("a")
@click.argument("b", required=False)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("-m", "--measure", "measures", multiple=True, help="Of the order [nDCG@10].")
@click.option("--rel", type=float, default=1, show_default=True, help="The least relevant grade.")
@click.option("--scale", metavar="G,G...", help="All grades there are [default: those that occur].")
@click.option("--by", multiple=True, metavar="FIELD", help="A field of the queries to look by.")
@click.option("--queries", help="Queries with texts and fields.")
@click.option(
    "--combine",
    type=click.Choice(POLICIES[3:]),
    default="majority",
    show_default=True,
    help="Several judgments of a pair in one set.",
)
@click.option(
    "--tied", type=click.Choice(["lower", "higher", "latest", "drop"]), default="lower",
    show_default=True, help="A majority or a median that two grades share.",
)  # fmt: skip
@click.option("-k", type=click.IntRange(min=1), default=10, show_default=True, help="Of a run.")
@click.option(
    "--top", type=click.IntRange(min=2), default=10, show_default=True, help="The best systems."
)
@click.option(
    "--pairs", type=click.Choice(["common", "own"]), default="common", show_default=True,
    help="Score systems by the pairs that both grade, or by all that each has.",
)  # fmt: skip
@click.option("--test", type=click.Choice(["t", "randomisation"]), default="t", show_default=True)
@click.option(
    "--correction", type=click.Choice(["holm", "bonferroni", "bh", "by", "none"]), default="holm",
    show_default=True, help="For all pairs of systems.",
)  # fmt: skip
@click.option("--alpha", type=float, default=0.05, show_default=True)
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--resamples", type=int, default=2000, show_default=True, help="0: no intervals.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--families", metavar="FILE", help="Lines of run<TAB>family.")
@click.option("--judge-family", help="The family of the judge behind B.")
@click.option(
    "--part", type=click.Choice(["tune", "report"]),
    help="Only the queries to tune a rubric on, or to report its agreement on.",
)  # fmt: skip
@click.option("--share", type=float, help="Of the queries to tune on, at the first time [0.5].")
@click.option("--part-seed", type=int, help="What the parts are drawn with, at the first time [0].")
@which_told
@every_prompt_option
@labels_option
@inputs.lang
@inputs.page_format(FORMATS)
@output
def command(
    a: str,
    b: str | None,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    scale: str | None,
    by: tuple[str, ...],
    queries: str | None,
    combine: Any,
    tied: Any,
    families: str | None,
    judge_family: str | None,
    part: str | None,
    share: float | None,
    part_seed: int | None,
    models: tuple[str, ...],
    prompts: tuple[str, ...],
    rubrics: tuple[str, ...],
    every_prompt: bool,
    labels: str | None,
    lang: str,
    form: str | None,
    output: str | None,
    **choices: Any,
) -> None:
    """Say how far the labels of B agree with those of A, and, given RUNs, whether both put the
    systems in one order; without B, how far the judges within A agree.

    A and B are files of labels in any format, or labels of the store: @human, @llm, @human:anna,
    @llm:MODEL, @llm:MODEL#PROMPT, @all. Where one is the truth it is A. --model, --prompt and
    --rubric choose in each of the two that has any such label.
    """
    from cranfield.cli.check import _groups
    from cranfield.cli.judging.store import queries_of, wanted_of
    from cranfield.cli.lab import typed
    from cranfield.judging.agree import MEASURES, agree, look_remarks
    from cranfield.judging.how import How
    from cranfield.judging.policies import policy
    from cranfield.report import agreed
    from cranfield.report.language import words
    from cranfield.report.render import render

    if measures and not runs:
        raise UsageError("--measure is of runs, and there is none", "cranfield agree A B RUN...")
    keep_inputs(output, a, b, queries, families, *runs)
    store = _store(labels, a, b, part)
    found = agree(
        a,
        b,
        runs,
        measures or MEASURES,
        labels=store,
        combine=policy(combine, ties=tied, every_prompt=every_prompt),
        how=How(scale=_grades(scale), **choices),
        queries=queries_of(queries),
        by=by,
        families=None if families is None else _groups(families),
        judge_family=judge_family,
        part=part,
        share=share,
        part_seed=part_seed,
        command=typed(),
        which=wanted_of(models=models, prompts=prompts, rubrics=rubrics),
    )
    more = look_remarks(store) if part != "tune" else []
    form = form or form_for(output, FORMATS, "table")
    if form in ("csv", "tsv"):
        emit(render(agreed.flat(found), form), output)
        say([agreed.in_words(r, words(lang)) for r in (*found.cautions, *more)])
    elif form == "json":
        emit(agreed.to_json(found, lang, more).encode(), output)
    else:
        emit(
            agreed.page(found, lang, more).to("text" if form == "table" else form).encode(), output
        )


def _store(labels: str | None, a: str, b: str | None, part: str | None) -> Any:
    """The store where one is meant; None where files are enough."""
    import os

    meant = part is not None or any(
        x is not None and x.startswith("@") and not os.path.exists(x) for x in (a, b)
    )
    if labels is not None or meant:
        return store_of(labels, there=part is None)
    return None


def _grades(text: str | None) -> tuple[float, ...]:
    if text is None:
        return ()
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--scale {text!r} are not grades", "for example 0,1,2,3") from None
