"""What the commands that write tables and pages share: which form a file gets, by its ending."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from cranfield.cli.options import emit
from cranfield.errors import UsageError

_PAGES = {"html": "html", "htm": "html", "md": "md", "markdown": "md", "json": "json"}
_TABLES = {"tsv": "tsv", "csv": "csv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet"}
_TABLES |= {"tex": "latex", "latex": "latex"}
_PAGE = ("html", "md", "json", "text")


def form_for(
    output: str | None, forms: Collection[str], default: str, page: str | None = None
) -> str:
    """The one of these forms that the ending of a file names; `default` where nothing is written
    to a file, or to one without an ending. `page` is the option that writes a page, where that is
    another than `output`.

    Raises
    ------
    UsageError
        The ending names none of them.
    """
    ending = _ending(output)
    if ending == "":
        return default
    if page is not None and _PAGES.get(ending) == "html" and "html" not in forms:
        raise UsageError(f"{output}: no form for such a file", f"{page} {output} writes the page")
    return _named(str(output), ending, forms, ", or say --format")


def _ending(path: str | None) -> str:
    return Path(path).suffix.lstrip(".").lower() if path else ""


def _named(path: str, ending: str, forms: Collection[str], more: str = "") -> str:
    plain = "text" if "text" in forms else "table"
    known = {e: f for e, f in {**_PAGES, **_TABLES, "txt": plain}.items() if f in forms}
    if ending not in known:
        first = {form: end for end, form in reversed(known.items())}  # of a form's endings
        *others, last = (f".{end}" for end in known if end in first.values())
        raise UsageError(
            f"{path}: no form for such a file",
            f"name one that ends in {', '.join(others)} or {last}{more}",
        )
    return known[ending]


def write_comparison(found: Any, about: Any, path: str, lang: str) -> None:
    """The page of a comparison, in the form that the ending of `path` names.

    Raises
    ------
    UsageError
        It names none.
    """
    from cranfield.report.pages import comparison

    form = checked(path)
    emit(comparison(found, lang, about=about).to(form).encode(), path)


def checked(path: str) -> str:
    """The form that a file of a report is written in.

    Raises
    ------
    UsageError
        Its ending names none.
    """
    return _named(path, _ending(path), _PAGE)
