"""Every way a run can be read gives the same bits: tidy and untidy text, lines in any order,
dictionaries, columns, Parquet, one thread and several, chunks of any size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield import Qrels, Run, evaluate
from cranfield.formats.inputs import Input
from cranfield.formats.sources import RunFile

MEASURES = ["nDCG@3", "nDCG", "AP", "RR", "P@2", "R@4", "Rprec", "bpref", "Judged@5"]
SCORE = st.one_of(
    st.sampled_from([0.0, -0.0, 1.5, -2.0, 7.25, 1e300, float("inf"), float("-inf")]),
    st.sampled_from([1.00000001, 1.00000002, 0.1 + 0.2, 0.3]),  # equal as float32
    st.floats(-50, 50).map(lambda x: round(x, 6)),
    st.floats(allow_nan=False),
)
DOC = st.sampled_from(
    [f"d{i}" for i in range(8)]
    + [f"a-long-and-common-beginning-{i:04d}" for i in range(6)]
    + ["日本語", "é", "12345678", "123456789"]
)
QUERY = st.sampled_from(["q1", "q2", "a query's rather long name".replace(" ", "-"), "3"])
RUN = st.dictionaries(QUERY, st.dictionaries(DOC, SCORE, min_size=1, max_size=14), min_size=1)
QRELS = st.dictionaries(
    QUERY, st.dictionaries(DOC, st.sampled_from([-1, 0, 1, 2, 3]), min_size=1), min_size=1
)
TIES = st.sampled_from(["docid-desc", "docid-asc", "file", "expected"])


def lines_of(run) -> list[str]:
    return [f"{q} Q0 {d} 1 {s!r} tag" for q, docs in run.items() for d, s in docs.items()]


def same(a, b) -> None:
    assert a.values.tobytes() == b.values.tobytes()
    assert a.valid.tobytes() == b.valid.tobytes()
    for one, other in zip(a.reports, b.reports, strict=True):
        assert one.n_returned == other.n_returned
        assert one.missing == other.missing
        assert sorted(one.unlabelled) == sorted(other.unlabelled)
        assert one.judged == other.judged
        assert one.tied == other.tied


def usable(qrels, run) -> bool:
    judged = {q for q, docs in qrels.items() if max(docs.values()) >= 0}
    return bool(judged & run.keys())


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(QRELS, RUN, TIES, st.sampled_from([32, 64]), st.randoms())
def test_every_way_gives_the_same_bits(tmp_path, qrels, run, ties, width, chance):
    if not usable(qrels, run):
        return
    measures = [m for m in MEASURES if ties != "expected" or m in ("P@2", "R@4", "nDCG", "nDCG@3")]
    choices = {"ties": ties, "score_width": width}

    def score(source, **more):
        return evaluate(qrels, source, measures, **choices, **more)

    def file(lines, chunk=1 << 20):
        path = tmp_path / "run"
        path.write_text("\n".join(lines) + "\n")
        return RunFile(Input(path), chunk_size=chunk)

    expected = score(Run.from_dict(run))
    lines = lines_of(run)
    same(score(run), expected)
    same(score(file(lines), threads=1), expected)
    same(score(file(lines, 40), threads=2), expected)
    untidy = ["  " + line.replace(" Q0 ", " \t Q0  ") for line in lines]
    same(score(file(untidy, 60), threads=1), expected)
    # queries take turns; within a query the order stays, which `file` ties go by
    turns = [list(q) for q in _by_query(run)]
    mixed = []
    while turns:
        of = chance.choice(turns)
        mixed.append(of.pop(0))
        turns = [t for t in turns if t]
    same(score(file(mixed, 70), threads=1), expected)
    same(score(file(mixed, 70), threads=2), expected)
    if ties != "file":
        chance.shuffle(lines)
        same(score(file(lines, 70), threads=2), expected)


def _by_query(run):
    return ([f"{q} Q0 {d} 1 {s!r} tag" for d, s in docs.items()] for q, docs in run.items())


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(QRELS, RUN, TIES)
def test_parquet_gives_the_same_bits(tmp_path, qrels, run, ties):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    if not usable(qrels, run):
        return
    measures = ["P@2", "R@4", "nDCG", "nDCG@3"]
    rows = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    columns = dict(
        zip(("query_id", "doc_id", "score"), map(list, zip(*rows, strict=True)), strict=True)
    )
    expected = evaluate(qrels, run, measures, ties=ties)
    path = tmp_path / "run.parquet"
    for size in (2, 1000):
        parquet.write_table(pa.table(columns), path, row_group_size=size)
        same(evaluate(qrels, path, measures, ties=ties), expected)
    same(evaluate(qrels, pa.table(columns), measures, ties=ties), expected)


@pytest.mark.parametrize("policy", ["first", "last", "max"])
def test_a_repeated_document_among_scattered_queries_is_settled_as_in_memory(tmp_path, policy):
    rows = [(q, f"d{i % 5}", float(i * (3 if q == "b" else 1) % 7)) for i in range(9) for q in "ab"]
    qrels = {q: {"d1": 1, "d3": 2, "d4": 0} for q in "ab"}
    path = tmp_path / "run"
    path.write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in rows))
    found = evaluate(qrels, RunFile(Input(path), on_duplicate=policy, chunk_size=40), "AP")
    expected = evaluate(qrels, Run.from_rows(rows), "AP", on_duplicate=policy)
    same(found, expected)
    assert found.reports[0].notes == expected.reports[0].notes


def test_a_large_run_in_any_order_and_with_many_ties(tmp_path):
    chance = np.random.default_rng(3)
    rows = [
        (f"q{q}", f"doc{d}", float(s))
        for q in range(40)
        for d, s in zip(
            chance.choice(3000, 300, replace=False), chance.integers(0, 40, 300), strict=True
        )
    ]
    qrels = Qrels.from_rows(
        (f"q{q}", f"doc{d}", float(g))
        for q in range(45)
        for d, g in zip(
            chance.choice(3000, 400, replace=False), chance.integers(-1, 4, 400), strict=True
        )
    )
    expected = evaluate(qrels, Run.from_rows(rows), MEASURES)
    path = tmp_path / "run"
    for order in (np.arange(len(rows)), chance.permutation(len(rows))):
        path.write_text("".join("{} Q0 {} 1 {} t\n".format(*rows[i]) for i in order.tolist()))
        for threads in (1, 2):
            found = RunFile(Input(path), chunk_size=5000)
            same(evaluate(qrels, found, MEASURES, threads=threads), expected)
