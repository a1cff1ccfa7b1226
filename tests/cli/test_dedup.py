"""`cranfield dedup` on a small folder."""

from __future__ import annotations

import json

import pytest

from cranfield.formats.readers import read_qrels, read_run

CORPUS = [
    ("d1", "Trains", "the trains of the north run late in winter when it snows"),
    ("d1x", "", "TRAINS the  trains of the north run late in winter when it snows"),
    ("d2", "", "a bakery opens at six and sells bread, rolls and cake"),
    ("d3", "", "列车在冬天下雪的时候经常晚点，尤其是在北方的城市"),
    ("d3x", "", "列车在冬天下雪的时候经常晚点，尤其是在北方的城镇。"),
    ("d4", "", "winter timetable of the trains"),
]


@pytest.fixture
def folder(files, tmp_path):
    lines = [json.dumps({"_id": i, "title": t, "text": x}) for i, t, x in CORPUS]
    files("corpus.jsonl", "\n".join(lines) + "\n")
    files("queries.jsonl", '{"_id": "q", "text": "late trains"}\n')
    (tmp_path / "qrels").mkdir()
    files("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\td1\t1\nq\td3\t0\nq\td4\t2\n")
    files(
        "a.run",
        "".join(f"q Q0 {d} {i} {9 - i} a\n" for i, d in enumerate(["d1x", "d2", "d1", "d4"])),
    )
    files("b.run", "q Q0 d2 1 3 b\nq Q0 d1 2 2 b\nz Q0 d1x 1 2 b\nz Q0 d1 2 1 b\n")
    return tmp_path


def test_expand(cranfield, folder):
    out, clusters = folder / "expanded.qrels", folder / "clusters.jsonl"
    done = cranfield("dedup", folder, "-o", out, "--clusters", clusters)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "6 documents: 1 cluster of copies, 1 exact copy, 0 near\n1 judgment added, 0 raised\n"
    )
    assert read_qrels(out).to_dict() == {"q": {"d1": 1, "d3": 0, "d4": 2, "d1x": 1}}
    assert clusters.read_text() == '{"documents": ["d1", "d1x"]}\n'


def test_the_worked_values_before_and_after(cranfield, folder):
    done = cranfield(
        "dedup", folder, folder / "a.run", folder / "b.run", "-m", "nDCG@10", "-m", "AP"
    )
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()[-4:]]
    assert rows[0] == ["a", "nDCG@10", "0.5174", "0.7542", "0.7602"]
    assert rows[1] == ["a", "AP", "0.4167", "0.8056", "0.8333"]
    assert "the order of the runs under nDCG@10 stays" in done.out


def test_collapse_writes_judgments_and_runs(cranfield, folder):
    out = folder / "c.qrels"
    done = cranfield(
        "dedup", folder, folder / "a.run", folder / "b.run", "--policy", "collapse", "-o", out,
        "--runs-to", folder / "new",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert read_qrels(out).to_dict() == {"q": {"d1": 1, "d3": 0, "d4": 2}}
    assert read_run(folder / "new" / "a.run").to_dict() == {"q": {"d1": 3, "d2": 2, "d4": 1}}
    assert read_run(folder / "new" / "b.run").to_dict() == {"q": {"d2": 2, "d1": 1}, "z": {"d1": 1}}
    again = cranfield("evaluate", out, folder / "new" / "a.run", "-m", "nDCG@10", "--format", "tsv")
    assert "0.7601875334" in again.out


def test_near_duplicates_are_asked_for(cranfield, folder):
    done = cranfield("dedup", folder, "--threshold", 0.7, "--lang", "en")
    assert "2 clusters of copies, 1 exact copy, 1 near" in done.out
    assert "Jaccard of word shingles from 0.7 on" in done.out
    assert "2 clusters" not in cranfield("dedup", folder, "--threshold", 1).out
    assert "重复簇" in cranfield("dedup", folder, "--near", "--lang", "zh").out


def test_the_same_bytes_again(cranfield, folder):
    for name in ("1.qrels", "2.qrels"):
        cranfield("dedup", folder, "--near", "-o", folder / name)
    assert (folder / "1.qrels").read_bytes() == (folder / "2.qrels").read_bytes()


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--threshold", "0"], 2, "a threshold of 0"),
        (["--threshold", "1.5"], 2, "a threshold of 1.5"),
        (["--runs-to", "x"], 2, "--policy collapse"),
        (["--policy", "drop"], 2, "'drop' is not one of"),
        (["-o", "x.pdf"], 2, "names no format"),
    ],
)
def test_wrong_calls(cranfield, folder, args, code, said):
    done = cranfield("dedup", folder, *args)
    assert done.code == code and said in done.err


def test_judgments_alone_have_no_documents(cranfield, folder):
    done = cranfield("dedup", folder / "qrels" / "test.tsv")
    assert done.code == 2 and "no documents to compare" in done.err


def test_inputs_are_kept(cranfield, folder):
    done = cranfield(
        "dedup", folder, folder / "a.run", "--policy", "collapse", "--runs-to", folder
    )  # fmt: skip
    assert done.code == 2 and "would be overwritten" in done.err
