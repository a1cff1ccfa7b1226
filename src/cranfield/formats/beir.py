"""BEIR's folder: corpus.jsonl, queries.jsonl and qrels/<split>.tsv."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from cranfield.data.collection import Document, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError, NoSuchInput, UnknownName, UsageError
from cranfield.formats import topics
from cranfield.formats.inputs import Input
from cranfield.formats.names import NEEDED, is_beir_header, resolve
from cranfield.formats.problems import MOST
from cranfield.formats.rows import Rows
from cranfield.formats.tabular import rows_from_columns
from cranfield.formats.text import decoded, read_lines
from cranfield.formats.topics import read_queries

__all__ = [
    "files_of",
    "is_beir_header",
    "other_splits",
    "read_beir_qrels",
    "read_documents",
    "read_folder",
    "read_queries",
]

_FORM = "a BEIR file begins with the line 'query-id<TAB>corpus-id<TAB>score'"
_DEFAULT_SPLIT = "test"
_DOC_IDS = ("_id", "id", "doc_id", "docid", "docno")
_PACKED = ("", ".gz", ".bz2", ".xz", ".zst")
_QUERIES = ("queries.jsonl", "queries.tsv", "topics.xml", "topics.txt")
_BESIDE = ("qrels.tsv", "qrels.txt", "qrels.trec")


def read_beir_qrels(source: Input, *, header: bool = True) -> Rows:
    """Judgments separated by tabs only, so that an id may hold blanks.

    With `header=False` the header line may be missing; the columns then are query, document,
    grade, or with four of them query, iteration, document, grade.
    """
    lines = [(n, text) for n, text in enumerate(read_lines(source), 1) if text.strip()]
    if not lines:
        raise FormatError("no judgment in it", _FORM, file=source.name)
    number, first = lines[0]
    names = first.split("\t")
    if is_beir_header(first.encode()):
        lines = lines[1:]
    elif header:
        raise FormatError("no header line", _FORM, file=source.name, line=number, text=first)
    else:
        names = ["query", "iteration", "doc", "grade"] if len(names) == 4 else list(NEEDED["qrels"])
    names = [name.strip() for name in names]
    resolve(names, "qrels", file=source.name, line=number)
    table: list[list[str]] = []
    at: list[int] = []
    problems: list[FormatError] = []
    for number, text in lines:
        cells = text.split("\t")
        if len(cells) == len(names):
            table.append(cells)
            at.append(number)
        elif len(problems) < MOST:
            n = len(cells)
            problem = f"{n} column{'s' if n != 1 else ''} where {len(names)} are expected"
            hint = f"columns are separated by one tab each: {'<TAB>'.join(names)}"
            problems.append(FormatError(problem, hint, file=source.name, line=number, text=text))
    columns = list(zip(*table, strict=True)) or [()] * len(names)
    named = dict(zip(names, columns, strict=True))
    rows = rows_from_columns(named, "qrels", source.name, np.array(at, np.int64))
    rows.problems.extend(problems)
    rows.problems.sort(key=lambda p: p.line or 0)
    return rows


def read_folder(
    path: Path, split: str | None, to_qrels: Callable[[Input], Qrels] | None
) -> TestCollection:
    """A collection from a folder; the documents are not read until asked for, the judgments not
    without a `to_qrels`.

    The judgments are those of `qrels/<split>.tsv` (`test` where it exists, or the only one), or
    of a `qrels.tsv`, `qrels.txt` or `qrels.trec` beside the queries.
    """
    queries = _first_of(path, _QUERIES)
    if queries is None:
        raise NoSuchInput(
            f"{path} holds no queries.jsonl", "a collection has queries.jsonl and qrels/"
        )
    corpus = _first_of(path, ("corpus.jsonl",))
    qrels = to_qrels(Input(_qrels_file(path, split))) if to_qrels else Qrels.from_rows(())
    return TestCollection(
        name=path.resolve().name,
        queries=read_queries(Input(queries)),
        qrels=qrels,
        documents=None if corpus is None else partial(read_documents, Input(corpus)),
    )


def read_documents(source: Input) -> Iterator[Document]:
    """The documents of a corpus.jsonl, one at a time: `_id`, `title`, `text`; other members and
    those inside `metadata` become fields.

    Raises
    ------
    FormatError
        A line that is no record, or a document without an id, or with neither title nor text.
    """
    for line, record in topics.records(_lines_of(source), source.name):
        id_name, doc_id = topics.id_of(record, _DOC_IDS, source.name, line)
        title, text = record.get("title") or "", record.get("text")
        if text is None and not title:
            form = 'a line of corpus.jsonl is {"_id": "d1", "title": "…", "text": "…"}'
            raise FormatError(f"document {doc_id!r} has no text", form, file=source.name, line=line)
        fields = topics.fields_of(record, {"title", "text", id_name})
        yield Document(doc_id, str(title), str(text or ""), fields)


def _lines_of(source: Input) -> Iterator[tuple[int, str]]:
    with source.open() as stream:
        for number, line in enumerate(stream, 1):
            yield number, decoded(line, source.name, number)


def files_of(folder: Path) -> list[Path]:
    """The files of a folder that a collection is read from."""
    names = ("corpus.jsonl", *_QUERIES, *_BESIDE)
    beside = (folder / (name + packed) for name in names for packed in _PACKED)
    return [*(path for path in beside if path.is_file()), *_splits(folder).values()]


def _first_of(folder: Path, names: tuple[str, ...]) -> Path | None:
    candidates = (folder / (name + packed) for name in names for packed in _PACKED)
    return next((p for p in candidates if p.is_file()), None)


def other_splits(source: str, split: str | None = None) -> dict[str, str]:
    """{name: judgments} of the further splits of the collection that a folder, or a file in its
    `qrels/`, is of."""
    path = Path(source)
    if path.is_dir():
        used: Path | None
        try:
            used = _qrels_file(path, split)
        except (NoSuchInput, UsageError):
            used = None
        splits = _splits(path)
    else:
        used = path
        splits = (
            _splits(path.resolve().parent.parent) if path.resolve().parent.name == "qrels" else {}
        )
    return {
        name: str(file)
        for name, file in splits.items()
        if used is None or file.resolve() != used.resolve()
    }


def _splits(folder: Path) -> dict[str, Path]:
    splits: dict[str, Path] = {}
    for packed in _PACKED:
        for file in sorted((folder / "qrels").glob("*.tsv" + packed)):
            splits.setdefault(file.name.removesuffix(packed).removesuffix(".tsv"), file)
    return splits


def _qrels_file(folder: Path, split: str | None) -> Path:
    splits = _splits(folder)
    beside = _first_of(folder, _BESIDE)
    if split is not None:
        if split not in splits:
            have = ", ".join(splits) or "none"
            raise UnknownName(f"{folder} has no split {split!r}", f"splits: {have}")
        return splits[split]
    if _DEFAULT_SPLIT in splits:
        return splits[_DEFAULT_SPLIT]
    if len(splits) > 1:
        hint = f"say which with split= (--split): {', '.join(splits)}"
        raise UsageError(f"{folder} has several splits and none is 'test'", hint)
    found = next(iter(splits.values()), beside)
    if found is None:
        hint = "judgments are qrels/<split>.tsv, or a qrels.tsv, qrels.txt or qrels.trec beside"
        raise NoSuchInput(f"{folder} holds no judgments", hint)
    return found
