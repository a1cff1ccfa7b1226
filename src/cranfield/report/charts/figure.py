"""A chart as a file of its own: SVG with its colours and its title in it, and PNG made from that.

A figure for a paper is black on white whatever the reader's screen is; the colours are those that a
page has in print.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html import escape
from importlib.resources import files

from cranfield.errors import MissingExtra
from cranfield.report.charts.data import Chart
from cranfield.report.charts.draw import to_svg
from cranfield.report.charts.svg import clean, extent, num

FONTS = (
    '"Noto Sans", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", '
    '"Microsoft YaHei", "DejaVu Sans", Arial, "Liberation Sans", sans-serif'
)
_TITLE, _PITCH, _MARGIN = 15.0, 21.0, 10.0  # size and line of a title, and the white around all
_HEAD = re.compile(r'<svg viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"[^>]*>')
_VARIABLE = re.compile(r"var\((--[\w-]+)\)")


def to_figure(chart: Chart) -> str:
    """A chart as an SVG document that needs no style sheet and no fonts but the reader's."""
    drawn = to_svg(chart)
    head = _HEAD.match(drawn)
    assert head is not None
    width, height = float(head["width"]), float(head["height"])
    lines = _wrapped(chart.title, width)
    above = _PITCH * len(lines) + 8
    whole_width, whole_height = width + 2 * _MARGIN, height + above + 2 * _MARGIN
    title = "".join(
        f'<text x="{num(width / 2)}" y="{num(_TITLE + _PITCH * i)}" text-anchor="middle" '
        f'font-size="{num(_TITLE)}" class="head">{escape(line)}</text>\n'
        for i, line in enumerate(lines)
    )
    inside = drawn[head.end() : -len("</svg>")]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(whole_width)} '
        f'{num(whole_height)}" width="{num(whole_width)}" height="{num(whole_height)}" '
        f'role="img" aria-labelledby="chart-1-title chart-1-about" font-size="12">\n'
        f"<style>{_style()}</style>\n"
        f'<rect width="100%" height="100%" fill="{_colours()["--paper"]}"/>\n'
        f'<g transform="translate({num(_MARGIN)} {num(_MARGIN)})">\n{title}'
        f'<g transform="translate(0 {num(above)})">\n{inside}</g></g>\n</svg>\n'
    )


def to_png(figure: str, zoom: float = 2.0) -> bytes:
    """What `to_figure` made, as PNG of `zoom` times its size in pixels.

    Raises
    ------
    MissingExtra
        The library that draws it is not installed.
    """
    needs_png()
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=figure, zoom=zoom))


def needs_png() -> None:
    """MissingExtra where the library that draws PNG is not installed; before long work."""
    from importlib.util import find_spec

    if find_spec("resvg_py") is None:
        raise MissingExtra("a figure as PNG", "figures")


def _wrapped(text: str, width: float) -> list[str]:
    """A title in lines that fit; between Chinese characters it may break anywhere."""
    parts: list[str] = []
    for word in re.findall(r"\s+|[^\s]+", clean(text)):
        wide = [i for i, c in enumerate(word) if unicodedata.east_asian_width(c) in "WF"]
        parts += list(word) if wide else [word]
    lines = [""]
    for part in parts:
        if lines[-1].strip() and extent(lines[-1] + part, _TITLE) > width:
            lines.append("")
        lines[-1] += part if lines[-1] else part.lstrip()
    return [line.rstrip() for line in lines]


@cache
def _style() -> str:
    """The style sheet of charts with the colours of paper in place of their names."""
    rules = _VARIABLE.sub(lambda m: _colours()[m[1]], _sheet("charts.css"))
    return f"svg {{ font-family: {FONTS}; }}\n{rules}".replace("&", "&amp;").replace("<", "&lt;")


@cache
def _colours() -> dict[str, str]:
    """{name: colour} as the page defines them for light."""
    first = _sheet("page.css").split("}", 1)[0]
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", first))


def _sheet(name: str) -> str:
    return files("cranfield.report").joinpath("templates", name).read_text("utf-8")
