"""One question to a model: sent, sent again after errors that may go away, and read."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.errors import InputError, UsageError, clip
from cranfield.judging.llm.answer import Unreadable, Verdict, verdicts
from cranfield.judging.llm.meter import Meter, tokens_in, tokens_of
from cranfield.judging.llm.prompt import Asking, Call
from cranfield.judging.llm.tasks import Task
from cranfield.kit.chat import MOST_TOKENS, Chat, Said, said_of
from cranfield.kit.retry import Backoff

# How JSON is asked for, the surest way first; what a server does not know it refuses.
WAYS = ("json_schema", "json_object", "text")


class Stopped(Exception):
    """Somebody has interrupted the work; nothing more is sent."""


@dataclass(frozen=True)
class Answered:
    """What came of a question.

    Parameters
    ----------
    verdicts : for each item what was read, or why it could not be.
    call : what was sent.
    way : how the answer was asked for (`WAYS`, or `token`).
    refused : whether the service refused the request (it is too long for the model, say).
    reply : what could not be read, clipped.
    """

    task: Task
    verdicts: Sequence[Verdict | Unreadable]
    call: Call
    way: str
    seconds: float
    tokens_in: int | None = None
    tokens_out: int | None = None
    refused: bool = False
    reply: str = ""


class Asker:
    """Asks; may be called from several threads.

    Parameters
    ----------
    chat : the model.
    meter : counts, and stops at the budget.
    backoff : after errors that may go away. Its pauses end when `stop` is set.

    Attributes
    ----------
    way : how JSON is asked for, once an answer has shown what the server knows.
    loose : answers to a request with a schema that did not keep to it.
    """

    def __init__(
        self, chat: Chat, asking: Asking, meter: Meter, backoff: Backoff | None = None
    ) -> None:
        self.chat, self.asking, self.meter = chat, asking, meter
        self.stop = threading.Event()
        self._backoff = replace(backoff or Backoff(), sleep=self._sleep)
        self.way: str | None = "token" if asking.answer == "token" else None
        self.loose = 0
        self._probable = False  # whether probabilities have ever come

    def __call__(self, task: Task) -> Answered:
        """Ask one question.

        Raises
        ------
        ServiceError
            No answer, though asked several times.
        Spent
            The budget does not allow the call.
        Stopped
            `stop` is set.
        UsageError
            The service refuses access, or gives no probabilities where they are asked for.
        """
        call = task.call(self.asking)
        begun = time.monotonic()
        try:
            said, way = self._say(call, task)
        except InputError as e:
            why = Unreadable(f"refused: {e.message}", loose=False)
            spent = time.monotonic() - begun
            return Answered(
                task, [why] * len(task.items), call, self.way or WAYS[0], spent, refused=True
            )
        spent = time.monotonic() - begun
        found = self._read(said, len(task.items))
        self.loose += way == WAYS[0] and any(isinstance(v, Unreadable) and v.loose for v in found)
        bad = any(isinstance(v, Unreadable) for v in found)
        return Answered(
            *(task, found, call, way, spent, said.tokens_in, said.tokens_out),
            reply=clip(said.text, 300) if bad else "",
        )

    def _say(self, call: Call, task: Task) -> tuple[Said, str]:
        """The answer, by the surest way that the server knows."""
        if self.way is not None:
            return self._send(call, task, self.way), self.way
        first: InputError | None = None
        for way in WAYS:
            try:
                said = self._send(call, task, way)
            except InputError as e:
                first = first or e
                continue
            self.way = way
            return said, way
        assert first is not None
        raise first

    def _send(self, call: Call, task: Task, way: str) -> Said:
        asking = self.asking
        seed = asking.seed + task.sample if task.sample else None
        body = self.chat.body(
            call.messages,
            max_tokens=call.max_tokens,
            temperature=asking.temperature,
            top=MOST_TOKENS if way == "token" else None,
            response_format=_format(way, call.schema),
            seed=seed,
        )
        return self._backoff.call(lambda: self._once(body, call), task.keys[0])

    def _once(self, body: Mapping[str, Any], call: Call) -> Said:
        if self.stop.is_set():
            raise Stopped
        reserved = self.meter.begin(call)
        try:
            said = said_of(self.chat.send(body))
        except BaseException:
            self.meter.failed(reserved)
            raise
        counted = said.tokens_in is not None and said.tokens_out is not None
        self.meter.end(
            reserved,
            call,
            (said.tokens_in or 0, said.tokens_out or 0) if counted else None,
            (tokens_in(call), tokens_of(said.text)),
        )
        return said

    def _read(self, said: Said, n: int) -> Sequence[Verdict | Unreadable]:
        try:
            found = verdicts(said, self.asking, n)
        except Unreadable as e:
            self._probable = self._probable or self.asking.answer == "token"
            return [e] * n
        except InputError as e:
            if not self._probable:
                raise UsageError(
                    f"{said.where}: no probabilities of tokens in the answer",
                    "does the service know `logprobs`? Without them: --answer json",
                ) from None
            return [Unreadable(e.message, loose=False)] * n
        self._probable = True
        return found

    def _sleep(self, seconds: float) -> None:
        if self.stop.wait(seconds):
            raise Stopped


def _format(way: str, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if way == "json_schema" and schema is not None:
        named = {"name": "verdict", "strict": True, "schema": dict(schema)}
        return {"type": "json_schema", "json_schema": named}
    return {"type": "json_object"} if way == "json_object" else None
