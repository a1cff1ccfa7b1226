"""Byte streams cut into whole lines: any piece size gives the same lines."""

from __future__ import annotations

import io
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.columns import PAD
from cranfield.scan.chunks import chunks, whole

BOM = b"\xef\xbb\xbf"


def plain(data: bytes) -> bytes:
    """What the lines should be, by one regular expression."""
    text = re.sub(b"\r\n|\r", b"\n", data.removeprefix(BOM))
    return text if not text or text.endswith(b"\n") else text + b"\n"


class Trickle(io.RawIOBase):
    """A stream that gives fewer bytes than it is asked for, as a pipe may."""

    def __init__(self, data: bytes, most: int) -> None:
        self.data, self.most = io.BytesIO(data), most

    def read(self, size: int = -1) -> bytes:
        return self.data.read(min(size, self.most))


LINE = st.sampled_from([b"1 a b", b"1 c d", b"2 a", b"", b"  ", b"q", b"12 x", b"1", b"\t2 y"])
ENDS = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"\r\r\n"])
TEXT = st.builds(
    lambda bom, lines, cut: bom + b"".join(itertools.chain(*lines))[: -cut or None],
    st.sampled_from([b"", BOM]),
    st.lists(st.tuples(LINE, ENDS), max_size=20),
    st.integers(0, 2),
)


@given(TEXT, st.integers(1, 40))
def test_any_piece_size_gives_the_same_lines(data, size):
    found = list(chunks(io.BytesIO(data), size))
    assert b"".join(c.text for c in found) == plain(data)
    assert whole(io.BytesIO(data)).text == plain(data)
    line = 1
    for chunk in found:
        assert chunk.first_line == line
        assert chunk.text.endswith(b"\n")
        line += chunk.text.count(b"\n")


@given(TEXT, st.integers(1, 5))
def test_a_slow_pipe_gives_the_same_lines(data, most):
    found = b"".join(c.text for c in chunks(Trickle(data, most), 64))
    assert found == plain(data)


@given(TEXT, st.integers(1, 40))
def test_cuts_lie_between_two_queries(data, size):
    found = list(chunks(io.BytesIO(data), size))
    for before, after in itertools.pairwise(found):
        last, first = before.text.split(b"\n")[-2].split(), after.text.split(b"\n")[0].split()
        assert last[:1] != first[:1]


def test_a_file_of_one_query_is_one_chunk_however_small_the_pieces():
    text = b"".join(b"q1 Q0 d%d 1 1 t\n" % i for i in range(1000))
    assert [c.text for c in chunks(io.BytesIO(text), 50)] == [text]


def test_many_queries_are_many_chunks():
    text = b"".join(b"q%d Q0 d 1 1 t\n" % (i // 3) for i in range(3000))
    found = list(chunks(io.BytesIO(text), 1000))
    assert len(found) > 20
    assert max(len(c.text) for c in found) < 2100


@pytest.mark.parametrize("cut", range(1, 8))
@pytest.mark.parametrize("data", [BOM + b"1 a\r\n2 b\r\n", b"\r\n\r\n1 a\r\r\n", b"1 a\r"])
def test_line_ends_and_the_mark_may_be_cut_by_a_piece_border(data, cut):
    assert b"".join(c.text for c in chunks(io.BytesIO(data), cut)) == plain(data)


def test_a_mark_inside_the_text_stays():
    assert whole(io.BytesIO(b"1 " + BOM + b"a\n")).text == b"1 " + BOM + b"a\n"
    assert whole(io.BytesIO(BOM + BOM + b"a\n")).text == BOM + b"a\n"


def test_nothing_gives_nothing():
    assert list(chunks(io.BytesIO(b""))) == []
    assert whole(io.BytesIO(b"")).text == b""


def test_the_buffer_has_room_around_the_text():
    chunk = whole(io.BytesIO(b"a b\n"))
    assert chunk.lo == PAD
    assert len(chunk.buffer) - chunk.hi == PAD
    assert not chunk.buffer[:PAD].any()
    assert not chunk.buffer[chunk.hi :].any()
