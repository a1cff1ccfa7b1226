"""Scores that can be compared across topics and collections: each topic's scores are measured by
what reference systems got on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield.data.columns import Floats
from cranfield.errors import InputError, UsageError
from cranfield.stats.arrays import DECIMALS, NOISE, matrix

Form = Literal["normal", "z", "ecdf"]
FORMS: tuple[Form, ...] = get_args(Form)


@dataclass(frozen=True, eq=False)
class Standardised:
    """Standardised scores of m systems on n topics.

    Parameters
    ----------
    form : "z", (x - mean) / sd; "normal", Φ of that; "ecdf", the share of reference scores at or
        below x.
    values : [m, n]; 0 on topics that are not `defined`.
    defined : [n] False where all reference systems have one score: nothing can be measured by it.
    mean, sd : [n] of the reference systems, sd with their number less one.
    references : how many there are.
    """

    form: Form
    values: Floats
    defined: NDArray[np.bool_]
    mean: Floats
    sd: Floats
    references: int

    @property
    def means(self) -> Floats:
        """[m] mean of each system over the topics that are defined, by which systems of different
        collections can be compared."""
        return np.asarray(self.values[:, self.defined].mean(axis=1))


def standardise(
    x: ArrayLike, reference: ArrayLike | None = None, *, form: Form = "normal"
) -> Standardised:
    """Scores in the terms of the reference systems of their topic.

    Webber, Moffat & Zobel (2008) take z = (x - μ) / σ with mean and standard deviation of the
    reference systems on the topic, and bound it by the normal distribution function to lie between
    0 and 1, so that one topic cannot outweigh the others. Urbano, Lima & Hanjalic (2019) take the
    empirical distribution of the reference scores instead, which gives the same spread whatever
    the measure.

    Parameters
    ----------
    x : [m systems, n topics] to be standardised.
    reference : [r systems, n topics], two systems or more on the same topics; x itself without it.
    form : "z", "normal" or "ecdf".

    Raises
    ------
    InputError
        No topic on which the reference systems differ.
    """
    found = matrix(x, systems=1, topics=1)
    against = found if reference is None else matrix(reference, topics=1)
    if len(against) < 2:
        raise InputError("standardised scores need two reference systems or more")
    if against.shape[1] != found.shape[1]:
        raise InputError(
            f"reference systems on {against.shape[1]} topics, scores on {found.shape[1]}",
            "both must be over the same topics",
        )
    if form not in FORMS:
        raise UsageError(f"standardise: no form {form!r}", "z, normal or ecdf")
    mean, sd = against.mean(axis=0), against.std(axis=0, ddof=1)
    defined = sd > NOISE * np.maximum(1.0, np.abs(against).max(axis=0))
    if not defined.any():
        raise InputError("the reference systems have the same score on every topic")
    if form == "ecdf":
        values = _share_below(found, against)
    else:
        values = (found - mean) / np.where(defined, sd, 1.0)
        if form == "normal":
            from scipy.special import ndtr

            values = np.asarray(ndtr(values), np.float64)
    values[:, ~defined] = 0.0
    return Standardised(form, values, defined, mean, sd, len(against))


def _share_below(x: Floats, reference: Floats) -> Floats:
    ordered = np.sort(np.round(reference, DECIMALS), axis=0)
    rounded = np.round(x, DECIMALS)
    out = np.empty_like(x)
    for q in range(x.shape[1]):
        out[:, q] = np.searchsorted(ordered[:, q], rounded[:, q], side="right")
    return out / len(reference)
