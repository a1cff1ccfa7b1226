"""Characters that nobody sees, in texts of strangers.

Some of them are needed where they stand: a joiner or non-joiner in scripts whose letters change
with their neighbours (Persian, Hindi, Malayalam) and inside emoji, a zero width space between
words of scripts that write no blanks (Thai, Khmer), a soft hyphen inside a word. Anywhere else
they hide something, as controls, tags and marks that turn the direction of writing do anywhere.
The marks that right-to-left text needs (U+200E, U+200F, U+061C) are no such characters, nor are
variation selectors, which change the character before them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f\ud800-\udfff]"
)
# Arabic and its like; the scripts of India and South East Asia; Mongolian; Adlam.
_JOINING = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1aaf\u1b00-\u1c4f\ua800-\ua82f"
    "\ua840-\ua8df\ua900-\ua9ff\uaa00-\uaadf\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010aff\U00010b80-\U00010baf\U00010d00-\U00010fff\U00011000-\U00011fff"
    "\U0001e900-\U0001e95f]"
)
# Thai, Lao, Tibetan, Burmese, Khmer, Tai, Balinese, Javanese, Cham.
_UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9df"
    "\ua9e0-\uaadf]"
)


def without_unseen(text: str, instead: Callable[[str], str]) -> tuple[str, int]:
    """A text with something else for each character that nobody sees and that is not needed where
    it stands; second, how many there were. Tabs and line feeds stay."""
    n = 0

    def found(match: re.Match[str]) -> str:
        nonlocal n
        if _needed(text, match.start()):
            return match[0]
        n += 1
        return instead(match[0])

    return _UNSEEN.sub(found, text), n


def _needed(text: str, at: int) -> bool:
    one, before, after = text[at], text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if one in "\u200c\u200d" and _of(_JOINING, before):
        return True
    if one == "\u200d":
        return _pictures(before, after)
    if one == "\u00ad":
        return _letter(before) and _letter(after)
    if one == "\u180e":
        return "\u1820" <= before <= "\u18aa" and "\u1820" <= after <= "\u18aa"
    return one == "\u200b" and _of(_UNSPACED, before) and _of(_UNSPACED, after)


def _letter(one: str) -> bool:
    return bool(one) and unicodedata.category(one)[0] in "LM" and _UNSEEN.match(one) is None


def _of(script: re.Pattern[str], one: str) -> bool:
    return script.match(one) is not None and _letter(one)


def _pictures(before: str, after: str) -> bool:
    """Whether a joiner stands inside an emoji: behind a picture, its selector or its colour of
    skin, and before a picture or an arrow."""
    if not before or not after:
        return False
    begins = before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk")
    return begins and unicodedata.category(after) in ("So", "Sm")
