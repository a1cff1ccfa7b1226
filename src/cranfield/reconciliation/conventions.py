"""What two tools can disagree about before a formula is applied, as data.

An axis is one question with a few answers that tools really give; conventions are one answer to
each. Nothing here computes: `values` does.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from cranfield.measures import Measure


@dataclass(frozen=True)
class Conventions:
    """One answer to every question.

    Parameters
    ----------
    gain : "linear" g, "exp" 2^g − 1, "binary" 1 from `rel` on, or "asked", the measure's own table
    rel : the lowest grade that is relevant
    ties : "docid-desc", "docid-asc", "file", or "average", the mean over all orders
    width : bits of a score, 64 or 32
    ideal : which documents the ideal list of nDCG holds, and how many (`AXES` has the answers)
    divisor : of P, R and AP (`AXES`)
    missing : a judged query that the run did not answer, "zero" or "skip"
    no_answer : a query without a relevant document, "zero", "skip" or "one"
    negative : a grade below 0: "unjudged", "zero" (judged, not relevant) or "gain" (it costs)
    only_pooled : a query all of whose grades are below 0, "skip" or "zero"
    duplicates : which of two rows for one document stays, "first", "last" or "max"
    own_document : a document with the id of its query, "keep" or "drop"
    rounding : decimals that each query's value is rounded to before the mean, None for none
    """

    gain: str = "linear"
    rel: float = 1.0
    ties: str = "docid-desc"
    width: int = 64
    ideal: str = "judged"
    divisor: str = "standard"
    missing: str = "zero"
    no_answer: str = "zero"
    negative: str = "unjudged"
    only_pooled: str = "skip"
    duplicates: str = "first"
    own_document: str = "keep"
    rounding: int | None = None


@dataclass(frozen=True)
class Axis:
    """A question, and the answers there are in words; none where `in_words` has to look closer."""

    name: str
    question: str
    answers: dict[Any, str]


AXES: dict[str, Axis] = {
    axis.name: axis
    for axis in (
        Axis(
            "gain",
            "what a grade g is worth",
            {
                "linear": "gain g",
                "exp": "gain 2^g − 1",
                "binary": "gain 1 if relevant",
                "asked": "gain as asked",
            },
        ),
        Axis("rel", "the lowest relevant grade", {}),
        Axis(
            "ideal",
            "which documents the ideal list of nDCG holds",
            {
                "judged": "ideal list of all judged, cut at k",
                "returned": "ideal list of the returned documents only",
                "top": "ideal list of the first k returned only",
                "uncut": "ideal list not cut at k",
                "depth": "ideal list cut at the smaller of k and the number returned",
            },
        ),
        Axis("divisor", "what the sum is divided by", {}),
        Axis(
            "missing",
            "a judged query that the run did not answer",
            {"zero": "queries not answered score 0", "skip": "queries not answered left out"},
        ),
        Axis(
            "no_answer",
            "a query without a relevant document",
            {
                "zero": "queries without a relevant document score 0",
                "skip": "queries without a relevant document left out",
                "one": "queries without a relevant document score 1",
            },
        ),
        Axis(
            "ties",
            "which of two equal scores comes first",
            {
                "docid-desc": "ties by document id, descending",
                "docid-asc": "ties by document id, ascending",
                "file": "ties in the order of the file",
                "average": "ties averaged over all orders",
            },
        ),
        Axis("width", "how exact a score is", {64: "scores of 64 bits", 32: "scores of 32 bits"}),
        Axis(
            "own_document",
            "a document with the id of its query",
            {
                "keep": "a document with its query's id kept",
                "drop": "a document with its query's id removed",
            },
        ),
        Axis(
            "negative",
            "a grade below 0",
            {
                "unjudged": "grades below 0 not judged",
                "zero": "grades below 0 judged, not relevant",
                "gain": "grades below 0 a negative gain",
            },
        ),
        Axis(
            "only_pooled",
            "a query with no grade of 0 or more",
            {
                "skip": "queries with no grade of 0 or more left out",
                "zero": "queries with no grade of 0 or more score 0",
            },
        ),
        Axis(
            "duplicates",
            "which of two rows for one document stays",
            {
                "first": "first of two rows kept",
                "last": "last of two rows kept",
                "max": "greater of two rows kept",
            },
        ),
        Axis(
            "rounding",
            "what is done to the value of a query before the mean",
            {None: "no rounding", 2: "each query rounded to 2 decimals"},
        ),
    )
}
_DIVISOR = {
    "standard": {"P": "divided by k"},
    "min": {"P": "divided by the smaller of k and the number returned"},
}


def asked_conventions(measure: Measure) -> Conventions:
    """What Cranfield does when it is asked for the measure."""
    values = measure.values
    gain, rel = values.get("gain", "linear"), values.get("rel", 1.0)
    return Conventions(
        gain=gain if isinstance(gain, str) else "asked",
        rel=float(rel) if isinstance(rel, (int, float)) else 1.0,
        divisor="min" if values.get("norm") == "min" else "standard",
    )


def in_words(axis: str, answer: Any, family: str) -> str:
    """An answer as a phrase: `queries not answered left out`."""
    if axis == "rel":
        return f"relevant from grade {answer:g} on"
    if axis == "divisor":
        other = {
            "standard": "divided by R, all relevant documents",
            "min": "divided by the smaller of R and k",
            "found": "divided by the relevant documents returned",
        }
        return _DIVISOR.get(answer, {}).get(family, other[answer])
    return AXES[axis].answers[answer]


def differences(base: Conventions, other: Conventions) -> dict[str, Any]:
    """{axis: the other's answer} where the two differ, in the order of `AXES`."""
    names = {f.name for f in fields(Conventions)}
    return {
        axis: getattr(other, axis)
        for axis in AXES
        if axis in names and getattr(base, axis) != getattr(other, axis)
    }
