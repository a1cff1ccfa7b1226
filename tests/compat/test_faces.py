"""What the faces of other libraries refuse, and how: their exceptions still catch ours."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import compat
from cranfield.compat import ir_measures, pytrec_eval, ranx
from cranfield.errors import CranfieldError, FormatError

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}
RUN = {"q1": {"b": 3.0, "x": 2.0, "a": 1}, "q2": {"a": 1.0}}


def test_the_package_hands_on_the_names_of_all_three():
    assert compat.RelevanceEvaluator is pytrec_eval.RelevanceEvaluator
    assert compat.evaluate is ranx.evaluate
    assert compat.calc_aggregate is ir_measures.calc_aggregate


@pytest.mark.parametrize("name", ["foo", "iprec_at_recall", "P_0", "ndcg_cut_x", "map_cut_2.5", ""])
def test_an_unsupported_measure_is_a_value_error_that_lists_those_there_are(name):
    with pytest.raises(ValueError, match="unsupported measure") as caught:
        pytrec_eval.RelevanceEvaluator(QRELS, {name})
    assert isinstance(caught.value, CranfieldError)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("qrels", "told"),
    [
        ({1: {"a": 1}}, "query id 1 is int, not text"),
        ({"q": {"a": "1"}}, "grade '1' is not a finite number"),
        ({"q": [("a", 1)]}, "judgments of query 'q': list"),
        ({"q": {7: 1}}, "document id 7 is not text"),
        ([], "judgments is list"),
    ],
)
def test_judgments_of_another_form_are_a_type_error(qrels, told):
    with pytest.raises(TypeError, match=told):
        pytrec_eval.RelevanceEvaluator(qrels, {"map"})


@pytest.mark.parametrize("score", ["1", None, float("nan")])
def test_a_score_that_is_no_number_is_a_type_error(score):
    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"map"})
    with pytest.raises(TypeError, match=r"run\['q1'\]\['a'\]: score"):
        evaluator.evaluate({"q1": {"a": score}})


def test_nothing_in_nothing_out():
    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"map"})
    assert evaluator.evaluate({}) == {}
    assert evaluator.evaluate({"other": {"a": 1.0}}) == {}
    assert pytrec_eval.RelevanceEvaluator({}, {"map"}).evaluate(RUN) == {}


@pytest.mark.parametrize("lines", [["1 0 a"], ["1 0 a 2", "1 0 a 2"], ["1 0 a x"]])
def test_a_line_of_judgments_that_cannot_be_read_is_named(lines):
    with pytest.raises(FormatError, match=f"line {len(lines)}"):
        pytrec_eval.parse_qrel(lines)


def test_ranx_wants_the_same_queries_on_both_sides():
    with pytest.raises(AssertionError, match="1 queries of the judgments are not in the run"):
        ranx.evaluate(QRELS, {"q1": RUN["q1"]}, "map")
    run = ranx.Run({"q1": RUN["q1"], "q9": {"a": 1.0}})
    mean = ranx.evaluate(ranx.Qrels(QRELS), run, "mrr", make_comparable=True)
    assert mean == pytest.approx(1 / 6)
    assert list(run.keys()) == ["q1", "q2"]


def test_ranx_gives_means_deviations_or_values():
    assert ranx.evaluate(QRELS, RUN, ["mrr", "hits"]) == {"mrr": 2 / 3, "hits": 1.0}
    found = ranx.evaluate(QRELS, RUN, "mrr", return_std=True)
    assert found == {"mean": 2 / 3, "std": pytest.approx(1 / 3)}
    assert np.array_equal(ranx.evaluate(QRELS, RUN, "mrr", return_mean=False), [1 / 3, 1])


def test_ranx_reads_files_and_frames(tmp_path):
    import pandas

    path = tmp_path / "x.run"
    path.write_text("q1 Q0 a 1 2 sys\nq1 Q0 b 2 1 sys\n")
    run = ranx.Run.from_file(path)
    assert run.to_dict() == {"q1": {"a": 2.0, "b": 1.0}}
    frame = pandas.DataFrame({"q_id": ["q1"], "doc_id": ["a"], "score": [1]})
    assert ranx.Qrels.from_df(frame)["q1"] == {"a": 1}
    assert len(run) == run.size == 1


@pytest.mark.parametrize("metric", ["foo", "rbp", "ndcg@x", "ndcg@-1", "", "precision@5-lx"])
def test_ranx_refuses_what_it_does_not_know(metric):
    with pytest.raises(ValueError, match="is not supported"):
        ranx.evaluate(QRELS, RUN, metric)


def test_ir_measures_takes_texts_and_measures_and_keys_by_them():
    from cranfield.measures import AP, nDCG

    asked = ["RR@10", AP, nDCG @ 10, ir_measures.parse_measure("P@1")]
    assert list(ir_measures.calc_aggregate(asked, QRELS, RUN)) == asked


@pytest.mark.parametrize("rows", [3, ["a"], [("q", "d")], "text"])
def test_ir_measures_refuses_rows_of_another_form(rows):
    with pytest.raises(TypeError, match="cannot be read"):
        ir_measures.calc_aggregate(["AP"], QRELS, rows)


def test_ir_measures_reads_files(tmp_path):
    (tmp_path / "q").write_text("q1 0 a 2\nq1 0 b 0\n")
    (tmp_path / "r").write_text("q1 Q0 a 1 2.5 sys\n")
    qrels = list(ir_measures.read_trec_qrels(tmp_path / "q"))
    run = list(ir_measures.read_trec_run(tmp_path / "r"))
    assert qrels[0] == ("q1", "a", 2, "0")
    assert ir_measures.calc_aggregate(["AP"], qrels, run) == {"AP": 1.0}
