"""What `cranfield study` does with what it was given."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.cli.options import emit
from cranfield.errors import NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.experiment.studyfile import StudyCollection
    from cranfield.metaeval.method_names import Draws
    from cranfield.metaeval.studied import Studied
    from cranfield.report.charts.data import Chart
    from cranfield.report.language import Words

RECOMMENDED = ("agreement", "error")  # methods that a recommendation rests on


@dataclass(frozen=True)
class Asked:
    """A study as it was asked for.

    Parameters
    ----------
    collections : one or several.
    measures, conditions : None for the defaults.
    methods, draws, of_methods : the other methods, how much they draw, and their other choices.
    weight : of the error rate in error and ties as one.
    options : of `cranfield.study`, for judgments and runs; `choices` those of its fields that a
        matrix takes too.
    """

    collections: tuple[StudyCollection, ...]
    measures: tuple[str, ...] | None
    conditions: tuple[str, ...] | None
    methods: tuple[str, ...]
    draws: Draws
    recommend: bool
    level: float
    weight: float = 0.5
    of_methods: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    rows: str | None = None
    missing: str = "refuse"
    threads: int | None = None


def conduct(asked: Asked) -> tuple[Studied, ...]:
    """Each collection studied, one after the other."""
    from cranfield.kit.progress import progress

    found = []
    with progress("studying", len(asked.collections)) as advance:
        for collection in asked.collections:
            found.append(_one(asked, collection))
            advance(1)
    return tuple(found)


def _one(asked: Asked, collection: StudyCollection) -> Studied:
    from cranfield.metaeval.method_names import ROBUST
    from cranfield.metaeval.methods import methods as run
    from cranfield.metaeval.recommend import recommend
    from cranfield.metaeval.studied import Studied

    made = _study(asked, collection)
    wanted = [m for m in asked.methods if m not in ("t", *ROBUST)]
    wanted += [m for m in RECOMMENDED if asked.recommend and m not in wanted]
    methods = {}
    if wanted:
        for condition in made.conditions:
            methods[condition.name] = run(
                condition.matrix,
                wanted,
                alpha=asked.level,
                draws=asked.draws,
                seed=asked.choices["seed"],
                **asked.of_methods,
            )
    advice = {}
    if asked.recommend:
        for condition in made.conditions:
            found = methods[condition.name]
            assert found.agreement is not None
            errors = [r.by_sets for r in found.reliability]
            tau = found.agreement.tau
            advice[condition.name] = recommend(condition, tau, errors, level=asked.level)
    return Studied(made, methods, advice, asked.weight, _robust(asked, collection, made))


def _robust(asked: Asked, collection: StudyCollection, made: Any) -> dict[str, Any]:
    """What needs judgments and runs; `all` leaves it out where there are scores alone."""
    from cranfield.metaeval.method_names import ROBUST
    from cranfield.metaeval.robust import robustness

    wanted = [m for m in asked.methods if m in ROBUST]
    if not wanted or collection.scores:
        return {}
    more = dict(asked.options)
    if collection.split is not None:
        more["split"] = collection.split
    return {
        condition.name: robustness(
            collection.qrels,
            collection.runs,
            condition,
            wanted,
            alpha=asked.level,
            seed=asked.choices["seed"],
            options=more,
        )
        for condition in made.conditions
    }


def _study(asked: Asked, collection: StudyCollection) -> Any:
    from cranfield.metaeval.study import study

    measures = collection.measures or asked.measures
    common = {**asked.choices, "name": collection.name or None, "threads": asked.threads}
    if collection.scores:
        from cranfield.formats.matrix import read_matrix

        matrix, notes = read_matrix(
            *collection.scores,
            rows=collection.rows or asked.rows,  # type: ignore[arg-type]
            missing=collection.missing or asked.missing,  # type: ignore[arg-type]
            all_errors=bool(asked.options.get("all_errors")),
        )
        common["name"] = collection.name or matrix.name
        made = study(matrix, None, measures, **common)
        return replace(made, notes=(*notes, *made.notes))
    more = dict(asked.options)
    if collection.split is not None:
        more["split"] = collection.split
    return study(
        collection.qrels,
        list(collection.runs),
        measures,
        conditions=asked.conditions,
        **common,
        **more,
    )


def write_tables(several: Sequence[Studied], folder: str, lang: str, level: float) -> list[str]:
    """Every table as CSV, Markdown and LaTeX; the names of the files."""
    from cranfield.report.render import render
    from cranfield.report.study_data import have, table

    into = _folder(folder)
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

    into = _folder(folder)
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


def _folder(folder: str) -> Path:
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
