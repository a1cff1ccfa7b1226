"""Two sets of labels against each other: what they share, where they part, and the systems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import agree
from cranfield.data.collection import Query
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.agreement import Agreement
from cranfield.judging.how import How
from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import open_labels
from cranfield.judging.noise import collapsed, noised, orders_under_noise
from cranfield.judging.raters import Raters
from cranfield.judging.systems import differences
from cranfield.stats.agreement import confusion

A = {"q1": {"a": 0, "b": 1, "c": 2}, "q2": {"a": 0, "d": 2}, "q3": {"x": 1}}
B = {"q1": {"a": 0, "b": 2, "c": 2, "e": 1}, "q2": {"a": 1, "d": 2}}


def both(a=A, b=B, *more, **options) -> Agreement:
    found = agree(a, b, *more, **options)
    assert isinstance(found, Agreement)
    return found


def test_pairs_are_those_of_both():
    found = both()
    assert (found.n, found.queries, found.only_a, found.only_b) == (5, 2, 1, 1)
    assert found.levels.tolist() == [0, 1, 2]
    assert found.matrix.tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 2]]
    assert found["percent"].value == pytest.approx(0.6)
    assert found["bias"].value == pytest.approx(2 / 5)
    assert [(g.grade, g.n, g.same, g.bias) for g in found.grades] == [
        (0, 2, 0.5, 0.5), (1, 1, 0, 1), (2, 2, 1, 0),
    ]  # fmt: skip
    assert found.cautions[0].key == "agree.few_queries"


def test_relevant_or_not():
    r = both(rel=2).relevant
    assert (r.both, r.only_a, r.only_b, r.neither) == (2, 0, 1, 2)
    assert (r.precision, r.recall, r.overlap) == (pytest.approx(2 / 3), 1, pytest.approx(2 / 3))
    assert r.f1 == pytest.approx(0.8) and r.agreement == pytest.approx(0.8)
    none = both({"q": {"a": 0}}, {"q": {"a": 0}}).relevant
    assert (none.precision, none.recall, none.f1, none.overlap, none.kappa) == (None,) * 5


def test_wilsons_interval_of_288_in_500():
    grades = {"q": {str(i): int(i < 288) for i in range(500)}}
    always = {"q": {str(i): 1 for i in range(500)}}
    interval = both(always, grades, resamples=0).relevant.interval
    assert (interval.low, interval.high) == (pytest.approx(0.532265, abs=1e-6),
                                             pytest.approx(0.618576, abs=1e-6))  # fmt: skip


def test_a_grade_off_the_scale():
    odd = {"q1": {"a": 0, "b": 1, "c": 10}}
    found = both(A, odd)
    assert "agree.strange_grades" in [r.key for r in found.cautions]
    kept = both(A, odd, scale=(0, 1, 2))
    assert kept.off_scale == 1 and kept.n == 2
    assert "agree.off_scale" in [r.key for r in kept.cautions]
    with pytest.raises(NothingToEvaluate, match="grade no pair"):
        both(A, {"z": {"z": 1}})


def test_by_query_type():
    queries = (Query("q1", "one", {"type": "x"}), Query("q2", "two", {"type": "y"}))
    x, y = both(queries=queries, by=["type"]).slices
    assert (x.label, x.queries, x.n, x.percent, x.bias) == (
        "x", 1, 3, pytest.approx(2 / 3), pytest.approx(1 / 3),
    )  # fmt: skip
    assert (y.label, y.n, y.percent) == ("y", 2, 0.5)
    with pytest.raises(UnknownName, match="fields: type"):
        both(queries=queries, by=["lang"])


def ranked(*docs):
    return {d: float(-i) for i, d in enumerate(docs)}


def world(n=12):
    """Twelve queries, six documents each; run i puts the relevant one at place i + 1. The second
    labels find another document relevant, which turns the order round."""
    docs = list("abcdef")
    a = {f"q{q}": {d: int(d == "a") for d in docs} for q in range(n)}
    b = {f"q{q}": {d: int(d == "f") for d in docs} for q in range(n)}
    runs = []
    for i in range(3):
        order = docs[1:5]
        order.insert(i, "a")
        order.insert(5 - i, "f")
        runs.append({f"q{q}": ranked(*order) for q in range(n)})
    return a, b, {f"r{i}": run for i, run in enumerate(runs)}


def named(runs):
    from cranfield.data.run import Run

    return [Run.from_dict(run, name=name) for name, run in runs.items()]


def test_the_order_of_systems_turned_round():
    a, b, runs = world()
    order = both(a, b, named(runs), "RR", top=2).orders[0]
    assert order.runs == ("r0", "r1", "r2")
    assert order.mean_a == pytest.approx([1, 1 / 2, 1 / 3])
    assert order.tau_b.value == order.tau_ap_b.value == -1
    assert order.top_tau_b.value == -1
    assert order.best_b == "r2" and order.moved == ("r0", 1, 3)
    d = order.differences
    assert (d.pairs, d.kept, d.lost, d.gained, d.reversed) == (3, 0, 0, 0, 3)
    assert d.which_reversed == (("r0", "r1"), ("r0", "r2"), ("r1", "r2"))


def test_the_same_labels_keep_everything():
    a, _, runs = world()
    order = both(a, a, named(runs), "RR").orders[0]
    assert order.tau_b.value == order.tau_ap_b.value == 1
    assert order.tau_b.interval is not None
    assert (order.tau_b.interval.low, order.tau_b.interval.high) == (1, 1)
    assert (order.differences.kept, order.differences.lost) == (3, 0)


def test_differences_lost_and_gained():
    x = np.zeros((3, 10))
    x[0] += 1 + np.arange(10) / 100
    y = x.copy()
    y[0, ::2] -= 2
    y[1] += 1 + np.arange(10) / 50
    found = differences(x, y, ["u", "v", "w"], How())
    # u > v and u > w by x alone; v > w by y alone, and v > u too
    assert (found.kept, found.lost, found.gained, found.reversed) == (0, 1, 1, 1)
    assert found.which_lost == (("u", "w"),) and found.which_reversed == (("u", "v"),)
    assert found.opposite == 0


def test_only_shared_pairs_score_the_systems():
    a = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}
    b = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1, "b": 0, "c": 1}}
    runs = named({"r": {q: ranked("c", "a", "b") for q in a}, "s": {q: ranked("b") for q in a}})
    common = both(a, b, runs, "RR").orders[0]
    assert common.mean_b == pytest.approx([0.5, 0])
    own = both(a, b, runs, "RR", pairs="own").orders[0]
    assert own.mean_b == pytest.approx([1, 0])


def test_bias_of_each_run():
    a, b, runs = world()
    found = both(a, b, named(runs), "RR", k=1).runs
    assert [(r.run, r.n, r.returned, r.mean_a, r.mean_b) for r in found] == [
        ("r0", 12, 12, 1, 0), ("r1", 12, 12, 0, 0), ("r2", 12, 12, 0, 0),
    ]  # fmt: skip
    assert found[0].bias == -1 and found[0].interval is not None
    assert (found[0].interval.low, found[0].interval.high) == (-1, -1)
    assert not any(r.interval for r in both(a, b, named(runs), "RR", k=1, resamples=0).runs)
    nothing = both(a, b, named({"z": {"q0": {"unknown": 1.0}}}), "RR").runs[0]
    assert (nothing.n, nothing.returned, nothing.bias) == (0, 1, None)


def test_the_interval_of_the_bias_of_a_run_is_over_queries():
    """It is that of a ratio of sums over queries, drawn whole: here a query with many graded
    results is biased more than one with few, so that a mean of means would be another number."""
    rng = np.random.default_rng(5)
    a, b, run = {}, {}, {}
    for q in range(40):
        n = 1 + q % 8
        off = rng.integers(0, 2, n) if n < 5 else rng.integers(1, 4, n)
        docs = [f"d{i}" for i in range(n)]
        a[f"q{q}"] = dict.fromkeys(docs, 0)
        b[f"q{q}"] = dict(zip(docs, map(int, off), strict=True))
        run[f"q{q}"] = {d: 9.0 - i for i, d in enumerate(docs)}
    runs = named({"r": run})

    def bias(**how):
        return both(a, b, runs, "RR", **how).runs[0]

    found = bias(resamples=4000)
    sums = np.array([sum(own.values()) for own in b.values()])
    counts = np.array([len(own) for own in b.values()])
    assert found.bias == pytest.approx(sums.sum() / counts.sum())
    drawn = rng.integers(0, 40, (20_000, 40))
    low, high = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), [0.025, 0.975])
    width = high - low
    assert found.interval.low == pytest.approx(low, abs=0.12 * width)
    assert found.interval.high == pytest.approx(high, abs=0.12 * width)
    assert (sums / counts).mean() < found.interval.low  # what the mean of means would be
    half = bias(resamples=4000, level=0.5).interval
    assert found.interval.low < half.low < found.bias < half.high < found.interval.high
    assert bias(resamples=4000, seed=1).interval != found.interval


def test_a_judge_that_favours_its_own_family():
    a, b, runs = world()
    families = {"r2": "gpt", "r0": "other"}
    found = both(a, b, named(runs), "RR", families=families, judge_family="gpt")
    (own,) = found.own
    shift = {f.family: f.shift for f in own.families}
    # r0: RR 1 and then 1/6; r1: 1/2 and 1/5; r2: 1/3 and 1/4
    assert shift["gpt"] == pytest.approx(1 / 4 - 1 / 3)
    assert own.excess == pytest.approx((1 / 4 - 1 / 3) - ((1 / 6 - 1) + (1 / 5 - 1 / 2)) / 2)
    assert own.interval is not None and own.interval.low == pytest.approx(own.excess)
    assert [r.values["runs"] for r in found.cautions if r.key == "agree.same_family"] == [("r2",)]
    with pytest.raises(UsageError, match="no run 'zz'"):
        both(a, b, named(runs), "RR", families={"zz": "gpt"})
    with pytest.raises(UsageError, match="families are of runs"):
        both(a, b, families={"zz": "gpt"})


def test_judges_within_a_set():
    rows = [
        Judgment("q", d, g, assessor=who)
        for who, grades in {"x": "0122", "y": "0121", "z": "1"}.items()
        for d, g in zip("abcd", map(float, grades), strict=False)
    ]
    found = agree(rows)
    assert isinstance(found, Raters)
    assert found.judges == {"x": 4, "y": 4, "z": 1}
    assert (found.units, found.pairs, found.disputed) == (4, 4, 2)
    assert (found.table[0].a, found.table[0].b, found.table[0].n) == ("x", "y", 4)
    assert found.table[0].percent == 0.75
    with pytest.raises(NothingToEvaluate, match="two judges"):
        agree([Judgment("q", "d", 1.0, assessor="x")])
    with pytest.raises(UsageError, match="judges"):
        agree(A)


def test_labels_of_a_store(tmp_path):
    labels = open_labels(tmp_path / "l")
    labels.record(
        [Judgment(q, d, g, assessor="ann") for q, docs in A.items() for d, g in docs.items()]
        + [
            Judgment(q, d, g, source="llm", model="m1")
            for q, docs in B.items()
            for d, g in docs.items()
        ]
    )
    assert both("@human", "@llm:m1", labels=labels).matrix.tolist() == both().matrix.tolist()
    with pytest.raises(UnknownName, match="judges: m1"):
        both("@human", "@llm:m2", labels=labels)
    with pytest.raises(UnknownName, match="no source 'crowd'"):
        both("@crowd", "@llm", labels=labels)
    with pytest.raises(NothingToEvaluate, match="@propagated"):
        both("@propagated", "@llm", labels=labels)
    with pytest.raises(UsageError, match="--labels"):
        both("@human", "@llm")
    with pytest.raises(UsageError, match="its fields too"):
        both(how=How(), rel=2)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=25))
def test_what_is_counted_adds_up(rows):
    a = {f"q{i % 3}": {} for i in range(len(rows))}
    b = {q: {} for q in a}
    for i, (x, y) in enumerate(rows):
        a[f"q{i % 3}"][f"d{i}"], b[f"q{i % 3}"][f"d{i}"] = x, y
    found = both(a, b, resamples=0)
    assert found.matrix.sum() == found.n == len(rows) == sum(g.n for g in found.grades)
    assert found["percent"].value == pytest.approx(np.mean([x == y for x, y in rows]))
    assert found["bias"].value == pytest.approx(np.mean([y - x for x, y in rows]))
    r = found.relevant
    assert r.both + r.only_a + r.only_b + r.neither == len(rows)
    turned = both(b, a, resamples=0)
    assert turned.matrix.tolist() == found.matrix.T.tolist()
    assert (turned["bias"].value or 0) == pytest.approx(-(found["bias"].value or 0))


def test_noise_without_errors_changes_nothing():
    a, _, runs = world()
    qrels = Qrels.from_dict(a)
    same = noised(qrels, np.eye(2)[None] * 5, [0, 1], seed=3)
    assert same.to_dict() == qrels.to_dict()
    order = next(iter(orders_under_noise(qrels, named(runs), np.eye(2)[None], [0, 1], "RR")))
    assert order.tau_b.value == 1


def test_noise_has_the_shares_of_the_matrix():
    qrels = Qrels.from_rows((f"q{i % 50}", f"d{i}", i % 2) for i in range(20_000))
    tables = np.array([[[8, 2], [3, 7]]], float)
    found = noised(qrels, tables, [0, 1], seed=1)
    table = confusion(qrels.grade, found.grade, [0, 1])
    assert table / table.sum(axis=1, keepdims=True) == pytest.approx(
        np.array([[0.8, 0.2], [0.3, 0.7]]), abs=0.02
    )
    assert noised(qrels, tables, [0, 1], seed=1).grade.tolist() == found.grade.tolist()
    assert noised(qrels, tables, [0, 1], seed=2).grade.tolist() != found.grade.tolist()
    pooled = Qrels.from_dict({"q": {"d": -1, "e": 1}})
    assert noised(pooled, tables, [0, 1]).grade[0] == -1
    with pytest.raises(InputError, match="grade 2 is not on the scale"):
        noised(Qrels.from_dict({"q": {"d": 2}}), tables, [0, 1])
    with pytest.raises(InputError, match="met no document of grade 1"):
        noised(Qrels.from_dict({"q": {"d": 1}}), np.array([[[1, 0], [0, 0.0]]]), [0, 1])


def test_noise_by_query_keeps_queries_apart():
    """A judge that is right on one of its queries and wrong throughout on the other."""
    qrels = Qrels.from_rows((f"q{i % 40}", f"d{i}", i % 2) for i in range(4000))
    tables = np.array([[[5, 0], [0, 5]], [[0, 5], [5, 0]]], float)
    found = noised(qrels, tables, [0, 1])
    same = np.array([(found.grade == qrels.grade)[qrels.query == q].mean() for q in range(40)])
    assert set(same.tolist()) == {0.0, 1.0}
    mixed = noised(qrels, tables, [0, 1], by_query=False)
    assert 0.45 < (mixed.grade == qrels.grade).mean() < 0.55


def test_a_coarser_scale():
    table = np.arange(16.0).reshape(1, 4, 4)
    found = collapsed(table, [0, 1, 2, 3], {3: 2})
    assert found.shape == (1, 3, 3)
    assert found[0, 2].tolist() == [8 + 12, 9 + 13, 10 + 11 + 14 + 15]
    assert found.sum() == table.sum()


@pytest.mark.parametrize("judge", ["h2oloo-fewself", "willia-umbrela1", "TREMA-4prompts"])
def test_real_judges(shared, judge):
    """Three of the LLMJudge challenge (Rahmani et al. 2025), counted here line by line and by
    scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    folder = shared / "collections" / "llmjudge"
    people = folder / "LLMJudge" / "data" / "llmjudge_test_qrel_idx.txt"
    other = folder / "submissions" / "scores" / f"{judge}.txt"
    found = both(people, other, resamples=200)
    assert (found.n, found.queries, found.only_a, found.only_b) == (4423, 25, 0, 0)
    one, two = (
        {(q, d): int(g) for q, _, d, g in map(str.split, path.read_text().splitlines())}
        for path in (people, other)
    )
    a, b = [one[p] for p in one], [two[p] for p in one]
    counts = np.zeros((4, 4))
    for x, y in zip(a, b, strict=True):
        counts[x, y] += 1
    assert found.matrix.tolist() == counts.tolist()
    for name, weights in (("kappa", None), ("kappa linear", "linear")):
        assert found[name].value == pytest.approx(cohen_kappa_score(a, b, weights=weights))
    squared = cohen_kappa_score(a, b, weights="quadratic")
    assert found["kappa quadratic"].value == pytest.approx(squared)
    interval = found["kappa"].interval
    assert interval is not None and interval.low < found["kappa"].value < interval.high


def test_undone_judgments_of_a_file_do_not_count(tmp_path):
    """The file that `judge log` writes, as the store it comes from."""
    from cranfield.judging.interchange.rows import to_lines
    from cranfield.judging.sets import label_set

    labels = open_labels(tmp_path / "l.sqlite")
    labels.record([Judgment("q", d, g, assessor="ann") for d, g in (("a", 3), ("b", 1), ("c", 0))])
    labels.record([Judgment("q", "a", 1, assessor="ann")])
    labels.undo(4)
    labels.undo(2)
    (tmp_path / "rows.jsonl").write_text(to_lines(labels.history()))
    expected = {("q", "a"): 3, ("q", "c"): 0}
    assert label_set("@human", labels=labels).grades() == expected
    assert label_set(tmp_path / "rows.jsonl").grades() == expected
    labels.close()
