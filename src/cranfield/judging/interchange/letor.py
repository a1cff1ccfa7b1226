"""Judgment lists of learning to rank (SVMlight, LETOR, RankLib): `3 qid:1 1:9.8 # doc query`."""

from __future__ import annotations

import re

from cranfield.errors import FormatError
from cranfield.formats.inputs import Input
from cranfield.formats.text import read_lines
from cranfield.judging.interchange.origin import Rows

_LINE = re.compile(r"\s*(?P<grade>\S+)\s+qid:(?P<qid>\S+)(?P<features>[^#]*)(?:#(?P<comment>.*))?")
_NAMED = re.compile(r"#\s*qid:(?P<qid>\S+?):\s*(?P<query>.*\S)\s*")
_DOCID = re.compile(r"docid\s*=\s*(\S+)")
_FORM = "a line is GRADE qid:N FEATURES # DOCUMENT; a line '# qid:N: QUERY' names a query"


def looks_like_letor(head: bytes) -> bool:
    """Whether a line at the beginning is one of this format, comments and names aside."""
    for line in head.splitlines()[:200]:
        text = line.decode("utf-8", "replace").strip()
        if text and not text.startswith("#"):
            return bool(re.match(r"\S+\s+qid:\S", text))
    return False


def read_letor(source: Input, into: Rows) -> tuple[str, ...]:
    """Grades, query numbers and, in the comment, the document; features are passed over. LETOR
    writes `docid = X` there, other tools the document first. A query is called by the text that a
    comment `# qid:1: text` gives it, else by its number."""
    names: dict[str, str] = {}
    comments = features = 0
    for number, line in enumerate(read_lines(source), 1):
        if not line.strip():
            continue
        if line.lstrip().startswith("#"):
            named = _NAMED.fullmatch(line.strip())
            if named:
                names[named["qid"]] = named["query"]
            else:
                comments += 1
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise FormatError("not a judgment", _FORM, file=source.name, line=number, text=line)
        features += bool(found["features"].strip())
        doc = _document(found["comment"] or "")
        if doc is None:
            raise FormatError("no document in the comment", _FORM, file=source.name, line=number)
        query = names.get(found["qid"], found["qid"])
        into.add(query, doc, _grade(found["grade"], source, number), number, by_text=True)
    notes = [f"features of {features} row{'s' * (features != 1)} passed over"] if features else []
    if comments:
        notes.append(f"{comments} comment line{'s' * (comments != 1)} skipped")
    return tuple(notes)


def _document(comment: str) -> str | None:
    said = _DOCID.search(comment)
    if said:
        return said[1]
    words = comment.split()
    return words[0] if words else None


def _grade(text: str, source: Input, line: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise FormatError(
            f"the grade {text!r} is not a number", _FORM, file=source.name, line=line
        ) from None
