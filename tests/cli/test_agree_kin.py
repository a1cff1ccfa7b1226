"""Who judges runs that a model of the judge's family made: from real cards and a real store."""

from __future__ import annotations

import json
import math

import pytest


@pytest.fixture
def world(tmp_path, monkeypatch, cranfield, serve, chat_server):
    """A collection, people's labels of it, a run, and the run as `rerank --with llm` by
    qwen2.5-1.5b puts it; (address of the judge)."""
    monkeypatch.chdir(tmp_path)
    for name in ("LABELS", "LLM_URL", "LLM_MODEL", "LLM_KEY"):
        monkeypatch.delenv(f"CRANFIELD_{name}", raising=False)
    (tmp_path / "c" / "qrels").mkdir(parents=True)
    queries = [f"q{i}" for i in range(6)]
    docs = [f"d{i}" for i in range(5)]
    rows = {"corpus": [{"_id": d, "title": "", "text": "x" * i} for i, d in enumerate(docs, 3)]}
    rows["queries"] = [{"_id": q, "text": f"text {q}"} for q in queries]
    for name, own in rows.items():
        (tmp_path / "c" / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in own))
    lines = "".join(f"{q}\t{d}\t{(i + j) % 3}\n" for i, q in enumerate(queries)
                    for j, d in enumerate(docs))  # fmt: skip
    (tmp_path / "c/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n" + lines)
    run = "".join(f"{q} Q0 {d} {n} {9 - n} s\n" for q in queries for n, d in enumerate(docs, 1))
    (tmp_path / "first.run").write_text(run)

    def reranker(asked):
        length = len(json.loads(asked.body)["messages"][0]["content"])
        sure = (length % 7 + 1) / 9
        entries = [
            {"token": t, "logprob": math.log(p)}
            for t, p in {"Yes": 0.9 * sure, "No": 0.9 * (1 - sure)}.items()
        ]
        said = {**entries[0], "top_logprobs": entries}
        choice = {"message": {"content": "Yes"}, "logprobs": {"content": [said]}}
        return 200, {}, json.dumps({"choices": [choice]}).encode()

    url = serve(reranker) + "/v1/chat/completions"
    done = cranfield("rerank", "c", "first.run", "--with", "llm", "-p", f"url={url}", "-p",
                     "model=qwen2.5-1.5b-instruct", "-o", "reranked.run")  # fmt: skip
    assert done.code == 0, done.err
    return serve(chat_server.Model()) + "/v1"


def judged(cranfield, url, model, *more):
    store = f"{model}.sqlite"
    done = cranfield("judge", "llm", "c", "--labelled", "--url", url, "--model", model, "--labels",
                     store, *more)  # fmt: skip
    assert done.code == 0, done.err
    return cranfield("agree", "c", "@llm", "first.run", "reranked.run", "--labels", store,
                     "--resamples", "50", "--format", "json")  # fmt: skip


def cautions(done):
    assert done.code == 0, done.err
    return [c["key"] for c in json.loads(done.out)["cautions"]]


def test_the_same_family_is_warned_of(cranfield, world):
    done = judged(cranfield, world, "Qwen3-8B")
    (said,) = [c for c in json.loads(done.out)["cautions"] if c["key"] == "agree.kin"]
    assert said["values"] == {
        "family": "qwen",
        "judges": ["Qwen3-8B"],
        "runs": ["reranked (qwen2.5-1.5b-instruct)"],
    }
    (own,) = json.loads(done.out)["own"]
    assert own["judge"] == "qwen" and own["excess"] is not None
    assert {f["family"]: f["runs"] for f in own["families"]} == {
        "qwen": ["reranked"],
        "-": ["first"],
    }
    shown = cranfield("agree", "c", "@llm", "first.run", "reranked.run", "--labels",
                      "Qwen3-8B.sqlite", "--resamples", "0", "--lang", "zh")  # fmt: skip
    assert "它在评判自己的结果" in shown.out and "qwen2.5-1.5b-instruct" in shown.out


def test_another_family_is_not(cranfield, world):
    done = judged(cranfield, world, "mistral-7b")
    assert "agree.kin" not in cautions(done) and json.loads(done.out)["own"] == []


def test_an_embedder_of_the_family_counts_too(cranfield, world, tmp_path):
    card = {"name": "first", "config": {"embedder": {"model": "gte-Qwen2-1.5B"}}}
    (tmp_path / "first.run.card.json").write_text(json.dumps(card))
    done = judged(cranfield, world, "qwen-max")
    (said,) = [c for c in json.loads(done.out)["cautions"] if c["key"] == "agree.kin"]
    assert said["values"]["runs"] == ["first (gte-Qwen2-1.5B)", "reranked (qwen2.5-1.5b-instruct)"]


def test_what_is_declared_counts_before_what_is_found(cranfield, world, tmp_path):
    judged(cranfield, world, "qwen-max")
    call = ("agree", "c", "@llm", "first.run", "reranked.run", "--labels", "qwen-max.sqlite",
            "--resamples", "0", "--format", "json")  # fmt: skip
    (tmp_path / "families.tsv").write_text("first\tqwen\nreranked\tacme\n")
    declared = cranfield(*call, "--families", "families.tsv")  # the judge's by its name
    assert "agree.same_family" in cautions(declared) and "agree.kin" not in cautions(declared)
    assert [o["judge"] for o in json.loads(declared.out)["own"]] == ["qwen"]
    other = cranfield(*call, "--judge-family", "claude")
    assert "agree.kin" not in cautions(other)


def test_the_judge_is_told_before_it_is_asked(cranfield, world):
    call = (
        "judge",
        "llm",
        "c",
        "first.run",
        "reranked.run",
        "--judged-too",
        "--dry-run",
        "--model",
    )
    told = cranfield(*call, "qwen-max").err
    assert "reranked.run was made with qwen2.5-1.5b-instruct: of the family qwen" in told
    assert "first.run was made" not in told
    assert "of the family" not in cranfield(*call, "gpt-4o").err
