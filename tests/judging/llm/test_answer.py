"""Answers: only what was asked for is read, and nothing is guessed."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.judging.llm.answer import Unreadable, Verdict, verdicts
from cranfield.judging.llm.prompt import Asking
from cranfield.judging.llm.rubric import read_rubric
from cranfield.kit.chat import Said

GRADES = Asking(read_rubric("grades"))
BATCH = Asking(read_rubric("grades"), batch=3)
TOKEN = Asking(read_rubric("grades"), answer="token")


def said(text, ended="stop", answer=None):
    return Said(text, ended, 1, 1, answer, "x")


@pytest.mark.parametrize(
    "text",
    ['{"grade": 2}', ' \n{"grade":2}\n', '```json\n{"grade": 2}\n```', '```\n{"grade": 2}\n```',
     '{"grade": 2, "why": "of no interest"}'],
)  # fmt: skip
def test_what_is_read(text):
    assert verdicts(said(text), GRADES, 1) == [Verdict(2)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("2", "no object"),
        ("Grade: 2", "not JSON"),
        ("I cannot give it a 3.", "not JSON"),
        ('The answer is {"grade": 2}', "not JSON"),
        ('{"grade": 2} as I said', "not JSON"),
        ('{"grade": 2', "not JSON"),
        ('{"grade": "2"}', "the grade is '2'"),
        ('{"grade": 2.0}', "the grade is 2.0"),
        ('{"grade": true}', "the grade is True"),
        ('{"grade": 4}', "the grade is 4"),
        ('{"grade": -1}', "the grade is -1"),
        ('{"grade": null}', "the grade is None"),
        ('{"grade": NaN}', "not JSON"),
        ('{"grade": 2, "grade": 3}', "a key comes twice"),
        ("{}", "the grade is None"),
        ("[2]", "no object"),
        ("[" * 100_000, "not JSON"),
        ('```json\n{"grade": 2}\n``` done', "not JSON"),
        ('```python\n{"grade": 2}\n```', "not JSON"),
    ],
)
def test_what_is_not(text, why):
    with pytest.raises(Unreadable, match=why.replace("[", r"\[")):
        verdicts(said(text), GRADES, 1)


def test_an_answer_cut_off_is_none_even_if_it_parses():
    with pytest.raises(Unreadable, match="cut off"):
        verdicts(said('{"grade": 2}', "length"), GRADES, 1)


@given(st.text(max_size=80))
def test_free_text_is_never_a_grade(text):
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not (isinstance(found, dict) and "grade" in found):
        with pytest.raises(Unreadable):
            verdicts(said(text), GRADES, 1)


def test_reasons_are_kept():
    how = Asking(read_rubric("grades-reason"))
    text = json.dumps({"reason": "死锁\0 \ud800", "grade": 3})
    assert verdicts(said(text), how, 1) == [Verdict(3, "死锁� ?")]
    for wrong in ({"grade": 3}, {"reason": 1, "grade": 3}):
        with pytest.raises(Unreadable):
            verdicts(said(json.dumps(wrong)), how, 1)


def test_batches_are_read_document_by_document():
    rows = [{"document": 3, "grade": 1}, {"document": 1, "grade": 5}]
    found = verdicts(said(json.dumps({"grades": rows})), BATCH, 3)
    assert [str(v) if isinstance(v, Unreadable) else v.value for v in found] == [
        "the grade is 5", "left out of the answer", 1,
    ]  # fmt: skip
    rows = [{"document": 1, "grade": 1}, {"document": 1, "grade": 1}, {"document": 2, "grade": 0}]
    found = verdicts(said(json.dumps({"grades": rows})), BATCH, 2)
    assert str(found[0]) == "graded twice in the answer" and found[1] == Verdict(0)
    for wrong in ({"document": 4, "grade": 1}, {"document": True, "grade": 1}, {"grade": 1}, 3):
        with pytest.raises(Unreadable):
            verdicts(said(json.dumps({"grades": [wrong]})), BATCH, 3)
    with pytest.raises(Unreadable, match="no list"):
        verdicts(said('{"grades": {}}'), BATCH, 3)


def test_preferences():
    how = Asking(read_rubric("preference"))
    for better in ("A", "B", "tie"):
        assert verdicts(said(json.dumps({"better": better})), how, 1) == [Verdict(better)]
    for wrong in ("a", "C", 1, None, ["A"]):
        with pytest.raises(Unreadable, match="better is"):
            verdicts(said(json.dumps({"better": wrong})), how, 1)


def by_token(tokens):
    entries = [{"token": t, "logprob": math.log(p)} for t, p in tokens.items()]
    first = {**entries[0], "top_logprobs": entries}
    return said("?", answer={"choices": [{"logprobs": {"content": [first]}}]})


def test_probabilities_of_the_token():
    found = verdicts(by_token({" 2": 0.3, "2": 0.2, "0": 0.2, "3": 0.1, "x": 0.2}), TOKEN, 1)[0]
    assert found.value == 2
    assert found.details["probabilities"] == {"0": 0.25, "1": 0.0, "2": 0.625, "3": 0.125}
    assert found.details["expected"] == pytest.approx(0.625 * 2 + 0.125 * 3)
    assert found.details["mass"] == pytest.approx(0.8)
    # of equally probable grades the lower
    assert verdicts(by_token({"3": 0.4, "1": 0.4}), TOKEN, 1)[0].value == 1


def test_tokens_that_are_no_grades():
    with pytest.raises(Unreadable, match="no grades: 'Sure'"):
        verdicts(by_token({"Sure": 0.7, "3": 0.3}), TOKEN, 1)
    with pytest.raises(Unreadable, match="no grades"):
        verdicts(by_token({"7": 1.0}), TOKEN, 1)
    with pytest.raises(InputError, match="no probabilities"):
        verdicts(said("3", answer={"choices": [{"message": {}}]}), TOKEN, 1)


@pytest.mark.parametrize(
    "text",
    ["3", "", '{"grade": 9}', '{"grade": "2"}', '{"grade": -1}', '{"grade": true}', '{"grade": 2'],
)
def test_what_no_schema_allows(text):
    with pytest.raises(Unreadable) as raised:
        verdicts(said(text), GRADES, 1)
    assert raised.value.loose


def test_what_a_schema_cannot_say():
    with pytest.raises(Unreadable) as raised:
        verdicts(said('{"grade": 2', "length"), GRADES, 1)
    assert not raised.value.loose
    one = '{"document": 1, "grade": 1}'
    three = verdicts(said(f'{{"grades": [{one}, {one}, {one}]}}'), BATCH, 3)
    assert [(str(v), v.loose) for v in three[:2]] == [
        ("graded twice in the answer", False), ("left out of the answer", False),
    ]  # fmt: skip
    short = verdicts(said(f'{{"grades": [{one}]}}'), BATCH, 3)
    assert short[1].loose  # it says how many there are
