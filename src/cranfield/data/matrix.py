"""A score for every run, query and measure, with nothing missing: what studies of measures read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.columns import Floats
from cranfield.errors import InputError, UnknownName

if TYPE_CHECKING:
    from cranfield.data.scores import Scores


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of m runs on n queries under s measures, all over the same queries.

    Parameters
    ----------
    runs, queries : names, m and n of them, each once.
    measures : s names, as printed.
    values : float64 [m, n, s], finite.
    name : of the collection.
    missing : m counts of queries that a run did not answer; they score 0. Empty: not known.
    undefined : how many further values were not defined and are 0.

    Raises
    ------
    InputError
        The shape is not that of the names, a name stands there twice, or a value is not finite.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats
    name: str = ""
    missing: tuple[int, ...] = ()
    undefined: int = 0

    def __post_init__(self) -> None:
        shape = len(self.runs), len(self.queries), len(self.measures)
        if self.values.shape != shape:
            raise InputError(
                f"scores of shape {self.values.shape} for {shape[0]} runs, {shape[1]} queries and "
                f"{shape[2]} measures",
                "values[run, query, measure]",
            )
        for what in ("runs", "queries", "measures"):
            names = getattr(self, what)
            if len(set(names)) < len(names):
                twice = next(n for n in names if names.count(n) > 1)
                raise InputError(f"{twice!r} stands twice among the {what}", "each name once")
        if not np.isfinite(self.values).all():
            r, q, i = (int(k[0]) for k in np.nonzero(~np.isfinite(self.values)))
            raise InputError(
                f"no finite score of run {self.runs[r]!r} on query {self.queries[q]!r} under "
                f"{self.measures[i]}: {self.values[r, q, i]}",
                "every run needs a score on every query",
            )

    @classmethod
    def from_scores(cls, scores: Scores, name: str = "") -> ScoreMatrix:
        """Of evaluated runs. A query that a run did not answer scores 0 and is counted in
        `missing`; any other value that is not defined is 0, too, and counted in `undefined`."""
        known = [set(report.missing) for report in scores.reports]
        here = [sum(query in some for query in scores.queries) for some in known]
        answered = np.array([[q not in some for q in scores.queries] for some in known], bool)
        undefined = ~scores.valid & answered.reshape(*scores.valid.shape[:2], 1)
        return cls(
            scores.runs,
            scores.queries,
            tuple(label.text for label in scores.measures),
            np.where(scores.valid, scores.values, 0.0),
            name,
            tuple(here),
            int(np.count_nonzero(undefined)),
        )

    def of(self, measure: object) -> Floats:
        """The scores under one measure, [m runs, n queries]."""
        return np.ascontiguousarray(
            self.values[:, :, _places([measure], self.measures, "measure")[0]]
        )

    def select(
        self,
        runs: Iterable[object] | None = None,
        queries: Iterable[object] | None = None,
        measures: Iterable[object] | None = None,
    ) -> ScoreMatrix:
        """Some runs, queries or measures of it, by name and in the order asked for; None: all.

        Raises
        ------
        UnknownName
            A name that the matrix does not have.
        """
        r = _places(runs, self.runs, "run")
        q = _places(queries, self.queries, "query")
        s = _places(measures, self.measures, "measure")
        return replace(
            self,
            runs=tuple(self.runs[i] for i in r),
            queries=tuple(self.queries[i] for i in q),
            measures=tuple(self.measures[i] for i in s),
            values=self.values[np.ix_(r, q, s)],
            missing=tuple(self.missing[i] for i in r) if queries is None and self.missing else (),
        )


def _places(wanted: Iterable[object] | None, have: Sequence[str], what: str) -> list[int]:
    if wanted is None:
        return list(range(len(have)))
    place = {name: i for i, name in enumerate(have)}
    found = []
    for name in map(str, wanted):
        if name not in place:
            shown = ", ".join(have[:8]) + ", …" * (len(have) > 8)
            raise UnknownName(f"no {what} {name!r} among the scores", f"there are: {shown}")
        found.append(place[name])
    return found
