"""`compare`: is the difference between a base and other runs real, how large is it, and where does
it come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from cranfield.comparison.cautions import cautions
from cranfield.comparison.changes import largest_changes
from cranfield.comparison.figures import differences
from cranfield.comparison.material import Material
from cranfield.comparison.outcome import Choices, Comparison
from cranfield.comparison.pairs import all_pairs
from cranfield.comparison.results import with_results
from cranfield.comparison.samples import samples
from cranfield.data.card import RunCard
from cranfield.data.collection import Query
from cranfield.data.scores import Scores
from cranfield.errors import UnknownName, UsageError
from cranfield.evaluation.evaluate import DEFAULT_MEASURES, evaluate
from cranfield.kit.arguments import whole
from cranfield.measures import Measure

Cards = Mapping[str, RunCard] | Iterable[RunCard] | None
_CHOICES = {f.name for f in fields(Choices)} - {"hypotheses"}


def compare(
    qrels: Any,
    base: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    queries: Iterable[Query] | None = None,
    by: str | Sequence[str] = (),
    cards: Cards = None,
    top: int = 5,
    k: int = 10,
    **options: Any,
) -> Comparison:
    """Compare runs with a base on the queries of some judgments.

    Parameters
    ----------
    qrels : as for `evaluate`; a collection with documents gives titles and snippets too
    base : one run, in any form that `evaluate` takes
    runs : one run or several, or {name: run}
    measures : the changes by query are shown under the first
    queries : queries with texts and fields (taken from a collection by itself)
    by : query fields; each label of each is compared on its own queries as well
    cards : what is known of the runs, by name; by default each file's own card
        (`<run file>.card.json`) and the `config` of a `Run`
    top : how many losses and how many gains are shown for each run
    k : how many results of each list are shown beside them
    options : the fields of `Choices` (alpha, power, min_effect, correction, test, interval,
        resamples, seed, tie, max_missing) and the keyword arguments of `evaluate`

    Returns
    -------
    Comparison

    Raises
    ------
    UsageError
        A choice that does not exist, or a file that is both base and run.
    Others
        As `evaluate`.
    """
    choices = {name: options.pop(name) for name in list(options) if name in _CHOICES}
    Choices(**choices)  # a wrong choice is found before any file is read
    _shown(by, top, k)
    material = Material.of(qrels, base, runs, queries, options)
    scores = evaluate(
        material.qrels, material.sources, measures, queries=material.queries, **options
    )
    found = compare_scores(
        scores,
        by=by,
        cards=material.cards() if cards is None else cards,
        texts=material.texts(),
        top=top,
        **choices,
    )
    return with_results(found, material, k)


def compare_scores(
    scores: Scores,
    *,
    base: str | None = None,
    by: str | Sequence[str] = (),
    cards: Cards = None,
    texts: Mapping[str, str] | None = None,
    top: int = 5,
    **choices: Any,
) -> Comparison:
    """Compare runs that have been scored; no file is read, so there are no result lists.

    Parameters
    ----------
    scores : of two runs or more
    base : the name of the run that the others are held against; by default the first
    texts : {query id: text}, for the changes by query
    others : as `compare`; `choices` are the fields of `Choices`

    Raises
    ------
    UsageError
        Fewer than two runs, a name that stands for two, a choice that does not exist.
    """
    chosen = Choices(**choices)
    _shown(by, top)
    fields_asked = list(dict.fromkeys([by] if isinstance(by, str) else by))
    scores = _base_first(scores, base)
    known = _cards_of(cards, scores.runs)
    found = list(samples(scores, fields_asked, known, chosen))
    rows, chosen = differences(found, chosen)
    pairs, unpaired = all_pairs(scores, known, chosen)
    return Comparison(
        scores=scores,
        choices=chosen,
        differences=tuple(row for row in rows if row.slice is None),
        slices=tuple(row for row in rows if row.slice is not None),
        pairs=pairs,
        changes=largest_changes(scores, top, tie=chosen.tie, texts=texts),
        cautions=(*cautions(scores, known, fields_asked, rows, chosen), *unpaired),
        cards=known,
    )


def _shown(by: object, top: object, k: object = 0) -> None:
    """Refuse what cannot be shown."""
    whole("top", top, 0)
    whole("k", k, 0)
    several = isinstance(by, (list, tuple)) and all(isinstance(name, str) for name in by)
    if not isinstance(by, str) and not several:
        raise UsageError(f"by is {by!r}", "the name of a query field, or a list of names")


def _base_first(scores: Scores, base: str | None) -> Scores:
    if len(scores.runs) < 2:
        raise UsageError("one run and nothing to compare it with", "give a base and a run")
    twice = next((run for run in scores.runs if scores.runs.count(run) > 1), None)
    if twice is not None:
        raise UsageError(f"two runs are called {twice!r}", "give each a name of its own")
    if not scores.queries or not scores.measures:
        raise UsageError("scores of no query or no measure", "there is nothing to compare")
    if base is None or base == scores.runs[0]:
        return scores
    if base not in scores.runs:
        raise UnknownName(f"no run {base!r}", f"runs: {', '.join(scores.runs)}")
    first = scores.runs.index(base)
    order = [first, *(r for r in range(len(scores.runs)) if r != first)]
    return replace(
        scores,
        runs=tuple(scores.runs[r] for r in order),
        values=scores.values[np.array(order)],
        valid=scores.valid[np.array(order)],
    )


def _cards_of(cards: Cards, runs: Sequence[str]) -> tuple[RunCard, ...]:
    """A card for each run, an empty one where none is known.

    Raises
    ------
    UnknownName
        A card of a run that is not compared.
    """
    named: dict[str, RunCard]
    if isinstance(cards, Mapping):
        named = {name: replace(card, name=name) for name, card in cards.items()}
    else:
        named = {card.name: card for card in cards or ()}
    stranger = next((name for name in named if name not in runs), None)
    if stranger is not None:
        raise UnknownName(f"a card of {stranger!r}, which is no run", f"runs: {', '.join(runs)}")
    return tuple(named.get(run, RunCard(run)) for run in runs)
