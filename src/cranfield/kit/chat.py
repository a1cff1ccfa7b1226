"""Language models behind an address that speaks OpenAI's /v1/chat/completions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.errors import InputError, ServiceError, UsageError, clip
from cranfield.kit.address import address, filled_url
from cranfield.kit.http import Client, Reply

PATH = "/chat/completions"
MOST_TOKENS = 20  # of the most probable tokens that services report
Message = Mapping[str, str]


@dataclass(frozen=True)
class Said:
    """What a model said.

    Parameters
    ----------
    text : empty where it said nothing.
    ended : why it stopped, in the service's word: `stop`, or `length` where it was cut.
    tokens_in, tokens_out : as the service counts them; None where it does not say.
    answer : all that came back, as JSON.
    where : the address, for messages.
    """

    text: str
    ended: str
    tokens_in: int | None
    tokens_out: int | None
    answer: Any
    where: str


class Chat:
    """Asks one model at one address; may be used from several threads.

    Parameters
    ----------
    url : the whole address; `{env.NAME}` in it is filled in from the environment.
    model : its name there.
    client : what sends requests.
    more : members of every request, over those that are set here; one that is None is left out.
    """

    def __init__(
        self, url: str, model: str, client: Client, more: Mapping[str, Any] | None = None
    ) -> None:
        self.url, self.where, self.model = filled_url(url), address(url), model
        self._client, self._more = client, dict(more or {})

    def body(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0,
        top: int | None = None,
        response_format: Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """The request; `top` asks for the probabilities of so many tokens at each place."""
        said: dict[str, Any] = {
            "model": self.model,
            "messages": [dict(m) for m in messages],
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        said |= {} if top is None else {"logprobs": True, "top_logprobs": top}
        said |= {} if response_format is None else {"response_format": dict(response_format)}
        said |= {} if seed is None else {"seed": seed}
        return {k: v for k, v in (said | self._more).items() if v is not None}

    def send(self, body: Mapping[str, Any]) -> Reply:
        """One request, sent once; see `Client.send` for the errors."""
        return self._client.send("POST", self.url, data=body)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def completions(base: str) -> str:
    """The whole address below a base such as `http://localhost:8080/v1`; a whole one stays."""
    start = base.rstrip("/")
    return start if start.endswith(PATH) else start + PATH


def said_of(reply: Reply) -> Said:
    """The first choice of an answer.

    Raises
    ------
    ServiceError
        It is no answer of this protocol; gateways send such things when a model is not ready.
    """
    answer = reply.json()
    try:
        choice = answer["choices"][0]
        text = choice["message"].get("content")
        ended = choice.get("finish_reason")
        usage = answer.get("usage") or {}
        return Said(
            text if isinstance(text, str) else "",
            ended if isinstance(ended, str) else "",
            _count(usage.get("prompt_tokens")),
            _count(usage.get("completion_tokens")),
            answer,
            reply.where,
        )
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ServiceError(
            f"{reply.where}: no choices in the answer", f"it is: {clip(repr(answer))}"
        ) from None


def first_token(answer: Any, where: str) -> dict[str, float]:
    """{token: probability} of the first token of an answer.

    Raises
    ------
    InputError
        The service reports none.
    """
    try:
        first = answer["choices"][0]["logprobs"]["content"][0]
        entries = first.get("top_logprobs") or [first]
        return {str(e["token"]): math.exp(min(float(e["logprob"]), 0.0)) for e in entries}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise InputError(
            f"{where}: no probabilities of tokens in the answer",
            f"the service must report logprobs; the answer begins: {clip(repr(answer))}",
        ) from None


def shares(
    tokens: Mapping[str, float], wanted: Mapping[str, float]
) -> tuple[dict[float, float], float]:
    """({value: its share}, the probability of all of them together) of those tokens that are a
    word of `wanted`; case and blanks around a token do not count. The shares add up to 1, or
    there are none.
    """
    found = dict.fromkeys(wanted.values(), 0.0)
    for token, probability in tokens.items():
        value = wanted.get(token.strip().casefold())
        if value is not None and probability > 0:  # NaN is not
            found[value] += probability
    total = math.fsum(found.values())
    if not total > 0:
        return {}, 0.0
    return {value: p / total for value, p in found.items()}, total


def likely(tokens: Mapping[str, float], n: int = 5) -> str:
    """The most probable tokens, for messages."""
    return clip(", ".join(repr(t) for t in sorted(tokens, key=lambda t: -tokens[t])[:n]))


def check_top(top: int) -> None:
    """UsageError unless services report so many tokens."""
    if not 1 <= top <= MOST_TOKENS:
        raise UsageError(f"top is {top}", f"from 1 to {MOST_TOKENS}")


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
