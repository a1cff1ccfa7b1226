"""`cranfield measures`."""

from __future__ import annotations

import click


@click.command("measures")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the measures, or explain the one called NAME: formula, range, source, an example."""
    from cranfield.report.measures import catalogue, page

    click.echo(catalogue() if name is None else page(name), nl=False)
