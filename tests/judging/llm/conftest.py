"""A small collection in both languages, a scripted model, and a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.judging.labels import Labels, open_labels
from cranfield.judging.llm.prompt import Asking
from cranfield.judging.llm.rubric import read_rubric
from cranfield.kit.chat import Chat, completions
from cranfield.kit.http import Client


@pytest.fixture
def labels(tmp_path: Path) -> Iterator[Labels]:
    found = open_labels(tmp_path / "labels.sqlite")
    yield found
    found.close()


@pytest.fixture
def chat(serve: Callable[..., str]) -> Iterator[Callable[..., Chat]]:
    """Where a model answers."""
    made: list[Chat] = []

    def at(model: Any, **client: Any) -> Chat:
        url = completions(serve(model) + "/v1")
        made.append(Chat(url, "m", Client(**{"timeout": 5.0, **client})))
        return made[-1]

    yield at
    for one in made:
        one.close()


@pytest.fixture
def asking() -> Callable[..., Asking]:
    def made(rubric: str = "grades-en", **more: Any) -> Asking:
        return Asking(read_rubric(rubric), **more)

    return made
