"""Lists of what is to be judged: a query and a document a line, or two documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.errors import FormatError
from cranfield.kit.files import open_input

_QUERY = ("query", "query_id", "query-id", "qid", "topic")
_DOC = ("document", "doc", "doc_id", "docid", "corpus-id")
_TWO = (("doc_a", "doc_b"), ("document_a", "document_b"))
_SAMPLED = ("sampled", "in_sample")
_NO, _YES = ("0", "false", "no"), ("1", "true", "yes")


@dataclass(frozen=True)
class Listed:
    """What a list names.

    Parameters
    ----------
    pairs : a query and its documents, each once, in the order of the list.
    unsampled : lines that a column `sampled` keeps from being judged.
    """

    pairs: tuple[tuple[str, ...], ...]
    unsampled: int = 0


def read_pairs(path: str, documents: int = 1) -> list[tuple[str, ...]]:
    """The pairs of `read_list`, which says what such a file holds."""
    return list(read_list(path, documents).pairs)


def read_list(path: str, documents: int = 1) -> Listed:
    """Lines with a query and so many documents (1 or 2): with tabs and a header that names the
    columns (`query` and `document`, or `doc_a` and `doc_b`; others are passed over, whatever they
    hold), as `cranfield check --holes` and `--suspects` write; or without a header and with blanks
    between. Lines of qrels do as well. Each comes once, two documents in whichever order.

    A pool of `cranfield judge pool` is such a list: what says at its head how it was drawn (lines
    that begin with `# `) is passed over, and of its lines those that were not `sampled`.

    Raises
    ------
    FormatError, NoSuchInput
    """
    with open_input(path) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as e:
            raise FormatError(f"not UTF-8 ({e})", file=path) from None
    # an id may hold what splitlines takes for the end of a line
    lines = [(n, raw.rstrip("\r")) for n, raw in enumerate(text.split("\n"), 1)]
    while lines and (lines[0][1].startswith("# ") or not lines[0][1].strip()):
        del lines[0]
    header = lines[0][1].split("\t") if lines else []
    places = _places(header, documents)
    sampled = None if places is None else _column(header, _SAMPLED)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    unsampled = 0
    for number, line in lines[places is not None :]:
        if not line.strip():
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
        if sampled is not None and not _drawn(cells, sampled, path, number):
            unsampled += 1
            continue
        found.setdefault((query, *sorted(docs)), (query, *docs))
    return Listed(tuple(found.values()), unsampled)


def _drawn(cells: Sequence[str], column: int, path: str, number: int) -> bool:
    said = cells[column].strip().casefold() if column < len(cells) else ""
    if said not in (*_NO, *_YES):
        raise FormatError(
            f"sampled is {said!r}", "1, to be judged, or 0", file=path, line=number,
            text="\t".join(cells),
        )  # fmt: skip
    return said in _YES


def _column(header: Sequence[str], names: Sequence[str]) -> int | None:
    said = [cell.strip().casefold() for cell in header]
    return next((said.index(n) for n in names if n in said), None)


def _places(header: Sequence[str], documents: int) -> tuple[int, ...] | None:
    """Where the columns stand; None where the line is no header."""
    names = [cell.strip().casefold() for cell in header]
    query = _column(header, _QUERY)
    wanted = [(n,) for n in _DOC] if documents == 1 else _TWO
    docs = next((tuple(map(names.index, n)) for n in wanted if set(n) <= set(names)), None)
    return None if query is None or docs is None else (query, *docs)
