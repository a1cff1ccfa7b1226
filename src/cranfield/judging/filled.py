"""False negatives: of the documents without a label among the first results, how many turn out to
be relevant once somebody looks, and what that does to the scores.

In a collection with one labelled document a query most of what a good system returns is not
labelled, and counts as not relevant. Thakur et al. (2021) and Arabzadeh et al. (2022) found that
much of it is relevant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.data.collection import Document, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.scores import Scores
from cranfield.data.texts import text_of
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.evaluation.lists import result_lists
from cranfield.formats.readers import open_run, read_qrels
from cranfield.judging.sets import LabelSet
from cranfield.stats.intervals import wilson
from cranfield.stats.results import Interval

MEASURES = ("nDCG@10",)
Grades = Mapping[str, Mapping[str, float]]
Pair = tuple[str, str]


@dataclass(frozen=True)
class RunFilled:
    """Of one run: documents without a label in the first k, those now graded, and of these the
    relevant ones."""

    run: str
    holes: int
    graded: int
    relevant: int
    interval: Interval


@dataclass(frozen=True)
class Example:
    """A query with a document that was labelled relevant, and one that nobody had labelled and
    that is relevant by the new labels; `rank` is the best that a run gives it."""

    query: str
    text: str
    known: str
    known_text: str
    found: str
    found_text: str
    grade: float
    rank: int
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Filled:
    """What new labels say of the holes.

    Parameters
    ----------
    labels : name of the new ones.
    k, rel : results looked at, and the least relevant grade.
    queries : with a label in the collection.
    known : relevant documents that it labels for them.
    holes : pairs without a label in the first k of any run.
    graded, relevant : of these, by the new labels; `interval` is Wilson's, of the share.
    runs : the same run by run.
    before, after : scores with the collection's labels, and with the new ones added.
    binary : whether new grades became 1 and 0, since the collection has no grades as high.
    examples : see `Example`.
    """

    labels: str
    k: int
    rel: float
    queries: int
    known: int
    holes: int
    graded: int
    relevant: int
    interval: Interval
    runs: tuple[RunFilled, ...]
    before: Scores
    after: Scores
    binary: bool
    examples: tuple[Example, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Of graded holes that are relevant."""
        return self.relevant / self.graded

    @property
    def expected(self) -> tuple[float, float, float]:
        """Relevant documents among all holes (low, middle, high), if those that were graded are
        like the others."""
        low, high = self.interval.low or 0.0, self.interval.high or 0.0
        return low * self.holes, self.share * self.holes, high * self.holes


def filled(
    collection: Any,
    runs: Sequence[Any],
    new: LabelSet,
    *,
    measures: Any = MEASURES,
    k: int = 10,
    rel: float = 1,
    examples: int = 3,
    seed: int = 0,
) -> Filled:
    """Look at the holes through new labels.

    Parameters
    ----------
    collection : a TestCollection, or judgments as `evaluate` takes them.
    new : labels; those of pairs that the collection labels already are not used.
    measures : scored before and after.
    examples : how many, drawn by `seed` from different queries; they need documents.

    Raises
    ------
    NothingToEvaluate
        The new labels grade no hole.
    """
    if k < 1 or examples < 0:
        raise UsageError("k is 1 or more, examples 0 or more")
    if not runs:
        raise UsageError("no run is given", "whose first results are looked at?")
    old = collection.qrels if isinstance(collection, TestCollection) else read_qrels(collection)
    known = _grades(old)
    grades = _grades(new.qrels)
    names, lists = _lists(runs, list(known), k)
    ranks = _holes(lists, known)
    mine = {p: grades[p[0]][p[1]] for p in ranks if p[1] in grades.get(p[0], {})}
    if not mine:
        raise NothingToEvaluate(
            f"{new.name} grades none of the {len(ranks)} documents without a label in the first "
            f"{k}",
            "cranfield judge llm COLLECTION RUN... grades them",
        )
    relevant = {p for p, grade in mine.items() if grade >= rel}
    top = max((g for own in known.values() for g in own.values()), default=0)
    binary = max(g for own in grades.values() for g in own.values()) > top
    merged = _merged(known, grades, rel if binary else None)
    return Filled(
        labels=new.name,
        k=k,
        rel=rel,
        queries=len(known),
        known=sum(g >= rel for own in known.values() for g in own.values()),
        holes=len(ranks),
        graded=len(mine),
        relevant=len(relevant),
        interval=wilson(len(relevant), len(mine)),
        runs=tuple(_of_run(n, own, known, mine, rel) for n, own in zip(names, lists, strict=True)),
        before=evaluate(old, list(runs), measures),
        after=evaluate(merged, list(runs), measures),
        binary=binary,
        examples=_examples(collection, new, ranks, relevant, known, rel, examples, seed),
        notes=new.notes,
    )


def _grades(qrels: Qrels) -> dict[str, dict[str, float]]:
    """{query: {document: grade}} of judged pairs, in the order of the rows."""
    names = qrels.queries.to_list()
    found: dict[str, dict[str, float]] = {}
    for q, doc, grade in zip(qrels.query.tolist(), qrels.docs, qrels.grade.tolist(), strict=True):
        if grade >= 0:
            found.setdefault(names[q], {})[doc] = grade
    return found


def _lists(
    runs: Sequence[Any], queries: list[str], k: int
) -> tuple[list[str], list[dict[str, list[str]]]]:
    names, lists = [], []
    for run in runs:
        source = open_run(run)
        found = result_lists(source, queries, k)
        names.append(source.name)
        lists.append({q: [doc for doc, _ in rows] for q, rows in found.items()})
    return names, lists


def _holes(lists: Sequence[Mapping[str, list[str]]], known: Grades) -> dict[Pair, int]:
    """{pair without a label: its best rank in any run}, in the order of the labelled queries."""
    ranks: dict[Pair, int] = {}
    for query, labelled in known.items():
        for own in lists:
            for rank, doc in enumerate(own.get(query, ()), 1):
                if doc not in labelled:
                    ranks[query, doc] = min(rank, ranks.get((query, doc), rank))
    return ranks


def _of_run(
    name: str,
    own: Mapping[str, list[str]],
    known: Grades,
    mine: Mapping[Pair, float],
    rel: float,
) -> RunFilled:
    holes = [(q, doc) for q, docs in own.items() for doc in docs if doc not in known[q]]
    graded = [mine[p] for p in holes if p in mine]
    relevant = sum(g >= rel for g in graded)
    return RunFilled(name, len(holes), len(graded), relevant, wilson(relevant, len(graded)))


def _merged(known: Grades, new: Grades, binary_at: float | None) -> Qrels:
    """The collection's labels with the new ones where it has none, of the queries it knows."""
    rows = [(q, doc, grade) for q, own in known.items() for doc, grade in own.items()]
    for q, own in known.items():
        for doc, grade in new.get(q, {}).items():
            if doc not in own:
                value = grade if binary_at is None else float(grade >= binary_at)
                rows.append((q, doc, value))
    return Qrels.from_rows(rows, name="filled")


def _examples(
    collection: Any,
    new: LabelSet,
    ranks: Mapping[Pair, int],
    relevant: set[Pair],
    known: Grades,
    rel: float,
    n: int,
    seed: int,
) -> tuple[Example, ...]:
    """One a query, of queries with a labelled relevant document, the best placed one first."""
    if not n or not isinstance(collection, TestCollection) or collection.documents is None:
        return ()
    best: dict[str, tuple[str, str]] = {}
    for query, doc in sorted(relevant, key=lambda p: (ranks[p], p)):
        others = {d: g for d, g in known[query].items() if g >= rel}
        if others and query not in best:
            best[query] = (max(others, key=lambda d: (others[d], d)), doc)
    drawn = sorted(best, key=lambda q: hashlib.sha256(f"{seed}\0{q}".encode()).digest())[:n]
    wanted = {doc for q in drawn for doc in best[q]}
    texts = {d.id: _shown(d) for d in collection.documents() if d.id in wanted}
    queries = {q.id: q.text for q in collection.queries}
    grades = _grades(new.qrels)
    reasons = {j.pair: j.reason for j in new.judgments}
    return tuple(
        Example(
            *(q, queries.get(q, "")),
            *(best[q][0], texts.get(best[q][0], "")),
            *(best[q][1], texts.get(best[q][1], "")),
            grades[q][best[q][1]],
            ranks[q, best[q][1]],
            reasons.get((q, best[q][1]), ""),
        )
        for q in drawn
    )


def _shown(document: Document) -> str:
    return " ".join(text_of(document).split())
