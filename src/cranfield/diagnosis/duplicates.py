"""Documents that are copies: whether their labels agree, and what that does to the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels, grade_text
from cranfield.diagnosis.copies import Copies, find_copies
from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.policies import collapse, collapse_list, expand, firsts
from cranfield.diagnosis.prices import Unpriced
from cranfield.diagnosis.shingles import normal
from cranfield.errors import InputError
from cranfield.evaluation.align import align
from cranfield.evaluation.inputs import judged_queries
from cranfield.evaluation.lists import result_lists
from cranfield.formats.dicts import RunDict
from cranfield.formats.sources import RunSource
from cranfield.kit.progress import progress
from cranfield.measures import Judgments, compute
from cranfield.scan.judged import JudgedIndex

ALL = 1 << 62  # results of a list
LISTED = 1_000  # clusters that a finding lists


def duplicates(found: Examined) -> Section | None:
    """Clusters of copies, unequal labels, and the scores with all copies labelled alike or only
    one of each; None where there are no documents."""
    copies = copies_of(found)
    if copies is None:
        return None
    unequal = list(unequal_labels(found, copies))
    facts: tuple[tuple[str, Cell], ...] = (
        ("clusters", len(copies.clusters)),
        ("copies_exact", copies.exact_copies),
        ("copies_near", copies.near_copies),
        ("largest_cluster", max(map(len, copies.clusters), default=0)),
        ("labels_unequal", len(unequal)),
    )
    if copies.near is not None:
        facts += (("near_threshold", copies.near.threshold), ("passed_over", copies.passed_over))
    before_after = effects(found, copies) if copies.clusters and found.runs else None
    tables = [] if before_after is None else [_effect_table(found, before_after)]
    return Section(
        "duplicates", facts, tuple(tables), tuple(_findings(found, copies, unequal, before_after))
    )


def copies_of(found: Examined) -> Copies | None:
    """The copies among the documents, with the texts of the queries looked for; found once."""
    documents = found.collection.documents
    if documents is None or not found.asked.documents:
        return None
    texts = {normal(q.text) for q in found.collection.queries} - {""}
    return found.keep(
        "copies",
        lambda: find_copies(
            documents(),
            found.asked.near,
            n_documents=found.collection.n_documents,
            watch=texts,
        ),
    )


def unequal_labels(found: Examined, copies: Copies) -> Iterator[tuple[str, str, str]]:
    """(query, members with their grades, members without a judgment) wherever the members of a
    cluster are not labelled alike and one of them has a grade above 0."""
    member = copies.members
    for query, grades in found.grades.items():
        judged: dict[int, list[str]] = {}
        for doc in grades:
            if doc in member:
                judged.setdefault(member[doc], []).append(doc)
        for c, docs in sorted(judged.items()):
            levels = {grades[d] for d in docs}
            bare = [d for d in copies.clusters[c] if d not in docs]
            if max(levels) > 0 and (bare or len(levels) > 1):
                shown = ", ".join(f"{d}: {grade_text(grades[d])}" for d in sorted(docs))
                yield query, shown, _some(bare)


def _some(docs: list[str]) -> str:
    return ", ".join(docs[:5]) + (f", … ({len(docs)})" if len(docs) > 5 else "")


def effects(found: Examined, copies: Copies) -> dict[str, Floats] | None:
    """[run, measure] means as they are (`raw`), with all copies labelled alike (`expand`), and
    with one of each (`collapse`); None for judgments that cannot be carried over."""
    try:
        wide = expand(found.qrels, copies.clusters).qrels
        narrow = collapse(found.qrels, copies.clusters).qrels
    except InputError:
        return None
    out = {"raw": found.values.mean(axis=1)}
    first_of = firsts(copies.clusters)
    out["expand"] = _means(found, wide, lambda source: source)
    out["collapse"] = _means(
        found, narrow, lambda source: collapsed(found, source, first_of, found.queries)
    )
    return out


def collapsed(
    found: Examined, source: RunSource, first_of: dict[str, str], queries: Sequence[str]
) -> RunDict:
    """A run on these queries in which each cluster stands once. Scores count down from the length
    of the list, so that the order stays whatever the ids are."""
    lists = result_lists(
        source,
        queries,
        ALL,
        ties=found.settings.order,
        single=found.settings.score_width == 32,
    )
    run: dict[str, dict[str, float]] = {}
    for query, results in lists.items():
        docs = collapse_list((doc for doc, _ in results), first_of)
        run[query] = {doc: float(len(docs) - i) for i, doc in enumerate(docs)}
    made = RunDict.of(run, source.name)
    assert made is not None
    return made


def _means(found: Examined, given: Qrels, changed: Any) -> Floats:
    qrels, _ = judged_queries(given)
    judgments = Judgments(len(qrels.queries), qrels.query, qrels.grade)
    index = JudgedIndex(qrels)
    rows = []
    with progress("scoring without copies", len(found.sources)) as advance:
        for source in found.sources:
            aligned = align(
                changed(source),
                index,
                ties=found.settings.order,
                single=found.settings.score_width == 32,
            )
            rows.append(compute(list(found.measures), judgments, aligned.hits)[0].mean(axis=0))
            advance(1)
    return np.stack(rows)


def _effect_table(found: Examined, means: dict[str, Floats]) -> Rows:
    columns = ("run", "measure", "raw", "expand", "collapse")
    raw, wide, narrow = means["raw"], means["expand"], means["collapse"]
    rows = tuple(
        (run, str(measure), float(raw[r, m]), float(wide[r, m]), float(narrow[r, m]))
        for r, run in enumerate(found.runs)
        for m, measure in enumerate(found.measures)
    )
    return Rows("duplicates_effect", columns, ("text", "text", "score", "score", "score"), rows)


def order_of(means: Floats) -> list[float]:
    """Means rounded to 12 decimals, as orders are decided everywhere."""
    return [round(float(v), 12) for v in means]


def turned(found: Examined, means: dict[str, Floats]) -> list[tuple[str, str, str]]:
    """(policy, run, other) of pairs whose order under the first measure is another one."""
    raw = order_of(means["raw"][:, 0])
    out = []
    for policy in ("expand", "collapse"):
        new = order_of(means[policy][:, 0])
        out += [
            (policy, found.runs[a], found.runs[b])
            for a, b in combinations(range(len(raw)), 2)
            if _sign(raw[a] - raw[b]) != _sign(new[a] - new[b])
        ]
    return out


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)


def unjudged_copies(found: Examined, copies: Copies) -> Counter[str]:
    """{run: how many unjudged copies of relevant documents it has in its first k}."""
    member, out = copies.members, Counter[str]()
    good = {
        q: {member[d] for d, g in grades.items() if g > 0 and d in member}
        for q, grades in found.grades.items()
    }
    for run, lists in zip(found.runs, found.lists(found.asked.k), strict=True):
        for query, results in lists.items():
            grades = found.grades.get(query, {})
            out[run] += sum(
                doc not in grades and member.get(doc, -1) in good.get(query, ())
                for doc, _ in results
            )
    return out


def _findings(
    found: Examined,
    copies: Copies,
    unequal: list[tuple[str, str, str]],
    means: dict[str, Floats] | None,
) -> Iterator[Finding]:
    effect: dict[str, float] = Unpriced("not_carried") if found.runs else {}
    if means is not None:
        moved = np.maximum(
            abs(means["expand"] - means["raw"]), abs(means["collapse"] - means["raw"])
        )
        effect = {str(m): float(moved[:, i].max()) for i, m in enumerate(found.measures)}
    if copies.clusters:
        rows = Rows(
            "clusters",
            ("documents_alike", "size"),
            ("text", "count"),
            tuple((_some(list(c)), len(c)) for c in copies.clusters[:LISTED]),
        )
        n = copies.exact_copies + copies.near_copies
        counts = {"n": n, "clusters": len(copies.clusters), "exact": copies.exact_copies}
        yield Finding("copies", "info", counts, effect=effect, rows=rows)
    if unequal:
        rows = Rows(
            "unequal", ("query", "labelled", "unlabelled"), ("text", "text", "text"), tuple(unequal)
        )
        yield Finding("copies_unequal", "warning", {"n": len(unequal)}, effect=effect, rows=rows)
        suffer = {run: n for run, n in unjudged_copies(found, copies).items() if n}
        if suffer:
            rows = Rows("suffer", ("run", "copies"), ("text", "count"), tuple(suffer.items()))
            some = {"n": len(suffer), "k": found.asked.k}
            yield Finding("copies_unjudged", "caution", some, effect=effect, rows=rows)
    if means is not None and (pairs := turned(found, means)):
        rows = Rows(
            "copies_turned", ("policy", "run", "other"), ("text", "text", "text"), tuple(pairs)
        )
        values: dict[str, Any] = {
            "n": len({p[1:] for p in pairs}),
            "measure": str(found.measures[0]),
        }
        yield Finding("copies_turn", "warning", values, effect=effect, rows=rows)
