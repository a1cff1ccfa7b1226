"""A comparison on paper: every remark has words, p is never 0, the same bytes each time."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import replace
from string import Formatter

import numpy as np
import pytest

import cranfield
from cranfield.comparison import cautions, open_ends, pairs, results, samples, verdict
from cranfield.comparison.outcome import Choices, Remark
from cranfield.comparison.verdict import Evidence, conclude
from cranfield.data.card import RunCard
from cranfield.report.compared import page
from cranfield.report.compared_data import as_grid, as_json
from cranfield.report.compared_words import TEXT
from cranfield.report.language import words
from cranfield.report.planned_words import TEXT as PLANNED
from cranfield.report.remarks import in_words, p_text, sentences

QRELS = {f"q{i}": {"a": 1, "b": 0, "c": 2} for i in range(12)}
BASE = {q: {"a": 3.0, "b": 2.0, "x": 1.0} for q in QRELS}
RUN = {**BASE, "q1": {"c": 3.0, "a": 2.0}, "q2": {"x": 2.0, "|": 1.0}}


@pytest.fixture(scope="module")
def found():
    return cranfield.compare(
        QRELS,
        {"base": BASE},
        {"one": RUN, "two": {q: {"c": 1.0} for q in QRELS}, "none": {"q1": {"a": 1.0}}},
        ["nDCG@10", "AP"],
        resamples=1000,
        cards={
            "base": RunCard("base", {"k1": 1, "b": 0.4}),
            "one": RunCard("one", {"k1": 2, "b": None}),
        },
    )


@pytest.mark.parametrize("lang", [0, 1])
@pytest.mark.parametrize("key", [*TEXT, *PLANNED])
def test_both_languages_fill_the_same_blanks(lang, key):
    def blanks(text):
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    said = {**TEXT, **PLANNED}[key]
    assert said[lang].strip()
    assert blanks(said[0]) == blanks(said[1])


def test_every_remark_that_is_made_has_words_and_every_word_is_used():
    source = "".join(
        map(inspect.getsource, (cautions, open_ends, pairs, results, samples, verdict))
    )
    made = set(re.findall(r'Remark\(\s*f?"([a-z_0-9]+)"', source))
    made |= {"missing_zero", "missing_skip", "scale_count", "scale_log"}  # their ends are variable
    made -= {"missing_", "scale_"}
    made |= {"few_queries", "small_slice", "no_test", "uncorrected", "hypotheses"}
    made |= {"interval_holds_0", "interval_without_0", "undecidable", "decided"}
    known = {key.removeprefix("remark.") for key in TEXT if key.startswith("remark.")}
    assert made == known - {"shown.any"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_verdicts_come_first_and_say_why(found, lang):
    w = words(lang)
    first, *_ = replace(page(found, lang), title="").to_text().splitlines()
    assert first == sentences(found, w)[0]
    kinds = {row.verdict.kind for row in found.differences}
    assert kinds == {"better", "undecided", "refused", "equivalent"}
    for row, sentence in zip(found.differences, sentences(found, w), strict=True):
        assert row.run in sentence and row.measure in sentence
        for reason in row.verdict.reasons:
            assert in_words(reason, w) in sentence


def test_english_sentences(found):
    said = sentences(found, words("en"))
    assert said[0].startswith("nDCG@10: cannot tell one from base (difference ")
    assert "the 95% interval reaches from " in said[0]
    assert said[1].startswith("nDCG@10: two is better than base by ")
    assert said[2].startswith("nDCG@10: no verdict on none against base: none left 91.67% of 12")


def test_worse_and_equivalent_are_said_with_their_size():
    runs = {"two": {q: {"c": 1.0} for q in QRELS}, "base": BASE}
    scores = cranfield.evaluate(QRELS, runs, "nDCG@10")
    (said,) = sentences(cranfield.compare_scores(scores), words("en"))
    assert re.match(
        r"nDCG@10: base is worse than two by 0\.\d{4}: p = 0\.0005 is below 0\.05", said
    )
    same = cranfield.compare(QRELS, {"a": BASE}, {"b": BASE}, "AP")
    (said,) = sentences(same, words("en"))
    assert said == (
        "AP: b and a are equivalent (difference 0.0000): every query has the same value in both "
        "(12 compared)"
    )


def test_many_runs_are_counted_by_verdict():
    runs = {f"run{i:02}": RUN for i in range(15)}
    found = cranfield.compare(QRELS, {"base": BASE}, runs, "AP", resamples=100, top=1)
    said = sentences(found, words("en"))
    assert said == [
        "AP, cannot tell, against base: 15 (run00, run01, run02, run03, run04, …)",
    ]
    text = page(found).to_text()
    assert "Changes are shown for 5 runs; those of 10 more are in --format json." in text
    assert "p, adjusted for all pairs" not in text  # sixteen columns cannot be read


def test_many_cautions_of_a_kind_are_counted():
    runs = {f"run{i}": {"q1": {"a": 1.0}} for i in range(8)}
    text = page(cranfield.compare(QRELS, {"b": BASE}, runs, "AP", resamples=100)).to_text()
    assert "… and 3 more like this (missing_zero); --format json has all" in text


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (None, "–"),
        (0.0, "<0.0001"),
        (9.9e-5, "<0.0001"),
        (0.0001, "0.0001"),
        (0.0123, "0.0123"),
        (1.0, "1.0000"),
        (0.04996, "0.04996"),
        (0.05, "0.0500"),
        (0.050001, "0.050001"),
    ],
)
def test_p_is_never_0_and_shows_its_side_of_alpha(p, shown):
    assert p_text(p, 0.05) == shown


def test_the_reasons_of_a_verdict_show_the_p_that_decided():
    evidence = Evidence(n=9, difference=0.1, p=0.049996, p_adjusted=0.049996, direction=1)
    (reason,) = conclude(evidence, Choices()).reasons
    assert in_words(reason, words("en")) == "p = 0.049996 is below 0.05"


def test_lists_stand_side_by_side(found):
    text = page(found, depth=2).to_text()
    part = text.split("--- q2: – (")[1].split("---\n")[1]
    assert [line.split() for line in part.strip().splitlines()[:1]] == [
        ["rank", "base", "grade", "one", "grade"]
    ]
    assert re.search(r"^ +1  a +1 +x +unjudged$", part, re.MULTILINE)
    assert not re.search(r"^ +3  ", part, re.MULTILINE)
    assert "--- q2" not in page(found, depth=0).to_text()


def test_settings_that_differ_are_listed(found):
    text = page(found).to_text()
    table = text.split("--- Settings that differ (one) ---")[1].split("---")[0]
    assert re.search(r"^k1 +1 +2$", table, re.MULTILINE)
    assert re.search(r"^b +0\.4 +–$", table, re.MULTILINE)
    assert "one differs from the base in 2 settings (k1: 1 → 2, b: 0.4 → –)" in text


def test_pairs_show_means_groups_and_the_matrix(found):
    text = page(found).to_text()
    part = text.split("--- All pairs: nDCG@10 ---")[1].split("--- All pairs: AP")[0]
    assert re.search(r"^two +\d\.\d{4} +1$", part, re.MULTILINE)
    assert re.search(r"^base +\d\.\d{4} +2$", part, re.MULTILINE)
    assert "none" not in part  # nothing may be concluded of it
    assert "left out of the comparison of all pairs" in text


def test_markdown_keeps_its_tables(found):
    text = page(found).to_markdown()
    assert text.startswith("# Comparison with base\n")
    assert "\\|" in text  # a document called | does not break a table
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(row.endswith("|") for row in rows)


def test_html_is_escaped():
    odd = {"q1": {"<b>": 1.0}}
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    html = page(cranfield.compare(qrels, {"<i>": {"q1": {"a": 1.0}}}, odd, "AP")).to_html()
    assert "&lt;b&gt;" in html and "<b>" not in html and "<i>" not in html


def test_json_holds_everything(found):
    data = json.loads(as_json(found))
    assert (data["base"], data["runs"]) == ("base", ["one", "two", "none"])
    assert data["choices"]["hypotheses"] == 6 and data["choices"]["seed"] == 0
    assert data["settings"]["ties"] == "docid-desc"
    first = data["differences"][0]
    row = found.differences[0]
    assert (first["p"], first["low"], first["n"]) == (row.p, row.low, 12)
    assert first["verdict"]["certified"] is False
    assert {"key", "values", "text"} == set(first["verdict"]["reasons"][0])
    assert np.array(data["pairs"][0]["p"]).shape == (3, 3)
    assert data["changes"][0]["results"][0]["rank"] == 1
    assert data["cards"][1]["changed"]["k1"] == {"base": 1, "run": 2}
    assert len(data["cautions"]) == len(found.cautions)
    assert as_json(found) == as_json(found)


def test_json_has_no_nan():
    nothing = cranfield.compare(QRELS, {"a": BASE}, {"b": RUN}, "Judged@10", no_relevant="nan")
    odd = replace(nothing, differences=(replace(nothing.differences[0], mean=float("nan"), n=0),))
    data = json.loads(as_json(odd))
    assert data["differences"][0]["mean"] is None
    assert "–" in page(odd).to_text()


def test_the_grid_has_a_row_for_every_measure_run_and_slice(found):
    grid = as_grid(found)
    assert len(grid.rows) == 6
    first = grid.records()[0]
    assert first["p"] == found.differences[0].p and first["verdict"] == "undecided"
    assert first["reasons"].startswith("p = ")


def test_an_unknown_remark_is_a_bug_and_not_a_blank():
    with pytest.raises(KeyError):
        in_words(Remark("no such"), words("en"))
