"""Results kept in a folder, so that long work that was interrupted goes on where it stood.

A result is a tree of frozen dataclasses, arrays, mappings and plain values. It is written as JSON
beside its arrays, and read back without running anything that is written there: only dataclasses of
this package are made.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.errors import CranfieldError, InputError
from cranfield.kit.files import write_whole

_OURS = ("cranfield.metaeval.", "cranfield.stats.", "cranfield.data.")
_TREE = "tree"
_DAMAGED = (ValueError, LookupError, TypeError, OSError, EOFError, AttributeError, ImportError,
            zipfile.BadZipFile, zlib.error, CranfieldError)  # fmt: skip


def encode(value: Any) -> bytes:
    """A result as bytes; the same result gives the same bytes."""
    arrays: list[np.ndarray[Any, Any]] = []
    tree = json.dumps(_plain(value, arrays), ensure_ascii=False).encode()
    named = {f"a{i}": array for i, array in enumerate(arrays)}
    out = io.BytesIO()
    np.savez_compressed(out, **{_TREE: np.frombuffer(tree, np.uint8), **named})  # type: ignore[arg-type]
    return out.getvalue()


def decode(data: bytes) -> Any:
    """A result from its bytes.

    Raises
    ------
    InputError
        They are none.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            tree = json.loads(found[_TREE].tobytes())
            arrays = [found[f"a{i}"] for i in range(len(found.files) - 1)]
            return _made(tree, arrays)
    except _DAMAGED as e:
        raise InputError(f"not a kept result: {e}") from None


def _plain(value: Any, arrays: list[np.ndarray[Any, Any]]) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, tuple | list):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [_plain(v, arrays) for v in value]}
    if isinstance(value, Mapping):
        pairs = [[_plain(k, arrays), _plain(v, arrays)] for k, v in value.items()]
        return {"mapping": pairs}
    if is_dataclass(value) and type(value).__module__.startswith(_OURS):
        held = {f.name: _plain(getattr(value, f.name), arrays) for f in fields(value) if f.init}
        return {"made": f"{type(value).__module__}:{type(value).__qualname__}", "fields": held}
    raise TypeError(f"a {type(value).__name__} cannot be kept")


def _made(tree: Any, arrays: list[np.ndarray[Any, Any]]) -> Any:
    if not isinstance(tree, dict):
        return tree
    if "array" in tree:
        return arrays[tree["array"]]
    if "tuple" in tree:
        return tuple(_made(v, arrays) for v in tree["tuple"])
    if "list" in tree:
        return [_made(v, arrays) for v in tree["list"]]
    if "mapping" in tree:
        return {_made(k, arrays): _made(v, arrays) for k, v in tree["mapping"]}
    module, _, name = tree["made"].partition(":")
    if not module.startswith(_OURS):
        raise ValueError(f"{module} is not kept")
    kind = getattr(import_module(module), name)
    if not (isinstance(kind, type) and is_dataclass(kind)):
        raise ValueError(f"{name} is not kept")
    return kind(**{field: _made(v, arrays) for field, v in tree["fields"].items()})


class Kept:
    """A folder of results, each under the fingerprint of all that decides it.

    Raises
    ------
    InputError
        The folder cannot be made.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise InputError(f"{folder} cannot be made: {e.strerror}") from None

    def get(self, fingerprint: str) -> Any:
        """The result, None where it was not kept.

        Raises
        ------
        InputError
            The file was damaged.
        """
        path = self._path(fingerprint)
        if not path.exists():
            return None
        try:
            return decode(path.read_bytes())
        except InputError as e:
            raise InputError(
                f"{path}: {e.message}", "delete it, and it is computed again"
            ) from None

    def put(self, fingerprint: str, result: Any) -> None:
        """Keep a result; the file is written whole or not at all."""
        with write_whole(self._path(fingerprint)) as stream:
            stream.write(encode(result))

    def _path(self, fingerprint: str) -> Path:
        return self._folder / f"study-{fingerprint[:32]}.npz"
