"""Ids that are not known and mean ones that are, as a finding."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from cranfield.diagnosis.ailments import HALF, RARELY
from cranfield.diagnosis.finding import Finding, Rows, Said, Severity, Sure
from cranfield.diagnosis.idforms import LEAST, Match, match, shown
from cranfield.diagnosis.idparts import partly

LISTED = 1_000


def ids_differ(
    of: str,
    kind: str,
    names: Collection[str],
    known: Collection[str],
    against: str,
    *,
    parts: bool = False,
) -> tuple[Finding, Match] | None:
    """Ids that are not known and mean ones that are: most of those, or a substantial share of all
    that begin in another way, where such `parts` are asked for."""
    there = known if isinstance(known, (set, frozenset)) else frozenset(known)
    lost = [n for n in names if n not in there]
    if not lost:
        return None
    direct, least = len(names) - len(lost), HALF * len(lost)
    bare = against == "judged_documents"  # most documents of a run need not be judged
    if bare:
        least = max(2 * direct, RARELY * len(there), min(LEAST, len(there)))
    found = match(lost, there, passages=kind == "documents") if len(lost) >= least else None
    if found is not None and (
        len(found.pairs) < least or (bare and len(set(found.pairs.values())) < least)
    ):
        found = None
    if found is None and parts:
        found = partly(lost, there)
        if found is not None and not _substantial(found, names, there, bare):
            found = None
    if found is None:
        return None
    before, after = direct / len(names), (direct + len(found.pairs)) / len(names)
    values: dict[str, Any] = {
        "of": of,
        "kind": Said(f"ids.{kind}"),
        "against": Said(f"against.{against}"),
        "n": len(found.pairs),
        "all": len(names),
        "before": before,
        "after": after,
        "how": tuple(
            Said(f"differ.{name}", {"mine": mine, "theirs": theirs})
            for name, mine, theirs in shown(found.form)
        ),
        "left": len(lost) - len(found.pairs),
    }
    pairs = sorted(found.pairs.items())[:LISTED]
    rows = Rows("ids_meant", ("id", "meant"), ("text", "text"), tuple(pairs))
    severity: Severity = "error" if before < HALF and not (found.part and bare) else "warning"
    sure: Sure = "possible" if found.part and bare else "likely"
    return Finding("ids_differ", severity, values, sure, rows=rows), found


def _substantial(found: Match, names: Collection[str], known: Collection[str], bare: bool) -> bool:
    """Whether part of the ids, put right, are a substantial share: of all of them, or, where only
    judged documents are known, of these; a beginning that judged documents have too is no other
    way to write them then."""
    if not bare:
        return len(found.pairs) >= RARELY * len(names)
    front = found.form.prefix[0]
    if not front or any(name.startswith(front) for name in known):
        return False
    return len(set(found.pairs.values())) >= RARELY * len(known)
