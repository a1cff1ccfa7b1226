"""What `cranfield judge serve` and `judge terminal` are asked: what is judged, by whom, by what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import labels_option

F = TypeVar("F", bound=Callable[..., Any])


def dealing(command: F) -> F:
    """What is judged, by whom, by which rubric."""
    for option in reversed(
        [
            click.argument("collection", required=False),
            click.option(
                "--work-list",
                metavar="FILE",
                help="Pairs to judge: what `check --holes`, `--suspects` or `judge pool` wrote, or "
                "a query and a document a line [default: every document for every query]; for "
                "preferences a query and two documents a line.",
            ),
            click.option(
                "--run",
                "runs",
                multiple=True,
                metavar="RUN",
                help="Judge the first --depth documents of this run that have no label; for "
                "preferences all pairs of them. Repeat for more.",
            ),
            click.option(
                "--depth",
                type=click.IntRange(min=1),
                default=5,
                show_default=True,
                help="The first so many documents of each --run.",
            ),
            click.option(
                "--sample",
                type=click.IntRange(min=1),
                metavar="N",
                help="Only N of what --run or a list of two documents names, drawn by --seed.",
            ),
            click.option(
                "--both-orders",
                "both",
                is_flag=True,
                help="Ask for each preference twice, once in each order. A pair answered in both "
                "counts only where the two answers agree; one answered in one order so far counts "
                "by that answer.",
            ),
            click.option("--query", "only", multiple=True, help="Only this one. Repeat for more."),
            click.option(
                "--assessor",
                "assessors",
                multiple=True,
                help="Who judges. Repeat for several [default: $CRANFIELD_ASSESSOR, else $USER].",
            ),
            click.option(
                "--overlap",
                type=click.FloatRange(0, 1),
                default=0.0,
                show_default=True,
                help="Of several assessors: the share of pairs that all of them judge; the rest is "
                "divided.",
            ),
            click.option(
                "--divide",
                "unit",
                type=click.Choice(["pair", "query"]),
                default="pair",
                show_default=True,
                help="What is shared or divided: pairs, or whole queries.",
            ),
            click.option(
                "--order",
                type=click.Choice(["query", "mixed", "list"]),
                default="query",
                show_default=True,
                help="Query by query, both in random order; all pairs in random order; or as the "
                "work-list has them.",
            ),
            click.option("--seed", type=int, default=0, show_default=True, help="Of all that."),
            click.option(
                "--rubric",
                help="What is judged by: a TOML or Markdown file, or the name of a bundled one "
                "(grades: 0-3; binary: 0 and 1; preference: which of two) [default: binary where "
                "the collection's judgments are, else grades].",
            ),
            click.option(
                "--round",
                "round_",
                metavar="NAME",
                help="Judge again: only what was judged under this name counts as judged.",
            ),
            inputs.lang,
            labels_option,
        ]
    ):
        command = option(command)
    return command
