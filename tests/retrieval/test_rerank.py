"""A run in a new order: what moves, what stays, what is refused."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import Document, Query, Run
from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.formats.write import write_run
from cranfield.kit.retry import Backoff
from cranfield.retrieval.conduct import Settings, conduct
from cranfield.retrieval.rerank import Rerank, Reranker, falling, lists_of, make_reranker
from cranfield.testing import check_reranker

DOCS = [Document(f"d{i}", "", "x" * i) for i in range(6)]
RUN = Run.from_dict({"q": {f"d{i}": 6.0 - i for i in range(6)}, "empty": {}}, name="first")


class Longest:
    """Prefers long texts."""

    name = "longest"

    def __init__(self, score=lambda d: float(len(d.text))):
        self.one = score

    def score(self, query, documents):
        return [self.one(d) for d in documents]


def order(reranker=None, **more):
    system = Rerank(RUN, DOCS, reranker or Longest(), **more)
    return [doc for doc, _ in system.search(Query("q", "x"), 99)]


def test_the_first_are_put_in_order_and_the_rest_stay_below():
    assert order(depth=3) == ["d2", "d1", "d0", "d3", "d4", "d5"]
    assert order(depth=3, rest=False) == ["d2", "d1", "d0"]
    assert order(depth=99) == ["d5", "d4", "d3", "d2", "d1", "d0"]


def test_what_is_scored_alike_keeps_the_order_of_the_run():
    assert order(Longest(lambda d: 1.0), depth=4) == [f"d{i}" for i in range(6)]


def test_the_order_survives_evaluation(tmp_path):
    """Evaluation breaks equal scores by id, so that there must be none; written and read too."""
    for score in (lambda d: 1.0, lambda d: -1e300, lambda d: float(len(d.text) // 2)):
        system = Rerank(RUN, DOCS, Longest(score), depth=4)
        docs = [doc for doc, _ in system.search(Query("q", "x"), 99)]
        qrels = {"q": {doc: len(docs) - i for i, doc in enumerate(docs)}}
        done = conduct(system, [Query("q", "x")])
        assert evaluate(qrels, [done.run], ["nDCG"]).mean() == 1
        write_run(done.run, tmp_path / "x.run")
        assert evaluate(qrels, [tmp_path / "x.run"], ["nDCG"]).mean() == 1


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=30), st.integers(0, 20))
def test_scores_strictly_fall(scores, more):
    given_ = sorted(scores, reverse=True)
    out = falling(given_, len(given_) + more)
    assert len(out) == len(given_) + more
    finite = [s for s in out if math.isfinite(s)]
    assert all(a > b for a, b in pairwise(finite))
    if len(set(given_)) == len(given_):
        assert out[: len(given_)] == given_


def test_lists_go_by_score_and_then_by_descending_id():
    run = Run.from_dict({"q": {"a": 1, "c": 1, "b": 1, "z": 0, "文": 2}})
    assert lists_of(run) == {"q": ["文", "c", "b", "a", "z"]}


def test_a_query_answered_with_nothing_stays_one_and_asks_nobody():
    asked = []
    reranker = Longest()
    reranker.score = lambda query, documents: asked.append(query.id) or [0.0] * len(documents)
    done = conduct(Rerank(RUN, DOCS, reranker), [Query("q", "x"), Query("empty", "y")])
    assert asked == ["q"]
    assert done.card.empty == ("empty",) and done.card.failed == ()


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ([1.0], "1 scores for 6 documents"),
        ([1.0] * 7, "7 scores for 6 documents"),
        ([math.nan] * 6, "no finite number"),
        ([math.inf] * 6, "no finite number"),
        (["high"] * 6, "could not convert"),
        (None, "NoneType"),
    ],
)
def test_a_query_whose_scores_are_none_has_failed(returned, told):
    reranker = Longest()
    reranker.score = lambda query, documents: returned
    queries = [Query("q", "x"), Query("empty", "y")]
    done = conduct(Rerank(RUN, DOCS, reranker), queries, Settings(backoff=Backoff(1)))
    assert done.card.failed == ("q",)
    assert told in done.errors["q"]
    assert done.run.queries.to_list() == ["empty"]


def test_documents_that_are_not_there():
    with pytest.raises(InputError, match="1 documents of the run 'first' are not"):
        Rerank(RUN, DOCS[1:], Longest())
    Rerank(RUN, DOCS[:3], Longest(), depth=3)  # those below are not needed
    with pytest.raises(InputError, match="no query 'other'"):
        Rerank(RUN, DOCS, Longest()).search(Query("other", ""), 3)
    with pytest.raises(UsageError, match="depth"):
        Rerank(RUN, DOCS, Longest(), depth=0)


def test_the_fingerprint_is_of_lists_and_texts():
    def fingerprint(run=RUN, docs=DOCS):
        return Rerank(run, docs, Longest()).config["candidates"]["fingerprint"]

    swapped = Run.from_dict({"q": {f"d{i}": float(i) for i in range(6)}, "empty": {}})
    edited = [*DOCS[:5], Document("d5", "title", "x" * 5)]
    assert fingerprint() == fingerprint(docs=DOCS[::-1])
    assert len({fingerprint(), fingerprint(swapped), fingerprint(docs=edited)}) == 3


def test_what_is_cut_is_counted():
    reranker = Longest()
    assert Rerank(RUN, DOCS, reranker).cut([Query("q", "x")]) is None
    reranker.cut = lambda query, documents: [len(d.text) > 3 for d in documents]
    system = Rerank(RUN, DOCS, reranker, depth=5)
    assert system.cut([Query("q", "x"), Query("empty", "")]) == (1, 5)


def test_the_contract_holds_and_notices():
    query = Query("q", "x")
    check_reranker(Longest, query, DOCS)

    class Neighbours(Longest):
        def score(self, query, documents):
            return list(np.array(super().score(query, documents)) / len(documents))

    class Drifts(Longest):
        calls = 0

        def score(self, query, documents):
            self.calls += 1
            return [s + self.calls for s in super().score(query, documents)]

    class Short(Longest):
        def score(self, query, documents):
            return super().score(query, documents)[1:]

    for broken in (Neighbours, Drifts, Short):
        with pytest.raises(AssertionError, match=r"other documents|two answers|scores for"):
            check_reranker(broken, query, DOCS)


def test_found_by_name():
    with pytest.raises(UnknownName, match="no reranker named 'cohere'"):
        make_reranker("cohere")
    assert isinstance(Longest(), Reranker)
