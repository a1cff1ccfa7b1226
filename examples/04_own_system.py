"""A search system of one's own, tested, run and scored: python examples/04_own_system.py"""

from collections.abc import Iterable
from itertools import pairwise

import cranfield
from cranfield import Document, Query
from cranfield.demo import collection
from cranfield.retrieval.system import retrieve
from cranfield.testing import check_system


class CharacterPairs:
    """Counts how many pairs of neighbouring characters a document shares with the query."""

    name = "character-pairs"

    def __init__(self, documents: Iterable[Document]) -> None:
        self._pairs = {d.id: _pairs(d.title) | _pairs(d.text) for d in documents}

    def search(self, query: Query, k: int) -> list[tuple[str, float]]:
        wanted = _pairs(query.text)
        found = [(doc, float(len(wanted & pairs))) for doc, pairs in self._pairs.items()]
        found = [(doc, score) for doc, score in found if score > 0]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:k]


def _pairs(text: str) -> set[str]:
    text = text.casefold()
    return {a + b for a, b in pairwise(text) if not (a + b).isspace()}


bundled = collection()
assert bundled.documents is not None
check_system(CharacterPairs, list(bundled.documents()), bundled.queries)

scan = retrieve(cranfield.system("scan", documents=bundled.documents()), bundled.queries)
own = retrieve(CharacterPairs(bundled.documents()), bundled.queries)
print(cranfield.evaluate(bundled, [scan, own], ["nDCG@10", "RR@10", "R@10"]))
