"""Laws that hold for all measures of the catalogue, those of tomorrow included."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import MeasureError
from cranfield.measures import (
    AP,
    CATALOG,
    ERR,
    GAP,
    GMAP,
    INSQ,
    NCG,
    RBP,
    RR,
    SDCG,
    AnDCG,
    AP_Wu,
    Compatibility,
    G,
    GradeView,
    Hits,
    IPrec,
    IPrecAvg,
    Judgments,
    Measure,
    O,
    P,
    P_Wu,
    PMeasure,
    PPlus,
    Q,
    RelP,
    Rndcg,
    RP_Wu,
    Rprec,
    RR_Wu,
    Topic,
    binG,
    block,
    compute,
    infAP,
    nDCG,
    nDCG_JK,
    nDCG_rel,
    nERR,
    yaap,
)

MAX_GRADE = 3


def variants() -> list[Measure]:
    """Of every family its default and, for each parameter, members that differ there."""
    other = {
        "k": (1, 4, 50),
        "rel": (2, 0.5),
        "gain": ("exp", {0.5: 1, 1: 1, 2: 0, 3: 7}),
        "norm": ("min",),
        "beta2": (4,),
        "p": (0.5,),
        "graded": (True,),
        "denom": ("k",),
        "any_row": (True,),
        "condensed": (True,),
        "gmax": (5,),
        "level": (0.1, 1),
        "levels": ((0, 0.5, 0.7),),
        "by_level": (True,),
        "convention": ("lround", "v9"),
        "mult": (0.4, 2),
        "outcomes": (3,),
        "tail": (False,),
        "normalize": (False, True),
        "beta": (0, 0.3, 4),
        "alpha": (0, 0.3, 1),
        "T": (2.5,),
        "depth": (3, "lists"),
        "variant": ("padded", "weighted"),
        "g": ({0.5: 0.5, 2: 0.5},),
        "b": (10,),
        "pairs": ("imp", "ret"),
        **dict.fromkeys(("a", "c", "d", "docs"), (0.5,)),
    }
    out: list[Measure] = []
    for family in CATALOG.values():
        at = {"k": 10, "level": 0.5}
        given = ((family.cutoff, at[family.cutoff]),) if family.needs_cutoff else ()
        base = Measure(family.name, given)
        out.append(base)
        for param in family.params:
            if param.applies(base.values):
                for value in other[param.name]:
                    with suppress(MeasureError):  # allowed for another family only
                        out.append(base(**{param.name: value}))
    out.append(RBP(graded=True, gmax="topic"))
    return list(dict.fromkeys(measure.resolve(MAX_GRADE) for measure in out))


ALL = variants()
NAMES = [str(measure) for measure in ALL]

GRADES = st.sampled_from([-1, 0, 0.5, 1, 2, 3])
TOPICS = st.builds(Topic, st.lists(st.none() | GRADES, max_size=12), st.lists(GRADES, max_size=6))
JUDGED = st.lists(st.sampled_from([0, 0.5, 1, 2, 3]), max_size=12)


def values_of(topics: list[Topic], measures: list[Measure] = ALL) -> np.ndarray:
    return compute(measures, *block(topics))[0]


@given(st.lists(TOPICS, max_size=5))
def test_values_stay_in_the_declared_range_and_are_never_nan(topics: list[Topic]) -> None:
    values, valid = compute(ALL, *block(topics))
    for column, measure in enumerate(ALL):
        low, high = measure.definition.range
        mine = values[valid[:, column], column]
        assert ((mine >= low) & (mine <= high * (1 + 1e-12))).all(), (measure, mine)
    assert np.isfinite(values).all()
    assert not values[~valid].any()


@given(st.lists(TOPICS, max_size=6), st.data())
def test_blocks_may_be_cut_anywhere(topics: list[Topic], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(topics)))
    parts = np.concatenate([values_of(topics[:cut]), values_of(topics[cut:])])
    assert values_of(topics).tobytes() == parts.tobytes()


@given(st.lists(TOPICS, max_size=6), st.randoms())
def test_topics_may_be_numbered_afresh(topics: list[Topic], rng) -> None:
    order = list(range(len(topics)))
    rng.shuffle(order)
    shuffled = values_of([topics[i] for i in order])
    assert values_of(topics)[order].tobytes() == shuffled.tobytes()


@given(st.lists(TOPICS, max_size=4), st.randoms())
def test_rows_of_the_qrels_may_stand_in_any_order(topics: list[Topic], rng) -> None:
    judgments, hits = block(topics)
    order = list(range(len(judgments.query)))
    rng.shuffle(order)
    index = np.array(order, np.int64)
    place = np.argsort(index)
    moved = Judgments(judgments.n_queries, judgments.query[index], judgments.grade[index])
    row = place[hits.row] if len(hits.row) else hits.row
    same = Hits(hits.query, hits.rank, row, hits.tie_start, hits.tie_len, hits.n_ret)
    assert compute(ALL, moved, same)[0].tobytes() == values_of(topics).tobytes()


@given(TOPICS)
def test_measures_do_not_depend_on_what_is_computed_beside_them(topic: Topic) -> None:
    together = values_of([topic])
    alone = [values_of([topic], [measure])[0, 0] for measure in ALL]
    assert together[0].tolist() == alone


@given(JUDGED, JUDGED)
def test_condensed_is_plain_when_everything_is_judged(ranked: list, missed: list) -> None:
    able = [m for m in ALL if "condensed" in m.values]
    topic = [Topic(ranked, missed)]
    plain = values_of(topic, [m(condensed=False) for m in able])
    assert plain.tobytes() == values_of(topic, [m(condensed=True) for m in able]).tobytes()


@given(TOPICS)
def test_condensed_is_the_measure_of_the_shorter_list(topic: Topic) -> None:
    able = [m for m in ALL if "condensed" in m.values]
    short = Topic([g for g in topic.ranked if g is not None and g >= 0], topic.missed)
    unjudged = [g for g in topic.ranked if g is not None and g < 0]
    short = Topic(short.ranked, [*topic.missed, *unjudged])
    plain = values_of([short], [m(condensed=False) for m in able])
    assert plain.tobytes() == values_of([topic], [m(condensed=True) for m in able]).tobytes()


@given(st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=8), st.integers(0, 3))
def test_the_ideal_order_has_everything(relevant: list[int], zeros: int) -> None:
    topic = Topic([*sorted(relevant, reverse=True), *[0] * zeros])
    perfect = [AP, Rprec, nDCG, nDCG @ 3, nDCG(gain="exp"), nDCG(gain="exp") @ 10]
    perfect += [AP(norm="min") @ 5, RelP, RelP @ 3, binG, G, nDCG_rel, Rndcg, Rndcg(gain="exp")]
    perfect += [IPrec @ 1, IPrecAvg, GMAP, nDCG_JK, nDCG_JK(b=10), AnDCG @ 5, NCG, NCG @ 2]
    perfect += [nERR(gmax=3), nERR(gmax=4) @ 2, Q, Q(gain="exp"), Q @ 2, O, PMeasure, PPlus]
    perfect += [GAP(gmax=3), GAP(g={1: 0.5, 3: 0.5}), RP_Wu, RP_Wu(by_level=True)]
    perfect += [AP_Wu, AP_Wu(variant="padded"), Compatibility, Compatibility(p=0.8, depth=3)]
    assert values_of([topic], perfect) == pytest.approx(1, abs=1e-15)


@given(
    st.lists(st.none() | GRADES, min_size=2, max_size=10), st.lists(GRADES, max_size=4), st.data()
)
def test_a_better_document_moved_up_never_hurts(ranked: list, missed: list, data) -> None:
    upper = data.draw(st.integers(0, len(ranked) - 2))
    lower = data.draw(st.integers(upper + 1, len(ranked) - 1))
    worth = [max(ranked[i] or 0, 0) for i in (upper, lower)]
    if worth[0] >= worth[1]:
        return
    better = list(ranked)
    better[upper], better[lower] = ranked[lower], ranked[upper]
    monotone = [
        *(AP, AP(rel=2), AP @ 5, nDCG, nDCG @ 5, nDCG(gain="exp")),
        *(RBP, RBP(graded=True, gmax=3), ERR(gmax=3), ERR(gmax=3) @ 5),
        *(nDCG_JK, NCG, NCG @ 3, AnDCG @ 4, nERR(gmax=3), AP_Wu(variant="weighted"), RP_Wu),
        *(P_Wu(gmax=3) @ 4, RR_Wu(gmax=3), GAP(gmax=3), INSQ(gmax=3), SDCG(gmax=3) @ 5),
        *(Compatibility, Compatibility(p=0.5, depth=4)),
        *(binG, yaap, RelP @ 3, Rprec, Rprec(mult=0.4), IPrec @ 0.5, IPrecAvg),
    ]
    before, after = values_of([Topic(ranked, missed), Topic(better, missed)], monotone)
    assert (after >= before - 1e-12).all()


@given(
    st.lists(st.none() | st.sampled_from([-1, 0, 1]), max_size=12),
    st.lists(st.sampled_from([-1, 0, 1]), max_size=6),
)
def test_with_two_grades_the_graded_measures_are_the_binary_ones(
    ranked: list, missed: list
) -> None:
    pairs = [
        *((AP_Wu(variant="padded"), AP), (AP_Wu(variant="weighted"), AP), (GAP(gmax=1), AP)),
        *((P_Wu(gmax=1) @ 10, P @ 10), (RP_Wu, Rprec), (RP_Wu(by_level=True), Rprec)),
        *((RR_Wu(gmax=1), RR), (NCG @ 5, RelP @ 5), (Q(beta=0), AP), (GAP(g={1: 1}), AP)),
    ]
    one, other = ([pair[side] for pair in pairs] for side in (0, 1))
    topic = [Topic(ranked, missed)]
    assert values_of(topic, one)[0] == pytest.approx(values_of(topic, other)[0], abs=1e-12)


@given(
    st.lists(st.none() | st.sampled_from([0, 1]), max_size=12),
    st.lists(st.sampled_from([0, 1]), max_size=6),
)
def test_the_literal_ap_wu_is_above_ap_below_rank_r(ranked: list, missed: list) -> None:
    literal, plain = values_of([Topic(ranked, missed)], [AP_Wu, AP])[0]
    R = ranked.count(1) + missed.count(1)
    if 1 in ranked[R:]:
        assert literal > plain
    else:
        assert literal == pytest.approx(plain)


@given(TOPICS)
def test_measures_that_are_others_with_a_choice(topic: Topic) -> None:
    pairs = [(Q(beta=0), AP), (Q(beta=0, rel=2), AP(rel=2)), (GAP(g={2: 1}), AP(rel=2))]
    one, other = ([pair[side] for pair in pairs] for side in (0, 1))
    assert values_of([topic], one)[0] == pytest.approx(values_of([topic], other)[0], abs=1e-12)


@given(st.lists(st.sampled_from([0, 1, 2]), max_size=12), st.lists(st.sampled_from([0, 1])))
def test_inferred_ap_is_ap_where_all_is_judged(ranked: list, missed: list) -> None:
    inferred, plain = values_of([Topic(ranked, missed)], [infAP, AP])[0]
    assert inferred == pytest.approx(plain, abs=1e-4)


@given(TOPICS)
def test_a_view_condensed_twice_is_condensed_once(topic: Topic) -> None:
    judgments, hits = block([topic])
    once = GradeView(judgments, hits, condensed=True)
    again = Hits(once.query, once.rank, once.row, once.tie_start, once.tie_len, once.n_ret)
    twice = GradeView(judgments, again, condensed=True)
    for name in ("query", "rank", "row", "tie_start", "tie_len", "n_ret"):
        assert getattr(once, name).tolist() == getattr(twice, name).tolist()


def test_no_family_is_left_out() -> None:
    assert {measure.family for measure in ALL} == set(CATALOG)
    assert len(NAMES) == len(set(NAMES))
