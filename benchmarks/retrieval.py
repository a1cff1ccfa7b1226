"""Time indexing and searching 20 000 documents beside bm25s alone and tantivy.

    python benchmarks/retrieval.py                      generated documents
    python benchmarks/retrieval.py --corpus corpus.jsonl --queries queries.jsonl

Each turn is a fresh process; every time is the best of a few, from texts in memory to an index and
from queries to their 100 best documents, without the start of Python and its imports. All three
lower the case, remove English stop words and stem. bm25s is used as its documentation shows, with
its own tokenizer; tantivy keeps its index in memory and is given one thread.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

K = 100
SYSTEMS = ("cranfield", "bm25s", "tantivy")


def generate(folder: Path, n_documents: int, n_queries: int = 500) -> tuple[Path, Path]:
    """Documents of about 150 words whose frequencies follow Zipf's law; always the same."""
    chance = random.Random(n_documents)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "er", "in")]
    endings = ["", "", "s", "ing", "ed", "ation"]
    words = sorted(
        {
            "".join(chance.choices(syllables, k=chance.randint(1, 4))) + chance.choice(endings)
            for _ in range(60_000)
        }
    )
    chance.shuffle(words)
    weights = [1 / (rank + 3) for rank in range(len(words))]

    def lines(prefix: str, count: int, least: int, most: int) -> str:
        out = []
        for i in range(count):
            text = " ".join(chance.choices(words, weights, k=chance.randint(least, most)))
            out.append(json.dumps({"_id": f"{prefix}{i}", "title": "", "text": text}) + "\n")
        return "".join(out)

    corpus, queries = folder / "corpus.jsonl", folder / "queries.jsonl"
    corpus.write_text(lines("d", n_documents, 50, 250))
    queries.write_text(lines("q", n_queries, 3, 10))
    return corpus, queries


def cranfield(documents: list[Any], queries: list[Any]) -> tuple[float, float]:
    import bm25s  # noqa: F401  (its import is not timed)

    from cranfield import Document, Query
    from cranfield.retrieval.bm25 import BM25

    docs = [Document(d["_id"], d.get("title", ""), d["text"]) for d in documents]
    asked = [Query(q["_id"], q["text"]) for q in queries]
    begun = time.perf_counter()
    system = BM25(docs)
    built = time.perf_counter()
    for query in asked:
        system.search(query, K)
    return built - begun, time.perf_counter() - built


def bm25s(documents: list[Any], queries: list[Any]) -> tuple[float, float]:
    import bm25s
    import Stemmer

    texts = [f"{d.get('title', '')}\n{d['text']}" for d in documents]
    quiet = {"stopwords": "en", "stemmer": Stemmer.Stemmer("porter"), "show_progress": False}
    begun = time.perf_counter()
    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index(bm25s.tokenize(texts, **quiet), show_progress=False)
    built = time.perf_counter()
    for query in queries:
        tokens = bm25s.tokenize([query["text"]], **quiet)
        index.retrieve(tokens, k=min(K, len(texts)), show_progress=False)
    return built - begun, time.perf_counter() - built


def tantivy(documents: list[Any], queries: list[Any]) -> tuple[float, float]:
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("id", stored=True, tokenizer_name="raw")
    schema.add_text_field("text", stored=False, tokenizer_name="en_stem")
    texts = [(d["_id"], f"{d.get('title', '')}\n{d['text']}") for d in documents]
    asked = [" ".join(re.findall(r"\w+", q["text"].lower())) for q in queries]
    begun = time.perf_counter()
    index = tantivy.Index(schema.build())
    writer = index.writer(num_threads=1)
    for doc_id, text in texts:
        writer.add_document(tantivy.Document(id=doc_id, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    built = time.perf_counter()
    searcher = index.searcher()
    for text in asked:
        found = searcher.search(index.parse_query(text, ["text"]), K)
        [searcher.doc(address)["id"] for _, address in found.hits]
    return built - begun, time.perf_counter() - built


def _read(path: str, limit: int | None = None) -> list[Any]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file][:limit]


def turn(name: str, corpus: str, queries: str) -> None:
    """One system in this process; the times on standard output."""
    times = {"cranfield": cranfield, "bm25s": bm25s, "tantivy": tantivy}[name](
        _read(corpus), _read(queries, 500)
    )
    print(json.dumps(times))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--corpus")
    parser.add_argument("--queries")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.corpus:
            files = given.corpus, given.queries
        else:
            files = tuple(map(str, generate(Path(folder), given.documents)))
        times: dict[str, list[list[float]]] = {name: [] for name in SYSTEMS}
        for _ in range(given.repeats):
            for name in SYSTEMS:
                done = subprocess.run(
                    [sys.executable, __file__, "turn", name, *files],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                times[name].append(json.loads(done.stdout.splitlines()[-1]))
    best = {name: [min(part) for part in zip(*runs, strict=True)] for name, runs in times.items()}
    print("system      index s  of bm25s   search s  of bm25s  of tantivy")
    for name, (index, search) in best.items():
        print(
            f"{name:10} {index:8.2f} {index / best['bm25s'][0]:9.2f} {search:10.3f} "
            f"{search / best['bm25s'][1]:9.2f} {search / best['tantivy'][1]:11.2f}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["turn"]:
        turn(*sys.argv[2:])
    else:
        main()
