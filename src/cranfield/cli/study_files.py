"""The files that `cranfield study` writes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.cli.options import emit
from cranfield.errors import NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.metaeval.studied import Studied
    from cranfield.report.charts.data import Chart
    from cranfield.report.language import Words


def write_tables(several: Sequence[Studied], folder: str, lang: str, level: float) -> list[str]:
    """Every table as CSV, Markdown and LaTeX; the names of the files."""
    from cranfield.report.render import render
    from cranfield.report.study_data import have, table

    into = made_folder(folder)
    written = []
    for name in have(several):
        grid = table(several, name, lang, level=level)
        for form, ending in (("csv", "csv"), ("md", "md"), ("latex", "tex")):
            path = str(into / f"{name}.{ending}")
            emit(render(grid, form), path)
            written.append(path)
    return written


def write_figures(
    several: Sequence[Studied], folder: str, forms: Iterable[str], lang: str, level: float
) -> list[str]:
    """Every chart as SVG, PNG or both; the names of the files."""
    from cranfield.kit.progress import progress
    from cranfield.report.charts.figure import to_figure, to_png
    from cranfield.report.language import words

    into = made_folder(folder)
    charts = list(_charts(several, words(lang), level))
    written = []
    with progress("drawing", len(charts)) as advance:
        for name, chart in charts:
            figure = to_figure(chart)
            for form in forms:
                path = str(into / f"{name}.{form}")
                emit(to_png(figure) if form == "png" else figure.encode(), path)
                written.append(path)
            advance(1)
    return written


def made_folder(folder: str) -> Path:
    """The folder, made if need be."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise NoSuchInput(f"{folder} cannot be made: {e.strerror}") from None
    if not os.access(path, os.W_OK):
        raise NoSuchInput(f"{folder} cannot be written: permissions")
    return path


def _charts(several: Sequence[Studied], w: Words, level: float) -> Iterator[tuple[str, Chart]]:
    """(name of a file, chart) of all there is to draw."""
    from cranfield.report import study_charts as charts
    from cranfield.report.study_tables import cases

    every = cases(several)
    if len(every) > 1:
        yield "curves", charts.panels(every, w)
    for case in every:
        end = "-".join(
            _slug(part)
            for part, shown in (
                (case.collection, len(several) > 1),
                (case.condition.name, len(case.studied.study.conditions) > 1),
            )
            if shown
        )
        end = f"-{end}" if end else ""
        yield f"curves{end}", charts.curves(case, w)
        for measure in case.condition.discrimination.measures if case.condition.parts else ():
            yield f"parts-{_slug(measure)}{end}", charts.parts(case, measure, w)
        if case.condition.sizes is not None:
            yield f"sizes{end}", charts.sizes(case, level, w)
        methods = case.studied.methods.get(case.condition.name)
        if methods is None:
            continue
        tree = charts.agreement(case, methods, w)
        if tree is not None:
            yield f"agreement{end}", tree
        curve = charts.minority(case, methods, w)
        if curve is not None:
            yield f"minority{end}", curve
        if methods.power is not None:
            for test in dict.fromkeys(t for _, t in methods.power.curves):
                yield f"p-{test}{end}", charts.p_curves(case, methods, test, w)


def _slug(name: str) -> str:
    """A name as part of a file name."""
    return re.sub(r"[^\w@.+-]+", "_", name).strip("_.") or "x"


def numbers(text: str | None, option: str, kind: type = float) -> tuple[Any, ...] | None:
    """`2,3,5` as numbers; `none` as none at all; None where nothing was said.

    Raises
    ------
    UsageError
        Something in the list is no number.
    """
    if text is None:
        return None
    if text.strip().casefold() == "none":
        return ()
    try:
        return tuple(kind(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"{option} {text}: not a list of numbers", "for example 2,3,5") from None
