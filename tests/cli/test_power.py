"""`cranfield power` as it is typed."""

from __future__ import annotations

import json
import re

import pytest


@pytest.fixture
def pilot(cranfield, tmp_path):
    cranfield("demo", tmp_path / "d")
    return tmp_path / "d", tmp_path / "d" / "sequential-scan.run", tmp_path / "d" / "terms.run"


def test_from_a_pilot(cranfield, pilot):
    ended = cranfield("power", *pilot, "-m", "nDCG@10", "-m", "AP")
    assert ended.code == 0
    assert "a standard deviation of 0.2361 over the 30 queries of the pilot" in ended.out
    assert ended.out.count("smallest difference shown") == 2
    assert "plan for the smallest difference that would matter" in ended.out


def test_queries_for_a_difference_and_back(cranfield):
    ended = cranfield("power", "--sd", ".25", "--difference", ".05")
    assert re.search(r"^ +0\.0500  0\.200 +199$", ended.out, re.MULTILINE)
    assert "smallest difference shown" not in ended.out
    ended = cranfield("power", "--variance", ".0625", "--queries", "199")
    assert re.search(r"^ +199 +0\.0499", ended.out, re.MULTILINE)


def test_chance_and_level(cranfield):
    data = cranfield(
        "power", "--sd", 1, "--difference", 0.5, "--alpha", 0.01, "--power", 0.9, "--format", "json"
    )
    assert json.loads(data.out)[0]["needed"] == [{"difference": 0.5, "queries": 63}]


@pytest.mark.parametrize(
    ("design", "told"),
    [
        (("t", "--difference", ".1"), "paired t-test (Sakai 2016): 52 queries"),
        (("anova", "--difference", ".1", "--systems", "5"), "Design for 5 systems"),
        (("ci", "--width", ".1"), "98 queries it is expected to be 0.1000 wide"),
    ],
)
def test_designs(cranfield, design, told):
    ended = cranfield("power", "--sd", ".25", "--design", *design)
    assert (ended.code, told in ended.out) == (0, True), ended.out
    assert "smallest difference shown" not in ended.out  # for anova it would have another sd
    # its own chance stands with it; the exact one of the paired t is another calculation
    assert "paired t-test at alpha" not in ended.out and "Two-sided, at alpha 0.05" in ended.out


def test_chinese_and_markdown(cranfield, tmp_path):
    assert "需要多少查询" in cranfield("power", "--sd", ".2", "--lang", "zh").out
    out = tmp_path / "p.md"
    assert cranfield("power", "--sd", ".2", "--format", "md", "-o", out).code == 0
    assert out.read_text().startswith("# How many queries\n")


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ((), 2, "from one place"),
        (("--sd", "1", "--variance", "1"), 2, "from one place"),
        (("q", "a", "b", "--sd", "1"), 2, "from one place"),
        (("q", "a"), 2, "a pilot is two runs"),
        (("q", "a", "b"), 4, "q: no such file"),
        (("--sd", "0"), 2, "standard deviation is 0"),
        (("--variance", "-1"), 2, "variance is -1"),
        (("--sd", "nan"), 2, "standard deviation is nan"),
        (("--sd", "1", "-m", "AP"), 2, "-m needs the runs of a pilot"),
        (("--sd", "1", "--difference", "0"), 2, "difference must be a number above 0"),
        (("--sd", "1", "--queries", "1"), 2, "queries is 1"),
        (("--sd", "1", "--alpha", "2"), 2, "alpha must lie between 0 and 1"),
        (("--sd", "1", "--design", "ci"), 2, "needs a width"),
        (("--sd", "1", "--width", ".1"), 2, "a width without the design ci"),
        (("--sd", "1", "--systems", "3"), 2, "3 systems without the design anova"),
        (
            ("--sd", "1", "--design", "t", "--difference", ".1", "--difference", ".2"),
            2,
            "2 differences for the design t",
        ),
        (
            ("--sd", "1", "--design", "ci", "--width", ".1", "--difference", ".2"),
            2,
            "1 differences for the design ci",
        ),
        (
            ("--sd", "1", "--design", "t", "--difference", ".1", "--queries", "30"),
            2,
            "the design t finds the number of queries",
        ),
        (("--sd", "1", "--design", "t"), 2, "needs a difference"),
        (
            ("--sd", "1", "--design", "anova", "--difference", "1", "--systems", "1"),
            2,
            "two systems",
        ),
    ],
)
def test_wrong_calls(cranfield, args, code, told):
    ended = cranfield("power", *args)
    assert (ended.code, ended.out) == (code, "")
    assert told in ended.err and "Traceback" not in ended.err


def test_a_pilot_that_left_queries_out_is_told(cranfield, pilot, tmp_path):
    folder, base, run = pilot
    short = tmp_path / "short.run"
    lines = run.read_text().splitlines(keepends=True)
    short.write_text("".join(line for line in lines if line.startswith(("q0", "q1"))))
    ended = cranfield("power", folder, base, short)
    assert ended.code == 0
    assert "short: 11 queries" in ended.err and "not answered and count as 0" in ended.err


def test_a_pilot_without_spread(cranfield, pilot, tmp_path):
    folder, base, _ = pilot
    twin = tmp_path / "twin.run"
    twin.write_bytes(base.read_bytes())
    ended = cranfield("power", folder, base, twin)
    assert ended.code == 3
    assert "every query has the same difference" in ended.err
