"""Judgments of several people: who may read them, and how they become one row a document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.columns import Ids, encode
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError
from cranfield.evaluation.subtopics import by_document, merged, numbered
from cranfield.measures import CATALOG, Judgments, Measure
from cranfield.measures.hits import Bools, Opinions, runs_of
from cranfield.measures.opinions import opinions_of
from cranfield.measures.orders import Group

PEOPLE = ("preferences", "groups")  # views that know who judged


def block_of(qrels: Qrels, measures: Sequence[Measure]) -> tuple[Qrels, Judgments]:
    """The judgments with one row a document, and the block that these measures read."""
    views = {m.definition.view for m in measures}
    aspects = opinions = None
    if "subtopics" in views:
        qrels, aspects = by_document(qrels)
    elif views & set(PEOPLE):
        qrels, opinions = by_person(qrels)
    strata = None if qrels.stratum is None else numbered(qrels.stratum)
    block = Judgments(len(qrels.queries), qrels.query, qrels.grade, aspects, opinions, strata)
    if "preferences" in views and not preferring(block).any():
        first = next(m for m in measures if m.definition.view == "preferences")
        raise InputError(
            f"{qrels.name}: {first.family} needs preferences, and no query has two documents of "
            "different grades from one person",
            "of two documents the one with the higher grade is preferred: judge some of grade 0, "
            "or use graded judgments",
        )
    return qrels, block


def by_person(qrels: Qrels) -> tuple[Qrels, Opinions | None]:
    """One row a document, by ascending id, with its largest grade; and what each person gave it.

    A person is a value of `group`; without that column a value of column 2 where it tells apart
    several judgments of one document, else all judgments are one person's and come back as they
    are.

    Raises
    ------
    InputError
        The orders that a person gave contradict one another.
    """
    group = qrels.group
    if group is None and qrels.has_subtopics:
        group = qrels.iteration
    if group is None and qrels.part is None:
        return qrels, None
    documents, row = merged(qrels)
    names, person = _by_name(group, len(qrels))
    opinions = Opinions(row, person, _by_name(qrels.part, len(qrels))[1], qrels.grade)
    _require_consistent(documents, opinions, names)
    return documents, opinions


def _by_name(column: Ids | None, n: int) -> tuple[list[str], np.ndarray]:
    """(distinct names ascending, [row] which of them a row has); one name without a column."""
    if column is None:
        return [""], np.zeros(n, np.int64)
    return [name.decode() for name in sorted(encode(column)[0])], numbered(column)


def _require_consistent(qrels: Qrels, at: Opinions, names: Sequence[str]) -> None:
    """InputError where a person's orders of one query contradict one another."""
    query = qrels.query[at.row]
    order = np.lexsort((at.part, at.group, query))
    query, group, part, row = query[order], at.group[order], at.part[order], at.row[order]
    level = at.level[order]
    fresh = np.flatnonzero(runs_of(query, group))
    ends = fresh + np.diff(fresh, append=len(row))
    for begin, end in zip(fresh.tolist(), ends.tolist(), strict=True):
        cuts = np.flatnonzero(np.diff(part[begin:end])) + 1
        if not len(cuts):
            continue
        docs, number = np.unique(row[begin:end], return_inverse=True)
        parts = zip(np.split(number, cuts), np.split(level[begin:end], cuts), strict=True)
        try:
            Group.of(len(docs), list(parts))
        except InputError as e:
            where = f"query {qrels.queries[int(query[begin])]!r}, group {names[group[begin]]!r}"
            raise InputError(f"{qrels.name}: {where}: {e.message}", e.hint) from None


def preferring(judgments: Judgments) -> Bools:
    """[n_queries] whether somebody gave two documents of one part different grades."""
    at = opinions_of(judgments)
    said = np.flatnonzero(at.level >= 0)
    query = judgments.query[at.row[said]]
    order = np.lexsort((at.level[said], at.part[said], at.group[said], query))
    said, query = said[order], query[order]
    same = ~runs_of(query, at.group[said], at.part[said])
    found = np.zeros(judgments.n_queries, np.bool_)
    found[query[same & runs_of(at.level[said])]] = True
    return found


def check_people(qrels: Qrels, measures: Sequence[Measure]) -> None:
    """Whether these measures can be had of judgments by several people.

    Raises
    ------
    InputError
        Preferences are asked for grades, a measure counts a document once where several people
        judged it, or column 2 would be read in two ways.
    """
    asked = {
        view: [m.family for m in measures if m.definition.view == view]
        for view in ("grades", "strata", "subtopics", *PEOPLE)
    }
    others = [m.family for m in measures if m.definition.view != "preferences"]
    if qrels.part is not None and others:
        raise InputError(
            f"{qrels.name}: these are preferences, whose levels only order the documents of a "
            f"part, and {others[0]} needs grades",
            f"measures of preferences: {_able('preferences')}",
        )
    people = [*asked["preferences"], *asked["groups"]]
    if asked["subtopics"] and (people or qrels.group is not None):
        reader = people[0] if people else "this format (or column)"
        raise InputError(
            f"{qrels.name}: {asked['subtopics'][0]} reads column 2 as the subtopic, and {reader} "
            "as the group of people who judged",
            "evaluate them apart",
        )
    several = qrels.repeats_documents if qrels.group is not None else qrels.has_subtopics
    if asked["grades"] and several and (people or qrels.group is not None):
        raise InputError(
            f"{qrels.name}: several groups judged the same documents (column 2), and "
            f"{asked['grades'][0]} counts a document once",
            f"for several groups there are {_able('groups')}, {_able('preferences')}; to merge "
            "their grades say which to keep, without --qrels-format: --on-duplicate max",
        )


def _able(view: str) -> str:
    return ", ".join(name for name, family in CATALOG.items() if family.view == view)


def people_notes(qrels: Qrels, block: Judgments, measures: Sequence[Measure]) -> list[str]:
    """What to know of how people and preferences were read from `qrels`."""
    views = {m.definition.view for m in measures}
    if not views & set(PEOPLE):
        return []
    notes = []
    if qrels.group is None and qrels.iteration is not None:
        if qrels.has_subtopics:
            notes.append(
                "column 2 tells judgments of one document apart and is read as the group of "
                "people who judged"
            )
        elif len(encode(qrels.iteration)[0]) > 1:
            notes.append(
                "column 2 has several values, but nobody judged a document twice: all judgments "
                "are one group's (--qrels-format qrels_prefs reads column 2 as the group)"
            )
    if "preferences" in views and (none := int(np.count_nonzero(~preferring(block)))):
        notes.append(
            f"{none} of {block.n_queries} queries {'has' if none == 1 else 'have'} no preference "
            "(no two documents of different grades from one person): measures of preferences are "
            "0 there"
        )
    return notes
