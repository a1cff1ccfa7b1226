"""Text cut into words: what a character is, and the patterns of the analyzers.

Standard words follow the word boundaries of Unicode (UAX #29) as Lucene's StandardTokenizer reads
them: letters, digits and underscores stay together, an apostrophe or full stop between letters and
a full stop or comma between digits does not divide, an ideograph or hiragana stands alone, a run of
katakana or hangul stays whole, and an emoji is a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_IDEOGRAPHIC = HAN + HIRAGANA + KATAKANA
_EMOJI = "\u2600-\u27bf\u2b50\u2b55\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff"
_JOINED = "\u200d\ufe0f\U0001f3fb-\U0001f3ff"  # what makes several code points one emoji


def normal(text: str) -> str:
    """NFKC: full-width letters and digits, ligatures and half-width kana in their usual form."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


@cache
def _marks() -> str:
    """The combining marks of the Basic Multilingual Plane as ranges for a character class:
    Python's `\\w` lacks them, and Hindi or Thai words would break at their vowels."""
    found = [c for c in range(0x300, 0xFE30) if unicodedata.category(chr(c))[0] == "M"]
    found = [c for c in found if c != 0xFE0F and not 0x3099 <= c <= 0x309A]
    ranges: list[list[int]] = []
    for c in found:
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in ranges)


def _word() -> str:
    part = f"(?:[^\\W{_IDEOGRAPHIC}]|[{_marks()}])"
    letter, digit = f"[^\\W\\d_{_IDEOGRAPHIC}]", r"\d"
    inner = f"(?:(?<={letter})['’.·](?={letter})|(?<={digit})['’.,;](?={digit}))"
    return f"_*(?=[^\\W_{_IDEOGRAPHIC}]){part}+(?:{inner}{part}+)*"


def _emoji() -> str:
    flag = "[\U0001f1e6-\U0001f1ff]{2}"
    return f"(?:{flag}|[{_EMOJI}][{_JOINED}]*(?:(?<=\u200d)[{_EMOJI}][{_JOINED}]*)*)"


@cache
def standard() -> re.Pattern[str]:
    """One word a match."""
    return re.compile(f"{_word()}|[{HAN}{HIRAGANA}]|[{KATAKANA}]+|{_emoji()}")


@cache
def scripts(cjk: str = HAN) -> re.Pattern[str]:
    """Group 1 a run of the given CJK characters, group 2 any other word."""
    rest = "".join(s for s in (HAN, HIRAGANA) if s not in cjk)
    other = [_word(), *([f"[{rest}]"] if rest else []), f"[{KATAKANA}]+", _emoji()]
    return re.compile(f"([{cjk}]+)|({'|'.join(other)})")


@cache
def identifiers() -> re.Pattern[str]:
    """Group 1 a run of Han, group 2 what may be an identifier, group 3 any other word."""
    char = "[A-Za-z0-9_]"
    inner = rf"(?:::(?={char})|\.(?={char})|(?<=[A-Za-z])-(?=\d))"
    signs = r"(?<![A-Za-z0-9_])[A-Za-z](?:\+\+|#)(?![\w+#])"
    edge = "(?<![A-Za-z0-9_])"
    # Where a word of Unicode would go on (`naïve`, `don't`, `1,000`), it is one.
    end = f"(?![^\\W{_IDEOGRAPHIC}]|[{_marks()}]|['’][^\\W\\d_{_IDEOGRAPHIC}]|[,;]\\d)"
    chain = f"{edge}{char}+(?:{inner}{char}+)*{end}"
    rest = f"[{HIRAGANA}]|[{KATAKANA}]+"
    return re.compile(f"([{HAN}]+)|({signs}|{chain})|({_word()}|{rest}|{_emoji()})")


_TELLING = re.compile(
    r"_|::|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2}|[A-Za-z]-?\d|\d[A-Za-z]|[A-Za-z]\.[A-Za-z]|\w[+#]"
)


def is_identifier(word: str) -> bool:
    """Whether a word is what programs are full of and prose is not: an inner capital
    (`NullPointerException`), an underscore, a digit beside a letter (`E1002`, `utf-8`), names
    joined by full stops or colons (`java.util.List`, `std::move`), signs (`C++`, `C#`)."""
    return _TELLING.search(word) is not None and word.strip("_") != ""
