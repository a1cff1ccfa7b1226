"""Whole runs of SciFact from a real cluster: as a user types it, resumed, and with a node lost."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import Query
from cranfield.demo import collection
from cranfield.errors import ServiceError
from cranfield.formats.readers import read_collection
from cranfield.kit.retry import Backoff
from cranfield.retrieval.cluster.system import OpenSearch
from cranfield.retrieval.conduct import Settings, conduct

Make = Callable[..., OpenSearch]


@pytest.fixture(scope="session")
def scifact(shared: Path) -> Path:
    return shared / "collections" / "scifact"


@pytest.fixture(scope="session")
def whole(cluster: Any, scifact: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of the preset, made by the command: three shards, a copy of each."""
    output = tmp_path_factory.mktemp("scifact") / "opensearch.run"
    options = ["index=scifact", f"hosts={cluster.hosts}", "create=true", "shards=3", "replicas=1"]
    done = command(scifact, output, options, "--batch", "25")
    assert done.returncode == 0, done.stderr
    assert "index scifact: 5,183 documents, was made" in done.stderr
    return output


def command(
    scifact: Path, output: Path, options: list[str], *more: str
) -> subprocess.CompletedProcess[str]:
    given = [part for option in options for part in ("-p", option)]
    start = [sys.executable, "-m", "cranfield", "retrieve", str(scifact), "--system", "opensearch"]
    return subprocess.run(
        [*start, *given, "-o", str(output), *more], capture_output=True, text=True, check=False
    )


def test_the_preset_is_as_good_as_published(whole: Path, scifact: Path) -> None:
    """nDCG@10 of SciFact: 0.691 with this query in Elastic's article on BEIR; 0.6647 in Anserini
    with title and text as two fields, whose scores are added, and other parameters of BM25."""
    scores = cranfield.evaluate(scifact, whole, ["nDCG@10"])
    assert scores.mean("nDCG@10") == pytest.approx(0.6906, abs=0.0005)
    assert scores.mean("nDCG@10") > 0.6647


def test_how_documents_lie_on_shards_does_not_show(opensearch: Make, new_index: str) -> None:
    """dfs_query_then_fetch scores by statistics of all shards; the engine's default does not."""
    found = collection()
    assert found.documents is not None
    one = opensearch(found.documents(), index=new_index, create=True)
    apart = f"{new_index}-apart"
    three = opensearch(found.documents(), index=apart, create=True, shards=3)
    local = opensearch(index=apart, search_type="query_then_fetch")
    same = [scores_of(one.search(q, 50)) == scores_of(three.search(q, 50)) for q in found.queries]
    assert all(same)
    assert any(
        scores_of(one.search(q, 50)) != scores_of(local.search(q, 50)) for q in found.queries
    )


def scores_of(result: Any) -> list[float]:
    return [round(score, 3) for _, score in result]


def test_an_interrupted_run_goes_on(
    opensearch: Make, scifact: Path, whole: Path, tmp_path: Path
) -> None:
    queries = read_collection(str(scifact)).queries[:30]
    journal = tmp_path / "x.part"
    system = opensearch(index="scifact")
    asked: list[str] = []
    plain = system.search

    def search(query: Query, k: int, **more: Any) -> Any:
        asked.append(query.id)
        if len(asked) == 20:
            raise KeyboardInterrupt
        return plain(query, k, **more)

    system.search = search  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        conduct(system, queries, Settings(k=10), journal=journal)
    done = conduct(system, queries, Settings(k=10), journal=journal)
    assert done.notes[0].startswith("resumed: 19 of 30")
    assert len(asked) == 20 + 11 and not done.errors
    straight = conduct(opensearch(index="scifact"), queries, Settings(k=10))
    assert done.run.to_dict() == straight.run.to_dict()


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["index=scifact", "hosts=http://127.0.0.1:1"], 9, "cannot be reached"),
        (["index=nope"], 2, "no such index"),
        (["hosts={hosts}"], 2, "missing a required argument: 'index'"),
        (["index=scifact", "create=true", "analyzer=cjk"], 2, "it is left as it is"),
        (["index=scifact", 'template={"query": 1}'], 2, "no place for the query"),
        (["index=scifact", "template=none.json"], 4, "none.json: no such file"),
    ],
)
def test_mistakes_are_one_clear_message(
    cluster: Any,
    whole: Path,
    scifact: Path,
    tmp_path: Path,
    options: list[str],
    code: int,
    told: str,
) -> None:
    given = [
        option.format(hosts=cluster.hosts) if "{hosts}" in option else option for option in options
    ]
    if not any(option.startswith("hosts=") for option in given):
        given.append(f"hosts={cluster.hosts}")
    done = command(scifact, tmp_path / "x.run", given)
    assert done.returncode == code, done.stderr
    assert told in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.count("error: ") == 1 and not (tmp_path / "x.run").exists()


@pytest.mark.last
def test_a_node_is_lost_in_the_middle(
    cluster: Any, opensearch: Make, whole: Path, scifact: Path, tmp_path: Path
) -> None:
    """With a copy of each shard elsewhere the run is whole, and the same; without, what cannot be
    answered has failed. No answer lacks the documents of a shard."""
    found = read_collection(str(scifact))
    assert found.documents is not None
    judged = set(found.qrels.queries)
    queries = [query for query in found.queries if query.id in judged]
    opensearch(found.documents(), index="single", create=True, shards=3, replicas=0)
    cluster.wait_for("green", "scifact")
    cluster.wait_for("green", "single")
    system = opensearch(index="scifact", timeout=20)
    asked = 0
    plain = system.search

    def search(query: Query, k: int, **more: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 100:
            cluster.kill(2)
        return plain(query, k, **more)

    system.search = search  # type: ignore[method-assign]
    backoff = Backoff(10, first=0.2, most=3)
    done = conduct(system, queries, Settings(k=100, backoff=backoff), journal=tmp_path / "j.part")
    assert not done.errors, done.errors
    before = cranfield.read_run(whole).to_dict()
    after = done.run.to_dict()
    assert list(after) == [query.id for query in queries]
    for query, result in after.items():
        old, new = sorted(before[query].values()), sorted(result.values())
        assert np.allclose(old, new, atol=1e-4), f"query {query}: other scores"

    lost = opensearch(index="single", timeout=20)
    with pytest.raises(ServiceError, match="shard"):
        lost.search(queries[0], 10)
    with pytest.raises(ServiceError, match="no query was answered"):
        conduct(lost, queries[:3], Settings(k=10, backoff=Backoff(2, first=0.05)))
    health = json.loads(json.dumps(cluster.ask("GET", "/_cluster/health")))
    assert health["number_of_nodes"] == 2
