"""`cranfield doctor` on the command line, and the lines that lead to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import cranfield
from cranfield.cli.main import main
from cranfield.errors import CranfieldError

DEMO = str(Path(cranfield.__file__).parent / "demo" / "collection")
QRELS = "".join(f"q{i} 0 d{i} 1\nq{i} 0 e{i} 0\n" for i in range(1, 13))
RUN = "".join(f"q{i} Q0 d{i} 1 2 r\nq{i} Q0 e{i} 2 1 r\n" for i in range(1, 13))


@pytest.fixture
def files(write):
    """Judgments, a run whose ids all begin with x-, and one that fits."""
    wrong = RUN.replace(" d", " x-d").replace(" e", " x-e")
    texts = (("qrels", QRELS), ("wrong.run", wrong), ("right.run", RUN))
    return [str(write(n, t)) for n, t in texts]


def call(*arguments: str, code: int = 0):
    done = CliRunner().invoke(main, list(arguments), catch_exceptions=True)
    if isinstance(done.exception, CranfieldError):
        raise done.exception
    assert done.exit_code == code, done.output
    return done


def test_it_says_what_is_wrong_and_what_to_type(files) -> None:
    qrels, wrong, _ = files
    text = call("doctor", qrels, wrong, code=1).stdout
    assert "what they begin with ('x-' here, '' there)" in text
    assert f"`cranfield doctor {qrels} {wrong} --write-run FIXED`" in text
    assert "May move a mean by: nDCG@10 1.0000" in text


def test_a_copy_is_written_only_when_asked_for(files, tmp_path) -> None:
    qrels, wrong, right = files
    before = Path(wrong).read_bytes()
    fixed = tmp_path / "fixed.run"
    done = call("doctor", qrels, wrong, "--write-run", str(fixed))
    assert "0 query ids and 24 document ids rewritten, 0 rows merged" in done.stderr
    assert cranfield.read_run(fixed).to_dict() == cranfield.read_run(right).to_dict()
    assert Path(wrong).read_bytes() == before
    assert "fit" in call("doctor", qrels, str(fixed)).stdout


def test_nothing_is_written_where_nothing_is_wrong(files, tmp_path) -> None:
    qrels, _, right = files
    for option in ("--write-run", "--write-qrels"):
        out = tmp_path / "out.txt"
        done = call("doctor", qrels, right, option, str(out))
        assert "nothing to put right was found" in done.stderr and not out.exists()


def test_judgments_are_written_too(tmp_path, write) -> None:
    for name in ("corpus.jsonl", "queries.jsonl"):
        (tmp_path / name).write_bytes((Path(DEMO) / name).read_bytes())
    qrels = (Path(DEMO) / "qrels.txt").read_text("utf-8")
    wrong = write(
        "wrong.txt", qrels.replace(" 0 html:", " 0 x/html:").replace(" 0 md:", " 0 x/md:")
    )
    rows = [line.split() for line in qrels.splitlines() if not line.endswith(" 0")]
    run = write("a.run", "".join(f"{q} Q0 {d} 1 {g} r\n" for q, _, d, g in rows))
    fixed = tmp_path / "fixed.txt"
    call("doctor", str(wrong), str(run), "--collection", DEMO, "--write-qrels", str(fixed))
    assert fixed.read_text("utf-8") == qrels
    call("doctor", str(fixed), str(run), "--collection", DEMO)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("form", ["table", "md", "html", "json"])
def test_every_form(files, lang: str, form: str) -> None:
    text = call("doctor", *files[:2], "--lang", lang, "--format", form, code=1).stdout
    assert "x-d1" in text and "check.said" not in text and "doctor." not in text
    if form == "json":
        finding = json.loads(text)["findings"][0]
        assert finding["values"]["how"] == [{"said": "differ.prefix", "mine": "x-", "theirs": ""}]


def test_inputs_are_not_written_over(files) -> None:
    with pytest.raises(CranfieldError, match="would be overwritten"):
        call("doctor", *files[:2], "--write-run", files[1])
    with pytest.raises(CranfieldError, match="names no format"):
        call("doctor", *files[:2], "--write-run", "fixed.exe")


def test_check_finds_it_too(files) -> None:
    text = call("check", *files[:2], "--format", "json", code=1).stdout
    assert "ids_differ" in {f["key"] for f in json.loads(text)["findings"]}
    assert "ids_differ" not in call("check", files[0], files[2]).stdout


def test_evaluate_names_the_doctor_where_a_score_is_0(files) -> None:
    qrels, wrong, right = files
    said = call("evaluate", qrels, wrong).stderr
    assert "wrong: only 0% of the first 10 documents are judged; do the ids fit? " in said
    assert f"cranfield doctor {qrels} {wrong}\n" in said
    assert "doctor" not in call("evaluate", qrels, right).stderr


def test_evaluate_names_the_doctor_where_few_queries_are_answered(files, write) -> None:
    few = write("few.run", "".join(RUN.splitlines(keepends=True)[:8]))
    said = call("evaluate", files[0], str(few)).stderr
    assert "few: only 4 of 12 judged queries are answered; do the ids fit?" in said
    none = write("none.run", RUN.replace("q", "topic"))
    with pytest.raises(CranfieldError, match="cranfield doctor QRELS RUN"):
        call("evaluate", files[0], str(none))


def test_labels_to_look_at_again_are_written(write, tmp_path) -> None:
    """Two runs agree on a document of a query whose label says 0; 30 other labels agree with
    them."""
    qrels = "".join(f"q{i} 0 d{i} {int(i != 7)}\n" for i in range(31))
    run = "".join(f"q{i} Q0 d{i} 1 2 r\n" for i in range(31))
    names = [str(write(n, t)) for n, t in (("qrels", qrels), ("a.run", run), ("b.run", run))]
    out = tmp_path / "again.tsv"
    call("check", *names, "--suspects", str(out))
    head, row = out.read_text("utf-8").splitlines()
    assert head == "query\tdocument\trank\truns\tweight\tcertainty"
    assert row.split("\t")[:5] == ["q7", "d7", "1", "2", "1.0"]
    assert float(row.split("\t")[5]) == pytest.approx(1 / 31)
    with pytest.raises(CranfieldError, match="would be overwritten"):
        call("check", *names, "--suspects", names[1])
