"""`cranfield demo`."""

from __future__ import annotations

from pathlib import Path

import click

from cranfield.cli import inputs


@click.command("demo")
@click.argument("folder", default="cranfield-demo", type=click.Path(path_type=Path))
@inputs.lang
def command(folder: Path, lang: str) -> None:
    """Judge a search system on the bundled collection and leave everything open in FOLDER."""
    from cranfield.demo import make_demo

    made = make_demo(folder, lang)
    click.echo(made.report.to_text())
    run = folder / "sequential-scan.run"
    from cranfield.report.language import words

    click.echo(words(lang)("demo.next", folder=folder))
    click.echo(f"  cranfield evaluate {folder} {run} --by type")
    click.echo(f"  cranfield evaluate {folder} {run} -q -m 'nDCG(gain=\"exp\")@10'")
    click.echo(f"  cranfield compare {folder} {run} {folder / 'terms.run'} --by type")
    click.echo(f"  cranfield explain {folder} {run} q01 -m 'nDCG(gain=\"exp\")@10'")
