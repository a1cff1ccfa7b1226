"""Families by name, models by card."""

from __future__ import annotations

import json

import pytest

from cranfield.errors import FormatError
from cranfield.judging.judgment import Judgment
from cranfield.judging.kinship import (
    by_family,
    families_of,
    kin,
    models_behind,
    models_in,
    models_of_run,
)


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("gpt-4o-mini", ("gpt",)),
        ("openai/o3", ("gpt",)),
        ("text-embedding-3-small", ("gpt",)),
        ("claude-sonnet-4", ("claude",)),
        ("Qwen/Qwen2.5-Coder-1.5B-Instruct", ("qwen",)),
        ("qwen2.5-7b-instruct-q4_k_m.gguf", ("qwen",)),
        ("meta-llama/Meta-Llama-3.1-8B", ("llama",)),
        ("Mixtral-8x7B", ("mistral",)),
        ("gemini-1.5-pro", ("gemini",)),
        ("BAAI/bge-reranker-v2-gemma", ("gemini", "bge")),
        ("DeepSeek-R1-Distill-Qwen-7B", ("qwen", "deepseek")),
        ("glm-4-9b", ("glm",)),
        ("intfloat/e5-mistral-7b-instruct", ("mistral", "e5")),
        ("multilingual-e5-small-q4", ("e5",)),
        ("Alibaba-NLP/gte-Qwen2-7B", ("qwen", "gte")),
        ("cross-encoder/ms-marco-MiniLM-L-6-v2", ("minilm",)),
        ("llama.cpp", ("llama.cpp",)),  # a runtime, not a model
        ("/models/Our-Judge", ("our-judge",)),
        ("pro1", ("pro1",)),
        (" ", ()),
    ],
)
def test_a_family_by_name(name, families):
    assert families_of(name) == families


def test_models_of_a_card():
    config = {
        "runs": [
            {"name": "a", "embedder": {"model": "bge-m3", "url": "http://gpt"}},
            {"name": "b", "rerank": {"with": "llm", "model": "qwen2.5"}, "rerank_2": {"model": 3}},
        ],
        "prompt": "claude",
    }
    assert models_in(config) == ("bge-m3", "qwen2.5")
    assert models_in({"bm25": {"k1": 1}}) == ()


def test_models_of_a_run_file(tmp_path):
    run = tmp_path / "x.run"
    run.write_text("q Q0 d 1 1 x\n")
    assert models_of_run(run) == models_of_run({"q": {"d": 1}}) == ()
    card = tmp_path / "x.run.card.json"
    card.write_text(json.dumps({"name": "x", "config": {"dense": {"model": "m"}}}))
    assert models_of_run(str(run)) == ("m",)
    card.write_text("{")
    with pytest.raises(FormatError):
        models_of_run(run)


def test_who_judged():
    rows = [
        Judgment("q", "d", 1, source="llm", model="glm-4"),
        Judgment("q", "e", 1, source="llm", assessor="gpt-4o"),
        Judgment("q", "d", 1, source="human", assessor="Claude"),  # a person may have that name
        Judgment("q", "f", 1, source="llm", model="glm-4"),
    ]
    assert models_behind(rows) == ("glm-4", "gpt-4o")


def test_kin():
    runs = {"bm25": (), "dense": ("bge-m3",), "both": ("bge-m3", "Qwen3-8B"), "other": ("gpt-4",)}
    assert kin(["llama-3"], runs) == ()
    (found,) = kin(["qwen2.5-7b", "claude-3"], runs)
    assert (found.family, found.judges) == ("qwen", ("qwen2.5-7b",))
    assert found.values["runs"] == ("both (Qwen3-8B)",)
    assert by_family("qwen", runs) == {"dense": "bge", "both": "qwen", "other": "gpt"}
    assert [k.family for k in kin(["our-judge"], {"r": ("local/our-judge",)})] == ["our-judge"]
