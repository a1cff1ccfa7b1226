"""Texts embedded once each, checked and cached."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.retrieval.embed import Embedder, cache_for, embed_texts, make_embedder, unit
from cranfield.testing import check_embedder


class Counts:
    """Vectors of letter counts; notes what it was asked."""

    name = "counts"
    dimension = 26
    batch = 3

    def __init__(self, limit=None):
        self.asked, self.limit = [], limit
        if limit is not None:
            self.cut = lambda texts: [len(t) > limit for t in texts]

    def embed_documents(self, texts):
        self.asked.append(list(texts))
        rows = [[t.count(chr(97 + i)) for i in range(26)] for t in texts]
        return np.array(rows, np.float32).reshape(len(texts), 26)

    embed_queries = embed_documents


def test_each_text_once_in_batches_of_like_length():
    model = Counts()
    texts = ["aa", "b", "cccc", "aa", "ddd", "b"]
    found = embed_texts(model, texts)
    assert model.asked == [["cccc", "ddd", "aa"], ["b"]]
    assert np.array_equal(found.vectors, Counts().embed_documents(texts))
    assert found.cut is None


def test_what_is_cut_is_counted_with_and_without_cache(tmp_path):
    texts = ["aa", "b", "cccc", "cccc"]
    for _ in range(2):
        model = Counts(limit=3)
        cache = cache_for(model, tmp_path)
        assert embed_texts(model, texts, cache).cut == 2
        cache.close()
    assert model.asked == []


def test_the_cache_saves_work_and_changes_nothing(tmp_path):
    model = Counts()
    cache = cache_for(model, tmp_path)
    first = embed_texts(model, ["a", "bb"], cache)
    cache.close()
    model.asked.clear()
    cache = cache_for(model, tmp_path)
    second = embed_texts(model, ["bb", "ccc", "a"], cache)
    cache.close()
    assert model.asked == [["ccc"]]
    assert np.array_equal(second.vectors[[2, 0]], first.vectors)
    assert second.cut is None


def test_interrupted_work_keeps_its_batches(tmp_path):
    class Stops(Counts):
        def embed_documents(self, texts):
            if len(self.asked) == 2:
                raise KeyboardInterrupt
            return super().embed_documents(texts)

    texts = [f"{'a' * i}" for i in range(1, 10)]
    cache = cache_for(Stops(), tmp_path)
    with pytest.raises(KeyboardInterrupt):
        embed_texts(Stops(), texts, cache)
    cache.close()
    model = Counts()
    cache = cache_for(model, tmp_path)
    embed_texts(model, texts, cache)
    cache.close()
    assert model.asked == [["aaa", "aa", "a"]]


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        (np.zeros((1, 26)), "shape"),
        (np.zeros((2, 25)), "shape"),
        (np.full((2, 26), np.nan), "NaN"),
        ([["x"] * 26] * 2, "no array of numbers"),
        (None, "shape|no array"),
    ],
)
def test_what_is_no_vector_is_refused(returned, told):
    model = Counts()
    model.embed_documents = lambda texts: returned
    with pytest.raises(InputError, match=told):
        embed_texts(model, ["a", "b"])
    with pytest.raises(AssertionError):
        check_embedder(lambda: model)


def test_the_contract_holds_and_notices():
    check_embedder(Counts)
    check_embedder(lambda: Counts(limit=3))

    class Turns(Counts):
        def embed_documents(self, texts):
            return super().embed_documents(texts)[::-1]

    class Drifts(Counts):
        def embed_queries(self, texts):
            return super().embed_queries(texts) + len(self.asked)

    class Lies(Counts):
        def cut(self, texts):
            return []

    for broken in (Turns, Drifts, Lies):
        with pytest.raises(AssertionError, match=r"made alike|two answers|cut says"):
            check_embedder(broken)


def test_found_by_name():
    with pytest.raises(UnknownName, match="no embedder named 'nanoe6'"):
        make_embedder("nanoe6")
    with pytest.raises(UsageError, match="its parameters: folder, file"):
        make_embedder("onnx", directory="x")
    assert isinstance(Counts(), Embedder)


def test_unit():
    rows = unit(np.array([[3, 4], [0, 0], [1e-30, 0]], np.float32))
    assert np.allclose(rows, [[0.6, 0.8], [0, 0], [1, 0]])
