"""Ids as spans over bytes: everything that a list of strings would say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.columns import Ids, changes, encode, join

NAME = st.text(max_size=20).map(lambda s: s.encode("utf-8", "ignore").decode())
NAMES = st.lists(NAME | st.sampled_from(["a", "a\0", "b", "", "x" * 8, "x" * 16]), max_size=30)


@given(NAMES)
def test_what_went_in_comes_out(names):
    ids = Ids.of(names)
    assert ids.to_list() == names
    assert [ids[i] for i in range(len(ids))] == names
    assert list(ids) == names
    assert ids.length.tolist() == [len(n.encode()) for n in names]
    assert Ids.of(n.encode() for n in names).to_list() == names


@given(NAMES, st.data())
def test_rows_can_be_taken_by_index_mask_and_slice(names, data):
    ids = Ids.of(names)
    mask = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names))), bool
    )
    index = np.flatnonzero(mask)[::-1]
    assert ids.take(mask).to_list() == [n for n, m in zip(names, mask, strict=True) if m]
    assert ids.take(index).to_list() == [names[i] for i in index]
    assert ids[1:3].to_list() == names[1:3]
    assert ids.take(slice(None, None, 2)).to_list() == names[::2]


@given(NAMES)
def test_words_are_the_bytes_eight_at_a_time(names):
    ids = Ids.of(names)
    raw = [n.encode() for n in names]
    longest = max(map(len, raw), default=0)
    assert ids.n_words() == (longest + 7) // 8
    for k in range(ids.n_words() + 1):
        expected = [int.from_bytes(r[8 * k : 8 * k + 8].ljust(8, b"\0"), "little") for r in raw]
        assert ids.word(k).tolist() == expected
    expected = [int.from_bytes(r[-8:].rjust(8, b"\0"), "little") if r else 0 for r in raw]
    assert ids.last_word().tolist() == expected


@given(NAMES)
def test_distinct_ids_are_numbered_in_order_of_appearance(names):
    found, codes = encode(Ids.of(names))
    assert found == list(dict.fromkeys(n.encode() for n in names))
    assert [found[c].decode() for c in codes.tolist()] == names


@given(NAMES)
def test_changes_are_where_a_new_stretch_begins(names):
    expected = [i for i, n in enumerate(names) if i == 0 or names[i - 1] != n]
    assert changes(Ids.of(names)).tolist() == expected


@given(st.lists(NAMES, max_size=4))
def test_columns_can_be_joined(parts):
    assert join([Ids.of(p) for p in parts]).to_list() == [n for p in parts for n in p]
