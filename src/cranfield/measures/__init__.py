"""Measures of a ranked list: one declaration each, one implementation each.

>>> from cranfield.measures import parse
>>> str(parse("ndcg_cut_10"))
'nDCG@10'
"""

from cranfield.measures.blended import O, PMeasure, PPlus, Q
from cranfield.measures.bpref import bpref as bpref
from cranfield.measures.buckley import G, Rndcg, binG, nDCG_rel, yaap
from cranfield.measures.cascade import ERR, RBP, RBPRes, nERR
from cranfield.measures.catalog import explain_family, in_order
from cranfield.measures.compatibility import Compatibility
from cranfield.measures.compute import VIEWS, compute, require_complete
from cranfield.measures.coverage import (
    Judged,
    NumNonrelRet,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    Unjudged,
)
from cranfield.measures.cwl import BPM, INSQ, INST, SDCG
from cranfield.measures.declaration import CATALOG, Example, Family
from cranfield.measures.diversity import (
    AP_IA,
    ERR_IA,
    NRBP,
    P_IA,
    StRecall,
    alpha_DCG,
    alpha_nDCG,
    nERR_IA,
    nNRBP,
)
from cranfield.measures.example import Topic, block, example_block
from cranfield.measures.gain import DCG, nDCG
from cranfield.measures.gap import GAP
from cranfield.measures.geometric import GMAP, GMbpref
from cranfield.measures.grammar import parse, parse_many
from cranfield.measures.groups import AP_avgjg, P_avgjg, Rprec_avgjg
from cranfield.measures.hits import Aspects, Hits, Judgments, Opinions
from cranfield.measures.inferred import infAP, xinfAP
from cranfield.measures.interpolated import IPrec, IPrecAvg
from cranfield.measures.jarvelin import NCG, AnDCG, nDCG_JK
from cranfield.measures.measure import Measure, family
from cranfield.measures.nearly_err import NERR8, NERR9, NERR10, NERR11
from cranfield.measures.opinions import GroupView, PreferenceView
from cranfield.measures.params import Param
from cranfield.measures.precision import AP, RR, F, P, R, Rprec, Success
from cranfield.measures.preference import (
    NumPrefs,
    NumPrefsFul,
    prefs_avgjg,
    prefs_avgjg_Rnonrel,
    prefs_pair,
    prefs_simp,
)
from cranfield.measures.relstring import relstring
from cranfield.measures.sets import RelP, SetAP, Utility
from cranfield.measures.subtopics import SubtopicView
from cranfield.measures.views import GradeView
from cranfield.measures.wu import AP_Wu, P_Wu, RP_Wu, RR_Wu
from cranfield.stats.rbo import RBO, rbo

__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "CATALOG",
    "DCG",
    "ERR",
    "ERR_IA",
    "GAP",
    "GMAP",
    "INSQ",
    "INST",
    "NCG",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "P_IA",
    "RBO",
    "RBP",
    "RR",
    "SDCG",
    "VIEWS",
    "AP_Wu",
    "AP_avgjg",
    "AnDCG",
    "Aspects",
    "Compatibility",
    "Example",
    "F",
    "Family",
    "G",
    "GMbpref",
    "GradeView",
    "GroupView",
    "Hits",
    "IPrec",
    "IPrecAvg",
    "Judged",
    "Judgments",
    "Measure",
    "NumNonrelRet",
    "NumPrefs",
    "NumPrefsFul",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "O",
    "Opinions",
    "P",
    "PMeasure",
    "PPlus",
    "P_Wu",
    "P_avgjg",
    "Param",
    "PreferenceView",
    "Q",
    "R",
    "RBPRes",
    "RP_Wu",
    "RR_Wu",
    "RelP",
    "Rndcg",
    "Rprec",
    "Rprec_avgjg",
    "SetAP",
    "StRecall",
    "SubtopicView",
    "Success",
    "Topic",
    "Unjudged",
    "Utility",
    "alpha_DCG",
    "alpha_nDCG",
    "binG",
    "block",
    "bpref",
    "compute",
    "example_block",
    "explain_family",
    "family",
    "in_order",
    "infAP",
    "nDCG",
    "nDCG_JK",
    "nDCG_rel",
    "nERR",
    "nERR_IA",
    "nNRBP",
    "parse",
    "parse_many",
    "prefs_avgjg",
    "prefs_avgjg_Rnonrel",
    "prefs_pair",
    "prefs_simp",
    "rbo",
    "relstring",
    "require_complete",
    "xinfAP",
    "yaap",
]
