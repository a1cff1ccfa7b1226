"""What is sent to a chat model, and what is read of its answer."""

from __future__ import annotations

import json
import math

import pytest

from cranfield.errors import InputError, ServiceError, UsageError
from cranfield.kit.chat import (
    Chat,
    check_top,
    completions,
    first_token,
    likely,
    said_of,
    shares,
)
from cranfield.kit.http import Client, Reply


def reply(answer):
    return Reply(200, {}, json.dumps(answer).encode(), "x")


def test_addresses():
    whole = "http://h:1/v1/chat/completions"
    assert (
        completions("http://h:1/v1") == completions("http://h:1/v1/") == completions(whole) == whole
    )


def test_a_body_holds_what_was_asked_and_no_more():
    chat = Chat("http://h/v1", "m", Client(), {"seed": 4, "temperature": None})
    messages = [{"role": "user", "content": "死锁"}]
    assert chat.body(messages, max_tokens=3) == {
        "model": "m", "messages": messages, "max_tokens": 3, "seed": 4,
    }  # fmt: skip
    body = chat.body(messages, max_tokens=3, top=5, response_format={"type": "json_object"}, seed=1)
    assert (body["logprobs"], body["top_logprobs"], body["seed"]) == (True, 5, 4)
    assert body["response_format"] == {"type": "json_object"}
    chat.close()


def test_what_was_said():
    choice = {"message": {"content": "yes"}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 3, "completion_tokens": 1}
    found = said_of(reply({"choices": [choice], "usage": usage}))
    assert (found.text, found.ended, found.tokens_in, found.tokens_out) == ("yes", "stop", 3, 1)
    found = said_of(reply({"choices": [{"message": {"content": None}}], "usage": None}))
    assert (found.text, found.ended, found.tokens_in, found.tokens_out) == ("", "", None, None)
    wrong = {"prompt_tokens": -1, "completion_tokens": True}
    found = said_of(reply({"choices": [choice], "usage": wrong}))
    assert (found.tokens_in, found.tokens_out) == (None, None)


@pytest.mark.parametrize(
    "answer", [{}, [], {"choices": []}, {"choices": [3]}, {"error": "loading"}, {"choices": None}]
)
def test_what_is_no_answer(answer):
    with pytest.raises(ServiceError, match="no choices"):
        said_of(reply(answer))


def test_probabilities():
    entries = [{"token": t, "logprob": math.log(p)} for t, p in {"2": 0.5, " 2": 0.25}.items()]
    first = {**entries[0], "top_logprobs": entries}
    answer = {"choices": [{"logprobs": {"content": [first]}}]}
    tokens = first_token(answer, "x")
    assert tokens == {"2": pytest.approx(0.5), " 2": pytest.approx(0.25)}
    assert shares(tokens, {"2": 2.0, "0": 0.0}) == ({2.0: 1.0, 0.0: 0.0}, pytest.approx(0.75))
    assert shares(tokens, {"1": 1.0}) == ({}, 0.0)
    assert shares({"1": math.nan}, {"1": 1.0}) == ({}, 0.0)
    assert likely({"a": 0.1, "b": 0.9}) == "'b', 'a'"
    with pytest.raises(InputError, match="no probabilities"):
        first_token({"choices": [{"logprobs": None}]}, "x")
    for top in (0, 21):
        with pytest.raises(UsageError):
            check_top(top)
