"""What the doctor found, as a page, as JSON, and what was written."""

from __future__ import annotations

from cranfield.diagnosis.doctor import Visit
from cranfield.diagnosis.repair import Repaired
from cranfield.report.blocks import Text
from cranfield.report.checked import blocks
from cranfield.report.lab_words import Count
from cranfield.report.language import words
from cranfield.report.page import Page


def page(found: Visit, lang: str = "en") -> Page:
    """Findings first, then how many ids fit."""
    w = words(lang)
    result = found.result
    title = w("doctor.title", run=", ".join(result.runs), collection=result.collection)
    made = blocks(result, w)
    if not result.findings:
        made = [Text(w("doctor.none")) if isinstance(b, Text) else b for b in made[:2]] + made[2:]
    return Page(title, lang, tuple(made))


def written(path: str, counts: Repaired | None, lang: str = "en") -> str:
    """A line on a file that was asked for; None for one that was not needed."""
    w = words(lang)
    if counts is None:
        return w("doctor.nothing", path=path)
    return w(
        "doctor.written",
        path=path,
        queries=Count(counts.queries),
        documents=Count(counts.documents),
        merged=Count(counts.merged),
    )
