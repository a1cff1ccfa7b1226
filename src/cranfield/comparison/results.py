"""The result lists behind the changes, with grades and, where the documents are at hand, titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from cranfield.comparison.material import Material
from cranfield.comparison.open_ends import undecidable
from cranfield.comparison.outcome import Change, Comparison, Remark, Result
from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.scores import Scores
from cranfield.evaluation.lists import Lists, result_lists, same_results
from cranfield.kit.progress import progress
from cranfield.scan.order import Ties

SNIPPET = 160  # characters of a document's text
_Shown = tuple[str | None, str | None]


def with_results(found: Comparison, material: Material, k: int) -> Comparison:
    """The same comparison with the first k results of both lists beside each change, and a
    caution where a run holds the base's results, or where unjudged documents leave the sign of a
    difference open."""
    changes = found.changes
    if changes and k > 0:
        lists = _lists(changes, found.scores, material, k)
        changes = _beside(changes, lists, material, found.base)
    twins = tuple(_twins(found.scores, material))
    holes = tuple(undecidable(found, material))
    doubts = [remark for remark in holes if remark.key == "undecidable"]
    others = [remark for remark in holes if remark.key != "undecidable"]
    return replace(found, changes=changes, cautions=(*twins, *doubts, *found.cautions, *others))


def doubted(found: Comparison, material: Material) -> Comparison:
    """The same comparison with what unjudged documents leave open of each difference, without
    result lists."""
    return replace(found, cautions=(*undecidable(found, material), *found.cautions))


def _lists(
    changes: Sequence[Change], scores: Scores, material: Material, k: int
) -> dict[str, Lists]:
    """{run: its lists for the queries that are shown}."""
    ties = cast("str", scores.settings["ties"])
    order = cast("Ties", "docid-desc" if ties == "expected" else ties)
    base = material.sources[0]
    return {
        source.name: result_lists(
            source,
            {c.query for c in changes if source is base or c.run == source.name},
            k,
            ties=order,
            single=scores.settings["score_width"] == 32,
            threads=material.threads,
        )
        for source in material.sources
    }


def _beside(
    changes: Sequence[Change], lists: Mapping[str, Lists], material: Material, base: str
) -> tuple[Change, ...]:
    queries = {change.query for change in changes}
    known = grades(material.qrels, queries)
    shown = documents(
        material.qrels,
        {doc for run in lists.values() for some in run.values() for doc, _ in some},
    )

    def results(run: str, query: str) -> tuple[Result, ...]:
        return tuple(
            Result(rank, doc, score, known[query].get(doc), *shown.get(doc, (None, None)))
            for rank, (doc, score) in enumerate(lists[run].get(query, ()), 1)
        )

    return tuple(
        replace(
            change,
            base_results=results(base, change.query),
            results=results(change.run, change.query),
        )
        for change in changes
    )


def documents(qrels: Qrels | TestCollection, wanted: set[str]) -> dict[str, _Shown]:
    """{document: (title, beginning of the text)}, in one pass that ends with the last one."""
    found: dict[str, _Shown] = {}
    if not wanted or not isinstance(qrels, TestCollection) or qrels.documents is None:
        return found
    with progress("reading documents", qrels.n_documents) as advance:
        for document in qrels.documents():
            advance(1)
            if document.id in wanted and document.id not in found:
                text = " ".join(document.text[: 4 * SNIPPET].split())
                snippet = text if len(text) <= SNIPPET else text[: SNIPPET - 1] + "…"
                found[document.id] = (document.title or None, snippet or None)
                if len(found) == len(wanted):
                    break
    return found


def grades(qrels: Qrels | TestCollection, queries: set[str]) -> dict[str, dict[str, float]]:
    """{query: {document: grade}}; a grade below 0 is none, and of several the highest counts."""
    judged = qrels.qrels if isinstance(qrels, TestCollection) else qrels
    found: dict[str, dict[str, float]] = {query: {} for query in queries}
    names = judged.queries.to_list()
    mine = [i for i, name in enumerate(names) if name in queries]
    rows = np.flatnonzero(np.isin(judged.query, mine) & (judged.grade >= 0))
    for q, doc, grade in zip(
        judged.query[rows].tolist(),
        judged.docs.take(rows).to_list(),
        judged.grade[rows].tolist(),
        strict=True,
    ):
        found[names[q]][doc] = max(grade, found[names[q]].get(doc, grade))
    return found


def _twins(scores: Scores, material: Material) -> Iterator[Remark]:
    """Runs that hold the same results as the base: perhaps one file under two names."""
    base = material.sources[0]
    for r, source in enumerate(material.sources[1:], 1):
        alike = scores.reports[0].n_returned == scores.reports[r].n_returned
        alike = alike and bool((scores.values[0] == scores.values[r]).all())
        if alike and same_results(base, source):
            yield Remark("same_results", {"base": base.name, "run": source.name})
