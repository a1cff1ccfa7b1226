"""From pairs to be judged to the questions a model is asked, without those that have an answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.judging.judgment import Judgment
from cranfield.judging.llm.prompt import Asking, Call, call_for, key_of
from cranfield.judging.preferences import Preference

Row = Judgment | Preference


@dataclass(frozen=True)
class Item:
    """What is to be judged: a document of a query; for a preference two of them.

    Parameters
    ----------
    reference : a document that is known to be relevant, where the rubric shows one.
    """

    query: Query
    documents: tuple[Document, ...]
    reference: Document | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.query.id, *(d.id for d in self.documents))


@dataclass(frozen=True)
class Task:
    """One question.

    Parameters
    ----------
    items : what it decides; of a batch several.
    keys : for each item the fingerprint of the question (`key_of`).
    sample : which answer to it is wanted.
    same : for each item the further ones with its key, that is with the same texts; empty where
        there are none at all.
    """

    items: tuple[Item, ...]
    keys: tuple[str, ...]
    sample: int = 0
    same: tuple[tuple[Item, ...], ...] = ()

    @property
    def documents(self) -> tuple[Document, ...]:
        first = self.items[0].documents
        return first if len(self.items) == 1 else tuple(i.documents[0] for i in self.items)

    def alike(self, place: int) -> tuple[Item, ...]:
        """The further items that the answer about one of `items` is of."""
        return self.same[place] if self.same else ()

    def call(self, asking: Asking) -> Call:
        """What is sent."""
        first = self.items[0]
        return call_for(asking, first.query, self.documents, first.reference)


@dataclass(frozen=True)
class Plan:
    """What there is to do.

    Parameters
    ----------
    tasks : questions to ask, in their order.
    copied : items answered already, for other documents with the same texts or under another
        assessor's name; with those rows.
    kept : answers there already.
    again : answers that could not be read, which are asked for again.
    left : such answers that are left as they are.
    """

    tasks: tuple[Task, ...]
    copied: tuple[tuple[Item, int, Row], ...]
    kept: int
    again: int
    left: int


def plan(
    items: Sequence[Item],
    asking: Asking,
    model: str,
    known: Sequence[Row],
    *,
    failed_again: bool = True,
    assessor: str = "",
) -> Plan:
    """The questions to ask.

    Parameters
    ----------
    known : rows of this model and prompt that stand in the store, under whatever name.
    failed_again : whether to ask again where the answer could not be read.
    assessor : the name under which the answers will be kept.
    """
    mine = {(_ids(row), row.sample): row for row in known if row.assessor == assessor}
    by_key: dict[Any, Row] = {}
    for one in known:
        if one.state == "graded":
            by_key.setdefault(one.details.get("asked"), one)
    preference = asking.rubric.kind == "preference"
    ordered = _both_orders(items, asking.seed) if preference else list(items)
    samples = range(1, asking.samples + 1) if asking.samples > 1 else (0,)
    tasks: list[Task] = []
    copied: list[tuple[Item, int, Row]] = []
    kept = again = left = 0
    for sample in samples:
        keys = {
            i.ids: key_of(asking, model, i.query, i.documents, i.reference, sample) for i in ordered
        }
        open_: list[Item] = []
        for item in ordered:
            row = mine.get((item.ids, sample))
            current = row is not None and row.details.get("asked") == keys[item.ids]
            if row is not None and current and (row.state != "failed" or not failed_again):
                kept += row.state != "failed"
                left += row.state == "failed"
                continue
            again += current
            twin = by_key.get(keys[item.ids])
            if twin is not None:
                copied.append((item, sample, twin))
            else:
                open_.append(item)
        make = _batches if asking.batch > 1 else _single
        tasks += make(ordered, open_, keys, sample, asking)
    return Plan(tuple(tasks), tuple(copied), kept, again, left)


def _single(
    ordered: Sequence[Item],
    open_: Sequence[Item],
    keys: Mapping[Any, str],
    sample: int,
    asking: Asking,
) -> Iterator[Task]:
    """One question a document; documents with the same texts are asked for once."""
    for first, *rest in _alike(open_, keys).values():
        yield Task((first,), (keys[first.ids],), sample, (tuple(rest),) if rest else ())


def _batches(
    ordered: Sequence[Item],
    open_: Sequence[Item],
    keys: Mapping[Any, str],
    sample: int,
    asking: Asking,
) -> Iterator[Task]:
    """The documents of a query in an order drawn anew for each sample, cut into batches, of the
    same texts one; of a batch those without an answer. An interrupted work goes on with the
    batches it would have asked."""
    missing = _alike(open_, keys)
    by_query: dict[tuple[str, str], list[Item]] = {}
    for item, *_ in _alike(ordered, keys).values():
        known = "" if item.reference is None else item.reference.id
        by_query.setdefault((item.query.id, known), []).append(item)
    for own in by_query.values():
        drawn = sorted(own, key=lambda i: _place(asking.seed, str(sample), *i.ids))
        for at in range(0, len(drawn), asking.batch):
            mine = (keys[i.ids] for i in drawn[at : at + asking.batch])
            wanted = [(key, missing[key]) for key in mine if key in missing]
            if wanted:
                same = tuple(tuple(items[1:]) for _, items in wanted)
                yield Task(
                    tuple(items[0] for _, items in wanted),
                    tuple(key for key, _ in wanted),
                    sample,
                    same if any(same) else (),
                )


def _alike(items: Sequence[Item], keys: Mapping[Any, str]) -> dict[str, list[Item]]:
    """{key: the items with it}, in their order."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(keys[item.ids], []).append(item)
    return found


def _both_orders(items: Sequence[Item], seed: int) -> list[Item]:
    """Each pair twice, one after the other, which document comes first drawn by the seed."""
    out = []
    for item in items:
        a, b = item.documents
        first, second = sorted((a, b), key=lambda d: d.id.encode())
        if _place(seed, item.query.id, first.id, second.id)[0] & 1:
            first, second = second, first
        out += [Item(item.query, (first, second)), Item(item.query, (second, first))]
    return out


def sampled_by(seed: int, n: int | None, of: Sequence[Any], ids: Callable[[Any], Any]) -> list[Any]:
    """The n with the smallest hashes, in the order given; a larger sample holds the smaller."""
    if n is None or n >= len(of):
        return list(of)
    chosen = {ids(x) for x in sorted(of, key=lambda x: _place(seed, *ids(x)))[:n]}
    return [x for x in of if ids(x) in chosen]


def _place(seed: int, *names: str) -> bytes:
    said = "\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(said).digest()


def _ids(row: Row) -> tuple[str, ...]:
    if isinstance(row, Preference):
        return row.query, row.doc_a, row.doc_b
    return row.query, row.doc
