"""Nearly ERR: four readers who stop when they are satisfied, as the C/W/L framework has them.

Azzopardi, Mackenzie & Moffat 2021, "ERR is not C/W/L: Exploring the Relationship Between Expected
Reciprocal Rank and Other Metrics", equations 8 to 11.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.measures.cwl import CWL, TARGET, look_rate
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import GMAX, PERSISTENCE
from cranfield.measures.views import GradeView

RANKED = (2, 0, None, 1)
SOURCE = f"Azzopardi, Mackenzie & Moffat 2021; {CWL}"


@family(
    "NERR8",
    title="nearly ERR, equation 8: a reader who leaves when satisfied, or at rank k",
    formula="C(i) = 1 − g_i / gmax for i < k, 0 from there on (see INST)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=(GMAX,),
    cutoff="required",
    example=Example("NERR8(gmax=4)@3", RANKED, (), 0.25, "(2/4 · 1 + 0 + 0) / (1 + 1/2 + 1/2)"),
)
def NERR8(view: GradeView, *, k: int, gmax: float) -> Floats:
    """NERR8@k."""
    return look_rate(view, gmax, lambda i, gain: np.where(i < k, 1 - gain, 0.0), "NERR8")


@family(
    "NERR9",
    title="nearly ERR, equation 9: as NERR8, but going on is ever less likely to begin with",
    formula="C(i) = i / (i + 1) · (1 − g_i / gmax) for i < k, 0 from there on (see INST)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=(GMAX,),
    cutoff="required",
    example=Example("NERR9(gmax=4)@3", RANKED, (), 0.3529411765, "(2/4) / (1 + 1/4 + 1/6)"),
)
def NERR9(view: GradeView, *, k: int, gmax: float) -> Floats:
    """NERR9@k."""
    return look_rate(
        view, gmax, lambda i, gain: np.where(i < k, i / (i + 1) * (1 - gain), 0.0), "NERR9"
    )


@family(
    "NERR10",
    title="nearly ERR, equation 10: leaves when satisfied, else goes on with probability p",
    formula="C(i) = p · (1 − g_i / gmax) (see INST)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=(replace(PERSISTENCE, default=0.9), GMAX),
    example=Example("NERR10(p=0.5, gmax=2)", (1, 2), (), 0.6, "(1/2 · 1 + 1 · 1/4) / (1 + 1/4)"),
)
def NERR10(view: GradeView, *, p: float, gmax: float) -> Floats:
    """NERR10."""
    return look_rate(view, gmax, lambda i, gain: p * (1 - gain), "NERR10")


@family(
    "NERR11",
    title="nearly ERR, equation 11: leaves when satisfied, else goes on as in INSQ",
    formula="C(i) = ((i + 2T − 1) / (i + 2T))² · (1 − g_i / gmax) (see INST)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=(TARGET, GMAX),
    example=Example(
        "NERR11(gmax=2)", (1, 2), (), 0.5909090909, "C(1) = 4/9 · 1/2: (1/2 + 2/9) / (1 + 2/9)"
    ),
)
def NERR11(view: GradeView, *, T: float, gmax: float) -> Floats:
    """NERR11."""
    return look_rate(
        view,
        gmax,
        lambda i, gain: ((i + 2 * T - 1) / (i + 2 * T)) ** 2 * (1 - gain),
        "NERR11",
    )
