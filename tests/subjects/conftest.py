"""Small collections about few things, and the bundled one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels


def collection(
    name: str,
    documents: Mapping[str, str],
    queries: Mapping[str, str],
    qrels: Mapping[str, Mapping[str, float]] | None = None,
    **fields: Mapping[str, str],
) -> TestCollection:
    """Texts as a collection; `fields` are {field: {query: value}}."""
    return TestCollection(
        name,
        tuple(
            Query(q, text, {f: values[q] for f, values in fields.items() if q in values})
            for q, text in queries.items()
        ),
        Qrels.from_dict(qrels or {}),
        lambda: iter([Document(d, "", text) for d, text in documents.items()]),
        len(documents),
    )


@pytest.fixture(scope="session")
def demo() -> Path:
    """The bundled collection, Chinese and English."""
    return Path(str(files("cranfield.demo"))) / "collection"


KITCHEN = "bread dough oven flour yeast bake loaf crust knead butter".split()
SPACE = "orbit rocket planet moon satellite launch engine crater comet probe".split()
LAW = "court judge appeal verdict lawyer statute trial jury witness plaintiff".split()


def themed(prefix: str, words: list[str], n: int) -> tuple[dict[str, str], dict[str, str]]:
    """n documents and n queries, each of a few of the words."""
    documents = {
        f"{prefix}d{i}": " ".join(words[(i + j) % len(words)] for j in range(5)) for i in range(n)
    }
    queries = {
        f"{prefix}q{i}": " ".join(words[(i + 2 * j) % len(words)] for j in range(3))
        for i in range(n)
    }
    return documents, queries


@pytest.fixture(scope="session")
def three() -> TestCollection:
    """Twelve queries each about bread, space and the law."""
    documents: dict[str, str] = {}
    queries: dict[str, str] = {}
    qrels: dict[str, dict[str, float]] = {}
    kind: dict[str, str] = {}
    for prefix, words in (("k", KITCHEN), ("s", SPACE), ("l", LAW)):
        d, q = themed(prefix, words, 12)
        documents |= d
        queries |= q
        kind |= dict.fromkeys(q, prefix)
        qrels |= {f"{prefix}q{i}": {f"{prefix}d{i}": 1} for i in range(12)}
    return collection("three", documents, queries, qrels, kind=kind)


@pytest.fixture(scope="session")
def make() -> Callable[..., TestCollection]:
    return collection


@pytest.fixture(scope="session")
def about() -> Callable[..., TestCollection]:
    """A collection of n documents and n queries about `kitchen`, `space` or `law`."""
    words = {"kitchen": KITCHEN, "space": SPACE, "law": LAW}

    def made(name: str, *subjects: str, n: int = 40, shift: int = 0) -> TestCollection:
        documents: dict[str, str] = {}
        queries: dict[str, str] = {}
        for subject in subjects:
            own = words[subject]
            d, q = themed(f"{name}{subject}", own[shift:] + own[:shift], n // len(subjects))
            documents |= d
            queries |= q
        return collection(name, documents, queries)

    return made
