"""`cranfield judge`."""

from __future__ import annotations

import click

from cranfield.cli.judging import (
    choosing,
    copying,
    desk,
    estimating,
    exporting,
    filling,
    importing,
    llm,
    looking,
    planning,
    pooling,
    preferring,
    terminal,
)


@click.group("judge")
def command() -> None:
    """Keep labels of people and of models, with who gave them, when, by which rubric and why.

    Nothing is ever overwritten: a change is a new row, and so is taking one back. Qrels are made
    from the rows by a policy, which their card names.
    """


for part in (
    *(desk.serve, terminal.command),
    *(llm.command, llm.rubrics, preferring.command, filling.command),
    *(importing.command, exporting.command, looking.log, looking.status, looking.undo),
    copying.command,
    *(choosing.command, pooling.pool, pooling.fill, planning.command, estimating.command),
):
    command.add_command(part)
