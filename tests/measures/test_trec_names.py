"""The names of trec_eval."""

from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import (
    AP,
    GMAP,
    RBP,
    RR,
    AP_avgjg,
    F,
    G,
    GMbpref,
    IPrec,
    IPrecAvg,
    NumNonrelRet,
    NumPrefs,
    NumPrefsFul,
    P,
    P_avgjg,
    RBPRes,
    RelP,
    Rndcg,
    Rprec,
    Rprec_avgjg,
    SetAP,
    Unjudged,
    Utility,
    binG,
    infAP,
    nDCG,
    nDCG_rel,
    parse,
    parse_many,
    prefs_avgjg_Rnonrel,
    prefs_pair,
    prefs_simp,
    yaap,
)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("gm_map", GMAP),
        ("gm_bpref", GMbpref),
        ("infAP", infAP),
        ("set_map", SetAP),
        ("set_relative_P", RelP),
        ("relative_P_10", RelP @ 10),
        ("relative_P.10", RelP @ 10),
        ("relative_P@10", RelP @ 10),
        ("unj_5", Unjudged @ 5),
        ("num_nonrel_judged_ret", NumNonrelRet),
        ("binG", binG),
        ("G", G),
        ("ndcg_rel", nDCG_rel),
        ("Rndcg", Rndcg),
        ("yaap", yaap),
        ("11pt_avg", IPrecAvg(convention="lround")),
        ("11pt_avg.0.25,.5,.75", IPrecAvg(convention="lround", levels=[0.25, 0.5, 0.75])),
        ("11pt_avg..25,.5", IPrecAvg(convention="lround", levels=[0.25, 0.5])),
        ("iprec_at_recall_0.10", IPrec(convention="lround") @ 0.1),
        ("iprec_at_recall_1.00", IPrec(convention="lround") @ 1),
        ("iprec_at_recall..2", IPrec(convention="lround") @ 0.2),
        ("Rprec_mult_0.20", Rprec(mult=0.2)),
        ("Rprec_mult.1", Rprec),
        ("utility", Utility),
        ("utility.2,-1,0,0", Utility(a=2)),
        ("utility.1,-1,.5,-2", Utility(c=0.5, d=-2)),
        ("rbp", RBP(p=0.9, graded=True, gmax="topic")),
        ("rbp.p=0.8", RBP(p=0.8, graded=True, gmax="topic")),
        ("rbp_resid", RBPRes(p=0.9, tail=False)),
        ("ndcg.1=3,2=9,4=4.5", nDCG(gain={1: 3, 2: 9, 3: 3, 4: 4.5})),
        ("G.1=2", G(gain={1: 2})),
        ("set_F", F),
        ("map_avgjg", AP_avgjg),
        ("P_avgjg.5", P_avgjg @ 5),
        ("P_avgjg_10", P_avgjg @ 10),
        ("Rprec_mult_avgjg_0.20", Rprec_avgjg(mult=0.2)),
        ("prefs_simp", prefs_simp),
        ("prefs_simp_ret", prefs_simp(pairs="ret")),
        ("prefs_pair_imp", prefs_pair(pairs="imp")),
        ("prefs_avgjg_Rnonrel_ret", prefs_avgjg_Rnonrel(pairs="ret")),
        ("prefs_num_prefs_poss", NumPrefs),
        ("prefs_num_prefs_ful", NumPrefsFul),
        ("prefs_num_prefs_ful_ret", NumPrefsFul(pairs="ret")),
    ],
)
def test_names(text: str, measure) -> None:
    assert parse(text) == measure
    assert parse_many([text]) == parse_many(text) == [measure]
    assert parse_many(f"{text} {text}, AP") == list(dict.fromkeys([measure, AP]))


def test_lists_of_numbers() -> None:
    level = IPrec(convention="lround")
    assert parse_many("iprec_at_recall") == [level @ (i / 10) for i in range(11)]
    assert parse_many("iprec_at_recall..10,.20,.5") == [level @ 0.1, level @ 0.2, level @ 0.5]
    assert parse_many("Rprec_mult")[:2] == [Rprec(mult=0.2), Rprec(mult=0.4)]
    assert len(parse_many("Rprec_mult")) == 10
    assert len(parse_many("relative_P")) == 9
    assert len(parse_many("P_avgjg")) == 9
    assert len(parse_many("Rprec_mult_avgjg")) == 10
    assert parse_many("unj") == [Unjudged @ 5, Unjudged @ 10, Unjudged @ 20]
    assert parse_many("P.5,11pt_avg.0.5,1 RR") == [
        P @ 5,
        IPrecAvg(levels=[0.5, 1], convention="lround"),
        RR,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "P_1.5",
        "iprec_at_recall.2",
        "Rprec_mult.0",
        "ndcg.5",
        "rbp.0.8",
        "rbp.p=2",
        "unj_0",
        "G.a=3",
        "P.a=3",
    ],
)
def test_what_trec_eval_could_not_mean(text: str) -> None:
    with pytest.raises(MeasureError):
        parse(text)
