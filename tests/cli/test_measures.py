"""`cranfield measures`."""

from __future__ import annotations

import pytest

from cranfield.measures import CATALOG


def test_the_list_names_every_measure(cranfield):
    ended = cranfield("measures")
    assert ended.code == 0
    for family in CATALOG.values():
        assert any(line.startswith(family.name) for line in ended.out.splitlines())


@pytest.mark.parametrize("name", list(CATALOG))
def test_a_page_tells_what_the_declaration_says(cranfield, name):
    out = cranfield("measures", name).out
    family = CATALOG[name]
    for text in (family.formula, family.source, family.no_relevant, family.example.measure):
        assert text in out


@pytest.mark.parametrize("name", ["ndcg_cut_10", "NDCG", 'nDCG(gain="exp")@10', "nDCG'@10"])
def test_other_spellings_find_the_page(cranfield, name):
    assert cranfield("measures", name).out.startswith("nDCG(")


def test_an_unknown_name_gets_the_nearest(cranfield):
    ended = cranfield("measures", "nDGC")
    assert ended.code == 2
    assert "nDCG" in ended.err
