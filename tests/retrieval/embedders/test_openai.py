"""/v1/embeddings from real servers that answer, refuse, stall and babble."""

from __future__ import annotations

import json
import time
from hashlib import sha256

import numpy as np
import pytest

from cranfield.errors import InputError, ServiceError, UsageError
from cranfield.retrieval.embedders.openai import OpenAIEmbedder
from cranfield.testing import check_embedder


def vector(text):
    return [b / 255 for b in sha256(text.encode("utf-8", "surrogatepass")).digest()[:8]]


def service(seen=None, turned=False, **change):
    """A service whose vectors are hashes; `turned` answers in another order than asked."""

    def answer(asked):
        said = json.loads(asked.body)
        if seen is not None:
            seen.append((asked, said))
        rows = [{"index": i, "embedding": vector(t)} for i, t in enumerate(said["input"])]
        data = rows[::-1] if turned else rows
        return 200, {}, json.dumps({"object": "list", "data": data, **change}).encode()

    return answer


def embedder(url, **more):
    return OpenAIEmbedder(url + "/v1/embeddings", "m", **{"timeout": 5, **more})


@pytest.mark.parametrize("turned", [False, True])
def test_contract(serve, turned):
    url = serve(service(turned=turned))
    check_embedder(lambda: embedder(url, max_chars=100), ["死锁"])


def test_what_is_sent(serve, monkeypatch):
    monkeypatch.setenv("CRANFIELD_TEST_KEY", "s3cret")
    seen = []
    url = serve(service(seen))
    made = embedder(
        url,
        dimensions=8,
        query_prefix="q: ",
        document_prefix="d: ",
        query_body={"input_type": "query"},
        max_chars=3,
        headers={"Authorization": "Bearer {env.CRANFIELD_TEST_KEY}"},
    )
    assert np.allclose(made.embed_queries(["死锁"]), [vector("q: 死锁")])
    assert np.allclose(made.embed_documents(["abcd"]), [vector("d: abc")])
    asked, said = seen[0]
    assert asked.path == "/v1/embeddings"
    assert asked.headers["authorization"] == "Bearer s3cret"
    assert said == {
        "model": "m",
        "input": ["q: 死锁"],
        "encoding_format": "float",
        "dimensions": 8,
        "input_type": "query",
    }
    assert "input_type" not in seen[1][1]
    assert "s3cret" not in json.dumps(made.config)
    assert made.config["max_chars"] == 3
    assert made.cut(["abc", "abcd"]) == [False, True]


def test_without_a_limit_nobody_says_what_is_cut(serve):
    assert not hasattr(embedder(serve(service())), "cut")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b'{"data": []}', "0 embeddings for 1 texts"),
        (b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}', "2 embed"),
        (b'{"data": [{"index": 3, "embedding": [1]}]}', "1 embeddings for 1 texts"),
        (b'{"data": [{"index": 0, "embedding": [1, NaN]}]}', "NaN or infinity"),
        (b'{"data": [{"index": 0, "embedding": [1, 1e99]}]}', "NaN or infinity"),
        (b'{"data": [{"index": 0, "embedding": ["a"]}]}', "not of numbers"),
        (b'{"data": [{"index": 0, "embedding": []}]}', "no list of numbers"),
        (b'{"data": [{"index": 0}]}', "without index and embedding"),
        (b'{"error": "no model"}', "no list `data`"),
        (b"[]", "no list `data`"),
    ],
)
def test_answers_that_are_none(serve, answer, told):
    made = embedder(serve(lambda asked: (200, {}, answer)))
    with pytest.raises(InputError, match=told):
        made.embed_queries(["x"])


@pytest.mark.parametrize("status", [429, 503])
def test_documents_are_asked_again_and_queries_are_not(serve, status):
    calls = []

    def answer(asked):
        calls.append(asked)
        if len(calls) % 2:
            return status, {"Retry-After": "0"}, b"later"
        return service()(asked)

    made = embedder(serve(answer), dimensions=8, attempts=2)
    assert np.allclose(made.embed_documents(["a"]), [vector("a")])
    assert len(calls) == 2
    with pytest.raises(ServiceError) as error:
        made.embed_queries(["a"])
    assert error.value.status == status and len(calls) == 3


def test_no_answer_in_time_and_no_json(serve):
    made = embedder(serve(lambda asked: time.sleep(1)), timeout=0.2)
    with pytest.raises(ServiceError, match=r"no answer within 0\.2 s"):
        made.embed_queries(["x"])
    made = embedder(serve(lambda asked: (200, {}, b'{"data": [')))
    with pytest.raises(ServiceError, match="not JSON"):
        made.embed_queries(["x"])


def test_a_refusal_is_not_asked_again(serve):
    calls = []

    def answer(asked):
        calls.append(asked)
        return 401, {}, b"no key"

    with pytest.raises(UsageError, match="401"):
        embedder(serve(answer)).embed_documents(["x"])
    assert len(calls) == 1


@pytest.mark.parametrize("wrong", [{"batch": 0}, {"max_chars": 0}, {"max_chars": True}])
def test_wrong_options(wrong):
    with pytest.raises(UsageError):
        embedder("http://localhost:1", **wrong)
