"""From many judgments of a pair to the one grade that qrels hold, by a rule that is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.errors import NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.deciding import COMBINE, TIES, Combine, Ties, decide, first_tier, signed
from cranfield.judging.editions import Editions, newest_only, who
from cranfield.judging.judgment import SOURCES, Judgment, Wanted

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
    every_prompt : whether labels of one model by several prompts or rubrics are all votes; else
        the newest counts on pairs that several grade, see `newest_only`.
    """

    name: str
    tiers: tuple[Wanted, ...] = (Wanted(),)
    combine: Combine = "majority"
    ties: Ties = "lower"
    every_prompt: bool = False


def policy(
    name: str,
    *,
    combine: Combine = "majority",
    ties: Ties = "lower",
    experts: Sequence[str] = (),
    every_prompt: bool = False,
) -> Policy:
    """A policy by name: `human` (people only), `human-over-llm` (a model where no person graded),
    `expert-over-crowd` (the assessors named as experts; where they did not grade, other people;
    then labels of unknown origin; then models), or a rule for all judgments together: `majority`,
    `min`, `max`, `median`, `latest`.

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
    unknown = Wanted(sources=tuple(s for s in SOURCES if s not in ("human", "llm")))
    tiers = {
        "human": (human,),
        "human-over-llm": (human, llm),
        "expert-over-crowd": (Wanted(assessors=tuple(experts)), human, unknown, llm),
    }
    if name in TIERED:
        return Policy(name, tiers[name], combine, ties, every_prompt)
    return Policy(name, (Wanted(),), name, ties, every_prompt)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Export:
    """Qrels made by a policy, and what it did.

    Parameters
    ----------
    qrels : one row a pair, in the order of the rows that stand; `source` and
        `assessor` are of those whose judgments decided.
    pairs : with a judgment of any state.
    judgments : with a grade, of any tier; without those by an earlier prompt that count no more.
    conflicts : pairs whose deciding judgments have different grades.
    ties : conflicts that the rule for ties decided (`drop`: pairs left out for it).
    without_grade : pairs left out because those who looked gave no grade.
    states : {state: judgments} of those without a grade.
    left_out : {source: judgments with a grade that are in no tier}.
    by_tier : pairs that each tier decided.
    judges : who decided any pair; samples and prompts of one model are one judge.
    editions : of judges with labels by several prompts or rubrics.
    rubrics : {version of a rubric, empty where it is not known: pairs that its labels decided}.
    mixed : pairs that labels by several known rubrics decided together.
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
    judges: int = 0
    editions: tuple[Editions, ...] = ()
    rubrics: Mapping[str, int] = field(default_factory=dict)
    mixed: int = 0

    @property
    def several_rubrics(self) -> dict[str, int]:
        """Those that are known, where they are two or more: their scales may differ."""
        known = {name: n for name, n in self.rubrics.items() if name}
        return known if len(known) > 1 else {}

    def provenance(self) -> dict[str, Any]:
        """For the card of the file."""
        p = self.policy
        tiers = [{k: list(v) for k, v in t.columns().items()} or "all" for t in p.tiers]
        rule: dict[str, Any] = {
            "name": p.name,
            "combine": p.combine,
            "ties": p.ties,
            "tiers": tiers,
        }
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
            "pairs_of_several_rubrics": self.mixed,
        }
        said = {"policy": rule, "counts": counts, "rubrics": dict(self.rubrics)}
        if self.editions:
            rule["every_prompt"] = p.every_prompt
            said["prompts"] = {
                e.name: {"pairs": dict(e.counted), "passed_over": dict(e.passed)}
                for e in self.editions
            }
        return said


def apply_policy(judgments: Iterable[Judgment], chosen: Policy, *, name: str = "labels") -> Export:
    """Qrels from judgments that stand (`Labels.current`).

    A negative grade (pooled but not judged) counts only where nobody in the tier gave another.

    Raises
    ------
    NothingToEvaluate
        No pair is left.
    """
    by_pair, states, left_out, editions = _looked_at(list(judgments), chosen)
    graded = sum(map(len, by_pair.values())) + left_out.total()
    rows: list[tuple[str, str, float, str, str]] = []
    tiers = [0] * len(chosen.tiers)
    rubrics: Counter[str] = Counter()
    judges = set()
    conflicts = ties = empty = mixed = 0
    for (query, doc), mine in by_pair.items():
        if not mine:
            empty += 1
            continue
        tier, deciding = first_tier(mine, chosen.tiers)
        grade, tied = decide(deciding, chosen.combine, chosen.ties)
        conflicts += len({j.grade for j in deciding}) > 1
        ties += tied
        tiers[tier] += 1
        judges |= {who(j) for j in deciding}
        by = dict.fromkeys(j.rubric for j in deciding)
        rubrics.update(by.keys())
        mixed += sum(map(bool, by)) > 1
        if grade is not None:
            rows.append((query, doc, grade, *signed(deciding)))
    if not rows:
        raise NothingToEvaluate(
            f"no judgment is left by the policy {chosen.name!r}",
            f"{graded} judgments with a grade, of {', '.join(left_out) or 'no'} sources left out",
        )
    return Export(
        _qrels(rows, name),
        chosen,
        len(by_pair),
        graded,
        conflicts,
        ties,
        empty,
        dict(states),
        dict(left_out),
        tuple(tiers),
        len(judges),
        editions,
        dict(rubrics),
        mixed,
    )


def _looked_at(
    judgments: Sequence[Judgment], chosen: Policy
) -> tuple[dict[tuple[str, str], list[Judgment]], Counter[str], Counter[str], tuple[Editions, ...]]:
    """{pair: judgments with a grade that the policy looks at}, {state: those without a grade},
    {source: those with a grade in no tier}, and the models with several prompts."""
    by_pair: dict[tuple[str, str], list[Judgment]] = {j.pair: [] for j in judgments}
    states = Counter[str](j.state for j in judgments if j.grade is None)
    graded = [j for j in judgments if j.grade is not None]
    mine = [j for j in graded if any(tier.matches(j) for tier in chosen.tiers)]
    left_out = Counter[str](j.source for j in graded)
    left_out.subtract(j.source for j in mine)
    kept, editions = newest_only(mine, every=chosen.every_prompt)
    for j in kept:
        by_pair[j.pair].append(j)
    return by_pair, states, +left_out, editions


def _qrels(rows: Sequence[tuple[str, str, float, str, str]], name: str) -> Qrels:
    columns = list(zip(*rows, strict=True))
    return Qrels.from_columns(
        Ids.of(columns[0]),
        Ids.of(columns[1]),
        np.array(columns[2], np.float64),
        source=Ids.of(columns[3]),
        assessor=Ids.of(columns[4]) if any(columns[4]) else None,
        name=name,
    )
