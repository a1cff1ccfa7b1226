"""Every command below `judge` prints Chinese where it is asked to."""

from __future__ import annotations

import json
import re
import string

import pytest

from cranfield.cli.judge import command
from cranfield.report import exchange_words, judged_words, llm_words

HAN = re.compile("[一-鿿]")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRANFIELD_LABELS", "l.sqlite")
    for name in ("URL", "MODEL", "KEY"):
        monkeypatch.delenv(f"CRANFIELD_LLM_{name}", raising=False)
    (tmp_path / "c" / "qrels").mkdir(parents=True)
    docs = [{"_id": f"d{n}", "title": "", "text": "文" * n} for n in range(1, 5)]
    for name, rows in (("corpus", docs), ("queries", [{"_id": "q1", "text": "文"}])):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "c" / f"{name}.jsonl").write_text(lines)
    (tmp_path / "c/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    run = "".join(f"q1 Q0 d{n} {n} {9 - n} s\n" for n in range(1, 5))
    (tmp_path / "s.run").write_text(run)
    (tmp_path / "l.csv").write_text(
        "query,doc,grade,source,assessor\nq1,d1,2,human,ann\nq1,d1,1,human,bo\nq1,d2,0,llm,m\n"
    )
    return tmp_path


@pytest.mark.parametrize("name", sorted(command.commands))
def test_all_of_them_have_it(name):
    options = {o for p in command.commands[name].params for o in p.opts}
    assert "--lang" in options


def in_chinese(done):
    """Each line that is printed for people."""
    assert done.code == 0, done.err
    lines = [*done.out.splitlines(), *done.err.splitlines()]
    assert lines
    for line in lines:
        assert HAN.search(line), line


def test_in_and_out(cranfield, place):
    zh = ("--lang", "zh")
    in_chinese(cranfield("judge", "import", "l.csv", *zh))
    for policy in ("human-over-llm", "human"):
        in_chinese(cranfield("judge", "export", "--policy", policy, "-o", "x.jsonl", *zh))
    english = cranfield("judge", "export", "-o", "x.jsonl", "--tied", "drop", "--policy", "min")
    assert not HAN.search(english.out + english.err)
    in_chinese(cranfield("judge", "pool", "s.run", "--depth", "1,3", "-o", "x.pool", *zh))
    (place / "g.qrels").write_text("q1 0 d1 1\n")
    in_chinese(cranfield("judge", "fill", "x.pool", "g.qrels", "-o", "y.qrels", *zh))
    in_chinese(cranfield("judge", "undo", "1", *zh))


def test_a_model(cranfield, place, serve, chat_server):
    zh = ("--lang", "zh", "--model", "m")
    dry = cranfield("judge", "llm", "c", "s.run", "--dry-run", "--price-in", "1", *zh)
    in_chinese(dry)
    assert "略去 1 对：测试集中已有标注" in dry.err and "共 3 对" in dry.out
    url = serve(chat_server.Model(knows=(), usage=False)) + "/v1"
    done = cranfield("judge", "llm", "c", "s.run", "--url", url, "--max-chars", "2", *zh)
    in_chinese(done)
    assert "新增等级 3 条" in done.out and "被截短" in done.err
    two = cranfield("judge", "llm", "c", "s.run", "--rubric", "preference-zh", "--dry-run", *zh)
    assert "共 6 组文档" in two.out
    listed = cranfield("judge", "rubrics", "--lang", "zh")
    assert "等级 0-3，附理由" in listed.out and "偏好" in listed.out


def _blanks(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("module", [exchange_words, judged_words, llm_words])
def test_both_languages_say_the_same(module):
    for key, (en, zh) in module.TEXT.items():
        assert _blanks(en) == _blanks(zh), key
