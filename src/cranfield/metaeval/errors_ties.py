"""How often a measure contradicts itself, and how often it cannot tell two systems apart: error
rate and tie rate, in the words of two papers, and both as one figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UsageError
from cranfield.metaeval.topicsets import as_sets, subsets, weights
from cranfield.stats.arrays import Advance, Floats, drawn, lattice, matrix, silent, slack

Fuzz = Literal["max", "min", "abs"]
Aggregate = Literal["micro", "macro"]
CURVE = tuple(i / 100 for i in range(11))  # Sakai's values of f
_UNITS = 2.0  # what the difference of two rounded scores may be off by, in units of the lattice


@dataclass(frozen=True)
class ErrorTie:
    """Error and tie rate of one measure.

    Parameters
    ----------
    error : from 0 to 1; None where nothing was compared (every pair is a tie).
    tie : from 0 to 1.
    fuzziness : two scores nearer than this are a tie; `fuzz` says what it is a share of.
    fuzz : "min" or "max", the smaller or the larger of the two; "abs", the unit of the measure.
    method : which definition, and what was drawn.
    pairs : pairs of systems, the tied ones included.
    compared : comparisons that the error rate is a share of.
    """

    error: float | None
    tie: float
    fuzziness: float
    fuzz: Fuzz
    method: str
    pairs: int
    compared: int

    def single(self, weight: float = 0.5) -> float | None:
        """Both as one figure, weight · error + (1 - weight) · tie, low is good (Wu & McClean
        2006); None without an error rate."""
        if not 0 <= weight <= 1:
            raise UsageError(f"weight must lie from 0 to 1, not {weight!r}")
        return None if self.error is None else weight * self.error + (1 - weight) * self.tie


@dataclass(frozen=True)
class MinorityCurve:
    """Minority rate against proportion of ties (Sakai 2006): a curve nearer to the origin is that
    of a more stable measure.

    Parameters
    ----------
    points : one a fuzziness, in the order asked for; `error` is the minority rate and `tie` the
        proportion of ties.
    size, sets, seed : topics a set, how many sets, and how they were drawn.
    """

    points: tuple[ErrorTie, ...]
    size: int
    sets: int
    seed: int


def worded(x: ArrayLike, fuzziness: float = 0.05, *, aggregate: Aggregate = "micro") -> ErrorTie:
    """Error and tie rate by topic, as Wu, Tan & Shi (2015) word them.

    A score is better than another if it exceeds it by at least `fuzziness` of the smaller one;
    above a score of 0 any score is better. Two systems are a tie if neither mean is better than
    the other; tie rate = ties / pairs. Of any other pair the system with the better mean wins s1
    topics and loses s2; error = s2 / (s1 + s2). This error is one of single topics, and so far
    larger than that of `stability`.

    Parameters
    ----------
    x : [m systems, n topics] scores from 0 on.
    fuzziness : from 0 on.
    aggregate : "micro" pools the topics of all pairs, Σ s2 / Σ (s1 + s2); "macro" is the mean of
        the error of the pairs that have one. The paper does not say which.
    """
    x = _scores(x, fuzziness, "min")
    if aggregate not in ("micro", "macro"):
        raise UsageError(f"aggregate: no {aggregate!r}", "micro or macro")
    m, n = x.shape
    units, _ = lattice(x)
    total = units.sum(axis=1)
    ties, rates, won, lost = 0, [], 0, 0
    for i in range(m - 1):
        mine = _better(total[i], total[i + 1 :], fuzziness, slack(n))
        topics = _better(units[i], units[i + 1 :], fuzziness, _UNITS) * mine[:, None]
        ties += int(np.count_nonzero(mine == 0))
        s1, s2 = np.count_nonzero(topics > 0, axis=1), np.count_nonzero(topics < 0, axis=1)
        won, lost = won + int(s1.sum()), lost + int(s2.sum())
        some = s1 + s2 > 0
        rates.append(s2[some] / (s1 + s2)[some])
    pairs, each = m * (m - 1) // 2, np.sort(np.concatenate(rates))
    error: float | None = None
    if len(each):
        error = lost / (won + lost) if aggregate == "micro" else float(each.mean())
    compared = won + lost if aggregate == "micro" else len(each)
    how = f"by topic, {aggregate}"
    return ErrorTie(error, ties / pairs, fuzziness, "min", how, pairs, compared)


def _better(a: Floats | np.float64, b: Floats, f: float, noise: float) -> Floats:
    """1 where a is better than b by at least f of b, -1 where b is by f of a, else 0."""
    difference = a - b
    beyond = np.abs(difference) >= f * np.minimum(a, b) - noise
    return np.sign(difference) * (beyond & (np.abs(difference) > noise))


def stability(
    x: ArrayLike,
    fuzziness: float = 0.05,
    *,
    fuzz: Fuzz = "max",
    size: int | None = None,
    sets: int = 1000,
    seed: int = 0,
    topic_sets: Iterable[Iterable[int]] | None = None,
    advance: Advance = silent,
) -> ErrorTie:
    """Error and tie rate over topic sets (Buckley & Voorhees 2000).

    For each pair of systems and each topic set the means are compared: better, worse, or equal
    where they differ by less than the fuzziness. error = Σ min(#better, #worse) / Σ all three, the
    ties staying in the denominator; tie rate = Σ #equal / the same.

    Parameters
    ----------
    x : [m systems, n topics] scores; from 0 on unless `fuzz` is "abs".
    fuzziness : from 0 on.
    fuzz : what it is a share of: the larger mean (the default), the smaller, or "abs", nothing:
        a difference in the unit of the measure. The re-implementations differ in this.
    size : topics a set; the half of n, rounded down, without it.
    sets, seed : how many sets are drawn without replacement, and how.
    topic_sets : the sets themselves, as numbers of topics, in place of drawn ones.
    """
    made = None if topic_sets is None else list(topic_sets)
    return _stable(x, (fuzziness,), fuzz, size, sets, seed, made, advance)[0]


def minority_curve(
    x: ArrayLike,
    fuzziness: Sequence[float] = CURVE,
    *,
    fuzz: Fuzz = "max",
    size: int | None = None,
    sets: int = 1000,
    seed: int = 0,
    advance: Advance = silent,
) -> MinorityCurve:
    """`stability` at each fuzziness (0, .01, ... .10 without any), with the same topic sets."""
    points = _stable(x, tuple(fuzziness), fuzz, size, sets, seed, None, advance)
    return MinorityCurve(points, _size(x, size), sets, seed)


def _size(x: ArrayLike, size: int | None) -> int:
    return max(1, np.shape(x)[1] // 2) if size is None else size


def _stable(
    x: ArrayLike,
    fs: tuple[float, ...],
    fuzz: Fuzz,
    size: int | None,
    sets: int,
    seed: int,
    made: list[Iterable[int]] | None,
    advance: Advance,
) -> tuple[ErrorTie, ...]:
    if fuzz not in ("max", "min", "abs"):
        raise UsageError(f"fuzz: no {fuzz!r}", "max, min or abs")
    for f in fs:
        x = _scores(x, f, fuzz)
    found = matrix(x)
    m, n = found.shape
    units, unit = lattice(found)
    if made is None:
        drawn_sets = subsets(n, _size(found, size), sets, seed)
        sums, sizes = units @ weights(drawn_sets, n).T, np.full(sets, drawn_sets.shape[1])
        how = f"{drawn_sets.shape[1]} topics a set, {drawn(sets, seed)}"
    else:
        given = as_sets(made, n)
        sums = np.stack([units[:, one].sum(axis=1) for one in given], axis=1)
        sizes = np.array([len(one) for one in given])
        how = f"{len(given)} topic sets"
    minority, ties = np.zeros(len(fs), np.int64), np.zeros(len(fs), np.int64)
    for i in range(m - 1):
        for k, (less, equal) in enumerate(_counts(sums, i, sizes, fs, fuzz, unit, slack(n))):
            minority[k], ties[k] = minority[k] + less, ties[k] + equal
        advance((m - 1 - i) / (m * (m - 1) / 2))
    pairs = m * (m - 1) // 2
    every = pairs * sums.shape[1]
    return tuple(
        ErrorTie(float(minority[k] / every), float(ties[k] / every), f, fuzz, how, pairs, every)
        for k, f in enumerate(fs)
    )


def _counts(
    sums: Floats,
    i: int,
    sizes: Floats,
    fs: tuple[float, ...],
    fuzz: Fuzz,
    unit: float,
    noise: float,
) -> Iterator[tuple[int, int]]:
    """(minority, ties) of system i against all later ones at each fuzziness. Sums are in units of
    the lattice; an absolute fuzziness is brought to theirs."""
    mine, theirs = sums[i], sums[i + 1 :]
    difference = mine - theirs
    apart = np.abs(difference)
    if fuzz == "abs":
        reference = np.broadcast_to(sizes / unit, apart.shape)
    else:
        reference = (np.maximum if fuzz == "max" else np.minimum)(mine, theirs)
    above, differs = difference > 0, apart > noise
    for f in fs:
        untied = (apart >= f * reference - noise) & differs
        better = np.count_nonzero(untied & above, axis=1)
        all_untied = np.count_nonzero(untied, axis=1)
        worse = all_untied - better
        yield int(np.minimum(better, worse).sum()), untied.size - int(all_untied.sum())


def _scores(x: ArrayLike, fuzziness: float, fuzz: Fuzz) -> Floats:
    found = matrix(x, topics=1)
    if not fuzziness >= 0:
        raise UsageError(f"fuzziness must be a number from 0 on, not {fuzziness!r}")
    if fuzz != "abs" and found.min(initial=0.0) < 0:
        raise InputError("a share of a score below 0 has no meaning", "fuzz='abs' takes any score")
    return found
