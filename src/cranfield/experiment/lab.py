"""A lab: a folder that remembers what was evaluated in it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from cranfield.comparison.outcome import Remark
from cranfield.data.card import RunCard
from cranfield.data.collection import Query, TestCollection
from cranfield.data.scores import Scores
from cranfield.errors import CranfieldError, NoSuchInput, UsageError
from cranfield.experiment.conduct import Conducted, conduct
from cranfield.experiment.config import LEDGER, Config, find_lab, read_config
from cranfield.experiment.entries import About, Entry
from cranfield.experiment.history import History, history
from cranfield.experiment.ledger import Ledger
from cranfield.experiment.looks import Looks, looks_of
from cranfield.experiment.references import Reference, merged, resolve
from cranfield.experiment.splits import Split, read_split
from cranfield.formats.inputs import Input
from cranfield.formats.readers import IRDS, read_collection, read_qrels
from cranfield.formats.topics import read_queries
from cranfield.kit.clock import Clock, now
from cranfield.kit.fingerprint import of_parts

NO_LAB = "make one: cranfield init"


@dataclass(frozen=True)
class Recorded:
    """What came of an evaluation in a lab.

    Parameters
    ----------
    id : its number in the ledger; None where it was not recorded.
    remarks : what is to be said of the recording, the split and the looks.
    made : what was recorded beside the scores, and what they were made from.
    """

    scores: Scores
    id: int | None
    remarks: tuple[Remark, ...]
    made: Conducted


class Lab:
    """A lab, given by its cranfield.toml.

    Parameters
    ----------
    clock : what time it is; for tests.
    patience : seconds to wait while another process writes the ledger.
    """

    def __init__(self, config: Config, *, clock: Clock = now, patience: float = 30.0) -> None:
        self.config = config
        self.ledger = Ledger(config.folder / LEDGER, clock=clock, patience=patience)

    def __repr__(self) -> str:
        return f"Lab({os.fspath(self.config.folder)!r}: {self.ledger.last()} evaluations)"

    # ------------------------------------------------------------------ the collection

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """The queries of the collection, or of the file beside its qrels; none where neither is
        named. They need no judgments, which may be what is being made."""
        if self.config.queries is not None:
            return read_queries(Input(self.config.queries))
        name = self.config.collection
        if name is None or not (name.startswith(IRDS) or os.path.isdir(name)):
            return ()
        try:
            return self.collection.queries
        except NoSuchInput:
            return read_collection(name, judgments=False).queries

    @cached_property
    def collection(self) -> TestCollection:
        """The collection that cranfield.toml names.

        Raises
        ------
        UsageError
            It names none, or qrels alone.
        """
        if self.config.collection is None:
            raise UsageError(
                f"{self.config.path} names no collection", 'for example collection = "my-queries"'
            )
        policy = self.config.settings.get("on_duplicate", "error")
        return read_collection(
            self.config.collection, split=self.config.qrels_split, on_duplicate=policy
        )

    @cached_property
    def split(self) -> Split | None:
        """The frozen split, its test list checked against the queries; None where none is made."""
        if not os.path.exists(self.config.split):
            return None
        return read_split(self.config.split).verified(self.queries, self.config.split)

    def looks(self) -> Looks | None:
        """Looks at the test queries; None where no split is made."""
        split = self.split
        if split is None:
            return None
        return looks_of(self.ledger, [v.fingerprint for v in split.versions])

    def look_remarks(self) -> list[Remark]:
        """What a report says of the test queries; nothing before the first look. A split that
        does not hold any more is told: the history is there all the same."""
        try:
            looks = self.looks()
        except CranfieldError as e:
            return [Remark("lab.split_broken", {"why": e.message})]
        return look_remarks(looks) if looks is not None and looks.count else []

    def queries_to_split(self) -> tuple[Query, ...]:
        """The queries of the lab; those of qrels alone have no text."""
        if self.queries or self.config.collection is None:
            return self.queries or self.collection.queries
        judged = read_qrels(self.config.collection)
        return tuple(Query(name, "") for name in judged.queries.to_list())

    # ------------------------------------------------------------------ evaluating

    def evaluate(self, runs: Any, measures: Any = None, **options: Any) -> Scores:
        """Score runs as `cranfield.evaluate` does and record it.

        Parameters
        ----------
        runs : as `cranfield.evaluate` takes them
        measures : None for those of cranfield.toml
        options : `qrels` and `queries`, where they are not those of the lab; `split` (`dev` or
            `test`), `config` (of the run, beside its card), `note`, `seed`, `record`; and the
            arguments of `cranfield.evaluate`

        Raises
        ------
        As `cranfield.evaluate`; a ledger that cannot be written is no error here: see `conduct`.
        """
        return self.conduct(runs, measures, **options).scores

    def conduct(
        self,
        runs: Any,
        measures: Any = None,
        *,
        qrels: Any = None,
        note: str | None = None,
        seed: int | None = None,
        command: str = "python",
        record: bool = True,
        **options: Any,
    ) -> Recorded:
        """`evaluate`, with the number under which it is recorded and what is to be said of it."""
        done = conduct(self, runs, measures, qrels=qrels, **options)
        about = replace(done.about, note=note, seed=seed, command=command)
        number, remarks = self._keep(done.scores, about, record)
        said = (*done.remarks, *remarks)
        return Recorded(done.scores, number, said, replace(done, about=about))

    def record(
        self,
        scores: Scores,
        *,
        qrels: str = "python",
        cards: Sequence[RunCard] = (),
        note: str | None = None,
        seed: int | None = None,
    ) -> int:
        """Record scores that were made elsewhere and return their number.

        Without files, a run is known by its scores and the judgments by the queries: those are
        what the fingerprints are of.

        Parameters
        ----------
        qrels : what to call the judgments.
        cards : of the runs that have one, by name.
        """
        known = {card.name: card for card in cards}
        about = About(
            qrels=qrels,
            qrels_fingerprint=of_parts([*scores.queries, scores.answerable.tobytes()]),
            paths=(None,) * len(scores.runs),
            fingerprints=tuple(
                of_parts([scores.values[r].astype("<f8").tobytes(), scores.valid[r].tobytes()])
                for r in range(len(scores.runs))
            ),
            cards=tuple(known.get(name, RunCard(name)) for name in scores.runs),
            note=note,
            seed=seed,
        )
        return self.ledger.record(scores, about, look=self.test_seen(scores))

    def _keep(
        self, scores: Scores, about: About, record: bool
    ) -> tuple[int | None, tuple[Remark, ...]]:
        """Record, or at least count a look; a ledger that cannot be written is told, not raised,
        for the scores are there."""
        test = self.test_seen(scores)
        number = None
        said: list[Remark] = []
        try:
            if record:
                number = self.ledger.record(scores, about, look=test)
                said.append(Remark("lab.recorded", {"id": number}))
            elif test is not None:
                self.look(scores.runs, about)
        except (CranfieldError, OSError) as e:
            why = e.message if isinstance(e, CranfieldError) else str(e)
            key = "lab.not_recorded" if test is None else "lab.look_not_counted"
            return None, (Remark(key, {"why": why}),)
        if test is not None and (looks := self.looks()) is not None:
            said += look_remarks(looks)
        return number, tuple(said)

    def look(self, runs: Sequence[str], about: About) -> None:
        """Count a look at the test queries that is no evaluation of its own."""
        split = self.split
        if split is None:
            return
        looked = zip(runs, about.fingerprints, about.cards, strict=True)
        with self.ledger.store.transaction() as db:
            self.ledger.look(
                db, split.fingerprint, about.command, [(n, f, c.config) for n, f, c in looked]
            )

    def test_seen(self, scores: Scores) -> str | None:
        """The fingerprint of the test list where some of its queries are scored."""
        split = self.split
        seen = split is not None and any(q in split.test for q in scores.queries)
        return split.fingerprint if split is not None and seen else None

    # ------------------------------------------------------------------ looking back

    def entry(self, reference: str | int) -> Entry:
        """One evaluation: `@7`, `@last`, `@last-1`, `@-2`, or `@NAME`, the last one of a run."""
        return self.ledger.entry(self.resolve(reference).id)

    def resolve(self, reference: str | int) -> Reference:
        return resolve(self.ledger, reference)

    def scores(self, *references: str | int, measures: Sequence[str] = ()) -> Scores:
        """The recorded scores of one evaluation, or of several that can be compared, together.

        Raises
        ------
        UnknownName
            A reference leads nowhere.
        UsageError
            They are not comparable: other judgments, settings, queries or measures.
        """
        return merged(self.ledger, list(references), measures)[0]

    def cards(self, *references: str | int, measures: Sequence[str] = ()) -> tuple[RunCard, ...]:
        """What is known of the runs of `scores`, asked in the same way, beside their results:
        configuration, queries that failed or were answered with nothing, latency and cost."""
        return merged(self.ledger, list(references), measures)[2]

    def history(
        self, measure: str | None = None, *, run: str | None = None, last: int | None = None
    ) -> History:
        """What was recorded, the oldest first: see `History`."""
        first = self.config.measures[0] if self.config.measures else None
        return history(self.ledger, measure, default=first, run=run, last=last)


def look_remarks(looks: Looks) -> list[Remark]:
    """What a report says of the test queries: how often they were looked at, and whether that
    looks like tuning."""
    values = {"count": looks.count, "runs": looks.runs, "configurations": looks.configurations}
    said = [Remark("lab.looks", values)]
    return [*said, Remark("lab.tuning", values)] if looks.tuning else said


def lab(path: str | os.PathLike[str] | None = None, **more: Any) -> Lab:
    """The lab at a folder, or the one that holds it.

    Raises
    ------
    NoSuchInput
        There is no cranfield.toml in the folder or above it.
    FormatError
        The cranfield.toml is wrong; the message names the line or the key.
    """
    found = find_lab(path)
    if found is None:
        place = os.path.abspath(path if path is not None else os.curdir)
        raise NoSuchInput(f"{place} is in no lab (no cranfield.toml here or above)", NO_LAB)
    return Lab(read_config(found), **more)
