"""Columns of lines: the fast way and the general way, against `str.split`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.columns import PAD, pad
from cranfield.scan.fields import _general, _regular, line_text, split_fields


def by_hand(text: bytes, width: int) -> tuple[list[list[bytes]], list[int], list[int]]:
    """(rows, their lines, odd lines) by `bytes.split`, which knows the same blanks but for the
    four separators that only `str` knows."""
    lines = [line.split() for line in text.split(b"\n")[:-1]]
    regular = [i for i, c in enumerate(lines) if len(c) == width]
    odd = [i for i, c in enumerate(lines) if c and len(c) != width]
    return [lines[i] for i in regular], regular, odd


def check(text: bytes, width: int, way=split_fields) -> None:
    buffer = pad(text)
    found = way(buffer, PAD, PAD + len(text), width, tuple(range(width)))
    rows, regular, odd = by_hand(text, width)
    assert found.line.tolist() == regular
    assert found.odd.tolist() == odd
    assert [column.to_bytes() for column in found.columns] == [
        [row[c] for row in rows] for c in range(width)
    ]


WORD = st.text("aZ09.#-é日\x01\x1c\x1f", min_size=1, max_size=10).map(str.encode)
BLANK = st.sampled_from([b" ", b" ", b"\t", b"  ", b" \t", b"\x0b", b"\x0c"])


@st.composite
def messy_text(draw) -> bytes:
    out = b""
    for _ in range(draw(st.integers(1, 12))):
        words = draw(st.lists(WORD, max_size=7))
        out += draw(st.sampled_from([b"", b"", b" ", b"\t "]))
        for i, word in enumerate(words):
            out += (draw(BLANK) if i else b"") + word
        out += draw(st.sampled_from([b"", b"", b" "])) + b"\n"
    return out


@st.composite
def tidy_text(draw) -> tuple[bytes, int]:
    width = draw(st.integers(2, 7))
    lines = draw(
        st.lists(st.lists(WORD_WITHOUT_CONTROL, min_size=width, max_size=width), min_size=1)
    )
    blank = draw(st.sampled_from([b" ", b"\t"]))
    return b"".join(blank.join(line) + b"\n" for line in lines), width


WORD_WITHOUT_CONTROL = st.text("aZ09.#-é日", min_size=1, max_size=10).map(str.encode)


@given(messy_text(), st.integers(2, 7))
def test_any_text_is_split_as_python_splits_it(text, width):
    check(text, width)
    check(text, width, _general)


@given(tidy_text())
def test_tidy_text_takes_the_fast_way_and_gives_the_same(tidy):
    text, width = tidy
    assert _regular(pad(text), PAD, PAD + len(text), width, (0,)) is not None
    check(text, width, _regular)
    check(text, width, _general)


@pytest.mark.parametrize(
    "text",
    [
        b"a b c d\na b c\n x a b c d\n",  # as many blanks as three lines of four
        b"a b c\nd e f g h\n",  # two lines of four by count
        b" a b c\na b c d\n",
        b"a b c \na b c d\n",
        b"a  b c\na b c d\n",
        b"a b c d\n\na b c d\n",
        b"\n\n\n\n",
        b"a\nb\nc\nd\n",
        b"a b c d e f g\nh\n",
    ],
)
def test_text_that_only_looks_regular_takes_the_general_way(text):
    assert _regular(pad(text), PAD, PAD + len(text), 4, (0,)) is None
    check(text, 4)


def test_an_empty_stretch_has_no_lines():
    found = split_fields(pad(b"a b\n"), PAD + 4, PAD + 4, 2, (0, 1))
    assert [len(c) for c in found.columns] == [0, 0]
    assert (len(found.line), len(found.odd)) == (0, 0)


def test_a_stretch_inside_a_buffer_is_read_and_nothing_around_it():
    text = b"x y\na b\nc d\nz z z\n"
    found = split_fields(pad(text), PAD + 4, PAD + 12, 2, (1, 0))
    assert [c.to_list() for c in found.columns] == [["b", "d"], ["a", "c"]]
    assert line_text(pad(text), PAD + 4, PAD + 12, 1) == b"c d"
