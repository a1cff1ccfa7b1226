"""The review set as data: queries that a person looks at again with every new run, side by side."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cranfield.errors import UsageError

# What goes wrong, in the words of the field; a lab may add its own.
TAGS = {
    "misread-term": "术语误读",
    "wrong-entity": "实体错误",
    "duplicate": "重复结果",
    "stale": "内容过时",
    "label-error": "标注错误",
}
Mark = Literal["new", "up", "down", "same", "gone"]
Lists = Mapping[str, Sequence[tuple[str, float, float | None]]]


@dataclass(frozen=True)
class Note:
    """A sentence about a query; `run` is the fingerprint of the run it is about, if any."""

    at: str
    text: str
    run: str | None = None


@dataclass(frozen=True)
class Kept:
    """A query of the review set and what has been said of it."""

    query: str
    notes: tuple[Note, ...] = ()
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # run fingerprint: tags


@dataclass(frozen=True)
class Reviewed:
    """A run as it was shown: its first k results for each query of the review set then.

    `lists` holds (document, score, grade or None) in rank order; a query that the run did not
    answer has an empty one.
    """

    id: int
    at: str
    name: str
    fingerprint: str
    k: int
    lists: Lists


@dataclass(frozen=True)
class Line:
    """One document of a list. `before` is its rank in the list it is held against, and `rank` is
    None for one that is gone from the new list."""

    mark: Mark
    doc: str
    rank: int | None
    before: int | None
    grade: float | None
    title: str | None = None


@dataclass(frozen=True)
class Beside:
    """A query with the list of a run beside that of the run reviewed before it.

    Parameters
    ----------
    lines : the new list in rank order, then what is gone.
    tags, tags_before : on this query, of the two runs.
    """

    query: str
    text: str | None
    notes: tuple[Note, ...]
    tags: tuple[str, ...]
    tags_before: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def changed(self) -> int:
        """Documents that came, went or moved."""
        return sum(line.mark != "same" for line in self.lines)


@dataclass(frozen=True)
class Review:
    """A run held against the one reviewed before it (None: it is the first)."""

    run: str
    before: str | None
    k: int
    queries: tuple[Beside, ...]


@dataclass(frozen=True)
class TagCounts:
    """How often each tag stood on a query of each reviewed run, the oldest run first."""

    runs: tuple[Reviewed, ...]
    counts: Mapping[str, tuple[int, ...]]


def tag_name(text: str, own: Sequence[str] = ()) -> str:
    """The tag that a text means: built in, by its English or Chinese name, or one of the lab's.

    Raises
    ------
    UsageError
        It is empty, holds a comma or blank, or is a built-in one misspelt.
    """
    plain = unicodedata.normalize("NFC", text).strip()
    for tag, chinese in TAGS.items():
        if plain in (tag, chinese) or plain.casefold() in (tag, tag.replace("-", " ")):
            return tag
    if plain in own:
        return plain
    if not plain or any(c.isspace() or c == "," or not c.isprintable() for c in plain):
        raise UsageError(f"{text!r} is no tag", "one word, such as stale or too-long")
    near = difflib.get_close_matches(plain.casefold(), TAGS, 1, cutoff=0.75)
    if near:
        raise UsageError(f"no tag {plain!r}", f"did you mean {near[0]}?")
    return plain


def lines_of(
    now: Sequence[tuple[str, float, float | None]],
    then: Sequence[tuple[str, float, float | None]],
    titles: Mapping[str, str],
    compared: bool,
) -> tuple[Line, ...]:
    """The new list, each document marked, then what is gone; nothing is marked where there is no
    list to hold it against."""
    rank_then = {doc: rank for rank, (doc, _, _) in enumerate(then, 1)}
    lines = []
    for rank, (doc, _, grade) in enumerate(now, 1):
        before = rank_then.get(doc)
        mark: Mark = "same"
        if compared and before is None:
            mark = "new"
        elif before is not None and before != rank:
            mark = "up" if rank < before else "down"
        lines.append(Line(mark, doc, rank, before, grade, titles.get(doc)))
    here = {doc for doc, _, _ in now}
    lines += [
        Line("gone", doc, None, rank, grade, titles.get(doc))
        for rank, (doc, _, grade) in enumerate(then, 1)
        if doc not in here
    ]
    return tuple(lines)
