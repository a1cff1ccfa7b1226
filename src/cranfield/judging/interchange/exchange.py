"""Files of labels into the store, and qrels out of it by a policy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cranfield.data.collection import Query
from cranfield.errors import UnknownName, UsageError
from cranfield.judging.deciding import Combine, Ties
from cranfield.judging.interchange.bring import Bringing
from cranfield.judging.interchange.origin import Found, Origin
from cranfield.judging.interchange.read import OnRepeat, read_judgments
from cranfield.judging.interchange.rows import Row
from cranfield.judging.interchange.write import write_labels
from cranfield.judging.judgment import ALL, Judgment, Source, Wanted
from cranfield.judging.labels import Labels, at_hand
from cranfield.judging.policies import Export, apply_policy
from cranfield.judging.policies import policy as named
from cranfield.judging.preferences import Preference, history, record_preferences

Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def import_labels(
    files: Files,
    labels: Labels | str | os.PathLike[str],
    *,
    form: str | None = None,
    source: Source = "imported",
    assessor: str = "",
    model: str = "",
    prompt: str = "",
    rubric: str = "",
    at: str = "",
    queries: Sequence[Query] | None = None,
    on_duplicate: OnRepeat = "error",
) -> tuple[Found, ...]:
    """Add the labels of files to a store, all of them or none; for each file what was in it, and
    what of it is new. Rows that the store has already are not added again: with a time those that
    say the same at that time, without one those that say what stands.

    Parameters
    ----------
    files : one, or several; any format that `cranfield judge import` reads.
    labels : a store, or where it is.
    form : of the files; by default told from the content.
    source, assessor, model, prompt, rubric, at : for rows that do not say it; see `Judgment`.
    queries : for files that know queries by their texts alone.
    on_duplicate : a judge who grades a pair twice in a file: `error`, or which grade to keep:
        `first`, `last`, `max`.

    Raises
    ------
    FormatError, InputError, NoSuchInput, UnknownName
        A file cannot be read; nothing has been added.
    UsageError
        Some files hold judgments and some preferences.
    """
    origin = Origin(source, assessor, model, prompt, rubric, at)
    listed = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    found = tuple(
        read_judgments(f, form, origin=origin, queries=queries, on_duplicate=on_duplicate)
        for f in listed
    )
    two = [bool(part.preferences) for part in found]
    if any(two) and not all(two):
        raise UsageError("some files hold judgments and some preferences", "import them apart")
    with at_hand(labels) as store:
        return _brought(store, found, any(two))


def _brought(store: Labels, found: Sequence[Found], two: bool) -> tuple[Found, ...]:
    """Record what is not there yet."""
    rows: list[Sequence[Row]] = [part.preferences if two else part.judgments for part in found]
    wanted = Wanted(queries=tuple({row.query for part in rows for row in part}))
    bringing = Bringing(store.time())
    bringing.start(history(store, wanted) if two else store.history(wanted))
    made = tuple(
        replace(part, brought=bringing.take(own)) for part, own in zip(found, rows, strict=True)
    )
    if two:
        record_preferences(store, [r for r in bringing.rows if isinstance(r, Preference)])
    else:
        store.record([r for r in bringing.rows if isinstance(r, Judgment)])
    return made


@dataclass(frozen=True, eq=False)
class Exported:
    """Qrels, what the policy did, and what a file could not hold, in words."""

    export: Export
    notes: tuple[str, ...] = ()


def export_labels(
    labels: Labels | str | os.PathLike[str],
    policy: str = "human",
    path: str | os.PathLike[str] | None = None,
    *,
    combine: Combine = "majority",
    ties: Ties = "lower",
    experts: Sequence[str] = (),
    every_prompt: bool = False,
    wanted: Wanted = ALL,
    form: str | None = None,
    queries: Sequence[Query] | None = None,
    index: str | None = None,
) -> Exported:
    """One grade a pair, by a policy; written to a file with its card, where a path is given.

    Parameters
    ----------
    labels : a store, or where it is.
    policy, combine, ties, experts, every_prompt : see `policies.policy`.
    wanted : only these judgments.
    form, queries, index : see `write_labels`.

    Raises
    ------
    NothingToEvaluate
        No judgment is left.
    UnknownName, UsageError, InputError, NoSuchInput
        An expert who has judged nothing; as `policies.policy` and `write_labels`.
    """
    rule = named(policy, combine=combine, ties=ties, experts=experts, every_prompt=every_prompt)
    name = "labels" if path is None else Path(path).name.split(".")[0]
    with at_hand(labels) as store:
        _known(store, experts)
        made = apply_policy(store.current(wanted), rule, name=name)
        about = {
            **made.provenance(),
            "only": {k: list(v) for k, v in wanted.columns().items()},
            "rows_of_store": store.last(),
            "at": store.time(),
        }
    if path is None:
        return Exported(made)
    return Exported(
        made,
        write_labels(made.qrels, path, form, provenance=about, queries=queries, index=index),
    )


def _known(store: Labels, experts: Sequence[str]) -> None:
    """Refuse an expert of whom the store has no judgment."""
    if not experts:
        return
    there = dict.fromkeys(j.assessor for j in store.current() if j.assessor)
    for name in experts:
        if name not in there:
            raise UnknownName(
                f"no labels of an expert {name!r}", f"assessors: {', '.join(there) or 'none'}"
            )
