"""Judgments by subtopic: who may read them, and how they become one row a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.data.columns import Ids, Index, encode
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError
from cranfield.measures import CATALOG, Aspects, Measure


def check_subtopics(qrels: Qrels, measures: Sequence[Measure]) -> None:
    """Whether these measures can be had of judgments by subtopic, or of others.

    Raises
    ------
    InputError
        A measure counts a document once and the judgments do not, or the other way round.
    """
    diverse = [m for m in measures if m.definition.view == "subtopics"]
    plain = [m for m in measures if m.definition.view == "grades"]
    if qrels.has_subtopics and plain:
        able = ", ".join(n for n, family in CATALOG.items() if family.view == "subtopics")
        raise InputError(
            f"{qrels.name}: documents are judged once per subtopic (column 2), and "
            f"{plain[0].family} counts a document once",
            f"subtopic judgments are for diversity measures ({able}); to merge them say which "
            "grade to keep: --on-duplicate max (on_duplicate= in Python); if column 2 is the "
            "person who judged, see AP_avgjg and prefs_avgjg",
        )
    if diverse and not _names_subtopics(qrels):
        raise InputError(
            f"{qrels.name}: {diverse[0].family} needs judgments by subtopic, and column 2 names "
            "none",
            "a line of subtopic judgments is: query subtopic document grade",
        )


def by_document(qrels: Qrels) -> tuple[Qrels, Aspects | None]:
    """One row a document, by ascending id, with its largest grade; and the grades by subtopic.

    Judgments without subtopics come back as they are.
    """
    if qrels.iteration is None:
        return qrels, None
    documents, row = merged(qrels)
    return documents, Aspects(row, numbered(qrels.iteration), qrels.grade)


def merged(qrels: Qrels) -> tuple[Qrels, Index]:
    """(one row a document, by ascending id, with its largest grade; [row] which of them it is)."""
    doc = numbered(qrels.docs)
    order = np.lexsort((doc, qrels.query))
    query, doc = qrels.query[order], doc[order]
    fresh = np.ones(len(order), bool)
    fresh[1:] = (query[1:] != query[:-1]) | (doc[1:] != doc[:-1])
    row = np.empty(len(order), np.int64)
    row[order] = np.cumsum(fresh) - 1
    grade = np.maximum.reduceat(qrels.grade[order], np.flatnonzero(fresh))
    documents = qrels.take(order[fresh])
    return replace(documents, grade=grade, iteration=None, group=None, part=None), row


def _names_subtopics(qrels: Qrels) -> bool:
    return qrels.iteration is not None and len(encode(qrels.iteration)[0]) > 1


def numbered(ids: Ids) -> Index:
    """The place of each id among the distinct ones in ascending order."""
    names, codes = encode(ids)
    place = np.empty(len(names), np.int64)
    place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return place[codes]
