"""Labels that look wrong: what all good runs agree on against them, and what nobody finds.

A good run is one of the better share of the runs by the mean of the first measure, two at least.

A pair that the good runs return in their first k (all of them where there are up to three, else at
least half and three) and that is labelled 0 has the score w·c: w is the mean over the good runs of
1/log2(rank + 1), 0 for one that does not return it, c the share of the query's terms (weighted by
rarity) that the document holds, 1 where there are no texts. What to expect of such a pair is read
from the others: the share of relevant ones among the judged pairs that the good runs return so and
that have the same score or are among the thirty next below. Where that is `AGREED` or more and the
label says 0, the label is reported; below it the runs are simply no better than that. A score of 0
is no suspicion.

A pair that is labelled relevant, that no run returns at any depth and whose text shares no term
with the query has the score v·(1 - c), where v is the mean value of the good runs for the query
under the first measure: the better they do otherwise, the stranger the label.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np

from cranfield.data.qrels import grade_text
from cranfield.diagnosis.finding import Finding, Hole, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.queries import REL
from cranfield.diagnosis.suspects import AGREED, Suspect, changes, priced
from cranfield.diagnosis.terms import Shared, shared_terms

FEW = 3  # good runs, up to which all must agree
NEAR = 30  # pairs next below that a label is held against
SCORED = 12  # decimals to which scores are compared


def labels(found: Examined) -> Section | None:
    """Both kinds, ordered; None without runs, or where no pair is of either kind."""
    every = suspects(found)
    if not every:
        return None
    names = tuple(found.runs[r] for r in good_runs(found))
    zero = [s for s in every if s.label == "zero"]
    lost = [s for s in every if s.label == "relevant"]
    facts = (("good_runs", len(names)), ("suspects_zero", len(zero)), ("suspects_lost", len(lost)))
    tables = []
    if zero:
        tables.append(_rows(zero[: found.asked.most]))
    return Section("labels", facts, tuple(tables), tuple(_findings(found, zero, lost, names)))


def suspects(found: Examined) -> list[Suspect]:
    """Labels for a second look, the 0s first, each kind by falling score."""
    return found.keep("suspects", lambda: _suspects(found))


def worklist_of(found: Examined) -> list[Hole]:
    """The reported ones in the form of the work-list; the price stands for the certainty."""
    return [
        Hole(s.query, s.document, s.rank, s.runs, s.score, s.price)
        for s in suspects(found)
        if s.reported
    ]


def good_runs(found: Examined) -> list[int]:
    """The better share of the runs by the mean of the first measure, two at least; equal means in
    the order given."""
    mean = found.values[:, :, 0].mean(axis=1) if found.runs else np.zeros(0)
    order = sorted(range(len(mean)), key=lambda r: (-round(float(mean[r]), SCORED), r))
    return sorted(order[: max(2, math.ceil(found.asked.good * len(order) - 1e-9))])


def _suspects(found: Examined) -> list[Suspect]:
    if not found.runs:
        return []
    agreed = _agreed(found) if len(found.runs) > 1 else {}
    lost = _not_returned(found)
    texts = _texts(found, {d for _, d in [*agreed, *lost]})
    zero = _zero(found, agreed, texts)
    far = [] if texts is None else _far(found, lost, texts)
    return [*priced(found, zero), *priced(found, far)]


def _agreed(found: Examined) -> dict[tuple[str, str], list[int]]:
    """{judged pair that the good runs have in their first k: its ranks there}."""
    lists, good = found.lists(found.asked.k), good_runs(found)
    least = max(min(len(good), FEW), math.ceil(len(good) / 2))
    out: dict[tuple[str, str], list[int]] = {}
    for query in found.queries:
        ranks: dict[str, list[int]] = {}
        for r in good:
            for rank, (doc, _) in enumerate(lists[r].get(query, ()), 1):
                ranks.setdefault(doc, []).append(rank)
        judged = found.grades[query]
        out |= {(query, d): at for d, at in ranks.items() if len(at) >= least and d in judged}
    return out


def _not_returned(found: Examined) -> list[tuple[str, str]]:
    """Relevant pairs that stand in no run."""
    returned = np.zeros(len(found.qrels), bool)
    for aligned in found.aligned:
        returned[aligned.hits.row] = True
    rows = np.flatnonzero(~returned & (found.qrels.grade >= REL))
    query = found.qrels.query[rows].tolist()
    docs = found.qrels.docs.take(rows).to_list()
    pairs = dict.fromkeys((found.queries[q], d) for q, d in zip(query, docs, strict=True))
    seen = {
        (q, d) for run in found.lists(found.asked.k) for q, docs in run.items() for d, _ in docs
    }
    return [pair for pair in pairs if pair not in seen]


def _texts(found: Examined, wanted: set[str]) -> Shared | None:
    known, documents = found.collection.queries, found.collection.documents
    if documents is None or not found.asked.documents or not known or not wanted:
        return None
    judged = [q for q in known if q.id in found.grades]
    return shared_terms(judged, documents(), wanted, found.collection.n_documents)


def _zero(
    found: Examined, agreed: Mapping[tuple[str, str], list[int]], texts: Shared | None
) -> list[Suspect]:
    score: dict[tuple[str, str], float] = {}
    n = len(good_runs(found))
    for pair, ranks in agreed.items():
        weight = math.fsum(1 / math.log2(r + 1) for r in ranks) / n
        if texts is not None and texts.knows(*pair):
            weight *= texts.coverage(*pair)
        score[pair] = round(weight, SCORED)
    turned = float(min(g for g in (*found.qrels.levels.tolist(), REL) if g >= REL))
    order = sorted(score, key=lambda pair: (-score[pair], *pair))
    relevant = np.array([found.grades[q][d] >= REL for q, d in order], bool)
    values = np.array([score[pair] for pair in order])
    first = np.searchsorted(-values, -values, side="left")
    last = np.minimum(np.searchsorted(-values, -values, side="right") + NEAR, len(order))
    counts = np.concatenate([[0], np.cumsum(relevant)])
    out = []
    for i, (query, doc) in enumerate(order):
        if found.grades[query][doc] == 0 and values[i] > 0:
            like = int(last[i] - first[i]) - 1
            expected = float(counts[last[i]] - counts[first[i]]) / like if like else 0.0
            out.append(
                _suspect(found, "zero", query, doc, turned, values[i], expected, agreed[query, doc])
            )
    return out


def _far(found: Examined, lost: list[tuple[str, str]], texts: Shared) -> list[Suspect]:
    place = {query: i for i, query in enumerate(found.queries)}
    value = found.values[good_runs(found), :, 0].mean(axis=0)
    out = []
    for query, doc in lost:
        if texts.knows(query, doc) and texts.nothing(query, doc):
            score = float(value[place[query]]) * (1 - texts.coverage(query, doc))
            out.append(_suspect(found, "relevant", query, doc, 0.0, score, None, []))
    return sorted(out, key=lambda s: (-s.score, s.query, s.document))


def _suspect(
    found: Examined,
    label: Literal["zero", "relevant"],
    query: str,
    doc: str,
    turned: float,
    score: float,
    expected: float | None,
    ranks: list[int],
) -> Suspect:
    at = list(ranks)
    if ranks:
        tops = (run.get(query, ()) for run in found.lists(found.asked.k))
        at = [i for top in tops for i, (d, _) in enumerate(top, 1) if d == doc]
    return Suspect(
        label,
        query,
        doc,
        found.grades[query][doc],
        turned,
        min(at, default=None),
        len(at),
        round(float(score), SCORED),
        expected,
        0.0,
    )


def _findings(
    found: Examined, zero: list[Suspect], lost: list[Suspect], good: tuple[str, ...]
) -> Iterator[Finding]:
    sure = [s for s in zero if s.reported]
    if sure:
        values = {"n": len(sure), "k": found.asked.k, "good": len(good), "least": AGREED}
        yield Finding(
            "label_zero", "caution", values, "possible", _effect(found, sure), _rows(sure)
        )
    if lost:
        values = {"n": len(lost), "runs": len(found.runs)}
        yield Finding(
            "label_relevant", "info", values, "possible", _effect(found, lost), _rows(lost)
        )


def _effect(found: Examined, some: list[Suspect]) -> dict[str, float]:
    """How far the mean of a run moves when all of them are turned together."""
    moved = np.abs(changes(found, some).mean(axis=1)).max(axis=0)
    return {str(m): float(v) for m, v in zip(found.measures, moved, strict=True)}


def _rows(some: list[Suspect]) -> Rows:
    if some[0].label == "relevant":
        return Rows(
            "labels_lost",
            ("query", "document", "grade", "suspicion", "price"),
            ("text", "text", "text", "score", "signed"),
            tuple((s.query, s.document, grade_text(s.grade), s.score, s.price) for s in some),
        )
    return Rows(
        "labels_zero",
        ("query", "document", "rank", "runs", "suspicion", "expected", "price"),
        ("text", "text", "count", "count", "score", "share", "signed"),
        tuple((s.query, s.document, s.rank, s.runs, s.score, s.expected, s.price) for s in some),
    )
