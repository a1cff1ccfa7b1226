"""The options of `cranfield study`."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli import inputs

FORMATS = ("table", "md", "json", "csv", "tsv", "latex")


def _whole(name: str, default: int, help: str, least: int = 1, place: str | None = None) -> Any:
    names = [name] if place is None else [name, place]
    kind = click.IntRange(min=least)
    return click.option(*names, type=kind, default=default, show_default=True, help=help)


def steps(command: Any) -> Any:
    """The steps of a study, each with its default."""
    for option in reversed(
        [
            click.option("-m", "--measure", "measures", multiple=True,
                         help="Repeat for several [default: the five of Wu, Tan and Shi]."),
            click.option("--name", help="Of the collection."),
            click.option("--condition", type=click.Choice(["binary", "graded", "both"]),
                         help="Grades merged, as they are, or both [default: both where there are "
                         "several grades and no -m]."),
            click.option("--graded-ap", type=click.Choice(["padded", "ideal", "weighted"]),
                         default="padded", show_default=True, help="The form of graded AP."),
            click.option("--min-ap", type=click.FloatRange(0, 1), default=0.05, show_default=True,
                         help="Runs with a lower mean AP are dropped; 0 keeps all."),
            click.option("--keep-unanswerable", is_flag=True,
                         help="Keep queries without a relevant document."),
            click.option("--levels", help="Levels of significance [default: fifteen, .001 to .1]."),
            click.option("--at", "level", type=click.FloatRange(0, 1, min_open=True, max_open=True),
                         default=0.05, show_default=True, help="The level of single tables."),
            _whole("--resamples", 1000, "Of the queries, for intervals; 0: none.", 0),
            click.option("--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True),
                         default=0.95, show_default=True),
            _whole("--seed", 0, "Of everything random.", 0),
            click.option("--parts", help="Numbers of parts to cut the queries into, or none "
                         "[default: 2,3,5,10]."),
            click.option("--cut", type=click.Choice(["random", "contiguous", "both"]),
                         default="random", show_default=True, help="How they are cut."),
            _whole("--repeats", 50, "Of random parts, and of samples of queries.", 2),
            click.option("--sizes", help="Numbers of queries for the curve, or none "
                         "[default: round ones]."),
            click.option("--shares", help="Shares of pairs that queries are wanted for "
                         "[default: .5,.6,.7,.8]."),
            click.option("--difficulty", type=click.Choice(["one_minus", "mean", "reciprocal"]),
                         default="one_minus", show_default=True, help="Its reading in the JSON."),
            click.option("--method", "methods", multiple=True, metavar="NAME",
                         help="What else to run; repeat, or join by commas: asl, wilcoxon, sign, "
                         "permutation, tukey, rthsd, agreement, error, minority, swap, halves, "
                         "normal, design, holes, cutoff, standardised, predictors; or all."),
            click.option("--standardise", type=click.Choice(["normal", "z", "ecdf"]),
                         default="normal", show_default=True,
                         help="Form of standardised scores; said, it runs that method."),
            click.option("--collection", metavar="FOLDER",
                         help="Queries and documents, for predictors [default: QRELS, if it has "
                         "them]."),
            click.option("--analyzer", default="mixed", show_default=True,
                         help="Makes terms of them; as for `retrieve`'s bm25."),
            click.option("--recommend", is_flag=True,
                         help="Say which measure should decide, and why."),
            click.option("--fuzziness", type=click.FloatRange(min=0), default=0.05,
                         show_default=True, help="What counts as a tie (error)."),
            click.option("--weight", type=click.FloatRange(0, 1), default=0.5, show_default=True,
                         help="Of the error rate in error and ties as one."),
            click.option("--difference", type=click.FloatRange(min=0, min_open=True), default=0.05,
                         show_default=True, help="That topic sets are to find (design)."),
            click.option("--unit", type=click.Choice(["measure", "mean", "spread"]),
                         default="measure", show_default=True,
                         help="Of --difference: as it is, or a share of the mean of all scores, or "
                         "of the spread of the systems' means."),
            _whole("--topic-sets", 1000, "Of error and minority rates.", 1, "sets"),
            _whole("--swap-trials", 1000, "Of the swap method.", 1, "trials"),
            _whole("--halves", 200, "Splits in half."),
            _whole("--asl-resamples", 1000, "Of the bootstrap ASL.", 1, "asl"),
            _whole("--permutations", 10_000, "Of the permutation test.", 1, "permutation"),
            _whole("--rthsd-resamples", 5000, "Of the randomised Tukey HSD.", 1, "rthsd"),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


def reading(command: Any) -> Any:
    """How files are read."""
    for option in reversed(
        [
            click.option("--scores", is_flag=True,
                         help="All arguments are score matrices, whatever they look like."),
            click.option("--rows", type=click.Choice(["runs", "queries"]),
                         help="Of a matrix of one measure: what its rows are [default: told]."),
            click.option("--missing", type=click.Choice(["refuse", "zero"]), default="refuse",
                         show_default=True, help="A cell of a matrix without a value."),
            inputs.split,
            inputs.qrels_format(),
            inputs.run_format(),
            inputs.all_errors,
            inputs.threads,
            click.option("--resume", metavar="DIR",
                         help="Keep each finished collection in this folder; asked again, take it "
                         "from there."),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


def writing(command: Any) -> Any:
    """What is written, and where."""
    for option in reversed(
        [
            click.option("--table", "table", metavar="NAME",
                         help="One table instead of all: collections, across, shares, order, "
                         "level, overall, improvements, parts, sizes, needed, difficulty, "
                         "power, required, corrected, errors, swaps, halves, design, "
                         "agreement, agreement_ap, agreement_rbo, holes, hole_shares, "
                         "cutoffs, queries, predictors, standardised, standings."),
            click.option("--tables", metavar="DIR",
                         help="Write every table as CSV, Markdown and LaTeX into this folder."),
            click.option("--figures", metavar="DIR", help="Write every chart into this folder."),
            click.option("--figure-format", type=click.Choice(["svg", "png", "both"]),
                         default="svg", show_default=True),
            click.option("--report", metavar="FILE",
                         help="Write the report too; .html, .md, .json or .txt says how."),
            inputs.lang,
            inputs.form(*FORMATS),
        ]
    ):  # fmt: skip
        command = option(command)
    return command
