"""What the commands that write pages share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cranfield.cli.options import emit
from cranfield.errors import UsageError

_ENDINGS = {"html": "html", "htm": "html", "md": "md", "markdown": "md", "json": "json"}
_ENDINGS |= {"txt": "text"}


def form_of(path: str | None) -> str | None:
    """The form of a page that a file's ending names, None where it names none."""
    return _ENDINGS.get(Path(path).suffix.lstrip(".").lower()) if path else None


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
    form = form_of(path)
    if form is None:
        raise UsageError(
            f"{path}: no form for a report", "name a file that ends in .html, .md, .json or .txt"
        )
    return form
