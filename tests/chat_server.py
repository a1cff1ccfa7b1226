"""A scripted model: speaks /v1/chat/completions, and says what a test wants said.

It reads documents only inside the fences that belong to the prompt, as a model should.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

FENCE = re.compile(r"<(query|known|document)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL)


def fences(user: str) -> list[tuple[str, str, str]]:
    """(what, mark, text) of everything between fences."""
    return [(m[1], m[2], m[3]) for m in FENCE.finditer(user)]


def documents(body: Mapping[str, Any]) -> list[str]:
    return [text for what, _, text in fences(body["messages"][-1]["content"]) if what == "document"]


def query(body: Mapping[str, Any]) -> str:
    return next(t for what, _, t in fences(body["messages"][-1]["content"]) if what == "query")


def completion(text: str, *, usage: bool = True, ended: str = "stop", **choice: Any) -> dict:
    said = {"message": {"role": "assistant", "content": text}, "finish_reason": ended, **choice}
    used = {"usage": {"prompt_tokens": 100, "completion_tokens": 7}} if usage else {}
    return {"choices": [said], **used}


def probabilities(tokens: Mapping[str, float]) -> dict:
    entries = [{"token": t, "logprob": math.log(p)} for t, p in tokens.items()]
    return {"logprobs": {"content": [{**entries[0], "top_logprobs": entries}]}}


def by_length(text: str) -> int:
    """A grade from 0 to 3 that depends on the document alone."""
    return len(text) % 4


class Model:
    """Answers requests as `serve` wants them answered.

    Parameters
    ----------
    grade : from the text of a document to its grade.
    knows : the forms of structured output that it takes; it refuses others with 400.
    script : answers to the first requests, in their order: a status, a pair of a status and
        headers, bytes of a body, None to hang up, or "answer".
    """

    def __init__(
        self,
        grade: Callable[[str], int] = by_length,
        *,
        knows: tuple[str, ...] = ("json_schema", "json_object"),
        script: tuple[Any, ...] = (),
        usage: bool = True,
        reply: Callable[[dict], dict] | None = None,
    ) -> None:
        self.grade, self.knows, self.usage, self._reply = grade, knows, usage, reply
        self.asked: list[dict] = []  # bodies
        self.headers: list[dict] = []
        self._script = list(script)
        self._lock = threading.Lock()

    def __call__(self, asked: Any) -> tuple[int, dict, bytes] | None:
        body = json.loads(asked.body)
        with self._lock:
            self.asked.append(body)
            self.headers.append(asked.headers)
            step = self._script.pop(0) if self._script else "answer"
        if step is None:
            return None
        if isinstance(step, bytes):
            return 200, {}, step
        if isinstance(step, tuple):
            return step[0], step[1], b"busy"
        if isinstance(step, int):
            return step, {}, b"broken"
        form = (body.get("response_format") or {}).get("type")
        if form is not None and form not in self.knows:
            return 400, {}, json.dumps({"error": f"unknown response_format {form}"}).encode()
        said = (self._reply or self.say)(body)
        return 200, {}, json.dumps(said).encode()

    def say(self, body: dict) -> dict:
        texts = documents(body)
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
        asked = json.dumps(schema) if schema else body["messages"][0]["content"]
        grades = [self.grade(t) for t in texts]
        if body.get("logprobs"):
            rest = {str(g): 0.1 for g in range(4) if g != grades[0]}
            tokens = {str(grades[0]): 0.6, **rest, "x": 0.1}
            return completion(str(grades[0]), usage=self.usage, **probabilities(tokens))
        if '"better"' in asked:
            better = "tie" if grades[0] == grades[1] else "AB"[grades[1] > grades[0]]
            found: dict = {"reason": "because", "better": better}
        elif "grades" in body["messages"][-1]["content"]:
            found = {
                "grades": [
                    {"document": n, "reason": f"r{n}", "grade": g} for n, g in enumerate(grades, 1)
                ]
            }
        else:
            found = {"reason": "because", "grade": grades[0]}
        return completion(json.dumps(found), usage=self.usage)
