"""The edge cases of trec_eval and its kin, one by one: what is read, what is refused, and why
where the others do otherwise. What they do was observed (trec_eval 9.0.8 and 10.0-rc3,
pytrec_eval, ir_measures, ranx, trectools)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from cranfield import evaluate, read_qrels, read_run
from cranfield.errors import FormatError, InputError, MeasureError

MEASURES = ["AP", "RR", "nDCG", "bpref", "NumRet", "NumRel"]
BASE = (0.5833, 0.5, 0.6199, 0.0, 4, 2)


@dataclass(frozen=True)
class Read:
    """Means of AP, RR, nDCG, bpref and sums of NumRet, NumRel, and a piece of a note."""

    values: tuple[float, ...]
    note: str | None = None


@dataclass(frozen=True)
class Refused:
    """The kind of error, the file (`q` or `r`), the line, pieces of the message and the hint."""

    error: type[InputError]
    file: str
    line: int | None
    problem: str
    hint: str


CASES: dict[str, Read | Refused] = {
    "01_base": Read(BASE),
    # ir_measures and ranx keep one of the two silently; trec_eval stops, without a line.
    "03_dup_run": Refused(FormatError, "r", 5, "'a' is returned twice", "--on-duplicate"),
    # ir_measures, ranx and trectools each keep a grade, and not the same one.
    "05_dup_qrels_conflict": Refused(FormatError, "q", 4, "grades 1 and 0", "--on-duplicate"),
    # trectools averages over the queries of the run, and so halves every score.
    "07_q_only_in_run": Read(BASE),
    # ranx and trectools give bpref 0: they count the pooled and unjudged `b` as not relevant.
    "09_neg_rel": Read((1 / 3, 1 / 3, 0.5, 1.0, 4, 1)),
    "11_zero_rel": Read((0.5, 0.5, 0.5, 0.5, 5, 1)),
    "13_inf_score": Read((0.5, 0.5, 0.6433, 0.5, 4, 2), "1 score too large for float64"),
    # pytrec_eval and ranx stop at a blank line.
    "15_blank_run": Read((*BASE[:4], 3, 2)),
    "17_tabs": Read(BASE),
    "19_crlf_qrels": Read(BASE),
    # Most read the mark as a part of the first query id, and lose that judgment silently.
    "21_bom_qrels": Read(BASE),
    # trec_eval reads six columns, takes the rank 3 for the score and calls the result 0.8333.
    "23_space_docid": Refused(FormatError, "r", 3, "document id 'c x' holds a blank", "JSONL"),
    # trec_eval cuts 1.7 to 1 and 0.5 to 0, silently; the others stop. Here the gain is exact.
    "25_float_rel": Read((0.5833, 0.5, 0.7743, 0.0, 4, 2), "between 0 and 1"),
    # trec_eval 10's doubles; trec_eval 9 and pytrec_eval see one tie (score_width=32 below).
    "27_f32_ties": Read((0.8333, 1.0, 0.7602, 0.5, 3, 2)),
    # ir_measures says 0, trectools NaN, pytrec_eval nothing: an empty file is rarely meant.
    "29_empty_run": Refused(InputError, "r", None, "the run file is empty", "right file"),
    # Refused by all others; with Q0 in column 2 and a number at the end nothing is left to guess.
    "31_5col_run": Read((0.25, 0.5, 0.2398, 0.0, 2, 2)),
    "33_comment_run": Read(BASE, "1 comment line skipped"),
    # trec_eval 10 takes the line of query `#1` for a comment; it has six columns like any other.
    "35_hash_qid": Read((0.7917, 0.75, 0.81, 0.5, 5, 3)),
    "37_no_final_nl": Read(BASE),
    # trec_eval and ir_measures never come back: they count up to the grade.
    "39_rel_huge": Read((0.5833, 0.5, 0.6309, 0.0, 4, 2)),
    "41_lead_ws": Read((*BASE[:4], 3, 2)),
    # trectools reads the third column as the document and scores 0.
    "43_qrels_3col": Refused(FormatError, "q", 1, "3 columns where 4", "BEIR"),
    "45_utf8_docid": Read((1.0, 1.0, 1.0, 1.0, 3, 2)),
    # trec_eval compares bytes; an id that cannot be shown as text would meet nothing elsewhere.
    "47_latin1": Refused(FormatError, "q", 1, "byte 0xe9 is not UTF-8", "iconv"),
    # trec_eval reads a single line and scores 0, silently.
    "49_cr_only": Read(BASE),
}


@pytest.fixture(scope="module")
def folder(shared):
    return shared / "conformance" / "edge_cases"


def files(folder, case: str):
    return folder / f"{case}.q", folder / f"{case}.r"


@pytest.mark.parametrize("case", [c for c, e in CASES.items() if isinstance(e, Read)])
def test_it_is_read(folder, case):
    scores = evaluate(*files(folder, case), MEASURES)
    found = tuple(scores.means()[scores.runs[0]].values())
    assert found == pytest.approx(CASES[case].values, abs=5e-5)
    said = (*scores.notes, *scores.reports[0].notes)
    if CASES[case].note is None:
        assert said == ()
    else:
        assert len(said) == 1
        assert CASES[case].note in said[0]


@pytest.mark.parametrize("case", [c for c, e in CASES.items() if isinstance(e, Refused)])
def test_it_is_refused(folder, case):
    expected = CASES[case]
    with pytest.raises(expected.error) as e:
        evaluate(*files(folder, case), MEASURES)
    assert e.value.exit_code == 3
    assert str(folder / f"{case}.{expected.file}") in e.value.message
    assert getattr(e.value, "line", None) == expected.line
    assert expected.problem in e.value.message
    assert expected.hint in e.value.hint


def test_no_case_is_left_out(folder):
    assert sorted(CASES) == sorted(p.stem for p in folder.glob("*.q"))
    assert len(CASES) == 25


@pytest.mark.parametrize(
    ("policy", "ap"), [("first", 0.5833), ("max", 0.5833), ("last", (1 / 2 + 2 / 4) / 2)]
)
def test_03_a_repeated_document_can_be_kept_once(folder, policy, ap):
    scores = evaluate(*files(folder, "03_dup_run"), MEASURES, on_duplicate=policy)
    assert scores.mean("AP") == pytest.approx(ap, abs=5e-5)
    assert scores.mean("NumRet") == 4
    assert scores.reports[0].notes == (f"1 × repeated document ({policy} kept)",)


@pytest.mark.parametrize(("policy", "n_rel"), [("first", 2), ("max", 2), ("last", 1)])
def test_05_a_repeated_judgment_can_be_kept_once(folder, policy, n_rel):
    scores = evaluate(*files(folder, "05_dup_qrels_conflict"), "NumRel", on_duplicate=policy)
    assert scores.mean() == n_rel
    assert f"1 × repeated judgment ({policy} kept)" in scores.notes[0]


def test_07_the_query_without_judgments_is_reported(folder):
    (report,) = evaluate(*files(folder, "07_q_only_in_run"), "AP").reports
    assert report.unlabelled == ("2",)
    assert report.n_returned == 5


def test_11_the_query_without_a_relevant_document_counts_and_is_told_apart(folder):
    scores = evaluate(*files(folder, "11_zero_rel"), "AP")
    assert (scores.mean(), scores.n()) == (0.5, 2)
    assert (scores.mean(over="answerable"), scores.n(over="answerable")) == (1.0, 1)


def test_13_infinities_are_scores_like_others(folder):
    run = read_run(folder / "13_inf_score.r").to_dict()["1"]
    inf = float("inf")
    assert run == {"b": inf, "a": -inf, "c": inf, "d": inf}


def test_25_fractional_grades_are_exact(folder):
    files_25 = files(folder, "25_float_rel")
    log2_3 = 1.5849625007
    by_hand = (0.5 + 1.7 / log2_3 + 2.0 / 2) / (2.0 + 1.7 / log2_3 + 0.5 / 2)
    assert evaluate(*files_25, "nDCG").mean() == pytest.approx(by_hand, abs=1e-10)
    assert evaluate(*files_25, "AP(rel=0.5)").mean() == pytest.approx(1.0)


def test_27_float32_as_in_trec_eval_9_and_pytrec_eval(folder):
    scores = evaluate(*files(folder, "27_f32_ties"), ["AP", "nDCG"], score_width=32)
    assert scores.mean("AP") == pytest.approx(0.8333, abs=5e-5)
    assert scores.mean("nDCG") == pytest.approx(0.9502, abs=5e-5)
    assert scores.reports[0].tied == 1.0


def test_39_a_huge_grade_has_no_exponential_gain(folder):
    with pytest.raises(MeasureError, match="grade 3000000000") as e:
        evaluate(*files(folder, "39_rel_huge"), 'nDCG(gain="exp")')
    assert "linear" in e.value.hint


def test_47_the_offending_line_is_shown(folder):
    with pytest.raises(FormatError, match=r"caf\\xe9"):
        evaluate(*files(folder, "47_latin1"))


GOOD = {read_run: "q1 Q0 a 1 3 t\n", read_qrels: "q1 0 a 1\n"}

# ---- blanks of the wider world are no separators and no digits


@pytest.mark.parametrize("blank", "\x1c \x1d \x1f \u00a0 \u3000 \u2028 \u0085".split(" "))
def test_only_ascii_blanks_part_columns(write, blank):
    run = read_run(write("run", f"q1 Q0 a{blank}b 1 2 t\n"))
    assert run.to_dict() == {"q1": {f"a{blank}b": 2.0}}
    qrels = read_qrels(write("qrels", f"q1 0 a{blank}b 1\n"))
    assert qrels.to_dict() == {"q1": {f"a{blank}b": 1}}


@pytest.mark.parametrize("blank", "\x1c \u00a0 \u3000 \u2028 \u0085".split(" "))
def test_a_line_of_nothing_but_a_strange_blank_is_one_bad_column(write, blank):
    with pytest.raises(FormatError, match="1 column where 6"):
        read_run(write("run", f"{GOOD[read_run]}{blank}\n"))
    with pytest.raises(FormatError, match="1 column where 4"):
        read_qrels(write("qrels", f"{GOOD[read_qrels]}{blank}\n"))


@pytest.mark.parametrize(
    "line", ["q1 Q0 a\u00a01 2 nan t", "q1 Q0 a 1 １ t", "q1 Q0 a 1 ١٢ t", "q1 Q0 \u30001 2 nan t"]
)
def test_no_score_that_is_no_number_slips_through(write, line):
    with pytest.raises(FormatError, match="score") as e:
        read_run(write("run", f"{line}\n"))
    assert e.value.line == 1


@pytest.mark.parametrize("grade", ["１", "٣", "²"])
def test_a_grade_in_other_digits_is_not_a_number(write, grade):
    with pytest.raises(FormatError, match=f"the grade '{grade}' is not a number"):
        read_qrels(write("qrels", f"q1 0 a {grade}\n"))


BEYOND = "too large for float64 read as infinite"


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("run", "q Q0 a 1 1e999 t\nq Q0 b 2 -1e400 t\nq Q0 c 3 inf t\n", 2),
        ("run", "q Q0 a 1 1e999 t\nr Q0 b 2 5 t\nq Q0 c 3 " + "9" * 400 + " t\n", 2),
        ("run.csv", "query,doc,score\nq,a,1e999\nq,b,-inf\nq,c,Infinity\n", 1),
        ("run.json", '{"q": {"a": 1e999, "b": -1e999, "c": Infinity}}', 2),
        ("run.json", '{"q": {"a": "1e999", "b": 1' + "0" * 400 + "}}", 2),
        ("run.jsonl", '{"query": "q", "doc": "a", "score": 1e999}\n', 1),
    ],
)
def test_numbers_beyond_float64_are_counted(write, name, text, count):
    path = write(name, text)
    found = evaluate({"q": {"a": 1}}, path, "RR").reports[0].notes
    assert f"{count} score{'s' if count > 1 else ''} {BEYOND}" in found
    assert BEYOND in " ".join(read_run(path).notes)


@pytest.mark.parametrize("text", ["q Q0 a 1 inf t\n", "q Q0 a 1 1e308 t\nq Q0 b 1 -Infinity t\n"])
def test_infinities_written_as_such_need_no_note(write, text):
    assert not evaluate({"q": {"a": 1}}, write("run", text), "RR").reports[0].notes


def test_what_a_table_holds_beside_the_scores_is_noted(write):
    path = write("run.csv", "query,doc,score,colour\nq,a,1,red\n")
    notes = evaluate({"q": {"a": 1}}, path, "RR").reports[0].notes
    assert notes == ("column 'colour' ignored",)
