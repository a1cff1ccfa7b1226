"""A run laid out for review: the lists of the chosen queries, with grades and titles."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence

from cranfield.comparison.results import documents, grades
from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, NoSuchInput, UnknownName, UsageError
from cranfield.evaluation.lists import result_lists
from cranfield.experiment.lab import Lab
from cranfield.experiment.references import is_reference
from cranfield.experiment.review import Review
from cranfield.experiment.reviewset import ReviewSet
from cranfield.experiment.sources import Given, given_runs
from cranfield.formats.readers import IRDS, read_qrels
from cranfield.kit.fingerprint import of_file


def review_run(lab: Lab, run: str, *, k: int = 10, keep: bool = True) -> Review:
    """Hold the review set's lists of a run against those of the run reviewed before it.

    Parameters
    ----------
    run : a file, or a reference to something recorded whose file is still there, unchanged.
    k : how many results.
    keep : remember that it was shown, so that the next run is held against it.

    Raises
    ------
    UsageError
        The review set is empty.
    InputError, NoSuchInput
        The file of a reference has changed since, or is gone.
    """
    chosen = ReviewSet(lab.ledger)
    queries = chosen.queries()
    if not queries:
        raise UsageError("the review set is empty", "cranfield review add QUERY")
    given = opened(lab, run)
    settings = lab.config.settings
    ties = settings.get("ties", "docid-desc")
    found = result_lists(
        given.source,
        set(queries),
        k,
        ties="docid-desc" if ties == "expected" else ties,
        single=settings.get("score_width") == 32,
    )
    judged = judgments(lab)
    known = {} if judged is None else grades(judged, set(queries))
    lists = {
        q: [(doc, score, known.get(q, {}).get(doc)) for doc, score in found.get(q, ())]
        for q in queries
    }
    earlier = {doc for r in chosen.reviewed() for rows in r.lists.values() for doc, _, _ in rows}
    return chosen.show(
        given.source.name,
        given.fingerprint(),
        lists,
        k=k,
        texts={q.id: q.text for q in lab.queries},
        titles=_titles(judged, earlier | {doc for rows in lists.values() for doc, _, _ in rows}),
        keep=keep,
    )


def opened(lab: Lab, run: str) -> Given:
    """A run file, or the file of a recorded run once it is known to be what was recorded."""
    policy = lab.config.settings.get("on_duplicate", "error")
    if not is_reference(run):
        return given_runs(run, None, policy, False)[0]
    path = recorded_file(lab, run)
    return given_runs(path, None, policy, False)[0]


def recorded_file(lab: Lab, reference: str) -> str:
    """The path of a recorded run.

    Raises
    ------
    UnknownName
        The evaluation has several runs, or its run was never a file.
    NoSuchInput, InputError
        The file is gone, or holds something else now.
    """
    found = lab.resolve(reference)
    entry = lab.ledger.entry(found.id)
    runs = [r for r in entry.runs if found.run is None or r.name == found.run]
    if len(runs) > 1:
        names = ", ".join(r.name for r in runs[:10])
        raise UnknownName(
            f"@{entry.id} has several runs ({names})", f"say which: @{entry.id}:{runs[0].name}"
        )
    run = runs[0]
    if run.path is None:
        raise UnknownName(f"the run {run.name} of @{entry.id} was never a file")
    path = os.path.join(lab.config.folder, run.path)
    if not os.path.exists(path):
        raise NoSuchInput(
            f"{path}, the run of @{entry.id}, is not there any more",
            "its scores are still in the ledger: cranfield show",
        )
    if of_file(path) != run.fingerprint:
        raise InputError(
            f"{path} has changed since it was recorded as @{entry.id}",
            "its recorded scores are those of the old file; evaluate it again",
        )
    return path


def judgments(lab: Lab) -> Qrels | TestCollection | None:
    """Those of the lab, with documents where they come along."""
    name = lab.config.collection
    if name is None:
        return None
    if name.startswith(IRDS) or os.path.isdir(name):
        return lab.collection
    return read_qrels(name, on_duplicate=lab.config.settings.get("on_duplicate", "error"))


def _titles(judged: Qrels | TestCollection | None, wanted: set[str]) -> Mapping[str, str]:
    """{document: its title, or the beginning of its text}."""
    if judged is None:
        return {}
    found = documents(judged, wanted)
    return {doc: title or text or "" for doc, (title, text) in found.items()}


def known_queries(lab: Lab, queries: Sequence[str]) -> None:
    """UnknownName unless each is a query of the lab; anything goes where the lab names none."""
    judged = judgments(lab)
    if judged is None:
        return
    qrels = judged.qrels if isinstance(judged, TestCollection) else judged
    known = dict.fromkeys([*(q.id for q in lab.queries), *qrels.queries.to_list()])
    for query in queries:
        if query not in known:
            near = difflib.get_close_matches(query, known, 3, cutoff=0.4) or list(known)[:3]
            raise UnknownName(f"no query {query!r}", f"there are for example {', '.join(near)}")
