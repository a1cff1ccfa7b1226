"""What people are to judge: pairs of a query and a document, with their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.errors import FormatError, InputError, NothingToEvaluate, UsageError
from cranfield.kit.files import open_input
from cranfield.kit.progress import progress

Pair = tuple[str, str]  # query and document
MOST = 200_000  # pairs without a list; more are not meant
_QUERY = ("query", "query_id", "query-id", "qid", "topic")
_DOC = ("document", "doc", "doc_id", "docid", "corpus-id")


@dataclass(frozen=True, eq=False)
class Task:
    """Pairs, each once, in the order of the list or of the collection, and their texts by id."""

    pairs: tuple[Pair, ...]
    queries: Mapping[str, Query]
    documents: Mapping[str, Document]


def task_of(found: TestCollection, work_list: str | None = None, only: Sequence[str] = ()) -> Task:
    """The pairs of a list, or every document for every query.

    Parameters
    ----------
    work_list : a file as `read_pairs` reads it.
    only : ids of queries; none means all.

    Raises
    ------
    UsageError
        The collection has no documents, or too many for each to be judged.
    InputError, FormatError, NoSuchInput
        A query or document is not in the collection; the list cannot be read.
    NothingToEvaluate
        There is no pair.
    """
    if found.documents is None:
        raise UsageError(f"{found.name} has no documents", "is there a corpus.jsonl?")
    queries = {q.id: q for q in found.queries}
    if strange := [q for q in only if q not in queries]:
        raise InputError(f"query {strange[0]!r} is not among the queries of {found.name}")
    if work_list is None:
        documents = _documents(found)
        asked = list(only) or list(queries)
        if len(asked) * len(documents) > MOST:
            raise UsageError(
                f"{len(asked)} queries and {len(documents)} documents are "
                f"{len(asked) * len(documents)} pairs",
                "--query QUERY, or --work-list FILE as `cranfield check --holes` writes it",
            )
        pairs = tuple((q, d) for q in dict.fromkeys(asked) for d in documents)
    else:
        listed = read_pairs(work_list)
        if strange := [q for q, _ in listed if q not in queries]:
            raise InputError(
                f"{work_list}: query {strange[0]!r} is not among the queries of {found.name}"
            )
        pairs = tuple(p for p in listed if not only or p[0] in set(only))
        documents = _documents(found, {d for _, d in pairs})
    if not pairs:
        raise NothingToEvaluate("there is nothing to judge")
    return Task(pairs, queries, documents)


def _documents(found: TestCollection, wanted: set[str] | None = None) -> dict[str, Document]:
    """Those that are wanted, None: all."""
    assert found.documents is not None
    texts = {}
    with progress("reading documents", found.n_documents) as advance:
        for document in found.documents():
            if wanted is None or document.id in wanted:
                texts[document.id] = document
            advance(1)
    if wanted is not None and (lacking := wanted - texts.keys()):
        raise InputError(
            f"{len(lacking)} documents are not in the collection, for example {min(lacking)!r}",
            "is it the collection that the list was made on?",
        )
    return texts


def read_pairs(path: str) -> list[Pair]:
    """Pairs of a file, each once: with tabs and a header that names the columns (`query` and
    `document`; others are passed over, whatever they hold), as `cranfield check --holes` and
    `--suspects` write; or without a header a query and a document a line, or lines of qrels.

    Raises
    ------
    FormatError, NoSuchInput
    """
    with open_input(path) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as e:
            raise FormatError(f"not UTF-8 ({e})", file=path) from None
    lines = text.split("\n")
    places = _places(lines[0].rstrip("\r").split("\t"))
    found: dict[Pair, None] = {}
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r")
        if not line.strip() or (places is not None and number == 1):
            continue
        cells = line.split() if places is None else line.split("\t")
        at = places or ((0, 2) if len(cells) == 4 else (0, 1))
        fits = len(cells) in (2, 4) if places is None else len(cells) > max(at)
        if not fits or not all(cells[i].strip() for i in at):
            raise FormatError(
                "no query and document", "a header with tabs, or two columns with a blank between",
                file=path, line=number, text=line,
            )  # fmt: skip
        found[cells[at[0]].strip(), cells[at[1]].strip()] = None
    return list(found)


def _places(header: Sequence[str]) -> tuple[int, int] | None:
    names = [cell.strip().casefold() for cell in header]
    query = next((names.index(n) for n in _QUERY if n in names), None)
    doc = next((names.index(n) for n in _DOC if n in names), None)
    return None if query is None or doc is None else (query, doc)
