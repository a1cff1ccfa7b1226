"""Errors that are also what the other library would have raised, so that `except` clauses hold."""

from __future__ import annotations

from cranfield.errors import InputError, MeasureError


class UnsupportedMeasure(MeasureError, ValueError):
    """A measure that this face does not compute."""


class WrongType(InputError, TypeError):
    """Judgments or a run that are not {query: {document: number}}."""


class QueriesDiffer(InputError, AssertionError):
    """A run and judgments of different queries, where the library wants the same."""
