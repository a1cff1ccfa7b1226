"""/rerank in each shape, from real servers that answer, refuse, stall and babble."""

from __future__ import annotations

import json
import time

import pytest

from cranfield import Document, Query, Run
from cranfield.errors import InputError, ServiceError, UsageError
from cranfield.kit.retry import Backoff
from cranfield.retrieval.conduct import Settings, conduct
from cranfield.retrieval.rerank import Rerank
from cranfield.retrieval.rerankers.http import SHAPES, HttpReranker
from cranfield.testing import check_reranker

QUERY = Query("q", "死锁 deadlock")
DOCS = [Document("a", "Title", "deadlock"), Document("b", "", "死锁"), Document("c", "", "zzz")]


def relevance(query, text):
    return len(set(query) & set(text)) / 10


def service(shape, seen=None):
    """What these servers answer by their documentation, the best first."""

    def answer(asked):
        said = json.loads(asked.body)
        if seen is not None:
            seen.append((asked, said))
        texts = said["texts" if shape == "tei" else "documents"]
        rows = [(i, relevance(said["query"], t), t) for i, t in enumerate(texts)]
        rows.sort(key=lambda row: -row[1])
        if shape == "tei":
            out = [{"index": i, "score": s} for i, s, _ in rows]
        elif shape == "vllm":
            results = [
                {"index": i, "document": {"text": t}, "relevance_score": s} for i, s, t in rows
            ]
            out = {"id": "rerank-1", "model": "m", "usage": {"total_tokens": 9}, "results": results}
        else:
            out = {"results": [{"index": i, "relevance_score": s} for i, s, _ in rows]}
            out |= {"cohere": {"id": "x", "meta": {}}, "jina": {"model": "m", "usage": {}},
                    "llama-server": {"model": "m", "object": "list"}}[shape]  # fmt: skip
        return 200, {}, json.dumps(out).encode()

    return answer


def reranker(url, shape="cohere", **more):
    model = {} if shape == "tei" else {"model": "m"}
    return HttpReranker(url, shape, **{**model, "timeout": 5, **more})


@pytest.mark.parametrize("shape", SHAPES)
def test_contract(serve, shape):
    url = serve(service(shape))
    check_reranker(lambda: reranker(url, shape, batch=4, max_chars=200), QUERY, DOCS)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_sent(serve, shape, monkeypatch):
    monkeypatch.setenv("CRANFIELD_TEST_KEY", "s3cret")
    seen = []
    url = serve(service(shape, seen)) + "/v1/rerank"
    made = reranker(url, shape, headers={"Authorization": "Bearer {env.CRANFIELD_TEST_KEY}"})
    texts = ["Title deadlock", "死锁", "zzz"]
    assert made.score(QUERY, DOCS) == [relevance(QUERY.text, t) for t in texts]
    asked, said = seen[0]
    assert asked.path == "/v1/rerank" and asked.headers["authorization"] == "Bearer s3cret"
    expected = {"query": QUERY.text, "model": "m", "documents": texts, "top_n": 3}
    if shape == "tei":
        expected = {"query": QUERY.text, "texts": texts, "raw_scores": True, "truncate": True}
    elif shape == "jina":
        expected["return_documents"] = False
    assert said == expected
    assert made.config["shape"] == shape and "s3cret" not in json.dumps(made.config)


def test_batches_and_what_is_cut(serve):
    seen = []
    made = reranker(serve(service("cohere", seen)), batch=2, max_chars=3)
    made.score(QUERY, DOCS)
    assert [said["documents"] for _, said in seen] == [["Tit", "死锁"], ["zzz"]]
    assert made.cut(QUERY, DOCS) == [True, False, False]
    assert not hasattr(reranker(serve(service("cohere"))), "cut")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('{"results": []}', "0 results for 3 texts"),
        ('{"results": [{"index": 0, "relevance_score": 1}]}', "1 results for 3 texts"),
        ('[{"index": 0, "score": 1}, {"index": 0, "score": 1}]', "index 0 twice"),
        ('[{"index": 3, "score": 1}]', "index 3 for 3 texts"),
        ('[{"index": -1, "score": 1}]', "index -1 for 3 texts"),
        ('[{"index": 0, "score": NaN}]', "no finite number"),
        ('[{"index": 0, "score": -Infinity}]', "no finite number"),
        ('[{"index": 0, "score": "high"}]', "without index and score"),
        ('[{"index": true, "score": 1}]', "without index and score"),
        ('[{"score": 1}]', "without index and score"),
        ("[1, 2, 3]", "without index and score"),
        ('{"error": "model is loading"}', "no list `results`"),
        ("7", "no list `results`"),
    ],
)
def test_answers_that_are_none(serve, answer, told):
    made = reranker(serve(lambda asked: (200, {}, answer.encode())))
    with pytest.raises(InputError, match=told):
        made.score(QUERY, DOCS)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ((429, {"Retry-After": "0"}, b"slow down"), "status 429: slow down"),
        ((503, {}, b"loading"), "status 503: loading"),
        ((200, {}, b'{"results": [{"ind'), "not JSON"),
        (None, "cannot be reached"),
    ],
)
def test_what_may_pass_is_asked_again_and_else_fails_the_query(serve, fault, told):
    calls = []

    def answer(asked):
        said = json.loads(asked.body)
        calls.append(said["query"])
        if said["query"] == "always" or len(calls) == 1:
            return fault
        return service("cohere")(asked)

    run = Run.from_dict({q: {"a": 2, "b": 1} for q in ("sometimes", "always")})
    made = Rerank(run, DOCS, reranker(serve(answer)), 2)
    queries = [Query(q, q) for q in ("sometimes", "always")]
    done = conduct(made, queries, Settings(backoff=Backoff(2, first=0.01)))
    assert done.card.failed == ("always",) and told in done.errors["always"]
    assert calls == ["sometimes", "sometimes", "always", "always"]
    assert done.run.queries.to_list() == ["sometimes"]


def test_no_answer_in_time(serve):
    with pytest.raises(ServiceError, match=r"no answer within 0\.2 s"):
        reranker(serve(lambda asked: time.sleep(1)), timeout=0.2).score(QUERY, DOCS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"shape": "bing"},
        {"batch": 0},
        {"max_chars": 0},
        {"shape": "tei", "model": "m"},
        {"shape": "cohere", "model": None},
        {"url": "localhost:80"},
    ],
)
def test_wrong_options(wrong):
    with pytest.raises(UsageError):
        HttpReranker(**{"url": "http://localhost:1", "model": "m", **wrong})
