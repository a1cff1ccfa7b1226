"""`cranfield judge preferences`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.store import labels_option, store_of, wanted_of, which
from cranfield.cli.options import emit, keep_inputs, output, say


@click.command("preferences")
@which
@inputs.lang
@labels_option
@output
def command(lang: str, labels: str | None, output: str | None, **chosen: Any) -> None:
    """Write preferences of people and models as `evaluate` reads them for prefs_simp and the like.

    A pair answered in both orders counts where the two answers agree; one that a person answered in
    one order alone counts by that answer. Ties and inconsistent pairs are no preference; they are
    counted.
    """
    from cranfield.judging.settled import export_preferences
    from cranfield.report.exchanged import preferences
    from cranfield.report.language import words

    keep_inputs(output, labels)
    made = export_preferences(store_of(labels), wanted=wanted_of(**chosen))
    emit(made.text.encode(), output)
    say(preferences(made, words(lang)))
