"""Terms of a query, marked in texts of strangers."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.report import marked
from cranfield.report.marked import Marker, visible


def shown(query: str, text: str) -> str:
    return "".join(f"[{p.text}]" if p.marked else p.text for p in Marker(query)(text))


CASES = [
    ("running shoes", "Run in a shoe; runner, reshoe", "[Run] in a [shoe]; runner, reshoe"),
    ("倒排索引", "倒排 索引，排序，倒", "[倒排] [索引]，排序，倒"),
    ("Java 并发锁", "java的并发，发锁", "[java]的[并发]，[发锁]"),
    ("锁", "并发锁", "并发锁"),
    ("锁", "加 锁", "加 [锁]"),
    ("ＡＢＣ", "abc ａｂｃ", "[abc] [ａｂｃ]"),
    (
        "NullPointerException",
        "java.lang.NullPointerException:",
        "java.lang.[NullPointerException]:",
    ),
    ("the shoe", "the shoe", "the [shoe]"),
    ("to be or not to be", "be to", "[be] [to]"),
    ("снег", "Снег идёт", "[Снег] идёт"),
    ("हिन्दी", "हिन्दी भाषा", "[हिन्दी] भाषा"),
    ("", "nothing", "nothing"),
    ("!?", "! ? x", "! ? x"),
    ("HTTP 429", "HTTP/1.1 429 4290", "[HTTP]/1.1 [429] 4290"),
]


@pytest.mark.parametrize(("query", "text", "expected"), CASES)
def test_marks(query, text, expected):
    assert shown(query, text) == expected


def test_without_a_stemmer(monkeypatch):
    from cranfield.errors import MissingExtra

    def absent(name):
        raise MissingExtra("stemming", "bm25")

    monkeypatch.setattr(marked, "analyzer", absent)
    assert shown("the running shoes", "The shoes, shoe") == "The [shoes], shoe"


@given(st.text(), st.text(alphabet=st.characters()))
def test_nothing_is_lost(query, text):
    pieces = Marker(query)(text)
    assert "".join(p.text for p in pieces) == visible(text)
    assert all(p.text for p in pieces)
    assert not any(a.marked == b.marked for a, b in pairwise(pieces))


@given(st.text(alphabet=st.characters(codec=None)))
def test_what_is_unseen_is_shown(text):
    seen = visible(text)
    seen.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", seen)


def test_visible():
    assert visible("a\r\nb\rc\td") == "a\nb\nc\td"
    assert visible("\u202e\x1b[0m\ud800\U000e0041") == "⟨U+202E⟩⟨U+001B⟩[0m�⟨U+E0041⟩"
    assert visible("\u200f\u200eא\u061c") == "\u200f\u200eא\u061c"  # what such text needs
    assert visible("dead\u200block\u2060\ufeff") == "dead⟨U+200B⟩lock⟨U+2060⟩⟨U+FEFF⟩"
    assert visible("می\u200cخواهم") == "می\u200cخواهم"
