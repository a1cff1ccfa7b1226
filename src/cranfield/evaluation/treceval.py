"""What trec_eval prints, from its options: the same numbers in the same order, added up in the
same order, so that a last digit never differs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.data.scores import GM_FLOOR
from cranfield.errors import InputError, NothingToEvaluate, UsageError
from cranfield.evaluation.treceval_measures import DEFAULT, GROUPS, PREFERENCES, Asked, asked
from cranfield.evaluation.treceval_values import (
    Found,
    Options,
    people_values,
    plain_values,
    read_judgments,
)
from cranfield.formats.inputs import Input
from cranfield.formats.treceval import (
    TaggedRun,
    Zscores,
    decimals,
    quoted,
    result_line,
    whole_number,
)

MISSING = -1000000.0  # the z-score of a measure without a mean, or without a deviation
ALL = "all"  # the topic of the summary


@dataclass(frozen=True)
class Table:
    """What is to be printed: values by topic, and their summary."""

    found: Found
    order: list[int]  # topics that have a row
    summary: list[float]
    tag: str
    z: bool
    notes: list[str]

    def lines(self, by_topic: bool, summary: bool) -> Iterator[str]:
        """The output of trec_eval, line by line."""
        for i in self.order if by_topic else ():
            topic = self.found.topics[i].decode()
            for j, column in enumerate(self.found.columns):
                if column.kind == "relstring":
                    yield result_line(column.name, topic, quoted(self.found.texts[j][i]))
                elif column.kind not in ("runid", "num_q", "gm"):
                    yield self._number(j, topic, float(self.found.values[i, j]))
        for j, column in enumerate(self.found.columns if summary else ()):
            if column.kind == "runid":
                yield result_line(column.name, ALL, self.tag)
            elif column.kind != "relstring":
                yield self._number(j, ALL, self.summary[j])

    def _number(self, j: int, topic: str, value: float) -> str:
        column = self.found.columns[j]
        count = column.kind in ("count", "num_q") and not self.z
        shown = whole_number(value) if count else decimals(value)
        return result_line(column.name, topic, shown, z=self.z)


def trec_table(qrels: str, run: str, options: Options) -> Table:
    """Evaluate a run as trec_eval would.

    Raises
    ------
    MeasureError, UsageError
        The call is wrong.
    FormatError, InputError, NoSuchInput
        The data are wrong or missing.
    NothingToEvaluate
        The run and the judgments share no topic.
    """
    wanted = asked(options.measures or [DEFAULT[options.form]], options.version)
    _require_fit(wanted, options)
    source = TaggedRun(Input(run), comments=options.version > 9)
    values = plain_values if options.form == "qrels" else people_values
    found = values(read_judgments(qrels, options), source, wanted, options)
    rows, divisor = _topics(found, options)
    if options.zscores is not None:
        for i in rows:
            _to_zscores(found, i, options.zscores)
    summary = [_summary(found, j, rows, divisor, options) for j in range(len(found.columns))]
    notes = [*wanted.remarks, *found.notes]
    return Table(found, rows, summary, source.tag, options.zscores is not None, notes)


def _require_fit(wanted: Asked, options: Options) -> None:
    """UsageError where a measure cannot be computed from judgments of this format."""
    own = {**dict.fromkeys(PREFERENCES, "prefs"), **dict.fromkeys(GROUPS, "qrels_jg")}
    for name in sorted(wanted.names - {"runid", "num_q"}):
        needed = own.get(name, "qrels")
        if needed != {"qrels_prefs": "prefs"}.get(options.form, options.form):
            raise UsageError(f"{name} cannot be computed with -R {options.form}", f"-R {needed}")


def _topics(found: Found, options: Options) -> tuple[list[int], int]:
    """The topics that have a row, by name, and how many a mean is over."""
    order = sorted(range(len(found.topics)), key=found.topics.__getitem__)
    if options.topic is not None:
        order = [i for i in order if found.topics[i] == options.topic.encode()]
    answered = [i for i in order if found.answered[i]]
    if not answered:
        raise NothingToEvaluate("the run has results for no topic of the judgments")
    missing = [found.topics[i].decode() for i in order if not found.answered[i]]
    if options.complete:
        return (answered if options.version == 9 else order), len(found.topics)
    if missing and options.version != 9:
        raise InputError(
            f"the run has no results for {len(missing)} of {len(order)} topics of the judgments: "
            f"{', '.join(missing[:5])}{', …' * (len(missing) > 5)}",
            "-c counts them as 0, which compares runs fairly; --v9 leaves them out",
        )
    return answered, len(answered)


def _to_zscores(found: Found, i: int, zscores: Zscores) -> None:
    """The values of a topic in deviations from the mean."""
    topic = found.topics[i].decode()
    for j, column in enumerate(found.columns):
        value = float(found.values[i, j])
        if column.kind == "gm":
            value = math.log(max(value, GM_FLOOR))
        mean, deviation = zscores.get((topic, column.name), (math.nan, 0.0))
        if deviation:
            found.values[i, j] = (value - mean) / deviation
        else:
            found.values[i, j] = 0.0 if value == mean else MISSING


def _summary(found: Found, j: int, rows: list[int], divisor: int, options: Options) -> float:
    """The sum or mean of a measure, added up topic after topic, each sum rounded."""
    column = found.columns[j]
    if column.kind == "num_q":
        return divisor
    if column.name == "num_rel" and options.complete:
        return found.relevant  # of grades above 0, whatever -l says
    total = 0.0
    for i in rows:
        value = float(found.values[i, j])
        if column.kind == "gm" and options.zscores is None:
            value = math.log(max(value, GM_FLOOR))
        total += value
    if column.kind == "count":
        return total
    if column.kind == "gm":
        total += (divisor - len(rows)) * math.log(GM_FLOOR) if options.complete else 0.0
        return float(np.exp(total / divisor))
    return total / divisor
