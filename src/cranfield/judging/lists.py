"""Lists of what is to be judged: a query and a document a line, or two documents."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors import FormatError
from cranfield.kit.files import open_input

_QUERY = ("query", "query_id", "query-id", "qid", "topic")
_DOC = ("document", "doc", "doc_id", "docid", "corpus-id")
_TWO = (("doc_a", "doc_b"), ("document_a", "document_b"))


def read_pairs(path: str, documents: int = 1) -> list[tuple[str, ...]]:
    """Lines with a query and so many documents (1 or 2): with tabs and a header that names the
    columns (`query` and `document`, or `doc_a` and `doc_b`; others are passed over, whatever they
    hold), as `cranfield check --holes` and `--suspects` write; or without a header and with blanks
    between. Lines of qrels do as well. Each comes once, two documents in whichever order.

    Raises
    ------
    FormatError, NoSuchInput
    """
    with open_input(path) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as e:
            raise FormatError(f"not UTF-8 ({e})", file=path) from None
    lines = text.split("\n")  # an id may hold what splitlines takes for the end of a line
    places = _places(lines[0].rstrip("\r").split("\t"), documents)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r")
        if not line.strip() or (places is not None and number == 1):
            continue
        cells = line.split() if places is None else line.split("\t")
        of_qrels = documents == 1 and len(cells) == 4
        at = places or ((0, 2) if of_qrels else tuple(range(1 + documents)))
        fits = of_qrels or len(cells) == len(at) if places is None else len(cells) > max(at)
        if not fits or not all(cells[i].strip() for i in at):
            what = "document" if documents == 1 else "two documents"
            raise FormatError(
                f"no query and {what}",
                f"a header with tabs, or {1 + documents} columns with blanks between",
                file=path, line=number, text=line,
            )  # fmt: skip
        query, *docs = (cells[i].strip() for i in at)
        if len(set(docs)) < documents:
            raise FormatError(
                "one document twice", "a pair has two", file=path, line=number, text=line
            )
        found.setdefault((query, *sorted(docs)), (query, *docs))
    return list(found.values())


def _places(header: Sequence[str], documents: int) -> tuple[int, ...] | None:
    """Where the columns stand; None where the line is no header."""
    names = [cell.strip().casefold() for cell in header]
    query = next((names.index(n) for n in _QUERY if n in names), None)
    wanted = [(n,) for n in _DOC] if documents == 1 else _TWO
    docs = next((tuple(map(names.index, n)) for n in wanted if set(n) <= set(names)), None)
    return None if query is None or docs is None else (query, *docs)
