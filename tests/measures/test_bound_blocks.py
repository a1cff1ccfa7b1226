"""Bounds of many topics at once against those that are worked out topic by topic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.measures import Hits, Judgments, heads, parse
from cranfield.measures.bound_blocks import block_bounds
from cranfield.measures.bounds import Seen, bounds
from cranfield.measures.heads import heads_of, holes_in

MEASURES = [
    "nDCG@3",
    "nDCG",
    'nDCG(gain="exp")@4',
    "nDCG(gain={0:0,1:3,2:1,3:4})@3",
    "nDCG(gain={0:0,1:0,2:0,3:0})@3",
    "nDCG_JK(b=2.5)",
    "nDCG_JK@3",
    'NCG(gain="exp")@3',
    'DCG(gain="exp")@3',
    "P@3",
    "P",
    "P(rel=2)@9",
    "R@3",
    "R(rel=2)",
    "R(rel=5)@3",
    "AP",
    "AP(rel=2)@3",
    'AP(norm="min")@3',
    "RR",
    "RR(rel=2)@3",
    "Success@2",
    "Success(rel=5)@2",
    "ERR(gmax=3)@3",
    "ERR(gmax=4)",
    "RBP(p=0.7)@3",
    "RBP(p=0.8, graded=true, gmax=3)@4",
]
LEVELS = np.arange(4.0)

# a topic: what was said of each returned document (None: nothing), and the grades of the others
topics = st.tuples(
    st.lists(st.sampled_from([None, -1.0, 0.0, 1.0, 2.0, 3.0]), max_size=9),
    st.lists(st.sampled_from([-1.0, 0.0, 1.0, 3.0]), max_size=4),
)


def block(some: list) -> tuple[Judgments, Hits]:
    query, grade, hits = [], [], []
    for q, (returned, others) in enumerate(some):
        for rank, given_ in enumerate(returned):
            if given_ is not None:
                hits.append((q, rank, len(query)))
                query.append(q)
                grade.append(given_)
        query += [q] * len(others)
        grade += others
    at = np.array(hits, np.int64).reshape(-1, 3).T
    lengths = np.array([len(returned) for returned, _ in some], np.int64)
    found = Hits(*at, at[1], np.ones(len(hits), np.int64), lengths)
    return Judgments(len(some), np.array(query, np.int64), np.array(grade)), found


def seen(returned: list, others: list) -> Seen:
    judged = [g for g in (*returned, *others) if g is not None and g >= 0]
    open_ = np.array([g is None or g < 0 for g in returned], bool)
    grade = np.array([0.0 if hole else g for g, hole in zip(returned, open_, strict=True)])
    holes = np.where(open_, np.cumsum(open_) - 1, -1)
    return Seen(np.array(judged, np.float64), (grade,), (holes,))


@pytest.mark.parametrize("text", MEASURES)
@given(some=st.lists(topics, min_size=1, max_size=6), cells=st.sampled_from([1, 8, 1 << 16]))
@settings(max_examples=60, deadline=None)
def test_a_block_has_the_bounds_of_its_topics(text, some, cells) -> None:
    measure = parse(text)
    judgments, hits = block(some)
    way = block_bounds(measure)
    low, high = np.full((2, len(some)), np.nan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads, "CELLS", cells)
        for piece in heads_of(judgments, hits, measure.cutoff, LEVELS):
            low[piece.topic], high[piece.topic] = way(piece, measure.values)
    singly = [bounds(measure, seen(*topic), LEVELS) for topic in some]
    assert low.tolist() == pytest.approx([b.low for b in singly], abs=1e-12)
    assert high.tolist() == pytest.approx([b.high for b in singly], abs=1e-12)
    assert all(b.exact for b in singly)
    wanted = [seen(*topic).cut(measure.cutoff).n_holes for topic in some]
    assert holes_in(judgments, hits, measure.cutoff).tolist() == wanted


def test_other_measures_have_no_block() -> None:
    assert all(block_bounds(parse(text)) is None for text in ("Q", "Judged@10", "nDCG'@10"))
