"""Bundles: the same bytes each time, everything inside, and nothing changed unnoticed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from cranfield.errors import FormatError, NoSuchInput, UsageError
from cranfield.report.bundle import MANIFEST, write_bundle
from cranfield.report.bundle_check import check_bundle

MEASURES = ["nDCG@10", "RR@10", "NumRel"]


@pytest.fixture
def given(tmp_path: Path) -> dict[str, Path]:
    folder = tmp_path / "in"
    folder.mkdir()
    files = {n: folder / n for n in ("qrels.txt", "base.run", "new.run", "queries.tsv")}
    qrels = [f"q{q} 0 d{d} {(q * d) % 3}" for q in range(8) for d in range(6)]
    files["qrels.txt"].write_text("\n".join(qrels) + "\n")
    for name, key in (("base", 1), ("new", 5)):
        rows = [
            f"q{q} Q0 d{d} 0 {(d * key + q) % 7 + d / 100} {name}"
            for q in range(8)
            for d in range(6)
        ]
        files[f"{name}.run"].write_text("\n".join(rows) + "\n")
    (folder / "new.run.card.json").write_text('{"config": {"k1": 1.2}, "latency_ms": {"q1": 3}}')
    files["queries.tsv"].write_text("q1\tone\nq2\t二\n")
    return files


def pack(given: dict[str, Path], path: Path, **more: object) -> Path:
    write_bundle(
        path,
        str(given["qrels.txt"]),
        str(given["base.run"]),
        [str(given["new.run"])],
        MEASURES,
        resamples=500,
        **more,
    )
    return path


def rewritten(source: Path, target: Path, change) -> Path:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        members = {i.filename: old.read(i) for i in old.infolist()}
        change(members)
        for name, data in members.items():
            new.writestr(name, data)
    return target


def test_the_same_input_makes_the_same_bytes(given, tmp_path):
    one, two = pack(given, tmp_path / "1.zip"), pack(given, tmp_path / "2.zip")
    assert one.read_bytes() == two.read_bytes()


def test_everything_is_inside_byte_for_byte(given, tmp_path):
    path = pack(given, tmp_path / "b.zip", queries_file=str(given["queries.tsv"]))
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        assert packed.read("qrels/qrels.txt") == given["qrels.txt"].read_bytes()
        assert packed.read("runs/001/new.run") == given["new.run"].read_bytes()
        assert b"k1" in packed.read("runs/001/new.run.card.json")
        assert packed.read("queries/queries.tsv") == given["queries.tsv"].read_bytes()
        about = json.loads(packed.read(MANIFEST))
        assert about["options"]["resamples"] == 500
        assert [r["name"] for r in about["runs"]] == ["base", "new"]
        assert about["versions"]["numpy"]
        names = set(packed.namelist())
        assert {f["path"] for f in about["files"]} | {MANIFEST} == names
        assert str(tmp_path).encode() not in b"".join(packed.read(n) for n in names)


def test_a_bundle_holds_and_is_made_again(given, tmp_path):
    for i, more in enumerate(({}, {"queries_file": str(given["queries.tsv"])}, {"seed": 3})):
        found = check_bundle(str(pack(given, tmp_path / f"{i}.zip", **more)))
        assert (found.problems, found.exact, found.other_versions) == ((), True, {})
        assert "scores/by-query.tsv" in found.again


def test_a_changed_missing_or_added_file_is_named(given, tmp_path):
    path = pack(given, tmp_path / "b.zip")

    def problems(change) -> tuple[str, ...]:
        return check_bundle(str(rewritten(path, tmp_path / "c.zip", change))).problems

    def altered(members):
        members["runs/001/new.run"] = members["runs/001/new.run"].replace(b"d1", b"d2", 1)

    assert problems(altered) == ("runs/001/new.run is not what was packed",)
    assert problems(lambda m: m.pop("README.md")) == ("README.md is missing",)
    assert problems(lambda m: m.update({"x": b""})) == ("x was added",)
    assert problems(lambda m: None) == ()


def test_scores_that_do_not_follow_from_the_runs_are_found(given, tmp_path):
    """Scores and their hashes changed together: only computing again finds that."""
    import hashlib

    path = pack(given, tmp_path / "b.zip")

    def forged(members):
        name = "scores/means.tsv"
        lines = members[name].decode().splitlines()
        cells = lines[2].split("\t")
        cells[3] = "0.9999"
        members[name] = "\n".join([*lines[:2], "\t".join(cells), *lines[3:], ""]).encode()
        about = json.loads(members[MANIFEST])
        for file in about["files"]:
            if file["path"] == name:
                file["bytes"] = len(members[name])
                file["sha256"] = hashlib.sha256(members[name]).hexdigest()
        members[MANIFEST] = json.dumps(about).encode()

    found = check_bundle(str(rewritten(path, tmp_path / "c.zip", forged)))
    assert len(found.problems) == 1
    assert found.problems[0].startswith("scores/means.tsv, line 3: 0.9999, but 0.")


def test_rounding_by_another_version_is_no_fault(given, tmp_path):
    import hashlib

    path = pack(given, tmp_path / "b.zip")

    def rounded(members):
        name = "scores/means.tsv"
        lines = members[name].decode().splitlines()
        cells = lines[1].split("\t")
        cells[3] = repr(float(cells[3]) + 1e-13)
        members[name] = "\n".join([lines[0], "\t".join(cells), *lines[2:], ""]).encode()
        about = json.loads(members[MANIFEST])
        about["versions"]["numpy"] = "1.0"
        for file in about["files"]:
            if file["path"] == name:
                file["bytes"] = len(members[name])
                file["sha256"] = hashlib.sha256(members[name]).hexdigest()
        members[MANIFEST] = json.dumps(about).encode()

    found = check_bundle(str(rewritten(path, tmp_path / "c.zip", rounded)))
    assert found.problems == ()
    assert not found.exact
    assert found.other_versions["numpy"][0] == "1.0"


@pytest.mark.parametrize("bad", ["../../etc/passwd", "/etc/passwd", "a\\..\\b", ""])
def test_a_bundle_that_reaches_outside_is_refused(given, tmp_path, bad):
    path = pack(given, tmp_path / "b.zip")

    def escape(members):
        about = json.loads(members[MANIFEST])
        about["files"][0]["path"] = bad
        members[MANIFEST] = json.dumps(about).encode()

    def reach(members):
        about = json.loads(members[MANIFEST])
        about["runs"][0]["path"] = bad
        members[MANIFEST] = json.dumps(about).encode()

    for change in (escape, reach):
        with pytest.raises(FormatError):
            check_bundle(str(rewritten(path, tmp_path / "c.zip", change)))


def test_what_is_no_bundle_is_said(given, tmp_path):
    with pytest.raises(FormatError, match="not a bundle"):
        check_bundle(str(given["base.run"]))
    with pytest.raises(NoSuchInput):
        check_bundle(str(tmp_path / "none.zip"))
    empty = tmp_path / "empty.zip"
    with zipfile.ZipFile(empty, "w") as z:
        z.writestr("x", "y")
    with pytest.raises(FormatError, match=r"bundle\.json"):
        check_bundle(str(empty))
    with pytest.raises(UsageError, match="no file"):
        write_bundle(tmp_path / "b.zip", str(given["qrels.txt"]), "-", ["x"], MEASURES)
    assert not (tmp_path / "b.zip").exists()


def test_an_option_that_nobody_knows_is_a_problem_and_no_traceback(given, tmp_path):
    path = pack(given, tmp_path / "b.zip")

    def odd(members):
        about = json.loads(members[MANIFEST])
        about["options"]["nosuch"] = 1
        members[MANIFEST] = json.dumps(about).encode()

    found = check_bundle(str(rewritten(path, tmp_path / "c.zip", odd)))
    assert "cannot be computed again" in found.problems[0]
