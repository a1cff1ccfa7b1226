"""Queries to tune a rubric or a prompt on, and others to report its agreement on, kept apart."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cranfield.errors import UnknownName, UsageError
from cranfield.judging.labels import Labels
from cranfield.kit.fingerprint import of_parts
from cranfield.kit.near import connected, near_pairs

PARTS = ("tune", "report")
# Many looks at the queries to report on, with changing labels, are tuning.
MANY_LOOKS = 5
MANY_LABELS = 3


@dataclass(frozen=True)
class Parts:
    """Who is on which side.

    Parameters
    ----------
    tune, report : queries, in the order in which they were drawn.
    seed, share : what they were drawn with; the share is that for tuning.
    versions : fingerprints of `report`, the newest last; it only grows.
    """

    tune: tuple[str, ...]
    report: tuple[str, ...]
    seed: int
    share: float
    versions: tuple[str, ...] = ()

    def of(self, name: str) -> tuple[str, ...]:
        """`tune` or `report`."""
        if name not in PARTS:
            raise UnknownName(f"no part {name!r}", f"parts: {', '.join(PARTS)}")
        return self.tune if name == "tune" else self.report


@dataclass(frozen=True)
class PartLooks:
    """How often agreement on the queries to report on was shown, and of how many label sets."""

    count: int
    labels: int
    first: str | None
    last: str | None

    @property
    def tuning(self) -> bool:
        """Suspected: five looks or more at three label sets or more."""
        return self.count >= MANY_LOOKS and self.labels >= MANY_LABELS


def known_parts(labels: Labels) -> Parts | None:
    """The parts as they were drawn; None where they never were. Of two who drew at one moment the
    first decides for each query, so that nobody ever changes sides."""
    rows = labels.database.rows("parts", {})
    if not rows:
        return None
    sides: dict[str, str] = {}
    for row in rows:
        for name, queries in json.loads(row["content"]).items():
            for query in queries:
                sides.setdefault(query, name)
    tune, report = (tuple(q for q, side in sides.items() if side == name) for name in PARTS)
    marks = dict.fromkeys(row["fingerprint"] for row in rows)
    return Parts(tune, report, int(rows[0]["seed"]), float(rows[0]["share"]), tuple(marks))


def draw_parts(
    labels: Labels,
    queries: Sequence[str],
    *,
    share: float | None = None,
    seed: int | None = None,
    texts: Mapping[str, str] | None = None,
) -> Parts:
    """The parts of a store, drawn and kept there the first time; queries that are new since are
    shared out, and those that were drawn stay where they are.

    The order of drawing is that of a hash of the seed and the query, so that it depends on
    neither the order of files nor a version of a random number generator. Queries that are nearly
    the same (where `texts` are known) stay on one side.

    Parameters
    ----------
    share : of the queries for tuning, half by default.
    seed : 0 by default.

    Raises
    ------
    UsageError
        Fewer than two queries, a share outside 0 to 1, or another share or seed than the parts
        were drawn with.
    """
    old = known_parts(labels)
    for name, asked, drawn in (
        ("share", share, old and old.share),
        ("seed", seed, old and old.seed),
    ):
        if old is not None and asked is not None and asked != drawn:
            raise UsageError(
                f"the parts were drawn with {name} {drawn:g}, not {asked:g}",
                "queries that were tuned on cannot be reported on afterwards",
            )
    share = old.share if old else 0.5 if share is None else share
    seed = old.seed if old else seed or 0
    if not 0 < share < 1:
        raise UsageError(f"share is {share:g}", "between 0 and 1")
    there = {} if old is None else dict.fromkeys(old.tune, 0) | dict.fromkeys(old.report, 1)
    fresh = [q for q in dict.fromkeys(queries) if q not in there]
    if old is not None and not fresh:
        return old
    if len(there) + len(fresh) < 2:
        raise UsageError("two parts need two queries or more")
    sides = _shared_out(fresh, there, share, seed, texts or {})
    tune = (*(old.tune if old else ()), *(q for q in fresh if sides[q] == 0))
    report = (*(old.report if old else ()), *(q for q in fresh if sides[q] == 1))
    row = {
        "at": labels.time(),
        "seed": seed,
        "share": share,
        "fingerprint": of_parts(sorted(report)),
        "content": json.dumps({"tune": tune, "report": report}),
    }
    labels.database.add("parts", [row])
    drawn = known_parts(labels)
    assert drawn is not None
    return drawn


def _shared_out(
    fresh: Sequence[str],
    there: Mapping[str, int],
    share: float,
    seed: int,
    texts: Mapping[str, str],
) -> dict[str, int]:
    """{new query: 0 to tune on, 1 to report on}."""
    every = [*there, *fresh]
    pairs = near_pairs([texts.get(q, "") for q in every])
    groups: dict[int, list[str]] = {}
    for query, root in zip(every, connected(len(every), pairs), strict=True):
        groups.setdefault(root, []).append(query)
    ordered = sorted(groups.values(), key=lambda g: of_parts([str(seed), min(g)]))
    wanted = min(max(1, math.floor(share * len(every) + 0.5)), len(every) - 1)
    free = wanted - sum(side == 0 for side in there.values())
    sides: dict[str, int] = {}
    for group in ordered:
        new = [q for q in group if q not in there]
        # near an old query its side is given; to tune on where near both
        known = [there[q] for q in group if q in there]
        side = min(known) if known else 0 if len(new) <= free else 1
        free -= len(new) if side == 0 else 0
        sides |= dict.fromkeys(new, side)
    return sides


def count_look(labels: Labels, parts: Parts, command: str, compared: Mapping[str, str]) -> None:
    """Keep that agreement on the queries to report on was shown.

    Parameters
    ----------
    compared : {name of a label set: fingerprint}.
    """
    row = {
        "at": labels.time(),
        "command": command,
        "part": parts.versions[-1],
        "labels": json.dumps(compared, ensure_ascii=True),
    }
    labels.database.add("looks", [row])


def looks_of(labels: Labels, parts: Parts) -> PartLooks:
    """Looks at all versions of the queries to report on."""
    rows = labels.database.rows("looks", {"part": parts.versions})
    seen = {tuple(sorted(json.loads(row["labels"]).values())) for row in rows}
    return PartLooks(
        len(rows), len(seen), rows[0]["at"] if rows else None, rows[-1]["at"] if rows else None
    )
