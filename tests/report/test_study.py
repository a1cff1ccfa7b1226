"""The page of a study, its tables and its data."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from tests.report.studies import MEASURES, matrix, of_runs, studied

from cranfield import ScoreMatrix
from cranfield.errors import UnknownName, UsageError
from cranfield.metaeval.studied import Studied
from cranfield.report.blocks import Chart, Details, Heading, Note
from cranfield.report.charts.figure import to_figure
from cranfield.report.lab_words import Count
from cranfield.report.language import words
from cranfield.report.render import render
from cranfield.report.study_charts import agreement, p_curves
from cranfield.report.study_data import TABLES, as_json, have, table
from cranfield.report.study_page import study as page
from cranfield.report.study_tables import cases


@pytest.fixture(scope="module")
def whole() -> Studied:
    return studied(matrix())


@pytest.fixture(scope="module")
def judged() -> tuple[Studied, Studied]:
    return of_runs("甲"), of_runs("乙", seed=2)


@pytest.fixture(scope="module")
def two(whole) -> tuple[Studied, Studied]:
    return whole, studied(matrix(8, 20, "second & last"), ())


def every(blocks):
    for block in blocks:
        yield block
        if isinstance(block, Details):
            yield from every(block.blocks)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_says_everything_in_both_languages_and_forms(whole, two, lang):
    for several in ([whole], two):
        made = page(several, lang)
        assert made == page(several, lang)  # the same study, the same page
        for form in ("text", "md", "html", "json"):
            said = made.to(form)
            assert not re.search(r"\bnan\b", said, re.IGNORECASE)
            if form == "html":
                assert "<u>指标" not in said and "&lt;u&gt;指标" in said
        kinds = {b.chart.kind for b in every(made.blocks) if isinstance(b, Chart)}
        assert {"curves", "agreement"} <= kinds
        assert ("panels" in kinds) == (len(several) == 2)


def test_the_recommendation_comes_first(whole):
    blocks = page([whole]).blocks
    note = next(b for b in blocks if isinstance(b, Note))
    advice = whole.advice["given"]
    assert advice.decide in note.title
    assert len(note.lines) == len(advice.reasons)
    first = next(b for b in blocks if isinstance(b, Heading))
    assert first.text == "Recommendation"
    assert f"{100 * advice.standing(advice.decide).share:.1f} %" in note.lines[0]


def test_the_brief_page_has_tables_and_no_drawing(whole):
    made = page([whole], brief=True)
    assert not any(isinstance(b, Chart) for b in every(made.blocks))
    text = made.to_text()
    shares = whole.study["given"].discrimination
    assert f"{100 * shares.at('AP', 0.05):.2f} %" in text
    assert "τ_b" in text


def test_tables_hold_the_numbers_of_the_study(whole):
    found = whole.study["given"].discrimination
    grid = table([whole], "shares")
    assert grid.columns == ("level", *MEASURES)
    assert grid.rows[0][1:] == tuple(found.share[:, 0].tolist())
    assert grid.rows[-1][1:] == tuple(found.overall.tolist())
    order = found.order(0.05)
    level = table([whole], "level")
    assert [row[1] for row in level.rows] == list(order.measures)
    assert [row[2] for row in level.rows] == list(order.shares)
    rows = {row[0]: row[1:] for row in table([whole], "improvements").rows}
    a, b = order.measures[0], order.measures[-1]
    assert rows[a][-1] == (order.shares[0] - order.shares[-1]) / order.shares[-1]
    assert rows[b][0] == found.improvement(b, a, 0.05)
    power = {row[0]: row[1:] for row in table([whole], "power").rows}
    assert power["t-test"] == tuple(found.at(m, 0.05) for m in MEASURES)
    hard = table([whole], "difficulty").rows
    assert [row[1] for row in hard] == sorted(row[1] for row in hard)


def test_the_order_tells_settled_from_unsettled(whole):
    found = whole.study["given"].discrimination
    row = next(r for r in table([whole], "order").rows if r[0] == "0.05")
    order = found.order(0.05)
    signs = [word for word in row[1].split() if word in (">", "≥", "=")]
    assert signs == [">" if s else "≥" for s in order.settled]


OF_RUNS = ("holes", "hole_shares", "cutoffs", "predictors", "standardised", "across")


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_written_in_every_form(whole, two, judged, name):
    both = (judged[:1], judged) if name in OF_RUNS else ([whole], two)
    for several in both[1:] if name == "across" else both:
        grid = table(several, name)
        assert grid.rows
        first = grid.columns[0]
        assert (first == "collection") == (len(several) == 2) or name in ("collections", "across")
        for form in ("csv", "tsv", "md", "latex", "json", "table"):
            assert render(grid, form)


def test_a_table_that_is_not_there_is_said(whole):
    bare = replace(whole, methods={}, advice={})
    assert "power" in have([whole]) and "power" not in have([bare])
    with pytest.raises(UsageError, match="no table 'power'"):
        table([bare], "power")
    with pytest.raises(UnknownName, match="no table 'tables'"):
        table([bare], "tables")


def test_json_holds_everything_exactly(whole):
    made = json.loads(as_json([whole]))
    assert made["schema"] == "cranfield.study/1"
    (condition,) = made["studies"][0]["conditions"]
    found = whole.study["given"]
    assert condition["discrimination"]["share"] == found.discrimination.share.tolist()
    assert condition["recommendation"]["decide"] == whole.advice["given"].decide
    assert condition["methods"]["reliability"][0]["by_sets"]["error"] is not None
    assert "matrix" not in condition and "curves" not in condition["methods"]["power"]
    assert made["studies"][0]["settings"]["seed"] == 0


def test_the_tree_of_the_chart_is_the_tree_of_the_study(whole):
    (case,) = cases([whole])
    chart = agreement(case, whole.methods["given"], words("en"))
    tree = whole.methods["given"].agreement.dendrogram
    assert chart.names == tree.order and len(chart.merges) == len(MEASURES) - 1
    first = tree.merges[0]
    a, b, height = chart.merges[0]
    assert {chart.names[a], chart.names[b]} == {tree.leaves[first.left], tree.leaves[first.right]}
    assert height == first.height
    i, j = chart.names.index("AP"), chart.names.index("P@10")
    assert chart.values[i][j] == whole.methods["given"].agreement.of("AP", "P@10")


def test_a_curve_of_p_falls_and_keeps_both_ends(whole):
    (case,) = cases([whole])
    found = whole.methods["given"]
    chart = p_curves(case, found, "bootstrap", words("en"))
    for curve in chart.curves:
        values = [y for _, y in curve.points]
        assert values == sorted(values, reverse=True)
        assert curve.points[-1][0] == len(found.power.curves[curve.label, "bootstrap"])


def test_every_chart_makes_a_figure(whole, two):
    for several in ([whole], two):
        for block in every(page(several, "zh").blocks):
            if isinstance(block, Chart):
                ET.fromstring(to_figure(block.chart))
                assert block.chart.grid().rows


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_queries_runs_and_judgments_have_their_places(judged, lang):
    w = words(lang)
    heads = ("queries", "predictors", "standardised", "holes", "cutoffs", "across")
    for form in ("text", "md", "html", "json"):
        said = page(judged, lang).to(form)
        for name in heads:
            assert w(f"study.{name}") in said, name
        assert not re.search(r"\bnan\b", said, re.IGNORECASE)
    alone = page(judged[:1], lang).to_text()
    assert w("study.across") not in alone
    brief = page(judged, lang, brief=True).to_text()
    assert w("study.first_of", first=10, n=12, name="queries") in brief
    assert w("study.all_rows", n=12) in page(judged, lang).to_html()
    assert w("study.predictors.without_terms", n=Count(1), names="q0") in brief
    assert w("study.predictors.without_text", n=Count(1), names="q11") in brief


def test_numbers_stay_numbers_where_judgments_are_taken_away(judged):
    (one, _) = judged
    found = one.robust["graded"].holes
    taus, shares = table([one], "holes"), table([one], "hole_shares")
    assert [row[0] for row in taus.rows] == list(found.rates)
    assert taus.rows[0][1] == found.tau_at(0.9, "nDCG@5")
    assert shares.rows[0] == (1.0, *found.full_share.tolist())
    assert shares.columns[1:] == found.measures
    assert "%" not in render(shares, "csv").decode()


def test_curves_that_end_in_one_place_are_named_below(whole):
    found = whole.methods["given"]
    charts = [p_curves(cases([whole])[0], found, t, words("zh")) for t in ("bootstrap", "rthsd")]
    assert len({chart.title for chart in charts}) == 2  # the test stands in the title
    drawn = to_figure(charts[0])
    texts = [t for t in ET.fromstring(drawn).itertext() if t.strip()]
    for measure in MEASURES:
        assert measure in texts  # the name alone, without the p of the last pair
    keys = re.findall(r'class="(curve k\d s\d)"', drawn)
    assert len(keys) == 2 * len(MEASURES) and len(set(keys)) == len(MEASURES)
    assert "point" not in re.sub(r"<style>.*?</style>", "", drawn, flags=re.S)


def test_the_top_of_the_order_has_tables_of_its_own(whole):
    found = whole.methods["given"].agreement
    for name, corner, rows in (("agreement", "τ_b", found.tau),
                               ("agreement_ap", "τ_AP,b", found.tau_ap),
                               ("agreement_rbo", "RBO", found.rbo)):  # fmt: skip
        grid = table([whole], name)
        assert grid.columns == (corner, *MEASURES)
        assert [row[1:] for row in grid.rows] == list(rows)
    assert "τ_AP,b" in page([whole]).to_text() and "RBO" in page([whole], "zh").to_html()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_pair_is_no_pairs(lang):
    values = np.random.default_rng(0).random((2, 12, 2))
    runs, queries = ("a", "b"), tuple(f"q{i}" for i in range(12))
    one = studied(ScoreMatrix(runs, queries, ("AP", "RR"), values, "c"))
    said = page([one], lang).to_text() + page([one], lang).to_html()
    assert "1 pairs" not in said
    assert ("of 1 pair of systems" in said and "make 1 pair," in said) == (lang == "en")
