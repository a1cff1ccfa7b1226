"""One judgment: who said what of which document for which query, and how they came to say it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from cranfield.errors import InputError

# Where a label comes from. `imported`: from a file that does not say; `propagated`: carried over
# from another document, as from a duplicate.
Source = Literal["human", "llm", "propagated", "imported"]
SOURCES: tuple[Source, ...] = get_args(Source)

# `graded` has a grade and nothing else has one. `unsure`: looked at and not decided; `skip`: put
# aside; `failed`: a model's answer could not be read; `undone`: takes the row `undoes` back.
State = Literal["graded", "unsure", "skip", "failed", "undone"]
STATES: tuple[State, ...] = get_args(State)

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Judge:
    """Who judges: one source, one name, and for a model its prompt and the number of the sample.

    What one judge said last of a document counts; two judges never overwrite each other. The
    version of the rubric is not part of it: a person who judges again by a new rubric has changed
    their mind, and `Wanted` can ask for one version alone.
    """

    source: Source = "human"
    assessor: str = ""
    model: str = ""
    prompt: str = ""
    sample: int = 0

    @property
    def name(self) -> str:
        """Short, for tables: the assessor, else the model, else the source."""
        name = self.assessor or self.model or self.source
        return name if not self.sample else f"{name}#{self.sample}"


@dataclass(frozen=True)
class Judgment:
    """A row of the label store.

    Parameters
    ----------
    query, doc : ids, not empty.
    grade : finite; None unless `state` is `graded`. A negative grade means pooled but not judged,
        as in qrels.
    state, source : see `State` and `Source`.
    assessor : who, where known: a person's name, or the name of a model's role.
    model, prompt : for a model its name, and the fingerprint of the prompt (with the rubric in
        it) that it was given.
    sample : which of several answers of a model to the same prompt.
    rubric : the version of the guidelines.
    reason : in the judge's words.
    at : when, UTC ISO 8601; empty: the store fills in now.
    seconds : that the judge took.
    details : what else is known (a probability, tokens, a shortened document); JSON values.
    undoes : for `undone` the number of the row that is taken back.
    id : its number in the store; 0 before it is recorded.
    """

    query: str
    doc: str
    grade: float | None = None
    state: State = "graded"
    source: Source = "human"
    assessor: str = ""
    model: str = ""
    prompt: str = ""
    sample: int = 0
    rubric: str = ""
    reason: str = ""
    at: str = ""
    seconds: float | None = None
    details: Mapping[str, Any] = field(default_factory=lambda: _NOTHING, hash=False)
    undoes: int | None = None
    id: int = 0

    def __post_init__(self) -> None:
        where = f"query {self.query!r}, document {self.doc!r}"
        if not self.query or not self.doc:
            raise InputError(f"{where}: an id is empty")
        if self.source not in SOURCES:
            raise InputError(f"{where}: no source {self.source!r}", f"one of {', '.join(SOURCES)}")
        if self.state not in STATES:
            raise InputError(f"{where}: no state {self.state!r}", f"one of {', '.join(STATES)}")
        if (self.grade is not None) != (self.state == "graded"):
            raise InputError(
                f"{where}: the state {self.state!r} goes with grade {self.grade!r}",
                "a judgment that is graded has a grade, and no other has one",
            )
        if self.grade is not None and not math.isfinite(self.grade):
            raise InputError(f"{where}: grade {self.grade!r} is not a finite number")
        for text in (self.query, self.doc, self.assessor, self.model, self.prompt, self.rubric):
            _holdable(text, where)
        _holdable(self.reason, where)
        if (self.undoes is not None) != (self.state == "undone"):
            raise InputError(f"{where}: only a row that is undone names the row that it undoes")

    @property
    def judge(self) -> Judge:
        return Judge(self.source, self.assessor, self.model, self.prompt, self.sample)

    @property
    def pair(self) -> tuple[str, str]:
        return self.query, self.doc


def _holdable(text: str, where: str) -> None:
    """PostgreSQL holds no NUL, and half a surrogate pair is no text."""
    if "\0" in text or (not text.isascii() and _broken(text)):
        raise InputError(f"{where}: {text!r} holds a character that cannot be kept")


def _broken(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


@dataclass(frozen=True)
class Wanted:
    """Which judgments: those that match everything given; an empty tuple matches all.

    Parameters
    ----------
    sources, assessors, models, prompts, rubrics, queries, states : any of these.
    """

    sources: tuple[str, ...] = ()
    assessors: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    rubrics: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    states: tuple[str, ...] = ()

    def columns(self) -> dict[str, tuple[str, ...]]:
        """{column of a row: allowed values} of what is restricted."""
        named = {
            "source": self.sources,
            "assessor": self.assessors,
            "model": self.models,
            "prompt": self.prompts,
            "rubric": self.rubrics,
            "query": self.queries,
            "state": self.states,
        }
        return {name: values for name, values in named.items() if values}

    def matches(self, judgment: Judgment) -> bool:
        return all(getattr(judgment, name) in values for name, values in self.columns().items())


ALL = Wanted()
