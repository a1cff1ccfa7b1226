"""The one table that everything above reads: a value for each run, query and measure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats
from cranfield.data.ranges import OpenEnds, Ranges
from cranfield.errors import MissingExtra, UnknownName

# Which queries a mean is over: all, the answerable ones, or those of a bool mask.
Over = Literal["all", "answerable"] | NDArray[np.bool_]
GM_FLOOR = 1e-5  # a geometric mean with a 0 in it would be 0


@dataclass(frozen=True)
class Label:
    """A measure's names: as asked for, canonical, and with every choice that matters; and whether
    its summary over queries is a mean, a sum or a geometric mean ("gm")."""

    text: str
    full: str
    asked: tuple[str, ...] = ()
    aggregate: Literal["mean", "sum", "gm"] = "mean"


@dataclass(frozen=True)
class RunReport:
    """What there is to know about a run beside its scores.

    Parameters
    ----------
    missing : qrels queries that the run did not answer (they score 0, or are left out).
    unlabelled : queries of the run without judgments (never scored).
    empty : judged queries answered with an empty list.
    judged, n_judged : mean judged@k over the n queries with a result (0 queries: 0.0).
    tied : share of the first k results that share their score with another.
    notes : what the reader skipped or recognised, in words.
    """

    name: str
    n_returned: int
    missing: tuple[str, ...]
    unlabelled: tuple[str, ...]
    empty: tuple[str, ...]
    judged: float
    n_judged: int
    tied: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of m runs on n queries under s measures.

    Parameters
    ----------
    runs, queries : names, in the order given and in the order of the qrels.
    measures : s labels.
    values : float64 [m, n, s]; 0 where not valid.
    valid : bool [m, n, s]; False where a measure is not defined or a policy leaves the query out.
    answerable : bool [n]; the query has a document with a grade above 0.
    k : depth of judged@k and of the tie share in `reports`.
    settings : every choice that could make another tool print another number.
    slices : {field: label of each query, None without one}.
    open_ends : how far unjudged documents may move each value; see `ranges`.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[Label, ...]
    values: Floats
    valid: NDArray[np.bool_]
    answerable: NDArray[np.bool_]
    reports: tuple[RunReport, ...]
    k: int
    settings: Mapping[str, Any]
    slices: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    open_ends: OpenEnds | None = field(default=None, repr=False)

    @cached_property
    def ranges(self) -> Ranges | None:
        """How far unjudged documents may move each value; None without any such document among
        those read (but where a world was asked for) and where nothing was to be bounded."""
        if (ends := self.open_ends) is None:
            return None
        if not ends.asked and not ends.any_holes(self.runs, [m.full for m in self.measures]):
            return None
        found = self._every_range
        bounded = [m.full for i, m in enumerate(self.measures) if found.known(i)]
        return found if ends.asked or ends.any_holes(self.runs, bounded) else None

    def holes(self, measure: object | None = None, run: str | int | None = None) -> int | None:
        """How many unjudged documents a measure reads in a run; None where nobody counted."""
        key = (self.runs[self._run(run)], self.measures[self._measure(measure)].full)
        return None if self.open_ends is None else self.open_ends.holes.get(key)

    @cached_property
    def _every_range(self) -> Ranges:
        assert self.open_ends is not None
        measures = tuple(m.full for m in self.measures)
        return self.open_ends.ranges.aligned(self.runs, self.queries, measures)

    def _run(self, run: str | int | None) -> int:
        if run is None:
            if len(self.runs) == 1:
                return 0
            raise UnknownName("several runs: say which", f"runs: {', '.join(self.runs)}")
        if isinstance(run, int) and -len(self.runs) <= run < len(self.runs):
            return run
        if run in self.runs:
            return self.runs.index(str(run))
        raise UnknownName(f"no run {run!r}", f"runs: {', '.join(self.runs)}")

    def _measure(self, measure: object | None) -> int:
        if measure is None:
            if len(self.measures) == 1:
                return 0
            raise UnknownName("several measures: say which", self._have_measures())
        text = str(measure)
        for i, label in enumerate(self.measures):
            if text in (label.text, label.full, *label.asked):
                return i
        raise UnknownName(f"no scores for {text}", self._have_measures())

    def _have_measures(self) -> str:
        return f"measures: {', '.join(m.text for m in self.measures)}"

    def mean(
        self, measure: object | None = None, run: str | int | None = None, *, over: Over = "all"
    ) -> float:
        """The summary of one run under one measure: the mean over queries (for counts the
        sum, for GMAP the geometric mean).

        The sum is exact before it is rounded once (`math.fsum`), so that the order of queries
        cannot show. NaN where no query counts; see `n`.
        """
        return self.summary(self._run(run), self._measure(measure), self._mask(over))[0]

    def n(
        self, measure: object | None = None, run: str | int | None = None, *, over: Over = "all"
    ) -> int:
        """How many queries `mean` is over."""
        return self.summary(self._run(run), self._measure(measure), self._mask(over))[1]

    def _mask(self, over: Over) -> NDArray[np.bool_]:
        if isinstance(over, np.ndarray):
            return over
        return self.answerable if over == "answerable" else np.ones(len(self.queries), bool)

    def summary(self, run: int, measure: int, mask: NDArray[np.bool_]) -> tuple[float, int]:
        """(mean, sum or geometric mean, n) over the queries of a mask.

        A geometric mean takes values below 0.00001 for 0.00001, as trec_eval does.
        """
        counted = self.valid[run, :, measure] & mask
        n = int(np.count_nonzero(counted))
        values = self.values[run, counted, measure].tolist()
        kind = self.measures[measure].aggregate
        if kind == "gm":
            values = [math.log(max(value, GM_FLOOR)) for value in values]
        total = math.fsum(values)
        if kind == "sum":
            return total, n
        if kind == "gm":
            return (math.exp(total / n) if n else math.nan), n
        return (total / n if n else math.nan), n

    def bounds(
        self, measure: object | None = None, run: str | int | None = None, *, over: Over = "all"
    ) -> tuple[float, float]:
        """Between which values `mean` lies, whatever the unjudged documents are, in the world that
        `evaluate(..., bounds=)` names; NaN where no bounds of the measure are known.

        Raises
        ------
        UnknownName
            There is no such measure or run, or the scores were computed without bounds.
        """
        if self.open_ends is None:
            raise UnknownName("no bounds were computed", 'evaluate(..., bounds="closed") has them')
        return self.limits(self._run(run), self._measure(measure), self._mask(over))

    def limits(self, run: int, measure: int, mask: NDArray[np.bool_]) -> tuple[float, float]:
        """The bounds of `summary`, NaN where there are none."""
        if self.open_ends is None:
            return math.nan, math.nan
        return self._every_range.of(run, measure, self.valid[run, :, measure] & mask)

    def means(self, *, over: Over = "all") -> dict[str, dict[str, float]]:
        """{run: {measure: mean}}."""
        mask = self._mask(over)
        return {
            run: {m.text: self.summary(r, i, mask)[0] for i, m in enumerate(self.measures)}
            for r, run in enumerate(self.runs)
        }

    def per_query(
        self, measure: object | None = None, run: str | int | None = None
    ) -> dict[str, float]:
        """{query: value} of one run under one measure, without queries where it is not defined."""
        r, i = self._run(run), self._measure(measure)
        return {
            q: float(v)
            for q, v, ok in zip(
                self.queries, self.values[r, :, i], self.valid[r, :, i], strict=True
            )
            if ok
        }

    def by(self, field_name: str) -> dict[str, NDArray[np.bool_]]:
        """{label: mask over queries} for one slice field, labels in order of appearance."""
        if field_name not in self.slices:
            have = ", ".join(self.slices) or "none (give the queries: queries= or --queries)"
            raise UnknownName(f"no query field {field_name!r} to slice by", f"fields: {have}")
        labels = self.slices[field_name]
        return {
            label: np.array([x == label for x in labels])
            for label in dict.fromkeys(x for x in labels if x is not None)
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """One record a run, query and measure: the table as JSON lines and frames have it.

        `value` is None where the measure is not defined. With `ranges`, `low` and `high` follow.
        """
        for r, run in enumerate(self.runs):
            for q, query in enumerate(self.queries):
                for i, m in enumerate(self.measures):
                    ok = bool(self.valid[r, q, i])
                    value = float(self.values[r, q, i]) if ok else None
                    row = {"run": run, "query": query, "measure": m.full, "value": value}
                    yield row if self.ranges is None else {**row, **self._ends(r, q, i, ok)}

    def _ends(self, r: int, q: int, i: int, ok: bool) -> dict[str, float | None]:
        assert self.ranges is not None
        known = ok and self.ranges.known(i)
        return {
            "low": float(self.ranges.low[r, q, i]) if known else None,
            "high": float(self.ranges.high[r, q, i]) if known else None,
        }

    def columns(self) -> dict[str, Sequence[Any]]:
        """The same table by columns."""
        rows = list(self.rows())
        names = ("run", "query", "measure", *self._numbers())
        return {k: [row[k] for row in rows] for k in names}

    def _numbers(self) -> tuple[str, ...]:
        return ("value",) if self.ranges is None else ("value", "low", "high")

    def to_pandas(self) -> Any:
        """A pandas DataFrame: run, query, measure, value (NaN where not defined)."""
        try:
            import pandas
        except ImportError:
            raise MissingExtra("to_pandas()", "pandas") from None
        return pandas.DataFrame(self.columns()).astype(dict.fromkeys(self._numbers(), "float64"))

    def to_polars(self) -> Any:
        """A Polars DataFrame: run, query, measure, value (null where not defined)."""
        try:
            import polars
        except ImportError:
            raise MissingExtra("to_polars()", "polars") from None
        numbers = dict.fromkeys(self._numbers(), polars.Float64)
        return polars.DataFrame(self.columns(), schema_overrides=numbers)

    def to_arrow(self) -> Any:
        """A pyarrow Table: run, query, measure, value (null where not defined)."""
        try:
            import pyarrow
        except ImportError:
            raise MissingExtra("to_arrow()", "arrow") from None
        columns = self.columns()
        numbers = {k: pyarrow.array(columns.pop(k), pyarrow.float64()) for k in self._numbers()}
        return pyarrow.table({**{k: pyarrow.array(v) for k, v in columns.items()}, **numbers})

    def with_slices(self, slices: Mapping[str, tuple[str | None, ...]]) -> Scores:
        """The same scores with query labels."""
        return replace(self, slices=slices)

    def __repr__(self) -> str:
        from cranfield.data.show import plain

        return plain(self)

    def _repr_html_(self) -> str:
        from cranfield.data.show import html

        return html(self)
