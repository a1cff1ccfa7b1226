"""`cranfield gate`: the exit code, the page, and what a CI server is given."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

N = 30
QRELS = "".join(f"q{i:02} 0 good 1\nq{i:02} 0 bad 0\n" for i in range(N))


def _run(rank_of, queries=range(N)) -> str:
    lines = []
    for i in queries:
        docs = ["bad", "worse", "worst"]
        docs.insert(rank_of(i) - 1, "good")
        lines += [f"q{i:02} Q0 {doc} {r} {10 - r} t\n" for r, doc in enumerate(docs, 1)]
    return "".join(lines)


@pytest.fixture
def base(files):
    return files("qrels.txt", QRELS), files("base.run", _run(lambda i: 1 + i % 2))


def test_it_passes_fails_and_cannot_tell(cranfield, files, base):
    rule = ("--no-loss", "RR", "0.05")
    same = cranfield("gate", *base, files("same.run", _run(lambda i: 1 + i % 2)), *rule)
    assert (same.code, same.out.splitlines()[2][:4]) == (0, "PASS")
    lost = cranfield("gate", *base, files("lost.run", _run(lambda i: 3)), *rule)
    assert (lost.code, "FAIL" in lost.out) == (1, True)
    swapped = files("swapped.run", _run(lambda i: 2 - i % 2 if i % 3 else 1 + i % 2))
    for policy, code in (("pass", 0), ("warn", 7), ("fail", 1)):
        ended = cranfield("gate", *base, swapped, *rule, "--cannot-tell", policy)
        assert (ended.code, "CANNOT TELL" in ended.out) == (code, True)
        assert ended.err == ""


def test_both_the_evidence_and_the_size_are_stated(cranfield, files, base):
    ended = cranfield("gate", *base, files("l.run", _run(lambda i: 3)), "--no-loss", "RR", "0.05")
    assert "a loss of 0.4167 is there (p <0.0001)" in ended.out
    assert "no significant loss of more than 0.05 RR" in ended.out
    assert "randomisation test (tests made: 1, correction holm), level 0.05" in ended.out


def test_markdown_junit_and_json_say_the_same(cranfield, files, base, tmp_path):
    md, xml, js = (tmp_path / name for name in ("g.md", "g.xml", "g.json"))
    run = files("lost.run", _run(lambda i: 3))
    options = ("--no-loss", "RR", "0.05", "--missing", "0", "--judged", "0.4")
    ended = cranfield("gate", *base, run, *options, "--summary", md, "--junit", xml, "--json", js)
    assert ended.code == 1
    assert md.read_text().startswith("# Release check: lost against base\n\nFAIL: 1 of 3 rules")
    suite = ET.parse(xml).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "0")
    failure = suite.find("testcase/failure")
    assert failure is not None and failure.get("message", "").startswith("a loss of 0.4167")
    data = json.loads(js.read_text())
    assert (data["result"], data["exit_code"]) == ("fail", 1)
    assert [r["result"] for r in data["rules"]] == ["fail", "pass", "pass"]
    assert data["rules"][0]["beyond"] == 0.05
    assert data["choices"]["seed"] == 0


def test_an_undecided_rule_is_a_skipped_test_or_a_failed_one(cranfield, files, base, tmp_path):
    run = files("swapped.run", _run(lambda i: 2 - i % 2 if i % 3 else 1 + i % 2))
    xml = tmp_path / "g.xml"
    for policy, counts in (("warn", ("0", "1")), ("fail", ("1", "0"))):
        cranfield(
            "gate", *base, run, "--no-loss", "RR", "0.05", "--cannot-tell", policy, "--junit", xml
        )
        suite = ET.parse(xml).getroot()
        assert (suite.get("failures"), suite.get("skipped")) == counts


def test_rules_come_from_a_file_and_options_add_to_it(cranfield, files, base):
    config = files(
        "cranfield.toml",
        '[gate]\nseed = 4\n[[gate.rule]]\nrule = "at-least"\nmeasure = "RR"\nvalue = 0.7\n',
    )
    run = files("same.run", _run(lambda i: 1 + i % 2))
    ended = cranfield("gate", *base, run, "--config", config, "--missing", "0")
    assert ended.code == 0
    assert "(2 of 2)" in ended.out
    assert "but its interval reaches below the limit" in ended.out


def test_a_failed_or_missing_query_is_named(cranfield, files, base):
    run = files("short.run", _run(lambda i: 1, range(1, N)))
    ended = cranfield("gate", *base, run)
    assert ended.code == 1
    assert "1 of 30 queries missing or failed: q00" in ended.out


def test_the_page_speaks_chinese(cranfield, files, base):
    ended = cranfield(
        "gate", *base, files("l.run", _run(lambda i: 3)), "--no-loss", "RR", "0.05", "--lang", "zh"
    )
    assert "不通过" in ended.out
    assert "RR 的显著损失不超过 0.05" in ended.out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--no-loss", "nDGC@10", "0.1"), 2, "did you mean nDCG?"),
        (("--no-loss", "RR", "-1"), 2, "beyond of the rule no-loss is -1.0"),
        (("--judged", "80"), 2, "at_least of the rule judged is 80.0"),
        (("--by", "type"), 2, "--by without --no-loss"),
        (("--no-loss", "RR", "0.1", "--by", "type"), 2, "no query field 'type'"),
        (("--config", "nowhere.toml"), 4, "nowhere.toml: No such file"),
        (("--no-loss", "RR", "0.1", "--alpha", "5"), 2, "alpha is 5"),
    ],
)
def test_a_mistake_is_one_message(cranfield, files, base, options, code, said):
    ended = cranfield("gate", *base, files("n.run", _run(lambda i: 1)), *options)
    assert ended.code == code
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_a_broken_config_is_named(cranfield, files, base):
    run = files("n.run", _run(lambda i: 1))
    for text, said in (
        ("[gate\n", "not TOML"),
        ("[lab]\n", "has no table [gate]"),
        ("[gate]\nalfa = 1\n", "nothing is called 'alfa'"),
    ):
        ended = cranfield("gate", *base, run, "--config", files("c.toml", text))
        assert (ended.code, said in ended.err) == (2, True), ended.err


def test_no_input_is_written_over(cranfield, files, base):
    run = files("n.run", _run(lambda i: 1))
    ended = cranfield("gate", *base, run, "--summary", run)
    assert ended.code == 2
    assert "would be overwritten" in ended.err


@pytest.fixture
def lab(cranfield, files, base, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cranfield("init", "--collection", "qrels.txt", "-m", "RR").code == 0
    files("new.run", _run(lambda i: 3))
    return tmp_path


def test_in_a_lab_the_rules_are_those_of_its_file_and_runs_are_recorded(cranfield, lab):
    with (lab / "cranfield.toml").open("a") as file:
        file.write('[[gate.rule]]\nrule = "no-loss"\nmeasure = "RR"\nbeyond = 0.05\n')
    ended = cranfield("gate", "base.run", "new.run")
    assert ended.code == 1
    assert "no significant loss of more than 0.05 RR" in ended.out
    assert "recorded as @1" in ended.err
    assert cranfield("gate", "@1:new", "@1:base").code == 0
    unkept = cranfield("gate", "base.run", "new.run", "--no-record")
    assert (unkept.code, "recorded" in unkept.err) == (1, False)


def test_a_wrong_rule_of_a_lab_is_named_with_its_file(cranfield, lab):
    with (lab / "cranfield.toml").open("a") as file:
        file.write('[[gate.rule]]\nrule = "no-loss"\n')
    ended = cranfield("gate", "base.run", "new.run")
    assert ended.code == 2
    assert "cranfield.toml, [[gate.rule]] 1: the rule no-loss needs a measure" in ended.err


@pytest.mark.parametrize("runs", [("base.run",), ("base.run", "new.run", "third.run")])
def test_one_base_and_one_run(cranfield, lab, files, runs):
    files("third.run", _run(lambda i: 2))
    ended = cranfield("gate", *runs)
    assert ended.code == 2
    assert "Traceback" not in ended.err


def test_no_record_is_for_a_lab(cranfield, files, base):
    ended = cranfield("gate", *base, files("n.run", _run(lambda i: 1)), "--no-record")
    assert (ended.code, "this is none" in ended.err) == (2, True)
