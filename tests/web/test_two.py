"""Which of two documents is better, over HTTP: what is kept, what is refused, what is shown."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from cranfield.judging.preferences import (
    Preference,
    current_preferences,
    history,
    record_preferences,
)
from cranfield.judging.settled import settled

TWO = {"rubric": "preference", "only": ("q1",)}


@pytest.fixture
def two(serving, pairs):
    def serve(**more):
        return serving(**{**TWO, "work_list": pairs, **more})

    return serve


def kept(served):
    return [(p.query, p.doc_a, p.doc_b, p.better, p.state) for p in history(served.labels)]


def test_a_preference_is_kept_before_the_answer(two):
    served = two()
    you = served.visitor()
    page = you.get()
    assert page.status == 200 and "0 of 5 judged" in page.body
    done = you.judge(page, "a", sent={"reason": " it says how "})
    assert done.status == 303 and done.headers["location"].startswith("/?query=q1&doc_a=")
    (row,) = history(served.labels)
    assert (row.query, row.doc_a, row.doc_b) == page.pair
    assert (row.better, row.winner, row.source, row.assessor) == ("a", row.doc_a, "human", "anna")
    assert (row.seconds, row.reason) == (3.2, "it says how")
    assert row.rubric.startswith("preference-en@") and row.details["desk"] == "web"
    assert served.labels.last() == 0  # no judgment of a document
    following = you.get(done.headers["location"])
    assert following.pair != page.pair and "1 of 5 judged" in following.body


def test_which_stands_left_is_random_and_stays(two):
    served, again = two(), two(seed=7)
    lefts = [a < b for _, a, b in served.desk.queues["anna"]]
    assert set(lefts) == {True, False}
    assert {frozenset(p) for p in served.desk.queues["anna"]} == {
        frozenset(p) for p in again.desk.queues["anna"]
    }
    assert served.desk.queues == two().desk.queues
    you = served.visitor()
    page = you.get()
    query, a, b = page.pair
    for turned in ((a, b), (b, a)):  # a link with the documents in the other order changes nothing
        address = "/?" + urlencode({"query": query, "doc_a": turned[0], "doc_b": turned[1]})
        assert you.get(address).pair == page.pair


def test_judged_in_the_other_order_before(two):
    """Another seed turns a pair: it is judged all the same, and shown as it was judged."""
    served = two()
    query, a, b = served.desk.queues["anna"][0]
    record_preferences(served.labels, [Preference(query, b, a, "a", assessor="anna")])
    you = served.visitor()
    assert "1 of 5 judged" in you.get().body
    page = you.get("/?" + urlencode({"query": query, "doc_a": a, "doc_b": b}))
    assert page.pair == (query, b, a) and "You said: A is better" in page.body
    turned = you.judge(page, "b", sent={"doc_a": a, "doc_b": b})  # of another page
    assert "told=crossed" in turned.headers["location"] and len(kept(served)) == 1
    you.judge(page, "b")
    assert [(s.outcome, s.winner) for s in settled(current_preferences(served.labels))] == [
        ("preferred", a)
    ]


def test_both_orders(two):
    served = two(both=True)
    you = served.visitor()
    assert "0 of 10 judged" in you.get().body
    for n in range(10):
        page = you.get()
        you.judge(page, "a" if n < 5 or n == 9 else "b")
    assert "All of your pairs have been judged." in you.get().body
    outcomes = sorted(s.outcome for s in settled(current_preferences(served.labels)))
    assert outcomes == ["inconsistent", *["preferred"] * 4]


def test_skipped_unsure_undo_and_change(two):
    served = two()
    you = served.visitor()
    skipped = you.get()
    you.judge(skipped, "skip")
    for said in ("unsure", "tie", "b", "a"):
        you.judge(you.get(), said)
    end = you.get()
    assert "1 was skipped" in end.body
    page = you.get("/?skipped=1")
    assert page.pair == skipped.pair
    you.judge(page, "tie")
    end = you.get()
    assert "All of your pairs have been judged." in end.body
    back = you.undo(end)
    page = you.get(back.headers["location"])
    assert page.pair == skipped.pair and "You said: skipped" in page.body
    assert "taken back: query q1, documents" in page.body
    assert you.undo(end).headers["location"] == "/?told=undo.crossed"
    assert [r[4] for r in kept(served)][-2:] == ["graded", "undone"]
    assert [r[3] for r in kept(served)] == [None, None, "tie", "b", "a", "tie", None]


def test_sent_twice_two_tabs_and_another_form(two):
    served = two()
    you = served.visitor()
    one, other = you.get(), you.get()
    assert one.pair == other.pair
    places = [you.judge(one, "a").headers["location"] for _ in range(3)]
    assert places[0] == places[1] == places[2] and len(kept(served)) == 1
    crossed = you.judge(other, "b")
    assert "told=crossed" in crossed.headers["location"]
    page = you.get(crossed.headers["location"])
    assert "Nothing was stored" in page.body and "You said: A is better" in page.body
    for said in ("3", "c", "A", "undone", "graded", "failed"):
        assert you.judge(you.get(), said).status == 400, said
    query, _, b = you.get().pair
    for sent in ({"doc_a": b}, {"doc_b": "nothing"}, {"query": "q2"}):
        assert you.judge(you.get(), "a", sent=sent).status == 404, sent
    assert you.get(f"/?query={query}&doc_a=x&doc_b=y").status == 404
    assert len(kept(served)) == 1


def test_forms_of_other_sites(two):
    served = two()
    you = served.visitor()
    page = you.get()
    assert you.judge(page, "a", Origin="http://evil.example").status == 403
    assert you.judge(page, "a", sent={"token": "x" * 43}).status == 403
    assert you.judge(page, "a", Host="evil.example").status == 421
    assert kept(served) == []


def test_blind_and_shared(two):
    served = two(assessors=("anna", "bo"), overlap=1.0, only=())
    model = {"source": "llm", "model": "secret-model"}
    record_preferences(
        served.labels,
        [Preference(*p, "a", assessor="bo", reason="because-of-a-secret")
         for p in served.desk.queues["bo"]]
        + [Preference(*p, "b", **model) for p in served.desk.queues["anna"]],
    )  # fmt: skip
    anna, bo = served.visitor(), served.visitor()
    for you, name in ((anna, "anna"), (bo, "bo")):
        you.ask("POST", "/who", {"token": you.get().hidden("token"), "name": name})
    page = anna.get()
    assert "0 of 10 judged" in page.body and "All of your pairs" in bo.get().body
    for text in (page.body, anna.get("/mine").body):
        assert "secret" not in text and ">bo<" not in text and "You said" not in text


def test_divided(two):
    served = two(assessors=("anna", "bo"), overlap=0.4, only=())
    own = {a: {frozenset(p) for p in q} for a, q in served.desk.queues.items()}
    assert len(own["anna"] & own["bo"]) == 4 and len(own["anna"] | own["bo"]) == 10
    assert abs(len(own["anna"]) - len(own["bo"])) <= 1


def test_it_goes_on_where_it_was_left_and_again_in_another_round(two):
    served = two()
    you = served.visitor()
    for _ in range(3):
        you.judge(you.get(), "tie")
    expected = you.get().pair
    page = two(labels=served.labels).visitor().get()
    assert page.pair == expected and "3 of 5 judged" in page.body
    page = two(labels=served.labels, round="second").visitor().get()
    assert "0 of 5 judged" in page.body


def test_hostile_documents(two):
    served = two(fields=("url",), only=())
    you = served.visitor()
    bodies = []
    for _ in range(10):
        page = you.get()
        bodies.append(page.body)
        you.judge(page, "tie", sent={"reason": "<i>why"})
    bodies += [you.get("/mine").body, you.get().body]
    for body in bodies:
        tags = {t.lower() for t in re.findall(r"<\s*/?\s*([a-zA-Z]+)", body)}
        assert tags.isdisjoint({"img", "style", "b", "i"})
        assert body.count("<script") == 1 and body.count("<meta") <= 3
        assert not re.search(r"<[^>]*\son[a-z]+\s*=", body)
        assert 'href="javascript' not in body
        assert not re.search("[\x00-\x08\x1b\u202a-\u202e\u2066-\u2069]", body)
    whole = "".join(bodies)
    assert "&lt;script&gt;" in whole and "⟨U+202E⟩" in whole and "&lt;i&gt;why" in whole
    assert "<mark>蓝色</mark>的<mark>鞋子</mark>" in whole
    assert "The first 20000 of 45007 characters." in whole
    assert len(current_preferences(served.labels)) == 10


def test_chinese(two):
    page = two(lang="zh", rubric="preference-zh").visitor().get()
    assert "A 更好" in page.body and "平局" in page.body and "哪一篇更好地回答" in page.body
