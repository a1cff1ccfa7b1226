"""Which difference explains that ids do not match."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.diagnosis.idforms import CHANGES, TRIED, match, shown

NUMBERS = [str(i) for i in range(1, 200)]
NAMES = [f"Café-{i}/Ωmega" for i in range(40)]

WRITTEN = {
    "prefix": lambda s: f"doc_{s}",
    "suffix": lambda s: f"{s}_v2",
    "number": lambda s: f"{s}.0",
    "zeros": lambda s: s.zfill(7),
    "extension": lambda s: f"{s}.txt",
    "passage": lambda s: f"{s}#{len(s)}",
    "blanks": lambda s: f"\u00a0{s}\ufeff",
    "folder": lambda s: f"{int(s) % 7}/sub/{s}",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_each_difference_is_told_and_undone(name):
    """Half of the ids are looked up, a rule is found from them for the rest."""
    write = WRITTEN[name]
    found = match([write(n) for n in NUMBERS[::2]], NUMBERS)
    assert found is not None and found.form.names == (name,)
    assert len(found.pairs) == found.n == len(NUMBERS[::2])
    assert [found.meant(write(n)) for n in NUMBERS] == NUMBERS


@pytest.mark.parametrize("name", ["prefix", "suffix", "number", "zeros"])
def test_it_is_told_the_other_way_round(name):
    """The ids are bare and those that are known are not."""
    known = [WRITTEN[name](n) for n in NUMBERS]
    found = match(NUMBERS[5:100], known)
    assert found is not None and found.form.names == (name,)
    assert [found.meant(n) for n in NUMBERS] == known


@pytest.mark.parametrize("kind", ["NFC", "NFD"])
def test_unicode_and_case(kind):
    other = {"NFC": "NFD", "NFD": "NFC"}[kind]
    known = [unicodedata.normalize(kind, n) for n in NAMES]
    found = match([unicodedata.normalize(other, n) for n in known[:20]], known)
    assert found is not None and found.form.names == ("unicode",)
    assert found.meant(unicodedata.normalize(other, known[30])) == known[30]
    lower = match([n.lower() for n in known], known)
    assert lower is not None and lower.form.names == ("case",) and len(lower.pairs) == len(known)


def test_several_differences_at_once_and_no_more_than_needed():
    known = [f"CACM-{int(n):04d}" for n in NUMBERS]
    found = match([f"docs/cacm-{n}.txt" for n in NUMBERS[:80]], known)
    assert found is not None and set(found.form.names) == {"zeros", "extension", "prefix"}
    assert found.meant("docs/cacm-150.txt") == "CACM-0150"


def test_what_is_shown_is_what_differs():
    found = match([f"x/md:{n}" for n in NUMBERS], [f"md:{n}" for n in NUMBERS])
    assert found is not None and shown(found.form) == [("prefix", "x/", "")]


def test_nothing_is_made_up():
    assert match([], NUMBERS) is None and match(["1x"], []) is None
    assert match(["alpha", "beta", "gamma"], NUMBERS) is None
    assert match([str(i) for i in range(500, 600)], NUMBERS) is None
    assert match(["a#1", "b#2", "c#3"], ["a", "b", "c"], passages=False) is None


def test_an_id_that_two_others_could_mean_is_left_alone():
    found = match(["D1", "d2", "D3", "d4"], ["d1", "d2", "d3", "D4", "x1", "X1"])
    assert found is not None and found.pairs == {"D1": "d1", "D3": "d3", "d4": "D4"}


@given(st.sets(st.text("aB01-./# \u00e9", min_size=1, max_size=6), min_size=1, max_size=12))
def test_every_pair_has_one_key(names):
    """What is matched has the same key on both sides, and never names itself."""
    known = sorted(names)[::2]
    found = match(sorted(names), known)
    if found is not None:
        for mine, theirs in found.pairs.items():
            assert mine != theirs and theirs in known
            assert found.form.key(mine, 0) == found.form.key(theirs, 1)
            assert found.rule is None or found.rule(mine) == theirs


def test_every_change_is_tried():
    assert set(TRIED) == {*CHANGES, "prefix", "suffix"}
