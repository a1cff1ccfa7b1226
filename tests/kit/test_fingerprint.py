"""Fingerprints: of content alone, and the same everywhere."""

from __future__ import annotations

import gzip
import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.kit.fingerprint import of_file, of_mapping, of_numbers, of_parts, of_stream

# sha256 of "abc", FIPS 180-2, appendix B.1
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_file_is_known_by_its_bytes(write):
    assert of_file(write("a", "abc")) == of_file(write("b.run", "abc")) == ABC
    assert of_file(write("c", "abd")) != ABC


def test_packing_a_file_changes_nothing(write):
    assert of_file(write("a.gz", gzip.compress(b"abc"))) == ABC


def test_a_long_stream_is_read_to_its_end():
    one, two = (b"x" * (3 << 20) + end for end in (b"1", b"2"))
    assert of_stream(io.BytesIO(one)) != of_stream(io.BytesIO(two))


@given(st.lists(st.text()), st.lists(st.text()))
def test_parts_are_told_apart_by_where_they_end(one, two):
    assert (of_parts(one) == of_parts(two)) == (one == two)


def test_parts_are_the_same_on_every_machine():
    # sha256 of b"2:ab6:\xe5\x80\x92\xe6\x8e\x92", worked out with coreutils
    import hashlib

    assert of_parts(["ab", "倒排"]) == hashlib.sha256("2:ab6:倒排".encode()).hexdigest()


def test_numbers_are_little_endian_and_zero_has_no_sign():
    assert of_numbers(np.array([1.0])) == b"\x00\x00\x00\x00\x00\x00\xf0\x3f"
    assert of_numbers(np.array([-0.0])) == of_numbers(np.array([0.0])) == bytes(8)
    assert of_numbers(np.array([1.0], ">f8")) == of_numbers(np.array([1.0]))


def test_the_order_of_keys_does_not_matter():
    assert of_mapping({"a": 1, "b": {"c": 2, "d": 3}}) == of_mapping(
        {"b": {"d": 3, "c": 2}, "a": 1}
    )
    assert of_mapping({"a": 1}) != of_mapping({"a": "1"})
