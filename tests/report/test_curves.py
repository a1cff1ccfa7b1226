"""Charts of curves, panels and trees: what is drawn of the data, and figures as files."""

from __future__ import annotations

import itertools
import re
import struct
import xml.etree.ElementTree as ET
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.report.charts.curves_data import Agreement, Curve, Curves, Panels
from cranfield.report.charts.draw import to_svg
from cranfield.report.charts.figure import to_figure, to_png

SVG = "{http://www.w3.org/2000/svg}"
LEVELS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1)


def curves(n=3, axis="even", **more) -> Curves:
    lines = tuple(
        Curve(f"measure {i}", tuple((x, 0.2 + i / 20 + j / 40) for j, x in enumerate(LEVELS)))
        for i in range(n)
    )
    return Curves("图1 区分能力", "s", lines, "level", "share", axis, **more)


def drawn(chart) -> ET.Element:
    return ET.fromstring(to_svg(chart).replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))


def of_class(root, word: str) -> list[ET.Element]:
    return [e for e in root.iter() if word in e.get("class", "").split()]


def points_of(path: ET.Element) -> list[tuple[float, float]]:
    numbers = re.findall(r"-?[\d.]+", path.get("d"))
    return list(zip(map(float, numbers[::2]), map(float, numbers[1::2]), strict=True))


def test_a_curve_goes_through_its_points_and_higher_is_higher():
    root = drawn(curves(2))
    low, high = (points_of(path) for path in of_class(root, "curve"))
    assert len(low) == len(LEVELS)
    assert all(a[1] > b[1] for a, b in zip(low, high, strict=True))
    steps = [b[0] - a[0] for a, b in itertools.pairwise(low)]
    assert max(steps) - min(steps) < 0.05  # an even axis gives each level the same room


def test_a_logarithmic_axis_is_one():
    (path,) = of_class(drawn(curves(1, "log")), "curve")
    x = [p[0] for p in points_of(path)]
    # from .001 to .01 is as far as from .01 to .1
    assert x[3] - x[0] == pytest.approx(x[6] - x[3], abs=0.05)


def test_curves_differ_by_dash_and_mark_and_not_only_by_colour():
    root = drawn(curves(30))
    looks = set()
    marks = [m for m in of_class(root, "point") if m.find(f"{SVG}title") is not None]
    for i, path in enumerate(of_class(root, "curve")):
        mark = next(m for m in marks if m.find(f"{SVG}title").text.startswith(f"measure {i},"))
        path_of = mark.get("d", "circle")
        letters = re.sub(r"[\d. ]+", "", path_of)
        heights = [float(y) for y in re.findall(r" ([\d.]+)", path_of)]
        upwards = letters == "MLLZ" and heights[0] < heights[1]  # two triangles
        shape = (letters, upwards, "hollow" in mark.get("class"))
        looks.add((path.get("class").split()[-1], shape))
    assert len(looks) == 30


def test_names_at_the_ends_do_not_lie_on_each_other():
    lines = tuple(Curve(f"m{i}", ((1.0, 0.5), (2.0, 0.5 + i / 1000))) for i in range(12))
    root = drawn(Curves("t", "s", lines, "x", "y"))
    names = [e for e in root.iter(f"{SVG}text") if (e.text or "").startswith("m")]
    heights = sorted(float(e.get("y")) for e in names)
    assert len(heights) == 12
    assert all(b - a >= 15 for a, b in itertools.pairwise(heights))


def test_a_model_is_drawn_beyond_what_was_seen_and_named_there():
    line = Curve(
        "AP", ((10.0, 0.4), (20.0, 0.5)), ((0.3, 0.5), (0.4, 0.6)), ((20.0, 0.5), (40, 0.7))
    )
    root = drawn(Curves("t", "s", (line,), "queries", "share", words={"fitted": "extrapolated"}))
    fitted = next(p for p in of_class(root, "fitted") if p.tag == f"{SVG}path")
    assert points_of(fitted)[-1][0] > points_of(of_class(root, "curve")[0])[-1][0]
    texts = [e.text for e in root.iter(f"{SVG}text")]
    assert "AP" in texts and "extrapolated" in texts
    assert len(of_class(root, "spread")) == 1


def test_panels_share_a_scale_and_a_legend():
    one = curves(2)
    other = Curves("AP alone", "", (Curve("measure 1", ((0.001, 0.9), (0.1, 0.95))),), "level", "y")
    chart = Panels("t", "s", (one, other))
    root = drawn(chart)
    lines = of_class(root, "curve")
    assert len(lines) == 3 + 2  # three curves, and two samples in the legend
    assert chart.labels() == ("measure 0", "measure 1")
    # the same measure looks the same in every panel
    assert lines[1].get("class") == lines[2].get("class")
    grid = chart.grid()
    assert len(grid.rows) == len(LEVELS) + 2
    assert grid.rows[-1] == ("AP alone", 0.1, None, 0.95)


def test_the_tables_hold_every_number():
    grid = curves(2).grid()
    assert grid.columns == ("level", "measure 0", "measure 1")
    assert grid.rows[0] == (0.001, 0.2, 0.25)
    apart = Curves(
        "t", "s", (Curve("a", ((0.1, 0.5),)), Curve("b", ((0.2, 0.4),))), "minority", "ties"
    )
    assert apart.grid().rows == (("a", 0.1, 0.5), ("b", 0.2, 0.4))


TAU = ((1.0, 0.95, 0.5), (0.95, 1.0, 0.7), (0.5, 0.7, 1.0))


def test_a_tree_joins_what_is_alike_first():
    chart = Agreement("t", "s", ("AP", "RP", "RR"), TAU, ((0, 1, 0.05), (3, 2, 0.4)), "1 - tau")
    root = drawn(chart)
    branches = of_class(root, "branch")
    assert len(branches) == 2
    turns = [float(re.search(r"H([\d.]+)", b.get("d"))[1]) for b in branches]
    assert turns[1] < turns[0]  # the less alike, the further from the leaves
    cells = [e.get("class") for e in root.iter(f"{SVG}rect") if e.find(f"{SVG}title") is not None]
    assert cells == ["p1", "p4", "p1", "p3", "p4", "p3"]
    assert chart.grid().rows[0] == ("AP", 1.0, 0.95, 0.5)


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=6), min_size=1, max_size=4),
    st.sampled_from(["even", "linear", "log"]),
)
def test_any_curves_make_well_formed_svg(values, axis):
    lines = tuple(
        Curve(f"<{i}>&", tuple((1.0 + j, v) for j, v in enumerate(line)))
        for i, line in enumerate(values)
    )
    chart = Curves("<b>", "&", lines, "x", "y", axis)
    for root in (drawn(chart), drawn(Panels("t", "s", (chart, chart)))):
        assert "nan" not in ET.tostring(root, "unicode")


def test_a_figure_stands_alone_and_has_its_title():
    text = to_figure(curves())
    root = ET.fromstring(text)
    assert "var(" not in text and "@media" not in text
    titles = [e.text for e in root.iter(f"{SVG}text") if e.get("class") == "head"]
    assert titles == ["图1 区分能力"]
    assert text == to_figure(curves())


def test_a_long_title_is_broken_into_lines_also_in_chinese():
    for title in ("显著性水平" * 20, "levels of significance " * 12):
        chart = Curves(title, "s", curves().curves, "x", "y")
        root = ET.fromstring(to_figure(chart))
        lines = [e.text for e in root.iter(f"{SVG}text") if e.get("class") == "head"]
        assert len(lines) > 1
        assert "".join(lines).replace(" ", "") == title.replace(" ", "")


def pixels(png: bytes) -> tuple[int, int, int]:
    """Width, height, and how many different bytes there are."""
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    return width, height, len(set(zlib.decompress(data)))


def test_a_png_of_it_is_drawn():
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    width, height, shades = pixels(to_png(to_figure(curves()), 1.0))
    assert width == 780 and height > 400 and shades > 50
    assert pixels(to_png(to_figure(curves()), 2.0))[0] == 1560
