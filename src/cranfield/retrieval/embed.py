"""What an embedder is to Cranfield, and texts embedded with care: each once, checked, cached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cranfield import plugins
from cranfield.errors import InputError, UsageError
from cranfield.kit.progress import progress
from cranfield.retrieval.vectors import CUT, UNKNOWN, WHOLE, VectorCache, key_of

Float32: TypeAlias = NDArray[np.float32]
BATCH = 32


@runtime_checkable
class Embedder(Protocol):
    """Anything that turns texts into vectors, one of `dimension` numbers for each text.

    It may have more, and needs none of it:

    - ``config``: a mapping that JSON can hold, everything that decides a vector (the model and its
      version, prefixes, limits); vectors are cached under it.
    - ``batch``: how many texts a call should have; 32 without it.
    - ``cut(texts)``: for each document text whether the model sees only its beginning.
    - ``thread_safe = True``: it may be called from several threads.
    - ``close()``: called when no more is asked.
    - ``ready(**options)``, a class method: see `System`.
    """

    name: str

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def embed_queries(self, texts: Sequence[str]) -> Float32:
        """An array of shape (texts, dimension)."""

    def embed_documents(self, texts: Sequence[str]) -> Float32:
        """An array of shape (texts, dimension)."""


@dataclass(frozen=True, eq=False)
class Embedded:
    """Vectors of texts, one a row, and how many texts were cut (None: the embedder cannot say)."""

    vectors: Float32
    cut: int | None


def make_embedder(name: str, /, **options: Any) -> Embedder:
    """A registered embedder by name, for example `make_embedder("onnx", folder="model")`."""
    made: Embedder = plugins.make(plugins.EMBEDDERS, name, **options)
    return made


def embedder_of(given: str | Embedder, options: Mapping[str, Any]) -> Embedder:
    """An embedder given by name with its options, or as it is.

    Raises
    ------
    UsageError
        It is neither, or options come with one that is made already.
    """
    refuse_no_embedder(given)
    if isinstance(given, str):
        return make_embedder(given, **options)
    if options:
        raise UsageError(
            f"{min(options)} is no parameter", "options go to an embedder given by name"
        )
    return given


def refuse_no_embedder(given: Any) -> None:
    """An error for what is neither a name nor an embedder."""
    if not isinstance(given, str) and not hasattr(given, "embed_documents"):
        raise UsageError(f"embedder is {given!r}", "the name of one")


def config_of(model: Any) -> dict[str, Any]:
    """What decides the vectors or scores of a model, its name first."""
    return {"name": model.name, **dict(getattr(model, "config", None) or {})}


def embed_texts(
    model: Embedder, texts: Sequence[str], cache: VectorCache | None = None
) -> Embedded:
    """The vectors of document texts.

    A text that comes twice is embedded once. Batches are made of texts of like length, since a
    model pads to the longest. Every batch goes into the cache as soon as it is there.

    Raises
    ------
    InputError
        The embedder returned another number of vectors, of numbers, or something not finite.
    """
    keys = [key_of("document", text) for text in texts]
    first = {key: place for place, key in reversed(list(enumerate(keys)))}
    held = cache.get(list(first)) if cache is not None else {}
    lacking = sorted((p for k, p in first.items() if k not in held), key=lambda p: -len(texts[p]))
    out = np.zeros((len(texts), model.dimension), np.float32)
    flags = {}
    for key, (vector, flag) in held.items():
        out[first[key]], flags[key] = vector, flag
    with progress("embedding", len(lacking)) as advance:
        for places in _batches(lacking, int(getattr(model, "batch", BATCH))):
            batch = [texts[p] for p in places]
            vectors = checked(model, model.embed_documents(batch), len(batch))
            said = _flags(model, batch)
            out[places] = vectors
            own = [keys[p] for p in places]
            flags.update(zip(own, said, strict=True))
            if cache is not None:
                cache.add(own, vectors, said)
            advance(len(places))
    out[:] = out[[first[key] for key in keys]]
    found = [flags[key] for key in keys]
    return Embedded(out, None if UNKNOWN in found else found.count(CUT))


def embed_query(model: Embedder, text: str) -> Float32:
    """The vector of one query, checked."""
    vectors = checked(model, model.embed_queries([text]), 1)
    return vectors.reshape(-1)


def checked(model: Embedder, vectors: Any, n: int) -> Float32:
    """What an embedder returned for n texts, as it must be."""
    try:
        with np.errstate(over="ignore"):
            found = np.asarray(vectors, np.float32)
    except (TypeError, ValueError):
        raise InputError(f"embedder {model.name!r} returned no array of numbers") from None
    if found.shape != (n, model.dimension):
        raise InputError(
            f"embedder {model.name!r} returned an array of shape {found.shape} for {n} texts "
            f"of {model.dimension} numbers each"
        )
    if not np.isfinite(found).all():
        raise InputError(f"embedder {model.name!r} returned a vector with NaN or infinity")
    return found


def unit(vectors: Float32) -> Float32:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.sqrt(np.sum(np.square(vectors, dtype=np.float64), axis=-1, keepdims=True))
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), np.float32)


def cache_for(model: Embedder, folder: Any) -> VectorCache | None:
    """The cache of a model's vectors in a folder, None without a folder."""
    return None if folder is None else VectorCache(folder, config_of(model), model.dimension)


def _flags(model: Any, texts: list[str]) -> list[int]:
    if not hasattr(model, "cut"):
        return [UNKNOWN] * len(texts)
    return [CUT if cut else WHOLE for cut in model.cut(texts)]


def _batches(places: list[int], size: int) -> Iterator[list[int]]:
    for begin in range(0, len(places), size):
        yield places[begin : begin + size]
