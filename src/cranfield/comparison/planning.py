"""How many queries an experiment needs, from a pilot or from a spread that is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.comparison.samples import COMPARED, scale
from cranfield.data.columns import Floats
from cranfield.data.scores import Scores
from cranfield.errors import InputError, UsageError
from cranfield.kit.arguments import positive, share, whole

DIFFERENCES = (0.01, 0.02, 0.03, 0.05, 0.1)
QUERIES = (10, 25, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Spread:
    """How much the differences of two runs vary from query to query under one measure.

    Parameters
    ----------
    measure : its text; "" where only a number is known.
    sd : standard deviation of the differences by query, n - 1 in the variance.
    sd_within : of a score once systems and queries are taken out, √VE of a two-way layout; it is
        what designs for several systems need. sd / √2 for two runs.
    n, difference : queries and mean difference of the pilot; None without one.
    """

    measure: str
    sd: float
    sd_within: float
    n: int | None = None
    difference: float | None = None


@dataclass(frozen=True)
class Plan:
    """What a spread means for the number of queries.

    Parameters
    ----------
    needed : (difference of means, queries that show it with the chosen power).
    detectable : (queries, the smallest difference they show).
    design : (its name, its parameters, queries, power or width attained); where one was asked for
        the two lists are empty.
    """

    spread: Spread
    alpha: float
    power: float
    needed: tuple[tuple[float, int], ...]
    detectable: tuple[tuple[int, float], ...]
    design: tuple[str, dict[str, float], int, float] | None = None


def spread_of(scores: Scores, measure: int = 0) -> Spread:
    """The spread of the differences between the first two runs.

    Raises
    ------
    InputError
        Fewer than two queries have a value in both, or every difference is the same.
    """
    label = scores.measures[measure]
    usable = np.all(scores.valid[:2, :, measure], axis=0)
    x: Floats = scale(scores.values[:2, usable, measure], COMPARED[label.aggregate])
    n = x.shape[1]
    if n < 2:
        raise InputError(f"{label.text}: {n} queries in common", "a spread needs two or more")
    d = np.round(x[1] - x[0], 12)
    sd = float(d.std(ddof=1))
    if sd <= 1e-12:
        raise InputError(
            f"{label.text}: every query has the same difference",
            "there is no spread to plan with: give --sd, or another pilot",
        )
    return Spread(label.text, sd, sd / math.sqrt(2), n, math.fsum(d.tolist()) / n)


def plan(
    spread: Spread | float,
    *,
    differences: Sequence[float] = (),
    queries: Sequence[int] = (),
    alpha: float = 0.05,
    power: float = 0.8,
    design: str | None = None,
    systems: int = 2,
    width: float | None = None,
) -> Plan:
    """Queries for differences, and differences for queries, by the exact power of the paired t.

    Parameters
    ----------
    spread : of the differences by query, or its standard deviation
    differences : of means; by default 0.01 to 0.1
    queries : numbers of queries; by default 10 to 1000
    design : "t", "anova" (`systems` compared at once) or "ci" (an interval no wider than `width`),
        after Sakai (2016); "t" and "anova" take one of `differences`

    Raises
    ------
    UsageError
        A number out of range, a design without what it needs.
    """
    from cranfield.stats import power as p

    if not isinstance(spread, Spread):
        sd = positive("the standard deviation", spread)
        spread = Spread("", sd, sd)
    share("alpha", alpha), share("power", power), whole("systems", systems, 1)
    for name, several in (("differences", differences), ("queries", queries)):
        if not isinstance(several, (list, tuple, range, np.ndarray)):
            raise UsageError(f"{name} is {several!r}", f"{name} is a list of numbers")
    differences, queries = tuple(differences), tuple(queries)
    for n in queries:
        whole("queries", n, 2, "must be 2 or more to show anything")
    _nothing_unused(design, differences, queries, systems, width)
    if design is not None:
        designed = _design(design, spread, differences, alpha, power, systems, width)
        return Plan(spread, alpha, power, (), (), designed)
    sizes = queries or (() if differences else QUERIES)
    wanted = differences or (() if queries else DIFFERENCES)
    needed = tuple((d, p.queries_needed(d, spread.sd, alpha=alpha, power=power)) for d in wanted)
    shown = tuple(
        (n, found)
        for n in sizes
        if (found := p.detectable(n, spread.sd, alpha=alpha, power=power)) is not None
    )
    return Plan(spread, alpha, power, needed, shown)


def _nothing_unused(
    design: str | None,
    differences: Sequence[float],
    queries: Sequence[int],
    systems: int,
    width: float | None,
) -> None:
    """UsageError where something was asked that this kind of plan does not look at."""
    if width is not None and design != "ci":
        raise UsageError("a width without the design ci", "--design ci --width 0.1")
    if systems != 2 and design != "anova":
        raise UsageError(f"{systems} systems without the design anova", "--design anova")
    if design is None:
        return
    if queries:
        raise UsageError(f"the design {design} finds the number of queries", "leave it out")
    if len(differences) > (design != "ci"):
        hint = "it has a width" if design == "ci" else "one at a time"
        raise UsageError(f"{len(differences)} differences for the design {design}", hint)


def _design(
    name: str,
    spread: Spread,
    differences: Sequence[float],
    alpha: float,
    power: float,
    systems: int,
    width: float | None,
) -> tuple[str, dict[str, float], int, float]:
    from cranfield.stats import power as p

    if name == "ci":
        if width is None:
            raise UsageError("the design ci needs a width", "--width 0.1, of the whole interval")
        found = p.design_interval(width, spread.sd, level=1 - alpha)
        return name, {"width": width, "sd": spread.sd}, found.n, found.attained
    if name not in ("t", "anova"):
        raise UsageError(f"no design {name!r}", "t, anova or ci")
    if not differences:
        raise UsageError(f"the design {name} needs a difference", "--difference 0.05")
    difference = differences[0]
    if name == "t":
        found = p.design_t(difference / spread.sd, alpha=alpha, power=power)
        return name, {"difference": difference, "sd": spread.sd}, found.n, found.attained
    found = p.design_anova(systems, difference, spread.sd_within, alpha=alpha, power=power)
    values = {"systems": float(systems), "difference": difference, "sd": spread.sd_within}
    return name, values, found.n, found.attained
