"""The [experiment] table: what it may hold, and what is said of what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import FormatError, UsageError
from cranfield.experiment.config import read_config
from cranfield.experiment.planfile import plan_of

COLLECTION = '[[experiment.collection]]\nname = "c"\npath = "c"\n'
SYSTEM = '[[experiment.system]]\nname = "s"\nsystem = "terms"\n'
RERANKER = '[[experiment.reranker]]\nname = "r"\nwith = "embedding"\n'


def read(folder: Path, text: str):
    path = folder / "cranfield.toml"
    path.write_text(text)
    return plan_of(read_config(path))


def test_the_whole_table(tmp_path: Path) -> None:
    plan = read(
        tmp_path,
        """
        [experiment]
        k = 50
        measures = ["nDCG@10", "AP"]
        judged_at = 20
        seed = 7
        attempts = 2
        runs = "made"

        [[experiment.collection]]
        name = "nfcorpus"
        path = "beir/nfcorpus"
        split = "dev"
        task = "ad hoc"
        domain = "medicine"
        sample = 30
        exclude_self = true

        [[experiment.collection]]
        name = "cqadupstack-gis"
        path = "irds:beir/cqadupstack/gis"
        group = "CQADupStack"

        [[experiment.system]]
        name = "bm25"
        system = "bm25"
        parameters = {k1 = [0.9, 1.2], b = [0.4, 0.75], analyzer = "english"}

        [[experiment.system]]
        name = "terms"
        system = "terms"
        collections = ["nfcorpus"]

        [[experiment.reranker]]
        name = "e5"
        with = "embedding"
        depth = 20
        sample = 10
        systems = ["bm25"]
        """,
    )
    assert (plan.k, plan.measures, plan.judged_at) == (50, ("nDCG@10", "AP"), 20)
    assert (plan.seed, plan.attempts, plan.runs) == (7, 2, "made")
    one, two = plan.collections
    assert one.path == str(tmp_path / "beir/nfcorpus") and one.exclude_self and one.sample == 30
    assert (one.split, one.task, one.domain, one.group) == ("dev", "ad hoc", "medicine", None)
    assert two.path == "irds:beir/cqadupstack/gis" and two.group == "CQADupStack"
    labels = [s.label for s in plan.systems]
    assert labels == [
        "bm25[k1=0.9,b=0.4]",
        "bm25[k1=0.9,b=0.75]",
        "bm25[k1=1.2,b=0.4]",
        "bm25[k1=1.2,b=0.75]",
        "terms",
    ]
    assert plan.systems[1].parameters == {"k1": 0.9, "b": 0.75, "analyzer": "english"}
    cells = [(c.collection.name, c.label) for c in plan.cells()]
    assert ("nfcorpus", "terms") in cells and ("cqadupstack-gis", "terms") not in cells
    assert ("nfcorpus", "bm25[k1=1.2,b=0.4]+e5") in cells and ("nfcorpus", "terms+e5") not in cells
    assert len(cells) == 8 + 8 + 1
    assert [c.label for c in plan.cells(["nfcorpus", "bm25[k1=1.2,b=0.4]"])] == [
        "bm25[k1=1.2,b=0.4]",
        "bm25[k1=1.2,b=0.4]+e5",
    ]


def test_measures_are_those_of_the_lab_unless_named(tmp_path: Path) -> None:
    assert read(tmp_path, COLLECTION + SYSTEM).measures == ("nDCG@10",)
    text = 'measures = ["AP"]\n' + COLLECTION + SYSTEM
    assert read(tmp_path, text).measures == ("AP",)


def test_a_list_in_a_list_is_a_value(tmp_path: Path) -> None:
    text = COLLECTION + '[[experiment.system]]\nname = "s"\nsystem = "dense"\n'
    plan = read(tmp_path, text + "parameters = {names = [[1, 2]]}")
    assert [s.parameters for s in plan.systems] == [{"names": [1, 2]}]


def test_passages_and_filters(tmp_path: Path) -> None:
    more = 'passages = [100, 200]\noverlap = 20\nrollup = ["max", "sum"]\nfilter = "lang"\n'
    plan = read(tmp_path, COLLECTION + SYSTEM + more)
    assert [s.label for s in plan.systems] == [
        f"s[passages={size},rollup={how}]" for size in (100, 200) for how in ("max", "sum")
    ]
    assert plan.systems[1].passages == {"size": 100, "overlap": 20, "rollup": "sum"}
    assert {s.filters for s in plan.systems} == {("lang",)}
    text = COLLECTION + '[[experiment.system]]\nname = "s"\nsystem = "bm25"\npassages = 50\n'
    plan = read(tmp_path, text + 'parameters = {k1 = [1, 2]}\nfilter = ["a", "b", "a"]\n')
    assert [s.label for s in plan.systems] == ["s[k1=1]", "s[k1=2]"]
    assert plan.systems[0].passages == {"size": 50, "overlap": 0, "rollup": "max"}
    assert plan.systems[0].filters == ("a", "b")
    plain = read(tmp_path, COLLECTION + SYSTEM).systems[0]
    assert plain.passages is None and plain.filters == ()


WRONG = {
    "overlap alone": (
        COLLECTION + SYSTEM + "overlap = 5\n",
        "experiment.system[1].overlap: is for passages",
    ),
    "overlap": (
        COLLECTION + SYSTEM + "passages = [90, 20]\noverlap = 20\n",
        "experiment.system[1].overlap: 20 is not below the 20 tokens of a passage",
    ),
    "passages": (
        COLLECTION + SYSTEM + 'passages = "20"\n',
        "experiment.system[1].passages: '20' is no whole number of 1 or more",
    ),
    "no passages": (
        COLLECTION + SYSTEM + "passages = []\n",
        "experiment.system[1].passages: an empty list",
    ),
    "rollup": (
        COLLECTION + SYSTEM + 'passages = 20\nrollup = "none"\n',
        "experiment.system[1].rollup: 'none' is no choice",
    ),
    "filter": (
        COLLECTION + SYSTEM + "filter = [1]\n",
        "experiment.system[1].filter: [1] is no field",
    ),
    "no collection": (SYSTEM, "experiment.collection: none is named"),
    "no system": (COLLECTION, "experiment.system: none is named"),
    "unknown key": ("[experiment]\nkk = 1\n" + COLLECTION + SYSTEM, "experiment.kk: no such key"),
    "k": ("[experiment]\nk = 0\n" + COLLECTION + SYSTEM, "experiment.k: 0 is no whole number"),
    "truth": ("[experiment]\nk = true\n" + COLLECTION + SYSTEM, "experiment.k: True is no whole"),
    "measure": (
        '[experiment]\nmeasures = ["nDGC@10"]\n' + COLLECTION + SYSTEM,
        "experiment.measures: no measure is called 'nDGC'",
    ),
    "no path": (
        '[[experiment.collection]]\nname = "c"\n' + SYSTEM,
        "experiment.collection[1].path: is lacking",
    ),
    "name": (
        COLLECTION + '[[experiment.system]]\nname = "a b"\nsystem = "terms"\n',
        "experiment.system[1].name: 'a b' is no name",
    ),
    "name twice": (COLLECTION + SYSTEM + SYSTEM, "experiment.system[2].name: 's' is taken"),
    "two kinds": (
        COLLECTION + SYSTEM + RERANKER.replace('"r"', '"s"'),
        "'s' names one of the systems and of the rerankers",
    ),
    "system": (
        COLLECTION + '[[experiment.system]]\nname = "s"\nsystem = "bm52"\n',
        "experiment.system[1].system: no system named 'bm52'",
    ),
    "reranker": (
        COLLECTION + SYSTEM + '[[experiment.reranker]]\nname = "r"\nwith = "colbert"\n',
        "experiment.reranker[1].with: no reranker named 'colbert'",
    ),
    "parameter": (
        COLLECTION + '[[experiment.system]]\nname = "s"\nsystem = "bm25"\nparameters = {k2 = 1}\n',
        "experiment.system[1].parameters.k2: bm25 takes no such parameter",
    ),
    "documents": (
        COLLECTION + SYSTEM + 'parameters = {documents = "x"}\n',
        "experiment.system[1].parameters.documents: terms takes no such parameter",
    ),
    "parameters": (
        COLLECTION + SYSTEM + "parameters = 3\n",
        "experiment.system[1].parameters: 3 is no table",
    ),
    "empty grid": (
        COLLECTION + '[[experiment.system]]\nname = "s"\nsystem = "bm25"\nparameters = {k1 = []}\n',
        "experiment.system[1].parameters.k1: an empty list",
    ),
    "grid twice": (
        COLLECTION
        + '[[experiment.system]]\nname = "s"\nsystem = "bm25"\nparameters = {k1 = [1, 1]}\n',
        "experiment.system: s[k1=1] is there twice",
    ),
    "collections": (
        COLLECTION + SYSTEM + 'collections = ["d"]\n',
        "experiment.system[1].collections: none is called 'd'",
    ),
    "systems": (
        COLLECTION + SYSTEM + RERANKER + 'systems = "s"\n',
        "experiment.reranker[1].systems: 's' is no list of names",
    ),
    "depth": (
        COLLECTION + SYSTEM + RERANKER + "depth = 2.5\n",
        "experiment.reranker[1].depth: 2.5 is no whole number",
    ),
    "task": (COLLECTION + "task = 3\n" + SYSTEM, "experiment.collection[1].task: 3 is not a text"),
    "tasks of a group": (
        COLLECTION
        + 'group = "G"\ntask = "x"\n'
        + COLLECTION.replace('"c"', '"d"')
        + 'group = "G"\ntask = "y"\n'
        + SYSTEM,
        "group 'G' has several tasks: x, y",
    ),
    "a table where a list is meant": (
        '[experiment.collection]\nname = "c"\n',
        "experiment.collection: not a list of tables",
    ),
}


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_what_is_wrong_is_said_with_file_and_key(case: str, tmp_path: Path) -> None:
    text, message = WRONG[case]
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    assert caught.value.exit_code == 3
    assert message in caught.value.message and str(tmp_path / "cranfield.toml") in str(caught.value)


def test_no_matrix(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no \[experiment\]"):
        read(tmp_path, 'measures = ["AP"]\n')
    with pytest.raises(FormatError, match="experiment: 3 is not a table"):
        read(tmp_path, "experiment = 3\n")
