"""Dev and test drawn: by type, with near-duplicates kept together, and the same every time.

The order in which queries are drawn is the order of a hash of the seed and the query's id. It
depends on nothing else, neither on a random number generator's version nor on which other queries
there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cranfield.data.collection import Query
from cranfield.errors import UnknownName, UsageError
from cranfield.experiment.splits import Frozen, Split, fingerprint_of, frozen
from cranfield.kit.fingerprint import of_parts
from cranfield.kit.near import THRESHOLD, connected, near_pairs, normal


@dataclass(frozen=True)
class Drawn:
    """A split, and what happened when it was drawn.

    Parameters
    ----------
    pairs : (query, query, similarity) of near-duplicates among the queries.
    added : {side: ids} that are new there.
    gone : dev queries that are not in the collection any more.
    short : how many test queries fewer than asked for, because groups stay together.
    """

    split: Split
    pairs: tuple[tuple[str, str, float], ...]
    added: Mapping[str, tuple[str, ...]]
    gone: tuple[str, ...] = ()
    short: int = 0


def draw(
    queries: Sequence[Query],
    test: float,
    *,
    by: str | None = None,
    seed: int = 0,
    threshold: float = THRESHOLD,
) -> Drawn:
    """A first split.

    Parameters
    ----------
    test : how many queries are for the test; below 1 a share of them.
    by : the query field whose labels are shared out alike; None: `type` where there is one.
    threshold : Jaccard similarity of 3-grams from which queries stay on one side.

    Raises
    ------
    UsageError, UnknownName
        Fewer than two queries, more test queries than there are, or no such field.
    """
    if not 0 < threshold <= 1:
        raise UsageError(f"threshold is {threshold}", "above 0, at most 1")
    n = _size(test, len(queries))
    by = _field(queries, by)
    pairs = near_pairs([q.text for q in queries], threshold)
    chosen, short = _choose(queries, pairs, n, by, seed)
    texts = {q.id: normal(q.text) for q in queries}
    on_test = {q: t for q, t in texts.items() if q in chosen}
    dev = {q: t for q, t in texts.items() if q not in chosen}
    first = Frozen(fingerprint_of(on_test), len(on_test))
    split = Split(on_test, dev, {}, (first,), seed, by, threshold)
    named = tuple((queries[i].id, queries[j].id, s) for i, j, s in pairs)
    return Drawn(split, named, {"test": tuple(on_test), "dev": tuple(dev)}, short=short)


def extend(split: Split, queries: Sequence[Query], test: float | None = None) -> Drawn:
    """The split of a collection that has grown. The frozen test queries stay.

    New queries go to dev; one that is nearly the same as a test query is held back from both
    sides. With `test` the test list is first made that long, from queries that are on neither
    side yet, and frozen again; a query that was on the dev side has been seen and stays there.
    """
    split.verified(queries, "the split")
    by_id = {q.id: q for q in queries}
    pairs = near_pairs([q.text for q in queries], split.threshold)
    near: dict[str, dict[str, float]] = {q: {} for q in by_id}
    for i, j, s in pairs:
        one, two = queries[i].id, queries[j].id
        near[one][two] = near[two][one] = s
    near = _with_equals(near)
    changed = {q for q, t in split.dev.items() if q in by_id and normal(by_id[q].text) != t}
    seen = {q for q in split.dev if q in by_id}
    fresh = [q for q in queries if q.id not in split.test and q.id not in seen]
    on_test, short = dict(split.test), 0
    if test is not None:
        free = [q for q in fresh if not near[q.id].keys() & seen]
        goal = _size(test, len(queries)) - len(on_test)
        if goal < 0:
            raise UsageError(
                f"{len(on_test)} test queries are frozen; {len(on_test) + goal} are fewer",
                "a test list can only grow",
            )
        own = near_pairs([q.text for q in free], split.threshold)
        chosen, short = _choose(
            free, own, goal, split.by, split.seed, everyone=queries, there=split.test
        )
        on_test |= {q.id: normal(q.text) for q in free if q.id in chosen}
    held, dev = {}, {}
    for q in queries:
        if q.id in on_test:
            continue
        alike = [t for t in near[q.id] if t in on_test]
        if alike and (q.id not in seen or q.id in changed):
            held[q.id] = max(alike, key=lambda t: near[q.id][t])
        else:
            dev[q.id] = normal(q.text)
    new_test = tuple(q for q in on_test if q not in split.test)
    grown = Split(split.test, dev, held, split.versions, split.seed, split.by, split.threshold)
    return Drawn(
        frozen(grown, on_test) if new_test else grown,
        tuple((queries[i].id, queries[j].id, s) for i, j, s in pairs),
        {
            "test": new_test,
            "dev": tuple(q for q in dev if q not in split.dev),
            "held": tuple(q for q in held if q not in split.held),
        },
        tuple(q for q in split.dev if q not in by_id),
        short,
    )


def _with_equals(near: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Queries of equal text are near to the same queries (`near_pairs` lists one of them)."""
    out = {q: dict(found) for q, found in near.items()}
    for q, found in near.items():
        for twin in [t for t, s in found.items() if s == 1.0]:
            for other, s in near[twin].items():
                if other != q:
                    out[q].setdefault(other, s)
                    out[other].setdefault(q, s)
    return out


def _size(test: float, n: int) -> int:
    if n < 2:
        raise UsageError(f"{n} queries cannot be split", "a split needs two or more")
    if not test > 0 or (test >= 1 and test != int(test)):
        raise UsageError(f"test is {test:g}", "a whole number of queries, or a share below 1")
    size = max(1, math.floor(test * n + 0.5)) if test < 1 else int(test)
    if size >= n:
        raise UsageError(f"{size} of {n} queries for the test leave none", "name a smaller number")
    return size


def _field(queries: Sequence[Query], by: str | None) -> str | None:
    names = dict.fromkeys(k for q in queries for k, v in q.fields.items() if isinstance(v, str))
    if by is None:
        return "type" if "type" in names else None
    if by not in names:
        have = ", ".join(names) or "none"
        raise UnknownName(f"no query has a field {by!r}", f"fields that can be used: {have}")
    return by


def _choose(
    queries: Sequence[Query],
    pairs: Iterable[tuple[int, int, float]],
    n: int,
    by: str | None,
    seed: int,
    *,
    everyone: Sequence[Query] | None = None,
    there: Mapping[str, str] | None = None,
) -> tuple[set[str], int]:
    """Ids for the test, and how many could not be had.

    Groups of near-duplicates are drawn in the order of their hashes; the label of a group is that
    of its first query. Places are shared out among labels by largest remainders. What a label
    cannot fill because its groups are too large goes to any group that fits.
    """
    groups: dict[int, list[Query]] = {}
    for query, root in zip(queries, connected(len(queries), pairs), strict=True):
        groups.setdefault(root, []).append(query)
    ordered = sorted(groups.values(), key=lambda g: of_parts([str(seed), min(q.id for q in g)]))
    places = _places(everyone or queries, there or {}, n, by)
    chosen: set[str] = set()
    for label in [*places, None]:
        free = n - len(chosen) if label is None else places[label]
        for group in ordered:
            fits = len(group) <= free and group[0].id not in chosen
            if fits and (label is None or _label(group[0], by) == label):
                chosen |= {q.id for q in group}
                free -= len(group)
    return chosen, n - len(chosen)


def _label(query: Query, by: str | None) -> str:
    return str(query.fields.get(by, "")) if by is not None else ""


def _places(
    everyone: Sequence[Query], there: Mapping[str, str], n: int, by: str | None
) -> dict[str, int]:
    """How many of n new test queries each label gets, so that the whole test is shared out as the
    collection is (largest remainders; equal remainders in the order of the labels)."""
    size: dict[str, int] = {}
    have: dict[str, int] = {}
    for q in everyone:
        label = _label(q, by)
        size[label] = size.get(label, 0) + 1
        have[label] = have.get(label, 0) + (q.id in there)
    total = n + len(there)
    wanted = {x: max(0.0, total * size[x] / len(everyone) - have[x]) for x in size}
    scale = n / sum(wanted.values()) if sum(wanted.values()) else 0.0
    exact = {x: w * scale for x, w in wanted.items()}
    places = {x: math.floor(w + 1e-9) for x, w in exact.items()}
    rest = sorted(exact, key=lambda x: (round(places[x] - exact[x], 9), x))
    for x in rest[: n - sum(places.values())]:
        places[x] += 1
    return places
