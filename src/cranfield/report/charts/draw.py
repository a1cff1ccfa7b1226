"""One door to the drawings."""

from __future__ import annotations

from cranfield.report.charts import (
    agreement,
    curves,
    heatmap,
    intervals,
    scatter,
    trend,
    waterfall,
)
from cranfield.report.charts.curves_data import Agreement, Curves, Panels
from cranfield.report.charts.data import Chart, Intervals, Matrix, Scatter, Waterfall


def to_svg(chart: Chart, number: int = 1) -> str:
    """A chart as inline SVG; `number` keeps the ids of several on one page apart.

    Colours and line widths are classes of the page's style sheet.
    """
    if isinstance(chart, Intervals):
        return intervals.draw(chart, number)
    if isinstance(chart, Waterfall):
        return waterfall.draw(chart, number)
    if isinstance(chart, Scatter):
        return scatter.draw(chart, number)
    if isinstance(chart, Matrix):
        return heatmap.draw(chart, number)
    if isinstance(chart, Curves):
        return curves.draw(chart, number)
    if isinstance(chart, Panels):
        return curves.draw_panels(chart, number)
    if isinstance(chart, Agreement):
        return agreement.draw(chart, number)
    return trend.draw(chart, number)
