"""Preferences: what follows from partial orders, and the measures, by hand and by counting."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.measures.preference import Group, PreferenceView, preference_value

SCOPES = {"": "all", "_ret": "ret", "_imp": "imp"}


def value(name: str, n_ret: int, *groups: Group) -> float:
    return preference_value(name, PreferenceView(n_ret, groups))


def test_preferences_of_several_parts_are_joined() -> None:
    group = Group.of(4, [{0: 3, 1: 2}, {1: 5, 2: 4}])
    assert [tuple(p) for p in zip(*group.prefers.nonzero(), strict=True)] == [
        (0, 1),
        (0, 2),
        (1, 2),
    ]
    assert not group.ranked
    assert Group.of(4, [{0: 3, 1: 3, 2: 0}]).prefers.sum() == 2


@pytest.mark.parametrize(
    "parts", [[{0: 2, 1: 1}, {1: 2, 0: 1}], [{0: 2, 1: 1}, {1: 3, 2: 2}, {2: 9, 0: 8}]]
)
def test_a_circle_is_refused(parts) -> None:
    with pytest.raises(InputError, match="contradict"):
        Group.of(3, parts)


def test_a_document_is_relevant_throughout_or_not_at_all() -> None:
    with pytest.raises(InputError, match="relevant in one part"):
        Group.of(2, [{0: 1, 1: 0}, {0: 0}])


def test_by_hand() -> None:
    first = Group.of(3, [{0: 0, 1: 2, 2: 1}])  # 1 > 2 > 0; the list is 0, 1 and lacks 2
    assert value("prefs_num_prefs_poss", 2, first) == 3
    assert value("prefs_num_prefs_ful", 2, first) == 1  # 1 > 2
    assert value("prefs_num_prefs_ful_ret", 2, first) == 0
    assert value("prefs_simp", 2, first) == pytest.approx(1 / 3)
    assert value("prefs_simp_ret", 2, first) == 0
    second = Group.of(3, [{0: 2, 1: 1}])
    assert value("prefs_avgjg", 2, first, second) == pytest.approx((1 / 3 + 1) / 2)
    assert value("prefs_pair", 2, first, second) == pytest.approx((0.5 + 0 + 1) / 3)


def test_documents_that_lack_are_taken_to_be_absent() -> None:
    """Three relevant of which the list has two, one other at its end: two more are added."""
    group = Group.of(4, [{0: 1, 1: 1, 2: 0, 3: 1}])
    assert value("prefs_avgjg_Rnonrel", 3, group) == pytest.approx((2 + 2 * 2) / (3 + 3 * 2))


LEVELS = st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=2, max_size=7)


@given(LEVELS, st.integers(0, 7))
def test_counting_pair_by_pair(levels, n_ret) -> None:
    n_ret = min(n_ret, len(levels))
    group = Group.of(len(levels), [{i: v for i, v in enumerate(levels) if v is not None}])
    for end, scope in SCOPES.items():
        kept = everything = 0
        for a, b in itertools.permutations(range(len(levels)), 2):
            if levels[a] is None or levels[b] is None or levels[a] <= levels[b]:
                continue
            inside = (a < n_ret) + (b < n_ret)
            if inside >= {"ret": 2, "imp": 1, "all": 0}[scope]:
                everything += 1
                kept += a < b and a < n_ret
        expected = kept / everything if everything else 0.0
        for name in ("simp", "pair", "avgjg"):
            assert value(f"prefs_{name}{end}", n_ret, group) == pytest.approx(expected), name
