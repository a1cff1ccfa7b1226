"""All pairs at once are each pair by itself, to the bit where sums are exact."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield.errors import InputError
from cranfield.stats.intervals import (
    bootstrap_interval,
    bootstrap_interval_all,
    t_interval,
    t_interval_all,
)
from cranfield.stats.significance import (
    bootstrap_asl,
    bootstrap_asl_all,
    paired_t,
    paired_t_all,
    randomisation,
    randomisation_all,
)

Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def x() -> Array:
    """Seven systems, two of them equal, one ahead by the same everywhere, one on thirds."""
    chance = np.random.default_rng(11)
    found = np.clip(chance.beta(1, 2, 31) + chance.normal(0, 0.2, (7, 31)), 0, 1).round(4)
    found[3] = found[1]
    found[4] = found[0] + 0.1
    found[5] = chance.integers(0, 4, 31) / 3
    return np.asarray(found)


def test_t(x: Array) -> None:
    found = paired_t_all(x)
    assert (found.n, found.pairs) == (31, 21)
    for i in range(7):
        for j in range(7):
            one = paired_t(x[i] - x[j])
            assert found.p[i, j] == pytest.approx(one.p, rel=1e-9)
            assert found.statistic[i, j] == pytest.approx(one.statistic, rel=1e-9)
            assert found.difference[i, j] == pytest.approx(one.details["mean"], abs=1e-12)
    assert found.p[1, 3] == 1 and found.p[0, 4] == 0 and found.statistic[4, 0] == np.inf


def test_randomisation(x: Array) -> None:
    found = randomisation_all(x, resamples=3000, seed=4)
    for i in range(7):
        for j in range(7):
            one = randomisation(x[i] - x[j], method="monte-carlo", resamples=3000, seed=4)
            assert found.p[i, j] == one.p
            assert found.difference[i, j] == pytest.approx(one.statistic, abs=1e-12)


def test_bootstrap(x: Array) -> None:
    found = bootstrap_asl_all(x, resamples=700, seed=4)
    for i in range(7):
        for j in range(7):
            one = bootstrap_asl(x[i] - x[j], resamples=700, seed=4)
            assert found.p[i, j] == one.p
            assert found.statistic[i, j] == pytest.approx(one.statistic, rel=1e-9)


def test_intervals(x: Array) -> None:
    t, drawn = t_interval_all(x, 0.9), bootstrap_interval_all(x, 0.9, resamples=600, seed=2)
    for i in range(7):
        for j in range(7):
            one = t_interval(x[i] - x[j], 0.9)
            assert (t.low[i, j], t.high[i, j]) == pytest.approx((one.low, one.high), abs=1e-9)
            one = bootstrap_interval(x[i] - x[j], 0.9, resamples=600, seed=2)
            two = drawn.low[i, j], drawn.high[i, j]
            assert two == pytest.approx((one.low, one.high), abs=1e-11)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_the_order_of_topics_and_systems(seed: int) -> None:
    chance = np.random.default_rng(seed)
    x = chance.random((5, 20)).round(3)
    topics, systems = chance.permutation(20), chance.permutation(5)
    t = paired_t_all(x)
    other = paired_t_all(x[systems][:, topics])
    assert other.p == pytest.approx(t.p[np.ix_(systems, systems)], rel=1e-9)
    drawn = randomisation_all(x, resamples=200, seed=1)
    again = randomisation_all(x[systems], resamples=200, seed=1)
    assert np.array_equal(again.p, drawn.p[np.ix_(systems, systems)])


def test_equal_scores_shared_by_all_change_nothing(x: Array) -> None:
    """What is added to every system on a topic is not part of any difference."""
    moved = x + np.random.default_rng(3).integers(0, 50, 31) / 10
    assert np.array_equal(randomisation_all(x).p, randomisation_all(moved).p)


_PRINT = """
import hashlib, numpy as np
from cranfield.stats.significance import bootstrap_asl_all, randomisation_all
from cranfield.stats.intervals import bootstrap_interval_all
from cranfield.stats.tukey import randomised_tukey_hsd
x = np.random.default_rng(0).beta(.7, 1.2, (60, 199))
x[20:40] = x[20:40].round(2)
x[40:] = np.rint(x[40:] * 3) / 3
bits = [randomisation_all(x, resamples=3000).p, bootstrap_asl_all(x, resamples=600).p,
        bootstrap_interval_all(x, resamples=600).low, randomised_tukey_hsd(x, resamples=99).p]
print([hashlib.sha256(b.tobytes()).hexdigest() for b in bits])
"""


def test_threads_of_the_product_change_no_bit() -> None:
    told = []
    for threads in ("1", "2"):
        env = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", _PRINT], env=env, capture_output=True, text=True, check=True
        )
        told.append(done.stdout)
    assert told[0] == told[1] and told[0].count("'") == 8


def test_very_many_topics_are_taken_in_smaller_stretches() -> None:
    x = np.random.default_rng(1).random((2, 100_000)).round(3)
    steps: list[float] = []
    found = randomisation_all(x, resamples=200, advance=steps.append)
    assert len(steps) == 2
    one = randomisation(x[0] - x[1], method="monte-carlo", resamples=200)
    assert found.p[0, 1] == one.p


def test_progress_is_told(x: Array) -> None:
    for call in (randomisation_all, bootstrap_asl_all, bootstrap_interval_all):
        steps: list[float] = []
        call(x, resamples=2500, advance=steps.append)
        assert sum(steps) == pytest.approx(1)


def test_what_is_refused() -> None:
    for call in (paired_t_all, randomisation_all, bootstrap_asl_all, t_interval_all):
        with pytest.raises(InputError, match="1 systems and 2 topics"):
            call([[1, 2]])
        with pytest.raises(InputError, match="2 systems and 1 topics"):
            call([[1], [2]])
        with pytest.raises(InputError, match="not all finite"):
            call([[1, 2], [3, np.inf]])


def test_importing_does_not_import_scipy() -> None:
    """Half a second, which most commands would pay for nothing."""
    code = (
        "import sys; from cranfield.stats import (significance, intervals, tukey, corrections,"
        " effect, equivalence, power, risk, rankcorr);"
        "a = significance.randomisation([.1, .2, -.1, .3]).p, significance.wilcoxon([.1, .2]).p;"
        "print('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    code = (
        "import sys; from cranfield.stats import significance, tukey, power;"
        "significance.paired_t([.1, .2]); tukey.tukey_hsd([[1, 2, 4], [2, 3, 3]]);"
        "power.detectable(30); print('scipy.special' in sys.modules, 'scipy.stats' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
