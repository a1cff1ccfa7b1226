"""Which documents are to be judged: those that runs return, those of a list, or labelled ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from cranfield.data.collection import Document, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, NothingToEvaluate, UsageError
from cranfield.evaluation.lists import result_lists
from cranfield.formats.readers import open_run
from cranfield.judging.lists import read_list
from cranfield.judging.llm.rubric import Rubric
from cranfield.judging.llm.tasks import Item, sampled_by
from cranfield.kit.progress import progress

Ids = tuple[str, ...]  # a query and one document; for preferences two
_LEFT_OUT = {
    "judged": "have a label in the collection",
    "people": "are labelled in the label store, by people or imported",
    "sampled": "of the list were not drawn into its sample",
    "reference": "have no other document that is known to be relevant",
}


@dataclass(frozen=True)
class Which:
    """Which pairs; one of `runs`, `work_list` and `labelled` is given.

    Parameters
    ----------
    runs : files; of each the first `depth` documents of every query of the collection.
    unjudged : of these only documents that the collection's qrels lack; and, of a list too, only
        what no person has labelled (see `choose`).
    work_list : a file with a query and a document a line (for preferences two documents).
    labelled : the pairs that the collection's qrels have.
    sample, balanced, seed : so many pairs, drawn by hash; `balanced`: as many of each grade.
    queries : only of these; None for all.
    """

    runs: tuple[str, ...] = ()
    depth: int = 10
    unjudged: bool = True
    work_list: str | None = None
    labelled: bool = False
    sample: int | None = None
    balanced: bool = False
    seed: int = 0
    queries: Collection[str] | None = None

    def __post_init__(self) -> None:
        if sum((bool(self.runs), self.work_list is not None, self.labelled)) != 1:
            raise UsageError("what is to be judged?", "one of: runs, --work-list FILE, --labelled")
        if self.depth < 1 or (self.sample is not None and self.sample < 1):
            raise UsageError("depth and sample are 1 or more")
        if self.balanced and not (self.labelled and self.sample):
            raise UsageError("--balanced draws a --sample of --labelled pairs")


@dataclass(frozen=True)
class Chosen:
    """The items to be judged. Those of a list stand in its order (the most urgent may come first),
    others in that of the collection's queries.

    Parameters
    ----------
    left_out : {why: pairs that were passed over}: `judged`, the collection has labels of them;
        `people`, the label store has; `sampled`, a list says that they are not in its sample;
        `reference`, no other document of the query is known to be relevant.
    """

    items: tuple[Item, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


def choose(
    found: TestCollection, rubric: Rubric, which: Which, people: Collection[Ids] = frozenset()
) -> Chosen:
    """The items, with their texts.

    Parameters
    ----------
    people : what people have labelled elsewhere, and need not be judged: a query and a document,
        or a query and two documents in the order of their ids.

    Raises
    ------
    UsageError
        The collection has no documents.
    InputError, FormatError
        A document or query is not in the collection; a list cannot be read.
    NothingToEvaluate
        There is nothing to judge.
    """
    if found.documents is None:
        raise UsageError(f"{found.name} has no documents", "is there a corpus.jsonl?")
    grades = grades_of(found.qrels)
    preference = rubric.kind == "preference"
    if preference and which.labelled:
        raise UsageError("preferences have no labelled pairs", "give runs, or --work-list FILE")
    pairs, left_out = _pairs(found, grades, which, preference)
    if which.queries is not None:
        pairs = [p for p in pairs if p[0] in which.queries]
    if which.unjudged and not which.labelled:
        left = [p for p in pairs if (p[0], *sorted(p[1:])) not in people]
        if n := len(pairs) - len(left):
            left_out["people"] = n
        pairs = left
    pairs = _drawn(pairs, grades, which)
    known = references(grades, rubric.relevant, pairs) if rubric.reference else {}
    if rubric.reference:
        lacking = [p for p in pairs if p not in known]
        if lacking:
            left_out["reference"] = len(lacking)
        pairs = [p for p in pairs if p in known]
    if not pairs:
        none = f"{found.name} holds no judgments" if which.labelled and not grades else None
        raise NothingToEvaluate("there is nothing to judge", not_there(left_out) or none)
    texts = _texts(found, {d for p in pairs for d in (*p[1:], *known.get(p, ()))})
    queries = {q.id: q for q in found.queries}
    return Chosen(
        tuple(
            Item(
                queries[p[0]],
                tuple(texts[d] for d in p[1:]),
                texts[known[p][0]] if p in known else None,
            )
            for p in pairs
        ),
        left_out,
    )


def not_there(left_out: Mapping[str, int]) -> str | None:
    """Why nothing is left, of {why: pairs}; None where nothing was passed over."""
    return "; ".join(f"{n} pairs {_LEFT_OUT[why]}" for why, n in left_out.items()) or None


def grades_of(qrels: Qrels) -> dict[str, dict[str, float]]:
    """{query: {document: grade}} of judged pairs."""
    names = qrels.queries.to_list()
    out: dict[str, dict[str, float]] = {}
    for q, doc, grade in zip(qrels.query.tolist(), qrels.docs, qrels.grade.tolist(), strict=True):
        if grade >= 0:
            out.setdefault(names[q], {})[doc] = grade
    return out


def _pairs(
    found: TestCollection,
    grades: Mapping[str, Mapping[str, float]],
    which: Which,
    preference: bool,
) -> tuple[list[Ids], dict[str, int]]:
    order = {q.id: n for n, q in enumerate(found.queries)}
    if which.runs:
        return _of_runs(order, grades, which, preference)
    if which.work_list is not None:
        given = read_list(which.work_list, 2 if preference else 1)
        unknown = [p[0] for p in given.pairs if p[0] not in order]
        if unknown:
            raise InputError(
                f"{which.work_list}: query {unknown[0]!r} is not among the queries of {found.name}"
            )
        return list(given.pairs), ({"sampled": given.unsampled} if given.unsampled else {})
    labelled = [(q, doc) for q, own in grades.items() if q in order for doc in own]
    return sorted(labelled, key=lambda p: order[p[0]]), {}


def _of_runs(
    order: Mapping[str, int],
    grades: Mapping[str, Mapping[str, float]],
    which: Which,
    preference: bool,
) -> tuple[list[Ids], dict[str, int]]:
    pooled: dict[str, dict[str, None]] = {q: {} for q in order}
    for run in which.runs:
        lists = result_lists(open_run(run), list(order), which.depth)
        for query, results in lists.items():
            pooled[query].update((doc, None) for doc, _ in results)
    if preference:
        return [(q, a, b) for q, docs in pooled.items() for a, b in combinations(docs, 2)], {}
    every = [(q, doc) for q, docs in pooled.items() for doc in docs]
    if not which.unjudged:
        return list(every), {}
    left = [p for p in every if p[1] not in grades.get(p[0], {})]
    n = len(every) - len(left)
    return list(left), ({"judged": n} if n else {})


def _drawn(pairs: list[Ids], grades: Mapping[str, Mapping[str, float]], which: Which) -> list[Ids]:
    if not which.balanced:
        return sampled_by(which.seed, which.sample, pairs, lambda p: p)
    by_grade: dict[float, list[Ids]] = {}
    for p in pairs:
        by_grade.setdefault(grades[p[0]][p[1]], []).append(p)
    assert which.sample is not None
    chosen: set[Ids] = set()
    left = which.sample
    rest = sorted(by_grade.values(), key=len)  # what a rare grade lacks, the others get
    for n, own in enumerate(rest):
        share = left // (len(rest) - n)
        mine = sampled_by(which.seed, share, own, lambda p: p) if share else []
        chosen.update(mine)
        left -= len(mine)
    return [p for p in pairs if p in chosen]


def references(
    grades: Mapping[str, Mapping[str, float]],
    relevant: float,
    pairs: Iterable[Ids],
) -> dict[Ids, Ids]:
    """{pair: another document that is known to be relevant}: of those with the highest grade the
    one with the first id."""
    out: dict[Ids, Ids] = {}
    for p in pairs:
        own = grades.get(p[0], {})
        others = [d for d, g in own.items() if g >= relevant and d != p[1]]
        if others:
            out[p] = (min(others, key=lambda d: (-own[d], d.encode())),)
    return out


def _texts(found: TestCollection, wanted: set[str]) -> dict[str, Document]:
    assert found.documents is not None
    texts = {}
    with progress("reading documents", found.n_documents) as advance:
        for document in found.documents():
            if document.id in wanted:
                texts[document.id] = document
            advance(1)
    if lacking := wanted - texts.keys():
        raise InputError(
            f"{len(lacking)} documents are not in the collection, for example {min(lacking)!r}",
            "is it the collection that the runs or the list were made on?",
        )
    return texts
