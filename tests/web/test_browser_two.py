"""Two documents in a real browser: keys, kills, hostile texts, and how it looks."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations

import pytest

driven = sys.modules["driven"]  # conftest.py has loaded it
LOOKS, MEASURE, PHONE = driven.LOOKS, driven.MEASURE, driven.PHONE
arrive, photograph, press, ready = driven.arrive, driven.photograph, driven.press, driven.ready
shown = driven.shown


@pytest.fixture
def two(program, pairs):
    def start(*args, **more):
        given = ("--rubric", "preference", "--assessor", "anna", "--work-list", pairs)
        return program(*given, *args, **more)

    return start


def test_keys(two, opened):
    served = two("--query", "q1")
    page = opened(served.address)
    expected = []
    for key, better in (("ArrowLeft", "a"), ("2", "b"), ("t", "tie"), ("u", None)):
        expected.append((*shown(page), better, "graded" if better else "unsure"))
        press(page, key)
    last = shown(page)
    press(page, "s")
    press(page, "z")
    assert shown(page) == last and "taken back" in page.inner_text("#alert")
    page.keyboard.press("r")
    page.keyboard.type("a b t")  # keys are letters there, and arrows move within them
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(400)
    page.keyboard.press("Escape")
    press(page, "ArrowRight")
    states = [(None, "skip"), (None, "undone"), ("b", "graded")]
    assert served.preferences() == expected + [(*last, *s) for s in states]
    assert "All of your pairs have been judged." in page.inner_text("main")
    assert page.said == []


def test_both_scroll_and_a_key_held_down_judges_once(two, opened):
    served = two("--query", "q1", "--order", "list", "--seed", 1)
    page = opened(served.address)
    while "d4" not in shown(page):  # it is long
        press(page, "s")
    before = shown(page)
    letter = "A" if before[1] == "d4" else "B"
    assert page.evaluate(f"document.getElementById('{letter}').scrollTop") == 0
    page.keyboard.press("ArrowDown")
    page.wait_for_function(f"document.getElementById('{letter}').scrollTop > 0")
    n = len(served.preferences())
    for _ in range(5):
        page.keyboard.down("t")
        page.wait_for_timeout(30)
    ready(page)
    page.wait_for_timeout(400)
    page.keyboard.down("t")
    page.wait_for_timeout(300)
    page.keyboard.up("t")
    assert served.preferences()[n:] == [(*before, "tie", "graded")]


def test_no_preference_is_lost_when_the_server_is_killed(two, opened):
    served = two()
    page = opened(served.address)
    answered = []
    for key, better in (("a", "a"), ("ArrowRight", "b"), ("t", "tie")):
        answered.append((*shown(page), better, "graded"))
        press(page, key)
        served.kill()  # right after the answer
        assert served.preferences() == answered
        last = shown(page)
        page.evaluate("delete document.documentElement.dataset.ready")
        page.keyboard.press("b")  # nobody is there
        page.wait_for_selector("#alert:not([hidden])")
        assert "may not be stored" in page.inner_text("#alert")
        served = two(port=served.port)
        assert served.preferences() == answered
        page.keyboard.press("b")  # the same page, without a reload
        ready(page)
        answered.append((*last, "b", "graded"))
        assert served.preferences() == answered


def test_killed_while_it_is_judged(two, opened):
    served = two()
    page = opened(served.address)
    for n in range(4):
        pair = shown(page)
        page.evaluate("delete document.documentElement.dataset.ready")
        page.keyboard.press("a")
        page.wait_for_timeout(6 * n)
        served.kill()
        page.wait_for_timeout(300)
        served = two(port=served.port)
        if page.locator("#alert").is_visible():  # it never left
            page.keyboard.press("a")
            ready(page)
        else:
            arrive(page, served.address)
            if shown(page) == pair:
                press(page, "a")
        rows = served.preferences()
        assert rows[-1] == (*pair, "a", "graded") and len(rows) == n + 1


def test_hostile_documents_do_nothing(two, opened):
    served = two("--field", "url")
    page = opened(served.address)
    for n in range(10):
        assert page.evaluate("window.pwned") is None
        assert page.locator("article script, article img, article form, .text a").count() == 0
        if "d2" in shown(page):
            photograph(page, f"two-bidi-{n}")
        press(page, "t")
    assert "All of your pairs have been judged." in page.inner_text("main")
    assert page.said == []


def test_without_javascript(two, browser):
    served = two()
    driven.answer_and_undo_without_javascript(browser, served.address, "tie")
    assert [r[3:] for r in served.preferences()] == [("tie", "graded"), (None, "undone")]


def test_from_runs_to_scores(program, opened, bundled, tmp_path):
    """Pairs of the first documents of two runs, judged in the browser, scored by a measure."""
    docs = ["md:d88bb275", "html:f1be41d7", "md:0a2eb0f1"]
    for name, own in (("x.run", docs), ("y.run", docs[::-1])):
        lines = [f"q01 Q0 {d} {n} {9 - n} s\n" for n, d in enumerate(own, 1)]
        (tmp_path / name).write_text("".join(lines))
    runs = ("--run", tmp_path / "x.run", "--run", tmp_path / "y.run")
    served = program("--rubric", "preference", "--assessor", "anna", *runs, on=bundled)
    page = opened(served.address)
    seen = set()
    for _ in range(3):
        _, a, b = shown(page)
        seen.add(frozenset((a, b)))
        press(page, "a" if docs.index(a) < docs.index(b) else "b")
    assert seen == set(map(frozenset, combinations(docs, 2)))

    def cranfield(*args):
        call = [sys.executable, "-m", "cranfield", *map(str, args)]
        done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stderr
        return done

    cranfield("judge", "preferences", "--labels", served.store, "-o", "mine.prefs")
    scored = cranfield(
        *("evaluate", "mine.prefs", "x.run", "y.run", "-m", "NumPrefs", "-m", "prefs_simp"),
        *("--qrels-format", "prefs", "--format", "json"),
    )
    rows = json.loads(scored.stdout)["rows"]
    assert [(r["run"], r["NumPrefs"], r["prefs_simp"]) for r in rows] == [
        ("x", 3.0, 1.0), ("y", 3.0, 0.0),
    ]  # fmt: skip


@pytest.mark.parametrize(("lang", "scheme", "size"), LOOKS)
def test_it_is_legible(program, opened, bundled, tmp_path, lang, scheme, size):
    pairs = "query\tdoc_a\tdoc_b\nq04\thtml:f1be41d7\tmd:d88bb275\nq01\tmd:d88bb275\tmd:0a2eb0f1\n"
    (tmp_path / "two.tsv").write_text(pairs)
    served = program(
        *("--assessor", "安娜", "--rubric", "preference", "--work-list", tmp_path / "two.tsv"),
        *("--lang", lang, "--order", "list"),
        on=bundled,
    )
    more = {**(PHONE if size == "phone" else {}), "color_scheme": scheme}
    page = opened(served.address, **more)
    name = f"two-{lang}-{scheme}-{size}"
    for number, key in enumerate(("ArrowLeft", "s"), 1):
        photograph(page, f"{name}-{number}")
        found = page.evaluate(MEASURE)
        assert found["scroll"] <= found["width"] + 1
        assert found["wide"] == [] and found["faint"] == []
        boxes = [b.bounding_box() for b in page.locator(".answer button:visible").all()]
        assert len(boxes) == 6 and all(b["height"] >= 44 for b in boxes)
        assert all(b["y"] + b["height"] <= page.viewport_size["height"] for b in boxes)
        a, b = (page.locator(f"#{letter}").bounding_box() for letter in "AB")
        assert a["height"] > 100 and b["height"] > 100
        assert b["y"] + b["height"] <= boxes[0]["y"]  # both are seen at once, above the buttons
        if size == "desk":
            assert a["y"] == b["y"] and a["x"] < b["x"]
        else:
            assert a["y"] + a["height"] <= b["y"] and a["x"] == b["x"]
        press(page, key)
    page.go_back()
    ready(page)
    photograph(page, f"{name}-back")
    page.goto(served.address + "mine")
    photograph(page, f"{name}-mine")
    assert page.evaluate(MEASURE)["faint"] == []
    assert page.said == []
