"""A split, shown: who went where, and what had to be decided."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.data.collection import Query
from cranfield.experiment.drawing import Drawn
from cranfield.kit.fingerprint import SHORT
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import words

SOME = 5


def sides(found: Drawn, queries: Sequence[Query], lang: str = "en") -> Grid:
    """One row a side, one column a label of the field that the split is shared out by."""
    w = words(lang)
    split = found.split
    labels: dict[str, str] = {}
    if split.by is not None:
        labels = {q.id: str(q.fields.get(split.by, "–")) for q in queries}
    kinds = list(dict.fromkeys(labels.values()))
    rows: list[tuple[Cell, ...]] = []
    for name, ids in (("test", split.test), ("dev", split.dev), ("held", split.held)):
        if name == "held" and not ids:
            continue
        counts = [sum(labels.get(q) == kind for q in ids) for kind in kinds]
        rows.append((w(f"lab.split.{name}"), len(ids), *counts))
    head = (w("lab.split.side"), w("lab.split.all"), *map(w.name, kinds))
    return Grid(head, ("text", *("count",) * (1 + len(kinds))), tuple(rows))


def split_notes(found: Drawn, queries: Sequence[Query], lang: str = "en") -> list[str]:
    """What has to be known of a split."""
    w = words(lang)
    split = found.split
    notes = [
        w(
            "lab.split.frozen",
            n=len(split.test),
            fingerprint=split.fingerprint[:SHORT],
            seed=split.seed,
        )
    ]
    if not any(q.text for q in queries):
        notes.append(w("lab.split.textless"))
    if len(found.pairs) > SOME:
        notes.append(w("lab.split.pairs", n=len(found.pairs), threshold=split.threshold))
    notes += [
        w("lab.split.pair", a=a, b=b, similarity=s)
        for a, b, s in found.pairs[:SOME]
        if not {a, b} & split.held.keys()
    ]
    if found.short:
        notes.append(w("lab.split.short", n=found.short))
    if len(split.versions) > 1 or "held" in found.added:
        for side in ("test", "dev"):
            if ids := found.added.get(side, ()):
                name = w(f"lab.split.{side}")
                notes.append(w("lab.split.added", side=name, n=len(ids), some=_some(ids)))
    notes += [w("lab.split.held_back", query=q, test=t) for q, t in split.held.items()]
    if found.gone:
        notes.append(w("lab.split.gone", n=Count(len(found.gone)), some=_some(found.gone)))
    return notes


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SOME]) + (", …" if len(names) > SOME else "")
