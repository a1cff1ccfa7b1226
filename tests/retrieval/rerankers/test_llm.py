"""A language model's judgment, from servers that speak /v1/chat/completions."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import Document, Query
from cranfield.errors import InputError, NoSuchInput, UsageError
from cranfield.kit.chat import first_token
from cranfield.retrieval.rerankers.llm import LLMReranker, expectation
from cranfield.testing import check_reranker

QUERY = Query("q", "死锁 {document}")
DOCS = [Document("a", "Title", "deadlock"), Document("b", "", "死锁")]


def answer_of(tokens):
    entries = [{"token": t, "logprob": math.log(p)} for t, p in tokens.items()]
    first = {**entries[0], "top_logprobs": entries}
    return {"choices": [{"message": {"content": "?"}, "logprobs": {"content": [first]}}]}


def service(seen=None):
    """Says yes the more surely the shorter the prompt is."""

    def answer(asked):
        said = json.loads(asked.body)
        if seen is not None:
            seen.append(said)
        sure = 1 / (1 + len(said["messages"][0]["content"]) % 97)
        tokens = {" Yes": sure * 0.9 + 1e-9, "No": 0.9 * (1 - sure) + 1e-9, "Maybe": 0.1}
        return 200, {}, json.dumps(answer_of(tokens)).encode()

    return answer


def reranker(url, **more):
    return LLMReranker(url + "/v1/chat/completions", **{"timeout": 5, **more})


def test_contract(serve):
    url = serve(service())
    check_reranker(lambda: reranker(url, parallel=2), QUERY, DOCS)


def test_what_is_sent(serve, tmp_path):
    seen = []
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Q={query} D={document} {other}", encoding="utf-8")
    made = reranker(serve(service(seen)), model="m", prompt=prompt, max_chars=7, top=5)
    made.score(QUERY, DOCS[:1])
    assert seen == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Q=死锁 {document} D=Title d {other}"}],
            "temperature": 0,
            "max_tokens": 1,
            "logprobs": True,
            "top_logprobs": 5,
        }
    ]
    assert made.cut(QUERY, DOCS) == [True, False]
    assert made.config["prompt"] == "Q={query} D={document} {other}"
    assert made.config["max_chars"] == 7


def test_scores_are_expectations():
    tokens = {"Yes": 0.5, " yes": 0.1, "YES\n": 0.1, "No": 0.2, "Maybe": 0.1}
    assert expectation(tokens, "yes-no", "x") == pytest.approx(0.7 / 0.9)
    tokens = {"0": 0.1, " 1": 0.2, "2": 0.3, "3": 0.2, "4": 0.2}
    assert expectation(tokens, "grades", "x") == pytest.approx((0.2 + 0.6 + 0.6) / 0.8)


@given(st.lists(st.floats(1e-6, 1), min_size=4, max_size=4))
def test_an_expectation_is_within_the_scale(chances):
    tokens = dict(zip("0123", chances, strict=True))
    assert 0 <= expectation(tokens, "grades", "x") <= 3 + 1e-12


def test_an_answer_that_is_none_of_the_scale_fails():
    with pytest.raises(InputError, match="neither yes nor no") as error:
        expectation({"Sure": 0.9, "Well": 0.1}, "yes-no", "x")
    assert "'Sure', 'Well'" in error.value.hint


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"choices": []},
        {"choices": [{"message": {"content": "Yes"}}]},
        {"choices": [{"logprobs": None}]},
        {"choices": [{"logprobs": {"content": []}}]},
        {"choices": [{"logprobs": {"content": [{"token": "Yes", "logprob": "x"}]}}]},
        [],
    ],
)
def test_answers_without_probabilities_are_errors(serve, answer):
    body = json.dumps(answer).encode()
    with pytest.raises(InputError, match="no probabilities of tokens"):
        reranker(serve(lambda asked: (200, {}, body))).score(QUERY, DOCS)


def test_a_token_without_others_is_read():
    answer = {"choices": [{"logprobs": {"content": [{"token": "Yes", "logprob": -0.1}]}}]}
    assert expectation(first_token(answer, "x"), "yes-no", "x") == 1


def test_wrong_options(tmp_path):
    for wrong in ({"scale": "stars"}, {"parallel": 0}, {"top": 21}, {"max_chars": 0}):
        with pytest.raises(UsageError):
            reranker("http://localhost:1", **wrong)
    with pytest.raises(NoSuchInput, match="cannot be read"):
        reranker("http://localhost:1", prompt=tmp_path / "none")
    (tmp_path / "p").write_text("{query}")
    with pytest.raises(UsageError, match="lacks a place"):
        reranker("http://localhost:1", prompt=tmp_path / "p")
