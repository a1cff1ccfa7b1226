"""The values of trec_eval's measures for every topic of the judgments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels, grade_text
from cranfield.errors import InputError, UsageError
from cranfield.evaluation.align import Aligned, align
from cranfield.evaluation.people import by_person
from cranfield.evaluation.treceval_measures import Asked, Column, Format, columns
from cranfield.formats.readers import read_qrels
from cranfield.formats.sources import notes_of
from cranfield.formats.treceval import TaggedRun, Zscores, starts_with_hash
from cranfield.measures import Hits, Judgments, compute, relstring
from cranfield.measures.gain import gains
from cranfield.measures.hits import Bools, Ints
from cranfield.scan.judged import JudgedIndex

SMALL = 4 << 20  # bytes; less is read before threads have been started


@dataclass(frozen=True)
class Options:
    """What trec_eval can be told.

    Parameters
    ----------
    measures : the texts of `-m`; empty for those that fit the judgments.
    version : 10, or 9: scores as float32, recall levels by +0.9, no row for a missing topic.
    complete : `-c`, a topic that the run does not answer counts as 0.
    level : `-l`, the lowest relevant grade.
    judged_only : `-J`, unjudged documents are taken out of the list.
    most : `-M`, documents of a topic that are read.
    docs : `-N`, documents in the collection.
    form : `-R`, what the judgments are.
    zscores : `-Z`, means and deviations that values are expressed by.
    topic : `-D level.topic`, the only topic to evaluate.
    """

    measures: Sequence[str] = ()
    version: int = 10
    complete: bool = False
    level: int = 1
    judged_only: bool = False
    most: int | None = None
    docs: int = 0
    form: Format = "qrels"
    zscores: Zscores | None = None
    topic: str | None = None

    def __post_init__(self) -> None:
        if self.level < 1:
            raise UsageError(f"-l {self.level}: the lowest relevant grade is 1 or more")
        if self.most is not None and self.most < 1:
            raise UsageError(f"-M {self.most}: at least 1 document of a topic has to be read")


@dataclass
class Found:
    """Values of all topics of the judgments, before anything is left out or summed.

    Parameters
    ----------
    values : [topic, column]; 1 for a column that is no number.
    answered : [topic] whether the run has it.
    texts : of the columns that are texts, one a topic.
    relevant : rows of a grade above 0.
    notes : what was skipped.
    """

    columns: list[Column]
    topics: list[bytes]
    values: Floats
    answered: list[bool]
    texts: dict[int, list[str]] = field(default_factory=dict)
    relevant: int = 0
    notes: list[str] = field(default_factory=list)


def read_judgments(path: str, options: Options) -> Qrels:
    """The judgments with whole grades, -1 for all that were pooled and not judged; or the
    preferences."""
    qrels = read_qrels(path, format=None if options.form == "qrels" else options.form)
    if options.form == "prefs":
        return qrels
    if qrels.part is not None:
        raise InputError(f"{path}: these are preferences", "-R prefs reads them")
    if options.version > 9 and (comment := starts_with_hash(qrels.queries)).any():
        qrels = qrels.take(~comment[qrels.query])
    fractions = np.flatnonzero(qrels.grade != np.floor(qrels.grade))
    if len(fractions):
        row = int(fractions[0])
        grade, query = grade_text(float(qrels.grade[row])), qrels.queries[int(qrels.query[row])]
        raise InputError(
            f"{path}: grade {grade} of document {qrels.docs[row]!r} for query {query!r} is no "
            "whole number",
            "trec_eval would cut the fraction off; `cranfield evaluate` reads it as it is",
        )
    if options.form == "qrels" and qrels.has_subtopics:
        raise InputError(
            f"{path}: a document is judged several times for a query, told apart by column 2",
            "-R qrels_jg reads column 2 as the group of people who judged",
        )
    if options.form == "qrels_prefs":
        qrels = qrels.take(qrels.grade >= 0)  # a topic that nobody judged has no row
    return replace(qrels, grade=np.maximum(qrels.grade, -1.0))


def plain_values(qrels: Qrels, source: TaggedRun, wanted: Asked, options: Options) -> Found:
    """The measures of judgments that know no groups."""
    shown = _columns(qrels, wanted, options)
    judgments = Judgments(len(qrels.queries), qrels.query, qrels.grade)
    aligned = _aligned(qrels, source, options)
    values = _computed(shown, judgments, aligned.hits)
    absent = np.flatnonzero(~aligned.answered)
    texts = {}
    for i, column in enumerate(shown):
        if column.name in ("num_ret", "utility", "rbp_resid") or column.name.startswith("unj"):
            values[absent, i] = 0.0  # but not with parameters, where trec_eval forgets it
        elif column.name.startswith("Rndcg"):
            values[judgments.num_rel(options.level) == 0, i] = 0.0  # of a high enough grade
        elif column.kind == "relstring":
            texts[i] = relstring(judgments, aligned.hits, column.length)
            for topic in absent.tolist() if column.name == "relstring" else ():
                texts[i][topic] = ""
        elif column.kind == "ideal":
            values[:, i] = _computed(
                [replace(column, kind="mean")], judgments, _best(judgments, column)
            )[:, 0]
    return Found(
        shown,
        qrels.queries.to_bytes(),
        values,
        aligned.answered.tolist(),
        texts,
        int(np.count_nonzero(qrels.grade > 0)),
        _notes(qrels, aligned),
    )


def people_values(qrels: Qrels, source: TaggedRun, wanted: Asked, options: Options) -> Found:
    """The measures of preferences, and means over the groups of people who judged a topic.

    Equal scores are ordered by document id ascending for preferences, as in trec_eval.
    """
    shown = _columns(qrels, wanted, options)
    documents, opinions = by_person(qrels)
    judgments = Judgments(
        len(documents.queries), documents.query, documents.grade, opinions=opinions
    )
    aligned = _aligned(documents, source, options)
    return Found(
        shown,
        documents.queries.to_bytes(),
        _computed(shown, judgments, aligned.hits),
        aligned.answered.tolist(),
        notes=_notes(qrels, aligned),
    )


def _columns(qrels: Qrels, wanted: Asked, options: Options) -> list[Column]:
    return columns(
        wanted,
        version=options.version,
        level=options.level,
        docs=options.docs,
        top=int(qrels.grade.max(initial=1.0)),
        condensed=options.judged_only and options.form == "qrels_jg",
    )


def _computed(shown: Sequence[Column], judgments: Judgments, hits: Hits) -> Floats:
    """[topic, column], 1 where a column is no measure."""
    measures = {i: c.measure for i, c in enumerate(shown) if c.measure and c.kind != "ideal"}
    values = np.ones((judgments.n_queries, len(shown)))
    values[:, list(measures)] = compute(list(measures.values()), judgments, hits)[0]
    return values


def _aligned(qrels: Qrels, source: TaggedRun, options: Options) -> Aligned:
    """The run against the judgments, cut at `-M` documents, then without the unjudged (`-J`)."""
    threads = min(4, os.cpu_count() or 1) if source.size > SMALL else 1
    found = align(
        source,
        JudgedIndex(qrels),
        ties="docid-asc" if options.form in ("prefs", "qrels_prefs") else "docid-desc",
        single=options.version == 9,
        threads=threads,
    )
    hits = found.hits
    if options.complete:  # trec_eval 10 takes one unknown document for a result that is missing
        hits = replace(hits, n_ret=np.where(found.answered, hits.n_ret, 1))
    if options.most is not None:
        hits = _taken(hits, hits.rank < options.most, np.minimum(hits.n_ret, options.most))
    if options.judged_only and options.form == "qrels":  # a group has unjudged ones of its own
        keep = qrels.grade[hits.row] >= 0
        left = np.bincount(hits.query[keep], minlength=len(hits.n_ret)).astype(np.int64)
        hits = _taken(hits, keep, left)
        rank = np.arange(len(hits.query)) - np.searchsorted(hits.query, hits.query)
        hits = replace(hits, rank=rank)
    return replace(found, hits=hits)


def _taken(hits: Hits, keep: Bools, n_ret: Ints) -> Hits:
    names = ("query", "rank", "row", "tie_start", "tie_len")
    return Hits(**{name: getattr(hits, name)[keep] for name in names}, n_ret=n_ret)


def _best(judgments: Judgments, column: Column) -> Hits:
    """The best list that could be returned."""
    assert column.measure is not None
    worth = gains(judgments, column.measure.values["gain"])  # type: ignore[arg-type]
    row = np.flatnonzero(worth > 0)
    row = row[np.lexsort((-worth[row], judgments.query[row]))]
    query = judgments.query[row]
    rank = np.arange(len(row)) - np.searchsorted(query, query)
    n_ret = np.bincount(query, minlength=judgments.n_queries).astype(np.int64)
    return Hits(query, rank, row, rank, np.ones_like(rank), n_ret)


def _notes(qrels: Qrels, aligned: Aligned) -> list[str]:
    notes = [f"judgments: {n}" for n in qrels.notes]
    notes += [f"run: {n}" for n in notes_of(aligned.skipped)]
    if aligned.unlabelled:
        notes.append(
            f"the run has {len(aligned.unlabelled)} topics without judgments, left out: "
            f"{', '.join(aligned.unlabelled[:5])}{', …' * (len(aligned.unlabelled) > 5)}"
        )
    return notes
