"""`cranfield fuse` and `cranfield rollup` on plain files."""

from __future__ import annotations

import json

import pytest

from cranfield.cli.fuse import METHODS, NORMS
from cranfield.formats.readers import read_run
from cranfield.retrieval import fusion_rules

A = "q1 Q0 a 1 3 A\nq1 Q0 b 2 2 A\nq2 Q0 x 1 1 A\n"
B = "q1 Q0 b 1 9 B\nq1 Q0 d 2 3 B\n"


def test_the_choices_are_those_of_the_tables():
    assert list(fusion_rules.RULES) == METHODS
    assert list(fusion_rules.NORMS) == NORMS


def test_fuse(cranfield, files, tmp_path):
    a, b, out = files("a.run", A), files("b.run", B), tmp_path / "f.run"
    done = cranfield("fuse", a, b, "--k", 1, "-o", out)
    assert done.code == 0 and done.out == ""
    assert done.err == "note: b lacks 1 of 2 queries\n"
    expected = {"q1": {"b": 1 / 3 + 1 / 2, "a": 1 / 2, "d": 1 / 3}, "q2": {"x": 1 / 2}}
    assert read_run(out).to_dict() == {q: pytest.approx(d) for q, d in expected.items()}
    card = json.loads((tmp_path / "f.run.card.json").read_text())
    assert card["config"]["fusion"] == {"method": "rrf", "k": 1}
    assert [r["name"] for r in card["config"]["runs"]] == ["a", "b"]


def test_the_same_runs_give_the_same_bytes(cranfield, files, tmp_path):
    a, b = files("a.run", A), files("b.run", B)
    for name in ("1.run", "2.run"):
        cranfield("fuse", a, b, "--method", "weighted", "--weights", "1,2", "-o", tmp_path / name)
    assert (tmp_path / "1.run").read_bytes() == (tmp_path / "2.run").read_bytes()


def test_failures_go_with_it(cranfield, files, tmp_path):
    a, b, out = files("a.run", A), files("b.run", B), tmp_path / "f.run"
    files("a.run.card.json", json.dumps({"config": {"system": "s"}, "failed": ["q9"]}))
    files("b.run.card.json", json.dumps({"failed": ["q2", "q9"]}))
    done = cranfield("fuse", a, b, "-o", out)
    assert "2 failed queries are fused from the other runs" in done.err
    card = json.loads((tmp_path / "f.run.card.json").read_text())
    assert card["failed"] == ["q9"]
    assert card["config"]["runs"][0] == {"name": "a", "system": "s"}


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--weights", "1,x"], 2, "are not numbers"),
        (["--weights", "1"], 2, "1 weights for 2 runs"),
        (["--norm", "max"], 2, "rrf uses ranks"),
        (["--method", "sum", "--k", "10"], 2, "sum has no constant k"),
        (["--method", "rff"], 2, "'rff' is not one of"),
        (["--method", "weighted"], 2, "needs weights"),
    ],
)
def test_mistakes_are_said(cranfield, files, tmp_path, args, code, said):
    a, b = files("a.run", A), files("b.run", B)
    done = cranfield("fuse", a, b, "-o", tmp_path / "f.run", *args)
    assert done.code == code and said in done.err


def test_one_run_is_too_few_and_an_input_is_not_written_over(cranfield, files, tmp_path):
    a = files("a.run", A)
    assert cranfield("fuse", a, "-o", tmp_path / "f.run").code == 2
    assert cranfield("fuse", a, a, "-o", a).code == 2


def test_rollup(cranfield, files, tmp_path):
    run = files("p.run", "q Q0 a#1 1 3 P\nq Q0 b#0 2 2.5 P\nq Q0 a#0 3 2 P\nq Q0 b#3 4 1 P\n")
    files("p.run.card.json", json.dumps({"config": {"system": "s"}, "latency_ms": {"q": 1}}))
    out = tmp_path / "d.run"
    for args, expected in [
        ([], {"a": 3, "b": 2.5}),
        (["--how", "first"], {"b": 2.5, "a": 2}),
        (["--how", "sum", "--top", 2, "-k", 1], {"a": 5}),
    ]:
        assert cranfield("rollup", run, "-o", out, *args).code == 0
        assert read_run(out).to_dict()["q"] == expected
    card = json.loads((tmp_path / "d.run.card.json").read_text())
    assert card["config"] == {"system": "s", "rollup": {"how": "sum", "top": 2}}
    assert card["latency_ms"] == {"q": 1}


def test_a_rolled_up_run_never_stands_beside_the_card_of_another(cranfield, files, tmp_path):
    run, out = files("p.run", "q1 Q0 d#0 1 3 P\n"), tmp_path / "r.run"
    card = tmp_path / "r.run.card.json"
    card.write_text('{"name": "old", "failed": ["q1"]}')
    assert cranfield("rollup", run, "-o", out).code == 0
    said = json.loads(card.read_text())
    assert said["config"] == {"rollup": {"how": "max"}} and "failed" not in said


def test_top_is_refused_where_nothing_is_summed(cranfield, files, tmp_path):
    run = files("p.run", "q1 Q0 d#0 1 3 P\n")
    done = cranfield("rollup", run, "--how", "first", "--top", "2", "-o", tmp_path / "r.run")
    assert done.code == 2 and "--top is for --how sum" in done.err


def test_rollup_says_what_is_no_passage(cranfield, files, tmp_path):
    out = tmp_path / "r.run"
    run = files("docs.run", "q1 Q0 a 1 3 s\nq1 Q0 b 2 2 s\n")
    done = cranfield("rollup", run, "-o", out)
    assert done.code == 0 and read_run(out).to_dict() == {"q1": {"a": 3, "b": 2}}
    assert "note: 2 of 2 results have an id without '#', no passage of a document: a" in done.err
    run = files("mixed.run", "q1 Q0 a#1 1 3 s\nq1 Q0 b 2 2 s\nq1 Q0 a#0 3 1 s\n")
    assert "note: 1 of 3 results has an id without '#'" in cranfield("rollup", run, "-o", out).err
    run = files("whole.run", "q1 Q0 a#1 1 3 s\n")
    assert cranfield("rollup", run, "-o", out).err == ""
