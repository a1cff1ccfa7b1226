"""The rows of judgments by what they are about, so that two sets can be laid side by side."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.data.qrels import Qrels
from cranfield.errors import InputError

Key = tuple[bytes, ...]  # query, document, and column 2 where that tells rows apart


def refuse_people(qrels: Qrels, what: str) -> None:
    """InputError for judgments that have no one grade a query and document."""
    if qrels.judged_by_people:
        raise InputError(
            f"{qrels.name}: preferences, or judgments of several groups, cannot be {what}",
            "judgments with one row a query and document can",
        )


def keyed(sets: Sequence[Qrels], what: str) -> list[dict[Key, int]]:
    """For each set {key: its row}, in the order of the rows.

    Raises
    ------
    InputError
        Preferences or judgments of several groups, or a document twice for a query.
    """
    subtopics = any(qrels.has_subtopics for qrels in sets)
    found = []
    for qrels in sets:
        refuse_people(qrels, what)
        names = qrels.queries.to_bytes()
        columns = [[names[q] for q in qrels.query.tolist()], qrels.docs.to_bytes()]
        if subtopics:
            blank = [b"0"] * len(qrels)
            columns.append(blank if qrels.iteration is None else qrels.iteration.to_bytes())
        rows: dict[Key, int] = {}
        for row, key in enumerate(zip(*columns, strict=True)):
            if rows.setdefault(key, row) != row:
                raise InputError(
                    f"{qrels.name}: document {_text(key[1])!r} is judged twice for query "
                    f"{_text(key[0])!r}",
                    "on_duplicate says which row to keep",
                )
        found.append(rows)
    return found


def texts(key: Key) -> tuple[str, ...]:
    """The ids of a key as text."""
    return tuple(map(_text, key))


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
