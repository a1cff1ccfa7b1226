"""The one rule for the form of a file that a command writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.cli import check, compare, evaluate, experiment, report
from cranfield.cli.reporting import form_for
from cranfield.errors import UsageError

ENDINGS = {"md": "md", "JSON": "json", "html": "html", "tsv": "tsv", "csv": "csv"}
ENDINGS |= {
    "tex": "latex",
    "ndjson": "jsonl",
    "parquet": "parquet",
    "markdown": "md",
    "htm": "html",
}


@pytest.mark.parametrize("module", [check, compare, evaluate, experiment, report])
def test_every_form_has_an_ending_and_every_other_ending_is_refused(module) -> None:
    forms = getattr(module, "FORMATS", None) or module.FORMS
    plain = "text" if "text" in forms else "table"
    assert form_for("x.txt", forms, "none") == plain
    assert form_for(None, forms, "none") == form_for("dir.d/x", forms, "none") == "none"
    reached = {plain}
    for ending, form in ENDINGS.items():
        if form in forms:
            assert form_for(f"x.{ending}", forms, "none") == form
            reached.add(form)
        else:
            with pytest.raises(UsageError, match="no form for such a file"):
                form_for(f"x.{ending}", forms, "none")
    assert reached == set(forms)


@pytest.mark.parametrize("name", ["r.pdf", "r.txtt", "r.docx"])
def test_an_unknown_ending_is_refused_before_anything_is_done(
    cranfield, tmp_path: Path, name: str
) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("q1 0 a 1\n")
    run.write_text("q1 Q0 a 1 1 s\n")
    target = tmp_path / name
    for call in (
        ("evaluate", qrels, run),
        ("compare", qrels, run, run),
        ("check", qrels, run),
        ("report", qrels, run),
        ("report", "--lab"),
        ("experiment",),
    ):
        done = cranfield(*call, "-o", target)
        assert done.code == 2, call
        assert f"{target}: no form for such a file" in done.err and ".json" in done.err
        assert not target.exists()
    assert cranfield("evaluate", qrels, run, "-o", target, "--format", "json").code == 0
    assert target.read_text().startswith("{")


def test_the_hint_names_what_there_is() -> None:
    with pytest.raises(UsageError) as caught:
        form_for("x.pdf", report.FORMS, "text")
    assert caught.value.hint == ("name one that ends in .html, .md, .json or .txt, or say --format")


def test_who_wants_a_page_learns_which_option_writes_it(cranfield, tmp_path) -> None:
    qrels, run, page = (tmp_path / name for name in ("a.qrels", "a.run", "page.html"))
    qrels.write_text("q1 0 a 1\n")
    run.write_text("q1 Q0 a 1 1 s\n")
    for command in ("compare", "study"):
        done = cranfield(command, qrels, run, run, "-o", page)
        assert done.code == 2 and f"--report {page} writes the page" in done.err
        assert not page.exists()
