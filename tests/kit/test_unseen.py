"""What nobody sees is taken out, but not where a script needs it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.kit.unseen import without_unseen

ZWSP, ZWNJ, ZWJ, SOFT = "\u200b", "\u200c", "\u200d", "\u00ad"


def found(text):
    return without_unseen(text, lambda c: f"[{ord(c):X}]")


@pytest.mark.parametrize(
    "text",
    [
        f"می{ZWNJ}خواهم",  # Persian: I want
        f"क्{ZWJ}ष क्{ZWNJ}ष",  # Hindi, joined and not
        f"അവന്{ZWJ}",  # Malayalam as it was written before 2008: at the end of a word
        f"\U0001f469{ZWJ}\U0001f52c \U0001f469\U0001f3fd{ZWJ}\U0001f680",  # scientist, astronaut
        f"❤️{ZWJ}🔥 🏳️{ZWJ}🌈 🙂{ZWJ}↔️",
        f"ภาษา{ZWSP}ไทย",
        f"Donau{SOFT}dampf{SOFT}schiff",
        "עברית\u200f (a)\u200e", "tab\tand\nline", "漢\U000e0100字", "ᠮᠣᠩᠭ᠎ᠠ",
    ],
)  # fmt: skip
def test_what_is_needed_stays(text):
    assert found(text) == (text, 0)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"dead{ZWSP}lock", "dead[200B]lock"), (f"a{ZWNJ}b{ZWJ}c", "a[200C]b[200D]c"),
        (f"{ZWJ}می", "[200D]می"), (f"می{ZWNJ}{ZWNJ}", f"می{ZWNJ}[200C]"),
        (f"倒{ZWJ}排{ZWSP}", "倒[200D]排[200B]"), (f"🔥{ZWJ}", "🔥[200D]"),
        (f"a{ZWJ}🔥", "a[200D]🔥"), (f"\u3164{SOFT}\u034f", "[3164][AD][34F]"),
        (f"{SOFT}a{SOFT} b3{SOFT}c", "[AD]a[AD] b3[AD]c"), (f"{SOFT * 2}", "[AD][AD]"),
        ("a\u2060b\u2063c\ufeff", "a[2060]b[2063]c[FEFF]"),
        ("\u3164\uffa0\u115f", "[3164][FFA0][115F]"),
        ("\u202e\x00\x1b\ud800\U000e0041\r", "[202E][0][1B][D800][E0041][D]"),
    ],
)  # fmt: skip
def test_what_hides_something_does_not(text, shown):
    assert found(text) == (shown, shown.count("["))


PIECES = st.sampled_from(
    [ZWSP, ZWNJ, ZWJ, SOFT, "م", "क", "ไ", "🔥", "\ufe0f", "a", "3", "\u180e", "\u17b4"]
)


@given(st.lists(st.one_of(PIECES, st.characters()), max_size=12).map("".join))
def test_once_is_enough_and_one_for_one(text):
    once, n = without_unseen(text, lambda _: " ")
    assert len(once) == len(text) and n == sum(a != b for a, b in zip(text, once, strict=True))
    assert without_unseen(once, lambda _: " ") == (once, 0)
