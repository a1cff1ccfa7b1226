"""`cranfield check` on the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cranfield.cli.main import main
from cranfield.errors import CranfieldError

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\nq2 0 d 0\n"
GOOD = "q1 Q0 a 1 2 r\nq1 Q0 b 2 1 r\nq2 Q0 c 1 2 r\nq2 Q0 u 2 1 r\n"
BAD = "q1 Q0 x 1 2 r\nq1 Q0 b 2 1 r\nq2 Q0 u 1 2 r\nq2 Q0 y 2 1 r\n"


@pytest.fixture
def files(write):
    return [str(write(n, t)) for n, t in (("qrels", QRELS), ("good.run", GOOD), ("bad.run", BAD))]


def call(*arguments: str, code: int | None = 0):
    done = CliRunner().invoke(main, ["check", *arguments], catch_exceptions=True)
    if isinstance(done.exception, CranfieldError):
        raise done.exception
    assert done.exit_code == code, done.output
    return done.stdout


def test_findings_come_first_and_the_tables_follow(files) -> None:
    text = call(*files)
    assert text.index("warning: judged@10 is below 0.5") < text.index("--- The collection ---")
    for part in ("Unjudged documents", "What to label first", "undecidable by the labels"):
        assert part in text


@pytest.mark.parametrize(("fail_on", "code"), [("warning", 1), ("error", 0), ("never", 0)])
def test_the_exit_code_follows_the_severity(files, fail_on: str, code: int) -> None:
    call(*files, "--fail-on", fail_on, code=code)


def test_the_work_list_is_written_whole(files, tmp_path) -> None:
    out = tmp_path / "holes.tsv"
    call(*files, "--holes", str(out))
    rows = [line.split("\t") for line in out.read_text().splitlines()]
    assert rows[0] == ["query", "document", "rank", "runs", "weight", "certainty", "swing"]
    assert rows[1][:4] == ["q1", "x", "1", "1"]  # only one of the runs has it
    swings = [float(row[6]) for row in rows[1:]]
    assert swings == sorted(swings, reverse=True)
    again = tmp_path / "by-weight.tsv"
    call(*files, "--holes", str(again), "--order", "weight")
    assert again.read_text().splitlines()[1].split("\t")[:4] == ["q2", "u", "1", "2"]
    assert {(r[0], r[1]) for r in rows[1:]} == {("q2", "u"), ("q1", "x"), ("q2", "y")}


def test_json_has_everything_and_is_the_same_twice(files) -> None:
    first = call(*files, "--format", "json")
    data = json.loads(first)
    assert data["schema"] == "cranfield.check/1" and data["n_holes"] == 3
    assert {"severity", "sure", "effect", "sentence", "advice"} <= set(data["findings"][0])
    assert first == call(*files, "--format", "json")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_pages(files, tmp_path, lang: str) -> None:
    for ending in ("html", "md"):
        out = tmp_path / f"page.{ending}"
        call(*files, "--lang", lang, "-o", str(out))
        text = out.read_text()
        assert ("未标注文档" if lang == "zh" else "Unjudged documents") in text
        assert "check." not in text.replace("cranfield check", "")


def test_groups_are_read_from_a_file(files, write) -> None:
    text = call(*files, "--groups", str(write("groups.tsv", "good\tours\nbad\ttheirs\n")))
    assert "ours" in text
    with pytest.raises(CranfieldError, match=r"groups.tsv, line 1: not a run and its group"):
        call(*files, "--groups", str(write("groups.tsv", "good\n")))


def test_inputs_are_not_written_over(files) -> None:
    with pytest.raises(CranfieldError, match="would be overwritten"):
        call(*files, "--holes", files[1])


@pytest.mark.parametrize("form", ["text", "md", "html", "json"])
def test_a_report_may_end_with_the_check(files, form: str) -> None:
    plain = CliRunner().invoke(main, ["report", *files, "--format", form])
    whole = CliRunner().invoke(main, ["report", *files, "--check", "--format", form])
    assert (plain.exit_code, whole.exit_code) == (0, 0), whole.output
    for text in ("judged@10 is below 0.5", "What to label first"):
        assert text in whole.stdout and text not in plain.stdout


def test_two_things_are_not_written_to_one_file(cranfield, tmp_path) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("q 0 a 1\n")
    out = tmp_path / "both.tsv"
    ended = cranfield("check", qrels, "--holes", out, "--suspects", out)
    assert ended.code == 2 and "two things would be written" in ended.err and not out.exists()
