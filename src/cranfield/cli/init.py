"""`cranfield init`."""

from __future__ import annotations

from pathlib import Path

import click

from cranfield.cli import inputs


@click.command("init")
@click.argument("folder", default=".", type=click.Path(path_type=Path))
@click.option("--collection", help="What runs are judged against: a folder, qrels or irds:<id>.")
@click.option("-m", "--measure", "measures", multiple=True, help="A default. Repeat for several.")
@inputs.lang
def command(folder: Path, collection: str | None, measures: tuple[str, ...], lang: str) -> None:
    """Make a lab in FOLDER: write its cranfield.toml.

    From then on `cranfield evaluate` records what it scores there, `cranfield log` lists it, and
    the qrels need not be named.
    """
    from cranfield.experiment.config import make_lab
    from cranfield.report.language import words

    path = make_lab(folder, collection, measures)
    click.echo(words(lang)("lab.made", path=path))
    if collection is None:
        click.echo(f'  collection = "..."  ({path})')
    for line in ("cranfield evaluate RUN", "cranfield log", "cranfield split --test 0.5"):
        click.echo(f"  {line}")
