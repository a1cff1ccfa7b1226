"""The judgments and the run under the conventions that decide what their rows are, and what about
them can make a convention matter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Index
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import NothingToEvaluate, UnknownName
from cranfield.evaluation.align import Aligned, align
from cranfield.formats.readers import read_qrels, read_run
from cranfield.formats.sources import OnDuplicate, RunColumns
from cranfield.kit.files import STDIN
from cranfield.measures import Hits, Judgments
from cranfield.reconciliation.conventions import Conventions
from cranfield.scan.judged import JudgedIndex
from cranfield.scan.order import Ties

Bools = NDArray[np.bool_]


@dataclass
class Material:
    """What was given, and each reading of it made once.

    Parameters
    ----------
    qrels, run : as given, a document's first row kept where it has several
    answered : bool [n_queries], the run names the query
    answerable : bool [n_queries], a document has a grade above 0
    judged : bool [n_queries], a document has a grade of 0 or more
    facts : {axis: why it can matter here}; an axis that is not in it cannot matter
    """

    qrels: Qrels
    run: Run
    source: Any
    run_source: Any
    answered: Bools
    answerable: Bools
    judged: Bools
    facts: dict[str, str]
    _aligned: dict[tuple[Any, ...], tuple[Qrels, Aligned]] = field(default_factory=dict)

    @property
    def queries(self) -> list[str]:
        return self.qrels.queries.to_list()

    def number(self, query: str) -> int:
        """The number of a query; UnknownName when it was not judged."""
        names = self.queries
        if query not in names:
            raise UnknownName(f"no judgments for query {query!r}", f"queries: {names[0]}, …")
        return names.index(query)

    def facts_of(self, query: int | None) -> dict[str, str]:
        """The facts that can matter to one query, or to the mean."""
        if query is None:
            return self.facts
        fine = {"missing": self.answered, "no_answer": self.answerable, "only_pooled": self.judged}
        return {a: f for a, f in self.facts.items() if a not in fine or not fine[a][query]}

    def read(self, c: Conventions) -> tuple[Qrels, Hits]:
        """The judgments, and the returned documents that have a row, in the order of a run."""
        order: Ties = "docid-desc" if c.ties == "average" else c.ties  # type: ignore[assignment]
        duplicates = c.duplicates if "duplicates" in self.facts else "first"
        own = c.own_document if "own_document" in self.facts else "keep"
        key = (order, c.width, duplicates, own)
        if key not in self._aligned:
            qrels, run = self._rows(duplicates)  # type: ignore[arg-type]
            if own == "drop":
                run = without(run, own_documents(run))
            source = RunColumns(run, on_duplicate="first")
            found = align(source, JudgedIndex(qrels), ties=order, single=c.width == 32)
            self._aligned[key] = qrels, found
        qrels, found = self._aligned[key]
        return qrels, found.hits

    def _rows(self, duplicates: OnDuplicate) -> tuple[Qrels, Run]:
        if duplicates == "first":
            return self.qrels, self.run
        return (
            read_qrels(self.source, on_duplicate=duplicates),
            read_run(self.run_source, on_duplicate=duplicates),
        )


def gather(qrels: Any, run: Any) -> Material:
    """Read both, and find out which conventions can matter."""
    judged = read_qrels(qrels, on_duplicate="first")
    returned = read_run(run, on_duplicate="first")
    n = len(judged.queries)
    found = align(RunColumns(returned), JudgedIndex(judged))
    if not found.answered.any():
        raise NothingToEvaluate(
            "the run answers no query of the judgments",
            f"query ids of the judgments look like {judged.queries[0]!r}"
            + (f", those of the run like {found.unlabelled[0]!r}" if found.unlabelled else ""),
        )
    at_least = {
        low: np.bincount(judged.query[mask], minlength=n) > 0
        for low, mask in (("0", judged.grade >= 0), ("1", judged.grade > 0))
    }
    facts = _facts(judged, returned, found.answered, at_least["1"], at_least["0"])
    if "duplicates" in facts and STDIN in (qrels, run):  # which cannot be read in another way
        facts["kept"] = facts.pop("duplicates") + "; the first was kept"
    return Material(
        qrels=judged,
        run=returned,
        source=qrels,
        run_source=run,
        answered=found.answered,
        answerable=at_least["1"],
        judged=at_least["0"],
        facts=facts,
    )


def judgments(qrels: Qrels, grade: NDArray[np.float64]) -> Judgments:
    """The judged side of the block with these grades."""
    return Judgments(len(qrels.queries), qrels.query, grade)


def own_documents(run: Run) -> Bools:
    """[row] the document's id is the query's."""
    own: Bools = run.docs.length == run.queries.length[run.query]
    rows = np.flatnonzero(own)
    names = run.queries.to_bytes()
    docs = run.docs.take(rows).to_bytes()
    same = (names[q] == d for q, d in zip(run.query[rows].tolist(), docs, strict=True))
    own[rows] = np.fromiter(same, np.bool_, len(rows))
    return own


def without(run: Run, rows: Bools) -> Run:
    """The run without these rows; a query left with none was answered with nothing."""
    return Run(run.queries, run.query[~rows], run.docs.take(~rows), run.score[~rows], run.name)


def _facts(
    qrels: Qrels, run: Run, answered: Bools, answerable: Bools, judged: Bools
) -> dict[str, str]:
    ties, narrow = _queries_with_ties(run)
    levels = [g for g in qrels.levels.tolist() if g > 0]
    counts = {
        "missing": (int((~answered).sum()), "{} judged and not answered by the run", "query"),
        "no_answer": (int((~answerable).sum()), "{} without a relevant document", "query"),
        "only_pooled": (int((~judged).sum()), "{} with no grade of 0 or more", "query"),
        "negative": (int((qrels.grade < 0).sum()), "{} with a grade below 0", "row"),
        "ties": (max(ties, narrow), "{} with equal scores", "query"),
        "width": (narrow, "{} with scores that are equal in 32 bits only", "query"),
        "own_document": (int(own_documents(run).sum()), "{} with the id of their query", "row"),
        "duplicates": (_repeats(qrels.notes, run.notes), "{} repeated", "row"),
    }
    facts = {}
    for axis, (count, words, noun) in counts.items():
        if count:
            facts[axis] = words.format(_number(count, noun))
    if len(levels) > 1:
        facts["rel"] = f"grades above 0: {', '.join(f'{g:g}' for g in levels[:6])}"
    if levels and levels != [1.0]:
        facts["gain"] = "grades other than 0 and 1"
    return facts


def _number(count: int, noun: str) -> str:
    plural = {"query": "queries", "row": "rows"}[noun]
    return f"{count} {noun if count == 1 else plural}"


def _repeats(*notes: tuple[str, ...]) -> int:
    """How many repeated rows the readers passed over, by their notes."""
    told = (note.split(" × ") for some in notes for note in some if " × repeated" in note)
    return sum(int(count) for count, _ in told)


def _queries_with_ties(run: Run) -> tuple[int, int]:
    """How many queries have equal scores, and how many have some that are equal as float32 only."""
    with np.errstate(over="ignore"):
        single = run.score.astype(np.float32).astype(np.float64)
    wide, narrow = (_equal_neighbours(run.query, score) for score in (run.score, single))
    return int((wide > 0).sum()), int((narrow > wide).sum())


def _equal_neighbours(query: Index, score: NDArray[np.float64]) -> Index:
    order = np.lexsort((score, query))
    query, score = query[order], score[order]
    same = (score[1:] == score[:-1]) & (query[1:] == query[:-1])
    size = int(query.max(initial=-1)) + 1
    return np.bincount(query[1:][same], minlength=size).astype(np.int64)
