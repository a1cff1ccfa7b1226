"""The desk in a real browser, served by a process of its own that is also killed."""

from __future__ import annotations

import signal
import sys

import pytest

from cranfield.judging.labels import open_labels

driven = sys.modules["driven"]  # conftest.py has loaded it
LOOKS, MEASURE, PHONE = driven.LOOKS, driven.MEASURE, driven.PHONE
arrive, photograph, press, ready = driven.arrive, driven.photograph, driven.press, driven.ready
shown = driven.shown


def test_keys(program, opened):
    served = program("--assessor", "anna", "--query", "q1")
    page = opened(served.address)
    expected = []
    for key, grade, state in (("3", 3, "graded"), ("0", 0, "graded"), ("u", None, "unsure")):
        expected.append((*shown(page), grade, state))
        press(page, key)
    skipped = shown(page)
    press(page, "s")
    press(page, "z")
    assert shown(page) == skipped and "taken back" in page.inner_text("#alert")
    press(page, "2")
    expected += [(*skipped, None, "skip"), (*skipped, None, "undone"), (*skipped, 2, "graded")]
    assert served.rows() == expected
    page.keyboard.press("r")
    page.keyboard.type("3 u s z because")  # keys are letters there
    page.keyboard.press("Enter")
    page.wait_for_timeout(400)
    assert served.rows() == expected
    page.keyboard.press("Escape")
    press(page, "1")
    labels = open_labels(served.store)
    row = labels.history()[-1]
    labels.close()
    assert (row.grade, row.reason) == (1, "3 u s z because")
    assert 0.3 < row.seconds < 60
    assert page.said == []


def test_what_is_held_down_or_comes_too_soon_judges_once(program, opened):
    served = program("--assessor", "anna")
    page = opened(served.address)
    before = shown(page)
    for _ in range(5):  # as a key that is held down: the first and repeats, over the next page too
        page.keyboard.down("1")
        page.wait_for_timeout(30)
    ready(page)
    page.wait_for_timeout(400)
    page.keyboard.down("1")
    page.wait_for_timeout(400)
    page.keyboard.up("1")
    assert served.rows() == [(*before, 1, "graded")]
    page.dblclick("button[name=said][value='2']")
    page.wait_for_timeout(600)
    assert len(served.rows()) == 2


def test_no_judgment_is_lost_when_the_server_is_killed(program, opened):
    served = program("--assessor", "anna")
    page = opened(served.address)
    answered = []
    for n in range(3):
        answered.append((*shown(page), float(n % 4), "graded"))
        press(page, str(n % 4))
        served.kill()  # right after the answer
        assert served.rows() == answered
        last = shown(page)
        page.evaluate("delete document.documentElement.dataset.ready")
        page.keyboard.press("2")  # nobody is there
        page.wait_for_selector("#alert:not([hidden])")
        assert "may not be stored" in page.inner_text("#alert")
        served = program("--assessor", "anna", port=served.port)
        assert served.rows() == answered
        page.keyboard.press("2")  # the same page, without a reload
        ready(page)
        answered.append((*last, 2.0, "graded"))
        assert served.rows() == answered
    assert len(answered) == 6


def test_killed_while_it_is_judged(program, opened):
    """What was answered is there, and what was sent is there once, whenever the kill came."""
    served = program("--assessor", "anna")
    page = opened(served.address)
    for n in range(4):
        pair = shown(page)
        page.evaluate("delete document.documentElement.dataset.ready")
        page.keyboard.press("1")
        page.wait_for_timeout(6 * n)
        served.kill()
        page.wait_for_timeout(300)
        served = program("--assessor", "anna", port=served.port)
        if page.locator("#alert").is_visible():  # it never left
            page.keyboard.press("1")
            ready(page)
        else:  # it left, and what came is whole, broken or the browser's own page
            arrive(page, served.address)
            if shown(page) == pair:
                press(page, "1")
        rows = served.rows()
        assert rows[-1] == (*pair, 1.0, "graded") and len(rows) == n + 1


def test_two_tabs_and_the_back_button(program, opened):
    served = program("--assessor", "anna")
    one = opened(served.address)
    two = opened(served.address, context=one.context)
    first = shown(one)
    assert shown(two) == first
    press(one, "3")
    press(two, "0")
    assert "Nothing was stored" in two.inner_text("#alert")
    assert "3 perfect match" in two.inner_text(".own")
    assert served.rows() == [(*first, 3, "graded")]
    photograph(two, "two-tabs")
    second = shown(one)
    press(one, "1")
    one.go_back()
    ready(one)
    assert shown(one) == second and "1 partly relevant" in one.inner_text(".own")
    press(one, "2")
    assert served.rows()[1:] == [(*second, 1, "graded"), (*second, 2, "graded")]
    one.go_back()
    one.go_back()
    ready(one)
    assert served.rows()[1:] == [(*second, 1, "graded"), (*second, 2, "graded")]


def test_hostile_documents_do_nothing(program, opened):
    served = program("--assessor", "anna", "--field", "url")
    page = opened(served.address)
    for n in range(12):
        assert page.evaluate("window.pwned") is None
        assert page.locator("article script, article img, article form, .text a").count() == 0
        if shown(page)[1] == "d2":
            photograph(page, f"bidi-{n}")
        press(page, "0")
    assert "All of your pairs have been judged." in page.inner_text("main")
    assert page.said == []


def test_without_javascript(program, browser):
    served = program("--assessor", "anna")
    driven.answer_and_undo_without_javascript(browser, served.address, "3")
    assert [r[2:] for r in served.rows()] == [(3, "graded"), (None, "undone")]


def test_a_link_with_a_token(program, opened):
    served = program("--assessor", "anna", "--assessor", "bo", "--token")
    page = opened(served.address)
    assert "token" not in page.url
    assert page.inner_text(".name") == "anna"
    press(page, "1")
    assert len(served.rows()) == 1
    assert "1 row added" in served.kill(signal.SIGINT)


@pytest.mark.parametrize(("lang", "scheme", "size"), LOOKS)
def test_it_is_legible(program, opened, bundled, lang, scheme, size):
    served = program(
        "--assessor", "安娜", "--query", "q01", "--query", "q04", "--lang", lang, on=bundled
    )
    more = {**(PHONE if size == "phone" else {}), "color_scheme": scheme}
    page = opened(served.address, **more)
    press(page, "2")
    press(page, "s")
    name = f"{lang}-{scheme}-{size}"
    for query, doc in (("q04", "html:f1be41d7"), ("q01", "md:d88bb275")):
        page.goto(f"{served.address}?query={query}&doc={doc}")
        ready(page)
        assert page.locator("article mark").count() > 2
        photograph(page, f"{name}-{query}")
    found = page.evaluate(MEASURE)
    assert found["scroll"] <= found["width"] + 1 and found["wide"] == [] and found["faint"] == []
    buttons = page.locator(".answer button:visible")
    boxes = [b.bounding_box() for b in buttons.all()]
    assert len(boxes) == 7 and all(b["height"] >= 44 for b in boxes)
    assert all(b["y"] + b["height"] <= page.viewport_size["height"] for b in boxes)
    rubric = page.evaluate("document.getElementById('rubric').open")
    assert rubric == (size == "desk")
    text = page.locator("#text").bounding_box()
    assert text["y"] + 100 < boxes[0]["y"]  # some of the document is seen at once
    page.click("nav a[href='/mine']")
    photograph(page, f"{name}-mine")
    assert page.evaluate(MEASURE)["faint"] == []
    assert page.said == []
