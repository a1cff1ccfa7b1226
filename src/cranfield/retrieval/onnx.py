"""A model in a local folder: ONNX weights and a tokenizer, as Hugging Face lays them out."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import InputError, MissingExtra, NoSuchInput, UsageError, needs_package

_PLACES = ("model.onnx", "onnx/model.onnx")
_TOKENS = 512  # where nothing in the folder says how many the model takes
_ROBERTA = ("roberta", "xlm-roberta", "camembert")  # their positions begin after the padding's
_TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class OnnxFolder:
    """`model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, run by onnxruntime.

    Parameters
    ----------
    folder : the model's
    file : the weights' path in it, where it has several (`onnx/model_quantized.onnx`)
    max_tokens : of an input, its marks included; by default the least of what the folder's
        settings say, else 512
    threads : of onnxruntime; 0 leaves it to that

    Raises
    ------
    MissingExtra
        onnxruntime or tokenizers is not installed.
    NoSuchInput, InputError
        A file is missing or is none of its kind.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        file: str | None = None,
        max_tokens: int | None = None,
        threads: int = 0,
    ) -> None:
        self.folder = Path(folder)
        weights, tokens = files_of(self.folder, file)
        try:
            import onnxruntime
            import tokenizers
        except ImportError:
            raise MissingExtra("a model in an ONNX folder", "onnx") from None
        self.file = weights.relative_to(self.folder).as_posix()
        self.max_tokens = _limit(self, max_tokens)
        self.fingerprint = _fingerprint(
            [weights, tokens, weights.with_name(f"{weights.name}_data")]
        )
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(tokens))
        except Exception as e:  # the library raises nothing more special
            raise InputError(f"{tokens} is no tokenizer: {e}") from None
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.max_tokens)
        self._pad = int(self.setting("config.json").get("pad_token_id") or 0)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(
                str(weights), options, providers=["CPUExecutionProvider"]
            )
        except Exception as e:  # onnxruntime has an error for each way to fail
            raise InputError(f"{weights} is no ONNX model: {str(e).splitlines()[0]}") from None
        self._inputs = {i.name: _TYPES.get(i.type, np.int64) for i in self._session.get_inputs()}
        self.outputs = [o.name for o in self._session.get_outputs()]

    def setting(self, name: str) -> dict[str, Any]:
        """A JSON file of the folder; {} where there is none."""
        path = self.folder / name
        try:
            value = json.loads(path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as e:
            raise InputError(f"{path} cannot be read ({e})") from None
        return value if isinstance(value, dict) else {}

    def encode(self, texts: Sequence[Any]) -> list[Any]:
        """Texts, or pairs of texts, as tokens."""
        found: list[Any] = self._tokenizer.encode_batch(list(map(_clean, texts)))
        return found

    def cut(self, texts: Sequence[Any]) -> list[bool]:
        """Which are longer than `max_tokens`."""
        return [bool(encoded.overflowing) for encoded in self.encode(texts)]

    def run(self, encoded: Sequence[Any]) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
        """The outputs by name, and the mask: 1 for each token that is no padding.

        Raises
        ------
        InputError
            The model wants another input than tokens, mask, types and positions, or fails.
        """
        shape = (len(encoded), max((len(e.ids) for e in encoded), default=0))
        mask = np.zeros(shape, np.int64)
        ids, types = np.full(shape, self._pad, np.int64), np.zeros(shape, np.int64)
        for row, one in enumerate(encoded):
            n = len(one.ids)
            ids[row, :n], types[row, :n], mask[row, :n] = one.ids, one.type_ids, 1
        positions = np.broadcast_to(np.arange(shape[1]), shape)
        known = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": types,
            "position_ids": positions,
        }
        strange = [name for name in self._inputs if name not in known]
        if strange:
            raise InputError(
                f"{self.folder}: the model wants an input {strange[0]!r}",
                f"inputs that are known: {', '.join(known)}",
            )
        fed = {name: known[name].astype(kind) for name, kind in self._inputs.items()}
        try:
            values = self._session.run(None, fed)
        except Exception as e:
            raise InputError(f"{self.folder}: the model fails: {str(e).splitlines()[0]}") from None
        return dict(zip(self.outputs, values, strict=True)), mask

    def config(self) -> dict[str, Any]:
        """The model by its folder's name and its content."""
        return {
            "model": self.folder.resolve().name,
            "file": self.file,
            "fingerprint": self.fingerprint,
            "max_tokens": self.max_tokens,
        }


def files_of(folder: str | os.PathLike[str], file: str | None = None) -> tuple[Path, Path]:
    """(weights, tokenizer) of a model's folder.

    Raises
    ------
    MissingExtra, NoSuchInput
        As `OnnxFolder`.
    """
    for package in ("onnxruntime", "tokenizers"):
        needs_package(package, "a model in an ONNX folder", "onnx")
    weights, tokens = _weights(Path(folder), file), Path(folder) / "tokenizer.json"
    if not tokens.is_file():
        raise NoSuchInput(f"{tokens}: no such file", "the tokenizer of the model, as one file")
    return weights, tokens


def _weights(folder: Path, file: str | None) -> Path:
    if not folder.is_dir():
        raise NoSuchInput(f"{folder}: no such folder", "a folder with model.onnx, tokenizer.json")
    places = _PLACES if file is None else (file,)
    for place in places:
        if (folder / place).is_file():
            return folder / place
    have = ", ".join(sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.onnx")))
    hint = f"file= names one of {have}" if have else "it holds no .onnx file"
    raise NoSuchInput(f"{folder}: no {' and no '.join(places)}", hint)


def _limit(model: OnnxFolder, given: int | None) -> int:
    if given is not None:
        if isinstance(given, bool) or not isinstance(given, int) or given < 4:
            raise UsageError(f"max_tokens is {given!r}", "4 or more, the marks included")
        return given
    config = model.setting("config.json")
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _ROBERTA:
        positions -= int(config.get("pad_token_id") or 0) + 1
    said = [
        positions,
        model.setting("tokenizer_config.json").get("model_max_length"),
        model.setting("sentence_bert_config.json").get("max_seq_length"),
    ]
    # Tokenizers without a limit say 10^30.
    return min((n for n in said if isinstance(n, int) and 4 <= n < 1 << 20), default=_TOKENS)


def _fingerprint(paths: list[Path]) -> str:
    """SHA-256 over these files, its first 16 hexadecimal digits."""
    total = hashlib.sha256()
    for path in paths:
        if path.is_file():
            with path.open("rb") as stream:
                total.update(hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()[:16]


def _clean(text: Any) -> Any:
    """Without halves of surrogate pairs, which are no UTF-8."""
    if isinstance(text, tuple):
        return tuple(map(_clean, text))
    return text.encode("utf-8", "replace").decode()
