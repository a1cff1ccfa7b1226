"""Small score matrices, and the large ones of TREC."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike

from cranfield.data.matrix import ScoreMatrix

TOY = [
    [0.5, 0.4, 0.6, 0.3, 0.7, 0.2],
    [0.45, 0.3, 0.55, 0.35, 0.6, 0.1],
    [0.1, 0.5, 0.2, 0.4, 0.3, 0.25],
    [0.45, 0.3, 0.55, 0.35, 0.6, 0.1],
]


def of(*tables: ArrayLike, measures: tuple[str, ...] = (), name: str = "") -> ScoreMatrix:
    """A matrix of one [runs, queries] table for each measure."""
    values = np.stack([np.asarray(table, np.float64) for table in tables], axis=-1)
    m, n, s = values.shape
    return ScoreMatrix(
        tuple(f"r{i + 1}" for i in range(m)),
        tuple(f"q{i + 1}" for i in range(n)),
        measures or tuple(f"M{i + 1}" for i in range(s)),
        values,
        name,
    )


@pytest.fixture
def toy() -> ScoreMatrix:
    """Four runs on six queries; the last run is the second again."""
    return of(TOY, measures=("AP",), name="toy")


@pytest.fixture(scope="session")
def trec(shared: Path) -> Callable[[str], ScoreMatrix]:
    """Average precision of all runs of a TREC track, by the name of its file."""

    def read(file: str) -> ScoreMatrix:
        path = shared / "score-matrices" / file
        head, *rows = (line.split(",") for line in path.read_text().splitlines())
        values = np.array([row[1:] for row in rows], np.float64)[..., None]
        return ScoreMatrix(tuple(r[0] for r in rows), tuple(head[1:]), ("AP",), values, path.stem)

    return read
