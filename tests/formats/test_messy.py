"""Real files that went around with something wrong or odd about them."""

from __future__ import annotations

import csv

import pytest

from cranfield import evaluate, read_qrels, read_run
from cranfield.errors import FormatError, InputError
from cranfield.formats.problems import ManyProblems


@pytest.fixture(scope="module")
def messy(shared):
    return shared / "messy"


def test_01_tabs_and_blanks_mixed(messy):
    qrels = read_qrels(messy / "01-qrels-tabs-and-spaces-mixed.tsv")
    assert len(qrels) == 20
    assert qrels.to_dict()["36"] == {"5152028": 1, "11705328": 1}
    assert qrels.notes == ()


def test_03_a_grade_of_minus_2_is_kept_and_is_no_judgment(messy):
    path = messy / "03-qrels-negative-grades-minus2.txt"
    qrels = read_qrels(path)
    assert -2.0 in qrels.levels.tolist()
    junk = next(d for d, g in qrels.to_dict()["101"].items() if g == -2)
    scores = evaluate(path, {"101": {junk: 1.0}}, ["Judged@1", "nDCG@1", "bpref"])
    assert list(scores.means()["run"].values()) == [0.0, 0.0, 0.0]


def test_05_line_ends_of_all_three_kinds_in_one_file(messy):
    path = messy / "05-qrels-CR-CRLF.txt"
    raw = path.read_bytes()
    assert b"\r\n" in raw
    qrels = read_qrels(path)
    assert not any("\r" in d for d in qrels.docs)
    assert len(qrels) == len(raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split()) / 4


def test_07_prels_are_refused_and_named(messy):
    with pytest.raises(FormatError, match="these are prels") as e:
        read_qrels(messy / "07-prels-5-columns-float.txt")
    assert e.value.line == 1
    assert "4 columns" in e.value.hint
    with pytest.raises(ManyProblems) as many:
        read_qrels(messy / "07-prels-5-columns-float.txt", all_errors=True)
    assert [p.line for p in many.value.problems] == list(range(1, 21))


def test_09_ids_beyond_ascii_stay_as_they_are(messy):
    path = messy / "09-qrels-nonascii-docids.txt"
    qrels = read_qrels(path)
    expected = [line.split()[2] for line in path.read_text("utf-8").splitlines()]
    assert qrels.docs.to_list() == expected
    assert "<dbpedia:Arènes_de_Lutèce>" in expected
    found = evaluate(path, {"INEX_LD-2009039": {"<dbpedia:Arènes_de_Lutèce>": 1.0}}, "RR")
    assert found.per_query()["INEX_LD-2009039"] == 1.0


def test_11_a_document_in_the_column_of_the_iteration_is_not_scored(messy):
    """Column 3 is `0` throughout and the document stands in column 2: as subtopic judgments of a
    document `0` it is refused, and nobody gets a number from it."""
    path = messy / "11-qrels-cacm-zero-padded.txt"
    qrels = read_qrels(path)
    assert qrels.queries.to_list()[:2] == ["01", "02"]  # the padding stays
    assert set(qrels.docs) == {"0"}
    with pytest.raises(InputError, match=r"once per subtopic \(column 2\)"):
        evaluate(path, {"01": {"1410": 1.0}})


def test_13_crlf_no_q0_and_ties(messy):
    run = read_run(messy / "13-run-CRLF-tabs.txt")
    assert len(run) == 20
    assert run.score[0] == 15.863
    assert run.notes == ()


def test_15_scores_decide_where_ranks_say_otherwise(messy):
    path = messy / "15-run-score-increases-with-rank.txt"
    rows = [line.split() for line in path.read_text().splitlines()]
    by_score = sorted(rows, key=lambda r: (float(r[4]), r[2]), reverse=True)
    first = by_score[0]
    assert first[3] != "1"  # what the rank column puts first is not first
    scores = evaluate({first[0]: {first[2]: 1}}, path, ["RR", "NumRet"])
    assert scores.mean("RR") == 1.0
    assert scores.mean("NumRet") == 60


def test_17_repeated_documents_are_refused_or_one_is_kept(messy):
    path = messy / "17-run-duplicate-docs-codec.txt"
    with pytest.raises(FormatError, match=r"returned twice .*\(first on line 1\)") as e:
        read_run(path)
    assert e.value.line == 2
    for policy, scores in {"first": [-85.3, -63.2, -28.9], "last": [-85.4, -63.3, -29.0]}.items():
        run = read_run(path, on_duplicate=policy)
        assert run.score.tolist() == scores
        assert run.notes == (f"3 × repeated document ({policy} kept)",)
    assert read_run(path, on_duplicate="max").score.tolist() == [-85.3, -63.2, -28.9]


def test_19_doubled_separators_are_one_separator(messy):
    """Line 6 has three tabs between score and tag: still six columns, as trec_eval counts."""
    run = read_run(messy / "19-run-short-few-topics-multi-blank.txt")
    assert len(run) == 11
    assert run.to_dict()["32"] == {"99999999": 1.0}
    assert run.score[0] == 1.990567171817533


def test_21_negative_scores_and_crlf(messy):
    run = read_run(messy / "21-run-negative-scores.txt")
    assert len(run) == 12
    assert (run.score < 0).all()
    assert run.ranks()[:2].tolist() == [1, 2]


def test_23_a_header_line_is_recognised_and_said(messy):
    run = read_run(messy / "23-run-with-header-line.txt")
    assert len(run) == 14
    assert run.notes == ("the first line is a header 'topic Q0 docid rank score qid', skipped",)
    (report,) = evaluate({"1": {"g8rsiiy7": 1}}, messy / "23-run-with-header-line.txt").reports
    assert report.notes == run.notes


def test_31_grades_with_a_fraction_count_as_they_are(messy):
    path = messy / "31-issue-pytrec_eval16-float-qrels.json"
    qrels, run = read_qrels(path), read_run(path)
    assert qrels.to_dict()["q1"] == {"d1": 0.2, "d2": 1.5, "d3": 0}
    assert qrels.to_dict()["q2"]["d2"] == 2.5
    assert set(run.to_dict()) == {"q1", "q2"}
    best = {q: {d: float(g) for d, g in docs.items()} for q, docs in qrels.to_dict().items()}
    assert evaluate(path, best, "nDCG").mean() == 1.0
    assert 0 < evaluate(path, path, "nDCG").mean() <= 1.0


def test_33_bpref_is_a_number_where_nothing_is_judged_not_relevant(messy):
    path = messy / "33-issue-ranx66-bpref-nan.json"
    scores = evaluate(path, path, "bpref")
    assert scores.valid.all()
    returned = {q: set(docs) for q, docs in read_run(path).to_dict().items()}
    judged = read_qrels(path).to_dict()
    expected = {q: len(returned[q] & set(judged[q])) / len(judged[q]) for q in judged}
    assert scores.per_query() == pytest.approx(expected)


def test_every_file_has_its_test(messy):
    with open(messy / "INDEX.tsv", encoding="utf-8") as stream:
        numbers = {row["file"][:2] for row in csv.DictReader(stream, delimiter="\t")}
    tested = {name[5:7] for name in globals() if name.startswith("test_") and name[5:7].isdigit()}
    assert tested == numbers
