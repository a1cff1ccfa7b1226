"""The options of `cranfield judge llm`, and the service that they name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
KEY = "CRANFIELD_LLM_KEY"  # as in `cranfield.judging.llm.service`
_POSITIVE = click.IntRange(min=1)


def _all(command: F, *options: Callable[[F], F]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def which_pairs(command: F) -> F:
    """Which pairs are judged."""
    return _all(
        command,
        click.option(
            "--work-list",
            metavar="FILE",
            help="Lines of query and document, as `check --holes` and `judge pool` write them; for "
            "preferences of query and two documents.",
        ),
        click.option("--labelled", is_flag=True, help="Pairs that the collection has labels of."),
        click.option(
            "--depth",
            type=_POSITIVE,
            default=10,
            show_default=True,
            help="The first so many documents of each run.",
        ),
        click.option(
            "--judged-too",
            is_flag=True,
            help="Also what people have labelled, in the collection or the label store.",
        ),
        click.option("--sample", type=_POSITIVE, help="Only so many pairs, always the same."),
        click.option(
            "--balanced", is_flag=True, help="Of --labelled --sample: as many of each grade."
        ),
        click.option(
            "--part",
            type=click.Choice(["tune", "report"]),
            help="Only queries of this part (`agree` draws them).",
        ),
        click.option("--split", help="Which qrels of a BEIR folder [default: test]."),
    )


def service(command: F) -> F:
    """Where the model is."""
    return _all(
        command,
        click.option(
            "--url",
            envvar="CRANFIELD_LLM_URL",
            help="The base address, such as http://localhost:8080/v1 [default: "
            "$CRANFIELD_LLM_URL].",
        ),
        click.option(
            "--model",
            envvar="CRANFIELD_LLM_MODEL",
            help="Its name there [default: $CRANFIELD_LLM_MODEL].",
        ),
        click.option(
            "--key-env",
            metavar="NAME",
            help=f"The variable that holds the key [default: {KEY}, where it is set].",
        ),
        click.option("--ca-certs", metavar="FILE", help="An authority of your own to trust."),
        click.option(
            "--at-once", type=_POSITIVE, default=1, show_default=True, help="Calls under way."
        ),
        click.option("--rate", type=float, help="Calls a second at most."),
        click.option(
            "--timeout", type=float, default=120.0, show_default=True, help="Seconds, of a call."
        ),
        click.option(
            "--attempts",
            type=_POSITIVE,
            default=4,
            show_default=True,
            help="How often a call that fails is made, with growing pauses.",
        ),
    )


def asking_options(command: F) -> F:
    """What it is asked."""
    return _all(
        command,
        click.option(
            "--rubric",
            default="grades-en",
            show_default=True,
            help="A bundled one (`judge rubrics` lists them), or a file, TOML or Markdown.",
        ),
        click.option(
            "--answer",
            type=click.Choice(["json", "token"]),
            default="json",
            show_default=True,
            help="A JSON object; or one token, whose probabilities are read and kept.",
        ),
        click.option(
            "--batch", type=_POSITIVE, default=1, show_default=True, help="Documents a call."
        ),
        click.option(
            "--samples",
            type=_POSITIVE,
            default=1,
            show_default=True,
            help="Answers to each question; their majority is taken on export.",
        ),
        click.option("--temperature", type=float, default=0.0, show_default=True),
        click.option(
            "--seed",
            default=0,
            show_default=True,
            help="Of samples, pauses, and the order of documents.",
        ),
        click.option(
            "--max-chars",
            type=click.IntRange(min=0),
            default=8000,
            show_default=True,
            help="Documents are cut after so many characters; 0 cuts none.",
        ),
        click.option(
            "--documents-first/--task-first",
            default=True,
            show_default=True,
            help="Before the task and the query documents sway the model less; behind them a "
            "server can keep the prompt's first part between calls.",
        ),
        click.option(
            "--max-answer-tokens", type=_POSITIVE, help="[default: enough for the answer]"
        ),
        click.option(
            "--field",
            "fields",
            multiple=True,
            metavar="NAME",
            help="A further field of the query that is shown, such as narrative.",
        ),
        click.option(
            "-p",
            "--param",
            "params",
            multiple=True,
            metavar="NAME=VALUE",
            help="A member of every request, such as top_p=0.9; null leaves one out.",
        ),
        click.option(
            "--failed",
            type=click.Choice(["again", "leave"]),
            default="again",
            show_default=True,
            help="Answers of an earlier call that could not be read.",
        ),
        click.option(
            "--assessor",
            default="",
            help="A name for this judge's role; answers under another name are taken over.",
        ),
    )


def budget(command: F) -> F:
    """What it may cost."""
    return _all(
        command,
        click.option("--max-calls", type=click.IntRange(min=0), help="Stop after so many calls."),
        click.option(
            "--max-tokens", type=click.IntRange(min=0), help="Stop before so many tokens."
        ),
        click.option("--price-in", type=float, help="Of a million tokens sent."),
        click.option("--price-out", type=float, help="Of a million tokens that come back."),
        click.option("--dry-run", is_flag=True, help="Only say what would be asked and its cost."),
        click.option("--show-prompt", is_flag=True, help="Print the first question whole."),
        click.option("--yes", is_flag=True, help="Do not ask before more than 1000 calls."),
    )
