"""A study at the Python prompt."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import ScoreMatrix, study
from cranfield.report import pages


@pytest.fixture(scope="module")
def matrix() -> ScoreMatrix:
    rng = np.random.default_rng(0)
    quality = np.linspace(0.2, 0.6, 6)[:, None]
    layers = [np.clip(quality + rng.normal(0, sd, (6, 20)), 0, 1) for sd in (0.3, 0.05)]
    layers.append(np.zeros((6, 20)))
    names = tuple(f"r{i}" for i in range(6)), tuple(f"q{i}" for i in range(20))
    return ScoreMatrix(*names, ("钝<b>", "sharp", "AP"), np.stack(layers, axis=2), "集合")


def test_the_measures_in_order_with_what_was_left_out(matrix):
    found = study(matrix, None, ["钝<b>", "sharp"], min_ap=None, resamples=50, sizes=())
    shares = found["given"].discrimination
    title, head, first, second, *more = repr(found).splitlines()
    assert title == "Study of 集合: 6 runs, 20 queries, 15 pairs; told apart at 0.05"
    assert head.split("  ")[0].strip() == "measure" and "above next" in head
    assert first.startswith("sharp") and f"{100 * shares.at('sharp', 0.05):.2f} %" in first
    assert second.startswith("钝<b>") and "settled" in first and "settled" not in second
    assert more == ["20 queries are too few for 10 parts of two or more"] or not more
    shown = found._repr_html_()
    assert "钝&lt;b&gt;" in shown and "<b>" not in shown


def test_without_resamples_and_at_other_levels(matrix):
    found = study(matrix, None, "sharp", min_ap=None, resamples=0, levels=(0.01, 0.02), sizes=())
    assert "told apart at 0.02" in repr(found) and "low" not in repr(found)


def test_a_page_is_made_of_a_study_alone(matrix):
    found = study(matrix, None, ["sharp"], min_ap=None, resamples=0, sizes=(), parts=())
    page = pages.study(found, "zh")
    assert "集合" in page.title and page.to_html().startswith("<!")
    assert pages.study([found], "zh") == page
