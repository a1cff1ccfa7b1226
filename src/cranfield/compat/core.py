"""What the faces share: judgments met by a run under the conventions of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.compat.errors import WrongType
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import InputError
from cranfield.evaluation.align import align
from cranfield.formats.sources import RunColumns
from cranfield.measures import Judgments, Measure, compute
from cranfield.measures.hits import Bools, Floats
from cranfield.scan.judged import JudgedIndex
from cranfield.scan.order import Ties


class Judged:
    """Judgments, ready for many runs.

    Unlike in `cranfield.evaluate`, a query all of whose grades are below 0 is one of the queries:
    the libraries score it 0.

    Parameters
    ----------
    qrels : {query: {document: grade}}
    """

    def __init__(self, qrels: Mapping[str, Mapping[str, float]]) -> None:
        check(qrels, "judgments", "grade")
        self.qrels = _read(Qrels.from_dict, qrels)
        self.queries = self.qrels.queries.to_list()
        self.judgments = Judgments(len(self.queries), self.qrels.query, self.qrels.grade)
        self.index = JudgedIndex(self.qrels) if self.queries else None

    def from_grade(self, level: float) -> Judgments:
        """The judgments with grades below a level made 0."""
        grade = np.where(self.qrels.grade >= level, self.qrels.grade, 0.0)
        return Judgments(len(self.queries), self.qrels.query, grade)

    def score(
        self,
        run: Mapping[str, Mapping[str, float]],
        measures: Sequence[Measure],
        *,
        ties: Ties = "docid-desc",
        single: bool = False,
        judgments: Judgments | None = None,
    ) -> tuple[Floats, Bools, NDArray[np.bool_]]:
        """(value, whether it is defined) of each query and measure, and which were answered."""
        check(run, "a run", "score")
        found = align(
            RunColumns(_read(Run.from_dict, run)), self._index(), ties=ties, single=single
        )
        known = judgments or self.judgments
        resolved = [m.resolve(known.max_grade) for m in measures]
        return (*compute(resolved, known, found.hits), found.answered)

    def _index(self) -> JudgedIndex:
        if self.index is None:
            raise InputError("the judgments are empty", "give at least one judged query")
        return self.index


def check(data: Any, what: str, number: str) -> None:
    """WrongType unless `data` is {text: {text: number}}; it shows the first that is not."""
    hint = f"{what}: {{query: {{document: {number}}}}}, ids as text"
    if not isinstance(data, Mapping):
        raise WrongType(f"{what} is {type(data).__name__}, not a dictionary", hint)
    for query, docs in data.items():
        if not isinstance(query, str):
            raise WrongType(f"query id {query!r} is {type(query).__name__}, not text", hint)
        if not isinstance(docs, Mapping):
            raise WrongType(f"{what} of query {query!r}: {type(docs).__name__}", hint)
        wrong = next((d for d in docs if not isinstance(d, str)), None)
        if wrong is not None:
            raise WrongType(f"query {query!r}: document id {wrong!r} is not text", hint)


def _read(reader: Any, data: Any) -> Any:
    try:
        return reader(data)
    except InputError as e:
        raise WrongType(e.message, e.hint) from None
