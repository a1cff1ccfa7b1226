"""From many judgments of a pair to the one grade that qrels hold, by a rule that is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.errors import NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.judgment import Judgment, Wanted

Combine = Literal["majority", "min", "max", "median", "latest"]
Ties = Literal["lower", "higher", "latest", "drop"]
COMBINE: tuple[Combine, ...] = get_args(Combine)
TIES: tuple[Ties, ...] = get_args(Ties)
TIERED = ("human", "human-over-llm", "expert-over-crowd")
POLICIES = (*TIERED, *COMBINE)


@dataclass(frozen=True)
class Policy:
    """Which judgments decide a pair, and how.

    Parameters
    ----------
    name : as it was asked for.
    tiers : the first of these with a grade for a pair decides it alone; judgments that are in
        none are left out, and counted.
    combine : `majority` the grade that most gave, `median` the middle one, `min`, `max`,
        `latest` the one that was given last.
    ties : where a majority or a median is shared by two grades or more: the `lower` or the
        `higher` of them, the one given `latest`, or `drop` the pair.
    """

    name: str
    tiers: tuple[Wanted, ...] = (Wanted(),)
    combine: Combine = "majority"
    ties: Ties = "lower"


def policy(
    name: str,
    *,
    combine: Combine = "majority",
    ties: Ties = "lower",
    experts: Sequence[str] = (),
) -> Policy:
    """A policy by name: `human` (people only), `human-over-llm` (a model where no person graded),
    `expert-over-crowd` (the assessors named as experts first), or a rule for all judgments
    together: `majority`, `min`, `max`, `median`, `latest`.

    Raises
    ------
    UnknownName, UsageError
        No such policy or rule; `expert-over-crowd` without experts, or experts without it.
    """
    if name not in POLICIES:
        raise UnknownName(f"no policy {name!r}", f"policies: {', '.join(POLICIES)}")
    if combine not in COMBINE or ties not in TIES:
        raise UnknownName(
            f"no rule {combine!r} with ties {ties!r}",
            f"rules: {', '.join(COMBINE)}; ties: {', '.join(TIES)}",
        )
    if (name == "expert-over-crowd") != bool(experts):
        raise UsageError("experts go with expert-over-crowd", "name them: --expert anna")
    human, llm = Wanted(sources=("human",)), Wanted(sources=("llm",))
    tiers = {
        "human": (human,),
        "human-over-llm": (human, llm),
        "expert-over-crowd": (Wanted(assessors=tuple(experts)), Wanted()),
    }
    if name in TIERED:
        return Policy(name, tiers[name], combine, ties)
    return Policy(name, (Wanted(),), name, ties)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Export:
    """Qrels made by a policy, and what it did.

    Parameters
    ----------
    qrels : one row a pair, in the order of the rows that stand; `source` and
        `assessor` are of those whose judgments decided.
    pairs : with a judgment of any state.
    judgments : with a grade, of any tier.
    conflicts : pairs whose deciding judgments have different grades.
    ties : conflicts that the rule for ties decided (`drop`: pairs left out for it).
    without_grade : pairs left out because those who looked gave no grade.
    states : {state: judgments} of those without a grade.
    left_out : {source: judgments with a grade that are in no tier}.
    by_tier : pairs that each tier decided.
    """

    qrels: Qrels
    policy: Policy
    pairs: int
    judgments: int
    conflicts: int
    ties: int
    without_grade: int
    states: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    by_tier: tuple[int, ...] = ()

    def provenance(self) -> dict[str, Any]:
        """For the card of the file."""
        p = self.policy
        tiers = [{k: list(v) for k, v in t.columns().items()} or "all" for t in p.tiers]
        rule = {"name": p.name, "combine": p.combine, "ties": p.ties, "tiers": tiers}
        counts: dict[str, Any] = {
            "rows": len(self.qrels),
            "pairs": self.pairs,
            "judgments": self.judgments,
            "conflicts": self.conflicts,
            "ties_decided": self.ties,
            "pairs_without_grade": self.without_grade,
            "judgments_without_grade": dict(self.states),
            "judgments_left_out": dict(self.left_out),
            "pairs_by_tier": list(self.by_tier),
        }
        return {"policy": rule, "counts": counts}


def apply_policy(judgments: Iterable[Judgment], chosen: Policy, *, name: str = "labels") -> Export:
    """Qrels from judgments that stand (`Labels.current`).

    A negative grade (pooled but not judged) counts only where nobody in the tier gave another.

    Raises
    ------
    NothingToEvaluate
        No pair is left.
    """
    by_pair: dict[tuple[str, str], list[Judgment]] = {}
    states: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    graded = 0
    for j in judgments:
        mine = by_pair.setdefault(j.pair, [])
        if j.grade is None:
            states[j.state] += 1
            continue
        graded += 1
        if any(tier.matches(j) for tier in chosen.tiers):
            mine.append(j)
        else:
            left_out[j.source] += 1
    rows: list[tuple[str, str, float, str, str]] = []
    tiers = [0] * len(chosen.tiers)
    conflicts = ties = empty = 0
    for (query, doc), mine in by_pair.items():
        if not mine:
            empty += 1
            continue
        tier, deciding = _first_tier(mine, chosen.tiers)
        grade, tied = _decide(deciding, chosen)
        conflicts += len({j.grade for j in deciding}) > 1
        ties += tied
        tiers[tier] += 1
        if grade is not None:
            rows.append((query, doc, grade, *_who(deciding)))
    if not rows:
        raise NothingToEvaluate(
            f"no judgment is left by the policy {chosen.name!r}",
            f"{graded} judgments with a grade, of {', '.join(left_out) or 'no'} sources left out",
        )
    columns = list(zip(*rows, strict=True))
    qrels = Qrels.from_columns(
        Ids.of(columns[0]),
        Ids.of(columns[1]),
        np.array(columns[2], np.float64),
        source=Ids.of(columns[3]),
        assessor=Ids.of(columns[4]) if any(columns[4]) else None,
        name=name,
    )
    return Export(
        qrels,
        chosen,
        len(by_pair),
        graded,
        conflicts,
        ties,
        empty,
        dict(states),
        dict(left_out),
        tuple(tiers),
    )


def _first_tier(
    mine: Sequence[Judgment], tiers: Sequence[Wanted]
) -> tuple[int, tuple[Judgment, ...]]:
    for i, tier in enumerate(tiers):
        found = [j for j in mine if tier.matches(j)]
        if found:
            real = [j for j in found if j.grade is not None and j.grade >= 0]
            return i, tuple(real or found)
    raise AssertionError("judgments of no tier are left out before")


def _decide(deciding: Sequence[Judgment], chosen: Policy) -> tuple[float | None, bool]:
    """(grade, whether the rule for ties was needed)."""
    grades = [float(j.grade) for j in deciding if j.grade is not None]
    candidates = _RULES[chosen.combine](deciding, grades)
    if len(candidates) == 1:
        return candidates[0], False
    if chosen.ties == "drop":
        return None, True
    if chosen.ties == "latest":
        among = [j for j in deciding if j.grade in candidates]
        return max(among, key=_when).grade, True
    return (min if chosen.ties == "lower" else max)(candidates), True


def _majority(_: Sequence[Judgment], grades: list[float]) -> list[float]:
    counted = Counter(grades)
    most = max(counted.values())
    return sorted(g for g, n in counted.items() if n == most)


def _median(_: Sequence[Judgment], grades: list[float]) -> list[float]:
    """One middle grade, or the two that an even number leaves."""
    ordered, n = sorted(grades), len(grades)
    return sorted({ordered[(n - 1) // 2], ordered[n // 2]})


_RULES: dict[str, Callable[[Sequence[Judgment], list[float]], list[float]]] = {
    "majority": _majority,
    "median": _median,
    "min": lambda _, grades: [min(grades)],
    "max": lambda _, grades: [max(grades)],
    "latest": lambda judgments, _: [float(max(judgments, key=_when).grade or 0.0)],
}


def _when(judgment: Judgment) -> tuple[str, int]:
    return judgment.at, judgment.id


def _who(deciding: Sequence[Judgment]) -> tuple[str, str]:
    """Sources and judges, each once, in the order in which they judged."""
    sources = dict.fromkeys(j.source for j in deciding)
    names = dict.fromkeys(j.judge.name for j in deciding if j.assessor or j.model)
    return "+".join(sources), "+".join(names)
