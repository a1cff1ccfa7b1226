from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr

from cranfield.errors import InputError, UnknownName
from cranfield.metaeval.predictors import PREDICTORS, count_terms, pearson, predict

DOCUMENTS = [
    ["搜索", "引擎", "评测"],
    ["搜索", "搜索", "质量"],
    ["天气", "预报"],
    ["引擎", "维修"],
]


def test_statistics_of_terms() -> None:
    found = count_terms(DOCUMENTS)
    assert (found.documents, found.tokens) == (4, 10)
    assert found.document_frequency["搜索"] == 2 and found.collection_frequency["搜索"] == 3


def test_formulas_worked_by_hand() -> None:
    """Of two known terms: df 2 and 1 of 4 documents, cf 3 and 1 of 10 terms."""
    found = predict({"q": ["搜索", "评测", "火星"]}, count_terms(DOCUMENTS)).queries[0]
    assert (found.terms, found.unknown) == (3, 1)
    two, four = math.log(2), math.log(4)
    scq = (1 + math.log(3)) * math.log(3), math.log(5)
    expected = {
        "AvIDF": (two + four) / 2,
        "MaxIDF": four,
        "DevIDF": (four - two) / 2,
        "AvICTF": (math.log(10 / 3) + math.log(10)) / 2,
        "SCS": 0.5 * math.log2(5 / 3) + 0.5 * math.log2(5),
        "SumSCQ": sum(scq),
        "AvSCQ": sum(scq) / 2,
        "MaxSCQ": max(scq),
    }
    assert set(expected) == set(PREDICTORS)
    assert found.values == pytest.approx(expected)


def test_a_term_twice_counts_twice() -> None:
    statistics = count_terms(DOCUMENTS)
    found = predict({"q": ["搜索", "搜索", "评测"]}, statistics).queries[0].values
    assert found["AvIDF"] == pytest.approx((2 * math.log(2) + math.log(4)) / 3)
    assert found["SCS"] == pytest.approx(2 / 3 * math.log2(20 / 9) + 1 / 3 * math.log2(10 / 3))


def test_a_query_without_a_known_term_is_said_and_left_out() -> None:
    queries = {"有": ["搜索"], "无": ["火星"], "空": [], "天": ["天气"]}
    scores = {"AP": {"有": 0.3, "无": 0.9, "空": 0.1, "天": 0.6}}
    found = predict(queries, count_terms(DOCUMENTS), scores, predictors=["MaxIDF"])
    assert found.without_known_terms == ("无", "空")
    assert found.queries[1].values == {"MaxIDF": None}
    (one,) = found.correlations
    assert (one.n, one.tau, one.measure) == (2, 1, "AP") and one.pearson == pytest.approx(1)


@given(st.integers(0, 10**6), st.integers(2, 30))
def test_pearson_is_scipy(seed: int, n: int) -> None:
    x, y = np.random.default_rng(seed).random((2, n))
    assert pearson(x, y) == pytest.approx(pearsonr(x, y).statistic, abs=1e-9)


def test_no_correlation_without_spread() -> None:
    assert pearson([1, 1, 1], [1, 2, 3]) is None and pearson([1], [2]) is None
    with pytest.raises(InputError, match="3 values against 2"):
        pearson([1, 2, 3], [1, 2])


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="no predictor 'x'"):
        predict({}, count_terms(DOCUMENTS), predictors=["x"])
    with pytest.raises(InputError, match="no document"):
        predict({}, count_terms([]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cut", "predictor", "least"),
    [
        ("cranfield", "english", "MaxSCQ", 0.25),
        ("xquad/zh", "cjk-bigram", "MaxIDF", 0.12),
        ("xquad/zh", "chinese", "MaxIDF", 0.1),
    ],
)
def test_on_real_collections(
    shared: Path, name: str, cut: str, predictor: str, least: float
) -> None:
    """Queries of specific terms are easier for BM25, by as little as everywhere (Hauff et al.
    2008 report .1 to .5)."""
    from cranfield import evaluate
    from cranfield.formats.readers import read_collection
    from cranfield.retrieval.analyze import analyzer
    from cranfield.retrieval.bm25 import BM25

    folder = shared / "collections" / name
    collection, terms = read_collection(folder), analyzer(cut)
    assert collection.documents is not None
    documents = list(collection.documents())
    system = BM25(documents, analyzer=cut)
    run = {query.id: dict(system.search(query, 100)) for query in collection.queries}
    scores = evaluate(folder, run, "AP")
    observed = dict(zip(scores.queries, scores.values[0, :, 0].tolist(), strict=True))
    found = predict(
        {query.id: terms(query.text) for query in collection.queries},
        count_terms(terms(f"{doc.title} {doc.text}") for doc in documents),
        {"AP": observed},
        predictors=[predictor],
    )
    (one,) = found.correlations
    assert one.n == len(observed) and one.pearson is not None and one.tau is not None
    assert one.pearson > least and one.tau > least / 2
    assert all(query.values[predictor] is not None for query in found.queries)
    seen = [query.values[predictor] for query in found.queries if query.query in observed]
    scored = [observed[query.query] for query in found.queries if query.query in observed]
    assert one.tau == pytest.approx(kendalltau(np.array(seen, float), scored).statistic)
