"""A study with what else was found about the same scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cranfield.metaeval.across import StandardScores
from cranfield.metaeval.advice import Recommendation
from cranfield.metaeval.methods import Methods
from cranfield.metaeval.predictors import DifficultyPrediction
from cranfield.metaeval.results import Study
from cranfield.metaeval.robust import Robustness
from cranfield.metaeval.standardised import Form


@dataclass(frozen=True)
class Texts:
    """Where the terms of queries and documents come from.

    Parameters
    ----------
    name : of the collection; `analyzer` cut both into terms.
    documents, tokens : how many there are, and terms in them.
    without_text : queries of the study that the collection does not have.
    """

    name: str
    analyzer: str
    documents: int
    tokens: int
    without_text: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Studied:
    """A study, the other methods, and the recommendation.

    Parameters
    ----------
    methods, robust, advice, standard, predicted : by the name of the condition.
    weight : of the error rate in error and ties as one figure (Wu and McClean 2006).
    form : of the standardised scores that are shown.
    texts : where the terms of the predictors come from; None where there are none.
    """

    study: Study
    methods: Mapping[str, Methods] = field(default_factory=dict)
    advice: Mapping[str, Recommendation] = field(default_factory=dict)
    weight: float = 0.5
    robust: Mapping[str, Robustness] = field(default_factory=dict)
    standard: Mapping[str, StandardScores] = field(default_factory=dict)
    predicted: Mapping[str, DifficultyPrediction] = field(default_factory=dict)
    form: Form = "normal"
    texts: Texts | None = None
