"""A file of labels, in whatever format, read into judgments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from cranfield.data.collection import Query
from cranfield.errors import FormatError, InputError, UnknownName
from cranfield.formats.detect import FORMATS, SAMPLED, format_of
from cranfield.formats.inputs import Input
from cranfield.judging.interchange import letor, rows, services, tables
from cranfield.judging.interchange.origin import Found, Origin, Rows, TextIds
from cranfield.judging.judgment import Judgment
from cranfield.judging.preferences import Preference

OWN = ("quepid", "rank-eval", "opensearch", "letor", "rows")
READ = (*FORMATS, *OWN)
OnRepeat = Literal["error", "first", "last", "max"]


def read_judgments(
    path: str | os.PathLike[str],
    form: str | None = None,
    *,
    origin: Origin = Origin(),  # noqa: B008  (frozen)
    queries: Sequence[Query] | None = None,
    on_duplicate: OnRepeat = "error",
) -> Found:
    """The judgments of a file.

    Parameters
    ----------
    form : one of `READ`; by default told from the content.
    origin : what the file does not say itself.
    queries : to find ids by texts, for tools that know queries by their texts alone; without
        them a text is its own id.
    on_duplicate : a judge who grades a pair twice in a file: an error, or which grade to keep.

    Raises
    ------
    FormatError, InputError, NoSuchInput, UnknownName
    """
    if form is not None and form not in READ:
        raise UnknownName(f"no format {form!r} of labels", f"formats: {', '.join(READ)}")
    source = Input(path)
    if not source.head.strip():
        raise InputError(f"{source.name}: the file is empty", "was the right file given?")
    found = form or _form_of(source)
    if found == "rows":
        read_ = rows.read_rows(source)
        return Found(
            tuple(r for r in read_ if isinstance(r, Judgment)),
            found,
            preferences=tuple(r for r in read_ if isinstance(r, Preference)),
        )
    into = Rows(source.name, origin, TextIds(queries))
    if found == "quepid":
        notes = tables.read_quepid(source, into)
    elif found == "letor":
        notes = letor.read_letor(source, into)
    elif found in ("rank-eval", "opensearch"):
        read = services.read_rank_eval if found == "rank-eval" else services.read_opensearch
        notes = read(services.read_value(source), source.name, into)
    else:
        notes = tables.read_plain(source, found, into)
    if not into.judgments:
        raise InputError(f"{source.name}: no judgment in it", "was the right file given?")
    kept, repeated = _settled(into, on_duplicate)
    if repeated:
        notes = (
            *notes,
            f"{repeated} repeated judgment{'s' * (repeated != 1)} ({on_duplicate} kept)",
        )
    return Found(kept, found, notes)


def _form_of(source: Input) -> str:
    head = source.head
    if rows.looks_like_rows(head):
        return "rows"
    if letor.looks_like_letor(head):
        return "letor"
    text = head.lstrip()
    if text.startswith(b"{"):
        service = services.service_of(services.read_value(source))
        if service is not None:
            return service
    if tables.is_quepid(text.split(b"\n", 1)[0].decode("utf-8", "replace").strip("\r")):
        return "quepid"
    found = format_of(source, "qrels")
    if found == SAMPLED:
        raise InputError(
            f"{source.name}: a pool sampled by strata, not grades alone",
            "`evaluate POOL RUN -m xinfAP` reads it; here give the labels that it was filled from",
        )
    if found not in FORMATS:
        raise InputError(
            f"{source.name}: preferences, not grades",
            "a label store takes grades of documents, and preferences as `judge log --preferences "
            "--format jsonl` writes them",
        )
    return found


def _settled(into: Rows, on_duplicate: OnRepeat) -> tuple[tuple[Judgment, ...], int]:
    """One row a judge and pair."""
    kept: dict[tuple[object, ...], int] = {}
    made = list(into.judgments)
    repeated = 0
    for i, judgment in enumerate(into.judgments):
        first = kept.setdefault((*judgment.pair, judgment.judge), i)
        if first == i:
            continue
        if on_duplicate == "error":
            who = f" by {judgment.assessor!r}" if judgment.assessor else ""
            line, before = into.lines[i], into.lines[first]
            where = "" if before is None else f" (first on line {before})"
            raise FormatError(
                f"document {judgment.doc!r} is judged twice{who} for query "
                f"{judgment.query!r}{where}",
                "--on-duplicate first, last or max keeps one; a column assessor tells judges apart",
                file=into.file,
                line=line,
            )
        repeated += 1
        old = made[first]
        better = on_duplicate == "max" and (judgment.grade or 0) > (old.grade or 0)
        if on_duplicate == "last" or better:
            made[first] = replace(judgment)
    return tuple(made[i] for i in kept.values()), repeated
