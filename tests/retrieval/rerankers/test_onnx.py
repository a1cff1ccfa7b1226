"""Cross-encoders in folders, run for real."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield import Document, Query
from cranfield.demo import collection
from cranfield.errors import InputError, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.plugins import system
from cranfield.retrieval.conduct import conduct
from cranfield.retrieval.rerank import Rerank
from cranfield.retrieval.rerankers.onnx import OnnxCrossEncoder
from cranfield.retrieval.system import retrieve
from cranfield.testing import check_reranker

QUERY = Query("q", "how does an inverted index work")


@pytest.mark.parametrize("classes", [1, 2])
def test_contract(cross_encoder, classes):
    folder = cross_encoder(classes=classes)
    bundled = collection()
    documents = list(bundled.documents())[:12]
    check_reranker(lambda: OnnxCrossEncoder(folder), QUERY, documents)
    check_reranker(lambda: OnnxCrossEncoder(folder, max_tokens=24, batch=3), QUERY, documents)


def test_the_score_is_the_logit(cross_encoder):
    """Computed again here from the table of token vectors."""
    import onnx
    from onnx import numpy_helper
    from tokenizers import Tokenizer

    folder = cross_encoder()
    graph = onnx.load(folder / "model.onnx").graph
    table = next(numpy_helper.to_array(t) for t in graph.initializer if t.name == "table")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    document = Document("d", "Inverted index", "maps terms to documents")

    def ids(text):
        return tokenizer.encode(text, add_special_tokens=False).ids

    text = "Inverted index maps terms to documents"
    first, second = table[ids(QUERY.text)].sum(0), table[ids(text)].sum(0)
    wanted = float(first @ second) / (len(ids(text)) + 1)  # [SEP] counts
    (score,) = OnnxCrossEncoder(folder).score(QUERY, [document])
    assert score == pytest.approx(wanted, rel=1e-4)


def test_two_classes_give_the_logit_of_the_second(cross_encoder):
    document = Document("d", "", "an index of terms")
    (one,) = OnnxCrossEncoder(cross_encoder("one")).score(QUERY, [document])
    (two,) = OnnxCrossEncoder(cross_encoder("two", classes=2)).score(QUERY, [document])
    assert two == pytest.approx(one, rel=1e-5)


def test_more_classes_need_a_label(cross_encoder):
    folder, document = cross_encoder(classes=3), Document("d", "", "an index of terms")
    with pytest.raises(UsageError, match="3 classes"):
        OnnxCrossEncoder(folder).score(QUERY, [document])
    (against,) = OnnxCrossEncoder(folder, label=1).score(QUERY, [document])
    (entails,) = OnnxCrossEncoder(folder, label=2).score(QUERY, [document])
    assert against == -entails != 0
    with pytest.raises(UsageError, match="has 3 classes"):
        OnnxCrossEncoder(folder, label=3).score(QUERY, [document])


def test_an_encoder_is_no_cross_encoder(encoder):
    with pytest.raises(InputError, match="one row of logits"):
        OnnxCrossEncoder(encoder()).score(QUERY, [Document("d", "", "x")])


def test_what_is_longer_is_cut_from_the_document(cross_encoder):
    reranker = OnnxCrossEncoder(cross_encoder(), max_tokens=24)
    short, long = Document("s", "", "index"), Document("l", "", "index " * 50)
    assert reranker.cut(QUERY, [short, long]) == [False, True]
    assert all(map(math.isfinite, reranker.score(QUERY, [short, long])))


def test_it_reranks(cross_encoder):
    bundled = collection()
    first = retrieve(system("scan", documents=bundled.documents(), match="any"), bundled.queries)
    reranker = OnnxCrossEncoder(cross_encoder())
    done = conduct(Rerank(first, bundled.documents(), reranker, 100), bundled.queries)
    before, after = (evaluate(bundled, [r], ["nDCG@10", "R@100"]) for r in (first, done.run))
    assert after.mean("nDCG@10") > before.mean("nDCG@10")
    assert np.isclose(after.mean("R@100"), before.mean("R@100"))
