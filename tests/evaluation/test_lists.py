"""Result lists of a few queries out of runs of every form."""

from __future__ import annotations

import pytest

from cranfield.evaluation.lists import result_lists, same_results
from cranfield.formats.readers import open_run
from cranfield.formats.sources import RunFile

RUN = {
    "q1": {"a": 3.0, "b": 3.0, "c": 1.0},
    "q2": {"d": 1.0},
    "中": {"文档": 2.0, "z": 5.0},
    "none": {},
}


def text(run, by=None):
    rows = [f"{q} Q0 {d} 0 {s} t\n" for q in run for d, s in run[q].items()]
    return "".join(sorted(rows, key=by) if by else rows)


@pytest.fixture(params=["dict", "file", "small pieces", "scattered"])
def source(request, write):
    if request.param == "dict":
        return open_run(RUN)
    by = (lambda row: row.split()[2]) if request.param == "scattered" else None
    found = open_run(write("x.run", text(RUN, by)))
    if request.param == "small pieces":
        assert isinstance(found, RunFile)
        return RunFile(found.source, chunk_size=16)
    return found


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_k_of_the_queries_asked_for(source, threads):
    found = result_lists(source, {"q1", "中", "not there"}, 2, threads=threads)
    assert found == {"q1": [("b", 3.0), ("a", 3.0)], "中": [("z", 5.0), ("文档", 2.0)]}


def test_ties_and_width_as_they_were_scored(source):
    assert result_lists(source, {"q1"}, 1, ties="docid-asc") == {"q1": [("a", 3.0)]}
    close = {"q": {"a": 1.0 + 1e-12, "b": 1.0}}
    assert result_lists(open_run(close), {"q"}, 1)["q"][0][0] == "a"
    assert result_lists(open_run(close), {"q"}, 1, single=True)["q"][0][0] == "b"


def test_no_query_reads_nothing():
    class Never:
        name = "never"

        def pieces(self):
            raise AssertionError("read")

        whole = pieces

    assert result_lists(Never(), set(), 10) == {}


def test_an_empty_result_is_an_empty_list():
    assert result_lists(open_run(RUN), {"none"}, 3) == {"none": []}


def test_the_same_results_in_another_file(source, write):
    kept = {q: docs for q, docs in RUN.items() if docs}
    turned = {q: dict(reversed(docs.items())) for q, docs in reversed(kept.items())}
    other = open_run(write("y.run", text(turned).replace(" t\n", " tag\n")))
    assert same_results(other, open_run(write("z.run", text(RUN))))
    assert same_results(source, source)
    for change in ({"q2": {"d": 1.5}}, {"q2": {"e": 1.0}}, {"q2": {"d": 1.0, "e": 0.1}}):
        assert not same_results(open_run({**kept, **change}), other)
    del kept["q2"]
    assert not same_results(open_run(kept), other)


def test_ids_are_not_run_together():
    assert not same_results(
        open_run({"q": {"ab": 1.0, "c": 1.0}}), open_run({"q": {"a": 1.0, "bc": 1.0}})
    )
