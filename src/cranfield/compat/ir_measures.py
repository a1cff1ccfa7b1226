"""The face of ir_measures: all queries of the judgments, scores of 32 bits.

RR with a cutoff and Judged are computed there by other providers, which keep scores in 64 bits
and put the smaller of two document ids first; here too. nDCG with an exponential gain and ERR are
there printed numbers of five decimals; here they are exact.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cranfield.compat.core import Judged
from cranfield.compat.errors import WrongType
from cranfield.formats.readers import read_qrels, read_run
from cranfield.measures import Measure, parse


class Qrel(NamedTuple):
    """A judgment."""

    query_id: str
    doc_id: str
    relevance: float
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A returned document."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of one query under one measure, which is the object that was asked for."""

    query_id: str
    measure: Any
    value: float


def calc_aggregate(measures: Iterable[Any], qrels: Any, run: Any) -> dict[Any, float]:
    """{measure as given: its mean over the queries of the judgments (for counts the sum)}.

    Parameters
    ----------
    measures : measures of Cranfield or of ir_measures, or texts
    qrels : judgments as named tuples (`Qrel`), a data frame, or {query: {document: grade}}
    run : likewise, of `ScoredDoc`

    Raises
    ------
    MeasureError
        No such measure.
    WrongType
        (also a TypeError) Judgments or a run of another form.
    """
    asked = _asked(measures)
    found: dict[Any, list[float]] = {theirs: [] for theirs in asked}
    for metric in _metrics(asked, qrels, run):
        found[metric.measure].append(metric.value)
    return {theirs: _summary(asked[theirs], values) for theirs, values in found.items()}


def iter_calc(measures: Iterable[Any], qrels: Any, run: Any) -> Iterator[Metric]:
    """The value of every query of the judgments under every measure; parameters and errors are
    those of `calc_aggregate`."""
    return _metrics(_asked(measures), qrels, run)


def parse_measure(text: str) -> Measure:
    """The measure that a text names, in ir_measures' spelling or Cranfield's."""
    return parse(text)


def read_trec_qrels(path: str | os.PathLike[str]) -> Iterator[Qrel]:
    """The judgments of a file, in any format."""
    qrels = read_qrels(path)
    names = qrels.queries.to_list()
    for query, doc, grade in zip(
        qrels.query.tolist(), qrels.docs, qrels.grade.tolist(), strict=True
    ):
        yield Qrel(names[query], doc, int(grade) if grade.is_integer() else grade)


def read_trec_run(path: str | os.PathLike[str]) -> Iterator[ScoredDoc]:
    """The rows of a run file, in any format."""
    run = read_run(path)
    names = run.queries.to_list()
    for query, doc, score in zip(run.query.tolist(), run.docs, run.score.tolist(), strict=True):
        yield ScoredDoc(names[query], doc, score)


def _asked(measures: Iterable[Any]) -> dict[Any, Measure]:
    given = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    return {m: m if isinstance(m, Measure) else parse(str(m)) for m in given}


def _metrics(asked: Mapping[Any, Measure], qrels: Any, run: Any) -> Iterator[Metric]:
    judged = Judged(_nested(qrels, "judgments", "relevance"))
    returned = _nested(run, "a run", "score")
    for apart in (False, True):
        part = {theirs: m for theirs, m in asked.items() if _apart(m) == apart}
        if not part:
            continue
        values, valid, answered = judged.score(
            returned,
            list(part.values()),
            ties="docid-asc" if apart else "docid-desc",
            single=not apart,
        )
        for i, theirs in enumerate(part):
            counts = valid[:, i] & answered  # there a query not answered has no NumRel either
            for query, value, ok in zip(judged.queries, values[:, i], counts, strict=True):
                yield Metric(query, theirs, float(value) if ok else 0.0)


def _apart(measure: Measure) -> bool:
    """Whether ir_measures hands the measure to a provider with an order of its own."""
    return measure.family == "Judged" or (measure.family == "RR" and measure.cutoff is not None)


def _summary(measure: Measure, values: list[float]) -> float:
    total = math.fsum(values)
    return total if measure.definition.aggregate == "sum" else total / max(len(values), 1)


def _nested(rows: Any, what: str, number: str) -> dict[str, dict[str, float]]:
    """{query: {document: number}}; of two rows for one document the last stays, as there."""
    if isinstance(rows, Mapping):
        return dict(rows)
    columns = ("query_id", "doc_id", number)
    if hasattr(rows, "columns") and all(c in rows.columns for c in columns):
        rows = zip(*(rows[c] for c in columns), strict=True)
    elif isinstance(rows, Iterable) and not isinstance(rows, (str, bytes)):
        rows = (tuple(getattr(row, c, None) for c in columns) for row in rows)
    else:
        rows = [(None,) * 3]
    found: dict[str, dict[str, float]] = {}
    for query, doc, value in rows:
        if query is None or doc is None or value is None:
            raise WrongType(
                f"{what} cannot be read",
                f"named tuples or a data frame with {', '.join(columns)}, or a dictionary",
            )
        found.setdefault(query, {})[doc] = value
    return found
