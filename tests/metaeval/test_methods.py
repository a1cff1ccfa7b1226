from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import UnknownName
from cranfield.metaeval.errors_ties import stability, worded
from cranfield.metaeval.halves import split_halves
from cranfield.metaeval.method_names import OTHERS
from cranfield.metaeval.methods import methods
from cranfield.metaeval.swaps import swaps


def _matrix(n: int = 20, low: float = 0.0) -> ScoreMatrix:
    chance = np.random.default_rng(8)
    lead = np.linspace(0, 0.4, 6)[:, None, None]
    values = np.clip(lead + chance.normal(0.3, 0.2, (6, n, 2)), low, 1)
    return ScoreMatrix(
        tuple(f"系统{i}" for i in range(6)), tuple(map(str, range(n))), ("AP", "P@10"), values
    )


def test_each_method_as_alone() -> None:
    scores = _matrix()
    found = methods(scores, ["tukey", *OTHERS], seed=5)
    assert found.measures == found.power.measures == found.agreement.measures == scores.measures
    assert [row.measure for row in found.design.rows] == ["AP", "P@10"]
    for name in scores.measures:
        x, one = scores.of(name), found.of(name)
        assert one.by_topic == worded(x) and one.by_sets == stability(x, seed=5)
        assert one.halves == split_halves(x, seed=5)
        assert one.swaps is not None and one.curve is not None and one.beyond is not None
        assert one.swaps.rates == swaps(x, seed=5).rates
        assert one.swaps_replacement.size == one.beyond.size == 20
        assert one.normal.sizes == (10, 20)
    with pytest.raises(UnknownName, match="no measure 'RR'"):
        found.of("RR")


def test_what_cannot_be_had_is_none() -> None:
    """Of three topics there are no halves, and of scores below 0 no shares."""
    few = methods(_matrix(3), OTHERS).of("AP")
    assert few.swaps is few.beyond is few.halves is None and few.by_sets is not None
    below = methods(_matrix(low=-1.0), OTHERS).of("AP")
    assert below.by_topic is below.by_sets is below.curve is None and below.swaps is not None
    assert methods(_matrix(2), OTHERS).of("AP").swaps_replacement.size == 2
