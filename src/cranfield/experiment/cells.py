"""One cell of the matrix: known by the fingerprint of all that decides its run, used again where
it is there, else carried out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from cranfield import plugins
from cranfield.data.card import RunCard
from cranfield.data.collection import Query
from cranfield.errors import NoSuchInput
from cranfield.experiment import backends
from cranfield.experiment.plan import Cell, Plan
from cranfield.experiment.prepared import Prepared, queries_fingerprint
from cranfield.formats.card import read_card, write_card
from cranfield.formats.readers import read_run
from cranfield.formats.write import refuse_ids, write_run
from cranfield.kit.address import shown
from cranfield.kit.files import write_whole
from cranfield.kit.fingerprint import SHORT, of_file, of_mapping
from cranfield.kit.retry import Backoff
from cranfield.retrieval.collection import card_of_both, documents_of, system_on
from cranfield.retrieval.conduct import Conducted, Settings, conduct
from cranfield.retrieval.rerank import Rerank

FORM = 1  # of fingerprints; another one makes every run afresh
ENDING = ".cell.json"
FORMAT = "trec"  # of runs
State = Literal["made", "cached", "incomplete", "failed", "to do", "begun", "waits"]


@dataclass(frozen=True)
class Outcome:
    """What became of a cell.

    Parameters
    ----------
    state : `made` now; `cached`: made before, of the same; `incomplete`: some queries failed, and
        the next call asks them again; `failed`: there is no run. Before it is carried out: `to
        do`, `begun` (some queries were answered), `waits` (for the run that is reranked).
    queries : that the cell asks
    path : of the run, where there is one
    errors : {query: why} of queries that failed
    why : it failed
    """

    cell: Cell
    state: State
    queries: tuple[Query, ...] = ()
    path: Path | None = None
    errors: Mapping[str, str] | None = None
    why: str | None = None
    hint: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether there is a run to evaluate."""
        return self.state in ("made", "cached", "incomplete")


@dataclass(frozen=True)
class Place:
    """Where a cell's run lies and what decides it."""

    path: Path
    parts: Mapping[str, Any]
    queries: tuple[Query, ...]

    @property
    def fingerprint(self) -> str:
        return of_mapping(self.parts)

    @property
    def journal(self) -> Path:
        return Path(f"{self.path}.part")

    def there(self) -> bool:
        """Whether the run is there, whole, of this fingerprint and with every query answered."""
        return self._mark().get("failed") == 0

    def incomplete(self) -> bool:
        """Whether a run is there that lacks queries which failed."""
        return bool(self._mark().get("failed", 0))

    def _mark(self) -> dict[str, Any]:
        """What was noted when the run was written; empty where it is not what was written."""
        try:
            said = json.loads(Path(f"{self.path}{ENDING}").read_text(encoding="utf-8"))
            good = said["fingerprint"] == self.fingerprint and said["run"] == of_file(self.path)
        except (OSError, ValueError, KeyError, TypeError, NoSuchInput):
            return {}
        return dict(said) if good else {}

    def finish(self, done: Conducted, card: RunCard) -> tuple[str, ...]:
        """Write run and card, then the mark that both are whole; only then is the journal done."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        notes = write_run(done.run, self.path, FORMAT)
        write_card(card, self.path)
        mark = {
            "fingerprint": self.fingerprint,
            "run": of_file(self.path),
            "failed": len(done.errors),
            "made_from": {**self.parts, "parameters": shown(self.parts["parameters"])},
        }
        with write_whole(f"{self.path}{ENDING}") as stream:
            text = json.dumps(mark, ensure_ascii=False, indent=1, default=str)
            stream.write(text.encode("utf-8", "surrogatepass") + b"\n")
        if not done.errors:
            self.journal.unlink(missing_ok=True)
        # that an empty result is no line of a TREC file is in the card
        return tuple(n for n in notes if "without results left out" not in n)


def place_of(cell: Cell, on: Prepared, plan: Plan, first: Path | None = None) -> Place:
    """Where the run of a cell belongs; `first` is the run that is reranked."""
    parts: dict[str, Any] = {"form": FORM, "documents": on.fingerprint}
    if cell.reranker is None:
        queries = on.queries
        parts |= {
            "k": plan.k,
            "exclude_self": cell.collection.exclude_self,
            "system": cell.system.system,
            "parameters": backends.contents(cell, plan.folder),
            "code": backends.code(cell),
        }
        if cell.system.passages is not None:
            parts["passages"] = dict(cell.system.passages)
        if cell.system.filters:
            parts["filters"] = list(cell.system.filters)
    else:
        assert first is not None
        second = cell.reranker
        queries = on.sample(second.sample, plan.seed)
        parts |= {
            "first": of_file(first),
            "depth": second.depth,
            "reranker": second.reranker,
            "parameters": backends.contents(cell, plan.folder),
            "code": backends.code(cell),
        }
    parts["queries"] = queries_fingerprint(queries)
    safe = re.sub(r"[^\w.+=,-]", "_", cell.label)
    name = f"{safe}-{of_mapping(parts)[:SHORT]}.run"
    return Place(plan.folder / plan.runs / cell.collection.name / name, parts, queries)


def carry_out(cell: Cell, place: Place, on: Prepared, plan: Plan, first: Path | None) -> Outcome:
    """Make the run of a cell; where work on it was interrupted, go on with it.

    Raises
    ------
    Exception
        Whatever the back end raises when it is made, and what `conduct` raises.
    """
    place.path.parent.mkdir(parents=True, exist_ok=True)
    if cell.reranker is None:
        done, card, notes = _retrieve(cell, place, on, plan)
    else:
        assert first is not None
        done, card, notes = _rerank(cell, place, on, plan, first)
    notes += place.finish(done, card)
    state: State = "incomplete" if done.errors else "made"
    return Outcome(cell, state, place.queries, place.path, dict(done.errors), notes=notes)


def _retrieve(
    cell: Cell, place: Place, on: Prepared, plan: Plan
) -> tuple[Conducted, RunCard, tuple[str, ...]]:
    cut = cell.system.passages
    system = system_on(on.found, cell.system.system, backends.options(cell, plan.folder), cut)
    try:
        done = conduct(
            system,
            place.queries,
            Settings(
                k=plan.k,
                filters=cell.system.filters,
                exclude_self=cell.collection.exclude_self,
                backoff=Backoff(plan.attempts, seed=plan.seed),
            ),
            name=cell.label,
            config={"collection": cell.collection.name}
            | ({} if cut is None else {"passages": dict(cut)}),
            journal=place.journal,
            keep=True,
            accept=partial(refuse_ids, FORMAT),
        )
        return done, done.card, (*getattr(system, "notes", ()), *done.notes)
    finally:
        getattr(system, "close", lambda: None)()


def _rerank(
    cell: Cell, place: Place, on: Prepared, plan: Plan, first: Path
) -> tuple[Conducted, RunCard, tuple[str, ...]]:
    second = cell.reranker
    assert second is not None
    before = read_card(f"{first}.card.json")
    run = read_run(first, name=cell.system.label)
    having = set(run.queries.to_list())
    asked = [q for q in place.queries if q.id in having]
    made = backends.options(cell, plan.folder)
    model = plugins.make(plugins.RERANKERS, second.reranker, **made)
    told = {} if len(place.queries) == len(on.queries) else {"sample": len(place.queries)}
    try:
        system = Rerank(run, documents_of(on.found), model, second.depth)
        done = conduct(
            system,
            asked,
            Settings(
                k=max((len(docs) for docs in system.lists.values()), default=1),
                backoff=Backoff(plan.attempts, seed=plan.seed),
                propose=False,
            ),
            name=cell.label,
            config={"collection": cell.collection.name, **told},
            journal=place.journal,
            keep=True,
            accept=partial(refuse_ids, FORMAT),
        )
        answered = [q for q in asked if q.id not in done.errors]
        card, said = card_of_both(done.card, _only(before, place.queries), system, answered)
    finally:
        getattr(model, "close", lambda: None)()
    cut = (note for note in said if "latency" not in note)  # which no table shows
    return done, card, (*getattr(model, "notes", ()), *cut, *done.notes)


def _only(card: RunCard, queries: tuple[Query, ...]) -> RunCard:
    """What a card says of these queries."""
    ids = {q.id for q in queries}
    return RunCard(
        card.name,
        card.config,
        {q: ms for q, ms in card.latency.items() if q in ids},
        failed=tuple(q for q in card.failed if q in ids),
        empty=tuple(q for q in card.empty if q in ids),
    )
