"""The baseline report on collections small enough to check by hand."""

from __future__ import annotations

import re
import string

import pytest

import cranfield
from cranfield import Qrels, Query, Run, TestCollection
from cranfield.errors import UnknownName
from cranfield.report import language
from cranfield.report.baseline import baseline

QRELS = {"q1": {"a": 3, "b": 0, "c": 1}, "q2": {"c": 1}, "q3": {"x": 0}, "q4": {"x": 0}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {}, "q3": {"x": 1.0}, "q4": {}}


def collection(**types: str) -> TestCollection:
    queries = tuple(Query(q, f"text of {q}", {"type": t} if t else {}) for q, t in types.items())
    return TestCollection("toy", queries, Qrels.from_dict(QRELS))


@pytest.fixture
def page():
    four = collection(q1="exact", q2="exact", q3="no-answer", q4="no-answer")
    return baseline(four, Run.from_dict(RUN, name="toy"))


def test_the_facts(page):
    text = page.to_text()
    assert re.search(r"MRR@10 \(rel≥1\) +0\.1250 +\(0\.2500 over the 2 answerable", text)
    assert re.search(r"no-answer queries +2/4", text)
    assert re.search(r"empty result +2/4 +\(1 rightly, 1 missed\)", text)
    assert re.search(r"nDCG = 0 +1/4", text)
    assert re.search(r"false recalls.* 1/2", text)
    assert re.search(r"exact keyword +2 +\d\.\d{4} +0\.2500 +1 +0 +0", text)
    assert re.search(r"no answer +2 +0\.0000 +0\.0000 +1 +1 +1", text)


def test_the_kinds_of_query_and_states_of_result(page):
    text = page.to_text()
    assert re.search(r"has no answer.*1 correct \(q4\) +1 false recall \(q3\)", text)
    assert re.search(r"is answerable +1 missed \(q2\) +1 scored \(q1\)", text)
    assert "All documents in the top 10 of all 4 queries are judged." in text


def test_a_missing_label_is_tried_on_the_data(page):
    text = page.to_text()
    assert "Take away one row, a for query q1" in text
    assert "answerable_with_holes" in text
    assert "over 2 queries instead of" in text


def test_unjudged_results_are_listed_for_labelling():
    run = Run.from_dict({**RUN, "q3": {"x": 1.0, "new": 2.0}})
    text = baseline(collection(q1="", q2="", q3="", q4=""), run).to_text()
    assert "Labels are missing for 1 of the queries" in text
    assert "q3: new" in text
    assert "By" not in text  # no types, no table by type


@pytest.mark.parametrize(("lang", "named"), [("en", "range, by the unjudged"), ("zh", "范围")])
def test_a_score_with_holes_has_its_range(lang, named):
    run = Run.from_dict({**RUN, "q1": {"b": 4.0, "new": 3.0, "a": 2.0}})
    four = collection(q1="exact", q2="exact", q3="no-answer", q4="no-answer")
    text = baseline(four, run, lang=lang).to_text()
    assert re.search(named + r" +0\.0833 (to|至) 0\.1250 +.0\.1667 (to|至) 0\.2500", text)
    assert "judged@10" in text
    assert re.search(r"2 +0\.\d{4} +0\.1667 +0\.\d{4}–0\.\d{4} +1", text)  # by type
    found = cranfield.evaluate(four, run, 'nDCG(gain="exp")@10')
    low, high = found.bounds()
    assert f"{low:.4f} " in text and f"{high:.4f} " in text and low <= found.mean() < high
    best = f"{found.ranges.high[0, 0, 0]:.4f}"
    assert re.search(rf"q1 +text of q1 +0\.\d{{4}} +{best} +3 +1", text)


def test_complete_labels_leave_no_range(page):
    run = Run.from_dict({**RUN, "q1": {"b": 4.0, "new": 3.0, "a": 2.0}})
    four = collection(q1="exact", q2="exact", q3="no-answer", q4="no-answer")
    complete = baseline(four, run, exhaustive=True).to_text()
    assert "range" not in complete and "range" not in page.to_text()


def test_markdown_and_html_hold_the_same_numbers_and_escape_names():
    named = TestCollection(
        "toy",
        (Query("q1", "<script>alert(1)</script>", {"type": "exact"}),),
        Qrels.from_dict(QRELS),
    )
    page = baseline(named, Run.from_dict(RUN, name="<b>run</b>"))
    html = page.to_html()
    assert "<script>" not in html
    assert "&lt;b&gt;run&lt;/b&gt;" in html
    for number in re.findall(r"0\.\d{4}", page.to_markdown()):
        assert number in html


def test_both_languages_have_every_sentence_with_the_same_blanks():
    for key, (english, chinese) in language._TEXT.items():
        assert english.strip(), key
        assert chinese.strip(), key
        blanks = [
            {(name, spec) for _, name, spec, _ in string.Formatter().parse(t) if name}
            for t in (english, chinese)
        ]
        assert blanks[0] == blanks[1], key


def test_an_unknown_language_names_those_there_are():
    with pytest.raises(UnknownName, match="en, zh"):
        language.words("fr")


def test_queries_known_to_one_side_only_are_counted_and_named():
    page = baseline(collection(q1="exact", q7="exact"), Run.from_dict(RUN, name="toy"))
    text = page.to_text()
    assert re.search(r"queries +5 +\(1 without labels, not scored\)", text)
    assert "not among the queries of the collection: 3 (q2, q3, q4)" in text
    assert "q7: nothing returned" in text


def test_labels_declared_complete_are_not_believed_against_the_evidence():
    run = Run.from_dict(RUN, name="toy")
    text = baseline(collection(q1="", q7=""), run, exhaustive=True).to_text()
    assert "every document is judged" not in text
    assert "q7: nothing returned" in text
