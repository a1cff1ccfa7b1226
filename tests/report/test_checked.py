"""Every key that a check can make has words, in both languages, with the same blanks."""

from __future__ import annotations

import inspect
import re
from string import Formatter

import pytest

from cranfield.diagnosis import (
    ailments,
    changed,
    differing,
    doctor,
    documents,
    duplicates,
    holes,
    integrity,
    labels,
    pairs,
    put_right,
    queries,
    reuse,
    statistics,
    unanswered,
    visits,
    worklist,
)
from cranfield.diagnosis.idforms import TRIED
from cranfield.report import checked_words, copies_words, doctor_words, finding_words

ROOM = (
    ailments,
    changed,
    differing,
    doctor,
    documents,
    duplicates,
    holes,
    integrity,
    labels,
    pairs,
    put_right,
    queries,
    reuse,
    statistics,
    unanswered,
    visits,
    worklist,
)
SOURCE = "".join(map(inspect.getsource, ROOM))
TEXT = {**checked_words.TEXT, **copies_words.TEXT, **doctor_words.TEXT}
FINDINGS = {**finding_words.TEXT, **copies_words.FINDINGS, **doctor_words.FINDINGS}


def test_every_finding_has_a_sentence_and_advice() -> None:
    made = set(re.findall(r'Finding\(\s*"([a-z_]+)"', SOURCE))
    others = set(re.findall(r'advice="([a-z_]+)"', SOURCE))
    for kind, more in (("finding", set()), ("advice", others)):
        prefix = f"check.{kind}."
        assert made | more == {k.removeprefix(prefix) for k in FINDINGS if k.startswith(prefix)}


def test_every_part_of_a_sentence_has_words() -> None:
    made = set(re.findall(r'Said\("([a-z_.]+)"', SOURCE)) | {f"differ.{name}" for name in TRIED}
    made |= {f"ids.{kind}" for kind in ("queries", "documents")}
    made |= {f"against.{what}" for what in ("queries", "corpus", "judged_documents")}
    prefix = "check.said."
    assert made == {k.removeprefix(prefix) for k in TEXT if k.startswith(prefix)}


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
