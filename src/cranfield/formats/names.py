"""The one table of column names: what a column of judgments or of a run is called elsewhere."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from cranfield.errors import FormatError
from cranfield.formats import complaints

Kind = Literal["qrels", "run"]

QUERY = (
    "query query_id query-id queryid qid q_id q-id topic topic_id topic-id topicid "
    "topic_number question_id"
).split()
DOC = (
    "doc doc_id doc-id docid doc_no docno d_id document document_id document-id documentid "
    "corpus-id corpus_id corpusid pid passage_id passage-id passage did"
).split()
GRADE = "grade relevance rel label rating judgment judgement".split()
SCORE = "score sim similarity".split()
EXTRAS = {
    "iteration": "iteration iter subtopic subtopic_id q0".split(),
    "source": ["source"],
    "assessor": "assessor judge assessor_id judge_id annotator".split(),
    "note": "note reason comment".split(),
    "group": "judgment_group ujg jg".split(),
    "part": "judgment_subgroup ujsg jsg".split(),
    "stratum": ["stratum"],
}
# Columns that a file may well have and that say nothing here: the rank follows from the score.
WITHOUT_NOTE = frozenset("rank pos position tag run run_id run-id runid run_name system".split())

BEIR_HEADER = ("query-id", "corpus-id", "score")
ROLES: dict[Kind, dict[str, list[str]]] = {
    "qrels": {"query": QUERY, "doc": DOC, "grade": GRADE, **EXTRAS},
    "run": {"query": QUERY, "doc": DOC, "score": SCORE},
}
NEEDED: dict[Kind, tuple[str, str, str]] = {
    "qrels": ("query", "doc", "grade"),
    "run": ("query", "doc", "score"),
}


def value_name(kind: Kind) -> str:
    """What the number of a row is called: a grade or a score."""
    return NEEDED[kind][2]


def resolve(
    columns: Sequence[str], kind: Kind, *, file: str = "the table", line: int | None = None
) -> dict[str, str]:
    """{canonical name: the column of that role}, for every role that has a column.

    Raises
    ------
    FormatError
        A needed column is missing, or two columns claim the same role.
    """
    claims = _claims(columns, kind)
    for role, names in claims.items():
        if len(names) > 1:
            shown = " and ".join(map(repr, names))
            raise FormatError(
                f"the columns {shown} both look like the {role}",
                f"rename or drop one; the {role} is best called {role!r}",
                file=file,
                line=line,
            )
    for role in NEEDED[kind]:
        if role not in claims:
            accepted = ", ".join(_aliases(role, kind))
            raise FormatError(
                f"no column for the {role}; columns found: "
                f"{', '.join(map(repr, columns)) or 'none'}",
                f"name it one of: {accepted}",
                file=file,
                line=line,
            )
    return {role: names[0] for role, names in claims.items()}


def passed_over(columns: Sequence[str], kind: Kind) -> Counter[str]:
    """Columns that are not read, in the form of `Rows.skipped`; ranks and tags go unmentioned."""
    read = {name for names in _claims(columns, kind).values() for name in names}
    known = WITHOUT_NOTE | (set(EXTRAS["iteration"]) if kind == "run" else set())
    return Counter(
        f"column {name!r}" for name in columns if name not in read and _plain(name) not in known
    )


def is_header(line: str, kind: Kind) -> bool:
    """Whether a first line names columns: separated by comma, tab or semicolon, no number among
    them, and at least two of the needed roles (so that a file that lacks the third is told so)."""
    delimiter = delimiter_of(line)
    fields = split_header(line, delimiter)
    claims = _claims(fields, kind)
    # a TREC run may begin with names between tabs, two of them the query's: not for this reader
    clear = delimiter in ",;" or all(len(names) == 1 for names in claims.values())
    return (
        sum(role in claims for role in NEEDED[kind]) >= 2
        and clear
        and not any(complaints.is_number(f.strip()) for f in fields)
    )


def is_beir_header(first_line: bytes) -> bool:
    """Whether a first line is BEIR's: tabs, `query-id`, `corpus-id` and `score`, and possibly
    further columns that judgments may have."""
    names = first_line.decode("utf-8", "replace").strip("\r\n").split("\t")
    plain = [n.strip().casefold().replace("_", "-") for n in names]
    return set(BEIR_HEADER) <= set(plain) and len(plain) <= len(BEIR_HEADER) + 1


def delimiter_of(line: str) -> str:
    """The one of comma, tab and semicolon that cuts the header into the most columns."""
    return max(",\t;", key=lambda d: len(split_header(line, d)))


def split_header(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return [line]


def _claims(columns: Sequence[str], kind: Kind) -> dict[str, list[str]]:
    """{role: the columns that bear one of its names}, in the order of the table."""
    found = {
        role: [c for c in columns if _plain(c) in aliases] for role, aliases in ROLES[kind].items()
    }
    if kind == "qrels" and not found["grade"]:
        # BEIR calls the grade "score"; beside a grade it is what some system scored.
        found["grade"] = [c for c in columns if _plain(c) == "score"]
    return {role: names for role, names in found.items() if names}


def _aliases(role: str, kind: Kind) -> list[str]:
    return [*ROLES[kind][role], *(["score"] if role == "grade" else [])]


def _plain(name: str) -> str:
    return name.strip().casefold()
