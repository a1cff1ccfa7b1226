"""trec_eval's own test commands, byte for byte: fifteen of version 10 and eleven of version 9."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.parity.test_trec_eval import RUNS

from cranfield.evaluation.treceval import trec_table
from cranfield.evaluation.treceval_values import Options
from cranfield.formats.inputs import Input
from cranfield.formats.treceval import read_zscores

ALL = ["all_trec"]
PREFS = ["all_prefs"]
PARAMETERS = (
    "iprec_at_recall..10,.20,.25,.75,.50 P.5,7,3 recall.20,2000 Rprec_mult.5.0,0.2,0.35 "
    "utility.2,-1,0,0 11pt_avg..25,.5,.75 ndcg.1=3,2=9,4=4.5 ndcg_cut.10,20,23.4 success.2,5,20"
).split()

# qrels, results, what is printed, whether by topic, options
BOTH = [
    ("qrels.test", "results.test", "out.test", False, {}),
    ("qrels.test", "results.test", "out.test.a", False, {"measures": ALL}),
    ("qrels.test", "results.test", "out.test.aq", True, {"measures": ALL}),
    ("qrels.test", "results.trunc", "out.test.aqc", True, {"measures": ALL, "complete": True}),
    (
        *("qrels.test", "results.trunc", "out.test.aqcM", True),
        {"measures": ALL, "complete": True, "most": 100},
    ),
    (
        *("qrels.rel_level", "results.test", "out.test.aql", True),
        {"measures": [*ALL, "relstring.20"], "level": 2},
    ),
    (
        *("prefs.test", "prefs.results.test", "out.test.prefs", True),
        {"measures": PREFS, "form": "prefs"},
    ),
    (
        *("qrels.test", "results.test", "out.test.qrels_prefs", True),
        {"measures": PREFS, "form": "qrels_prefs"},
    ),
    (
        *("qrels.123", "results.test", "out.test.qrels_jg", True),
        {"measures": ["qrels_jg"], "form": "qrels_jg"},
    ),
    ("qrels.test", "results.test", "out.test.meas_params", True, {"measures": PARAMETERS}),
    ("qrels.test", "results.test", "out.test.aqZ", True, {"measures": ALL, "zscores": True}),
]
WITH_COMMENTS = [
    ("qrels.test.with-comments", "results.test", "out.test", False, {}),
    ("qrels.comment.test", "results.comment.test", "out.comment.test", False, {}),
    (
        *("prefs.comment.test", "prefs.results.test", "out.test.prefs", True),
        {"measures": PREFS, "form": "prefs"},
    ),
    (
        *("qrels.comments.123", "results.test", "out.test.qrels_jg", True),
        {"measures": ["qrels_jg"], "form": "qrels_jg"},
    ),
]
COMMANDS = [
    *((9, *command) for command in BOTH),
    *((10, *command) for command in BOTH),
    *((10, *command) for command in WITH_COMMENTS),
]


def printed(qrels: Path, run: Path, by_topic: bool, options: Options) -> list[str]:
    return list(trec_table(str(qrels), str(run), options).lines(by_topic, summary=True))


@pytest.mark.parametrize(
    ("version", "qrels", "run", "expected", "by_topic", "given"),
    COMMANDS,
    ids=[f"v{c[0]}-{c[1]}-{c[3]}" for c in COMMANDS],
)
def test_its_own_commands(shared, version, qrels, run, expected, by_topic, given):
    folder = shared / "conformance" / f"trec_eval_v{version}"
    if given.get("zscores"):
        given = {**given, "zscores": read_zscores(Input(folder / "zscores_file"))}
    lines = printed(folder / qrels, folder / run, by_topic, Options(version=version, **given))
    assert lines == (folder / expected).read_text().splitlines(keepends=True)


@pytest.mark.slow
@pytest.mark.parametrize(("file", "version"), [("trec_eval", 10), ("trec_eval_908", 9)])
@pytest.mark.parametrize("name", RUNS)
def test_all_that_was_printed_for_an_official_run(shared, name, file, version):
    folder = shared / "runs" / "trec-robust-2003"
    golden = shared / "conformance" / "robust03" / f"input.{name}.{file}.out.gz"
    run = folder / "runs" / f"input.{name}.gz"
    lines = printed(folder / "qrels.txt", run, True, Options(ALL, version=version))
    with gzip.open(golden, "rt") as stream:
        assert lines == list(stream)
    assert len(lines) > 9000
