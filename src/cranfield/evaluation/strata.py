"""Pools that were sampled by strata: who may read them."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.data.columns import encode
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError
from cranfield.measures import Measure

# What asks only whether a document is judged, and the length of lists.
_WITHOUT_GRADES = frozenset({"Judged", "Unjudged", "NumQ", "NumRet"})


def check_strata(qrels: Qrels, measures: Sequence[Measure]) -> None:
    """Whether these measures can be had of a pool that was sampled by strata, or of others.

    Raises
    ------
    InputError
        A measure would take what was not sampled for not relevant, supposes one rate for all
        strata, or needs strata where there are none.
    """
    inferring = [m for m in measures if m.definition.view == "strata"]
    if qrels.stratum is None:
        if inferring:
            raise InputError(
                f"{qrels.name}: {inferring[0].family} needs the stratum of each document, and "
                "these judgments name none",
                "five columns, query iteration document stratum grade, as `judge fill --format "
                "sampled` writes them (--qrels-format sampled says that a file is such); for one "
                "rate of the whole pool there is infAP",
            )
        return
    if not (qrels.grade < 0).any():
        return  # a whole pool
    one = len(encode(qrels.stratum)[0]) == 1
    able = {*_WITHOUT_GRADES, *(["infAP"] if one else [])}
    other = next((m for m in measures if m not in inferring and m.family not in able), None)
    if other is not None:
        why = (
            "supposes one rate for all of them"
            if other.family == "infAP"
            else "would take what was not sampled for not relevant"
        )
        raise InputError(
            f"{qrels.name}: a pool sampled by strata, and {other.family} {why}",
            "xinfAP estimates average precision from it",
        )
