"""Preferences and judgments of several people through `evaluate` and `explain`."""

from __future__ import annotations

import pytest

import cranfield
from cranfield import Qrels, evaluate
from cranfield.data.columns import Ids
from cranfield.errors import InputError, UsageError
from cranfield.evaluation.explain import explain

PREFS = "1 g p a 3\n1 g p b 2\n1 g q b 2\n1 g q c 0\n1 h p c 1\n1 h p a 0\n"
RUN = {"1": {"a": 3.0, "b": 2.0}}
ALL = ["NumPrefs", "NumPrefsFul", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair"]


def test_preferences_follow_from_one_another(write) -> None:
    scores = evaluate(write("prefs", PREFS), RUN, [*ALL, "prefs_avgjg"])
    found = list(scores.means()["run"].values())
    # a > b, b > c, a > c; c > a; the list lacks c
    assert found == pytest.approx([4, 3, 1, 3 / 4, (1 + 1 + 1 / 2) / 3, 1 / 2])


def test_the_same_from_columns_in_memory(write) -> None:
    fields = [line.split() for line in PREFS.splitlines()]
    query, group, part, docs = (Ids.of(f[i] for f in fields) for i in range(4))
    level = cranfield.read_qrels(write("p", PREFS)).grade
    qrels = Qrels.from_columns(query, docs, level, group=group, part=part)
    one = evaluate(qrels, RUN, ALL)
    assert one.values.tobytes() == evaluate(write("prefs", PREFS), RUN, ALL).values.tobytes()


def test_graded_judgments_are_preferences_of_one_person() -> None:
    qrels = {"q": {"a": 2, "b": 0, "c": 1, "d": -1}, "r": {"a": 1, "b": 1}}
    run = {"q": {"b": 3.0, "d": 2.5, "a": 2.0}, "r": {"a": 1.0}}
    scores = evaluate(qrels, run, ["NumPrefs", "prefs_simp", "prefs_avgjg", "nDCG", "AP_avgjg"])
    assert scores.per_query("NumPrefs") == {"q": 3.0, "r": 0.0}
    assert scores.per_query("prefs_simp") == pytest.approx({"q": 1 / 3, "r": 0})
    assert scores.per_query("AP_avgjg") == evaluate(qrels, run, "AP").per_query()
    assert any("1 of 2 queries has no preference" in note for note in scores.notes)


def test_column_2_is_the_group_where_a_document_is_judged_twice(write) -> None:
    text = "q x a 1\nq x b 0\nq y a 0\nq y b 1\n"
    run = {"q": {"a": 2.0, "b": 1.0}}
    asked = ["prefs_simp", "prefs_avgjg", "AP_avgjg"]
    scores = evaluate(write("qrels", text), run, asked)
    assert list(scores.means()["run"].values()) == [0.5, 0.5, 0.75]
    assert any("read as the group" in note for note in scores.notes)
    declared = evaluate(write("qrels", text), run, asked, qrels_format="qrels_jg")
    assert declared.values.tobytes() == scores.values.tobytes()
    assert not any("read as the group" in note for note in declared.notes)


def test_column_2_is_no_group_where_nobody_judged_twice_unless_that_is_said(write) -> None:
    path = write("qrels", "q round1 a 1\nq round2 b 0\nq round2 c 2\n")
    run = {"q": {"a": 2.0, "b": 1.0}}
    scores = evaluate(path, run, "NumPrefs")
    assert scores.mean() == 3
    assert any("all judgments are one group's" in note for note in scores.notes)
    assert evaluate(path, run, "NumPrefs", qrels_format="qrels_prefs").mean() == 1
    # of documents judged once a plain measure may be had all the same
    assert evaluate(path, run, "AP", qrels_format="qrels_jg").mean() == 0.5


def test_a_group_of_only_unjudged_documents_has_no_preference(write) -> None:
    path = write("qrels", "q x a 1\nq x b 0\nq y a -1\nq y b -1\n")
    run = {"q": {"a": 2.0}}
    assert evaluate(path, run, "prefs_avgjg", qrels_format="qrels_prefs").mean() == 1
    assert evaluate(path, run, "AP_avgjg", qrels_format="qrels_jg").mean() == 0.5


@pytest.mark.parametrize(
    ("text", "form", "measures", "said", "hint"),
    [
        (PREFS, None, ["prefs_simp", "AP"], "AP needs grades", "prefs_avgjg_Rnonrel"),
        (PREFS, None, ["AP_avgjg"], "AP_avgjg needs grades", "prefs_simp"),
        (PREFS, None, ["alpha_nDCG@5"], "alpha_nDCG needs grades", "prefs_simp"),
        ("q x a 1\nq y a 0\n", "qrels_jg", ["AP"], "AP counts a document once", "AP_avgjg"),
        ("q x a 1\nq y a 0\n", None, ["AP", "AP_avgjg"], "several groups judged", "AP_avgjg"),
        ("q x a 1\nq y a 0\n", None, ["AP"], "once per subtopic", "see AP_avgjg and prefs_avgjg"),
        ("q x a 1\nq y b 0\n", "qrels_jg", ["NRBP"], "column 2 as the subtopic", "apart"),
        ("q x a 1\nq y a 0\n", None, ["NRBP", "AP_avgjg"], "AP_avgjg as the group", "apart"),
        ("q 0 a 1\nq 0 b 1\n", None, ["prefs_simp"], "no query has two documents", "grade 0"),
        ("q x a 1\nq y b 0\n", "qrels_prefs", ["prefs_simp"], "from one person", "grade 0"),
        ("q 0 a 1\nq 0 b -1\n", None, ["NumPrefs"], "NumPrefs needs preferences", "graded"),
    ],
)
def test_what_cannot_be_had_is_said(write, text, form, measures, said, hint) -> None:
    with pytest.raises(InputError) as e:
        evaluate(write("judged", text), {"q": {"a": 1.0}, "1": {}}, measures, qrels_format=form)
    assert said in e.value.message
    assert hint in str(e.value.hint)
    assert "judged" in e.value.message


@pytest.mark.parametrize(
    ("prefs", "said"),
    [
        ("1 g p a 2\n1 g p b 1\n1 g q b 2\n1 g q a 1\n", "query '1', group 'g': .* contradict"),
        ("0 f p a 2\n0 f p b 1\n1 g p a 2\n1 g p b 1\n1 g q a 0\n1 g q b 0\n", "'g': a document"),
    ],
)
def test_orders_that_contradict_one_another(write, prefs, said) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(write("p", prefs), RUN, "prefs_simp", qrels_format="prefs")


def test_several_runs_ties_and_policies(write) -> None:
    path = write("prefs", PREFS + "2 g p a 1\n2 g p b 0\n")
    tied = {"1": {"a": 1.0, "b": 1.0}}
    runs = {"one": RUN, "tied": tied}
    up = evaluate(path, runs, "prefs_num_prefs_ful_ret", ties="docid-asc")
    down = evaluate(path, runs, "prefs_num_prefs_ful_ret", ties="docid-desc")
    assert [up.mean(run=r) for r in runs] == [1, 1]
    assert [down.mean(run=r) for r in runs] == [1, 0]
    assert evaluate(path, RUN, "prefs_simp").mean() == 0.375
    assert evaluate(path, RUN, "prefs_simp", missing="skip").mean() == 0.75
    with pytest.raises(UsageError, match="no expectation over tied scores"):
        evaluate(path, RUN, "prefs_simp", ties="expected")


def test_an_explanation_is_refused_and_the_page_named() -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    for name in ("prefs_simp", "AP_avgjg", "alpha_nDCG@5"):
        with pytest.raises(UsageError, match="cannot be worked out rank by rank") as e:
            explain(qrels, {"q": {"a": 1.0}}, "q", name)
        assert f"cranfield measures {name.partition('@')[0]}" in str(e.value.hint)


def test_preferences_are_not_explained_as_grades(write) -> None:
    with pytest.raises(InputError, match="nDCG needs grades"):
        explain(write("p", PREFS), RUN, "1", "nDCG@10")


@pytest.mark.parametrize("threads", ["x", 0, -1, 1.5, True])
def test_threads_are_a_whole_number(threads) -> None:
    with pytest.raises(UsageError, match="threads is"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", threads=threads)
