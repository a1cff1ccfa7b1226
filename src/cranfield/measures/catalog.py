"""What there is to know about a family of measures, as data for help texts and documentation."""

from __future__ import annotations

import math
from typing import Any

from cranfield.measures.declaration import find_family
from cranfield.measures.params import write

TIES = {
    "expected": 'the run\'s order decides; ties="expected" gives the mean over all orders of ties',
    "order-free": "does not depend on the order",
    "ordered": "the run's order decides",
}

AGGREGATES = {"mean": "mean", "sum": "sum", "gm": "geometric mean, values below 0.00001 as that,"}


def explain_family(name: str) -> dict[str, Any]:
    """The declaration of a family as plain data.

    Parameters
    ----------
    name : of the family, or an alias of it.

    Returns
    -------
    name, title, formula, range, no_relevant, ties, source, aggregate : text
    aliases, parameters : lists; a parameter is {name, default, allowed, help}, all text
    example : {measure, ranked, missed, value, note}

    Raises
    ------
    MeasureError
        No family has that name.
    """
    family = find_family(name)
    example = family.example
    return {
        "name": family.name,
        "title": family.title,
        "formula": family.formula,
        "range": " to ".join(_bound(end) for end in family.range),
        "no_relevant": family.no_relevant,
        "ties": TIES[family.ties],
        "source": family.source,
        "aggregate": AGGREGATES[family.aggregate],
        "aliases": list(family.aliases),
        "parameters": [
            {
                "name": param.name,
                "default": "required"
                if param.name == family.cutoff and family.needs_cutoff
                else write(param.default),
                "allowed": param.allowed,
                "help": param.help,
            }
            for param in family.params
        ],
        "example": {
            "measure": example.measure,
            "ranked": list(example.ranked),
            "missed": list(example.missed),
            "value": example.value,
            "note": example.note,
        },
    }


def _bound(end: float) -> str:
    return ("-∞" if end < 0 else "∞") if math.isinf(end) else write(end)
