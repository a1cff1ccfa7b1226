"""The page of an experiment: the same facts in every form, both languages, safe names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cranfield.experiment.lab import lab
from cranfield.experiment.matrix import conduct
from cranfield.experiment.planfile import plan_of
from cranfield.experiment.tables import averages, rows
from cranfield.report.experiment import page
from cranfield.report.experiment_grids import averages_grid, collections_grid, results_grid
from cranfield.report.experiment_words import TEXT
from cranfield.report.language import words

MATRIX = """\
[experiment]
k = 5
measures = ["nDCG@10", "P@2"]

[[experiment.collection]]
name = "one"
path = "one"
task = "<b>words</b>"

[[experiment.collection]]
name = "two"
path = "two"

[[experiment.system]]
name = "plain"
system = "terms"

[[experiment.system]]
name = "bm25"
system = "bm25"
"""


@pytest.fixture
def found(tmp_path: Path):
    from tests.experiment.matrices import write_collection

    write_collection(tmp_path / "one")
    write_collection(tmp_path / "two", 4)
    (tmp_path / "cranfield.toml").write_text(MATRIX)
    here = lab(tmp_path)
    return conduct(here, plan_of(here.config))


def test_names_are_text_in_every_form(found) -> None:
    assert "<b>words" not in page(found).to_html() and "&lt;b&gt;words" in page(found).to_html()
    assert "<b>words" not in page(found).to_markdown()


def test_both_languages_say_the_same_numbers(found) -> None:
    def numbers(lang: str) -> list[str]:
        return re.findall(r"\d+\.\d{4}", page(found, lang).to_text())

    assert numbers("en") == numbers("zh") and len(numbers("en")) > 10
    assert not re.search(r"[a-z]{4,} [a-z]{4,} [a-z]{4,}", "".join(zh for _, zh in TEXT.values()))


def test_charts_only_where_they_can_be_seen(found) -> None:
    assert "<svg" in page(found).to_html()
    assert "run less its base" not in page(found, charts=False).to_text()


def test_grids(found) -> None:
    w = words("en")
    table = rows(found)
    first = results_grid(found, table, w)
    heads = ("collection", "retriever", "queries", "nDCG@10", "left open", "judge rate@10")
    assert first.columns == heads
    assert [row[:3] for row in first.rows] == [
        ("one", "plain", 6),
        ("one", "bm25", 6),
        ("two", "plain", 4),
        ("two", "bm25", 4),
    ]
    assert re.fullmatch(r"0\.\d{4} \[-?\d\.\d{3}, \d\.\d{3}\]", first.rows[0][3])
    low, high = map(float, first.rows[0][4].split("–"))
    mean = table[0].means[0]
    assert low <= mean.at_least < mean.value < mean.at_most <= high, "rounded outwards"
    means = averages(found, table)
    grid = averages_grid(found, means, w)
    ends = ("nDCG@10 left open", "P@2 left open")
    assert grid.columns[3:7] == ("nDCG@10", ends[0], "P@2", ends[1])
    assert grid.rows[0][:3] == ("all collections", "plain", "2")
    assert "asked" not in collections_grid(found.facts, w).columns
    sampled = tuple(replace(f, asked=3) for f in found.facts)
    assert collections_grid(sampled, w).columns[-1] == "asked"
    assert grid.rows[1][-1].endswith("2") or ", " in grid.rows[1][-1]


def test_collections_without_a_negative_are_named(found) -> None:
    bare = replace(found, facts=tuple(replace(f, negative=0, below=0) for f in found.facts))
    assert "one, two: no pair is judged not relevant" in page(bare).to_text()
    assert "no pair is judged" not in page(found).to_text()
