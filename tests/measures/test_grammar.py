from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import MeasureError
from cranfield.measures import (
    AP,
    BPM,
    CATALOG,
    NERR9,
    RBP,
    RR,
    F,
    IPrec,
    Measure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    RelP,
    Rprec,
    SetAP,
    Success,
    bpref,
    infAP,
    nDCG,
    parse,
    parse_many,
)

EXP = nDCG(gain="exp") @ 10


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("nDCG@10", nDCG @ 10),
        ('nDCG(gain="exp")@10', EXP),
        ("nDCG(gain='exp')@10", EXP),
        ("nDCG(gain=exp)@10", EXP),
        ("nDCG( gain = exp , k = 10 )", EXP),
        ("nDCG(gain={0:0,1:1,2:5})", nDCG(gain={0: 0, 1: 1, 2: 5})),
        ("nDCG(gain={ 1 : 0.5, 2: 1e1, })@5", nDCG(gain={1: 0.5, 2: 10}) @ 5),
        ("nDCG'@10", nDCG(condensed=True) @ 10),
        ("nDCG’@10", nDCG(condensed=True) @ 10),
        ("nDCG@10'", nDCG(condensed=True) @ 10),
        ("nDCG'(gain=exp)@10", EXP(condensed=True)),
        ("nDCG(condensed=true)@10", nDCG(condensed=True) @ 10),
        ("AP(rel=2)", AP(rel=2)),
        ("AP()", AP),
        ("AP(k=none)", AP),
        # ir_measures
        ("nDCG(dcg='exp-log2')@10", EXP),
        ("nDCG(dcg='log2')@10", nDCG @ 10),
        ("nDCG(dcg='log2', gains={0:0,1:1})", nDCG(gain={1: 1})),
        ("nDCG(gains={0:0,1:1})@5", nDCG(gain={1: 1}) @ 5),
        ("P(rel=2)@5", P(rel=2) @ 5),
        ("P(cutoff=10)", P @ 10),
        ("P(judged_only=True)@5", P(condensed=True) @ 5),
        ("SetP", P),
        ("SetR(rel=2)", R(rel=2)),
        ("SetF", F),
        ("SetP(relative=True)", RelP),
        ("SetP(relative=False)", P),
        ("SetRelP(rel=2)", RelP(rel=2)),
        ("SetAP", SetAP),
        ("infAP(rel=2)", infAP(rel=2)),
        ("IPrec@0.1", IPrec @ 0.1),
        ("IPrec(recall=0.1)", IPrec @ 0.1),
        ("BPM(T=1.0,min_rel=0,max_rel=3)@10", BPM(gmax=3) @ 10),
        ("NERR9(max_rel=3)@10", NERR9(gmax=3) @ 10),
        ("SetF(beta=0.5)", F(beta2=0.5)),
        ("Recall@100", R @ 100),
        ("Precision@5", P @ 5),
        ("MAP@100", AP @ 100),
        ("MRR@10", RR @ 10),
        ("NDCG@20", nDCG @ 20),
        ("BPref", bpref),
        ("Bpref(rel=2)", bpref(rel=2)),
        ("RPrec", Rprec),
        ("NumRet", NumRet),
        ("NumRet(rel=1)", NumRelRet),
        ("NumRet(rel=2)", NumRelRet(rel=2)),
        ("RBP(p=0.95, rel=2)", RBP(p=0.95, rel=2)),
        # trec_eval
        ("map", AP),
        ("P_10", P @ 10),
        ("P.10", P @ 10),
        ("P", P),
        ("recall_100", R @ 100),
        ("ndcg", nDCG),
        ("ndcg@10", nDCG @ 10),
        ("ndcg_cut_10", nDCG @ 10),
        ("ndcg_cut.10", nDCG @ 10),
        ("map_cut_10", AP @ 10),
        ("recip_rank", RR),
        ("bpref", bpref),
        ("Rprec", Rprec),
        ("success_1", Success @ 1),
        ("set_P", P),
        ("set_recall", R),
        ("set_F", F),
        ("set_F.0.5", F(beta2=0.5)),
        ("num_ret", NumRet),
        ("num_rel", NumRel),
        ("num_rel_ret", NumRelRet),
        ("num_q", NumQ),
    ],
)
def test_spellings(text: str, measure: Measure) -> None:
    assert parse(text) == measure
    assert parse_many([text]) == [measure]


def test_blanks_around_the_cutoff() -> None:
    assert parse(" nDCG @ 10 ") == nDCG @ 10


def test_trec_names_may_stand_for_several() -> None:
    defaults = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
    assert parse_many("P.5,10") == [P @ 5, P @ 10]
    assert parse_many("recall") == [R @ k for k in defaults]
    assert parse_many(["ndcg_cut"]) == [nDCG @ k for k in defaults]
    assert parse_many("map_cut") == [AP @ k for k in defaults]
    assert parse_many("success") == [Success @ k for k in (1, 5, 10)]
    assert parse_many("success.1,5") == [Success @ 1, Success @ 5]
    with pytest.raises(MeasureError, match="names 2 measures"):
        parse("P.5,10")


def test_several_in_one_text_and_each_once() -> None:
    text = "nDCG@10, AP ndcg_cut.10,20 P.5,10,RR;nDCG(gain={0:0, 1:1})@5,RBP(p=.9, rel=2)'"
    assert parse_many(text) == [
        nDCG @ 10,
        AP,
        nDCG @ 20,
        P @ 5,
        P @ 10,
        RR,
        nDCG(gain={1: 1}) @ 5,
        RBP(p=0.9, rel=2, condensed=True),
    ]
    assert parse_many(["MAP", "AP"]) == [AP]
    assert parse_many("") == []


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("nDGC@10", "nDCG"),
        ("NDCG10", "nDCG"),
        ("Sucess@5", "Success"),
    ],
)
def test_an_unknown_name_names_the_nearest(text: str, near: str) -> None:
    with pytest.raises(MeasureError, match="no measure is called") as error:
        parse(text)
    assert near in str(error.value.hint)


def test_a_name_like_no_other_lists_all() -> None:
    with pytest.raises(MeasureError) as error:
        parse("zzzz")
    assert "nDCG" in str(error.value.hint)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@10",
        "nDCG@",
        "nDCG@ten",
        "nDCG@10@5",
        "nDCG(k=5)@10",
        "nDCG(gain=exp",
        "nDCG(gain exp)",
        "nDCG(gain=exp gain=exp)",
        "nDCG(gain=exp, gain=linear)",
        "nDCG(gain=exp, dcg='log2')",
        "nDCG(dcg='natural')",
        "nDCG(gain={1})",
        "nDCG(gain={1:x})",
        "nDCG(gain={1:1_0})",
        "nDCG(gain={0:1})",
        "nDCG(gain={1:1e999})",
        "P(rel=1_0)",
        "P(rel=nan)",
        "P(rel=0x1)",
        "P(relative=True)",
        "RBP(p=1)",
        "P@0",
        "P_0",
        "P@1.5",
        "Rprec@5",
        "Success",
        "Judged",
        "F(beta=2)",
        "NumRel'",
        "P(rel=2)(rel=3)",
        "P\n@5x",
    ],
)
def test_texts_that_are_no_measure(text: str) -> None:
    with pytest.raises(MeasureError):
        parse(text)


VALUES = {
    "k": st.integers(1, 10**6),
    "rel": st.floats(1e-6, 1e6),
    "gmax": st.floats(1e-3, 1e3),
    "p": st.floats(0.001, 0.999),
    "beta2": st.floats(1e-3, 1e3),
    "gain": st.sampled_from(["linear", "exp"])
    | st.dictionaries(st.floats(0.1, 9), st.floats(0, 1e300), max_size=4),
    "norm": st.sampled_from(["rel", "min"]),
    "denom": st.sampled_from(["k", "min"]),
    "any_row": st.booleans(),
    "condensed": st.booleans(),
    "graded": st.booleans(),
    **{name: st.booleans() for name in ("tail", "normalize", "by_level")},
    "alpha": st.floats(0, 1),
    "b": st.floats(1.1, 1e3),
    "beta": st.floats(0.001, 0.999),
    "T": st.floats(0.5, 1e3),
    "depth": st.integers(1, 10**6) | st.just("lists"),
    "variant": st.sampled_from(["ideal", "padded", "weighted"]),
    "g": st.dictionaries(st.floats(0.1, 9), st.floats(0.1, 1), min_size=1, max_size=4),
    "level": st.floats(0, 1),
    "levels": st.lists(st.floats(0, 1), min_size=1, max_size=4),
    "convention": st.sampled_from(["ceil", "lround", "v9"]),
    "mult": st.floats(1e-3, 1e3),
    "pairs": st.sampled_from(["all", "ret"]),
    **{name: st.floats(-1e3, 1e3) for name in ("a", "c", "d", "docs")},
}


@st.composite
def measures(draw: st.DrawFn) -> Measure:
    declared = CATALOG[draw(st.sampled_from(sorted(CATALOG)))]
    chosen = {
        p.name: draw(VALUES[p.name])
        for p in declared.params
        if (p.name == declared.cutoff and declared.needs_cutoff) or draw(st.booleans())
    }
    values = {p.name: chosen.get(p.name, p.default) for p in declared.params}
    chosen = {
        p.name: chosen[p.name] for p in declared.params if p.name in chosen and p.applies(values)
    }
    return Measure(declared.name)(**chosen)


@given(measures())
def test_the_text_of_a_measure_gives_it_back(measure: Measure) -> None:
    assert parse(str(measure)) == measure
    assert parse(measure.full_name) == measure
    assert parse_many(str(measure)) == [measure]
    assert str(parse(measure.full_name)) == str(measure)
    assert hash(parse(str(measure))) == hash(measure)


@given(st.text(max_size=30) | st.text("nDCGAP()@'=\"{}:,.0123 kgainrel", max_size=30))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        measure = parse(text)
    except MeasureError:
        return
    assert parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("text", "canonical"), [("ap", "AP"), ("mAP@10", "AP@10"), ("p@5", "P@5"), ("err@5", "ERR@5")]
)
def test_another_case_is_understood_where_it_leaves_no_doubt(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


def test_a_cutoff_beyond_any_list_is_refused() -> None:
    with pytest.raises(MeasureError, match="k must be an integer"):
        parse("nDCG@99999999999999999999")
