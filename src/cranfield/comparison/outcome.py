"""What a comparison found, as data. Nothing here draws, words or rounds anything; that is the
work of `cranfield.report`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cranfield.data.card import RunCard
from cranfield.data.columns import Floats
from cranfield.data.scores import Label, Scores
from cranfield.errors import UnknownName, UsageError
from cranfield.kit.arguments import not_negative, number, share, whole

# better, worse: a difference is there and large enough to matter. equivalent: whatever it is, it
# is too small to matter. undecided: these queries cannot tell. refused: no verdict may be given.
Kind = Literal["better", "worse", "equivalent", "undecided", "refused"]

TESTS = ("randomisation", "t", "wilcoxon", "sign", "bootstrap")
CORRECTIONS = ("holm", "bonferroni", "bh", "by", "max-t", "none")
INTERVALS = ("t", "percentile", "bca", "studentised")


@dataclass(frozen=True)
class Remark:
    """Something to be said in words: `key` names the sentence, `values` fill it in. Sentences, in
    each language, belong to the report room."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """What may be concluded, and why."""

    kind: Kind
    reasons: tuple[Remark, ...]

    @property
    def certified(self) -> bool:
        """A difference, or the lack of one, has been shown."""
        return self.kind in ("better", "worse", "equivalent")


@dataclass(frozen=True)
class Choices:
    """Every choice that decides a verdict; printed and recorded with it.

    Parameters
    ----------
    alpha : level of the tests; intervals have level 1 - alpha.
    power : chance to find a difference that `detectable` and `needed` are for.
    min_effect : the smallest difference of means that matters, in units of the measure; 0: any.
    correction : for the hypotheses taken together: holm, bonferroni, bh, by, max-t, none.
    test : what p comes from: randomisation, t, wilcoxon, sign, bootstrap.
    interval : what the interval comes from: t, percentile, bca, studentised.
    resamples, seed : of whatever is drawn at random.
    tie : differences up to this size count as ties between queries.
    max_missing : share of missing or failed queries above which no verdict is given.
    hypotheses : how many p values were corrected together.
    """

    alpha: float = 0.05
    power: float = 0.8
    min_effect: float = 0.0
    correction: str = "holm"
    test: str = "randomisation"
    interval: str = "t"
    resamples: int = 100_000
    seed: int = 0
    tie: float = 0.0
    max_missing: float = 0.05
    hypotheses: int = 0

    def __post_init__(self) -> None:
        for name in ("alpha", "power"):
            share(name, getattr(self, name))
        for name in ("min_effect", "tie"):
            not_negative(name, getattr(self, name))
        for name, least in (("resamples", 1), ("seed", 0)):
            whole(name, getattr(self, name), least)
        if self.alpha >= self.power:
            raise UsageError(
                f"alpha {self.alpha} is not below the power {self.power}",
                "alpha is the chance to find what is not there, power to find what is",
            )
        wanted = "must be a share from 0 to 1"
        number("max_missing", self.max_missing, wanted, lambda x: 0 <= x <= 1)
        for name, allowed in (
            ("test", TESTS),
            ("correction", CORRECTIONS),
            ("interval", INTERVALS),
        ):
            if getattr(self, name) not in allowed:
                have = ", ".join(allowed)
                raise UsageError(f"{name} is {getattr(self, name)!r}", f"{name} is one of {have}")
        if self.correction == "max-t" and self.test != "randomisation":
            raise UsageError(
                f"correction max-t with the test {self.test}",
                "max-T exchanges the runs at random, as the test randomisation does",
            )


@dataclass(frozen=True)
class Difference:
    """One run against the base, under one measure, on one set of queries.

    Parameters
    ----------
    run, measure : names; `measure` as in `Scores.measures[i].text`.
    slice : (field, label) of the queries, None for all of them.
    n : queries that both runs have a value for.
    base_mean, mean : over these n queries, on the scale of `compared`.
    difference : mean - base_mean.
    low, high : its interval; None where n < 2.
    p, p_adjusted : None where no test could be made. `method` says how p was found.
    effect : d_z, difference / sd of the differences; None where the sd is 0 or n < 2.
    wins, ties, losses : queries where the run is above, level with, below the base.
    detectable : the difference that n queries show with the chosen power, given this sd.
    needed : queries that would show the observed difference with that power; None where it is 0,
        or so small that millions would be needed (d_z below 0.001), or n < 2.
    compared : what stands for a query: its `value`; its `count`, for measures that are summed, so
        that the means are counts a query; or for a geometric mean the natural `log` of the value
        (0.00001 at least), so that the difference is the log of the ratio of the geometric means.
    """

    run: str
    measure: str
    slice: tuple[str, str] | None
    n: int
    base_mean: float
    mean: float
    difference: float
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None
    method: str
    effect: float | None
    wins: int
    ties: int
    losses: int
    detectable: float | None
    needed: int | None
    verdict: Verdict
    compared: Literal["value", "count", "log"] = "value"


@dataclass(frozen=True, eq=False)
class AllPairs:
    """All pairs of m systems under one measure, without those that no verdict may be given on.

    Parameters
    ----------
    measure : its text.
    runs : m names, the highest mean first.
    means : float64 [m], in that order.
    p : float64 [m, m], adjusted for all pairs (`method`); 1 on the diagonal.
    groups : the largest sets of systems in which no pair can be told apart, as numbers into
        `runs`, each set a tuple of them in order. A system may be in several.
    """

    measure: str
    runs: tuple[str, ...]
    means: Floats
    p: Floats
    groups: tuple[tuple[int, ...], ...]
    method: str
    n: int


@dataclass(frozen=True)
class Result:
    """One line of a result list.

    `grade` is None for a document that nobody judged; `title` and `snippet` are None where the
    collection came without documents.
    """

    rank: int
    doc: str
    score: float
    grade: float | None
    title: str | None = None
    snippet: str | None = None


@dataclass(frozen=True)
class Change:
    """A query that gained or lost: its values under one measure and both lists, cut at k."""

    run: str
    measure: str
    query: str
    text: str | None
    base_value: float
    value: float
    base_results: tuple[Result, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def difference(self) -> float:
        return self.value - self.base_value


@dataclass(frozen=True, eq=False)
class Comparison:
    """A base and one run or several, compared.

    Parameters
    ----------
    scores : of the base (first) and the runs.
    differences : all queries: for each measure, each run.
    slices : the same on the queries of each label of each field asked for.
    pairs : one a measure where there are three systems or more, else empty.
    changes : for each run the largest losses (the worst first), then the largest gains, under
        the first measure.
    cautions : what may speak instead of the systems: the pool, ties, missing queries, several
        changes of configuration at once.
    cards : what is known of each run beside its results, in the order of `scores.runs`.
    """

    scores: Scores
    choices: Choices
    differences: tuple[Difference, ...]
    slices: tuple[Difference, ...] = ()
    pairs: tuple[AllPairs, ...] = ()
    changes: tuple[Change, ...] = ()
    cautions: tuple[Remark, ...] = ()
    cards: tuple[RunCard, ...] = ()

    @property
    def base(self) -> str:
        return self.scores.runs[0]

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs held against the base."""
        return self.scores.runs[1:]

    @property
    def measures(self) -> tuple[Label, ...]:
        return self.scores.measures

    def difference(
        self,
        measure: object | None = None,
        run: str | None = None,
        *,
        slice: tuple[str, str] | None = None,
    ) -> Difference:
        """The row of one measure and run; the first ones where none is named.

        Raises
        ------
        UnknownName
            There is no such row.
        """
        names = {text: m.text for m in self.measures for text in (m.text, m.full, *m.asked)}
        wanted = self.measures[0].text if measure is None else names.get(str(measure))
        run = self.runs[0] if run is None else run
        for row in self.differences if slice is None else self.slices:
            if (row.measure, row.run, row.slice) == (wanted, run, slice):
                return row
        where = "" if slice is None else f" on {slice[0]} = {slice[1]}"
        have = ", ".join([*(m.text for m in self.measures), *self.runs])
        raise UnknownName(f"no comparison of {run} under {measure}{where}", f"there are: {have}")

    def __repr__(self) -> str:
        from cranfield.comparison.show import plain

        return plain(self)

    def _repr_html_(self) -> str:
        from cranfield.comparison.show import html

        return html(self)
