"""`cranfield trec-eval`: what it takes, what it prints, and where it refuses."""

from __future__ import annotations

import math

import pytest

QRELS = "2 0 a 1\n2 0 b 0\n10 0 a 0\n10 0 c 2\n10 0 d -1\n"
RUN = "10 Q0 c 1 2 tag\n10 Q0 a 2 1 tag\n2 Q0 b 1 3 tag\n2 Q0 a 2 2 tag\n"


@pytest.fixture
def inputs(files):
    return files("qrels", QRELS), files("run", RUN)


def values(text: str) -> dict[tuple[str, str], str]:
    rows = (line.split("\t") for line in text.splitlines())
    return {(name.strip(), topic): value for name, topic, value in rows}


def test_the_form_of_a_line_and_the_order(cranfield, inputs):
    ended = cranfield("trec-eval", *inputs, "-m", "P.5", "-m", "map", "-m", "num_ret", "-q")
    assert ended.code == 0
    assert ended.out == (
        "num_ret               \t10\t2\n"
        "map                   \t10\t1.0000\n"
        "P_5                   \t10\t0.2000\n"
        "num_ret               \t2\t2\n"
        "map                   \t2\t0.5000\n"
        "P_5                   \t2\t0.2000\n"
        "num_ret               \tall\t4\n"
        "map                   \tall\t0.7500\n"
        "P_5                   \tall\t0.2000\n"
    )


def test_without_measures_the_official_ones(cranfield, inputs):
    found = values(cranfield("trec-eval", *inputs).out)
    assert len(found) == 30
    assert found["runid", "all"] == "tag"
    assert found["num_q", "all"] == "2"
    assert found["gm_map", "all"] == f"{math.sqrt(0.5):.4f}"


LONG = {
    "-q": ["--query_eval_wanted"],
    "-m": ["--measure"],
    "-c": ["--complete_rel_info_wanted"],
    "-n": ["--nosummary"],
    "-l2": ["--level_for_rel", "2"],
    "-M1": ["--Max_retrieved_per_topic", "1"],
    "-J": ["--Judged_docs_only"],
    "-N9": ["--Number_docs_in_coll", "9"],
    "-Rqrels": ["--Rel_info_format", "qrels"],
    "-Ttrec_results": ["--Results_format", "trec_results"],
    "-D0.2": ["--Debug_level", "0.2"],
}


@pytest.mark.parametrize("short", [name for name in LONG if name != "-m"])
def test_long_names_mean_the_same(cranfield, inputs, short):
    measures = ["-m", "all_trec", "-m", "utility.1,-1,0,.5"]
    one = cranfield("trec-eval", short, *measures, *inputs)
    other = cranfield("trec-eval", *LONG[short], "--measure", *measures[1:], *inputs)
    assert one.code == 0
    assert (one.out, one.err) == (other.out, other.err)


def test_a_topic_that_the_run_lacks(cranfield, files):
    paths = files("qrels", QRELS), files("run", RUN.split("2 Q0")[0])
    ended = cranfield("trec-eval", *paths, "-m", "map")
    assert (ended.code, ended.out) == (3, "")
    assert "no results for 1 of 2 topics of the judgments: 2" in ended.err
    assert "-c counts them as 0" in ended.err
    with_c = values(cranfield("trec-eval", *paths, "-qc", "-m", "map", "-m", "relstring").out)
    assert with_c["map", "2"] == "0.0000"
    assert with_c["map", "all"] == "0.5000"
    assert with_c["relstring", "2"] == "''"
    old = values(cranfield("trec-eval", "--v9", "-q", *paths, "-m", "map").out)
    assert old == {("map", "10"): "1.0000", ("map", "all"): "1.0000"}
    old = values(cranfield("trec-eval", "--v9", "-qc", *paths, "-m", "map").out)
    assert old == {("map", "10"): "1.0000", ("map", "all"): "0.5000"}


def test_no_topic_in_common_is_never_a_table_of_zeros(cranfield, files):
    ended = cranfield("trec-eval", "-c", files("qrels", QRELS), files("run", "7 Q0 a 1 1 t\n"))
    assert (ended.code, ended.out) == (6, "")


def test_the_largest_rank_then_the_unjudged(cranfield, files):
    paths = files("qrels", QRELS), files("run", RUN + "10 Q0 x 3 9 tag\n")
    measures = ["-q", "-m", "num_ret", "-m", "map", "-m", "relstring"]
    plain, cut, both = (
        values(cranfield("trec-eval", *paths, *measures, *more).out)
        for more in ([], ["-M", "1"], ["-M", "1", "-J"])
    )
    assert plain["relstring", "10"] == "'-20'"
    assert cut["relstring", "10"] == "'-'"
    assert (both["relstring", "10"], both["num_ret", "10"]) == ("''", "0")


def test_grades_below_0_are_pooled_and_not_judged(cranfield, files):
    paths = files("qrels", QRELS.replace("-1", "-5")), files("run", RUN + "10 Q0 d 3 9 tag\n")
    found = values(cranfield("trec-eval", *paths, "-q", "-m", "relstring").out)
    assert found["relstring", "10"] == "'.20'"


def test_repeated_measures_are_merged_and_that_is_said(cranfield, inputs):
    ended = cranfield("trec-eval", *inputs, "-m", "P.2", "-m", "P.1,2", "-m", "P")
    assert [name for name, _ in values(ended.out)] == ["P_1", "P_2"]
    assert "several lists of parameters: all of them are printed" in ended.err
    ended = cranfield("trec-eval", *inputs, "-m", "set_F.2", "-m", "set_F.0.5")
    assert [name for name, _ in values(ended.out)] == ["set_F_2", "set_F_0.5"]


def test_gains_of_grades(cranfield, inputs):
    measures = ["-m", "dcg.2=6", "-m", "ideal_dcg.2=6", "-m", "ndcg.2=6", "-m", "dcg"]
    found = values(cranfield("trec-eval", *inputs, "-q", *measures).out)
    assert found["dcg_2=6", "10"] == "6.0000"
    assert found["dcg_2=6", "2"] == f"{1 / math.log2(3):.4f}"
    assert found["ideal_dcg_2=6", "2"] == "1.0000"
    assert found["ndcg_2=6", "10"] == "1.0000"


def test_zscores(cranfield, inputs, files):
    means = files("means", "10 map 0.5 0.25\n2\tmap\t0.5 0\n\n10 gm_map 0 nan\n")
    given = ["-q", "-m", "map", "-m", "recip_rank", "-m", "relstring", "-m", "num_q"]
    found = values(cranfield("trec-eval", *inputs, *given, "-Z", means).out)
    assert found["Zmap", "10"] == "2.0000"
    assert found["Zmap", "2"] == "0.0000"  # the mean itself, without a deviation
    assert found["Zrecip_rank", "2"] == "-1000000.0000"
    assert found["Znum_q", "all"] == "2.0000"
    assert found["relstring", "2"] == "'01'"
    ended = cranfield("trec-eval", *inputs, "-Z", files("bad", "10 map 0.5\n"))
    assert ended.code == 3
    assert "line 1: this is no line of means" in ended.err


def test_one_topic(cranfield, inputs):
    ended = cranfield("trec-eval", *inputs, "-m", "map", "-D", "1.10")
    assert values(ended.out) == {("map", "all"): "1.0000"}
    assert "-D prints nothing more here" in ended.err


def test_words_behind_the_tag_are_passed_over_and_the_last_tag_counts(cranfield, files, inputs):
    run = files("longer", RUN.replace("1 2 tag", "1 2 tag and more") + "# the end\n\n")
    found = values(cranfield("trec-eval", inputs[0], run).out)
    assert found["runid", "all"] == "tag"
    assert found["map", "all"] == "0.7500"


def test_the_order_of_the_lines_does_not_matter(cranfield, files, inputs):
    lines = RUN.splitlines(keepends=True)
    run = files("scattered", lines[0] + lines[2] + lines[1] + lines[3].replace("tag", "tag x"))
    assert cranfield("trec-eval", "-q", inputs[0], run).out == (
        cranfield("trec-eval", "-q", *inputs).out
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 Q0 doc a 1 3 tag", "the document id 'doc a' holds a blank"),
        ("2 Q0 doc 7 1 3 tag", "holds a blank"),
        ("2 Q0 a 1 high tag", "is not a number"),
        ("2 Q0 a 1 nan tag", "NaN"),
        ("2 Q0 a 1 3", "5 columns"),
        ("2 Q0 a\0 1 3 tag", "NUL"),
        ("2 Q0 b 1 3 tag", "returned twice"),
    ],
)
def test_what_would_be_misread_is_refused(cranfield, files, line, said):
    paths = files("qrels", QRELS), files("run", RUN + line + "\n")
    ended = cranfield("trec-eval", *paths)
    assert (ended.code, ended.out) == (3, "")
    assert said in ended.err


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        ("2 0 a 1.7\n", "grade 1.7 of document 'a' for query '2' is no whole number"),
        ("2 0 a yes\n", "is not a number"),
        ("2 0 a 1\n2 0 a 0\n", "judged twice"),
        ("2 x a 1\n2 y a 0\n", "-R qrels_jg reads column 2"),
    ],
)
def test_grades_that_would_be_misread_are_refused(cranfield, files, inputs, qrels, said):
    ended = cranfield("trec-eval", files("other", qrels), inputs[1])
    assert (ended.code, ended.out) == (3, "")
    assert said in ended.err


def test_a_byte_order_mark_and_carriage_returns_do_no_harm(cranfield, files, inputs):
    paths = files("q", "\ufeff" + QRELS.replace("\n", "\r\n")), files("r", RUN.replace("\n", "\r"))
    assert cranfield("trec-eval", *paths).out == cranfield("trec-eval", *inputs).out


def test_a_hash_begins_a_comment_in_version_10_and_a_query_in_version_9(cranfield, files):
    paths = files("q", QRELS + "#1 0 a 1\n"), files("r", RUN + "#1 Q0 a 1 1 tag\n")
    assert values(cranfield("trec-eval", *paths).out)["num_q", "all"] == "2"
    assert values(cranfield("trec-eval", "--v9", *paths).out)["num_q", "all"] == "3"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-M", "0"], "-M 0: at least 1 document"),
        (["-M", "-1"], "-M -1: at least 1 document"),
        (["-l", "0"], "-l 0: the lowest relevant grade is 1 or more"),
        (["-m", "mpa"], "did you mean map?"),
        (["-m", "P_10"], "-m P.10"),
        (["-m", "P."], "takes no such parameters"),
        (["-m", "P.ten"], "'ten' is not a number"),
        (["-m", "P.0"], "k must be an integer of at least 1"),
        (["-m", "map.5"], "takes no such parameters"),
        (["-m", "official.5"], "no measure 'official'"),
        (["-m", "ndcg.1"], "not of the form name=number"),
        (["-m", "ndcg.0=1"], "gain"),
        (["-m", "rbp.1=3"], "its one parameter is p"),
        (["-m", "utility.1,2"], "four numbers are needed"),
        (["-m", "prefs"], "cannot be computed with -R qrels"),
        (["-m", "map", "-R", "prefs"], "cannot be computed with -R prefs"),
        (["--v9", "-m", "rbp"], "trec_eval 9 has no measure 'rbp'"),
        (["-R", "other"], "'other' is not one of"),
    ],
)
def test_wrong_calls(cranfield, inputs, options, said):
    ended = cranfield("trec-eval", *inputs, *options)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_help_explains_the_measures_asked_for(cranfield):
    ended = cranfield("trec-eval", "-h", "-m", "bpref")
    assert ended.code == 0
    assert "--Max_retrieved_per_topic" in ended.out
    assert "bpref(rel=1): binary preference" in ended.out


def test_version_and_missing_files(cranfield, inputs):
    assert "trec_eval 10.0" in cranfield("trec-eval", "-v").out
    ended = cranfield("trec-eval", inputs[0])
    assert (ended.code, ended.out) == (2, "")
    assert "two files are needed" in ended.err
    assert cranfield("trec-eval", inputs[0], "nowhere").code == 4


def test_options_without_effect_are_said_to_be(cranfield, inputs):
    for given in (["-o"], ["--Output_old_results_format", "x"]):
        ended = cranfield("trec-eval", *inputs, *given, "-m", "map")
        assert (ended.code, "-o has no effect" in ended.err) == (0, True)


PREFS = "1 g p a 3\n1 g p b 2\n1 g q b 2\n1 g q c 0\n1 h p c 1\n1 h p a 0\n"
LIST = "1 Q0 a 1 3 t\n1 Q0 b 1 2 t\n"


def test_preferences_follow_from_one_another(cranfield, files):
    paths = files("prefs", PREFS), files("run", LIST)
    found = values(cranfield("trec-eval", "-R", "prefs", "-q", "-m", "all_prefs", *paths).out)
    assert found["prefs_num_prefs_poss", "1"] == "4"  # a > b, b > c, a > c; c > a
    assert found["prefs_num_prefs_ful", "1"] == "3"  # c was not returned
    assert found["prefs_num_prefs_ful_ret", "1"] == "1"
    assert found["prefs_simp", "1"] == "0.7500"
    assert found["prefs_pair", "1"] == f"{(1 + 1 + 0.5) / 3:.4f}"
    assert found["prefs_avgjg", "1"] == "0.5000"


def test_the_default_measures_of_preferences(cranfield, files):
    paths = files("prefs", PREFS), files("run", LIST)
    found = values(cranfield("trec-eval", "-R", "prefs", *paths).out)
    assert {name for name, _ in found} >= {"runid", "num_q", "prefs_simp", "prefs_avgjg"}


@pytest.mark.parametrize(
    ("prefs", "said"),
    [
        ("1 g p a 2\n1 g p b 1\n1 g q b 2\n1 g q a 1\n", "contradict one another"),
        ("1 g p a 2\n1 g q a 0\n", "relevant in one part"),
        ("1 g p a 2\n1 g p a 1\n", "two levels for part 'p', group 'g' of query '1'"),
        ("1 g p a\n", "line 1: this is no line of preferences"),
        ("1 g p a -1\n", "the level a number of 0 or more"),
        ("# nothing\n", "no preference in it"),
    ],
)
def test_preferences_that_cannot_be(cranfield, files, prefs, said):
    ended = cranfield("trec-eval", "-R", "prefs", files("prefs", prefs), files("run", LIST))
    assert (ended.code, ended.out) == (3, "")
    assert said in ended.err


def test_standard_input_and_compressed_files(cranfield, inputs, files, monkeypatch):
    import gzip
    import io
    import sys

    packed = files("qrels.gz", gzip.compress(QRELS.encode()))
    plain = cranfield("trec-eval", *inputs).out
    assert cranfield("trec-eval", packed, inputs[1]).out == plain
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(RUN.encode())))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert cranfield("trec-eval", packed, "-").out == plain
