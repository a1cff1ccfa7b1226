"""Relevance judgments: who (if known) gave which grade to which document for which query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, distinct, encode
from cranfield.errors import InputError

NO_ITERATION = b"0"


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments as columns; row i says that document `docs[i]` has `grade[i]` for query
    `queries[query[i]]`.

    Parameters
    ----------
    queries : Ids
        Distinct query ids, in order of first appearance.
    query : int64 array, one number a row
        Index into `queries`.
    docs : Ids, one a row
    grade : float64 array, one a row
        Exact, integer or fractional. A negative grade means pooled but not judged.
    iteration : Ids, one a row, optional
        Column 2 of a TREC file; in subtopic qrels the subtopic.
    group : Ids, one a row, optional
        Whose judgment it is, where several people (trec_eval: judgment groups) judged the same
        documents; a preference holds within a group.
    part : Ids, one a row, optional
        Which of the orders that a group gave. With it the rows are preferences and nothing else:
        `grade` is a level of 0 or more that only orders the documents of its part.
    source, assessor, note : Ids, one a row, optional
        Who said so (`human`, `llm`, ...), kept as read.
    stratum : Ids, one a row, optional
        Of a pool that was sampled by strata, which one the document belongs to; documents of the
        pool that were not sampled have rows with a negative grade.
    scale : float, optional
        The largest grade of the judging guidelines where they declare one; measures that need a
        scale (ERR, graded RBP) otherwise use the largest grade present.
    name : str
    notes : tuple of str
        What the reader skipped or recognised, in words.
    """

    queries: Ids
    query: Index
    docs: Ids
    grade: Floats
    iteration: Ids | None = None
    source: Ids | None = None
    assessor: Ids | None = None
    note: Ids | None = None
    group: Ids | None = None
    part: Ids | None = None
    stratum: Ids | None = None
    scale: float | None = None
    name: str = "qrels"
    notes: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def from_columns(cls, query: Ids, docs: Ids, grade: Floats, **more: Any) -> Qrels:
        """From one query id a row."""
        names, codes = encode(query)
        return cls(Ids.of(names), codes, docs, grade, **more)

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, float]], **more: Any) -> Qrels:
        """From (query, document, grade) triples."""
        table = list(rows)
        return cls.from_columns(
            Ids.of(r[0] for r in table),
            Ids.of(r[1] for r in table),
            np.array([r[2] for r in table], np.float64),
            **more,
        )

    @classmethod
    def from_dict(cls, qrels: Mapping[str, Mapping[str, float]], **more: Any) -> Qrels:
        """From {query: {document: grade}}, the form of pytrec_eval; a query with an empty
        dictionary is a query without judgments and is left out."""
        rows = ((q, d, _grade(q, d, g)) for q, docs in qrels.items() for d, g in docs.items())
        return cls.from_rows(rows, **more)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{query: {document: grade}}; whole grades come back as int."""
        out: dict[str, dict[str, float]] = {q: {} for q in self.queries}
        names = self.queries.to_list()
        for q, d, g in zip(self.query.tolist(), self.docs, self.grade.tolist(), strict=True):
            out[names[q]][d] = int(g) if g == int(g) else g
        return out

    def to_grade_texts(self, rows: Index) -> list[str]:
        """The grades of these rows as text."""
        return [grade_text(g) for g in self.grade[rows].tolist()]

    def __len__(self) -> int:
        return len(self.query)

    def __repr__(self) -> str:
        return (
            f"Qrels({self.name!r}: {len(self):,} judgments, {len(self.queries):,} queries, "
            f"grades {', '.join(map(grade_text, self.levels[:8].tolist()))}"
            f"{', …' if len(self.levels) > 8 else ''})"
        )

    @cached_property
    def levels(self) -> Floats:
        """The distinct grades, ascending."""
        return distinct(self.grade)

    @property
    def max_grade(self) -> float:
        """The declared top of the scale, else the largest grade present (0 if there is none)."""
        return self.scale if self.scale is not None else float(self.grade.max(initial=0.0))

    @cached_property
    def has_subtopics(self) -> bool:
        """True where a document has several rows for one query, told apart by column 2."""
        if self.iteration is None or self.iteration.is_spread or len(encode(self.iteration)[0]) < 2:
            return False
        return self.repeats_documents

    @property
    def judged_by_people(self) -> bool:
        """True where rows mean nothing without `group` or `part`: preferences, and documents that
        several groups judged."""
        return self.part is not None or (self.group is not None and self.repeats_documents)

    @cached_property
    def repeats_documents(self) -> bool:
        """True where a document has several rows for one query."""
        pairs = set(zip(self.query.tolist(), self.docs.to_bytes(), strict=True))
        return len(pairs) < len(self)

    def fingerprint(self) -> str:
        """Of the judgments, whatever their order or the format they were read from: query,
        document, column 2 where it tells rows apart, the stratum where there is one, grade."""
        from cranfield.kit.fingerprint import of_parts

        names = self.queries.to_bytes()
        parts = [[names[q] for q in self.query.tolist()], self.docs.to_bytes()]
        if self.iteration is not None and self.has_subtopics:
            parts.append(self.iteration.to_bytes())
        if self.stratum is not None:
            parts.append(self.stratum.to_bytes())
        grades = [grade.encode() for grade in map(repr, self.grade.tolist())]
        rows = sorted(zip(*parts, grades, strict=True))
        return of_parts(cell for row in rows for cell in row)

    def take(self, rows: Any) -> Qrels:
        """These rows (indices or a mask); queries left without rows are dropped."""
        kept = {
            k: v.take(rows)
            for k in ("iteration", "source", "assessor", "note", "group", "part", "stratum")
            if (v := getattr(self, k)) is not None
        }
        old = distinct(self.query[rows])
        return replace(
            self,
            queries=self.queries.take(old),
            query=np.searchsorted(old, self.query[rows]),
            docs=self.docs.take(rows),
            grade=self.grade[rows],
            **kept,
        )


def qrels_fingerprint(qrels: Qrels) -> str:
    """`Qrels.fingerprint`."""
    return qrels.fingerprint()


def _grade(query: str, doc: str, grade: Any) -> float:
    try:
        value = float(grade)
    except (TypeError, ValueError):
        value = float("nan")
    if isinstance(grade, str) or not np.isfinite(value):
        raise InputError(
            f"qrels[{query!r}][{doc!r}]: grade {grade!r} is not a finite number",
            "a grade is an integer or a fraction, such as 2 or 0.5",
        )
    return value


def grade_text(grade: float) -> str:
    """The shortest text that reads back as exactly this grade: `2`, `-1`, `0.2`."""
    return str(int(grade)) if float(grade).is_integer() and abs(grade) < 1e16 else repr(grade)
