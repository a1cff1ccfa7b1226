"""Measures of the C/W/L framework: a reader goes on from rank i with probability C(i).

Every such reader looks at rank i with a weight W(i) that is proportional to C(1) · … · C(i−1),
and the measure is the gain that a look brings on average, Σ W(i) · g_i / gmax. Lists are
continued with worthless documents to 1000 ranks and end there, as in cwl_eval.

Moffat, Bailey, Scholer & Thomas 2017; Azzopardi, Mackenzie & Moffat 2021, "ERR is not C/W/L".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cranfield.measures.cascade import refuse_above
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats, Ints
from cranfield.measures.measure import family
from cranfield.measures.params import GMAX, Param, read_number, read_positive
from cranfield.measures.views import GradeView

DEPTH = 1000
TOPICS = 256  # that are spread out in memory at a time
RANKED = (2, 0, None, 1)
CWL = "cwl_eval; ir_measures"

# (ranks from 1, [topic, rank] gains from 0 to 1) -> [topic, rank] or [rank] the chance to go on.
GoOn = Callable[[Ints, Floats], Floats]


def _read_target(value: object) -> float:
    number = read_number(value)
    if number < 0.5:
        raise ValueError
    return number


WANTED = "the gain that the reader wants: so many documents of the largest grade"
TARGET = Param("T", 1.0, WANTED, "a number of at least 0.5", _read_target)
STOP = Param("T", 1.0, WANTED, "a number above 0", read_positive)


@family(
    "INST",
    title="INST: a reader who wants T documents, and loses heart the less of them is missing",
    formula="C(i) = ((i + T + T_i − 1) / (i + T + T_i))², T_i = T − Σ_{j≤i} g_j / gmax",
    source=f"Moffat, Bailey, Scholer & Thomas 2015; {CWL}",
    no_relevant="0",
    range=(0, 1),
    params=(TARGET, GMAX),
    example=Example("INST(gmax=2)", RANKED, (), 0.6392274032),
)
def INST(view: GradeView, *, T: float, gmax: float) -> Floats:
    """INST."""

    def go_on(i: Ints, gain: Floats) -> Floats:
        left = i + 2 * T - np.cumsum(gain, axis=1)
        return ((left - 1) / left) ** 2

    return look_rate(view, gmax, go_on, "INST")


@family(
    "INSQ",
    title="INSQ: a reader who wants T documents and becomes more patient with depth",
    formula="C(i) = ((i + 2T − 1) / (i + 2T))²",
    source=f"Moffat, Scholer & Thomas 2012; {CWL}",
    no_relevant="0",
    range=(0, 1),
    params=(TARGET, GMAX),
    example=Example("INSQ(gmax=2)", RANKED, (), 0.4192966110),
)
def INSQ(view: GradeView, *, T: float, gmax: float) -> Floats:
    """INSQ."""
    return look_rate(view, gmax, lambda i, gain: ((i + 2 * T - 1) / (i + 2 * T)) ** 2, "INSQ")


@family(
    "BPM",
    title="Bejeweled player model: a reader stops with a gain of T, or after k documents",
    formula="mean of g_i / gmax over the ranks down to the first with Σ_{j≤i} g_j / gmax ≥ T, or k",
    source=f"Zhang, Liu, Li, Zhang, Xu & Ma 2017, the static model; {CWL}",
    no_relevant="0",
    range=(0, 1),
    params=(STOP, GMAX),
    cutoff="required",
    example=Example("BPM(T=1.5, gmax=2)@10", RANKED, (), 0.375, "(2 + 0 + 0 + 1) / 2 over 4 ranks"),
)
def BPM(view: GradeView, *, k: int, T: float, gmax: float) -> Floats:
    """BPM@k."""

    def go_on(i: Ints, gain: Floats) -> Floats:
        return ((np.cumsum(gain, axis=1) < T) & (i < k)).astype(np.float64)

    return look_rate(view, gmax, go_on, "BPM")


@family(
    "SDCG",
    title="scaled DCG: DCG against a list of documents of the largest grade without end",
    formula="SDCG@k = Σ_{i≤k} (g_i / gmax) / log2(i + 1) / Σ_{i≤k} 1 / log2(i + 1)",
    source=CWL,
    no_relevant="0",
    range=(0, 1),
    params=(GMAX,),
    cutoff="required",
    example=Example("SDCG(gmax=2)@4", RANKED, (), 0.4744438181, "(1 + 0.5/2.3219) / 2.5616"),
)
def SDCG(view: GradeView, *, k: int, gmax: float) -> Floats:
    """SDCG@k."""

    def go_on(i: Ints, gain: Floats) -> Floats:
        return np.where(i < k, np.log2(i + 1) / np.log2(i + 2), 0.0)

    return look_rate(view, gmax, go_on, "SDCG")


def look_rate(view: GradeView, gmax: float, go_on: GoOn, name: str) -> Floats:
    """[n_queries] the gain a look, Σ W(i) · gain(i)."""
    refuse_above(view, gmax, name)
    ranks = np.arange(1, DEPTH + 1)
    rates = [np.zeros(0)]
    for gain in _spread(view, gmax):
        chance = np.broadcast_to(go_on(ranks, gain), gain.shape)
        look = np.ones(gain.shape)
        look[:, 1:] = np.cumprod(chance[:, :-1], axis=1)
        # running sums, whose last bits do not depend on how many topics there are
        found, looks = np.cumsum(look * gain, axis=1), np.cumsum(look, axis=1)
        rates.append(found[:, -1] / looks[:, -1])
    return np.concatenate(rates)


def _spread(view: GradeView, gmax: float) -> Iterator[Floats]:
    """The gains of all topics, [topic, rank] over `DEPTH` ranks, some topics at a time."""
    gained = (view.grade > 0) & (view.rank < DEPTH)
    query, rank, worth = view.query[gained], view.rank[gained], view.grade[gained] / gmax
    for first in range(0, view.n_queries, TOPICS):
        here = slice(*np.searchsorted(query, (first, first + TOPICS)))
        gain = np.zeros((min(TOPICS, view.n_queries - first), DEPTH))
        gain[query[here] - first, rank[here]] = worth[here]
        yield gain
