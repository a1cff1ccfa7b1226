"""A split of the queries into dev and test, made once and held to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cranfield.data.collection import Query
from cranfield.errors import FormatError, InputError, NoSuchInput, UnknownName
from cranfield.kit.files import write_whole
from cranfield.kit.fingerprint import of_parts
from cranfield.kit.near import THRESHOLD, N, normal

VERSION = 1
Part = Mapping[str, str]


@dataclass(frozen=True)
class Frozen:
    """A test list at the time it was frozen."""

    fingerprint: str
    n: int


@dataclass(frozen=True)
class Split:
    """Who is on which side.

    Parameters
    ----------
    test, dev : {query id: normalised text}, in the order of the collection.
    held : {query id: test query that it is nearly the same as}: on neither side, for on the dev
        side it would tell what is asked in the test.
    versions : the test list as first frozen and after each time it was made longer.
    seed, by, threshold : what the sides were drawn with.
    """

    test: Part
    dev: Part
    held: Mapping[str, str]
    versions: tuple[Frozen, ...]
    seed: int = 0
    by: str | None = None
    threshold: float = THRESHOLD

    @property
    def fingerprint(self) -> str:
        """Of the test list as it is now."""
        return self.versions[-1].fingerprint

    def part(self, name: str) -> Part:
        """`dev` or `test`."""
        if name not in ("dev", "test"):
            raise UnknownName(f"no part {name!r} of the split", "parts: dev, test")
        return self.test if name == "test" else self.dev

    def verified(self, queries: Iterable[Query], file: str) -> Split:
        """This split, once the test queries are known to be those that were frozen.

        Raises
        ------
        InputError
            A test query is gone or asks something else; the message names it.
        """
        now = {q.id: normal(q.text) for q in queries}
        if not now:
            return self
        for query, text in self.test.items():
            if query not in now:
                raise InputError(
                    f"test query {query} is not in the collection any more",
                    f"the test list of {file} is frozen: bring the query back",
                )
            if now[query] != text:
                raise InputError(
                    f"test query {query} has changed: it was {text!r} and is {now[query]!r}",
                    f"the test list of {file} is frozen: a new question needs a new id",
                )
        return self


def fingerprint_of(test: Part) -> str:
    """Of ids and normalised texts, whatever their order."""
    return of_parts(part for query in sorted(test) for part in (query, test[query]))


def frozen(split: Split, test: Part) -> Split:
    """The split with another test list, frozen as its newest version."""
    name = fingerprint_of(test)
    return replace(split, test=test, versions=(*split.versions, Frozen(name, len(test))))


def write_split(split: Split, path: str | os.PathLike[str]) -> None:
    """As JSON, whole or not at all."""
    data = {
        "cranfield_split": VERSION,
        "seed": split.seed,
        "stratified_by": split.by,
        "near_duplicates": {"characters": N, "jaccard": split.threshold},
        "normalised": "NFKC, case folded, blanks made one",
        "versions": [{"fingerprint": v.fingerprint, "n": v.n} for v in split.versions],
        "test": dict(split.test),
        "dev": dict(split.dev),
        "held": dict(split.held),
    }
    with write_whole(path) as stream:
        stream.write((json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def read_split(path: str | os.PathLike[str]) -> Split:
    """A split from its file.

    Raises
    ------
    NoSuchInput
        There is none.
    InputError, FormatError
        It is not one, or its test list is not the one that was frozen.
    """
    file = os.fspath(path)
    try:
        data = json.loads(Path(path).read_bytes())
    except FileNotFoundError:
        raise NoSuchInput(f"{file}: no split has been made", "cranfield split --test 0.5") from None
    except OSError as e:
        raise NoSuchInput(f"{file}: {e.strerror}") from None
    except ValueError as e:
        raise FormatError(f"not JSON: {e}", file=file) from None
    if not isinstance(data, dict) or data.get("cranfield_split") != VERSION:
        raise FormatError("no split of this version of Cranfield", file=file)
    try:
        split = _split_from(data)
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        raise FormatError(f"not a whole split ({e!r})", file=file) from None
    if fingerprint_of(split.test) != split.fingerprint:
        raise InputError(
            f"{file}: the test list is not the one that was frozen ({_changed(split)})",
            "take the file back from your version control",
        )
    return split


def _split_from(data: Mapping[str, Any]) -> Split:
    versions = tuple(Frozen(str(v["fingerprint"]), int(v["n"])) for v in data["versions"])
    if not versions:
        raise ValueError("no version")
    test, dev, held = (
        {str(k): str(v) for k, v in data[side].items()} for side in ("test", "dev", "held")
    )
    by = data["stratified_by"]
    return Split(
        test,
        dev,
        held,
        versions=versions,
        seed=int(data["seed"]),
        by=None if by is None else str(by),
        threshold=float(data["near_duplicates"]["jaccard"]),
    )


def _changed(split: Split) -> str:
    there, frozen_n = len(split.test), split.versions[-1].n
    if there != frozen_n:
        return f"{there} queries where {frozen_n} were frozen"
    return "an id or a text in it differs"
