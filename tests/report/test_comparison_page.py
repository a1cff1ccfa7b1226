"""The comparison page says what the comparison found, in both languages, and lets nothing out."""

from __future__ import annotations

import html as markup
import json
import re
import string

import numpy as np
import pytest

from cranfield.report import language
from cranfield.report.comparison_charts import paired, waterfall
from cranfield.report.language import words
from cranfield.report.pages import comparison
from cranfield.report.provenance import Provenance, Source


def blocks(page, kind: str) -> list[dict]:
    def walk(some):
        for block in some:
            if block["type"] == kind:
                yield block
            yield from walk(block.get("blocks", ()))

    return list(walk(json.loads(page.to_json())["blocks"]))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_form_has_every_verdict(hostile, lang):
    page = comparison(hostile, lang)
    w = words(lang)
    notes = blocks(page, "note")
    tones = [n["tone"] for n in notes if n["tone"] not in ("caution", "plain")]
    assert tones == [row.verdict.kind for row in hostile.differences]
    for row in hostile.differences:
        assert w(f"verdict.{row.verdict.kind}") in page.to_text()
    for run in hostile.scores.runs:
        assert markup.escape(run) in page.to_html()


def test_the_charts_hold_the_figures_of_the_comparison(hostile):
    page = comparison(hostile)
    charts = blocks(page, "chart")
    falls = [c for c in charts if c["kind"] == "waterfall"]
    assert len(falls) == len(hostile.runs)
    for run, fall in zip(hostile.runs, falls, strict=True):
        row = hostile.difference(run=run)
        values = fall["values"]
        assert values == sorted(values, reverse=True)
        assert np.mean(values) == pytest.approx(row.difference)
        assert sum(v > hostile.choices.tie for v in values) == row.wins
        assert sum(v < -hostile.choices.tie for v in values) == row.losses
    plotted = next(c for c in charts if c["kind"] == "intervals")
    for shown, run in zip(plotted["rows"], hostile.runs, strict=True):
        row = hostile.difference(run=run)
        assert (shown["value"], shown["low"], shown["high"]) == (row.difference, row.low, row.high)
    assert {c["kind"] for c in charts} == {"intervals", "waterfall", "scatter", "matrix"}


def test_both_lists_are_side_by_side_with_what_became_of_each_document(hostile):
    sides = blocks(comparison(hostile), "side_by_side")
    assert len(sides) == len(hostile.changes)
    for side, change in zip(sides, hostile.changes, strict=True):
        assert [r["doc"] for r in side["lists"][1]] == [r.doc for r in change.results]
        before = {r.doc: r.rank for r in change.base_results}
        for r in side["lists"][1]:
            was = before.get(r["doc"])
            said = "new" if was is None else "" if was == r["rank"] else f"was {was}"
            assert r["moved"] == said
            assert (r["level"] is None) == (r["grade"] is None)


def test_hostile_documents_stay_text(hostile):
    for lang in ("en", "zh"):
        page = comparison(hostile, lang).to_html()
        assert "<script" not in page
        assert "<img" not in page
        assert "onerror=" not in re.sub(r">[^<]*<", "><", page)
        assert "\x00" not in page and "\x1b" not in page
        assert "&lt;script&gt;alert" in page
        assert "d" + "0123456789" * 30 in page  # the long id, whole
    outside = re.sub(r">[^<]*<", "><", page)
    assert not re.search(r"(?:src|href|url)\s*[=(]", outside)


def test_the_same_comparison_makes_the_same_bytes(hostile):
    about = Provenance((Source("qrels", "q", "ab", 3),), {"cranfield": "1"})
    for form in ("text", "md", "html", "json"):
        assert comparison(hostile, about=about).to(form) == comparison(hostile, about=about).to(
            form
        )


def test_the_appendix_has_definitions_choices_versions_and_every_query(hostile):
    about = Provenance((Source("run", "x.run", "f" * 64, 12),), {"cranfield": "9.9"})
    page = comparison(hostile, about=about)
    text = page.to_text()
    assert "nDCG@k = DCG@k / IDCG@k" in text
    assert "f" * 64 in text
    assert "9.9" in text
    assert re.search(r"seed +0", text)
    assert re.search(r"resamples +2000", text)
    titles = [d["title"] for d in blocks(page, "details")]
    assert "Every query: nDCG@10" in titles
    table = next(d for d in blocks(page, "details") if d["title"] == "Every query: AP")
    found = table["blocks"][0]["rows"]
    assert len(found) == len(hostile.scores.queries)
    assert found[0][1] == hostile.scores.values[0, 0, 1]


def test_cards_bring_latency_and_cost_beside_quality(hostile):
    text = comparison(hostile).to_text()
    assert "Latency and cost" in text
    assert re.search(r"base +0\.\d{4} +12 +15\.5 +20\.45 +0\.25 +3 +0", text)
    assert "≠ " in text  # a setting that differs from the base


def test_slices_have_their_n_and_the_method_is_told(hostile):
    page = comparison(hostile)
    sliced = [c for c in blocks(page, "chart") if c["kind"] == "intervals" and c["rows"][0]["n"]]
    assert [r["n"] for r in sliced[0]["rows"]] == [6, 6]
    text = page.to_text()
    assert "randomisation test, two-sided" in text
    assert f"{hostile.choices.hypotheses} hypotheses" in text
    assert "does not mean that the runs are equal" in text


def test_a_large_comparison_stays_readable_and_says_what_it_leaves_out(many):
    page = comparison(many)
    html = page.to_html()
    assert len(html) < 1_500_000
    assert len([c for c in blocks(page, "chart") if c["kind"] == "waterfall"]) == 5
    assert "the first 5 of 59 runs are shown" in page.to_text()
    table = blocks(page, "table")[0]
    assert len(table["rows"]) == 59
    matrix = next(c for c in blocks(page, "chart") if c["kind"] == "matrix")
    assert len(matrix["p"]) == 60


def test_sentences_have_the_same_blanks_in_both_languages():
    for key, (english, chinese) in language._ALL.items():
        blanks = [
            {name for _, name, _, _ in string.Formatter().parse(t) if name}
            for t in (english, chinese)
        ]
        assert blanks[0] == blanks[1], key


def test_the_waterfall_leaves_out_queries_that_one_side_has_no_value_for(hostile):
    from dataclasses import replace

    valid = hostile.scores.valid.copy()
    valid[1, 0, 0] = False
    less = replace(hostile, scores=replace(hostile.scores, valid=valid))
    row = hostile.difference()
    assert len(paired(less, row).queries) == len(paired(hostile, row).queries) - 1
    assert hostile.scores.queries[0] not in waterfall(less, row, words("en")).queries
