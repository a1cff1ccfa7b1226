"""Near-duplicate queries: all of them are found, without looking at every pair."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.kit.near import bare, connected, grams, near_pairs, normal, similarity


def test_the_normal_form_is_nfkc_folded_and_single_spaced():
    assert normal("  ＨＴＴＰ\t429\n Straße ") == "http 429 strasse"
    assert bare("How do I reset it?!") == "how do i reset it"
    assert bare("退款？") == bare("退款") == "退款"
    assert bare("C++") == "c++" and bare("…") == normal("…") != ""


def test_similarity_is_jaccard_of_three_grams():
    # " ab " has " ab", "ab "; " abc " has " ab", "abc", "bc ": one of four is common
    assert similarity("ab", "abc") == pytest.approx(1 / 4)
    assert similarity("Refund policy!", "refund  policy") == 1
    assert similarity("倒排索引", "编辑距离") == 0


@pytest.mark.parametrize(
    ("a", "b", "near"),
    [
        ("how do I reset my password", "How do I reset my password?", True),
        ("python 3.11 release date", "python 3.12 release date", True),
        ("如何重置我的密码", "如何重置我的密码？", True),
        ("connection pool", "thread pool", False),
        ("Java 并发锁", "Java 线程池", False),
    ],
)
def test_what_counts_as_near(a, b, near):
    assert bool(near_pairs([a, b])) == near


TEXT = st.text(alphabet="abc 倒排", max_size=12)


@given(st.lists(TEXT, max_size=12), st.sampled_from([0.3, 0.5, 0.7, 1.0]))
def test_the_same_groups_as_by_comparing_all_pairs(texts, threshold):
    every = [
        (i, j, similarity(texts[i], texts[j]))
        for i, j in combinations(range(len(texts)), 2)
        if bare(texts[i]) and bare(texts[j]) and similarity(texts[i], texts[j]) >= threshold
    ]
    found = near_pairs(texts, threshold)
    assert connected(len(texts), found) == connected(len(texts), every)
    assert set(found) <= set(every)


def test_many_queries_take_no_time_to_speak_of():
    texts = [f"question number {i * 7919 % 100_003} about subject {i}" for i in range(3000)]
    texts[2999] = texts[5] + "!"
    assert (5, 2999, 1.0) in near_pairs(texts)


def test_groups_are_connected_through_others():
    assert connected(5, [(3, 4, 1), (0, 3, 1)]) == [0, 1, 2, 0, 0]


def test_a_pair_exactly_at_the_threshold_is_found():
    short, long = "abcdefg", "abcdefghijklmnopqrstuvwfg"
    assert len(grams(short)) == 7 and len(grams(long)) == 25 and 0.28 * 25 > 7
    assert near_pairs([short, long], 0.28) == [(0, 1, 0.28)]
    assert near_pairs([short, long], 0.281) == []
