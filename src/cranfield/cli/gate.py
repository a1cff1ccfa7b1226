"""`cranfield gate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import inputs
from cranfield.cli.lab import base_and_runs, given_only, here, typed
from cranfield.cli.options import emit, keep_inputs, ordering, read_queries, say
from cranfield.errors import NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.comparison.outcome import Comparison
    from cranfield.comparison.rules import GatePlan
    from cranfield.experiment.config import Config
    from cranfield.experiment.lab import Lab

RULES = ("no_loss", "gain", "at_least", "by", "judged", "missing")
CHOICES = ("alpha", "correction", "seed", "cannot_tell")


@click.command("gate")
@click.argument("arguments", nargs=-1, required=True, metavar="[QRELS] BASE RUN")
@click.option("--qrels", help="The judgments; both arguments are then runs.")
@click.option(
    "--config",
    help="Rules from the [gate] table of this TOML file [default: the lab's cranfield.toml].",
)
@click.option(
    "--no-loss",
    type=(str, float),
    multiple=True,
    metavar="MEASURE X",
    help="No significant loss of more than X.",
)
@click.option(
    "--gain",
    type=(str, float),
    multiple=True,
    metavar="MEASURE X",
    help="A significant gain of at least X.",
)
@click.option(
    "--at-least", type=(str, float), multiple=True, metavar="MEASURE X", help="A mean of X or more."
)
@click.option("--by", metavar="FIELD", help="Hold --no-loss for each label of a query field too.")
@click.option("--judged", type=float, help="judged@k of the run, at least.")
@click.option("--missing", type=float, help="Queries missing or failed, at most.")
@click.option("--alpha", type=float, help="Level of the tests [default: 0.05]")
@click.option(
    "--correction",
    type=click.Choice(["holm", "bonferroni", "bh", "by", "none"]),
    help="For several rules at once [default: holm]",
)
@click.option("--seed", type=int, help="[default: 0]")
@click.option(
    "--cannot-tell",
    type=click.Choice(["pass", "warn", "fail"]),
    help="Exit code of an undecided check: 0, 7 or 1 [default: warn]",
)
@click.option("--summary", metavar="FILE", help="Write Markdown for a pull request.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML.")
@click.option("--json", "json_", metavar="FILE", help="Write JSON.")
@inputs.lang
@click.option("--queries", help="Queries with fields (JSON lines, TSV, TREC topics), for slices.")
@inputs.split
@click.option("--no-record", is_flag=True, help="In a lab: do not keep it in the ledger.")
@ordering
@click.pass_context
def command(
    context: click.Context,
    /,
    arguments: tuple[str, ...],
    qrels: str | None,
    config: str | None,
    summary: str | None,
    junit: str | None,
    json_: str | None,
    lang: str,
    queries: str | None,
    no_record: bool,
    **options: Any,
) -> None:
    """Hold RUN against BASE by rules; the exit code says whether it may pass.

    0 pass, 1 fail, 7 cannot tell (with the policy `warn`), 2 and above an error. Without a rule:
    no significant loss of more than 0.01 nDCG@10, and no query missing.

    In a lab (`cranfield init`) QRELS may be left out, the rules are those of its cranfield.toml,
    and BASE and RUN may be something recorded (@2, @last).
    """
    from cranfield.comparison.gate import check, comparison_for
    from cranfield.report import gated

    lab = here()
    judgments, runs = base_and_runs(arguments, qrels, lab)
    if len(runs) != 2:
        raise UsageError(f"a base and {len(runs) - 1} runs", "one run at a time: BASE RUN")
    for target in (summary, junit, json_):
        keep_inputs(target, judgments, *runs, config, queries)
    asked = {name: options.pop(name) for name in (*RULES, *CHOICES)}
    plan = _plan(config, None if lab is None else lab.config, asked)
    how = given_only(context, {**options, "score_width": int(options["score_width"])})
    notes: list[str] = []
    if lab is None:
        if no_record:
            raise UsageError("--no-record is for a lab, and this is none", "cranfield init")
        base, run = runs
        found = comparison_for(judgments, base, run, plan, queries=read_queries(queries), **how)
    else:
        how |= {k: v for k, v in (("qrels", judgments), ("queries", queries)) if v is not None}
        found, notes = _in_lab(lab, runs, plan, {**how, "record": not no_record})
    result = check(found, plan)
    page = gated.page(result, lang)
    emit(page.to_text().encode(), None)
    if summary is not None:
        emit(page.to_markdown().encode(), summary)
    if junit is not None:
        emit(gated.to_junit(result), junit)
    if json_ is not None:
        emit(gated.to_json(result).encode(), json_)
    say(notes)
    context.exit(result.exit_code)


def _in_lab(
    lab: Lab, runs: list[str], plan: GatePlan, how: dict[str, Any]
) -> tuple[Comparison, list[str]]:
    from cranfield.experiment.comparing import compare_in_lab
    from cranfield.report.history import said

    done = compare_in_lab(
        lab,
        runs,
        plan.asked_measures,
        by=plan.fields,
        top=0,
        k=0,
        command=typed(),
        choices=plan.choices,
        **how,
    )
    # what stands among the cautions of the page need not be said once more
    return done.found, said([r for r in done.remarks if r not in done.found.cautions])


def _plan(config: str | None, lab: Config | None, asked: dict[str, Any]) -> GatePlan:
    """The plan of the file, with the rules and choices of the options added to it."""
    from cranfield.comparison.rules import GatePlan, Rule, RuleKind, plan_of

    plan = None
    if config is not None:
        plan = plan_of(_table(config), config)
    elif lab is not None and lab.gate:
        plan = plan_of(lab.gate, str(lab.path))
    kinds: list[tuple[RuleKind, str]] = [
        ("no-loss", "no_loss"),
        ("gain", "gain"),
        ("at-least", "at_least"),
    ]
    rules = [Rule(kind, x, m) for kind, option in kinds for m, x in asked.pop(option)]
    by = asked.pop("by")
    if by is not None:
        losses = [r for r in rules if r.kind == "no-loss"]
        if not losses:
            raise UsageError("--by without --no-loss", "say which loss: --no-loss nDCG@10 0.05")
        rules += [Rule(r.kind, r.limit, r.measure, by) for r in losses]
    for kind, limit in (("judged", asked.pop("judged")), ("missing", asked.pop("missing"))):
        if limit is not None:
            rules.append(Rule(kind, limit))  # type: ignore[arg-type]
    if plan is None:
        plan = GatePlan(tuple(rules)) if rules else GatePlan()
    elif rules:
        plan = plan.but(rules=(*plan.rules, *rules))
    return plan.but(**asked)


def _table(config: str) -> dict[str, Any]:
    """The [gate] table of a TOML file.

    Raises
    ------
    NoSuchInput, UsageError
        There is no file, no TOML or no such table.
    """
    import tomllib

    try:
        found = tomllib.loads(Path(config).read_text("utf-8"))
    except OSError as e:
        raise NoSuchInput(f"{config}: {e.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise UsageError(f"{config}: not TOML: {e}") from None
    table = found.get("gate")
    if not isinstance(table, dict):
        raise UsageError(f"{config} has no table [gate]", "rules are written as [[gate.rule]]")
    return table
