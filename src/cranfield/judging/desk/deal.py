"""Who judges which pairs, and in which order."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from cranfield.errors import UsageError
from cranfield.judging.desk.pairs import Pair

Unit = Literal["pair", "query"]
Order = Literal["query", "mixed", "list"]


@dataclass(frozen=True)
class Dealing:
    """How pairs are divided.

    Parameters
    ----------
    assessors : names, each once.
    overlap : the share of units that every assessor gets; the rest is divided evenly.
    unit : a pair, or all pairs of a query.
    order : `query`: the queries in random order, and the documents of each; `mixed`: all pairs in
        random order; `list`: as they are listed.
    seed : what is random is drawn by it, and orders by the name of the assessor as well.
    """

    assessors: tuple[str, ...]
    overlap: float = 0.0
    unit: Unit = "pair"
    order: Order = "query"
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.assessors or not all(a.strip() and a.isprintable() for a in self.assessors):
            raise UsageError("an assessor has no name", "--assessor NAME")
        if len(set(self.assessors)) != len(self.assessors):
            raise UsageError("two assessors have one name")
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"the overlap is {self.overlap!r}", "a share from 0 to 1")
        if self.unit not in get_args(Unit) or self.order not in get_args(Order):
            raise UsageError(f"unit {self.unit!r}, order {self.order!r}")


def deal(pairs: Sequence[Pair], how: Dealing) -> dict[str, tuple[Pair, ...]]:
    """{assessor: their pairs, in their order}.

    Everything follows from hashes of ids, so that neither a restart nor the order of the list
    changes anything, and a longer list or a further assessor moves few units: round(overlap · n)
    units with the smallest hashes go to all; each other one to the assessor whose hash with it is
    the greatest (rendezvous hashing, Thaler & Ravishankar 1998) and who has room for it, where
    all have the same room.
    """
    units = dict.fromkeys(_unit(p, how) for p in pairs)
    drawn = sorted(units, key=lambda u: _hash(how.seed, "share", *u))
    shared = set(drawn[: round(how.overlap * len(drawn))])
    rest = [u for u in drawn if u not in shared]
    room = dict.fromkeys(how.assessors, -(-len(rest) // len(how.assessors)))
    owner: dict[tuple[str, ...], str] = {}
    for unit in rest:
        free = [a for a in how.assessors if room[a]]
        owner[unit] = max(free, key=lambda a: _hash(how.seed, "deal", a, *unit))
        room[owner[unit]] -= 1
    queues = {}
    for assessor in how.assessors:
        mine = [p for p in pairs if owner.get(_unit(p, how), assessor) == assessor]
        queues[assessor] = tuple(_ordered(mine, how, assessor))
    return queues


def turned(
    queues: Mapping[str, Sequence[Pair]], seed: int, *, both: bool = False
) -> dict[str, tuple[Pair, ...]]:
    """Queues of two documents, which of them is shown first drawn by seed, assessor and ids.

    Parameters
    ----------
    both : everything is asked a second time in the other order, after all the rest.
    """
    made = {}
    for assessor, queue in queues.items():
        first = [
            mirrored(p) if _hash(seed, "side", assessor, *p)[0] & 1 else tuple(p) for p in queue
        ]
        made[assessor] = (*first, *(map(mirrored, first) if both else ()))
    return made


def mirrored(pair: Pair) -> Pair:
    """The same two documents in the other order."""
    query, a, b = pair
    return query, b, a


def _unit(pair: Pair, how: Dealing) -> tuple[str, ...]:
    return pair if how.unit == "pair" else pair[:1]


def _ordered(pairs: list[Pair], how: Dealing, assessor: str) -> list[Pair]:
    if how.order == "list":
        return pairs
    place = {p: _hash(how.seed, "order", assessor, *p) for p in pairs}
    if how.order == "mixed":
        return sorted(pairs, key=place.__getitem__)
    query = {q: _hash(how.seed, "query", assessor, q) for q, *_ in pairs}
    return sorted(pairs, key=lambda p: (query[p[0]], place[p]))


def _hash(seed: int, *names: str) -> bytes:
    said = "\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(said).digest()
