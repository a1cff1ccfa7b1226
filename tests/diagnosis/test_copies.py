"""Copies: the worked values, exactness against all pairs, and corpora that mean harm."""

from __future__ import annotations

import random
import time
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.collection import Document
from cranfield.diagnosis.cluster import TRIES, Joined, _join
from cranfield.diagnosis.copies import Near, find_copies
from cranfield.diagnosis.minhash import Bands, MinHash, bands_for, standard_error
from cranfield.diagnosis.shingles import Shingler, jaccard, normal, normal_document, shingles
from cranfield.errors import UsageError


def docs(*texts: str) -> list[Document]:
    return [Document(f"d{i}", "", text) for i, text in enumerate(texts)]


def test_the_normal_form():
    assert normal("  ＨＴＴＰ\t429\u3000 Straße ") == "http 429 straße"
    assert normal_document("Title", "  Text\n") == "title text"
    assert normal_document("", "x") == "x" and normal_document("", " \n") == ""


def test_chinese_has_character_3_grams_and_english_word_3_grams():
    assert shingles("倒排索引") == {("倒", "排", "索"), ("排", "索", "引")}
    assert shingles("the index of java") == {("the", "index", "of"), ("index", "of", "java")}
    assert shingles("java 线程池") == {("java", "线", "程"), ("线", "程", "池")}
    assert shingles("one") == {("one",)} and shingles("?!") == {("?!",)} and not shingles("")
    assert shingles("退款！", "char") == {tuple("退款！")}
    assert ("b", "c", "d", "e", "f") in shingles("abcdef", "char")


def test_the_jaccard_of_character_5_grams():
    a = shingles(normal("The quick brown fox jumps"), "char")
    b = shingles(normal("the quick  brown fox jumped"), "char")
    # 21 shingles and 22, 20 in common
    assert jaccard(a, b) == 20 / 23 and jaccard(frozenset(), frozenset()) == 1


def test_the_chance_of_a_candidate():
    shape = Bands(20, 5)
    expected = {0.5: 0.4700507153, 0.7: 0.9747805442, 0.8: 0.9996439421, 0.9: 0.9999999824}
    for similarity, chance in expected.items():
        assert shape.chance(similarity) == pytest.approx(chance, abs=1e-10)
    assert shape.threshold == pytest.approx(0.5492802717)
    assert standard_error(0.8, 100) == pytest.approx(0.04)
    assert standard_error(0.8, 128) == pytest.approx(0.03535533906)


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0])
def test_the_bands_find_a_pair_at_the_threshold(threshold):
    shape = bands_for(threshold)
    assert shape.bands * shape.rows <= 100
    assert shape.rows == 1 or shape.chance(threshold) >= 0.999
    assert bands_for(0.8) == Bands(20, 5)


def test_the_share_of_equal_minima_estimates_jaccard():
    rng = np.random.default_rng(1)
    pool = rng.integers(0, 1 << 63, 1500, np.uint64)
    a, b = np.sort(pool[:1000]), np.sort(pool[500:])  # 500 of 1500
    keys = MinHash(Bands(2000, 1))(np.concatenate([a, b]), np.array([0, 1000, 2000]))
    share = float((keys[:, 0] == keys[:, 1]).mean())
    assert abs(share - 1 / 3) < 4 * standard_error(1 / 3, 2000)


WORDS = st.sampled_from(["a", "b", "c", "d", "索", "引", "倒"])
TEXT = st.lists(WORDS, max_size=9).map(" ".join)


@given(st.lists(TEXT, max_size=10), st.sampled_from(["word", "char"]))
def test_hashed_shingles_have_the_jaccard_of_the_real_ones(texts, kind):
    texts = [normal(t) for t in texts if t]
    values, first = Shingler(kind)(texts)
    hashed = [frozenset(values[lo:hi].tolist()) for lo, hi in pairwise(first)]
    real = [shingles(t, kind) for t in texts]
    assert [len(s) for s in hashed] == [len(s) for s in real]
    for i, j in combinations(range(len(texts)), 2):
        assert jaccard(hashed[i], hashed[j]) == jaccard(real[i], real[j])


@given(st.lists(TEXT, max_size=10), st.sampled_from([0.3, 0.5, 1.0]))
def test_every_cluster_holds_and_few_pairs_are_missed(texts, threshold):
    """A document in a cluster is exactly similar to another of it; and here, where all pairs can
    be looked at, none at the threshold is missed that differs by more than chance allows."""
    corpus = docs(*texts)
    found = find_copies(corpus, Near(threshold)).members
    sets = [shingles(normal(t)) for t in texts]
    joined = Joined(len(texts))
    for i, j in combinations(range(len(texts)), 2):
        if sets[i] and sets[j] and jaccard(sets[i], sets[j]) >= threshold - 1e-9:
            joined.join(i, j)
    roots = joined.roots()
    for i, j in combinations(range(len(texts)), 2):
        together = f"d{i}" in found and found.get(f"d{i}") == found.get(f"d{j}")
        assert not together or roots[i] == roots[j]
        if threshold == 1 and roots[i] == roots[j]:
            assert together


def test_what_is_near_and_what_is_not():
    base = "how the inverted index of a search engine is built and merged in the background today"
    corpus = docs(
        base,
        base.upper() + " ",
        base.replace("today", "daily"),
        "something else altogether about the deadlocks of threads in a pool of workers",
        "倒排索引是搜索引擎中最重要的数据结构，它把词映射到包含该词的文档列表。",
        "倒排索引是搜索引擎中最重要的数据结构，它把词映射到包含该词的文档列表！",
        "",
        "  ",
    )
    exact = find_copies(corpus)
    assert exact.clusters == (("d0", "d1"),)
    assert (exact.exact, exact.exact_copies, exact.near_copies, exact.empty) == (1, 1, 0, 2)
    near = find_copies(corpus, Near())
    assert near.clusters == (("d0", "d1", "d2"), ("d4", "d5"))
    assert (near.exact, near.exact_copies, near.near_copies) == (1, 1, 2)
    assert near.members["d2"] == 0 and near.passed_over == 0


def test_all_pairs_of_a_random_corpus():
    rng = random.Random(3)
    texts: list[str] = []
    for i in range(400):
        words = [f"w{rng.randrange(500)}" for _ in range(40)]
        if i % 2:
            words = texts[-1].split()
            for _ in range(rng.randrange(4)):
                words[rng.randrange(40)] = "new"
        texts.append(" ".join(words))
    sets = [shingles(t) for t in texts]
    wanted = Joined(400)
    for i, j in combinations(range(400), 2):
        if jaccard(sets[i], sets[j]) >= 0.8:
            wanted.join(i, j)
    members = find_copies(docs(*texts), Near()).members
    for i, root in enumerate(wanted.roots()):
        assert (members.get(f"d{i}", -1) == members.get(f"d{root}", -2)) == (
            wanted.roots().count(root) > 1
        )


def test_many_identical_documents_cost_no_more_than_many():
    text = "the same text for all of these documents"
    corpus = [Document(str(i), "", text) for i in range(50_000)]
    begun = time.process_time()
    found = find_copies(corpus, Near())
    assert len(found.clusters) == 1 and found.exact_copies == 49_999
    assert time.process_time() - begun < 10


def test_many_nearly_identical_documents_are_not_compared_pair_by_pair():
    words = " ".join(f"w{i}" for i in range(60))
    corpus = docs(*(f"{words} {i}" for i in range(4_000)))
    begun = time.process_time()
    found = find_copies(corpus, Near())
    assert [len(c) for c in found.clusters] == [4_000] and found.passed_over == 0
    assert time.process_time() - begun < 10


def test_a_bucket_of_strangers_stops_at_the_limit():
    looked = 0

    def alike(i: int, j: int) -> bool:
        nonlocal looked
        looked += 1
        return False

    cut = _join(list(range(2 * TRIES)), Joined(2 * TRIES), alike)
    assert len(cut) == TRIES - 1  # those after the first TRIES + 1
    assert TRIES < looked <= 2 * TRIES * TRIES


def test_groups_that_become_one_are_one():
    joined = Joined(5)
    assert not _join([0, 1, 2, 3, 4], joined, lambda i, j: i == 4 and j in (0, 3))
    assert joined.roots() == [0, 1, 2, 0, 0]


def test_the_same_corpus_gives_the_same_clusters_in_any_order():
    rng = random.Random(5)
    base = [" ".join(f"w{rng.randrange(90)}" for _ in range(30)) for _ in range(40)]
    corpus = [Document(f"x{i}", "", t + " end" * (i % 2)) for i, t in enumerate(base * 2)]
    one = find_copies(corpus, Near(0.7, seed=4))
    rng.shuffle(corpus)
    assert find_copies(corpus, Near(0.7, seed=4)).clusters == one.clusters


def test_watched_texts_are_found_with_and_without_the_title():
    corpus = [Document("a", "T", "Is it so?"), Document("b", "", "T is it SO?")]
    found = find_copies(corpus, watch=["is it so?", "t is it so?", "other"])
    assert found.watched == {"is it so?": ("a",), "t is it so?": ("a", "b")}


def test_a_document_listed_twice_is_no_copy_of_itself():
    assert find_copies([Document("a", "", "x"), Document("a", "", "x")]).clusters == ()


@pytest.mark.parametrize("near", [{"threshold": 0}, {"threshold": 1.2}, {"shingles": "line"}])
def test_wrong_choices(near):
    with pytest.raises(UsageError):
        Near(**near)


def test_lone_surrogates_are_letters_too():
    assert find_copies(docs("\ud800 x", "\ud800 X"), Near()).clusters == (("d0", "d1"),)
