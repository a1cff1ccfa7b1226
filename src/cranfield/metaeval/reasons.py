"""Why a measure is recommended, reason by reason, with the numbers."""

from __future__ import annotations

from cranfield.metaeval.advice import Reason, Recommendation
from cranfield.metaeval.results import Condition

FEW = 30  # pairs of systems; with fewer a share moves in steps of more than three percent


def reasons(made: Recommendation, condition: Condition) -> tuple[Reason, ...]:
    """Why, in the order in which it is said."""
    found = condition.discrimination
    chosen = made.standing(made.decide)
    runs, queries = found.runs, found.queries
    about = {"level": made.level, "runs": runs, "queries": queries, "pairs": found.pairs}
    interval = {"low": chosen.low, "high": chosen.high}
    key = "decide" if chosen.low is not None else "decide.plain"
    said = [Reason(key, {"measure": made.decide, "share": chosen.share, **interval, **about})]
    if found.pairs < FEW:
        said.append(
            Reason("few_pairs", {"runs": runs, "count": found.pairs, "step": 1 / found.pairs})
        )
    rest = [s for s in made.standings if s.measure not in made.leaders]
    if not rest and found.bootstrap is None:
        said.append(Reason("no_resamples", {"n": len(made.leaders)}))
    elif made.settled and rest:
        said.append(
            Reason("settled", {"measure": made.decide, "next": rest[0].measure,
                               "share": chosen.overall, "next_share": rest[0].overall})
        )  # fmt: skip
    elif len(made.leaders) > 1:
        said.append(_not_settled(made, queries))
    if len(made.standings) == 1:
        said.append(Reason("only_one", {"measure": made.decide}))
    if chosen.error is not None:
        said.append(
            Reason("stable", {"measure": made.decide, "error": chosen.error, "tie": chosen.tie})
        )
    said.append(Reason("difficulty", {"measure": made.decide, "mean": chosen.mean}))
    for name in made.misleading:
        s = made.standing(name)
        said.append(
            Reason("misleading", {"measure": name, "mean": s.mean, "share": s.share,
                                  "decide": made.decide, "decide_share": chosen.share})
        )  # fmt: skip
    labels = {"measure": made.decide, "depth": chosen.labels.depth}
    said.append(Reason(f"labels.{chosen.labels.need}", labels))
    said += _beside(made)
    said += _enough(made, queries)
    return tuple(said)


def _not_settled(made: Recommendation, queries: int) -> Reason:
    several = [
        {"measure": m, "overall": made.standing(m).overall, "points": made.standing(m).points}
        for m in made.leaders
    ]
    return Reason("not_settled", {"leaders": several, "queries": queries, "decide": made.decide})


def _beside(made: Recommendation) -> list[Reason]:
    """What is watched, and what adds nothing."""
    reasons = []
    if made.watch is not None:
        s = made.standing(made.watch)
        reasons.append(
            Reason("watch", {"measure": made.watch, "tau": made.watch_tau, "share": s.share,
                             "decide": made.decide})
        )  # fmt: skip
    elif len(made.standings) > 1:
        reasons.append(Reason("watch.none", {"same": made.same, "well": made.well,
                                             "decide": made.decide}))  # fmt: skip
    if made.alike:
        pairs = [{"measure": m, "tau": t} for m, t in made.alike]
        reasons.append(Reason("alike", {"pairs": pairs, "decide": made.decide, "same": made.same}))
    return reasons


def _enough(made: Recommendation, queries: int) -> list[Reason]:
    """From how many queries on: for the shares asked for, and for what other measures do with all
    of them."""
    mine = [n for n in made.queries if n.measure == made.decide]
    said = []
    for key, rows in (
        ("queries.share", [n for n in mine if n.like is None]),
        ("queries.like", [n for n in mine if n.like is not None]),
    ):
        items = [
            {"share": n.share, "like": n.like, "queries": n.queries, "low": n.low, "high": n.high,
             "beyond": n.extrapolated}
            for n in rows
        ]  # fmt: skip
        if items:
            said.append(Reason(key, {"measure": made.decide, "have": queries, "items": items}))
    return said
