"""A trend as an SVG file of its own."""

from __future__ import annotations

from cranfield.report.charts.data import Trend
from cranfield.report.charts.draw import to_svg

# What the style sheet of a page says of charts; a file that stands alone carries it along.
_STYLE = """
svg { font-family: system-ui, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei",
  sans-serif; background: #ffffff; }
text { fill: #1c1f23; } text.quiet { fill: #5c646e; }
.grid, .zero { stroke: #d5d9de; } .zero { stroke: #5c646e; }
.line { fill: none; stroke: #0b5fa5; stroke-width: 2; } .dot { fill: #1c1f23; }
.dash1 { stroke: #a8430a; stroke-dasharray: 6 3; }
.dash2 { stroke: #6b3fa0; stroke-dasharray: 2 3; }
.dash3 { stroke: #7a5600; stroke-dasharray: 8 3 2 3; }
.dash4 { stroke: #5c646e; stroke-dasharray: 1 4; }
"""


def trend_svg(chart: Trend) -> bytes:
    """The chart as a file: with its namespace and its style."""
    drawn = to_svg(chart)
    head, rest = drawn.split(">", 1)
    head = head.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f"{head}><style>{_STYLE}</style>{rest}\n".encode()
