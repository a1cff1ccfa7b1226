"""Small collections, and back ends of a stranger's package that say what they were asked."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = ("apple", "brook", "cloud", "dune", "ember", "frost")

TOYS = '''
"""Systems and a reranker that note each query in a file and fail where they are told to."""

import os
import time
from pathlib import Path


def note(who, query):
    with open(os.environ["TOYS_LOG"], "a") as log:
        log.write(f"{who} {query.id}\\n")
    time.sleep(float(os.environ.get("TOYS_SLEEP", "0")))
    bad = Path(os.environ["TOYS_LOG"]).with_name("bad")
    if bad.exists() and query.id in bad.read_text().split():
        raise ValueError(f"no answer to {query.id}")


class Count:
    name = "count"

    def __init__(self, documents, weight=1.0):
        self._documents = list(documents)
        self._weight = weight
        self.config = {"weight": weight}

    def search(self, query, k):
        note("count", query)
        wanted = query.text.split()
        found = [(d.id, self._weight * sum(map(d.text.split().count, wanted)))
                 for d in self._documents]
        return sorted((p for p in found if p[1]), key=lambda p: (-p[1], p[0]))[:k]


class Broken:
    name = "broken"

    def __init__(self, documents):
        raise RuntimeError("it never starts")


class Length:
    name = "length"

    def __init__(self, sign=1):
        self._sign = sign
        self.config = {"sign": sign}

    def score(self, query, documents):
        note("length", query)
        return [self._sign * len(d.text) for d in documents]
'''

ENTRIES = """
[cranfield.systems]
count = toys:Count
broken = toys:Broken

[cranfield.rerankers]
length = toys:Length
"""


def write_toys(folder: Path) -> None:
    """A package with entry points, as an installer leaves it."""
    meta = folder / "toys-1.0.dist-info"
    meta.mkdir(parents=True)
    (folder / "toys.py").write_text(TOYS)
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text(ENTRIES)


def write_collection(folder: Path, n: int = 6, *, seed: int = 0, judged_only: int = 0) -> None:
    """n queries of one word, and documents of one to n words; the first query's result has a row
    of -1. The last `judged_only` queries have judgments and no text."""
    (folder / "qrels").mkdir(parents=True)
    words = [WORDS[(i + seed) % len(WORDS)] + str(i) for i in range(n)]
    docs = [
        {"_id": f"d{i}", "title": "", "text": " ".join(words[j] for j in range(i + 1))}
        for i in range(n)
    ]
    queries = [{"_id": f"q{i}", "text": word} for i, word in enumerate(words)]
    rows = ["query-id\tcorpus-id\tscore", "q0\td0\t1", "q0\td1\t-1"]
    rows += [f"q{i}\td{n - 1}\t{1 + i % 2}" for i in range(1, n)]
    rows += [f"q{i}\td{i}\t0" for i in range(1, n - 1)]
    kept = queries[: n - judged_only]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(d) + "\n" for d in docs))
    (folder / "queries.jsonl").write_text("".join(json.dumps(q) + "\n" for q in kept))
    (folder / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n")


MATRIX = """\
[experiment]
k = 5
attempts = 1

[[experiment.collection]]
name = "one"
path = "one"
task = "words"

[[experiment.collection]]
name = "two"
path = "two"
task = "words"

[[experiment.system]]
name = "count"
system = "count"

[[experiment.system]]
name = "plain"
system = "terms"

[[experiment.reranker]]
name = "length"
with = "length"
depth = 3
"""
