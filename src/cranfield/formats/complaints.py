"""The sentences about lines of TREC files that cannot be read: what is wrong, what to do.

Only lines that the fast reader has set aside come here, so this is plain Python.
"""

from __future__ import annotations

import re

from cranfield.errors import FormatError

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|(?i:[+-]?inf(?:inity)?)", re.ASCII)
_HEADER_WORDS = frozenset(
    (
        "topic topicid topic_id topic-id qid query query_id query-id queryid q0 "
        "iter iteration doc docid doc_id doc-id docno corpus-id document rank "
        "pos position score sim similarity tag run runid run_id run-id run_name "
        "rel relevance grade judgment judgement label "
    ).split()
)
RUN_FORM = "a run line is: query Q0 document rank score tag"
SWAPPED = "are the two files swapped? the qrels come first, then the runs"
CSV_HEADER = "CSV needs a first line that names its columns, such as query,doc,"
QRELS_FORM = "a qrels line is: query iteration document grade"
_OR_PREFS = "; preferences (query group part document level) are read with --qrels-format prefs"


def columns_of(line: str) -> list[str]:
    """The columns as the reader cuts them: at blanks and tabs, not at the many other signs that
    Unicode counts as blank, which may stand in an id."""
    return [c.decode() for c in line.encode().split()]


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def is_header(columns: list[str]) -> bool:
    """A first line of column names, such as `topic Q0 docid rank score qid`."""
    names = [c for c in columns if c != "0"]  # some write the second column as it is
    known = sum(c.casefold() in _HEADER_WORDS for c in names)
    return known >= 2 and known >= len(names) - 1 and not any(map(is_number, names))


def run_complaint(text: str, width: int, file: str, line: int) -> FormatError:
    """Why this line is no run line of `width` (5 or 6) columns."""
    c = columns_of(text)
    problem, hint = _run_problem(c, width)
    if line == 1 and len(c) == 4 and is_number(c[3]):
        problem, hint = "4 columns where 6 are expected: this is a qrels line", SWAPPED
    elif len(c) == 1 and text.count(",") >= 2:
        problem, hint = "commas and no blanks: this looks like CSV", CSV_HEADER + "score"
    return FormatError(problem, hint, file=file, line=line, text=text)


def _run_problem(c: list[str], width: int) -> tuple[str, str]:
    n = len(c)
    if n > 6:
        if is_number(c[3]) and is_number(c[4]) and is_number(c[5]):
            return (
                f"{n} columns: either the document id {' '.join(c[2:4])!r} or the tag "
                f"{' '.join(c[5:])!r} holds a blank",
                "write ids and tags as one word each",
            )
        if is_number(c[3]) and is_number(c[4]):
            return (
                f"{n} columns: the tag {' '.join(c[5:])!r} holds a blank",
                f"write the tag as one word, such as {'_'.join(c[5:])}",
            )
        if is_number(c[4]) and is_number(c[5]):
            return (
                f"{n} columns: the document id {' '.join(c[2:4])!r} holds a blank",
                "a TREC run cannot hold it; use JSONL, CSV or Parquet, or replace the blank",
            )
        return f"{n} columns where 6 are expected", RUN_FORM
    if n == 6 and width == 5:
        return (
            "6 columns in a file that began with 5",
            "give every line a tag, or none",
        )
    if n == 5 and width == 6:
        return (
            "5 columns in place of 6: the score, the tag or the document id is missing",
            RUN_FORM + "; a file without tags must have none on any line and Q0 in column 2",
        )
    if n < 5:
        return f"{_columns(n)} where 6 are expected", RUN_FORM
    if not is_number(c[4]):
        if c[4].casefold() in ("nan", "+nan", "-nan"):
            return (
                "the score is NaN, which cannot be ranked",
                "give the document a number, or drop it",
            )
        return f"the score {c[4]!r} is not a number", RUN_FORM
    return (
        f"column 4 is {c[3]!r} where the rank is expected: does a document id hold a blank?",
        RUN_FORM,
    )


def qrels_complaint(text: str, file: str, line: int) -> FormatError:
    """Why this line is no qrels line of 4 columns."""
    c = columns_of(text)
    problem, hint = _qrels_problem(c)
    if line == 1 and len(c) == 6 and is_number(c[3]) and is_number(c[4]):
        problem, hint = "6 columns where 4 are expected: this is a run line", SWAPPED
    elif len(c) == 1 and text.count(",") >= 2:
        problem, hint = "commas and no blanks: this looks like CSV", CSV_HEADER + "grade"
    elif line == 1 and text.count(",") >= 2 and not is_number(c[-1]):
        problem, hint = "commas: this looks like CSV", CSV_HEADER + "grade"
    return FormatError(problem, hint, file=file, line=line, text=text)


def _qrels_problem(c: list[str]) -> tuple[str, str]:
    n = len(c)
    if n == 3:
        return (
            "3 columns where 4 are expected",
            QRELS_FORM + "; a BEIR file begins with the line 'query-id<TAB>corpus-id<TAB>score'",
        )
    if n == 5 and all(map(is_number, c[2:])):
        return (
            "5 columns ending in three numbers: these are prels (query document grade method "
            "probability), which sampled measures need and the measures here cannot use",
            "a qrels file has 4 columns; judgments drawn with unequal probabilities must not be "
            f"averaged as if they were complete{_OR_PREFS}",
        )
    if n >= 5 and is_number(c[-1]):
        return (
            f"{n} columns: the document id {' '.join(c[2:-1])!r} holds a blank",
            "a TREC file cannot hold such an id; use JSONL, CSV or Parquet, or replace the blank"
            + _OR_PREFS * (n == 5),
        )
    if n == 4:
        if c[3].casefold() in ("nan", "+nan", "-nan"):
            return "the grade is NaN", "a grade is an integer or a fraction, such as 2 or 0.5"
        if is_number(c[3]):
            return f"the grade {c[3]} is not finite", "a grade is a finite number"
        return f"the grade {c[3]!r} is not a number", QRELS_FORM
    return f"{_columns(n)} where 4 are expected", QRELS_FORM


def _columns(n: int) -> str:
    return f"{n} column{'s' if n != 1 else ''}"
