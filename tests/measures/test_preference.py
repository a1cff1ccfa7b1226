"""Preferences: what follows from partial orders, and the measures, by hand and by counting."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.measures import Hits, Judgments, Opinions, Topic, block, compute, parse
from cranfield.measures.orders import Areas, Group

Part = dict[int, float]  # {document: level}


def group_of(n: int, parts: Sequence[Part]) -> Group:
    return Group.of(n, [(np.array(list(p)), np.array(list(p.values()), float)) for p in parts])


def topic_of(n_ret: int, *groups: Sequence[Part]) -> tuple[Judgments, Hits]:
    """The groups, each its parts, of a list that has the documents 0 to n_ret - 1 in this order."""
    entries = [
        (doc, g, p, level)
        for g, parts in enumerate(groups)
        for p, part in enumerate(parts)
        for doc, level in part.items()
    ]
    row, group, part = np.array([e[:3] for e in entries], np.int64).T
    level = np.array([e[3] for e in entries], np.float64)
    n = int(row.max()) + 1
    grade = np.full(n, -1.0)
    np.maximum.at(grade, row, level)
    judgments = Judgments(1, np.zeros(n, np.int64), grade, None, Opinions(row, group, part, level))
    place = np.arange(min(n_ret, n))
    none = np.zeros_like(place)
    return judgments, Hits(none, place, place, place, none + 1, np.array([n_ret]))


def value(name: str, n_ret: int, *groups: Sequence[Part]) -> float:
    values, valid = compute([parse(name)], *topic_of(n_ret, *groups))
    assert valid.all()
    return float(values[0, 0])


def test_preferences_of_several_parts_are_joined() -> None:
    group = group_of(4, [{0: 3, 1: 2}, {1: 5, 2: 4}])
    assert [tuple(p) for p in zip(*group.prefers.nonzero(), strict=True)] == [
        (0, 1),
        (0, 2),
        (1, 2),
    ]
    assert group.joined is not None
    assert group_of(4, [{0: 3, 1: 3, 2: 0}]).prefers.sum() == 2


@pytest.mark.parametrize(
    "parts", [[{0: 2, 1: 1}, {1: 2, 0: 1}], [{0: 2, 1: 1}, {1: 3, 2: 2}, {2: 9, 0: 8}]]
)
def test_a_circle_is_refused(parts) -> None:
    with pytest.raises(InputError, match="contradict"):
        group_of(3, parts)


def test_a_document_is_relevant_throughout_or_not_at_all() -> None:
    with pytest.raises(InputError, match="relevant in one part"):
        group_of(2, [{0: 1, 1: 0}, {0: 0}])


def test_by_hand() -> None:
    first = [{0: 0, 1: 2, 2: 1}]  # 1 > 2 > 0; the list is 0, 1 and lacks 2
    assert value("prefs_num_prefs_poss", 2, first) == 3
    assert value("NumPrefs(pairs=ret)", 2, first) == 1  # 1 > 0
    assert value("NumPrefs(pairs=imp)", 2, first) == 3
    assert value("prefs_num_prefs_ful", 2, first) == 1  # 1 > 2
    assert value("prefs_num_prefs_ful_ret", 2, first) == 0
    assert value("prefs_simp", 2, first) == pytest.approx(1 / 3)
    assert value("prefs_simp_ret", 2, first) == 0
    second = [{0: 2, 1: 1}]
    assert value("prefs_avgjg", 2, first, second) == pytest.approx((1 / 3 + 1) / 2)
    assert value("prefs_pair", 2, first, second) == pytest.approx((0.5 + 0 + 1) / 3)


def test_documents_that_lack_are_taken_to_be_absent() -> None:
    """Three relevant of which the list has two, one other at its end: two more are added."""
    group = [{0: 1, 1: 1, 2: 0, 3: 1}]
    assert value("prefs_avgjg_Rnonrel", 3, group) == pytest.approx((2 + 2 * 2) / (3 + 3 * 2))


def test_grades_are_preferences_of_one_person() -> None:
    topics = [Topic((0, None, 2, -1, 1), (1, 0)), Topic((None,), (1, 1)), Topic()]
    names = ["NumPrefs", "NumPrefsFul", "prefs_simp", "prefs_simp_imp", "prefs_simp_ret"]
    values, valid = compute([parse(name) for name in names], *block(topics))
    # 2 > 0, 2 > 1, 1 > 0 in the list; with one end: 2 > 1, 2 > 0, 1 > 0, and 1 > 0 lost; 1 > 0
    assert values[0].tolist() == pytest.approx([8, 4, 4 / 8, 4 / 7, 1 / 3])
    assert not values[1:].any()
    assert valid.all()


# ------------------------------------------------------------------ the definitions, pair by pair


def in_scope(a: int, b: int, n_ret: int, pairs: str) -> bool:
    return (a < n_ret) + (b < n_ret) >= {"ret": 2, "imp": 1, "all": 0}[pairs]


def is_kept(a: int, b: int, n_ret: int) -> bool:
    return a < n_ret and (b >= n_ret or a < b)


def preferences(parts: Sequence[Part]) -> set[tuple[int, int]]:
    """(a, b): a is preferred to b, by a part or by what follows from several."""
    found = {(a, b) for part in parts for a in part for b in part if part[a] > part[b]}
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found


def share(count: Sequence[bool]) -> float:
    return sum(count) / len(count) if count else 0.0


LEVELS = st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=2, max_size=7)


@st.composite
def people(draw) -> list[list[Part]]:
    """One to three people who gave one to three orders each; parts do not contradict each other,
    since all follow one hidden order of the documents, with ties broken."""
    groups = []
    for _ in range(draw(st.integers(1, 3))):
        hidden = draw(st.permutations(range(7)))
        bottom = draw(st.sets(st.integers(0, 6)))
        parts = []
        for _ in range(draw(st.integers(1, 3))):
            docs = draw(st.lists(st.integers(0, 6), unique=True, min_size=1))
            parts.append({d: 0.0 if d in bottom else 1.0 + hidden[d] for d in docs})
        groups.append(parts)
    return groups


@given(people(), st.integers(0, 7), st.sampled_from(["all", "imp", "ret"]))
def test_the_measures_are_their_definitions(groups, n_ret, pairs) -> None:
    n_ret = min(n_ret, 1 + max(doc for parts in groups for part in parts for doc in part))
    judged = {doc for parts in groups for part in parts for doc in part}
    own = [
        [(a, b) for a, b in preferences(parts) if in_scope(a, b, n_ret, pairs)] for parts in groups
    ]
    kept = [[is_kept(a, b, n_ret) for a, b in prefs] for prefs in own]
    every = [k for ks in kept for k in ks]
    by_pair = []
    for a, b in itertools.combinations(sorted(judged), 2):
        votes = [is_kept(*p, n_ret) for prefs in own for p in prefs if set(p) == {a, b}]
        by_pair += [share(votes)] if votes else []
    expected = {
        "NumPrefs": len(every),
        "NumPrefsFul": sum(every),
        "prefs_simp": share(every),
        "prefs_avgjg": sum(map(share, kept)) / len(kept),
        "prefs_pair": sum(by_pair) / len(by_pair) if by_pair else 0.0,
    }
    for name, number in expected.items():
        found = value(f"{name}(pairs={pairs})", n_ret, *groups)
        assert found == pytest.approx(number, abs=1e-12), name


@given(LEVELS, st.integers(0, 7), st.data())
def test_levels_and_marks_are_counted_as_the_matrix_of_their_pairs(levels, n_ret, data) -> None:
    level = np.array([np.nan if v is None else v for v in levels])
    n_ret = min(n_ret, len(level))
    matrix = level[:, None] > level
    assert Areas.of_levels(level, n_ret) == Areas.of_matrix(matrix, n_ret)
    marks = st.lists(st.booleans(), min_size=len(level), max_size=len(level)).map(np.array)
    better, worse = data.draw(marks), data.draw(marks)
    pairs = np.logical_and.outer(better, worse)
    assert Areas.of_product(better, worse, n_ret) == Areas.of_matrix(pairs, n_ret)


@given(LEVELS, st.integers(0, 7))
def test_with_one_person_the_averages_are_the_plain_share(levels, n_ret) -> None:
    part = {i: v for i, v in enumerate(levels) if v is not None}
    if not part:
        return
    for pairs in ("all", "imp", "ret"):
        simple = value(f"prefs_simp(pairs={pairs})", n_ret, [part])
        for name in ("prefs_pair", "prefs_avgjg"):
            assert value(f"{name}(pairs={pairs})", n_ret, [part]) == simple


@given(people(), st.integers(0, 7), st.sampled_from(["all", "ret"]))
def test_as_many_of_level_0_as_of_others(groups, n_ret, pairs) -> None:
    """trec_eval's rule, with loops over documents in the order of the list."""
    n_ret = min(n_ret, 1 + max(doc for parts in groups for part in parts for doc in part))
    shares = []
    for parts in groups:
        level = {doc: given for part in parts for doc, given in part.items()}
        seen = [d for d in sorted(level) if pairs == "all" or d < n_ret]
        R = sum(level[d] > 0 for d in seen)
        N = len(seen) - R
        prefs = sorted(preferences(parts))
        more = 0
        if R >= N:
            more = R - N
        else:
            others = [d for d in sorted(level) if level[d] == 0]
            if len(parts) == 1:
                prefs = [(a, b) for a, b in prefs if level[b] > 0]
                prefs += [(a, b) for a in level for b in others[:R]]
            else:
                gone = others[sum(v > 0 for v in level.values()) :]
                prefs = [(a, b) for a, b in prefs if a not in gone and b not in gone]
        counted = [is_kept(a, b, n_ret) for a, b in prefs if in_scope(a, b, n_ret, pairs)]
        relevant = [d for d in level if level[d] > 0]
        kept = sum(counted) + more * sum(d < n_ret for d in relevant)
        everything = len(counted) + more * len(relevant)
        shares.append(kept / everything if everything else None)
    expected = 0.0 if None in shares else sum(shares) / len(shares)
    found = value(f"prefs_avgjg_Rnonrel(pairs={pairs})", n_ret, *groups)
    assert found == pytest.approx(expected, abs=1e-12)


# ------------------------------------------------------------------ means over people


GRADES = st.lists(
    st.none() | st.dictionaries(st.sampled_from("ABC"), st.sampled_from([-1, 0, 1, 2]), min_size=1),
    max_size=8,
)


@given(GRADES, GRADES)
def test_a_mean_over_people_is_the_mean_of_what_each_gives(ranked, missed) -> None:
    missed = [mark for mark in missed if mark is not None]
    pairs = [("AP_avgjg", "AP"), ("AP_avgjg(rel=2)@3", "AP(rel=2)@3"), ("P_avgjg@3", "P@3")]
    pairs += [("Rprec_avgjg", "Rprec"), ("Rprec_avgjg(mult=0.4)", "Rprec(mult=0.4)")]
    pairs += [("AP_avgjg'", "AP'"), ("P_avgjg'@3", "P'@3")]
    judges = sorted({p for mark in [*ranked, *missed] if mark for p in mark})
    topic = block([Topic(ranked, missed)])
    for ours, plain in pairs:
        each = [
            compute(
                [parse(plain)],
                *block(
                    [
                        Topic(
                            [mark.get(p) if mark else None for mark in ranked],
                            [mark[p] for mark in missed if p in mark],
                        )
                    ]
                ),
            )[0][0, 0]
            for p in judges
        ]
        expected = sum(each) / len(each) if each else 0.0
        assert compute([parse(ours)], *topic)[0][0, 0] == pytest.approx(expected, abs=1e-12), ours
