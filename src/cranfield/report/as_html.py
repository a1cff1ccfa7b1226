"""Blocks as one HTML page: no script, nothing loaded from anywhere, every text escaped."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import Any

from cranfield.data.qrels import grade_text
from cranfield.report.blocks import SIGNS, Block
from cranfield.report.charts.data import Chart as ChartData
from cranfield.report.charts.draw import to_svg
from cranfield.report.render import shown

LEVELS = 4  # colours of grades above 0


def to_html(title: str, lang: str, blocks: tuple[Block, ...]) -> str:
    """The whole page. Its policy allows the style sheet inside it, by hash, and nothing else."""
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    templates = Environment(
        loader=PackageLoader("cranfield.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
    )
    style = sheet("page.css") + sheet("charts.css")
    count = 0

    def drawn(chart: ChartData) -> Markup:
        nonlocal count
        count += 1
        return Markup(to_svg(chart, count))

    return templates.get_template("page.html").render(
        title=title,
        lang="zh-CN" if lang == "zh" else "en",
        blocks=blocks,
        style=Markup(style),
        policy=_policy(style),
        kind=lambda block: type(block).__name__,
        shown=shown,
        grade_text=grade_text,
        grade_class=_grade_class,
        drawn=drawn,
        signs=SIGNS,
        data="Numbers" if lang != "zh" else "数据",
    )


def sheet(name: str) -> str:
    """A style sheet of the templates."""
    return files("cranfield.report").joinpath("templates", name).read_text("utf-8")


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _grade_class(level: float | None) -> str:
    """The colour of a grade: none for unjudged, 0, and four steps up to the largest."""
    if level is None:
        return "hole"
    return f"g{max(1, min(LEVELS, round(level * LEVELS)))}" if level > 0 else "g0"


def _clean(value: Any) -> Any:
    """What HTML may not hold at all, made visible: control characters and lone surrogates."""
    if type(value) is str and not value.isprintable():
        return "".join(
            f"\\x{ord(c):02x}" if (c < " " and c not in "\t\n\r") or "\ud800" <= c <= "\udfff"
            or "\x7f" <= c <= "\x9f" else c
            for c in value
        )  # fmt: skip
    return value
