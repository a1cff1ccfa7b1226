"""Every key that a check can make has words, in both languages, with the same blanks."""

from __future__ import annotations

import inspect
import re
from string import Formatter

import pytest

from cranfield.diagnosis import (
    documents,
    duplicates,
    holes,
    integrity,
    pairs,
    queries,
    reuse,
    statistics,
    worklist,
)
from cranfield.report import checked_words, copies_words, finding_words

ROOM = (
    documents,
    duplicates,
    holes,
    integrity,
    pairs,
    queries,
    reuse,
    statistics,
    worklist,
)
SOURCE = "".join(map(inspect.getsource, ROOM))
TEXT = {**checked_words.TEXT, **copies_words.TEXT}
FINDINGS = {**finding_words.TEXT, **copies_words.FINDINGS}


def test_every_finding_has_a_sentence_and_advice() -> None:
    made = set(re.findall(r'Finding\(\s*"([a-z_]+)"', SOURCE))
    for kind in ("finding", "advice"):
        prefix = f"check.{kind}."
        assert made == {k.removeprefix(prefix) for k in FINDINGS if k.startswith(prefix)}


def test_every_table_and_section_has_a_title() -> None:
    for kind, call in (("table", "Rows"), ("section", "Section")):
        pattern = call + r'\(\s*"([a-z_]+)"'
        prefix = f"check.{kind}."
        made = set(re.findall(pattern, SOURCE))
        assert made == {k.removeprefix(prefix) for k in TEXT if k.startswith(prefix)}


@pytest.mark.parametrize("key", [*TEXT, *FINDINGS])
def test_both_languages_fill_the_same_blanks(key: str) -> None:
    def blanks(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    english, chinese = {**TEXT, **FINDINGS}[key]
    assert blanks(english) == blanks(chinese) and chinese.strip()
