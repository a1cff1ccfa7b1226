"""What `evaluate` is given, made out: measures, judgments, runs, and what to be careful about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.data.collection import Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.formats.card import card_path, read_card
from cranfield.formats.dicts import RunDict
from cranfield.formats.readers import IRDS, open_run, read_collection, read_qrels, refuse_split
from cranfield.formats.sources import OnDuplicate, RunFile, RunSource
from cranfield.measures import Measure, parse_many


def asked_measures(
    measures: str | Measure | Iterable[str | Measure],
) -> list[tuple[tuple[str, ...], Measure]]:
    """(every spelling asked for, measure), repeats merged."""
    given: Sequence[str | Measure]
    if isinstance(measures, (str, Measure)):
        given = [measures]
    elif not isinstance(measures, Iterable):
        raise UsageError(f"measures is {measures!r}", 'a name or a list of names, ["nDCG@10"]')
    else:
        given = list(measures)
    found: dict[Measure, dict[str, None]] = {}
    for item in given:
        several = [item] if isinstance(item, Measure) else parse_many([item])
        for m in several:
            found.setdefault(m, {})[str(item) if len(several) == 1 else str(m)] = None
    if not found:
        raise UsageError("no measure asked for", "for example nDCG@10")
    return [(tuple(names), m) for m, names in found.items()]


def judgments_of(
    qrels: Any,
    format: str | None,
    on_duplicate: OnDuplicate,
    all_errors: bool,
    split: str | None,
    threads: int | None = None,
) -> tuple[Qrels, tuple[Query, ...]]:
    """The judgments, and the queries where a collection brings them along."""
    if isinstance(qrels, TestCollection):
        return qrels.qrels, qrels.queries
    if isinstance(qrels, (str, os.PathLike)):
        text = os.fspath(qrels)
        if text.startswith(IRDS) or os.path.isdir(text):
            collection = read_collection(text, split=split, on_duplicate=on_duplicate)
            return collection.qrels, collection.queries
        refuse_split(text, split)
    judged = read_qrels(
        qrels, format=format, on_duplicate=on_duplicate, all_errors=all_errors, threads=threads
    )
    return judged, ()


def sources_of(
    runs: Any, format: str | None, on_duplicate: OnDuplicate, all_errors: bool
) -> list[RunSource]:
    def source(run: Any, name: str | None = None) -> RunSource:
        if (plain := RunDict.of(run, name or "run")) is not None:
            return plain
        return open_run(
            run, name=name, format=format, on_duplicate=on_duplicate, all_errors=all_errors
        )

    if isinstance(runs, Mapping) and not _is_one_run(runs):
        found = [source(run, str(name)) for name, run in runs.items()]
    elif isinstance(runs, (list, tuple)) and not _are_rows(runs):
        found = [source(run) for run in runs]
    else:
        found = [source(runs)]
    if not found:
        raise UsageError("no run given")
    return _told_apart(found)


def _are_rows(runs: Sequence[Any]) -> bool:
    """The rows of one run, as tuples, lists or records, rather than several runs."""
    if not runs:
        return False
    first = runs[0]
    if isinstance(first, Mapping):
        return bool(first) and not any(isinstance(v, Mapping) for v in first.values())
    return isinstance(first, (list, tuple)) and bool(first) and isinstance(first[0], (str, int))


def _is_one_run(runs: Mapping[Any, Any]) -> bool:
    """{query: {doc: score}}, or columns of one run, rather than {name: run}."""
    if runs and all(_is_column(v) for v in runs.values()):
        return True
    for value in runs.values():
        if not isinstance(value, Mapping):
            return False
        for inner in value.values():
            return not isinstance(inner, (Mapping, Run))
    return True


def _is_column(value: Any) -> bool:
    """A list or array of plain values."""
    if isinstance(value, (list, tuple)):
        return bool(value) and isinstance(value[0], (str, int, float))
    return isinstance(value, np.ndarray)


def _told_apart(sources: list[RunSource]) -> list[RunSource]:
    """Runs of the same name get their paths, or numbers, as names."""
    names = [s.name for s in sources]
    for source in sources:
        if names.count(source.name) > 1 and isinstance(source, RunFile):
            source.name = source.source.path
    seen: dict[str, int] = {}
    for source in sources:
        seen[source.name] = seen.get(source.name, 0) + 1
        if seen[source.name] > 1:
            source.name = f"{source.name} ({seen[source.name]})"
    return sources


def empty_by_card(source: RunSource) -> tuple[str, ...]:
    """The queries that a TREC file cannot name, answered with an empty list, from the card beside
    it."""
    if not isinstance(source, RunFile):
        return ()
    card = card_path(source.source.path)
    return () if card is None else read_card(card).empty


def size_of(source: RunSource) -> float:
    """Bytes of the file, for progress (compressed files run past it)."""
    if isinstance(source, RunFile):
        try:
            return os.path.getsize(source.source.path)
        except OSError:
            return 0
    return 0


def judged_queries(qrels: Qrels) -> tuple[Qrels, tuple[str, ...]]:
    """Without queries whose rows all have a grade below 0: pooled, never judged, not scored;
    and the names of those."""
    judged = np.bincount(qrels.query[qrels.grade >= 0], minlength=len(qrels.queries)) > 0
    if judged.all():
        return qrels, ()
    if not judged.any():
        raise NothingToEvaluate(
            f"{qrels.name}: every grade is below 0, which means pooled but not judged",
            "a judged document has a grade of 0 or more",
        )
    return qrels.take(judged[qrels.query]), tuple(qrels.queries.take(~judged).to_list())


def cautions(
    qrels: Qrels, measures: list[tuple[tuple[str, ...], Measure]], only_pooled: Sequence[str]
) -> list[str]:
    """What about the judgments themselves should be known before a number is believed."""
    notes = []
    if only_pooled:
        notes.append(
            f"queries with no row of grade 0 or more (pooled, never judged) are not scored: "
            f"{len(only_pooled)}, {', '.join(only_pooled[:5])}{', …' * (len(only_pooled) > 5)}"
        )
    between = int(np.count_nonzero((qrels.grade > 0) & (qrels.grade < 1)))
    if between and any(m.values.get("rel") == 1 for _, m in measures):
        notes.append(
            f"grades between 0 and 1 stand in {between} row{'s' * (between > 1)}: gain for nDCG, "
            "not relevant for binary measures with rel=1; set rel, as in AP(rel=0.5)"
        )
    if not (qrels.grade > 0).any():
        notes.append("all judgments are 0 or below: every score is 0, whatever the run")
    return notes
