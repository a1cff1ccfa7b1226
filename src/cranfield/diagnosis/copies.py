"""Which documents of a corpus are copies of one another, in one pass."""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from cranfield.data.collection import Document
from cranfield.diagnosis.cluster import Sets
from cranfield.diagnosis.minhash import Bands, bands_for
from cranfield.diagnosis.shingles import KINDS, Kind, Shingler, normal
from cranfield.errors import UsageError
from cranfield.kit.progress import progress

THRESHOLD = 0.8


@dataclass(frozen=True)
class Near:
    """How near-duplicates are looked for.

    Parameters
    ----------
    threshold : Jaccard similarity of the shingles from which two documents are near-duplicates.
    shingles : `word` (3-grams of words; of characters in scripts without blanks) or `char`
        (5-grams of characters; 3-grams where most are of a script without blanks).
    seed : of the MinHash functions, which decide the candidates.
    """

    threshold: float = THRESHOLD
    shingles: Kind = "word"
    seed: int = 0

    def __post_init__(self) -> None:
        bands_for(self.threshold)
        if self.shingles not in KINDS:
            raise UsageError(f"shingles of {self.shingles!r}", f"one of {', '.join(KINDS)}")

    @property
    def bands(self) -> Bands:
        return bands_for(self.threshold)


NEAR = Near()


@dataclass(frozen=True)
class Copies:
    """The documents of a corpus, and those that are copies.

    Parameters
    ----------
    ids : of all documents, in their order.
    clusters : each the ids of documents with the same or nearly the same text, ascending, two or
        more; the clusters in the order of their first ids. The first id stands for the cluster
        where one has to.
    exact : how many clusters there are of documents whose normal texts are equal.
    exact_copies : documents beyond the first in those.
    near_copies : documents beyond the first in all clusters, less `exact_copies`.
    empty : documents without text; they are no copies of one another.
    watched : {a text asked for: ids of the documents that have it as their text, without the
        title, or with it}.
    passed_over : documents that were not compared with every candidate.
    near : how near-duplicates were looked for, or None.
    """

    ids: tuple[str, ...]
    clusters: tuple[tuple[str, ...], ...]
    exact: int
    exact_copies: int
    near_copies: int
    empty: int
    watched: dict[str, tuple[str, ...]] = field(default_factory=dict)
    passed_over: int = 0
    near: Near | None = None

    @property
    def members(self) -> dict[str, int]:
        """{document: number of its cluster}, for documents in one."""
        return {doc: c for c, docs in enumerate(self.clusters) for doc in docs}


def find_copies(
    documents: Iterable[Document],
    near: Near | None = None,
    *,
    n_documents: int | None = None,
    watch: Collection[str] = (),
) -> Copies:
    """Clusters of documents whose texts are equal after normalisation, and with `near` of those
    that nearly are.

    A document's text is its title, a line end and its text, in Unicode NFKC, lower case, with
    white space collapsed. Equal texts are told by 128-bit BLAKE2b. Only the first of equal texts
    is compared with others, so that many identical documents cost nothing more.

    Parameters
    ----------
    documents : read once; two with the same id count as one.
    near : None for exact duplicates only.
    n_documents : for progress.
    watch : normal texts that are looked for among the documents.
    """
    if near is None:
        return _found(documents, None, None, n_documents, set(watch))
    with contextlib.closing(Sets(near.bands, Shingler(near.shingles), near.seed)) as sets:
        return _found(documents, near, sets, n_documents, set(watch))


def _found(
    documents: Iterable[Document],
    near: Near | None,
    sets: Sets | None,
    n_documents: int | None,
    wanted: set[str],
) -> Copies:
    watched: dict[str, dict[str, None]] = {}
    ids: list[str] = []
    number: dict[bytes, int] = {}  # of each different text
    text_of: list[int] = []  # of each document the number of its text, -1 for none
    with progress("looking for duplicates", n_documents) as advance:
        for document in documents:
            advance(1)
            title, body = normal(document.title), normal(document.text)
            text = f"{title} {body}".strip()
            ids.append(document.id)
            for form in {text, body} & wanted:
                watched.setdefault(form, {})[document.id] = None
            if not text:
                text_of.append(-1)
                continue
            digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16)
            seen = len(number)
            here = number.setdefault(digest.digest(), seen)
            text_of.append(here)
            if sets is not None and here == seen:
                sets.add(text)
    root, passed = list(range(len(number))), 0
    del number
    if sets is not None and near is not None:
        root, passed = sets.clusters(near.threshold)
    exact = _several(ids, text_of)
    clusters = sorted(
        tuple(sorted(c)) for c in _several(ids, [root[t] if t >= 0 else -1 for t in text_of])
    )
    same = sum(len(docs) - 1 for docs in exact)
    return Copies(
        ids=tuple(ids),
        clusters=tuple(clusters),
        exact=len(exact),
        exact_copies=same,
        near_copies=sum(len(docs) - 1 for docs in clusters) - same,
        empty=text_of.count(-1),
        watched={text: tuple(docs) for text, docs in watched.items()},
        passed_over=passed,
        near=near,
    )


def _several(ids: list[str], group: list[int]) -> list[set[str]]:
    """The different ids of each group that has several; -1 is no group."""
    size = Counter(group)
    found: dict[int, set[str]] = {}
    for doc, own in zip(ids, group, strict=True):
        if own >= 0 and size[own] > 1:
            found.setdefault(own, set()).add(doc)
    return [docs for docs in found.values() if len(docs) > 1]
