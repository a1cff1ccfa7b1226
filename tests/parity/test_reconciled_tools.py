"""The profiles of tools against the tools themselves, and against their formulas written out where
the tool is no Python library that a test can call."""

from __future__ import annotations

import gzip
import math

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from sklearn.metrics import average_precision_score, ndcg_score

from cranfield import reconcile
from cranfield.measures import parse
from cranfield.reconciliation.conventions import asked_conventions
from cranfield.reconciliation.material import gather
from cranfield.reconciliation.tools import PROFILES
from cranfield.reconciliation.values import Values

SEEDS = range(12)


def mean(values) -> float:
    values = list(values)
    return math.fsum(values) / len(values)


TREC_NAMES = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "AP": "map",
    "AP@5": "map_cut_5",
    "P@5": "P_5",
    "R@5": "recall_5",
    "RR": "recip_rank",
    "bpref": "bpref",
    "Rprec": "Rprec",
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("measure", TREC_NAMES)
def test_pytrec_eval_and_trec_eval_9(collection, value, measure, seed):
    qrels, run = collection(seed)
    name = TREC_NAMES[measure]
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {name}).evaluate(run)
    expected = mean(v[name] for v in theirs.values())
    assert value("pytrec_eval", measure, qrels, run) == expected
    assert value("trec_eval 9", measure, qrels, run) == expected
    assert value("trec_eval 9 -c", measure, qrels, run) == mean(
        [*(v[name] for v in theirs.values()), 0.0]
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("measure", ["nDCG@10", "AP@5", "P@5", "R@5"])
def test_beir_and_mteb(collection, value, measure, seed):
    """Both hand the run to pytrec_eval; BEIR first takes out the document that is the query."""
    qrels, run = collection(seed)
    name = TREC_NAMES[measure]

    def theirs(run):
        found = pytrec_eval.RelevanceEvaluator(qrels, {name}).evaluate(run)
        return mean(v[name] for v in found.values())

    without = {q: {d: s for d, s in docs.items() if d != q} for q, docs in run.items()}
    assert value("BEIR EvaluateRetrieval", measure, qrels, run) == theirs(without)
    assert value("MTEB", measure, qrels, run) == theirs(run)


def in_given_order(docs: dict[str, float]) -> list[str]:
    return [d for d, _ in sorted(docs.items(), key=lambda x: x[1], reverse=True)]


@pytest.mark.parametrize("seed", SEEDS)
def test_reciprocal_rank_of_beir_and_mteb(collection, value, seed):
    qrels, run = collection(seed)
    ranks = {
        q: next((1 / (i + 1) for i, d in enumerate(order[:5]) if qrels[q].get(d, 0) > 0), 0.0)
        for q, docs in run.items()
        for order in [in_given_order(docs)]
    }
    assert value("MTEB mrr", "RR@5", qrels, run) == mean(ranks.values())
    assert value("BEIR mrr", "RR@5", qrels, run) == mean([*ranks.values(), 0.0])


IR_NAMES = {m: m for m in ("nDCG@10", "nDCG", "AP", "AP@5", "P@5", "R@5", "RR", "Rprec")}
IR_NAMES["bpref"] = "Bpref"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("measure", IR_NAMES)
def test_ir_measures(collection, value, measure, seed):
    qrels, run = collection(seed)
    name = ir_measures.parse_measure(IR_NAMES[measure])
    theirs = ir_measures.calc_aggregate([name], qrels, run)[name]
    assert value("ir_measures", measure, qrels, run) == pytest.approx(theirs, rel=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_ir_measures_orders_ties_otherwise_for_a_cut_reciprocal_rank(collection, value, seed):
    qrels, run = collection(seed)
    name = ir_measures.RR @ 5
    theirs = ir_measures.calc_aggregate([name], qrels, run)[name]
    found = value("ir_measures (msmarco)", "RR@5", qrels, run)
    assert found == pytest.approx(theirs, rel=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_gdeval(collection, value, seed):
    if not ir_measures.providers.registry["gdeval"].is_available():
        pytest.skip("ir_measures computes this by a Perl program, and there is no Perl")
    qrels, run = collection(seed)
    name = ir_measures.nDCG(dcg="exp-log2") @ 5
    theirs = ir_measures.calc_aggregate([name], qrels, run)[name]
    found = value("ir_measures (gdeval)", "nDCG@5", qrels, run)
    assert found == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [3, 10, None])
def test_scikit_learn(collection, value, k, seed):
    qrels, run = collection(seed, negative=False)
    theirs = mean(
        ndcg_score([[qrels[q].get(d, 0) for d in docs]], [list(docs.values())], k=k)
        for q, docs in run.items()
    )
    measure = "nDCG" if k is None else f"nDCG@{k}"
    found = value("scikit-learn ndcg_score", measure, qrels, run)
    assert found == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.filterwarnings("ignore:No positive class")
def test_average_precision_of_scikit_learn(collection, value, seed):
    qrels, run = collection(seed, negative=False)
    run = {q: {d: -float(i) for i, d in enumerate(docs)} for q, docs in run.items()}
    theirs = mean(
        average_precision_score([qrels[q].get(d, 0) > 0 for d in docs], list(docs.values()))
        for q, docs in run.items()
    )
    found = value("scikit-learn average_precision_score", "AP", qrels, run)
    assert found == pytest.approx(theirs, rel=1e-12)


# ---- formulas written out, for the tools that are not in Python


def dcg(grades, gain=lambda g: 2.0**g - 1) -> float:
    return sum(gain(g) / math.log2(i + 2) for i, g in enumerate(grades))


def lists(qrels, run):
    """(judged, grades of the list, None where unjudged) of each judged query."""
    for q, judged in qrels.items():
        yield judged, [judged.get(d) for d in in_given_order(run.get(q, {}))]


def ratio(found: float, best: float) -> float:
    return found / best if best > 0 else 0.0


def best(judged, n=None):
    return sorted(judged.values(), reverse=True)[:n]


def known(grades, k):
    return [g or 0 for g in grades[:k]]


def rank_eval(judged, grades, k):
    found = known(grades, k)
    return ratio(dcg(found), dcg(best(judged, len(found))))


def workbench(judged, grades, k):
    return round_half_up(ratio(dcg(known(grades, k)), dcg(best(judged, k))))


def round_half_up(x):
    return math.floor(x * 100 + 0.5) / 100


def quepid(judged, grades, k):
    return ratio(dcg(known(grades, k)), dcg(best(judged)))


def quepid_earlier(judged, grades, k):
    found = known(grades, k)
    return ratio(*(dcg(x, float) for x in (found, sorted(found, reverse=True))))


def quepid_cut(judged, grades, k):
    return ratio(dcg(known(grades, k)), dcg(best(judged, k)))


def graded_pyvespa(judged, grades, k):
    return ratio(*(dcg(x, float) for x in (known(grades, k), best(judged, k))))


BY_HAND = {
    "Elasticsearch/OpenSearch rank_eval": rank_eval,
    "OpenSearch Search Relevance Workbench": workbench,
    "Quepid": quepid,
    "Quepid (earlier)": quepid_earlier,
    "Quepid ndcg_cut": quepid_cut,
    "pyvespa (graded)": graded_pyvespa,
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("tool", BY_HAND)
def test_ndcg_of_search_engines(collection, value, tool, seed):
    qrels, run = collection(seed, negative=False)
    expected = mean(BY_HAND[tool](*lists_of, 5) for lists_of in lists(qrels, run))
    assert value(tool, "nDCG@5", qrels, run) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_negative_rating_costs_in_the_workbench(collection, value, seed):
    qrels, run = collection(seed)
    expected = mean(workbench(*lists_of, 5) for lists_of in lists(qrels, run))
    found = value("OpenSearch Search Relevance Workbench", "nDCG@5", qrels, run)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_precision_of_search_engines(collection, value, seed):
    qrels, run = collection(seed)
    each = [ratio(sum(g > 0 for g in known(x, 5)), len(x[:5])) for _, x in lists(qrels, run)]
    for tool in ("Elasticsearch/OpenSearch rank_eval", "Quepid"):
        assert value(tool, "P@5", qrels, run) == pytest.approx(mean(each), rel=1e-12)
    found = value("OpenSearch Search Relevance Workbench", "P@5", qrels, run)
    assert found == pytest.approx(mean(map(round_half_up, each)), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_sets_of_relevant_documents(collection, value, seed):
    """pyvespa/sentence-transformers leave out a query whose set is empty."""
    qrels, run = collection(seed, negative=False)
    ndcg, ap = [], []
    for judged, grades in lists(qrels, run):
        hit = [int((g or 0) > 0) for g in grades[:5]]
        R = sum(g > 0 for g in judged.values())
        if R:
            ndcg.append(dcg(hit) / dcg([1] * min(R, 5)))
            found = [sum(hit[: i + 1]) / (i + 1) for i, h in enumerate(hit) if h]
            ap.append(sum(found) / min(R, 5))
    tool = "pyvespa/sentence-transformers"
    assert value(tool, "nDCG@5", qrels, run) == pytest.approx(mean(ndcg), rel=1e-12)
    assert value(tool, "AP@5", qrels, run) == pytest.approx(mean(ap), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_list_without_relevant_documents_counts_as_1(collection, value, seed):
    qrels, run = collection(seed, negative=False)
    each = []
    for q in run:
        grades = [qrels[q].get(d, 0) for d in in_given_order(run[q])]
        ideal = dcg(sorted(grades, reverse=True)[:5])
        each.append(dcg(grades[:5]) / ideal if ideal else 1.0)
    assert 1.0 in each
    found = value("LightGBM ndcg", "nDCG@5", qrels, run)
    assert found == pytest.approx(np.mean(each), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "version"), [("trec_eval 10 -c", "trec_eval"), ("trec_eval 9 -c", "trec_eval_908")]
)
def test_printed_numbers_of_an_official_run(shared, tool, version):
    """Each topic's number by that version's own profile, and the mean by asking for it."""
    folder = shared / "runs" / "trec-robust-2003"
    qrels, run = folder / "qrels.txt", folder / "runs" / "input.InexpC2.gz"
    golden = shared / "conformance" / "robust03" / f"input.InexpC2.{version}.out.gz"
    with gzip.open(golden, "rt") as stream:
        rows = [[cell.strip() for cell in line.split("\t")] for line in stream]
    printed = {topic: value for name, topic, value in rows if name == "ndcg"}
    material, asked = gather(qrels, run), parse("nDCG")
    says = next(p for p in PROFILES if p.tool == tool).conventions(asked_conventions(asked))
    values, counted = Values(material, asked).per_query(says)
    assert counted.all()
    for topic, value in zip(material.queries, values.tolist(), strict=True):
        assert f"{value:6.4f}" == printed[topic], topic
    found = reconcile(qrels, run, "nDCG", printed["all"])
    assert tool in {t for match in found.matches for t in match.tools}
