"""The face of ranx: equal scores in the order given, scores of 64 bits.

ranx keeps the order of equal scores in lists of up to fifteen documents and sorts longer ones in
an order that nothing promises; here the order given always stays. `bpref` is a number where ranx
has NaN, and `interpolated_precision_at_recall` is not here.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.compat.core import Judged, check
from cranfield.compat.errors import QueriesDiffer, UnsupportedMeasure
from cranfield.formats.readers import read_qrels, read_run
from cranfield.measures import Judgments, Measure

_BINARY = {
    "hits": "NumRelRet",
    "hit_rate": "Success",
    "precision": "P",
    "recall": "R",
    "f1": "F",
    "r-precision": "Rprec",
    "mrr": "RR",
    "map": "AP",
    "bpref": "bpref",
}
_GRADED = {
    "dcg": ("DCG", "linear"),
    "dcg_burges": ("DCG", "exp"),
    "ndcg": ("nDCG", "linear"),
    "ndcg_burges": ("nDCG", "exp"),
}
_FORM = re.compile(r"(?P<name>[a-z][a-z0-9_-]*?)(?:@(?P<k>\d+))?(?:-l(?P<level>\d+))?")
_RBP = re.compile(r"rbp[.@](?P<p>\d+)(?:-l(?P<level>\d+))?")


class _Table:
    """{query: {document: number}} with ranx's ways in and out."""

    _number = "score"
    _reader: Any = staticmethod(read_run)

    def __init__(
        self, table: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        check({} if table is None else table, "the table", self._number)
        self._table = {q: dict(docs) for q, docs in sorted((table or {}).items())}
        self.name = name

    @classmethod
    def from_dict(cls, d: Mapping[str, Mapping[str, float]], name: str | None = None) -> Any:
        return cls(d, name)

    @classmethod
    def from_df(
        cls, df: Any, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score"
    ) -> Any:
        table: dict[str, dict[str, float]] = {}
        for query, doc, value in zip(df[q_id_col], df[doc_id_col], df[score_col], strict=True):
            table.setdefault(query, {})[doc] = value
        return cls(table)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], kind: str | None = None) -> Any:
        """From a file in any format; `kind` is taken for compatibility and told from the file."""
        found = cls._reader(path)
        return cls(found.to_dict(), found.name)

    def to_dict(self) -> dict[str, dict[str, float]]:
        return {q: dict(docs) for q, docs in self._table.items()}

    def keys(self) -> Any:
        return self._table.keys()

    def get_query_ids(self) -> list[str]:
        return list(self._table)

    @property
    def size(self) -> int:
        return len(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __contains__(self, query: object) -> bool:
        return query in self._table

    def __getitem__(self, query: str) -> dict[str, float]:
        return dict(self._table[query])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} queries)"


class Qrels(_Table):
    """Judgments."""

    _number = "grade"
    _reader = staticmethod(read_qrels)


class Run(_Table):
    """A run, and the scores that `evaluate` leaves in it.

    Attributes
    ----------
    scores : {metric: {query: value}}; mean_scores, std_scores : {metric: value}
    """

    def __init__(
        self, run: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        super().__init__(run, name)
        self.scores: dict[str, dict[str, float]] = {}
        self.mean_scores: dict[str, float] = {}
        self.std_scores: dict[str, float] = {}

    def make_comparable(self, qrels: Qrels) -> Run:
        """An empty result for each query that lacks, and none for queries without judgments."""
        self._table = {q: self._table.get(q, {}) for q in qrels}
        return self


def evaluate(
    qrels: Qrels | Mapping[str, Mapping[str, float]],
    run: Run | Mapping[str, Mapping[str, float]],
    metrics: str | Iterable[str],
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """The mean under each metric, {metric: mean}; of a single metric the mean itself.

    Parameters
    ----------
    metrics : such as `ndcg@10`, `map`, `precision@5-l2`, `rbp.95`
    return_mean : False for the values of all queries, in the order of their ids
    return_std : {"mean": ..., "std": ...} in place of the mean
    threads : taken for compatibility
    save_results_in_run : leave the values in `run.scores` and `run.mean_scores`
    make_comparable : queries not answered score 0, those without judgments are passed over

    Raises
    ------
    UnsupportedMeasure
        (also a ValueError) A metric that is not here.
    QueriesDiffer
        (also an AssertionError) Other queries in the run than in the judgments.
    """
    asked = [metrics] if isinstance(metrics, str) else list(metrics)
    judged = qrels if isinstance(qrels, Qrels) else Qrels(qrels)
    returned = run if isinstance(run, Run) else Run(run)
    if make_comparable:
        returned.make_comparable(judged)
    _same_queries(judged, returned)
    block = Judged(judged.to_dict())
    values = {metric: _values(block, returned.to_dict(), metric) for metric in asked}
    if save_results_in_run:
        for metric, each in values.items():
            returned.scores[metric] = dict(zip(judged.keys(), each.tolist(), strict=True))
            returned.mean_scores[metric] = float(np.mean(each))
            if return_std and return_mean:
                returned.std_scores[metric] = float(np.std(each))
    found = {m: _told(each, return_mean, return_std) for m, each in values.items()}
    return found[asked[0]] if len(asked) == 1 else found


def _told(values: NDArray[np.float64], mean: bool, std: bool) -> Any:
    if not mean:
        return values
    if std:
        return {"mean": float(np.mean(values)), "std": float(np.std(values))}
    return float(np.mean(values))


def _same_queries(qrels: Qrels, run: Run) -> None:
    missing = [q for q in qrels if q not in run]
    more = [q for q in run if q not in qrels]
    if missing or more:
        raise QueriesDiffer(
            f"{len(missing)} queries of the judgments are not in the run ({_some(missing)}), and "
            f"{len(more)} of the run are not in the judgments ({_some(more)})",
            "make_comparable=True scores the first 0 and passes over the others",
        )


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "") or "none"


def _values(judged: Judged, run: dict[str, dict[str, float]], metric: str) -> NDArray[np.float64]:
    """[query] one metric, by the measure that means the same and what it is multiplied by."""
    if form := _RBP.fullmatch(metric):
        known = judged.from_grade(float(form["level"] or 1))
        scale = 2.0 ** math.ceil(math.log2(max(known.max_grade, 1.0)))  # divides without rounding
        measure = Measure("RBP")(p=float(f"0.{form['p']}"), graded=True, gmax=scale)
        return _score(judged, run, measure, known) * scale
    form = _FORM.fullmatch(metric)
    name = form["name"] if form else ""
    if form is None or name not in {**_BINARY, **_GRADED}:
        raise UnsupportedMeasure(
            f"metric {metric!r} is not supported",
            f"supported: {', '.join([*_BINARY, *_GRADED])}, each with @k and -l<level>, and rbp.95",
        )
    level, k = float(form["level"] or 1), int(form["k"] or 0) or None
    if name in _GRADED:
        family, gain = _GRADED[name]
        return _score(judged, run, Measure(family)(gain=gain, k=k), judged.from_grade(level))
    if name in ("r-precision", "bpref"):
        k = None
    if name == "hit_rate" and k is None:
        k = max(1, *(len(docs) for docs in run.values()), 1)
    if name == "hits" and k is not None:
        return np.rint(_score(judged, run, Measure("P")(rel=level, k=k)) * k)
    given = {} if k is None else {"k": k}
    return _score(judged, run, Measure(_BINARY[name])(rel=level, **given))


def _score(
    judged: Judged,
    run: dict[str, dict[str, float]],
    measure: Measure,
    known: Judgments | None = None,
) -> NDArray[np.float64]:
    return judged.score(run, [measure], ties="file", judgments=known)[0][:, 0]
