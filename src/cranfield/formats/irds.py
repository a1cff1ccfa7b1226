"""`irds:<id>`: a collection of the ir_datasets package, its documents read only when asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, MissingExtra, NoSuchInput, UnknownName
from cranfield.formats.cells import Place
from cranfield.formats.names import of_qrels
from cranfield.formats.problems import Problems
from cranfield.formats.rows import Rows
from cranfield.formats.tabular import rows_from_values

_QUERY_TEXT = ("text", "query", "title", "question", "description")
# The two names of column 2 of a TREC file.
_ITERATION = ("iteration", "subtopic_id")


def read_irds(
    name: str, to_qrels: Callable[[Rows], Qrels] | None = None, *, judgments: bool = True
) -> TestCollection:
    """The collection that ir_datasets knows by this id (without `irds:`).

    Its files are fetched by ir_datasets on first use. `to_qrels` turns the rows of the judgments
    into Qrels (and decides what a repeated judgment means); without `judgments` none are read.

    Raises
    ------
    UnknownName
        ir_datasets has no such collection; the hint names near ones.
    InputError
        The collection comes without queries or judgments.
    """
    dataset = _load(name)
    for part in ("queries", "qrels") if judgments else ("queries",):
        if not getattr(dataset, f"has_{part}")():
            raise InputError(f"irds:{name} has no {part}", _children(name, part))
    with _obtained(name):
        rows = _rows(dataset.qrels_iter() if judgments else iter(()), f"irds:{name}")
        queries = tuple(map(_query, dataset.queries_iter()))
    _no_repeats(queries, name)
    return TestCollection(
        name=name,
        queries=queries,
        qrels=(to_qrels or _plain_qrels(name))(rows),
        documents=(lambda: _documents(dataset, name)) if dataset.has_docs() else None,
    )


def _load(name: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise MissingExtra(f"irds:{name}", "irds") from None
    try:
        return ir_datasets.load(name)
    except KeyError:
        import difflib

        near = difflib.get_close_matches(name, list(ir_datasets.registry), 3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see https://ir-datasets.com"
        raise UnknownName(f"ir_datasets has no collection {name!r}", hint) from None


def _children(name: str, part: str) -> str | None:
    """The collections under this one that have the missing part."""
    import ir_datasets

    under = [n for n in ir_datasets.registry if n.startswith(name + "/")]
    having = [n for n in under if getattr(ir_datasets.registry[n], f"has_{part}")()]
    return f"one of its parts has: {', '.join(having[:8])}" if having else None


@contextlib.contextmanager
def _obtained(name: str) -> Iterator[None]:
    """A file that cannot be fetched (network errors are OSErrors) is said in one line."""
    try:
        yield
    except (OSError, RuntimeError) as e:
        reason = (str(e).strip() or type(e).__name__).splitlines()[0]
        raise NoSuchInput(
            f"irds:{name} could not be fetched or read: {reason}",
            "ir_datasets fetches a collection on first use; some need a licence and a manual step",
        ) from None


def _rows(judgments: Iterator[Any], file: str) -> Rows:
    query: list[Any] = []
    docs: list[Any] = []
    grades: list[Any] = []
    iterations: list[Any] = []
    column: str | None = None
    for judgment in judgments:
        if not query:
            column = next((n for n in _ITERATION if hasattr(judgment, n)), None)
            _usable(judgment, file)
        query.append(judgment.query_id)
        docs.append(judgment.doc_id)
        grades.append(judgment.relevance)
        iterations.append(None if column is None else getattr(judgment, column))
    extra = {} if column is None else {"iteration": iterations}
    place = Place(file, "qrels", name=lambda i: f"query {query[i]!r}, document {docs[i]!r}")
    return rows_from_values(query, docs, grades, extra, place)


def _usable(judgment: Any, file: str) -> None:
    if hasattr(judgment, "iprob"):
        raise InputError(
            f"{file}: judgments drawn with unequal probabilities (prels)",
            "they must not be averaged as if they were complete; sampled measures are not here",
        )
    if not hasattr(judgment, "relevance"):
        have = ", ".join(getattr(judgment, "_fields", ()))
        raise InputError(f"{file}: the judgments have no relevance, only {have}")


def _plain_qrels(name: str) -> Callable[[Rows], Qrels]:
    def build(rows: Rows) -> Qrels:
        Problems().add(rows.problems)
        return Qrels.from_columns(
            rows.query, rows.docs, rows.value, name=name, **of_qrels(rows.extra)
        )

    return build


def _query(record: Any) -> Query:
    """The text is the member called so, or the title, the description, or all text there is."""
    members = record._asdict()
    query_id = str(members.pop("query_id"))
    texts = {k: v for k, v in members.items() if isinstance(v, str)}
    name = next((n for n in _QUERY_TEXT if texts.get(n)), None)
    if name is not None:
        return Query(query_id, texts.pop(name), texts)
    return Query(query_id, record.default_text() if hasattr(record, "default_text") else "", texts)


def _no_repeats(queries: tuple[Query, ...], name: str) -> None:
    seen: set[str] = set()
    for query in queries:
        if query.id in seen:
            raise InputError(f"irds:{name}: query {query.id!r} comes twice")
        seen.add(query.id)


def _documents(dataset: Any, name: str) -> Iterator[Document]:
    with _obtained(name):
        for record in dataset.docs_iter():
            yield _document(record)


def _document(record: Any) -> Document:
    """The text is ir_datasets' own choice of text fields, without the title it begins with."""
    members = {k: v for k, v in record._asdict().items() if isinstance(v, str)}
    doc_id = members.pop("doc_id")
    title = members.pop("title", "")
    text = members.pop("text", "")
    if hasattr(record, "default_text"):
        text = record.default_text()
        if title and text.startswith(title):
            text = text[len(title) :].lstrip()
    elif not text:
        text = "\n".join(members.values())
    return Document(str(doc_id), title, text, members)
