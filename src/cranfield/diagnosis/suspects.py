"""A label for a second look, and what it would change if it were turned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cranfield.diagnosis.material import Examined
from cranfield.measures import Judgments, compute
from cranfield.measures.hits import Floats

AGREED = 0.75  # share of relevant pairs among the like from which a 0 is reported


@dataclass(frozen=True)
class Suspect:
    """A label for a second look.

    Parameters
    ----------
    label : `zero` or `relevant`: what it says now. grade : that grade; turned : the other one.
    rank : the best one that a run gives the document, None where none returns it.
    runs : how many have it in their first k.
    score : what orders the list, 0 to 1.
    expected : the share of relevant pairs among those like it; None for `relevant`.
    price : by how much the mean of the first measure would change if the label were turned, for
        the run that it changes most.
    """

    label: Literal["zero", "relevant"]
    query: str
    document: str
    grade: float
    turned: float
    rank: int | None
    runs: int
    score: float
    expected: float | None
    price: float

    @property
    def reported(self) -> bool:
        return self.expected is None or self.expected >= AGREED


def priced(found: Examined, some: list[Suspect]) -> list[Suspect]:
    """With what each would change if it alone were turned: queries do not touch one another, so
    that one label of each is turned at a time."""
    place = {query: i for i, query in enumerate(found.queries)}
    rounds: dict[str, int] = {}
    turns: dict[int, list[int]] = {}
    for i, suspect in enumerate(some):
        n = rounds[suspect.query] = rounds.get(suspect.query, -1) + 1
        turns.setdefault(n, []).append(i)
    price = np.zeros(len(some))
    for members in turns.values():
        change = changes(found, [some[i] for i in members], 1)[:, :, 0]
        for i in members:
            at = change[:, place[some[i].query]] / len(found.queries)
            price[i] = at[np.argmax(np.abs(at))]
    return [replace(s, price=float(p)) for s, p in zip(some, price, strict=True)]


def changes(found: Examined, some: list[Suspect], n: int | None = None) -> Floats:
    """[run, query, measure]: what these labels, turned, change under the first n measures."""
    row = found.keep("rows", lambda: _row_numbers(found))
    grade = found.judgments.grade.copy()
    for suspect in some:
        for i in row[suspect.query, suspect.document]:
            grade[i] = suspect.turned
    turned = Judgments(found.judgments.n_queries, found.judgments.query, grade)
    measures = list(found.measures[:n])
    values = np.stack([compute(measures, turned, a.hits)[0] for a in found.aligned])
    changed: Floats = values - found.values[:, :, :n]
    return changed


def _row_numbers(found: Examined) -> dict[tuple[str, str], list[int]]:
    out: dict[tuple[str, str], list[int]] = {}
    pairs = zip(found.qrels.query.tolist(), found.qrels.docs.to_list(), strict=True)
    for i, (query, doc) in enumerate(pairs):
        out.setdefault((found.queries[query], doc), []).append(i)
    return out
