"""The faces of pytrec_eval and ir_measures give those libraries' numbers, to the last bit of every
query's value."""

from __future__ import annotations

import random

import ir_measures
import pytest
import pytrec_eval

from cranfield.compat import ir_measures as our_ir_measures
from cranfield.compat import pytrec_eval as our_pytrec_eval

NAMES = """map ndcg bpref Rprec recip_rank set_P set_recall set_F num_q num_ret num_rel num_rel_ret
    gm_map gm_bpref P recall ndcg_cut map_cut success P.1,3,7 recall_2 ndcg_cut.3,10 ndcg_cut_4
    map_cut.2,5 success.2""".split()


def ties(seed: int) -> tuple[dict, dict]:
    """Many equal scores, some equal only as float32; queries that only one side has; a query never
    judged and one answered with nothing."""
    rng = random.Random(seed)
    docs = [f"d{rng.getrandbits(20)}-{i}" for i in range(rng.choice([6, 40, 150]))]
    scores = [rng.uniform(-3, 3) for _ in range(rng.choice([2, 8, 60]))]
    scores += [s * (1 + 1e-9) for s in scores]
    grades = rng.choice([[0, 1], [-1, 0, 1], [-2, 0, 0, 1, 2, 3], [0, 0, 0, 4], [0]])
    some = {
        f"q{q}": {d: rng.choice(grades) for d in rng.sample(docs, rng.randrange(1, len(docs)))}
        for q in range(12)
    }
    run = {
        f"q{q}": {d: rng.choice(scores) for d in rng.sample(docs, rng.randrange(1, len(docs)))}
        for q in range(3, 15)
    }
    return {**some, "q5": {docs[0]: -1}, "q6": {}}, {**run, "q4": {}}


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
def test_pytrec_eval(seed, level, judged_only):
    qrels, run = ties(seed)
    given = (qrels, set(NAMES), level, judged_only)
    theirs = pytrec_eval.RelevanceEvaluator(*given).evaluate(run)
    assert our_pytrec_eval.RelevanceEvaluator(*given).evaluate(run) == theirs


@pytest.mark.parametrize("measure", ["num_ret", "gm_map", "map"])
def test_summaries_of_pytrec_eval(measure):
    values = [-random.Random(i).random() for i in range(50)]
    theirs = pytrec_eval.compute_aggregated_measure(measure, values)
    assert our_pytrec_eval.compute_aggregated_measure(measure, values) == theirs


def test_nicknames_hold_what_there_is_of_theirs():
    assert our_pytrec_eval.supported_measures < pytrec_eval.supported_measures
    for name, measures in our_pytrec_eval.supported_nicknames.items():
        theirs = pytrec_eval.supported_nicknames[name]
        assert measures == theirs & our_pytrec_eval.supported_measures, name


def test_files_are_parsed_as_there(tmp_path):
    qrels, run = ["1 0 a 2", "1 0 b -1", "2 0 a 0"], ["1 Q0 a 1 2.5 x", "2 Q0 b 1 1e-3 x"]
    assert our_pytrec_eval.parse_qrel(qrels) == pytrec_eval.parse_qrel(qrels)
    assert our_pytrec_eval.parse_run(run) == pytrec_eval.parse_run(run)


MEASURES = [
    *"AP AP@5 AP(rel=2) nDCG nDCG@10 P@5 P(rel=2)@5 R@10 RR RR@3 RR(rel=2)@5 Rprec Bpref".split(),
    *"Success@3 SetP SetR SetF NumQ NumRet NumRel Judged@5 nDCG(judged_only=True)@5".split(),
]


def _apart(asked):
    """Measures of condensed lists by themselves: the peer counts NumRet and NumQ along with
    whatever measure comes first in a set, whose order is that of addresses in memory, and so now
    and then counts the judged documents only."""
    condensed = [m for m in asked if m.params.get("judged_only")]
    return [m for m in asked if m not in condensed], condensed


@pytest.mark.parametrize("seed", range(30))
def test_ir_measures(seed):
    qrels, run = ties(seed)
    qrels = {q: {d: max(g, 0) for d, g in docs.items()} for q, docs in qrels.items() if docs}
    del run["q4"]
    asked = [ir_measures.parse_measure(m) for m in MEASURES]
    theirs = {
        (m.query_id, str(m.measure)): m.value
        for some in _apart(asked)
        for m in ir_measures.iter_calc(some, qrels, run)
    }
    ours = {
        (m.query_id, str(m.measure)): m.value for m in our_ir_measures.iter_calc(asked, qrels, run)
    }
    assert ours == theirs
    means = {
        measure: mean
        for some in _apart(asked)
        for measure, mean in ir_measures.calc_aggregate(some, qrels, run).items()
    }
    found = our_ir_measures.calc_aggregate(asked, qrels, run)
    assert set(found) == set(means)
    for measure, mean in means.items():
        assert found[measure] == pytest.approx(mean, rel=1e-14), measure


@pytest.mark.parametrize("form", ["tuples", "frame"])
def test_forms_of_judgments_and_runs(form):
    import pandas

    qrels = [ir_measures.Qrel("q", d, g) for d, g in (("a", 1), ("b", 0), ("c", 2))]
    run = [ir_measures.ScoredDoc("q", d, s) for d, s in (("b", 2.0), ("c", 1.0), ("b", 0.5))]
    if form == "frame":
        qrels, run = pandas.DataFrame(qrels), pandas.DataFrame(run)
    measure = ir_measures.nDCG @ 10
    theirs = ir_measures.calc_aggregate([measure], qrels, run)
    assert our_ir_measures.calc_aggregate([measure], qrels, run) == theirs
