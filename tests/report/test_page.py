"""Blocks in every form."""

from __future__ import annotations

import json

from cranfield.report.blocks import Chart, Details, Listed, Note, SideBySide, Text
from cranfield.report.charts.data import Interval, Intervals, Line, Trend
from cranfield.report.page import FORMATS, Page

CHART = Intervals("Chart", "What it says", (Interval("a", 0.25, 0.1, float("nan"), "better"),), "x")
SIDES = SideBySide(
    "q1: <b>query</b>",
    "0.5 → 0.7",
    ("base", "new"),
    (
        (Listed(1, "d1", 2.0, 1.0, "A *title*", "snippet", "now 2"), Listed(2, "d2", None, None)),
        (Listed(1, "d9", 0.0, 0.0, None, None, "new"),),
    ),
    "unjudged",
    "nothing returned",
)
PAGE = Page(
    "Title & <more>",
    "en",
    (
        Note("It is better", ("because", "and"), "better"),
        Chart(CHART),
        SIDES,
        Details("Folded", (Text("inside <i>"),)),
        Chart(Trend("Trend", "up", ("1", "2"), (Line("x", (0.1, 0.2)),), "x"), table=False),
    ),
)


def test_every_form_holds_what_is_said():
    for form in FORMATS:
        text = PAGE.to(form)
        for word in ("It is better", "because", "What it says", "d2", "now 2"):
            assert word in text, (form, word)


def test_text_and_markdown_tabulate_charts_and_lists():
    text = PAGE.to_text()
    assert "+0.2500" in text
    assert "▁█" in text
    assert "d2 (unjudged)" in text
    markdown = PAGE.to_markdown()
    assert "| a | +0.2500 |" in markdown
    assert "&lt;b>query" in markdown
    assert "A \\*title\\*" in markdown


def test_json_is_plain_data_with_a_schema():
    data = json.loads(PAGE.to_json())
    assert data["schema"] == "cranfield.page/1"
    kinds = [b["type"] for b in data["blocks"]]
    assert kinds == ["note", "chart", "side_by_side", "details", "chart"]
    row = data["blocks"][1]["rows"][0]
    assert (row["value"], row["high"]) == (0.25, None)
    assert data["blocks"][2]["lists"][0][1]["grade"] is None
    assert data["blocks"][3]["blocks"] == [{"type": "text", "text": "inside <i>"}]


def test_html_shows_grades_and_holes_by_class_and_by_text():
    html = PAGE.to_html()
    assert '<li class="g4">' in html
    assert '<li class="g0">' in html
    assert '<li class="hole">' in html
    assert "unjudged</span>" in html
    assert "<b>query" not in html
    assert "inside &lt;i&gt;" in html


def test_the_policy_allows_nothing_but_the_style_sheet_inside():
    html = PAGE.to_html()
    assert "default-src 'none'; style-src 'sha256-" in html.replace("&#39;", "'")
    assert "style=" not in html
    assert "<script" not in html
    assert "<link" not in html


def test_what_html_may_not_hold_is_shown():
    page = Page("a\x00b\x1b", "en", (Text("lone \ud800 surrogate"),))
    html = page.to_html()
    assert "\x00" not in html
    assert "\x1b" not in html
    html.encode()
