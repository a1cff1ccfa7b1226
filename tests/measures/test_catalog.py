from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import CATALOG, explain_family


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


def test_an_unknown_name() -> None:
    with pytest.raises(MeasureError, match="no measure is called"):
        explain_family("MAPP")
