"""`cranfield compare` as it is typed."""

from __future__ import annotations

import csv
import io
import json

import pytest


@pytest.fixture
def demo(cranfield, tmp_path):
    cranfield("demo", tmp_path / "d")
    return tmp_path / "d"


@pytest.fixture
def two(demo):
    return demo, demo / "sequential-scan.run", demo / "terms.run"


def test_the_first_line_is_the_verdict(cranfield, two):
    ended = cranfield("compare", *two, "-m", "nDCG@10", "--by", "type")
    assert (ended.code, ended.err) == (0, "")
    first = ended.out.splitlines()[0]
    assert first.startswith("nDCG@10: terms is better than sequential-scan by 0.2095: p < 0.0001")
    assert "exact keyword" in ended.out
    assert "slices of 5 queries find only a d_z of 1.68 or more" in ended.out
    assert "6 hypotheses" in ended.out
    assert "q15: Redis缓存穿透" in ended.out  # the text of the query
    assert "Redis 缓存穿透：当被问的 key 根本不存在" in ended.out  # the title of a document
    assert "test randomisation, interval t, correction holm over 6" in ended.out


def test_chinese(cranfield, two):
    ended = cranfield("compare", *two, "-m", "nDCG@10", "--lang", "zh")
    assert ended.out.splitlines()[0].startswith("nDCG@10：terms 比 sequential-scan 好 0.2095")


def test_the_code_does_not_depend_on_the_verdict(cranfield, two):
    folder, base, run = two
    worse = cranfield("compare", folder, run, base, "-m", "nDCG@10")
    assert (worse.code, "is worse than terms by 0.2095" in worse.out) == (0, True)
    (folder / "terms.run.card.json").unlink()
    (folder / "sequential-scan.run.card.json").unlink()
    refused = cranfield("compare", folder, base, run, "-m", "nDCG@10")
    assert (refused.code, "no verdict on terms" in refused.out) == (0, True)


def test_json(cranfield, two, tmp_path):
    out = tmp_path / "c.json"
    ended = cranfield("compare", *two, "-o", out)
    assert (ended.code, ended.out) == (0, "")
    data = json.loads(out.read_text())
    assert [d["measure"] for d in data["differences"]][:2] == ["nDCG@10", "AP"]
    assert data["choices"]["hypotheses"] == 5
    assert max(len(c["results"]) for c in data["changes"]) == 10
    before = out.read_bytes()
    cranfield("compare", *two, "-o", out)
    assert out.read_bytes() == before


@pytest.mark.parametrize(("form", "sep"), [("tsv", "\t"), ("csv", ",")])
def test_rows_for_programs(cranfield, two, form, sep):
    ended = cranfield("compare", *two, "-m", "AP", "--by", "type", "--format", form)
    rows = list(csv.DictReader(io.StringIO(ended.out), delimiter=sep))
    assert [r["slice"] for r in rows][:2] == ["", "type=exact"]
    assert float(rows[0]["difference"]) == pytest.approx(0.2065, abs=1e-4)
    assert rows[0]["verdict"] == "better"


def test_markdown(cranfield, two, tmp_path):
    out = tmp_path / "c.md"
    assert cranfield("compare", *two, "-o", out).code == 0
    assert out.read_text().startswith("# Comparison with sequential-scan\n")


def test_qrels_and_queries_in_files(cranfield, two):
    folder, base, run = two
    qrels, queries = folder / "qrels.txt", folder / "queries.jsonl"
    ended = cranfield("compare", qrels, base, run, "-m", "AP", "--queries", queries, "--by", "lang")
    assert "q15: Redis缓存穿透" in ended.out
    assert "md:" in ended.out  # ids, since there are no documents


@pytest.mark.parametrize("correction", ["bonferroni", "bh", "by", "max-t", "none"])
def test_every_correction_can_be_asked_for(cranfield, two, correction):
    ended = cranfield("compare", *two, "--correction", correction, "--resamples", 500, "--top", 0)
    assert ended.code == 0
    assert f"correction {correction} over 5" in ended.out


@pytest.mark.parametrize("interval", ["percentile", "bca", "studentised"])
def test_every_interval_can_be_asked_for(cranfield, two, interval):
    options = ("-m", "AP", "--interval", interval, "--resamples", 500)
    assert f"interval {interval}" in cranfield("compare", *two, *options).out


def test_several_runs(cranfield, two, tmp_path):
    third = tmp_path / "third.run"
    third.write_text("".join(f"q{i:02} Q0 none 1 1 x\n" for i in range(1, 31)))
    ended = cranfield("compare", *two, third, "-m", "nDCG@10", "--resamples", 2000)
    assert "All pairs: nDCG@10" in ended.out
    assert "third is worse than sequential-scan" in ended.out
    assert "judged@10 is 0.0000, below 0.5" in ended.out


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("{d}", "{a}", "{a}"), 2, "is given twice"),
        (("{d}", "{a}"), 2, "one run and nothing to compare it with"),
        (("{a}",), 2, "only one argument\n  hint: cranfield compare QRELS BASE RUN"),
        (("{d}", "{a}", "{d}/nope.run"), 4, "nope.run: no such file"),
        (("{d}/nope", "{a}", "{b}"), 4, "nope: no such file"),
        (("{d}", "{a}", "{b}", "-m", "nDGC@10"), 2, "no measure is called 'nDGC'"),
        (("{d}", "{a}", "{b}", "--by", "topic"), 2, "fields: type, lang"),
        (("{d}", "{a}", "{b}", "--alpha", "2"), 2, "alpha is 2.0"),
        (("{d}", "{a}", "{b}", "--alpha", "x"), 2, "not a valid float"),
        (("{d}", "{a}", "{b}", "--min-effect", "-1"), 2, "min_effect is -1.0"),
        (("{d}", "{a}", "{b}", "--correction", "scheffe"), 2, "'scheffe' is not one of"),
        (("{d}", "{a}", "{b}", "--correction", "max-t", "--test", "t"), 2, "max-t"),
        (("{d}", "{a}", "{b}", "--resamples", "0"), 2, "resamples is 0"),
        (("{d}", "{a}", "{b}", "-o", "{b}"), 2, "would be overwritten"),
        (("{d}", "{a}", "{b}", "-o", "{d}"), 4, "is a folder"),
    ],
)
def test_wrong_calls_are_told_in_one_message(cranfield, two, args, code, told):
    d, a, b = two
    ended = cranfield("compare", *(x.format(d=d, a=a, b=b) for x in args))
    assert ended.code == code, ended.err
    assert told in ended.err
    assert "Traceback" not in ended.err and ended.out == ""


def test_a_wrong_card_is_told(cranfield, two):
    (two[0] / "terms.run.card.json").write_text('{"latency_ms": {"q01": "fast"}}')
    ended = cranfield("compare", *two)
    assert ended.code == 3
    assert "terms.run.card.json: 'latency_ms' of query 'q01' is \"fast\"" in ended.err


def test_choices_are_spelled_as_in_python():
    from cranfield.cli import options
    from cranfield.comparison import outcome

    for name in ("TESTS", "CORRECTIONS", "INTERVALS"):
        assert getattr(options, name) == getattr(outcome, name)
