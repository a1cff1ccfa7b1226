"""Whether a collection is fair to a system that did not feed its pool: leave one run, or one
group of runs, out (Zobel 1998; Buckley, Dimmick, Soboroff & Voorhees 2007)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Floats
from cranfield.diagnosis.asked import MOST_DEPTH
from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.holes import pool_depth
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.verdicts import significance_change
from cranfield.errors import UnknownName
from cranfield.kit.progress import progress
from cranfield.measures import Judgments, compute
from cranfield.stats.rankcorr import kendall_tau, tau_ap_b

STABLE = 0.95  # Kendall's tau_b from which two orders count as the same (Voorhees 2001: 0.9)
LOSS = 0.05  # of its score that a run left out may lose
FEWEST = 3  # groups; what is left of a smaller pool is no pool


@dataclass(frozen=True)
class LeftOut:
    """One run scored without the judgments that only its group brought in.

    Parameters
    ----------
    unique, relevant : judged documents that only the group has in its first `depth`, and how many
        of them have a grade above 0.
    full, reduced : [measure] means.
    by_query : [query, measure] the scores that `reduced` is the mean of.
    """

    run: str
    group: str
    unique: int
    relevant: int
    full: Floats
    reduced: Floats
    by_query: Floats


def leave_one_out(
    found: Examined, depth: int, groups: dict[str, str] | None = None
) -> list[LeftOut]:
    """Every run, scored on the judgments without those that only its group accounts for.

    A judged document that no run has in its first `depth` stays. A document whose judgment is
    taken away is an unjudged one; a query left without judgments scores 0.
    """
    named = [(groups or {}).get(run, run) for run in found.runs]
    owners = _owners(found, depth, named)
    rows: dict[tuple[str, str], int] = {}
    names = found.queries
    for row, (q, doc) in enumerate(
        zip(found.qrels.query.tolist(), found.qrels.docs.to_list(), strict=True)
    ):
        rows[names[q], doc] = row
    grade = found.qrels.grade
    measures = list(found.measures)
    done = []
    with progress("leaving runs out", len(found.runs)) as advance:
        for group in dict.fromkeys(named):
            mine = [
                rows[key]
                for key, who in owners.items()
                if who == group and key in rows and grade[rows[key]] >= 0
            ]
            less = grade.copy()
            less[mine] = -1.0  # as a document that nobody judged
            judgments = Judgments(found.judgments.n_queries, found.judgments.query, less)
            for r, run in enumerate(found.runs):
                if named[r] == group:
                    values, _ = compute(measures, judgments, found.hits(r))
                    full, reduced = found.values[r].mean(axis=0), values.mean(axis=0)
                    relevant = int((grade[mine] > 0).sum())
                    done.append(LeftOut(run, group, len(mine), relevant, full, reduced, values))
                    advance(1)
    order = {run: i for i, run in enumerate(found.runs)}
    return sorted(done, key=lambda left: order[left.run])


def _owners(found: Examined, depth: int, named: Sequence[str]) -> dict[tuple[str, str], str | None]:
    """{(query, document): the one group that has it in its first `depth`, None for several}."""
    owners: dict[tuple[str, str], str | None] = {}
    for group, run in zip(named, found.lists(depth), strict=True):
        for query, results in run.items():
            for doc, _ in results:
                key = (query, doc)
                owners[key] = group if owners.setdefault(key, group) == group else None
    return owners


def reuse(found: Examined) -> Section | None:
    """Leave one group out, where there are two at least."""
    groups = dict(found.asked.groups)
    stranger = next((run for run in groups if run not in found.runs), None)
    if stranger is not None:
        raise UnknownName(
            f"a group of {stranger!r}, which is no run", f"runs: {', '.join(found.runs[:10])}"
        )
    if len({groups.get(run, run) for run in found.runs}) < 2:
        return None
    depth = found.asked.pool_depth or _depth_of(found)
    left = leave_one_out(found, depth, groups)
    facts: list[tuple[str, Cell]] = [("depth", depth), ("groups", len({x.group for x in left}))]
    rows: list[tuple[Cell, ...]] = []
    changed: list[tuple[Cell, ...]] = []
    findings: list[Finding] = []
    for i, measure in enumerate(found.measures):
        if measure.definition.aggregate != "mean":
            continue
        full = np.array([x.full[i] for x in left])
        reduced = np.array([x.reduced[i] for x in left])
        tau, tau_top = kendall_tau(full, reduced), tau_ap_b(full, reduced)
        drop = np.round(full - reduced, 12)
        facts += [
            (f"mean_change:{measure}", float(np.abs(drop).mean())),
            (f"max_change:{measure}", float(np.abs(drop).max())),
            (f"tau:{measure}", tau),
            (f"tau_ap:{measure}", tau_top),
        ]
        verdicts = significance_change(
            found.runs, found.values[:, :, i], np.stack([x.by_query[:, i] for x in left])
        )
        if verdicts.before is not None:
            facts += [
                (f"significant:{measure}", verdicts.before),
                (f"significant_changed:{measure}", len(verdicts.changed)),
            ]
        changed += [(run, other, str(measure), kind) for run, other, kind in verdicts.changed]
        ranks = (
            [_rank(full, x) for x in full],
            [_rank(np.delete(full, r), x) for r, x in enumerate(reduced)],
        )
        rows += [
            (
                x.run,
                x.group,
                x.unique,
                x.relevant,
                str(measure),
                float(full[r]),
                float(reduced[r]),
                0.0 - float(drop[r]),
                ranks[0][r],
                ranks[1][r],
            )
            for r, x in enumerate(left)
        ]
        findings += list(_findings(str(measure), full, drop, tau, [x.run for x in left], depth))
    columns = tuple(
        "run group unique unique_relevant measure score left_out difference rank "
        "rank_left_out".split()
    )
    kinds = ("text", "text", "count", "count", "text", "score", "score", "signed", "count", "count")
    table = Rows("left_out", columns, kinds, tuple(rows))
    pairs = Rows(
        "significant_changed",
        ("run", "other", "measure", "becomes"),
        ("text", "text", "text", "text"),
        tuple(changed),
    )
    few = len({x.group for x in left}) < FEWEST
    return Section("reuse", tuple(facts), (table, pairs), () if few else tuple(findings[:1]))


def _depth_of(found: Examined) -> int:
    """The pool depth that most queries show, or where there is none the depth that is checked."""
    usual = int(np.median(pool_depth(found) or [0]))
    return min(usual, MOST_DEPTH) if usual > 0 else found.asked.k


def _rank(others: Floats, value: float) -> int:
    return 1 + int((np.round(others - value, 12) > 0).sum())


def _findings(
    measure: str, full: Floats, drop: Floats, tau: float | None, runs: list[str], depth: int
) -> Iterator[Finding]:
    worst = int(np.argmax(drop))
    lost = float(drop[worst] / full[worst]) if full[worst] else 0.0
    if (tau is not None and tau < STABLE) or lost > LOSS:
        values = {"run": runs[worst], "lost": lost, "measure": measure, "depth": depth}
        values |= {"tau": tau, "points": float(drop[worst])}
        yield Finding(
            "pool_unfair", "caution", values, "likely", effect={measure: -float(drop[worst])}
        )
