"""Measures of a ranked list: one declaration each, one implementation each.

>>> from cranfield.measures import parse
>>> str(parse("ndcg_cut_10"))
'nDCG@10'
"""

from cranfield.measures.bpref import bpref as bpref
from cranfield.measures.buckley import G, Rndcg, binG, nDCG_rel, yaap
from cranfield.measures.cascade import ERR, RBP, RBPRes
from cranfield.measures.catalog import explain_family
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
from cranfield.measures.declaration import CATALOG, Example, Family
from cranfield.measures.example import Topic, block, example_block
from cranfield.measures.gain import DCG, nDCG
from cranfield.measures.geometric import GMAP, GMbpref
from cranfield.measures.grammar import parse, parse_many
from cranfield.measures.hits import Hits, Judgments
from cranfield.measures.inferred import infAP
from cranfield.measures.interpolated import IPrec, IPrecAvg
from cranfield.measures.measure import Measure, family
from cranfield.measures.params import Param
from cranfield.measures.precision import AP, RR, F, P, R, Rprec, Success
from cranfield.measures.relstring import relstring
from cranfield.measures.sets import RelP, SetAP, Utility
from cranfield.measures.views import GradeView

__all__ = [
    "AP",
    "CATALOG",
    "DCG",
    "ERR",
    "GMAP",
    "RBP",
    "RR",
    "VIEWS",
    "Example",
    "F",
    "Family",
    "G",
    "GMbpref",
    "GradeView",
    "Hits",
    "IPrec",
    "IPrecAvg",
    "Judged",
    "Judgments",
    "Measure",
    "NumNonrelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "Param",
    "R",
    "RBPRes",
    "RelP",
    "Rndcg",
    "Rprec",
    "SetAP",
    "Success",
    "Topic",
    "Unjudged",
    "Utility",
    "binG",
    "block",
    "bpref",
    "compute",
    "example_block",
    "explain_family",
    "family",
    "infAP",
    "nDCG",
    "nDCG_rel",
    "parse",
    "parse_many",
    "relstring",
    "require_complete",
    "yaap",
]
