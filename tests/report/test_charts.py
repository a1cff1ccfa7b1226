"""Charts: data first, and what is drawn of them."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.report.charts.data import (
    Interval,
    Intervals,
    Line,
    Matrix,
    Point,
    Scatter,
    Trend,
    Waterfall,
)
from cranfield.report.charts.draw import to_svg
from cranfield.report.charts.svg import extent, fit, signed, ticks

SVG = "{http://www.w3.org/2000/svg}"


def drawn(chart) -> ET.Element:
    text = to_svg(chart)
    return ET.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def classes(root: ET.Element, kind: str) -> list[str]:
    return [e.get("class", "") for e in root.iter(f"{SVG}{kind}")]


def waterfall(values, tie=0.0) -> Waterfall:
    values = tuple(sorted(values, reverse=True))
    return Waterfall("t", "s", tuple(f"q{i}" for i in range(len(values))), values, "nDCG", tie)


def test_a_waterfall_has_a_bar_a_query_and_tells_ties():
    root = drawn(waterfall([0.5, 0.2, 0.0, 0.05, -0.3], tie=0.1))
    bars = [c for c in classes(root, "rect") if c.startswith("bar")]
    assert bars == ["bar better"] * 2 + ["bar level"] * 2 + ["bar worse"]


def test_many_queries_share_bars_and_none_is_lost():
    chart = waterfall([i / 5000 - 0.5 for i in range(5000)])
    rects = [e for e in drawn(chart).iter(f"{SVG}rect") if "bar" in e.get("class", "")]
    assert 200 < len(rects) <= 350
    spans = [e.find(f"{SVG}title").text.split(":")[0].split("–") for e in rects]
    assert spans[0][0] == "1" and spans[-1][1] == "5000"
    assert all(int(a[1]) + 1 == int(b[0]) for a, b in itertools.pairwise(spans))
    assert len(chart.values) == 5000


def test_bars_start_at_zero_and_are_as_long_as_the_difference():
    chart = waterfall([0.4, 0.2, -0.4])
    rects = [e for e in drawn(chart).iter(f"{SVG}rect") if "bar" in e.get("class", "")]
    heights = [float(e.get("height")) for e in rects]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.02)
    assert heights[0] == pytest.approx(heights[2], abs=0.02)
    assert float(rects[0].get("y")) + heights[0] == pytest.approx(
        float(rects[2].get("y")), abs=0.02
    )


def _shape(mark: ET.Element) -> tuple[str, str, bool]:
    """Tag, kind of path, and whether it points upwards; without place and colour."""
    d = mark.get("d", "")
    ys = [float(y) for y in re.findall(r" ([\d.]+)", d)]
    return mark.tag, re.sub(r"[\d. ]+", "", d), bool(ys) and ys[0] < ys[-1]


def test_intervals_have_a_shape_for_each_verdict_and_a_table():
    kinds = ("better", "worse", "equivalent", "undecided", "refused")
    rows = tuple(Interval(k, 0.1, 0.0, 0.2, k) for k in kinds)
    chart = Intervals("t", "s", (*rows, Interval("none", 0.1, None, None, "refused")), "x", 0.02)
    root = drawn(chart)
    marks = [
        e
        for e in root.iter()
        if e.get("class", "").startswith("mark") and e.find(f"{SVG}title") is not None
    ]
    assert len({_shape(e) for e in marks[:5]}) == 5  # told apart without colour
    assert [c for c in classes(root, "rect") if c == "band"]
    assert sum("whisker" in c for c in classes(root, "line")) == 15  # none for the last row
    grid = chart.grid()
    assert grid.rows[5] == ("none", 0.1, None, None, "refused")


def test_queries_at_one_place_make_one_larger_mark():
    points = [Point("a", 0.0, 0.0), Point("b", 0.0, 0.0), Point("c", 0.2, 0.8)]
    root = drawn(Scatter("t", "s", tuple(points), "base", "run"))
    titles = [e.text for e in root.iter(f"{SVG}title")][1:]
    assert "a, b: 0.0000 → 0.0000" in titles
    circle = next(e for e in root.iter(f"{SVG}circle"))
    assert float(circle.get("r")) > 4
    grid = Scatter("t", "s", tuple(points), "base", "run").grid()
    assert sum(sum(row[1:]) for row in grid.rows) == 3


def test_a_matrix_of_many_is_few_shapes_and_of_few_has_numbers():
    def matrix(m: int) -> Matrix:
        p = [[1.0 if i == j else abs(i - j) / 100 / m for j in range(m)] for i in range(m)]
        names = tuple(f"s{i}" for i in range(m))
        groups = ((0, 1, 3), (2, 3))
        return Matrix("t", "s", names, (0.5,) * m, tuple(map(tuple, p)), groups, "mean")

    many, few = drawn(matrix(150)), drawn(matrix(5))
    assert len(list(many.iter())) < 800
    assert len(to_svg(matrix(150))) < 100_000
    assert any(e.text == ".006" for e in few.iter(f"{SVG}text"))
    assert classes(few, "rect").count("group") == 3  # 0-1 and 3, and 2-3
    assert matrix(5).grid().rows[3][3] == "1 2"


def test_a_trend_skips_what_is_missing():
    chart = Trend("t", "s", ("a", "b", "c"), (Line("x", (0.1, None, 0.3)),), "nDCG")
    root = drawn(chart)
    assert classes(root, "circle") == ["dot", "dot"]
    assert chart.sparks() == ("▁ █",)
    assert Trend("t", "s", (), (), "nDCG").sparks() == ()


def test_empty_charts_are_drawn():
    for chart in (
        waterfall([]),
        Intervals("t", "s", (), "x"),
        Scatter("t", "s", (), "a", "b"),
        Matrix("t", "s", (), (), (), (), "mean"),
        Trend("t", "s", (), (), "x"),
    ):
        drawn(chart)
        chart.grid()


@given(st.text(max_size=80), st.floats(10, 300))
def test_a_text_is_cut_to_its_room(text, room):
    assert extent(fit(text, room)) <= max(room, extent("…"))


@given(st.text())
def test_any_label_makes_well_formed_xml(text):
    root = drawn(Intervals(text, text, (Interval(text, 0.1, 0.0, 0.2, "better"),), text))
    assert root.tag == f"{SVG}svg"


@given(st.floats(-1e6, 1e6), st.floats(1e-9, 1e6))
def test_ticks_lie_in_the_range_and_can_be_told_apart(low, span):
    high = low + span
    if not high > low:
        return
    values, digits = ticks(low, high)
    assert all(low - 1e-6 * span <= v <= high + 1e-6 * span for v in values)
    assert len(values) <= 12
    if span > abs(low) * 1e-6:
        assert len({f"{v:.{digits}f}" for v in values}) == len(values)


def test_zero_has_no_sign():
    assert signed(-0.00001) == "0.0000"
    assert signed(-0.5) == "−0.5000"
    assert signed(0.5) == "+0.5000"
