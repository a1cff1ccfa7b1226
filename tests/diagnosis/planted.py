"""Collections and runs to plant faults in: the runs come from engines that know the true labels."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import cranfield
from cranfield.data.collection import Document, TestCollection
from cranfield.data.qrels import Qrels

DEMO = Path(cranfield.__file__).parent / "demo" / "collection"
ENGINES = ("one", "two", "three", "four")
NOISE = 3  # documents beside the relevant ones in each list
Lists = dict[str, dict[str, float]]


def engines(collection: TestCollection) -> dict[str, Lists]:
    """Runs that return all relevant documents, the better ones first, and others at random below
    them; each engine has its own."""
    documents = sorted(d.id for d in collection.documents())
    out: dict[str, Lists] = {}
    for name in ENGINES:
        draw = random.Random(name)
        run: Lists = {}
        for query, labels in collection.qrels.to_dict().items():
            best = sorted((d for d in labels if labels[d] > 0), key=lambda d: (-labels[d], d))
            some = [d for d in draw.sample(documents, NOISE) if d not in best]
            run[query] = {d: 99.0 - i for i, d in enumerate([*best, *some])}
        out[name] = run
    return out


def relabelled(collection: TestCollection, *changes: tuple[str, str, float | None]):
    """The collection with these grades; None takes a judgment away."""
    labels = collection.qrels.to_dict()
    for query, doc, grade in changes:
        if grade is None:
            labels[query].pop(doc)
        else:
            labels[query][doc] = grade
    return replace(collection, qrels=Qrels.from_dict(labels, name="planted"))


def with_document(collection: TestCollection, new: Document) -> TestCollection:
    documents = [*collection.documents(), new]
    return replace(collection, documents=lambda: iter(documents), n_documents=len(documents))


def renamed(run: Lists, documents=str, queries=str) -> Lists:
    return {queries(q): {documents(d): s for d, s in docs.items()} for q, docs in run.items()}


def finding(found, key: str):
    return next((f for f in found.findings if f.key == key), None)


def rows(found, key: str) -> tuple[tuple[object, ...], ...]:
    """Those of a finding, none where it is not there."""
    hit = finding(found, key)
    return () if hit is None or hit.rows is None else hit.rows.rows
