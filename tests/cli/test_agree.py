"""`cranfield agree`."""

from __future__ import annotations

import csv
import json

import pytest

from cranfield.report.agreed_words import TEXT
from cranfield.report.judged_words import TEXT as JUDGED


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CRANFIELD_LABELS", raising=False)
    lines_a, lines_b, runs = [], [], {"one": [], "two": [], "three": []}
    for q in range(12):
        for d in range(6):
            lines_a.append(f"q{q} 0 d{d} {max(0, 2 - d)}")
            lines_b.append(f"q{q} 0 d{d} {max(0, 2 - d) if (q + d) % 4 else 1}")
            for i, rows in enumerate(runs.values()):
                rows.append(f"q{q} Q0 d{(d + i) % 6} {d + 1} {10 - d} x")
    (tmp_path / "human.txt").write_text("\n".join(lines_a) + "\n")
    (tmp_path / "llm.txt").write_text("\n".join(lines_b) + "\n")
    for name, rows in runs.items():
        (tmp_path / f"{name}.run").write_text("\n".join(rows) + "\n")
    (tmp_path / "families.tsv").write_text("one\tacme\ntwo\tother\n")
    return tmp_path


CALL = ("agree", "human.txt", "llm.txt", "one.run", "two.run", "three.run", "--resamples", "100")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("form", ["table", "md", "html", "json", "csv", "tsv"])
def test_every_form_in_both_languages(cranfield, files, form, lang):
    done = cranfield(*CALL, "--format", form, "--lang", lang, "--families", "families.tsv",
                     "--judge-family", "acme")  # fmt: skip
    assert done.code == 0, done.err
    again = cranfield(*CALL, "--format", form, "--lang", lang, "--families", "families.tsv",
                      "--judge-family", "acme")  # fmt: skip
    assert again.out == done.out
    if form in ("table", "md", "html"):
        said = ("Krippendorff α（有序）", "同属家族") if lang == "zh" else ("AC1", "its own work")
        assert all(text in done.out for text in said)


def test_json_holds_every_figure(cranfield, files):
    found = json.loads(cranfield(*CALL, "--format", "json").out)
    assert found["schema"] == "cranfield.agreement/1" and found["kind"] == "labels"
    assert found["n"] == 72 and sum(map(sum, found["matrix"])) == 72
    assert found["how"]["correction"] == "holm"
    assert {c["name"] for c in found["pooled"]} >= {"kappa", "alpha ordinal", "AC1"}
    order = found["orders"][0]
    assert order["runs"][0] == "one" and order["differences"]["pairs"] == 3


def test_csv_is_one_flat_table(cranfield, files):
    rows = list(csv.DictReader(cranfield(*CALL, "--format", "csv").out.splitlines()))
    kappa = next(r for r in rows if r["part"] == "coefficient" and r["name"] == "kappa")
    assert float(kappa["low"]) <= float(kappa["value"]) <= float(kappa["high"])
    assert {r["part"] for r in rows} >= {"matrix", "relevant", "grade bias", "run bias"}


def test_parts_in_a_lab(cranfield, files):
    cranfield("init", ".")
    cranfield("judge", "import", "human.txt", "--source", "human")
    cranfield("judge", "import", "llm.txt", "--source", "llm", "--model", "m")
    tune = cranfield("agree", "@human", "@llm:m", "--part", "tune", "--share", "0.25")
    assert tune.code == 0 and "of 3 queries" in tune.out and "report agreement on" in tune.out
    told = cranfield("agree", "@human", "@llm:m", "--part", "report")
    assert "of 9 queries" in told.out and "looked at 1 time" in told.out
    assert cranfield("agree", "@human", "@llm:m", "--part", "report", "--share", "0.5").code == 2


def test_judges_within_a_file(cranfield, files):
    (files / "r.csv").write_text("query,docid,ann,bo\nq,a,1,1\nq,b,0,2\nr,a,2,2\n")
    done = cranfield("agree", "r.csv")
    assert done.code == 0 and "ann" in done.out and "3 of 3 pairs" in done.out
    assert json.loads(cranfield("agree", "r.csv", "--format", "json").out)["kind"] == "raters"
    assert cranfield("agree", "r.csv", "--format", "csv").out.startswith("part,name,value")
    assert "标注者" in cranfield("agree", "r.csv", "--lang", "zh").out


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("agree", "human.txt"), 6),
        (("agree", "human.txt", "none.txt"), 4),
        (("agree", "@human", "llm.txt"), 2),
        (("agree", "human.txt", "llm.txt", "--scale", "a,b"), 2),
        (("agree", "human.txt", "llm.txt", "--judge-family", "x"), 2),
        (("agree", "human.txt", "llm.txt", "--by", "type"), 2),
        (("agree", "human.txt", "llm.txt", "-m", "P@5"), 2),
        (("agree", "human.txt", "llm.txt", "--alpha", "2"), 2),
        (("agree", "human.txt", "llm.txt", "--alpha", "nan"), 2),
        (("agree", "human.txt", "llm.txt", "--level", "1"), 2),
        (("agree", "human.txt", "llm.txt", "--resamples", "-1"), 2),
        (("agree", "human.txt", "llm.txt", "-o", "llm.txt"), 2),
    ],
)
def test_wrong_calls_end_with_their_code(cranfield, files, args, code):
    done = cranfield(*args)
    assert done.code == code and done.err.startswith("error: ")


def test_both_languages_have_the_same_blanks():
    import re

    for key, (en, zh) in {**TEXT, **JUDGED}.items():
        blanks = [set(re.findall(r"{(\w+)", text)) for text in (en, zh)]
        assert blanks[0] == blanks[1], key
