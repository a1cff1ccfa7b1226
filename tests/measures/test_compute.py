from __future__ import annotations

import numpy as np
import pytest

from cranfield.errors import MeasureError
from cranfield.measures import AP, CATALOG, ERR, Measure, P, Topic, block, bpref, compute, nDCG


def every_measure() -> list[Measure]:
    """One or two of each family, complete and resolved to gmax 3."""
    out = []
    for declared in CATALOG.values():
        measure = Measure(declared.name)
        out += [measure.resolve(3)] if not declared.needs_cutoff else []
        at = {"k": 3, "level": 0.3, None: None}[declared.cutoff]
        out += [(measure @ at).resolve(3)] if at else []
    return out


def test_shapes() -> None:
    values, valid = compute([AP, P @ 5], *block([Topic((1,)), Topic(), Topic((None, 2))]))
    assert values.tolist() == [[1, 0.2], [0, 0], [0.5, 0.2]]
    assert values.dtype == np.float64
    assert valid.dtype == np.bool_
    assert valid.shape == values.shape
    assert valid.all()
    assert compute([], *block([Topic()]))[0].shape == (1, 0)
    assert compute([AP], *block([]))[0].shape == (0, 1)


def test_a_topic_without_anything_is_never_nan() -> None:
    topics = [Topic(), Topic((None, None)), Topic((), (0, -1)), Topic((0, -1)), Topic((-1,))]
    values, _ = compute(every_measure(), *block(topics))
    assert np.isfinite(values).all()


def test_a_topic_without_relevant_documents_counts_as_zero() -> None:
    names = ("AP", "nDCG", "RR", "bpref", "Rprec", "R", "F", "P", "ERR", "RBP")
    values, valid = compute(
        [Measure(name).resolve(3) for name in names], *block([Topic((0, None, 0), (0,))])
    )
    assert not values.any()
    assert valid.all()


def test_plain_and_condensed_stand_side_by_side() -> None:
    topics = block([Topic((None, 1))])
    assert compute([AP, AP(condensed=True), AP], *topics)[0].tolist() == [[0.5, 1, 0.5]]


def test_expected_ties_are_refused_by_name() -> None:
    with pytest.raises(MeasureError, match="bpref has no expectation") as error:
        compute([AP, bpref], *block([Topic((1,))]), expected_ties=True)
    assert "nDCG" in str(error.value.hint)
    assert "ERR" not in str(error.value.hint)
    with pytest.raises(MeasureError, match=r"ERR\(gmax=3\)@10"):
        compute([ERR(gmax=3) @ 10], *block([Topic((1,))]), expected_ties=True)


def test_input_is_not_changed() -> None:
    judgments, hits = block([Topic((3, None, 1, -1), (2,), (4, 4, 4, 1))])
    before = [c.copy() for c in (judgments.query, judgments.grade, *vars(hits).values())]
    compute(every_measure(), judgments, hits)
    compute([AP(condensed=True), nDCG], judgments, hits, expected_ties=True)
    after = [judgments.query, judgments.grade, *vars(hits).values()]
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
