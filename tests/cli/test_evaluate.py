"""`cranfield evaluate`: what it prints, where, and in which form."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest
from tests.cli.conftest import QRELS, RUN

NDCG = 'nDCG(gain="linear")@10'
IDEAL = 2 + 1 / math.log2(3)
Q1 = 2 / math.log2(3) / IDEAL


@pytest.fixture
def inputs(files):
    return files("qrels.txt", QRELS), files("my.run", RUN)


def tsv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_a_pipe_gets_tsv_with_exact_numbers_and_the_remarks_go_to_stderr(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "-m", "nDCG@10")
    assert ended.code == 0
    everyone, answerable = tsv(ended.out)
    assert everyone["run"] == "my"
    assert float(everyone[NDCG]) == pytest.approx(Q1 / 3, abs=1e-15)
    assert float(answerable[NDCG]) == pytest.approx(Q1 / 2, abs=1e-15)
    assert (everyone["n"], answerable["n"]) == ("3", "2")
    assert (everyone["missing"], everyone["unlabelled"], everyone["empty"]) == ("1", "1", "0")
    assert "1 of 3 queries has no relevant document and counts as 0" in ended.err
    assert "my: 1 query (q3) not answered and counts as 0" in ended.err
    assert "my: 1 query (q9) without judgments, not scored" in ended.err


def test_the_gain_stands_in_the_name_of_ndcg_whatever_was_typed(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "-m", "ndcg_cut_10", "-m", "nDCG(gain=exp)@5")
    header = ended.out.splitlines()[0].split("\t")
    assert NDCG in header
    assert 'nDCG(gain="exp")@5' in header


def test_missing_skip_averages_over_the_answered_queries(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "-m", "nDCG@10", "--missing", "skip")
    everyone = tsv(ended.out)[0]
    assert float(everyone[NDCG]) == pytest.approx(Q1 / 2, abs=1e-15)
    assert everyone[f"n of {NDCG}"] == "2"  # the row's own n says 3
    assert "my: 1 query (q3) not answered and is left out" in ended.err


def test_no_relevant_skip_drops_those_queries(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "-m", "nDCG@10", "--no-relevant", "skip")
    (everyone,) = tsv(ended.out)
    assert everyone["n"] == "2"


def test_per_query_rows_leave_undefined_values_empty(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "-q", "-m", "P@1", "-m", "Judged@2")
    rows = {r["query"]: r for r in tsv(ended.out)}
    assert list(rows) == ["q1", "q2", "q3"]
    assert rows["q3"]["P@1"] == "0.0"
    assert rows["q3"]["Judged@2"] == ""


def test_counts_are_summed_and_written_whole(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "-m", "num_rel", "-m", "NumRelRet", "-m", "NumQ")
    everyone = tsv(ended.out)[0]
    assert (everyone["NumRel"], everyone["NumRelRet"], everyone["NumQ"]) == ("3", "1", "3")


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "md", "latex"])
def test_every_text_format_holds_the_run_and_the_score(cranfield, inputs, form):
    ended = cranfield("evaluate", *inputs, "-m", "nDCG@10", "--format", form)
    assert ended.code == 0
    assert "my" in ended.out
    assert f"{Q1 / 3:.4f}" in ended.out or repr(Q1 / 3)[:8] in ended.out


def test_json_carries_the_settings_and_notes(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "--format", "json", "--score-width", "32")
    said = json.loads(ended.out)
    assert said["settings"]["score_width"] == 32
    assert any("not answered" in note for note in said["notes"])
    assert said["rows"][0]["run"] == "my"


def test_parquet_reads_back_with_types(cranfield, inputs, tmp_path):
    out = tmp_path / "scores.parquet"
    ended = cranfield("evaluate", *inputs, "-q", "--format", "parquet", "-o", out)
    assert (ended.code, ended.out) == (0, "")
    table = pyarrow.parquet.read_table(out)
    assert table.column("query").to_pylist() == ["q1", "q2", "q3"]
    assert str(table.column("P@10").type) == "double"


def test_a_table_lines_up_with_chinese_names(cranfield, files, tmp_path):
    qrels = files("qrels.txt", QRELS)
    runs = [files("基线.run", RUN), files("b.run", RUN)]
    ended = cranfield("evaluate", qrels, *runs, "-m", "P@1", "--format", "table")
    header, _, first, *rest = ended.out.splitlines()
    column = header.index("all") if "all" in header else header.index("queries of")
    assert first.index("all") == column - 2  # two characters that take two columns each
    assert rest[1].index("all") == column


def test_slices_come_from_the_queries_file(cranfield, inputs, files):
    queries = files(
        "queries.jsonl",
        '{"_id": "q1", "text": "x", "type": "易"}\n{"_id": "q2", "text": "y", "type": "难"}\n',
    )
    ended = cranfield("evaluate", *inputs, "--queries", queries, "--by", "type", "-m", "P@1")
    subsets = {r["queries of"]: r["n"] for r in tsv(ended.out)}
    assert subsets == {"all": "3", "answerable": "2", "type=易": "1", "type=难": "1"}


def test_an_unknown_slice_names_those_there_are(cranfield, inputs, files):
    queries = files("queries.jsonl", '{"_id": "q1", "text": "x", "type": "easy"}\n')
    ended = cranfield("evaluate", *inputs, "--queries", queries, "--by", "typ")
    assert ended.code == 2
    assert "fields: type" in ended.err


def test_runs_of_one_name_are_told_apart_by_path(cranfield, files, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    qrels = files("qrels.txt", QRELS)
    runs = [files("a/x.run", RUN), files("b/x.run", RUN)]
    ended = cranfield("evaluate", qrels, *runs, "-m", "P@1", "--format", "jsonl")
    names = {json.loads(line)["run"] for line in ended.out.splitlines()}
    assert names == {str(r) for r in runs}


def test_standard_input_is_a_run(inputs):
    program = [sys.executable, "-m", "cranfield", "evaluate", str(inputs[0]), "-", "-m", "P@1"]
    done = subprocess.run(program, input=RUN.encode(), capture_output=True, check=True)
    assert tsv(done.stdout.decode())[0]["run"] == "stdin"


def test_a_reader_that_stops_early_is_no_error(inputs):
    command = f'"{sys.executable}" -m cranfield evaluate "{inputs[0]}" "{inputs[1]}" -q | head -n 1'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("-m", "nDGC@10"), 2, "nDCG"),
        (("-m", "nDCG(gian=exp)@10"), 2, "gain"),
        (("-m", "P@0"), 2, "at least 1"),
        (("-m", "RR", "--ties", "sideways"), 2, "docid-desc"),
        (("-m", "bpref", "--ties", "expected"), 2, "no expectation over tied scores"),
        (("--format", "xml"), 2, "tsv"),
        (("--scale", "0"), 2, "above 0"),
        (("-o", "/no/such/folder/x.tsv"), 4, "does not exist"),
        (("--qrels-format", "trek"), 2, "trec"),
    ],
)
def test_a_wrong_call_is_one_clear_message(cranfield, inputs, args, code, said):
    ended = cranfield("evaluate", *inputs, *args)
    assert ended.code == code
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert ended.out == ""


def test_wrong_data_name_file_line_text_and_hint(cranfield, files):
    qrels = files("qrels.txt", QRELS)
    run = files("bad.run", "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 high t\n")
    ended = cranfield("evaluate", qrels, run)
    assert ended.code == 3
    assert f"{run}, line 2: the score 'high' is not a number" in ended.err
    assert "text: q1 Q0 b 2 high t" in ended.err
    assert "hint:" in ended.err


def test_all_errors_lists_them(cranfield, files):
    qrels = files("qrels.txt", QRELS)
    run = files("bad.run", "q1 Q0 a 1 x t\nq1 Q0 b 2 1 t\nq1 Q0 c 3 nan t\n")
    ended = cranfield("evaluate", qrels, run, "--all-errors")
    assert ended.code == 3
    assert "line 1" in ended.err
    assert "line 3" in ended.err


def test_a_missing_file_suggests_its_neighbour(cranfield, inputs):
    ended = cranfield("evaluate", inputs[0], str(inputs[1])[:-1])
    assert ended.code == 4
    assert f"did you mean {inputs[1]}?" in ended.err


def test_no_query_in_common_shows_both_kinds_of_id(cranfield, files):
    qrels = files("qrels.txt", "101 0 a 1\n")
    ended = cranfield("evaluate", qrels, files("x.run", "q101 Q0 a 1 1 t\n"))
    assert ended.code == 6
    assert "'101'" in ended.err
    assert "'q101'" in ended.err


def test_the_same_input_gives_the_same_bytes(cranfield, inputs):
    one = cranfield("evaluate", *inputs, "--threads", "1", "-q")
    two = cranfield("evaluate", *inputs, "--threads", "3", "-q")
    assert one.out == two.out


def test_a_locale_without_utf8_still_prints(inputs):
    program = [
        sys.executable,
        "-m",
        "cranfield",
        "evaluate",
        *map(str, inputs),
        "--format",
        "table",
    ]
    done = subprocess.run(
        program, capture_output=True, check=True, env={**os.environ, "LC_ALL": "C", "LANG": "C"}
    )
    assert "─" in done.stdout.decode()


def test_interrupting_leaves_the_old_output(monkeypatch, cranfield, inputs, tmp_path: Path):
    out = tmp_path / "scores.tsv"
    out.write_text("old")
    from cranfield.report import render as module

    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "render", interrupted)
    ended = cranfield("evaluate", *inputs, "-o", out)
    assert ended.code == 130
    assert out.read_text() == "old"


def test_a_pipe_under_a_path_is_read_once_and_whole(cranfield, files, tmp_path):
    lines = "".join(f"q1 Q0 d{i} 1 {5000 - i} a-long-enough-tag\n" for i in range(5000))
    qrels = files("qrels.txt", "q1 0 d4999 1\n")
    run = files("x.run", lines)
    command = (
        f'"{sys.executable}" -m cranfield evaluate "{qrels}" <(cat "{run}") -m NumRet -m AP '
        "--format jsonl"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    assert said["NumRet"] == 5000
    assert said["AP"] == 1 / 5000


def test_an_input_is_not_written_over(cranfield, inputs):
    before = inputs[0].read_bytes()
    ended = cranfield("evaluate", *inputs, "-o", inputs[0])
    assert ended.code == 2
    assert "is an input" in ended.err
    assert inputs[0].read_bytes() == before


def test_the_ending_of_the_output_names_its_format(cranfield, inputs, tmp_path):
    for name, begin in (
        ("a.csv", "run,queries of"),
        ("a.md", "| run |"),
        ("a.json", "{"),
        ("a.tex", "\\begin"),
    ):
        cranfield("evaluate", *inputs, "-m", "P@1", "-o", tmp_path / name)
        assert (tmp_path / name).read_text().startswith(begin)
    cranfield("evaluate", *inputs, "-m", "P@1", "-o", tmp_path / "a.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "a.parquet").num_rows == 2


def test_output_that_cannot_be_written_is_no_bug(inputs):
    command = f'"{sys.executable}" -m cranfield evaluate "{inputs[0]}" "{inputs[1]}"'
    for where in (">/dev/full", ">&-"):
        done = subprocess.run(
            ["bash", "-c", f"{command} {where}"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 4, done.stderr
        assert "Traceback" not in done.stderr


def test_queries_without_a_label_are_counted(cranfield, inputs, files):
    queries = files(
        "q.jsonl", '{"_id": "q1", "text": "x", "type": "easy"}\n{"_id": "q2", "text": "y"}\n'
    )
    ended = cranfield("evaluate", *inputs, "--queries", queries, "--by", "type")
    assert "2 queries (q2, q3) without a type, in no row type=" in ended.err


def test_a_run_of_comments_only_is_told_so(cranfield, inputs, files):
    ended = cranfield("evaluate", inputs[0], files("c.run", "# nothing\n# here\n"))
    assert ended.code == 3
    assert "no result in it (2 comment lines skipped)" in ended.err


def test_utf16_gets_the_right_advice(cranfield, inputs, files):
    ended = cranfield("evaluate", inputs[0], files("u.run", RUN.encode("utf-16")))
    assert ended.code == 3
    assert "UTF-16" in ended.err
    assert "iconv -f utf-16" in ended.err


def test_control_signs_in_an_id_do_not_reach_the_terminal(cranfield, files):
    qrels = files("q", "q\x1b[2J 0 a 1\n")
    ended = cranfield(
        "evaluate", qrels, files("r", "q\x1b[2J Q0 a 1 1 t\n"), "-q", "--format", "table"
    )
    assert "\x1b" not in ended.out


def test_queries_that_failed_are_said(cranfield, inputs, files):
    files("my.run.card.json", json.dumps({"failed": ["q3", *(f"f{i}" for i in range(6))]}))
    done = cranfield("evaluate", *inputs)
    assert "my: 7 queries (q3, f0, f1, f2, f3, …) failed with an error" in done.err
    told = json.loads(cranfield("evaluate", *inputs, "--format", "json").out)
    assert any("failed with an error" in note for note in told["notes"])


def test_empty_answers_are_what_the_card_says(cranfield, inputs, files):
    """A TREC file cannot name them; with its card it is what the same run is in JSON."""
    qrels, run = inputs
    answers = {"q1": {"b": 3, "a": 2, "x": 1}, "q2": {"b": 1}, "q9": {"z": 1}, "q3": {}, "q8": {}}
    as_json = files("my.json", json.dumps(answers))
    files("my.run.card.json", json.dumps({"name": "other", "empty": ["q3", "q8"]}))
    for more in ([], ["--missing", "skip"], ["-q"], ["--no-relevant", "skip"]):
        calls = [cranfield("evaluate", qrels, x, "--format", "tsv", *more) for x in (run, as_json)]
        assert calls[0].out == calls[1].out and calls[0].code == 0
        assert sorted(calls[0].err.splitlines()) == sorted(calls[1].err.splitlines())
    done = cranfield("evaluate", qrels, run, "--format", "tsv", "--missing", "skip")
    row = dict(zip(*(line.split("\t") for line in done.out.splitlines()[:2]), strict=True))
    assert (row["missing"], row["empty"]) == ("0", "1")
    assert "my: 1 query (q3) answered with an empty list" in done.err
    files("my.run.card.json", json.dumps({"failed": ["q3"]}))
    done = cranfield("evaluate", qrels, run, "--format", "tsv", "--missing", "skip")
    row = dict(zip(*(line.split("\t") for line in done.out.splitlines()[:2]), strict=True))
    assert (row["missing"], row["empty"]) == ("1", "0")


def test_bounds_stand_beside_each_score(cranfield, inputs):
    ended = cranfield("evaluate", *inputs, "-m", "nDCG@10", "-m", "Judged@10", "--bounds", "closed")
    row = tsv(ended.out)[0]
    low, high = float(row[f"low {NDCG}"]), float(row[f"high {NDCG}"])
    assert low <= float(row[NDCG]) <= high
    assert "low and high (closed world)" in ended.err
    assert "with grades up to" in ended.err and "the largest judged; see --scale" in ended.err
    assert "no bounds are known for Judged@10" in ended.err and "low Judged@10" not in row
    one = cranfield("evaluate", *inputs, "-m", "nDCG@10", "--bounds", "open", "--per-query")
    for row in tsv(one.out):
        assert float(row[f"open low {NDCG}"]) <= float(row[NDCG])
        assert float(row[NDCG]) <= float(row[f"open high {NDCG}"])


@pytest.fixture
def holes(files):
    qrels = files("qrels.txt", "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n")
    return qrels, files("holes.run", "q1 Q0 x 1 2 r\nq1 Q0 a 2 1 r\nq2 Q0 a 1 1 r\n")


def test_a_score_with_unjudged_documents_has_its_range_unasked(cranfield, holes, files):
    done = cranfield("evaluate", *holes, "-m", "RR@10", "-m", "Judged@10")
    row = tsv(done.out)[0]
    assert [row[f"{end}RR@10"] for end in ("", "low ", "high ")] == ["0.75", "0.75", "1.0"]
    assert "judged@10 is 0.7500 for holes: documents without a judgment" in done.err
    assert "low and high (closed world)" in done.err and "bounds" not in done.err
    whole = files("whole.run", "q1 Q0 a 1 2 r\nq1 Q0 b 2 1 r\n")
    done = cranfield("evaluate", holes[0], whole, "-m", "RR@10")
    assert "low" not in done.out and "world" not in done.err


def test_the_range_can_be_left_out(cranfield, holes):
    done = cranfield("evaluate", *holes, "-m", "RR@10", "--bounds", "none")
    assert "low" not in done.out
    assert "--bounds closed says how far that may move each score" in done.err


def test_in_a_table_the_ends_stand_below_and_make_it_no_wider(cranfield, holes):
    call = ("evaluate", *holes, "-m", "RR@10", "--format")
    table, plain = cranfield(*call, "table"), cranfield(*call, "table", "--bounds", "none")
    lines = [line.split() for line in table.out.splitlines()]
    assert lines[2][:4] == ["holes", "all", "2", "0.7500"]
    assert lines[3:] == [["at", "least", "0.7500"], ["at", "most", "1.0000"]]
    widths = [max(map(len, x.out.splitlines())) for x in (table, plain)]
    assert widths[0] <= min(widths[1] + 2, 80)
    assert "'at least' and 'at most' (closed world)" in table.err
    rows = cranfield(*call, "md").out.splitlines()
    assert rows[3] == "|  |   at least |  | 0.7500 |  |  |  |  |"
    open_ = cranfield(*call, "latex", "--bounds", "open").out
    assert "at most, open" in open_ and "low" not in open_


def test_only_queries_with_something_open_have_ends_below(cranfield, holes):
    done = cranfield("evaluate", *holes, "-m", "RR@10", "-q", "--format", "table")
    lines = [line.split() for line in done.out.splitlines()[2:]]
    assert [line[:2] for line in lines] == [
        ["holes", "q1"],
        ["at", "least"],
        ["at", "most"],
        ["holes", "q2"],
    ]


def test_where_a_range_would_take_long_it_says_so(cranfield, files):
    qrels = files("qrels.txt", "".join(f"q{i} 0 a 1\n" for i in range(600)))
    run = files("many.run", "".join(f"q{i} Q0 {d} 1 1 r\n" for i in range(600) for d in "ab"))
    done = cranfield("evaluate", qrels, run, "-m", "Q@10", "-m", "P@10")
    assert "no range of Q" in done.err and "--bounds closed has it" in done.err
    assert "low P@10" in done.out and "low Q" not in done.out


def test_the_lab_shows_bounds_too(cranfield, inputs, tmp_path, monkeypatch):
    qrels, run = map(str, inputs)
    assert cranfield("init", tmp_path / "lab", "--collection", qrels).code == 0
    monkeypatch.chdir(tmp_path / "lab")
    ended = cranfield("evaluate", run, "-m", "nDCG@10", "--bounds", "closed")
    assert ended.code == 0 and f"low {NDCG}" in tsv(ended.out)[0]


def test_of_many_runs_what_ails_them_is_said_in_one_line(cranfield, files):
    qrels = files("qrels.txt", "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n")
    runs = [files(f"r{i}.run", f"q1 Q0 a 1 1 r\nx{i} Q0 a 1 1 r\n") for i in range(7)]
    few = cranfield("evaluate", qrels, *runs[:5], "-m", "RR")
    assert few.err.count("not answered and count as 0") == few.err.count("do the ids fit?") == 5
    many = cranfield("evaluate", qrels, *runs, "-m", "RR", "--format", "json")
    (line,) = [x for x in many.err.splitlines() if "not answered" in x]
    assert line.startswith("note: 7 runs (r0, r1, r2, r3, r4, …); the first of them: 2 queries")
    (line,) = [x for x in many.err.splitlines() if "do the ids fit?" in x]
    assert "cranfield doctor" in line and line.endswith("r0.run")
    assert sum("not answered" in note for note in json.loads(many.out)["notes"]) == 7


def test_a_split_beside_a_plain_file_is_refused(cranfield, inputs):
    for command in ("evaluate", "check", "doctor"):
        ended = cranfield(command, *inputs, "--split", "dev")
        assert ended.code == 2 and "has no splits" in ended.err and "hint:" in ended.err


def test_bounds_are_recommended_only_where_there_are_some(cranfield, files):
    """A hint that ends in an error is none."""
    qrels = files("half.qrels", "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n")
    run = files("some.run", "q1 Q0 a 1 3 s\nq1 Q0 x 2 2 s\nq2 Q0 y 1 2 s\nq2 Q0 a 2 1 s\n")
    more = "--bounds closed says how far"
    for args in (["-m", "RR"], ["-m", "nDCG@3", "-m", "GMAP"]):
        done = cranfield("evaluate", qrels, run, *args, "--bounds", "none")
        assert done.code == 0 and more in done.err
        assert cranfield("evaluate", qrels, run, *args, "--bounds", "closed").code == 0
    for args in (["-m", "RR", "--ties", "expected"], ["-m", "Judged@3"]):
        done = cranfield("evaluate", qrels, run, *args, "--bounds", "none")
        assert (
            done.code == 0
            and "documents without a judgment count" in done.err
            and more not in done.err
        )
        assert cranfield("evaluate", qrels, run, *args, "--bounds", "closed").code == 2


@pytest.mark.parametrize("which", ["zero", "skip", "nan"])
def test_a_range_says_what_it_does_not_allow_for(cranfield, files, which):
    """Queries that have no relevant document now may have one when more is judged."""
    qrels = files("k.qrels", "q1 0 a 1\nq2 0 z 0\n")
    run = files("k.run", "q1 Q0 a 1 2 s\nq1 Q0 b 2 1 s\nq2 Q0 z 1 2 s\nq2 Q0 y 2 1 s\n")
    args = ("-m", "nDCG@10", "--no-relevant", which, "--format", "table")
    done = cranfield("evaluate", qrels, run, *args)
    told = "in rows 'answerable'" if which == "zero" else "here"
    assert f"{told} only queries with a relevant document count" in done.err
    assert "that its measure reads (the first k)" in done.err
