"""A study with what else was found about the same scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cranfield.metaeval.advice import Recommendation
from cranfield.metaeval.methods import Methods
from cranfield.metaeval.results import Study
from cranfield.metaeval.robust import Robustness


@dataclass(frozen=True, eq=False)
class Studied:
    """A study, the other methods, and the recommendation.

    Parameters
    ----------
    methods, robust, advice : by the name of the condition.
    weight : of the error rate in error and ties as one figure (Wu and McClean 2006).
    """

    study: Study
    methods: Mapping[str, Methods] = field(default_factory=dict)
    advice: Mapping[str, Recommendation] = field(default_factory=dict)
    weight: float = 0.5
    robust: Mapping[str, Robustness] = field(default_factory=dict)
