"""Collections on which tools disagree, and what the profile of a tool says about them."""

from __future__ import annotations

import random

import pytest

from cranfield.measures import parse
from cranfield.reconciliation.conventions import asked_conventions
from cranfield.reconciliation.material import gather
from cranfield.reconciliation.tools import PROFILES
from cranfield.reconciliation.values import Values


def _collection(seed: int, *, negative: bool = True) -> tuple[dict, dict]:
    """Ties, grades up to 3, a query without an answer, one not answered, one with its own id, one
    never judged. Lists are short: ranx keeps the order of ties in lists of up to fifteen."""
    rng = random.Random(seed)
    docs = [f"d{i:02d}" for i in range(24)]
    grades = [0, 0, 1, 2, 3] + ([-1] if negative else [])
    qrels, run = {}, {}
    for q in range(1, 9):
        name = str(q)
        qrels[name] = {d: rng.choice(grades) for d in rng.sample(docs, rng.randrange(4, 15))}
        qrels[name][docs[q]] = 1
        scores = [rng.choice([0.5, 1.0, 1.0 + 1e-9, 2.0, 3.25]) for _ in docs]
        listed = rng.sample(docs, rng.randrange(2, 15))
        run[name] = dict(zip(listed, scores, strict=False))
    qrels["7"] = dict.fromkeys(docs[:3], 0)
    del run["8"]
    run["2"]["2"] = 9.0
    if negative:
        qrels["9"], run["9"] = {"d01": -1}, {"d01": 1.0}
    return qrels, run


@pytest.fixture
def collection():
    return _collection


def _value(tool: str, measure: str, qrels: dict, run: dict) -> float:
    """What the profile says."""
    asked = parse(measure)
    says = {p.conventions(asked_conventions(asked)) for p in PROFILES if _is(p, tool, asked)}
    assert len(says) == 1, f"{tool}: {len(says)} profiles for {measure}"
    return Values(gather(qrels, run), asked).mean(says.pop())[0]


def _is(profile, tool, asked):
    return profile.tool == tool and profile.covers(asked)


@pytest.fixture
def value():
    return _value
