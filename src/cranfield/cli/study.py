"""`cranfield study`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cranfield.cli.making import writable
from cranfield.cli.options import emit, keep_inputs, ordering, output, say
from cranfield.cli.reporting import checked, form_for
from cranfield.cli.study_files import made_folder, numbers, write_figures, write_tables
from cranfield.cli.study_options import FORMATS, reading, steps, writing
from cranfield.errors import NoSuchInput, UsageError

GRIDS = ("csv", "tsv", "latex")
DRAWS = ("asl", "permutation", "rthsd", "sets", "trials", "halves")
OF_METHODS = ("fuzziness", "difference", "unit", "weight", "standardise")
SHOWN = ("weight", "standardise")  # of these, what decides how something is shown
# A table that is asked for runs the method that makes it.
OF_TABLES = {"agreement": "agreement", "agreement_ap": "agreement",
             "agreement_rbo": "agreement", "errors": "error", "swaps": "swap", "halves": "halves",
             "design": "design", "holes": "holes", "hole_shares": "holes", "cutoffs": "cutoff",
             "standardised": "standardised", "across": "standardised",
             "predictors": "predictors"}  # fmt: skip
CHOICES = ("min_ap", "graded_ap", "resamples", "confidence", "seed", "cut", "repeats",
           "difficulty")  # fmt: skip


@click.command("study")
@click.argument("arguments", nargs=-1, required=True, metavar="QRELS RUN... | SCORES... | TOML")
@steps
@writing
@output
@reading
@ordering
@click.pass_context
def command(context: click.Context, /, arguments: tuple[str, ...], **given: Any) -> None:
    """Say which measure tells systems apart, and from how many queries on.

    All pairs of RUNs are compared under every measure by a paired t-test; the more pairs are
    significant, the better a measure tells systems apart (Wu, Tan and Shi 2015). Instead of QRELS
    and RUNs, SCORES are files with a value for each run and query (CSV, TSV, Parquet); a TOML file
    names several collections.
    """
    outputs = {name: given.pop(name) for name in ("table", "tables", "figures", "figure_format",
                                                  "report", "lang", "form", "output")}  # fmt: skip
    for written in (outputs["output"], outputs["report"]):
        keep_inputs(written, *arguments)
    if outputs["report"] is not None:
        checked(outputs["report"])  # before anything is computed
    form = outputs["form"] or form_for(outputs["output"], FORMATS, "table", "--report")
    outputs["form"] = form
    _check_table(outputs["table"], form)
    _check_places(outputs)
    resume = given.pop("resume")
    asked = _asked(context, arguments, given, outputs["table"])
    from cranfield.experiment.measure_study import conduct

    found = conduct(asked, resume, lambda line: say([line]))
    _write(found, asked, arguments, outputs)


def _asked(
    context: click.Context, arguments: tuple[str, ...], given: dict[str, Any], table: str | None
) -> Any:
    """What the options, and a TOML file where there is one, ask for; an option that was typed
    goes before the file."""
    from cranfield.experiment.measure_study import Asked
    from cranfield.metaeval.method_names import METHODS, Draws, named

    default = click.core.ParameterSource.DEFAULT

    def typed(name: str) -> bool:
        return context.get_parameter_source(name) is not default

    file = _study_file(arguments, given)
    settings = {} if file is None else dict(file.settings)
    choices = {n: given[n] for n in CHOICES if typed(n) or n not in settings}
    for name in ("levels", "shares"):
        if given[name] is not None:
            choices[name] = numbers(given[name], f"--{name}")
    for name in ("parts", "sizes"):
        if given[name] is not None:
            choices[name] = numbers(given[name], f"--{name}", int)
    if typed("level") or "level" not in settings:
        choices["level"] = given["level"]
    if given["keep_unanswerable"]:
        choices["drop_unanswerable"] = False
    options = {n: given[n] for n in ("ties", "on_duplicate", "scale") if typed(n)}
    if typed("score_width"):
        options["score_width"] = int(given["score_width"])
    evaluate = ("ties", "on_duplicate", "scale", "score_width")
    options = {**{n: v for n, v in settings.items() if n in evaluate}, **options}
    choices = {**{n: v for n, v in settings.items() if n not in evaluate}, **choices}
    for name in ("split", "qrels_format", "run_format", "all_errors"):
        if given[name]:
            options[name] = given[name]
    drawn = {} if file is None else dict(file.draws)
    drawn |= {n: given[n] for n in (*DRAWS, *OF_METHODS) if typed(n) or n not in drawn}
    measures = given["measures"] or (file.measures if file is not None else ())
    condition = {"both": ("binary", "graded"), None: None}.get(
        given["condition"], (given["condition"],)
    )
    level = choices["level"]
    _known_level(choices, level)
    collections = file.collections if file is not None else _collection(arguments, given)
    chosen = named(given["methods"]) or (file.methods if file is not None else ())
    more = ["standardised"] if typed("standardise") else []
    more += [OF_TABLES[name] for name in (table,) if name in OF_TABLES]
    chosen = tuple(m for m in METHODS if m in (*chosen, *more))
    if all(c.scores for c in collections):
        _made_already(typed, chosen)
    return Asked(
        collections=collections,
        measures=measures or None,
        conditions=condition or (file.conditions or None if file is not None else None),
        methods=chosen,
        draws=Draws(**{n: drawn[n] for n in DRAWS}),
        of_methods={n: drawn[n] for n in OF_METHODS if n not in SHOWN},
        weight=drawn["weight"],
        form=drawn["standardise"],
        corpus=given["collection"],
        analyzer=given["analyzer"],
        recommend=given["recommend"]
        or table == "standings"
        or (file is not None and file.recommend),
        level=level,
        choices=choices,
        options=options,
        rows=given["rows"],
        missing=given["missing"],
        threads=given["threads"],
    )


def _made_already(typed: Callable[[str], bool], methods: tuple[str, ...]) -> None:
    """Scores cannot be made otherwise: what says how they are made is refused, not ignored. Of
    `all` methods those that need judgments are left out."""
    from cranfield.metaeval.method_names import METHODS, ROBUST

    more = [m for m in methods if m in ROBUST and methods != METHODS]
    if more:
        raise UsageError(f"--method {more[0]} needs judgments and runs", "there are scores alone")
    for name in ("condition", "graded_ap", "keep_unanswerable", "ties", "score_width", "scale",
                 "on_duplicate", "split", "qrels_format", "run_format"):  # fmt: skip
        if typed(name):
            raise UsageError(
                f"--{name.replace('_', '-')} with scores, which are made already",
                "give judgments and runs, or leave it out",
            )


def _known_level(choices: dict[str, Any], level: float) -> None:
    from cranfield.metaeval.discrimination import LEVELS

    levels = tuple(choices.get("levels", LEVELS))
    if level not in levels:
        raise UsageError(
            f"--at {level:g} is none of the levels ({', '.join(f'{v:g}' for v in levels)})",
            "name it in --levels too",
        )


def _study_file(arguments: tuple[str, ...], given: dict[str, Any]) -> Any:
    """The TOML file, None where there is none."""
    if not arguments[0].endswith(".toml"):
        return None
    if len(arguments) > 1:
        raise UsageError(f"{arguments[0]} and other arguments", "a TOML file stands alone")
    if given["name"] is not None:
        raise UsageError("--name is of one collection", "the TOML file names its own")
    if given["collection"] is not None:
        hint = "the TOML file names each one's: corpus = ..."
        raise UsageError("--collection is of one collection", hint)
    from cranfield.experiment.studyfile import read_study_file

    return read_study_file(arguments[0])


def _collection(arguments: tuple[str, ...], given: dict[str, Any]) -> tuple[Any, ...]:
    """Judgments and runs, or score matrices, told by the first argument."""
    from cranfield.experiment.studyfile import StudyCollection
    from cranfield.formats.inputs import Input
    from cranfield.formats.matrix import is_matrix

    first, name = arguments[0], given["name"] or ""
    place = Path(first)
    told = place.exists() and not place.is_dir()
    if given["scores"] or (told and is_matrix(Input(first))):
        return (StudyCollection(name, scores=arguments),)
    if len(arguments) == 1:
        if not place.exists() and ":" not in first:
            raise NoSuchInput(f"{first}: no such file")
        raise UsageError(
            f"{first} alone is no study: it does not look like a score matrix or a TOML file",
            "give the judgments and two runs or more; --scores takes it for a matrix",
        )
    name = name or (place.resolve().name if place.is_dir() else "")
    return (StudyCollection(name, qrels=first, runs=arguments[1:]),)


def _check_table(name: str | None, form: str) -> None:
    """A wrong name is said before the work."""
    if name is None:
        return
    from cranfield.report.study_data import TABLES

    if name not in TABLES:
        raise UsageError(f"no table {name!r}", f"tables: {', '.join(TABLES)}")
    if form == "json":
        raise UsageError("--table with JSON, which holds everything", "leave --table out")


def _check_places(outputs: dict[str, Any]) -> None:
    """So is a place that cannot be written to, and a figure that cannot be drawn."""
    for path in (outputs["output"], outputs["report"]):
        if path is not None and path != "-":
            writable(path)
    for path in (outputs["tables"], outputs["figures"]):
        if path is not None:
            made_folder(path)
    if outputs["figures"] is not None and outputs["figure_format"] != "svg":
        from cranfield.report.charts.figure import needs_png

        needs_png()


def _write(found: Any, asked: Any, arguments: tuple[str, ...], outputs: dict[str, Any]) -> None:
    from cranfield.report.study_page import study as page

    lang, level, form, name = outputs["lang"], asked.level, outputs["form"], outputs["table"]
    if form == "json":
        from cranfield.report.study_data import as_json

        made = as_json(found).encode()
    elif name is not None or form in GRIDS:
        from cranfield.report.render import render
        from cranfield.report.study_data import table

        made = render(table(found, name or "shares", lang, level=level), form)
    else:
        whole = page(found, lang, level=level, brief=True)
        made = (whole.to_markdown() if form == "md" else whole.to_text()).encode()
    emit(made, outputs["output"])
    if outputs["report"] is not None:
        about = _about(asked)
        whole = page(found, lang, level=level, about=about)
        emit(whole.to(checked(outputs["report"])).encode(), outputs["report"])
    if outputs["tables"] is not None:
        say([f"{len(write_tables(found, outputs['tables'], lang, level))} tables written"])
    if outputs["figures"] is not None:
        forms = (
            ("svg", "png") if outputs["figure_format"] == "both" else (outputs["figure_format"],)
        )
        written = write_figures(found, outputs["figures"], forms, lang, level)
        say([f"{len(written)} figures written"])
    if form in (*GRIDS, "json") or name is not None:
        say([note for s in found for note in s.study.notes])


def _about(asked: Any) -> Any:
    """The files that went in."""
    from cranfield.report.provenance import files

    return files(
        [("qrels", c.qrels) for c in asked.collections if c.qrels]
        + [("run", run) for c in asked.collections for run in c.runs]
        + [("scores", path) for c in asked.collections for path in c.scores]
    )
