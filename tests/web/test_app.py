"""The desk over HTTP: what is kept, what is refused, what is shown."""

from __future__ import annotations

import re
import threading
from urllib.parse import urlencode

import pytest

from cranfield.judging.judgment import Judgment


def grades(served):
    return [(j.query, j.doc, j.grade, j.state) for j in served.labels.history()]


def test_a_judgment_is_kept_before_the_answer(serving):
    served = serving(only=("q1",))
    you = served.visitor()
    page = you.get()
    assert page.status == 200 and "blue shoes" in page.body
    done = you.judge(page, "2", sent={"reason": "  right colour "})
    assert done.status == 303 and done.headers["location"].startswith("/?query=q1&doc=")
    (row,) = served.labels.history()
    assert (row.query, row.doc) == page.pair
    assert (row.grade, row.source, row.assessor, row.seconds) == (2, "human", "anna", 3.2)
    assert row.reason == "right colour" and row.rubric.startswith("grades-en@")
    assert row.details["desk"] == "web" and len(row.details["ticket"]) > 10
    following = you.get(done.headers["location"])
    assert following.pair != page.pair and "1 of 6 judged" in following.body
    assert you.get("/").pair == following.pair


def test_json_for_the_script(serving):
    served = serving()
    you = served.visitor()
    page = you.get()
    done = you.judge(page, "unsure", Accept="application/json")
    assert done.status == 200 and '"next":"/?query=' in done.body
    assert grades(served) == [(*page.pair, None, "unsure")]
    bad = you.judge(you.get(), "7", Accept="application/json")
    assert bad.status == 400 and "no grade 7" in bad.body


def test_all_of_it_then_the_skipped_then_undo(serving):
    served = serving(only=("q1",))
    you = served.visitor()
    skipped = []
    for n in range(6):
        page = you.get()
        said = "skip" if n in (1, 4) else "0"
        skipped += [page.pair] if said == "skip" else []
        you.judge(page, said)
    end = you.get()
    assert "2 were skipped" in end.body and "4 of 6 judged" in end.body
    first = you.get("/?skipped=1")
    assert first.pair == skipped[0]
    second = you.get(you.judge(first, "3").headers["location"])
    assert second.pair == skipped[1]
    you.judge(second, "unsure")
    end = you.get()
    assert "All of your pairs have been judged." in end.body
    back = you.undo(end)
    assert back.status == 303
    page = you.get(back.headers["location"])
    assert page.pair == skipped[1] and "taken back" in page.body
    assert "You said: skipped" in page.body  # what was said before counts again
    assert [j.state for j in served.labels.history()][-2:] == ["unsure", "undone"]


def test_sent_twice_is_kept_once(serving):
    served = serving()
    you = served.visitor()
    page = you.get()
    places = [you.judge(page, "1").headers["location"] for _ in range(3)]
    assert places[0] == places[1] == places[2] and "told" not in places[0]
    assert grades(served) == [(*page.pair, 1, "graded")]


def test_at_once_from_many_threads(serving):
    served = serving()
    you = served.visitor()
    page = you.get()
    threads = [threading.Thread(target=you.judge, args=(page, "1")) for _ in range(12)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert grades(served) == [(*page.pair, 1, "graded")]


def test_two_tabs(serving):
    """The second tab shows what the first has judged: it overwrites nothing unseen."""
    served = serving()
    you = served.visitor()
    one, two = you.get(), you.get()
    assert one.pair == two.pair
    you.judge(one, "3")
    crossed = you.judge(two, "0")
    assert "told=crossed" in crossed.headers["location"]
    assert grades(served) == [(*one.pair, 3, "graded")]
    page = you.get(crossed.headers["location"])
    assert "Nothing was stored" in page.body and "You said: 3 perfect match" in page.body
    you.judge(page, "0")  # and now it is a change
    assert [g[2] for g in grades(served)] == [3, 0]
    assert len(served.labels.current()) == 1


def test_the_back_button_shows_and_changes(serving):
    served = serving()
    you = served.visitor()
    first = you.get()
    you.judge(first, "3")
    query, doc = first.pair
    again = you.get("/?" + urlencode({"query": query, "doc": doc}))
    assert again.headers["cache-control"] == "no-store"
    assert "You said: 3" in again.body
    done = you.judge(again, "1")
    assert you.get(done.headers["location"]).pair != first.pair
    assert served.labels.current()[0].grade == 1


def test_undo_only_the_last_and_once(serving):
    served = serving()
    you = served.visitor()
    you.judge(you.get(), "1")
    stale = you.get()
    you.judge(stale, "2")
    page = you.get()
    assert you.undo(stale).headers["location"] == "/?told=undo.crossed"
    assert "Nothing was undone" in you.get("/?told=undo.crossed").body
    assert you.undo(page).status == 303
    assert you.undo(page).headers["location"] == "/?told=undo.crossed"
    assert [j.state for j in served.labels.history()] == ["graded", "graded", "undone"]
    assert you.undo(you.get()).status == 303
    assert served.labels.current() == ()
    assert you.undo(page, last="").headers["location"] == "/"


def test_it_goes_on_where_it_was_left(serving):
    served = serving()
    you = served.visitor()
    for _ in range(3):
        you.judge(you.get(), "1")
    expected = you.get().pair
    again = serving(labels=served.labels)
    page = again.visitor().get()
    assert page.pair == expected and "3 of 12 judged" in page.body


def test_another_round_asks_again(serving):
    served = serving(only=("q1",))
    you = served.visitor()
    for _ in range(6):
        you.judge(you.get(), "1")
    second = serving(only=("q1",), labels=served.labels, round="second")
    again = second.visitor()
    page = again.get()
    assert "0 of 6 judged" in page.body and "You said" not in page.body
    again.judge(page, "2")
    assert "1 of 6 judged" in again.get().body
    assert served.labels.history()[-1].details["round"] == "second"
    assert sorted(j.grade for j in served.labels.current()) == [1, 1, 1, 1, 1, 2]


def test_blind(serving):
    """Nothing of others, of systems or of the query's class is on any page."""
    served = serving(("anna", "bo"), overlap=1.0)
    reason = "because-of-a-secret"
    served.labels.record(
        [
            Judgment(q, d, 3, assessor=who, source=source, model=model, reason=reason)
            for q, d in served.desk.queues["anna"]
            for who, source, model in (("bo", "human", ""), ("", "llm", "secret-model"))
        ]
    )
    anna, bo = served.visitor(), served.visitor()
    for you, name in ((anna, "anna"), (bo, "bo")):
        token = you.get().hidden("token")
        assert you.ask("POST", "/who", {"token": token, "name": name}).status == 303
    page = anna.get()
    assert "0 of 12 judged" in page.body
    for text in (page.body, anna.get("/mine").body):
        assert "secret" not in text and ">bo<" not in text
        assert "You said" not in text
    assert "All of your pairs have been judged." in bo.get().body


def test_who_judges(serving):
    served = serving(("anna", "b\u00f6 & <co>"))
    you = served.visitor()
    page = you.get("/mine")
    assert page.status == 303
    page = you.get()
    assert "Who is judging?" in page.body and "b\u00f6 &amp; &lt;co&gt;" in page.body
    token = page.hidden("token")
    bad = you.ask("POST", "/who", {"token": token, "name": "mallory"})
    assert bad.status == 400
    you.ask("POST", "/who", {"token": token, "name": "b\u00f6 & <co>"})
    you.judge(you.get(), "1")
    assert served.labels.history()[0].assessor == "b\u00f6 & <co>"
    you.ask("POST", "/who", {"token": token, "name": ""})
    assert "Who is judging?" in you.get().body


def test_a_pair_of_somebody_else(serving):
    served = serving(("anna", "bo"))
    you = served.visitor()
    token = you.get().hidden("token")
    you.ask("POST", "/who", {"token": token, "name": "anna"})
    q, d = served.desk.queues["bo"][0]
    page = you.get()
    refused = you.judge(page, "1", sent={"query": q, "doc": d})
    assert refused.status == 404 and "not in your queue" in refused.body
    assert you.get(f"/?query={q}&doc=nothing").status == 404
    assert served.labels.history() == ()


BAD_ORIGINS = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": None},
    {"Origin": None, "Sec_Fetch_Site": "cross-site"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "file://127.0.0.1"},
]


@pytest.mark.parametrize("headers", BAD_ORIGINS)
def test_forms_of_other_sites(serving, headers):
    served = serving()
    you = served.visitor()
    page = you.get()
    assert you.judge(page, "1", **headers).status == 403
    assert served.labels.history() == ()
    assert you.judge(page, "1", Origin=None, Sec_Fetch_Site="same-origin").status == 303


def test_forms_without_their_token(serving):
    served = serving()
    you = served.visitor()
    page = you.get()
    other = served.visitor().get()
    for token in ("", "x" * 43, other.hidden("token"), "é"):
        assert you.judge(page, "1", sent={"token": token}).status == 403
    cookies, you.cookies = you.cookies, {}
    assert you.judge(page, "1").status == 403
    you.cookies = cookies
    assert served.labels.history() == ()
    assert you.judge(page, "1").status == 303


def test_forms_that_are_none(serving):
    served = serving()
    you = served.visitor()
    page = you.get()
    assert you.judge(page, "").status == 400
    for sent in ({"seen": "-1"}, {"seen": "x"}, {"ticket": ""}, {"said": "4"}, {"said": "²"}):
        assert you.judge(page, "1", sent=sent).status == 400, sent
    assert you.judge(page, "1", sent={"reason": "a\0b"}).status == 400
    assert you.ask("POST", "/judge", "a=" + "x" * 70_000).status == 400
    assert you.ask("POST", "/judge", "{}", Content_Type="application/json").status == 400
    assert you.ask("POST", "/judge", b"said=%ff&x=\xff").status == 400
    assert you.ask("GET", "/judge").status == 405
    assert you.get("/nothing").status == 404
    assert you.get("/static/../serve.py").status == 404
    assert you.get("/static/%2e%2e%2fserve.py").status == 404
    assert served.labels.history() == ()
    for seconds in ("nan", "-4", "1e9", "inf"):
        page = you.get()
        you.judge(page, "1", sent={"seconds": seconds})
        assert served.labels.history()[-1].seconds is None
    you.judge(you.get(), "1", sent={"seconds": ""})
    assert 0 <= served.labels.history()[-1].seconds < 20  # since the page was made


def test_names_of_the_server(serving):
    you = serving().visitor()
    for host in ("evil.example", "127.0.0.1.evil.example:80", "", "localhost.evil"):
        assert you.get(Host=host).status == 421, host
    for host in ("localhost:9000", "127.0.0.1", "[::1]:8642", "LOCALHOST"):
        assert you.get(Host=host).status == 200, host


def test_every_answer_has_the_policy(serving):
    you = serving().visitor()
    paths = ("/", "/mine", "/nothing", "/static/judge.js", "/static/judge.css", "/static/icon.svg")
    for answer in [*map(you.get, paths), you.get(Host="evil.example")]:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "server" not in answer.headers
    for cookie in you.get().cookies:
        assert "HttpOnly" in cookie and "SameSite=lax" in cookie


def test_tokens(serving):
    served = serving(("anna", "bo"), secret="s" * 32)
    you = served.visitor()
    assert you.get().status == 403
    assert you.get("/?token=" + "0" * 32).status == 403
    link = served.links["anna"]
    path = link.removeprefix(served.base)
    came = you.get(path, Host="judge.example.org")
    assert came.status == 303 and came.headers["location"] == "/"
    page = you.get(Host="judge.example.org")
    assert page.status == 200 and ">anna<" in page.body
    done = you.judge(page, "2", Host="judge.example.org", Origin="https://judge.example.org")
    assert done.status == 303
    refused = you.ask("POST", "/who", {"token": page.hidden("token"), "name": "bo"})
    assert refused.status == 400  # nobody becomes another by saying so
    assert [j.assessor for j in served.labels.history()] == ["anna"]
    anonymous = served.visitor()
    assert anonymous.judge(page, "2").status == 403
    assert served.links["anna"] != served.links["bo"]
    again = serving(("anna", "bo"), secret="s" * 32, labels=served.labels)
    assert again.links["bo"].partition("?")[2] == served.links["bo"].partition("?")[2]


def test_hostile_documents(serving):
    served = serving(fields=("url",))
    you = served.visitor()
    bodies = []
    for _ in range(12):
        page = you.get()
        bodies.append(page.body)
        you.judge(page, "0")
    bodies += [you.get("/mine").body, you.get().body]
    for body in bodies:
        tags = {t.lower() for t in re.findall(r"<\s*/?\s*([a-zA-Z]+)", body)}
        assert tags.isdisjoint({"img", "style", "b"})
        assert body.count("<script") == 1 and body.count("<meta") <= 3
        assert not re.search(r"<[^>]*\son[a-z]+\s*=", body)
        assert 'href="javascript' not in body and "{{" not in body.replace("{{ 7*7 }}", "")
        assert not re.search("[\x00-\x08\x1b\u202a-\u202e\u2066-\u2069]", body)
    whole = "".join(bodies)
    assert "&lt;script&gt;" in whole and "⟨U+202E⟩" in whole and "⟨U+001B⟩[31m" in whole
    assert "<mark>蓝色</mark>的<mark>鞋子</mark>" in whole
    assert len(served.labels.current()) == 12


def test_a_long_document_is_cut_and_says_so(serving):
    served = serving(only=("q1",))
    you = served.visitor()
    page = you.get("/?query=q1&doc=d4")
    assert "The first 20000 of 45007 characters." in page.body and "the end" not in page.body
    assert "the end" in you.get("/?query=q1&doc=d4&whole=1").body
    assert "(no text)" in you.get("/?query=q1&doc=d5").body


def test_chinese(serving):
    served = serving(lang="zh", rubric="grades-zh")
    you = served.visitor()
    page = you.get()
    assert 'lang="zh-Hans"' in page.body and "完美匹配" in page.body and "不确定" in page.body
    english = you.get(f"/?query={page.pair[0]}&doc=d1&lang=en")
    assert "不确定" not in english.body and "unsure</button>" in english.body
    assert "unsure</button>" in you.get().body  # and it is remembered
    assert "不确定" in served.visitor().get().body


def test_a_store_that_cannot_be_written(serving, tmp_path):
    served = serving()
    you = served.visitor()
    page = you.get()
    folder = tmp_path / "labels.sqlite"
    folder.mkdir()
    refused = you.judge(page, "1", Accept="application/json")
    assert refused.status == 503 and "cannot be" in refused.body
    folder.rmdir()
    assert you.judge(page, "1").status == 303  # the same form, sent again
    assert len(served.labels.history()) == 1


def test_mine(serving):
    served = serving(only=("q1",))
    you = served.visitor()
    assert "Nothing has been judged yet." in you.get("/mine").body
    for said in ("3", "unsure"):
        you.judge(you.get(), said, sent={"reason": f"<i>{said}"})
    body = you.get("/mine").body
    assert body.index("unsure") < body.index("3 perfect match")
    assert "&lt;i&gt;3" in body


def test_numbers_that_are_none(serving):
    served = serving()
    you = served.visitor()
    page = you.get()
    long = "9" * 5000
    assert you.judge(page, "1", sent={"seen": long}).status == 400
    assert you.judge(page, long).status == 400
    you.judge(page, "1")
    assert you.undo(you.get(), last=long).headers["location"] == "/"
    assert len(served.labels.history()) == 1


def test_a_known_document_is_shown_beside_where_the_rubric_says_so(serving, tmp_path):
    folder = tmp_path / "known"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "", "text": "a <b>blue</b> shoe"}\n'
        '{"_id": "d2", "title": "", "text": "a hat"}\n'
    )
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "blue shoes"}\n')
    (folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    served = serving(rubric="reference", on=folder)
    you = served.visitor()
    page = you.get()
    assert page.pair == ("q1", "d2") and "0 of 1 judged" in page.body
    known, judged = page.body.index('id="known"'), page.body.index('id="text"')
    assert known < page.body.index("&lt;b&gt;<mark>blue</mark>&lt;/b&gt;") < judged
    assert judged < page.body.index("a hat")
    assert "A document that is known to be relevant" in page.body
    you.judge(page, "0")
    assert served.labels.history()[0].details["reference"] == "d1"
    assert "known to be relevant" not in serving(on=folder, only=("q1",)).visitor().get().body
