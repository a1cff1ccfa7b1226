"""What the tests of the measures share: a way to write a topic down, and the slow reference."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from cranfield.measures import Topic, block, compute, parse

settings.register_profile("measures", settings(deadline=None))  # CI machines have bad moments
settings.load_profile("measures")

# A graded query with holes: d03, d07 and d10 have no row; four judged documents were not returned.
T2 = Topic((1, 0, None, 3, 0, 2, None, 0, 1, None, 0, 2), (3, 1, 0, 0))


@pytest.fixture(scope="session")
def t2() -> Topic:
    return T2


@pytest.fixture(scope="session")
def value_of() -> Callable[..., float]:
    """value_of(text, topic): the value of one measure on one topic; gmax resolved to 3."""

    def value(text: str, topic: Topic | Sequence[float | None], expected: bool = False) -> float:
        topic = topic if isinstance(topic, Topic) else Topic(topic)
        measure = parse(text).resolve(3)
        values, valid = compute([measure], *block([topic]), expected_ties=expected)
        assert valid.all()
        return float(values[0, 0])

    return value


@pytest.fixture(scope="session")
def ref() -> ModuleType:
    """The slow reference code, which lies beside the repository and not in it."""
    beside = Path(__file__).resolve().parents[2].parent / "shared"
    path = Path(os.environ.get("CRANFIELD_SHARED", beside)) / "spec" / "ref.py"
    if not path.exists():
        pytest.skip("the reference code is not here; CRANFIELD_SHARED may say where it is")
    spec = importlib.util.spec_from_file_location("cranfield_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    writes = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes
    return module
