from __future__ import annotations

from dataclasses import replace

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import CATALOG, explain_family, in_order


@pytest.mark.parametrize("name", CATALOG)
def test_every_family_explains_itself(name: str) -> None:
    told = explain_family(name)
    for key in ("title", "formula", "range", "no_relevant", "ties", "source"):
        assert told[key]
        assert "\n" not in told[key]
    assert all(p["help"] and p["allowed"] for p in told["parameters"])


def test_an_alias_explains_the_family() -> None:
    told = explain_family("MAP")
    assert told["name"] == "AP"
    assert [p["name"] for p in told["parameters"]] == ["k", "rel", "norm", "condensed"]
    assert told["range"] == "0 to 1"
    assert explain_family("DCG")["range"] == "0 to ∞"
    assert explain_family("Success")["parameters"][0]["default"] == "required"


def test_lists_show_every_family_once_and_the_everyday_ones_first() -> None:
    shown = in_order()
    names = [family.name for families in shown.values() for family in families]
    assert sorted(names) == sorted(CATALOG)
    assert names[:2] == ["nDCG", "AP"]
    assert "others" not in shown
    assert [f.name for f in in_order()["several people and preferences"]][-6:] == [
        name for name in names if CATALOG[name].view == "preferences"
    ]


def test_a_family_of_a_stranger_comes_last() -> None:
    CATALOG["Stranger"] = replace(CATALOG["AP"], name="Stranger")
    try:
        assert [f.name for f in in_order()["others"]] == ["Stranger"]
    finally:
        del CATALOG["Stranger"]


def test_an_unknown_name() -> None:
    with pytest.raises(MeasureError, match="no measure is called"):
        explain_family("MAPP")
