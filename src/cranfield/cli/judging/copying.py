"""`cranfield judge copy`."""

from __future__ import annotations

import os

import click

from cranfield.cli import inputs


@click.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@inputs.lang
def command(source: str, target: str, lang: str) -> None:
    """Copy a whole label store, FROM one place TO another that is empty: files, or
    postgresql://host/database.

    Judgments, preferences, what models were asked, the parts to tune and to report on and the
    looks at them all come along, with their numbers.
    """
    from cranfield.cli.judging.store import in_a_folder
    from cranfield.errors import NoSuchInput
    from cranfield.judging.labels import at_hand
    from cranfield.judging.moving import copy_labels
    from cranfield.report.exchanged import copied
    from cranfield.report.language import words

    if "://" not in source and not os.path.exists(source):
        raise NoSuchInput(f"{source}: no such label store")
    in_a_folder(target)
    with at_hand(source) as old, at_hand(target) as new:
        click.echo(copied(old.name, new.name, copy_labels(old, new), words(lang)))
