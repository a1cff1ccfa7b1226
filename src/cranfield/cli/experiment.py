"""`cranfield experiment`."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import inputs
from cranfield.cli.options import emit, output, say
from cranfield.cli.reporting import form_for
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from cranfield.experiment.matrix import Experiment
    from cranfield.experiment.plan import Cell
    from cranfield.report.language import Words

FORMS = ["table", "md", "html", "json", "tsv"]


@click.command("experiment")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show the cells, what is there and what is sure to fail; make nothing.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Only this collection, system or reranker; repeat for several.",
)
@inputs.form(*FORMS)
@click.option(
    "--table",
    type=click.Choice(["collections", "results", "averages"]),
    default="results",
    show_default=True,
    help="Which table of them, as TSV.",
)
@inputs.lang
@output
def command(
    dry_run: bool,
    only: tuple[str, ...],
    form: str | None,
    table: str,
    lang: str,
    output: str | None,
) -> None:
    """Carry out the matrix in the [experiment] table of the lab's cranfield.toml.

    Each run is kept in the folder `runs` under a fingerprint of all that decides it and is not
    made again; interrupted work goes on where it stopped. Every run is scored and recorded in the
    lab. A cell that fails does not stop the others, and the exit code is then 8; so it is of
    --dry-run where a cell is sure to fail.
    """
    from cranfield.cli.lab import needed, typed
    from cranfield.experiment.matrix import conduct, look_up
    from cranfield.experiment.planfile import plan_of
    from cranfield.report.history import said
    from cranfield.report.language import words

    form = form or form_for(output, FORMS, "table")
    lab, w = needed(), words(lang)
    plan = plan_of(lab.config)
    if dry_run:
        found = look_up(plan, only)
        emit(_states(found, form, w), output)
        say([w("experiment.dry", **_counted(found))])
        _ended(found, "will fail")
        return
    tell = _teller(w) if sys.stderr.isatty() else None
    found = conduct(lab, plan, only, command=typed(), tell=tell)
    emit(_rendered(found, form, table, lang), output)
    notes = [
        f"{o.cell.collection.name}, {o.cell.label}: {n}" for o in found.outcomes for n in o.notes
    ]
    say([*notes, w("experiment.counts", **_counted(found)), *said(found.remarks, lang)])
    _ended(found, "failed")


def _ended(found: Experiment, what: str) -> None:
    """The error of an experiment with cells that have no run."""
    if found.failed:
        first = found.failed[0]
        raise CranfieldError(
            f"{len(found.failed)} of {len(found.outcomes)} cells {what}; "
            f"{first.cell.collection.name}, {first.cell.label}: {first.why}",
            first.hint,
        )


def _teller(w: Words) -> Any:
    def tell(number: int, of: int, cell: Cell) -> None:
        values = {"collection": cell.collection.name, "run": cell.label}
        click.echo(w("experiment.cell", number=number, of=of, **values), err=True)

    return tell


def _counted(found: Experiment) -> dict[str, int]:
    from cranfield.report.lab_words import Count

    states = Counter(o.state for o in found.outcomes)
    todo = sum(states[state] for state in ("to do", "begun", "waits", "incomplete"))
    return {"n": Count(len(found.outcomes)), "todo": todo} | {
        state: states[state] for state in ("made", "cached", "incomplete", "failed")
    }


def _states(found: Experiment, form: str, w: Words) -> bytes:
    from cranfield.report.experiment_grids import states_grid
    from cranfield.report.page import Page, Table
    from cranfield.report.render import render

    grid = states_grid(found, w)
    if form == "html":
        return (
            Page(w("experiment.title"), ("en", "zh")[w.column], (Table(grid),)).to_html().encode()
        )
    return render(grid, form)


def _rendered(found: Experiment, form: str, table: str, lang: str) -> bytes:
    from cranfield.report.experiment import page, to_json
    from cranfield.report.experiment_grids import plain_grid
    from cranfield.report.render import render

    if form == "json":
        return to_json(found)
    if form == "tsv":
        return render(plain_grid(found, table), "tsv")
    shown = page(found, lang, charts=form == "html")
    return shown.to({"table": "text"}.get(form, form)).encode()
