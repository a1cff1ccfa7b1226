"""`conduct`: every cell of a matrix carried out or found again, scored, recorded, compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

from cranfield.comparison.outcome import Remark
from cranfield.errors import CranfieldError, UnknownName
from cranfield.experiment.backends import check
from cranfield.experiment.cells import Outcome, Place, carry_out, place_of
from cranfield.experiment.lab import Lab
from cranfield.experiment.measured import Measured, Recorder, measure
from cranfield.experiment.plan import Cell, Plan, PlannedCollection
from cranfield.experiment.prepared import CollectionFacts, Prepared, prepare
from cranfield.kit.lock import one_at_a_time

# (number of the cell, of how many, the cell): told before each cell that has to be carried out
Tell = Callable[[int, int, Cell], None]
LOCK = ".lock"  # in the folder of the runs


@dataclass(frozen=True, eq=False)
class Experiment:
    """A matrix carried out.

    Parameters
    ----------
    facts : of the collections that could be read
    outcomes : of every cell, in the order of the plan
    measured : retrievers against the first of them, and rerankers against their retriever
    remarks : what is to be said of the recording
    """

    plan: Plan
    facts: tuple[CollectionFacts, ...]
    outcomes: tuple[Outcome, ...]
    measured: tuple[Measured, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """Cells without a run."""
        return tuple(o for o in self.outcomes if o.state == "failed")

    @property
    def incomplete(self) -> tuple[Outcome, ...]:
        """Cells with queries that failed."""
        return tuple(o for o in self.outcomes if o.state == "incomplete")


def look_up(plan: Plan, only: Sequence[str] = ()) -> Experiment:
    """What is there, what is to do, and what is sure to fail (a package, a file or a variable of
    the environment that is missing); nothing is carried out, scored or written.

    Raises
    ------
    UnknownName
        As `Plan.cells`.
    """
    facts: list[CollectionFacts] = []
    outcomes: list[Outcome] = []
    for planned, cells in _by_collection(plan.cells(only)):
        on, why = _prepared(planned, plan)
        if on is None:
            outcomes += [replace(why, cell=cell) for cell in cells]
            continue
        facts.append(on.facts)
        found: dict[str, Outcome] = {}
        for cell in cells:
            found[cell.label] = _guarded(_seen, cell, on, plan, found)
            outcomes.append(found[cell.label])
    return Experiment(plan, tuple(facts), tuple(outcomes))


def conduct(
    lab: Lab,
    plan: Plan,
    only: Sequence[str] = (),
    *,
    command: str = "python",
    tell: Tell | None = None,
) -> Experiment:
    """Carry out a matrix: what is not there is made, everything is scored and compared.

    A run that is there with the same fingerprint is used again; one that was interrupted goes on
    where it stopped. A cell that fails does not stop the others. Only one process at a time works
    in the folder of the runs.

    Parameters
    ----------
    only : names; see `Plan.cells`
    command : as it was typed, for the ledger
    tell : called before each cell that is carried out

    Raises
    ------
    UnknownName
        As `Plan.cells`.
    CranfieldError
        Another experiment is under way there; nothing was done.
    """
    cells = plan.cells(only)
    with one_at_a_time(plan.folder / plan.runs / LOCK, "another experiment"):
        return _conducted(lab, plan, cells, command, tell)


def _conducted(
    lab: Lab, plan: Plan, cells: Sequence[Cell], command: str, tell: Tell | None
) -> Experiment:
    recorder = Recorder(lab, command, plan.seed)
    facts: list[CollectionFacts] = []
    outcomes: list[Outcome] = []
    measured: list[Measured] = []
    for planned, own in _by_collection(cells):
        on, why = _prepared(planned, plan)
        if on is None:
            outcomes += [replace(why, cell=cell) for cell in own]
            continue
        facts.append(on.facts)
        found: dict[str, Outcome] = {}
        for cell in own:
            told = None if tell is None else partial(tell, len(outcomes) + 1, len(cells), cell)
            found[cell.label] = _guarded(_done, cell, on, plan, found, told)
            outcomes.append(found[cell.label])
        for group in _groups(found):
            result, qrels = measure(group, group[-1].queries, on, plan, lab)
            # a base on a sample is no evaluation of its own
            kept = result if len(group[-1].queries) == len(on.queries) else _without_base(result)
            recorder.record(kept, qrels, on)
            measured.append(result)
    return Experiment(plan, tuple(facts), tuple(outcomes), tuple(measured), recorder.remarks())


def _by_collection(cells: Sequence[Cell]) -> Iterator[tuple[PlannedCollection, list[Cell]]]:
    for planned, own in groupby(cells, lambda cell: cell.collection):
        yield planned, list(own)


def _prepared(planned: PlannedCollection, plan: Plan) -> tuple[Prepared | None, Outcome]:
    """A collection, or the outcome of all its cells."""
    cell = Cell(planned, plan.systems[0])
    try:
        return prepare(planned, plan.seed, plan.on_duplicate), Outcome(cell, "to do")
    except (CranfieldError, OSError) as e:
        return None, _failure(cell, e)


def _guarded(work: Callable[..., Outcome], cell: Cell, *more: object) -> Outcome:
    """Whatever goes wrong inside a cell stays there; an interrupt does not."""
    try:
        return work(cell, *more)
    except Exception as e:
        return _failure(cell, e)


def _failure(cell: Cell, error: Exception) -> Outcome:
    if isinstance(error, CranfieldError):
        return Outcome(cell, "failed", why=error.message, hint=error.hint)
    told = f"{type(error).__name__}: {error}".strip().rstrip(":")
    return Outcome(cell, "failed", why=told)


def _seen(cell: Cell, on: Prepared, plan: Plan, found: Mapping[str, Outcome]) -> Outcome:
    """What is there of a cell."""
    first = _first(cell, found)
    if cell.reranker is not None and first is None:
        base = found.get(cell.first.label)
        if base is not None and base.state == "failed":
            return Outcome(cell, "failed", why=f"{cell.system.label} fails")
        queries = on.sample(cell.reranker.sample, plan.seed)
        check(cell, queries, on.found, plan.folder)
        return Outcome(cell, "waits", queries)
    place = place_of(cell, on, plan, first)
    if place.there():
        return Outcome(cell, "cached", place.queries, place.path)
    check(cell, place.queries, on.found, plan.folder)
    if place.incomplete():
        return Outcome(cell, "incomplete", place.queries, place.path)
    return Outcome(cell, "begun" if place.journal.exists() else "to do", place.queries)


def _done(
    cell: Cell,
    on: Prepared,
    plan: Plan,
    found: Mapping[str, Outcome],
    told: Callable[[], None] | None,
) -> Outcome:
    """The run of a cell, found or made."""
    first = _first(cell, found)
    if cell.reranker is not None and first is None:
        raise UnknownName(f"{cell.system.label} failed, and there is nothing to rerank")
    place: Place = place_of(cell, on, plan, first)
    if place.there():
        return Outcome(cell, "cached", place.queries, place.path)
    if told is not None:
        told()
    return carry_out(cell, place, on, plan, first)


def _first(cell: Cell, found: Mapping[str, Outcome]) -> Path | None:
    """The run that a reranker reads, where it is there."""
    base = found.get(cell.first.label)
    return base.path if cell.reranker is not None and base is not None and base.usable else None


def _groups(found: Mapping[str, Outcome]) -> Iterator[list[Outcome]]:
    """What is scored together, the base first: all retrievers; each retriever with its rerankers
    that ask the same queries."""
    usable = [o for o in found.values() if o.usable]
    bases = [o for o in usable if o.cell.reranker is None]
    if bases:
        yield bases
    for base in bases:
        second = [o for o in usable if o.cell.reranker and o.cell.first.label == base.cell.label]
        for queries in dict.fromkeys(tuple(q.id for q in o.queries) for o in second):
            own = [o for o in second if tuple(q.id for q in o.queries) == queries]
            yield [base, *own]


def _without_base(measured: Measured) -> Measured:
    scores = measured.scores
    return replace(
        measured,
        outcomes=measured.outcomes[1:],
        scores=replace(
            scores,
            runs=scores.runs[1:],
            values=scores.values[1:],
            valid=scores.valid[1:],
            reports=scores.reports[1:],
        ),
    )
