"""`cranfield gate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cranfield.cli.options import emit, keep_inputs, ordering, read_queries
from cranfield.errors import NoSuchInput, UsageError


@click.command("gate")
@click.argument("qrels")
@click.argument("base")
@click.argument("run")
@click.option("--config", help="Rules from the [gate] table of this TOML file.")
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
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option("--queries", help="Queries with fields (JSON lines, TSV, TREC topics), for slices.")
@click.option("--split", help="Which qrels of a BEIR folder [default: test].")
@ordering
def command(
    qrels: str,
    base: str,
    run: str,
    config: str | None,
    summary: str | None,
    junit: str | None,
    json_: str | None,
    lang: str,
    queries: str | None,
    split: str | None,
    score_width: str,
    ties: str,
    scale: float | None,
    on_duplicate: str,
    **asked: Any,
) -> None:
    """Hold RUN against BASE by rules; the exit code says whether it may pass.

    0 pass, 1 fail, 7 cannot tell (with the policy `warn`), 2 and above an error. Without a rule:
    no significant loss of more than 0.01 nDCG@10, and no query missing.
    """
    from cranfield.comparison.gate import gate
    from cranfield.report import gated

    for target in (summary, junit, json_):
        keep_inputs(target, qrels, base, run, config, queries)
    found = gate(
        qrels,
        base,
        run,
        _plan(config, asked),
        queries=read_queries(queries),
        split=split,
        score_width=int(score_width),
        ties=ties,
        scale=scale,
        on_duplicate=on_duplicate,
    )
    page = gated.page(found, lang)
    emit(page.to_text().encode(), None)
    if summary is not None:
        emit(page.to_markdown().encode(), summary)
    if junit is not None:
        emit(gated.to_junit(found), junit)
    if json_ is not None:
        emit(gated.to_json(found).encode(), json_)
    click.get_current_context().exit(found.exit_code)


def _plan(config: str | None, asked: dict[str, Any]) -> Any:
    """The plan of the file, with the rules and choices of the options added to it."""
    from cranfield.comparison.rules import GatePlan, Rule, RuleKind, plan_of

    plan = plan_of(_table(config), config) if config is not None else None
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
