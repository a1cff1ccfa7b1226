"""`dedup`: judgments that treat copies alike, and the scores before and after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cranfield.data.columns import Floats
from cranfield.data.run import Run
from cranfield.diagnosis.asked import Asked
from cranfield.diagnosis.check import MEASURES
from cranfield.diagnosis.copies import Copies, Near
from cranfield.diagnosis.duplicates import collapsed, copies_of, effects, turned
from cranfield.diagnosis.material import Examined, examine
from cranfield.diagnosis.policies import POLICIES, Changed, Policy, collapse, expand, firsts
from cranfield.errors import UsageError
from cranfield.measures import Measure


@dataclass(frozen=True, eq=False)
class Deduplicated:
    """A collection whose copies are treated alike.

    Parameters
    ----------
    policy : `expand` (every copy has the greatest grade of its cluster) or `collapse` (one
        document, the cluster's first id, stands for all).
    copies : the clusters.
    changed : the judgments, and how many rows were added, raised, removed.
    runs, measures : names.
    means : {`raw`, `expand`, `collapse`: [run, measure]}; empty without runs.
    turned : (policy, run, other) of pairs whose order under the first measure is another one.
    """

    policy: Policy
    copies: Copies
    changed: Changed
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    means: dict[str, Floats]
    turned: tuple[tuple[str, str, str], ...]
    _found: Examined

    def collapsed_runs(self) -> Iterable[Run]:
        """The runs with each cluster once, where its first copy stood; made one at a time. Scores
        count down to 1."""
        first_of = firsts(self.copies.clusters)
        for source, aligned in zip(self._found.sources, self._found.aligned, strict=True):
            every = [*self._found.queries, *aligned.unlabelled]
            yield Run.from_dict(
                collapsed(self._found, source, first_of, every).run, name=source.name
            )


def dedup(
    collection: Any,
    runs: Any = (),
    measures: str | Measure | Iterable[str | Measure] = MEASURES,
    *,
    policy: Policy = "expand",
    near: Near | None = None,
    **options: Any,
) -> Deduplicated:
    """Find the copies among the documents and carry the judgments over to them.

    Parameters
    ----------
    collection : a folder, `irds:<id>` or a TestCollection, with documents
    runs, measures : whose scores are shown before and after
    near : how near-duplicates are looked for; None for documents whose normal texts are equal
    options : as for `check`

    Raises
    ------
    UsageError
        There are no documents, or no such policy.
    InputError
        Judgments of subtopics, preferences, or of several people.
    And as `check`.
    """
    if policy not in POLICIES:
        raise UsageError(f"no policy {policy!r}", f"one of {', '.join(POLICIES)}")
    found = examine(collection, runs, measures, Asked(near=near), **options)
    copies = copies_of(found)
    if copies is None:
        raise UsageError(
            f"{found.collection.name} has no documents to compare",
            "a folder with a corpus.jsonl has, and irds:<id>",
        )
    changed = (expand if policy == "expand" else collapse)(found.given, copies.clusters)
    means = effects(found, copies) if found.runs else None
    return Deduplicated(
        policy,
        copies,
        changed,
        found.runs,
        tuple(map(str, found.measures)),
        means or {},
        tuple(turned(found, means)) if means else (),
        found,
    )
