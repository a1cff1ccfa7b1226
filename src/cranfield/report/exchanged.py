"""What came into the label store or went out of it, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.judging.interchange.origin import Found
from cranfield.judging.judgment import Wanted
from cranfield.judging.policies import Export
from cranfield.judging.pools import Filled, Pool
from cranfield.judging.settled import Written
from cranfield.report.lab_words import Count
from cranfield.report.language import Words


def read(file: str, part: Found, w: Words) -> str:
    """What was in a file of labels."""
    rows: Sequence[object] = part.preferences or part.judgments
    queries = {r.query for r in part.preferences} or {j.query for j in part.judgments}
    key = "exchange.file.preferences" if part.preferences else "exchange.file"
    return w(key, file=file, n=Count(len(rows)), queries=Count(len(queries)), form=part.form)


def brought(part: Found, w: Words) -> list[str]:
    """What a file was to the store."""
    found = part.brought
    said = []
    if found and found.there:
        said.append(w("exchange.there", n=Count(found.there)))
    if found and found.changed:
        said.append(w("exchange.changed", n=Count(found.changed)))
    return said


def copied(source: str, target: str, counts: Mapping[str, int], w: Words) -> str:
    """What was copied from one store to another."""
    some = _of_tables({t: n for t, n in counts.items() if n}, w)
    return w("exchange.copied", source=source, target=target, some=some)


def not_logged(counts: Mapping[str, int], w: Words) -> list[str]:
    """What a file of a store's judgments, or of its preferences, leaves out."""
    if not counts:
        return []
    return [w("exchange.not_logged", some=_of_tables(counts, w))]


def _of_tables(counts: Mapping[str, int], w: Words) -> str:
    return w("exchange.and").join(f"{w(f'exchange.table.{t}')} {n}" for t, n in counts.items())


def written(file: str, found: Export, w: Words) -> str:
    return w(
        "exchange.written",
        file=file,
        n=Count(len(found.qrels)),
        queries=Count(len(found.qrels.queries)),
        policy=found.policy.name,
    )


def counted(found: Export, w: Words) -> list[str]:
    """What the policy did."""
    said = []
    rule = found.policy
    if found.conflicts:
        said.append(w("exchange.conflicts", n=Count(found.conflicts), combine=rule.combine))
    if found.ties and rule.ties == "drop":
        said.append(w("exchange.dropped", n=found.ties))
    elif found.ties:
        said.append(w("exchange.tied", n=found.ties, rule=w(f"exchange.rule.{rule.ties}")))
    for of in found.editions:
        listed = "; ".join(w("exchange.by", by=by, n=Count(n)) for by, n in of.counted.items() if n)
        key = "exchange.prompts.together" if of.together else "exchange.prompts"
        said.append(w(key, name=of.name, listed=listed, passed=sum(of.passed.values())))
    if found.several_rubrics:
        some = ", ".join(
            w("exchange.by", by=by, n=Count(n)) for by, n in found.several_rubrics.items()
        )
        said.append(w("exchange.rubrics", some=some, n=Count(found.mixed)))
    if found.without_grade:
        some = _listed({w(f"judge.state.{s}"): n for s, n in found.states.items()}, w)
        listed = w("exchange.listed", some=some) if some else ""
        said.append(w("exchange.without", n=Count(found.without_grade), listed=listed))
    if found.left_out:
        some = _listed({w(f"judge.source.{s}"): n for s, n in found.left_out.items()}, w)
        said.append(w("exchange.tiers", some=some))
    if len(found.by_tier) > 1:
        named = [_tier(tier, w) for tier in rule.tiers]
        some = _listed(dict(zip(named, found.by_tier, strict=True)), w)
        said.append(w("exchange.by_tier", some=some))
    return said


def preferences(made: Written, w: Words) -> list[str]:
    """What the pairs of a file of preferences came to."""
    pairs = sum(made.outcomes.values())
    outcomes = {w(f"exchange.outcome.{o}"): n for o, n in sorted(made.outcomes.items())}
    said = [w("exchange.pairs", n=Count(pairs), some=_listed(outcomes, w))]
    if made.groups == 1:
        said.append(w("exchange.alone"))
    if made.circles:
        said.append(w("exchange.circles", n=Count(made.circles)))
    return said


def pooled(found: Pool, seed: int, w: Words) -> str:
    """How much of a pool is to be labelled."""
    counts = [(0, 0)] * len(found.depths)
    for row in found.rows:
        every, some = counts[row.stratum - 1]
        counts[row.stratum - 1] = every + 1, some + row.sampled
    strata = w("exchange.and").join(
        w("exchange.stratum", some=some, all=every, depth=depth)
        for depth, (every, some) in zip(found.depths, counts, strict=True)
    )
    n, queries = Count(found.to_label), Count(len(found.queries))
    return w("exchange.pool", n=n, queries=queries, strata=strata, seed=seed)


def filled(found: Filled, w: Words) -> list[str]:
    """How much of a pool has labels now."""
    said = [w("exchange.filled", n=found.labelled, of=Count(found.pool.to_label))]
    if found.unused:
        said.append(w("exchange.unused", n=Count(found.unused)))
    return said


def _listed(counts: Mapping[str, int], w: Words) -> str:
    return w("exchange.and").join(w("exchange.one", n=n, what=what) for what, n in counts.items())


def _tier(tier: Wanted, w: Words) -> str:
    if tier.assessors:
        return w("exchange.experts")
    return "/".join(w(f"judge.source.{s}") for s in tier.sources)
