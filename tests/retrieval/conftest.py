"""Real models of a few kilobytes: ONNX graphs with fixed random weights and a trained tokenizer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.demo import collection

DIMENSION = 24
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WordPiece tokenizer of the bundled collection, as a file."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

    bundled = collection()
    assert bundled.documents is not None
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=3000, special_tokens=SPECIAL, show_progress=False
    )
    made.train_from_iterator((f"{d.title} {d.text}" for d in bundled.documents()), trainer)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    made.save(str(path))
    return path


Folder = Callable[..., Path]


@pytest.fixture
def encoder(tmp_path: Path, tokenizer: Path) -> Folder:
    """A folder with an encoder: a table of token vectors, so that texts that share words are
    near each other."""

    def made(name: str = "encoder", sentence: bool = False, **settings: Any) -> Path:
        return _folder(tmp_path / name, tokenizer, _encoder(sentence), settings)

    return made


@pytest.fixture
def cross_encoder(tmp_path: Path, tokenizer: Path) -> Folder:
    """A folder with a cross-encoder: the inner product of what the two sides have, by
    `token_type_ids`; its logits are as many as `classes`."""

    def made(name: str = "cross", classes: int = 1, **settings: Any) -> Path:
        return _folder(tmp_path / name, tokenizer, _cross_encoder(classes), settings)

    return made


def _folder(folder: Path, tokenizer: Path, model: Any, settings: dict[str, Any]) -> Path:
    import onnx

    folder.mkdir(parents=True)
    onnx.checker.check_model(model)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    (folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0, **settings}))
    return folder


def _table() -> Any:
    table = np.random.default_rng(7).standard_normal((3000, DIMENSION)).astype(np.float32)
    table[: len(SPECIAL)] = 0
    return table


def _graph(nodes: list[Any], outputs: list[tuple[str, list[Any]]], numbers: dict[str, Any]) -> Any:
    from onnx import TensorProto, helper, numpy_helper

    names = ["input_ids", "attention_mask", "token_type_ids"]
    ins = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "t"]) for n in names]
    outs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, shape) for n, shape in outputs]
    held = [numpy_helper.from_array(np.asarray(v), n) for n, v in numbers.items()]
    graph = helper.make_graph(nodes, "tiny", ins, outs, held)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def _encoder(sentence: bool) -> Any:
    from onnx import helper

    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    outputs: list[tuple[str, list[Any]]] = [("last_hidden_state", ["b", "t", DIMENSION])]
    numbers: dict[str, Any] = {"table": _table()}
    if sentence:
        nodes += [helper.make_node("ReduceMax", ["last_hidden_state"], ["sentence_embedding"],
                                   axes=[1], keepdims=0)]  # fmt: skip
        outputs = [("sentence_embedding", ["b", DIMENSION])]
    return _graph(nodes, outputs, numbers)


def _cross_encoder(classes: int) -> Any:
    from onnx import TensorProto, helper

    make = helper.make_node
    nodes = [
        make("Gather", ["table", "input_ids"], ["tokens"]),
        make("Mul", ["attention_mask", "token_type_ids"], ["second"]),
        make("Sub", ["attention_mask", "second"], ["first"]),
    ]
    for side in ("first", "second"):
        nodes += [
            make("Cast", [side], [f"{side}_f"], to=TensorProto.FLOAT),
            make("Unsqueeze", [f"{side}_f", "two"], [f"{side}_m"]),
            make("Mul", ["tokens", f"{side}_m"], [f"{side}_t"]),
            make("ReduceSum", [f"{side}_t", "one"], [f"{side}_s"], keepdims=0),
            make("ReduceSum", [f"{side}_f", "one"], [f"{side}_n"], keepdims=1),
        ]
    nodes += [
        make("Mul", ["first_s", "second_s"], ["product"]),
        make("ReduceSum", ["product", "one"], ["sum"], keepdims=1),
        make("Div", ["sum", "second_n"], ["logit"]),
        make("Mul", ["logit", "signs"], ["logits"]),
    ]
    signs = {1: [1.0], 2: [-0.5, 0.5], 3: [0.0, -1.0, 1.0]}[classes]
    numbers = {
        "table": _table(),
        "one": np.array([1], np.int64),
        "two": np.array([2], np.int64),
        "signs": np.array(signs, np.float32),
    }
    return _graph(nodes, [("logits", ["b", classes])], numbers)
