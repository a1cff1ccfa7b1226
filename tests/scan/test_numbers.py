"""Decimal texts to float64: exactly Python's `float`, and stricter about what a number is."""

from __future__ import annotations

import math
import random
import re
import struct
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.data.columns import Ids
from cranfield.scan.numbers import parse_numbers

NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|(?i:inf|infinity))", re.ASCII)


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


def check(texts: list[str]) -> None:
    """Every text has the bits that `float` gives it, or is refused exactly where it must be."""
    values, bad = parse_numbers(Ids.of(texts))
    refused = [i for i, text in enumerate(texts) if not NUMBER.fullmatch(text)]
    assert bad.tolist() == refused
    for i, (text, value) in enumerate(zip(texts, values.tolist(), strict=True)):
        if i in set(refused):
            assert math.isnan(value), text
        else:
            assert bits(value) == bits(float(text)), text


DIGITS = st.text("0123456789", max_size=12)
SIGN = st.sampled_from(["", "", "-", "+"])
PLAIN = st.builds(lambda s, a, b: f"{s}{a}.{b}", SIGN, DIGITS, DIGITS)
WHOLE = st.builds(lambda s, a: s + a, SIGN, st.text("0123456789", max_size=25))
POWERS = st.builds(
    lambda m, e, s, x: f"{m}{e}{s}{x}",
    PLAIN | WHOLE,
    st.sampled_from("eE"),
    SIGN,
    st.integers(0, 330).map(str),
)
WRITTEN = st.floats(allow_nan=False).map(repr)
FIXED = st.builds(lambda x, n: f"{x:.{n}f}", st.floats(-1e6, 1e6), st.integers(0, 20))
LONG = st.builds(
    lambda digits, point: digits[:point] + "." + digits[point:],
    st.text("0123456789", min_size=17, max_size=24),
    st.integers(0, 24),
)
NOISE = st.text("0123456789+-.eExX_ naif,\t/:", max_size=18)
SHAPES = [PLAIN, WHOLE, POWERS, WRITTEN, FIXED, LONG, NOISE]


@pytest.mark.parametrize("shape", SHAPES, ids="plain whole powers written fixed long noise".split())
@given(st.data())
@settings(max_examples=60)
def test_every_shape_is_read_as_float_reads_it(shape, data):
    check(data.draw(st.lists(shape, min_size=1, max_size=30)))


@given(st.lists(st.one_of(SHAPES), min_size=1, max_size=200))
def test_shapes_beside_each_other_do_not_disturb_each_other(texts):
    check(texts)


def halfway(value: float) -> list[str]:
    """The decimal number between two neighbours, itself and a hair to either side, and the same
    cut to the number of digits that tempts a fast reader."""
    middle = (Decimal(value) + Decimal(math.nextafter(value, math.inf))) / 2
    hair = Decimal(10) ** (middle.adjusted() - 45)
    near = [f"{x:f}" for x in (middle, middle - hair, middle + hair)]
    return near + [text[:n] for text in near for n in (16, 17, 18, 19, 20, 24)]


def test_numbers_near_halfway_between_two_doubles_are_rounded_correctly():
    random.seed(20240607)
    values = [random.uniform(0.0001, 1000) for _ in range(300)]
    values += [float(2**53 + n) for n in range(0, 64, 2)] + [float(2**60), 1e15, 1e16, 0.1, 0.3]
    check([text for value in values for text in halfway(value)])


def test_the_largest_texts_of_the_fast_way():
    edge = ["9007199254740991", "9007199254740992", "9007199254740993", "9999999999999999"]
    edge += [e[:i] + "." + e[i:] for e in edge for i in range(17)]
    edge += ["-" + e for e in edge] + ["+" + e for e in edge]
    check(edge)


def test_many_rare_texts_take_the_way_of_batches():
    random.seed(3)
    texts = [f"{random.uniform(-5, 5):.{random.randrange(17, 22)}f}" for _ in range(5000)]
    check(texts)
    check([*texts, "nan"])
    check([*texts, "--1", "-+1", "1_0"])


REFUSED = [
    *("", "nan", "NaN", "-nan", "+nan", "NAN", "1_0", "1_0.5", "0x10", "0x1p3", "--1", "+-1"),
    *("-+1", "++1", "-", "+", ".", "-.", "e", "1e", "1e+", "e5", ".e5", "1.2.3", "1..2"),
    *("1,5", "1 ", " 1", "1\t", "\n1", "١٢", "１", "½", "1٠", "infin", "in", "-in", "inff"),
    *("1/2", "1:", "0b1", "1j", "True", "None", "1f", "1d", "1L", "−1", "1e5.0", "\x001", "1\x00"),
]


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("others", [0, 3, 100])
def test_what_is_no_number_is_refused_and_its_neighbours_are_not(text, others):
    texts = ["17.5"] * others + [text] + ["0.12345678901234567890"] * others
    values, bad = parse_numbers(Ids.of(texts))
    assert bad.tolist() == [others]
    assert math.isnan(values[others])
    rest = np.delete(values, others).tolist()
    assert rest == [17.5] * others + [0.12345678901234567890] * others


@pytest.mark.parametrize(
    "text",
    "inf -inf +inf Infinity -INFINITY iNf 1e999 -1e999 1e-999 -0 -0.0 +0 00012 5. .5".split(),
)
def test_unusual_numbers_are_numbers(text):
    values, bad = parse_numbers(Ids.of([text]))
    assert not len(bad)
    assert bits(float(values[0])) == bits(float(text))


def test_no_text_is_no_number():
    values, bad = parse_numbers(Ids.of([]))
    assert len(values) == 0
    assert len(bad) == 0
