"""Data of the statistics: three systems of a textbook, two runs of TREC-8."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

_TABLE = """
.7 .3 .2 .6 .4 .4 0 .7 .1 .3 .5 .4 0 .6 .5 .3 .1 .5 .2 .1
.5 .1 0 .2 .4 .3 0 .5 .3 .3 .4 .4 .1 .4 .2 .1 .1 .6 .3 .2
0 0 .2 .1 .3 .3 .1 .2 .4 .4 .4 .3 .3 .2 .2 .2 .1 .5 .4 .3
"""


@pytest.fixture(scope="session")
def abc() -> NDArray[np.float64]:
    """The three systems and twenty topics of Table 5.1 in Sakai (2018), [3, 20]."""
    return np.array([line.split() for line in _TABLE.strip().splitlines()], np.float64)


@pytest.fixture(scope="session")
def ab(abc: NDArray[np.float64]) -> NDArray[np.float64]:
    """The differences of the first two, with the noise that subtraction leaves."""
    return np.asarray(abc[0] - abc[1])


@pytest.fixture(scope="session")
def trec8(shared: Path) -> tuple[list[str], NDArray[np.float64]]:
    """Names and average precision of 129 runs on 50 topics of TREC-8."""
    lines = (shared / "score-matrices" / "trec8-adhoc-ap-129x50.csv").read_text().splitlines()[1:]
    names = [line.split(",")[0] for line in lines]
    return names, np.array([line.split(",")[1:] for line in lines], np.float64)
