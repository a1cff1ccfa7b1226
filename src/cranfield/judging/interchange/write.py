"""Qrels written for other tools, and the card that says by which policy they were made."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.data.card import RunCard
from cranfield.data.collection import Query
from cranfield.data.qrels import Qrels, grade_text
from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.formats.card import write_card
from cranfield.formats.detect import FORMATS
from cranfield.formats.write import write_qrels
from cranfield.judging.interchange.origin import TextIds
from cranfield.kit.files import write_whole

SERVICES = ("quepid", "rank-eval", "opensearch", "letor")
WRITTEN = (*FORMATS, *SERVICES)


def write_labels(
    qrels: Qrels,
    path: str | os.PathLike[str],
    form: str | None = None,
    *,
    provenance: Mapping[str, Any],
    queries: Sequence[Query] | None = None,
    index: str | None = None,
) -> tuple[str, ...]:
    """Write qrels and beside them a card with their provenance; returns what was lost, in words.

    Parameters
    ----------
    form : one of `WRITTEN`; by default as the ending says.
    provenance : for the card `PATH.card.json`.
    queries : for tools that know queries by their texts.
    index : for Elasticsearch's rank_eval, whose ratings name one.

    Raises
    ------
    UnknownName, UsageError, InputError, NoSuchInput
    """
    if form is not None and form not in WRITTEN:
        raise UnknownName(f"no format {form!r} of labels", f"formats: {', '.join(WRITTEN)}")
    notes: tuple[str, ...]
    if form in SERVICES:
        text, notes = _rendered(qrels, str(form), TextIds(queries), index)
        with write_whole(path) as stream:
            stream.write(text.encode())
    else:
        notes = write_qrels(qrels, path, form)
    write_card(RunCard(Path(path).name, {"judgments": dict(provenance)}), path)
    return notes


def _rendered(
    qrels: Qrels, form: str, texts: TextIds, index: str | None
) -> tuple[str, tuple[str, ...]]:
    by_query: dict[str, list[tuple[str, float]]] = {query: [] for query in qrels.queries}
    names = list(by_query)
    left_out = 0
    for q, doc, grade in zip(qrels.query.tolist(), qrels.docs, qrels.grade.tolist(), strict=True):
        left_out += grade < 0
        if grade >= 0:
            by_query[names[q]].append((doc, grade))
    if left_out == len(qrels.docs):
        raise InputError("no pair has a grade: all are pooled but not judged (-1)")
    by_query = {query: rated for query, rated in by_query.items() if rated}
    text, notes = _of_service(by_query, form, texts, index, qrels.name)
    if left_out:
        notes = (
            *notes,
            f"left out: {left_out} pairs pooled but not judged (-1), which is no grade",
        )
    return text, notes


def _of_service(
    by_query: Mapping[str, list[tuple[str, float]]],
    form: str,
    texts: TextIds,
    index: str | None,
    name: str,
) -> tuple[str, tuple[str, ...]]:
    names = list(by_query)
    if form == "quepid":
        return _quepid(by_query, texts), _unknown(names, texts)
    if form == "opensearch":
        return _opensearch(by_query, texts, name), _unknown(names, texts)
    if form == "letor":
        return _letor(by_query, texts), ()
    if index is None:
        raise UsageError("rank_eval's ratings name an index", "say which: --index products")
    return _rank_eval(by_query, index)


def _unknown(names: Sequence[str], texts: TextIds) -> tuple[str, ...]:
    missing = [name for name in names if name not in texts.texts]
    if not missing:
        return ()
    return (f"{len(missing)} queries are written by their ids: their texts are not known",)


def _quepid(by_query: Mapping[str, list[tuple[str, float]]], texts: TextIds) -> str:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("query", "docid", "rating"))
    for query, rated in by_query.items():
        for doc, grade in rated:
            writer.writerow((texts.text_of(query), doc, grade_text(grade)))
    return out.getvalue()


def _opensearch(by_query: Mapping[str, list[tuple[str, float]]], texts: TextIds, name: str) -> str:
    body = {
        "name": name,
        "description": "exported by Cranfield",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [
            {
                "query": texts.text_of(query),
                "ratings": [{"docId": doc, "rating": repr(grade)} for doc, grade in rated],
            }
            for query, rated in by_query.items()
        ],
    }
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def _rank_eval(
    by_query: Mapping[str, list[tuple[str, float]]], index: str
) -> tuple[str, tuple[str, ...]]:
    """Whole grades only: Elasticsearch takes no other ratings."""
    requests = []
    for query, rated in by_query.items():
        for doc, grade in rated:
            if not float(grade).is_integer():
                raise InputError(
                    f"query {query!r}, document {doc!r}: rank_eval takes whole ratings from 0 on, "
                    f"not {grade_text(grade)}"
                )
        ratings = [{"_index": index, "_id": doc, "rating": int(grade)} for doc, grade in rated]
        requests.append({"id": query, "ratings": ratings})
    text = json.dumps({"requests": requests}, ensure_ascii=False, indent=1) + "\n"
    return text, ("each request still needs its `request` or `template_id` before it is sent",)


def _letor(by_query: Mapping[str, list[tuple[str, float]]], texts: TextIds) -> str:
    """Queries are numbered from 1 on; comments at the top say which is which."""
    lines = []
    for number, query in enumerate(by_query, 1):
        text = " ".join(texts.text_of(query).split())
        lines.append(f"# qid:{number}: {text}")
    for number, rated in enumerate(by_query.values(), 1):
        for doc, grade in rated:
            if any(c.isspace() for c in doc):
                raise InputError(f"document {doc!r}: an id with blanks cannot be written as letor")
            lines.append(f"{grade_text(grade)} qid:{number} # {doc}")
    return "\n".join([*lines, ""])
