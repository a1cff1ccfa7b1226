"""No-answer, empty and under-labelled queries kept apart (docs/concepts/no-answer-queries.md).

Two things are called a zero-result query: one to which the corpus holds no answer (a kind of
query), and one for which the system returned nothing (a state of its result). And a query whose
labels are incomplete looks like either. nDCG and RR are 0 for a no-answer query whatever the
system does, so whether it rightly stayed silent must be counted, not averaged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run

Kind = Literal["answerable", "no_answer", "unlabelled"]


@dataclass(frozen=True)
class QueryAnswer:
    """One query against one run.

    Parameters
    ----------
    kind : `answerable` (a document of grade >= rel is judged), `no_answer` (judged, none is), or
        `unlabelled` (no judged row at all)
    returned : documents among the first k
    relevant : how many of those have grade >= rel
    holes : those among them without a judgment, in rank order
    """

    query: str
    kind: Kind
    returned: tuple[str, ...]
    relevant: int
    holes: tuple[str, ...]


@dataclass(frozen=True)
class Answers:
    """All queries against one run."""

    run: str
    k: int
    queries: tuple[QueryAnswer, ...]

    def of_kind(self, kind: Kind) -> list[QueryAnswer]:
        return [q for q in self.queries if q.kind == kind]

    @property
    def empty(self) -> list[QueryAnswer]:
        """Queries with an empty result, whatever their kind."""
        return [q for q in self.queries if not q.returned]

    @property
    def missed(self) -> list[QueryAnswer]:
        """Answerable queries with an empty result."""
        return [q for q in self.empty if q.kind == "answerable"]

    @property
    def correct_empty(self) -> list[QueryAnswer]:
        """No-answer queries with an empty result."""
        return [q for q in self.empty if q.kind == "no_answer"]

    @property
    def false_recalls(self) -> list[QueryAnswer]:
        """No-answer queries with a result."""
        return [q for q in self.queries if q.kind == "no_answer" and q.returned]

    @property
    def nothing_relevant(self) -> list[QueryAnswer]:
        """Queries with results of which none is relevant (nDCG = 0)."""
        return [q for q in self.queries if q.returned and not q.relevant]

    @property
    def false_recall_rate(self) -> float | None:
        """False recalls per no-answer query; None without such queries."""
        n = len(self.of_kind("no_answer"))
        return len(self.false_recalls) / n if n else None

    @property
    def correct_empty_rate(self) -> float | None:
        """Rightly empty results per no-answer query; None without such queries."""
        n = len(self.of_kind("no_answer"))
        return len(self.correct_empty) / n if n else None


def answers(
    qrels: Qrels, run: Run, queries: Iterable[str], *, k: int = 10, rel: float = 1.0
) -> Answers:
    """Sort `queries` (ids) by what the judgments and the run say of them.

    Parameters
    ----------
    k : only the first k documents of a result are looked at
    rel : the smallest relevant grade
    """
    grades: dict[str, dict[str, float]] = {}
    names = qrels.queries.to_list()
    for q, doc, grade in zip(
        qrels.query.tolist(), qrels.docs.to_list(), qrels.grade.tolist(), strict=True
    ):
        if grade >= 0:
            grades.setdefault(names[q], {})[doc] = grade
    tops = _tops(run, k)
    found = []
    for query in queries:
        judged = grades.get(query, {})
        top = tops.get(query, ())
        kind: Kind = "unlabelled"
        if judged:
            kind = "answerable" if max(judged.values()) >= rel else "no_answer"
        relevant = sum(judged.get(doc, 0.0) >= rel for doc in top)
        holes = tuple(doc for doc in top if doc not in judged)
        found.append(QueryAnswer(query, kind, tuple(top), relevant, holes))
    return Answers(run.name, k, tuple(found))


def status(
    found: Sequence[Answers], query: str, *, exhaustive: bool = False
) -> tuple[str, list[str]]:
    """What may be concluded of a query from several runs: (status, unjudged documents).

    A no-answer query is `no_answer_confirmed` when the labels are declared exhaustive or no run
    returned an unjudged document, else `no_answer_suspect`; an answerable one with unjudged
    documents in a top k is `answerable_with_holes`.
    """
    mine = [a for answers in found for a in answers.queries if a.query == query]
    holes = sorted({doc for a in mine for doc in a.holes})
    kind = mine[0].kind if mine else "unlabelled"
    return concluded(kind, bool(holes) and not exhaustive), holes


def concluded(kind: Kind, open_: bool) -> str:
    """The status of a query of this kind; `open_` where a document that was returned may yet turn
    out to be relevant."""
    if kind == "no_answer":
        return "no_answer_suspect" if open_ else "no_answer_confirmed"
    if kind == "answerable":
        return "answerable_with_holes" if open_ else "answerable"
    return kind


def _tops(run: Run, k: int) -> dict[str, list[str]]:
    """The first k documents of each query: score descending, equal scores by id descending."""
    from cranfield.evaluation.lists import top_of
    from cranfield.scan.lines import Lines

    found = top_of(Lines.from_run(run), k)
    return {query: [doc for doc, _ in results] for query, results in found.items()}
