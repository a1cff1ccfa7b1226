"""The runs of one collection scored and compared on the same queries, and kept in the ledger."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cranfield.comparison.compare import compare_scores
from cranfield.comparison.material import Material
from cranfield.comparison.outcome import Comparison, Remark
from cranfield.comparison.results import doubted
from cranfield.data.card import RunCard
from cranfield.data.collection import Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.scores import Scores
from cranfield.errors import CranfieldError
from cranfield.evaluation.evaluate import evaluate
from cranfield.experiment.cells import Outcome
from cranfield.experiment.entries import About
from cranfield.experiment.lab import Lab
from cranfield.experiment.plan import Plan
from cranfield.experiment.prepared import Prepared
from cranfield.experiment.sources import restricted, shown_path
from cranfield.formats.card import read_card
from cranfield.formats.readers import open_run
from cranfield.formats.sources import RunColumns, RunSource
from cranfield.kit.fingerprint import of_file
from cranfield.retrieval.system import to_run


@dataclass(frozen=True, eq=False)
class Measured:
    """A base and what is held against it, on the same queries.

    Parameters
    ----------
    outcomes : the base first
    scores : under the measures of the plan and, last, the judge rate
    comparison : of the others with the base under the measures of the plan; None for a base alone
    """

    outcomes: tuple[Outcome, ...]
    scores: Scores
    comparison: Comparison | None


def judge_rate(plan: Plan) -> str:
    """The judge rate of Elastic's evaluation of BEIR, as a measure."""
    return f"Judged(any_row=true)@{plan.judged_at}"


def measure(
    outcomes: Sequence[Outcome], queries: Sequence[Query], on: Prepared, plan: Plan, lab: Lab
) -> tuple[Measured, Qrels]:
    """Score the runs of cells on these queries and compare them with the first.

    Returns
    -------
    What was measured, and the judgments it was measured by.
    """
    asked = {q.id: q.text for q in queries}
    judged: Qrels | TestCollection = on.found
    if any(q not in asked for q in on.found.qrels.queries):
        judged = restricted(on.found, asked, "asked")
    sources = [_source(o.path, o.cell.label) for o in outcomes if o.path is not None]
    scores = evaluate(
        judged,
        sources,
        [*plan.measures, judge_rate(plan)],
        **lab.config.settings,
    )
    comparison = None
    if len(outcomes) > 1:
        cards = [_card(o) for o in outcomes]
        found = compare_scores(_declared(scores), cards=cards, top=0, seed=plan.seed)
        here = Material(judged, (), tuple(sources), (None,) * len(sources), 1)
        comparison = doubted(found, here)
    qrels = judged.qrels if isinstance(judged, TestCollection) else judged
    return Measured(tuple(outcomes), scores, comparison), qrels


def _source(path: Path, name: str) -> RunSource:
    """A run by its file; one without a single result is no TREC file."""
    if path.stat().st_size == 0:
        return RunColumns(to_run(name, [], []))
    return open_run(path, name=name)


def _card(outcome: Outcome) -> RunCard:
    return read_card(f"{outcome.path}.card.json", outcome.cell.label)


def _declared(scores: Scores) -> Scores:
    """Without the judge rate, which is no hypothesis."""
    return replace(
        scores,
        measures=scores.measures[:-1],
        values=scores.values[:, :, :-1],
        valid=scores.valid[:, :, :-1],
    )


class Recorder:
    """Keeps each run's scores in the ledger of a lab, once: what is there already, of the same run,
    judgments, measures and settings, is not written again."""

    def __init__(self, lab: Lab, command: str, seed: int) -> None:
        self._lab, self._command, self._seed = lab, command, seed
        self._known: set[tuple[object, ...]] | None = None
        self.numbers: list[int] = []
        self.why: str | None = None  # nothing more could be recorded

    def record(self, measured: Measured, qrels: Qrels, on: Prepared) -> None:
        """Record each run that is not there yet."""
        judgments = qrels.fingerprint()
        for r, outcome in enumerate(measured.outcomes):
            assert outcome.path is not None
            scores = _one(measured.scores, r)
            measures = tuple(m.full for m in scores.measures)
            run = of_file(outcome.path)
            key = (run, outcome.cell.label, judgments, measures, str(dict(scores.settings)))
            if self.why is None and key not in self._there():
                self._write(scores, outcome, judgments, run, on)
                self._there().add(key)

    def remarks(self) -> tuple[Remark, ...]:
        """What is to be said of the recording."""
        if self.why is not None:
            return (Remark("lab.not_recorded", {"why": self.why}),)
        if not self.numbers:
            return ()
        values = {"first": self.numbers[0], "last": self.numbers[-1], "n": len(self.numbers)}
        return (Remark("experiment.recorded", values),)

    def _there(self) -> set[tuple[object, ...]]:
        if self._known is None:
            self._known = {
                (
                    run.fingerprint,
                    run.name,
                    entry.qrels_fingerprint,
                    tuple(m.full for m in entry.measures),
                    str(dict(entry.settings)),
                )
                for entry in self._lab.ledger.entries()
                for run in entry.runs
            }
        return self._known

    def _write(
        self, scores: Scores, outcome: Outcome, judgments: str, run: str, on: Prepared
    ) -> None:
        folder = self._lab.config.folder
        path = outcome.cell.collection.path
        about = About(
            qrels=shown_path(path, folder) if os.path.exists(path) else path,
            qrels_fingerprint=judgments,
            paths=(shown_path(os.path.abspath(str(outcome.path)), folder),),
            fingerprints=(run,),
            cards=(_card(outcome),),
            command=self._command,
            seed=self._seed,
            note=f"experiment: {outcome.cell.collection.name}",
        )
        own = self._lab.config.collection
        same = own is not None and os.path.exists(own) and os.path.exists(path)
        same = same and os.path.samefile(str(own), path)  # ids of another collection mean others
        look = self._lab.test_seen(scores) if same else None
        try:
            self.numbers.append(self._lab.ledger.record(scores, about, look=look))
        except (CranfieldError, OSError) as e:
            self.why = e.message if isinstance(e, CranfieldError) else str(e)


def _one(scores: Scores, r: int) -> Scores:
    """The scores of one run."""
    return replace(
        scores,
        runs=scores.runs[r : r + 1],
        values=scores.values[r : r + 1],
        valid=scores.valid[r : r + 1],
        reports=scores.reports[r : r + 1],
    )
