"""Documents on their way into an index: each id once, the whole known by a fingerprint, the
values kept that filters ask for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.collection import Document
from cranfield.errors import InputError, UnknownName

Mask = NDArray[np.bool_]


class Corpus:
    """A pass over documents that notes their ids, field values and a fingerprint.

    Iterate over it once; then `ids`, `fingerprint` and `mask` are there.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.ids: list[str] = []
        self._documents = documents
        self._fields: list[dict[str, Any]] = []
        self._hash = hashlib.sha256()
        self._masks: dict[tuple[str, Any], Mask] = {}

    def __iter__(self) -> Iterator[Document]:
        seen: set[str] = set()
        for document in self._documents:
            if document.id in seen:
                raise InputError(
                    f"document {document.id!r} comes twice in the corpus",
                    "every document id stands for one document",
                )
            seen.add(document.id)
            self.ids.append(document.id)
            self._fields.append(_simple(document.fields))
            for part in (document.id, document.title, document.text):
                data = part.encode("utf-8", "surrogatepass")
                self._hash.update(len(data).to_bytes(8, "little") + data)
            yield document

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over ids, titles and texts in their order, its first 16 hexadecimal digits."""
        return self._hash.hexdigest()[:16]

    @property
    def config(self) -> dict[str, Any]:
        """What a run's card says of the corpus."""
        return {"documents": len(self), "fingerprint": self.fingerprint}

    def mask(self, wanted: Mapping[str, Any]) -> Mask:
        """Which documents have these values; a field that holds a list has each of its values.

        Raises
        ------
        UnknownName
            No document has such a field.
        """
        out = np.ones(len(self), bool)
        for name, value in wanted.items():
            out &= self._one(name, value)
        return out

    def needs(self, name: str) -> None:
        """Refuse, as `UnknownName`, a field that no document has."""
        if len(self) and not any(name in fields for fields in self._fields):
            have = ", ".join(dict.fromkeys(n for f in self._fields for n in f)) or "none"
            raise UnknownName(f"no document has a field {name!r}", f"fields: {have}")

    def _one(self, name: str, value: Any) -> Mask:
        key = (name, _hashable(value))
        if key not in self._masks:
            self.needs(name)
            allowed = set(value) if isinstance(value, (list, tuple)) else {value}
            self._masks[key] = np.fromiter(
                (bool(allowed & fields.get(name, frozenset())) for fields in self._fields),
                bool,
                len(self),
            )
        return self._masks[key]


def _simple(fields: Mapping[str, Any]) -> dict[str, frozenset[Any]]:
    """The values that a filter can ask for: texts, numbers, truth values, and lists of these."""
    out = {}
    for name, value in fields.items():
        values = value if isinstance(value, list) else [value]
        kept = frozenset(v for v in values if isinstance(v, (str, int, float, bool)))
        if kept:
            out[name] = kept
    return out


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
