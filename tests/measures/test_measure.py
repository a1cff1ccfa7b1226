from __future__ import annotations

import pickle

import numpy as np
import pytest

from cranfield.errors import MeasureError
from cranfield.measures import (
    AP,
    CATALOG,
    DCG,
    ERR,
    RBP,
    RR,
    Family,
    Judged,
    Measure,
    NumRel,
    P,
    RBPRes,
    Rprec,
    Success,
    block,
    compute,
    family,
    nDCG,
)
from cranfield.measures.declaration import find_family
from cranfield.measures.example import Topic, example_block
from cranfield.measures.grammar import parse


def test_a_measure_is_a_value() -> None:
    assert nDCG @ 10 == nDCG(k=10) == nDCG(gain="linear") @ 10 == Measure("nDCG", (("k", 10),))
    assert nDCG @ 10 != nDCG @ 5
    assert (
        len({nDCG(gain={1: 1, 2: 5}), nDCG(gain={2: 5.0, 0: 0, 1: 1}), P(rel=2), P(rel=2.0)}) == 2
    )
    assert pickle.loads(pickle.dumps(nDCG(gain="exp") @ 10)) == nDCG(gain="exp") @ 10
    assert Measure("MAP") == AP
    assert P(k=np.int64(5), rel=np.float64(2)) == P(rel=2) @ 5


def test_calling_changes_only_what_is_said() -> None:
    assert (nDCG @ 10)(gain="exp") == nDCG(gain="exp", k=10)
    assert (nDCG @ 10)(k=None) == nDCG
    assert nDCG(gain="exp")(gain="linear") == nDCG


@pytest.mark.parametrize(
    ("measure", "text", "full"),
    [
        (nDCG @ 10, "nDCG@10", 'nDCG(gain="linear")@10'),
        (nDCG(gain="exp") @ 10, 'nDCG(gain="exp")@10', 'nDCG(gain="exp")@10'),
        (DCG, "DCG", 'DCG(gain="linear")'),
        (nDCG(gain={1: 1, 2: 5}), "nDCG(gain={0:0,1:1,2:5})", "nDCG(gain={0:0,1:1,2:5})"),
        (nDCG(condensed=True) @ 10, "nDCG'@10", 'nDCG\'(gain="linear")@10'),
        (AP(condensed=True, rel=2), "AP'(rel=2)", "AP'(rel=2)"),
        (P @ 5, "P@5", "P@5"),
        (RR(rel=0.5) @ 10, "RR(rel=0.5)@10", "RR(rel=0.5)@10"),
        (AP(norm="min") @ 10, 'AP(norm="min")@10', 'AP(norm="min")@10'),
        (ERR @ 10, "ERR@10", "ERR@10"),
        (ERR(gmax=3) @ 10, "ERR(gmax=3)@10", "ERR(gmax=3)@10"),
        (RBP, "RBP", "RBP(p=0.8)"),
        (RBP(p=0.95, graded=True), "RBP(p=0.95, graded=true)", "RBP(p=0.95, graded=true)"),
        (RBPRes @ 10, "RBPRes@10", "RBPRes(p=0.8)@10"),
        (Judged(denom="k") @ 10, 'Judged(denom="k")@10', 'Judged(denom="k")@10'),
    ],
)
def test_text_and_full_name(measure: Measure, text: str, full: str) -> None:
    assert str(measure) == text
    assert measure.full_name == full
    assert parse(text) == parse(full) == measure


def test_resolve_fills_an_open_gmax_and_nothing_else() -> None:
    assert ERR.resolve(3) == ERR(gmax=3)
    assert ERR(gmax=4).resolve(3) == ERR(gmax=4)
    assert RBP(graded=True).resolve(2) == RBP(graded=True, gmax=2)
    assert RBP.resolve(2) == RBP
    assert nDCG.resolve(2) == nDCG
    assert ERR.resolve(0) == ERR(gmax=1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nDCG(gian="exp"), "no parameter 'gian'"),
        (lambda: P(k=0), "k must be an integer of at least 1, not 0"),
        (lambda: P @ -1, "k must be"),
        (lambda: P @ 2.5, "k must be"),
        (lambda: P @ "10", "k must be"),
        (lambda: P(k=True), "k must be"),
        (lambda: P(rel=0), "rel must be a number above 0, not 0"),
        (lambda: P(rel=-1), "rel must be"),
        (lambda: P(rel=float("nan")), "rel must be"),
        (lambda: P(rel=float("inf")), "rel must be"),
        (lambda: P(rel=None), "rel must be"),
        (lambda: RBP(p=1), "p must be a number between 0 and 1"),
        (lambda: RBP(p=0), "p must be"),
        (lambda: nDCG(gain="exponential"), "gain must be"),
        (lambda: nDCG(gain={0: 1}), "gain must be"),
        (lambda: nDCG(gain={1: -1}), "gain must be"),
        (lambda: nDCG(gain={-1: 1}), "gain must be"),
        (lambda: nDCG(gain=((1, 1), (1, 2))), "gain must be"),
        (lambda: nDCG(gain=5), "gain must be"),
        (lambda: AP(norm="R"), 'norm must be "rel" or "min"'),
        (lambda: AP(condensed=1), "condensed must be true or false"),
        (lambda: ERR(gmax=0), "gmax must be"),
        (lambda: RBP(gmax=3), "gmax means nothing with graded=false"),
        (lambda: RBP(rel=2, graded=True), "rel means nothing with graded=true"),
        (lambda: Rprec @ 10, "Rprec takes no cutoff"),
        (lambda: NumRel(condensed=True), "no parameter 'condensed'"),
        (lambda: Measure("nDGC"), "no measure is called 'nDGC'"),
    ],
)
def test_what_is_not_allowed_is_said_in_words(make, message: str) -> None:
    with pytest.raises(MeasureError) as error:
        make()
    assert message in error.value.message


def test_a_wrong_parameter_lists_the_right_ones_with_their_defaults() -> None:
    with pytest.raises(MeasureError) as error:
        nDCG(g=1)
    assert error.value.hint == 'its parameters: k=none, gain="linear", condensed=false'


def test_a_cutoff_that_lacks_is_an_error_with_an_example() -> None:
    with pytest.raises(MeasureError, match=r"needs a cutoff") as error:
        compute([Success], *block([Topic((1,))]))
    assert "Success@10" in str(error.value.hint)


@pytest.mark.parametrize("declared", CATALOG.values(), ids=lambda f: f.name)
def test_the_worked_example_of_each_family(declared: Family) -> None:
    measure = parse(declared.example.measure)
    assert measure.definition is declared
    values, valid = compute([measure], *example_block(declared.example))
    assert valid.all()
    assert values[0, 0] == pytest.approx(declared.example.value, abs=5e-11)


def test_names_and_aliases_belong_to_one_family_each() -> None:
    names = [name for f in CATALOG.values() for name in (f.name, *f.aliases)]
    assert len(names) == len(set(names))
    assert find_family("recip_rank") is CATALOG["RR"]


def test_a_family_of_a_stranger_goes_by_the_same_door() -> None:
    example = CATALOG["NumQ"].example
    try:

        @family(
            "Half",
            title="half",
            formula="1/2",
            source="this test",
            no_relevant="1/2",
            range=(0, 1),
            cutoff="optional",
            example=example,
        )
        def half(view, *, k):
            return np.full(view.n_queries, 0.5)

        assert parse("Half'@3") == half(condensed=True) @ 3
        assert compute([half], *block([Topic()]))[0].tolist() == [[0.5]]
    finally:
        CATALOG.pop("Half")
