"""Measures of a ranked list: one declaration each, one implementation each.

>>> from cranfield.measures import parse
>>> str(parse("ndcg_cut_10"))
'nDCG@10'
"""

from cranfield.measures.bpref import bpref as bpref
from cranfield.measures.cascade import ERR, RBP, RBPRes
from cranfield.measures.catalog import explain_family
from cranfield.measures.compute import VIEWS, compute, require_complete
from cranfield.measures.coverage import Judged, NumQ, NumRel, NumRelRet, NumRet
from cranfield.measures.declaration import CATALOG, Example, Family
from cranfield.measures.example import Topic, block, example_block
from cranfield.measures.gain import DCG, nDCG
from cranfield.measures.grammar import parse, parse_many
from cranfield.measures.hits import Hits, Judgments
from cranfield.measures.measure import Measure, family
from cranfield.measures.params import Param
from cranfield.measures.precision import AP, RR, F, P, R, Rprec, Success
from cranfield.measures.views import GradeView

__all__ = [
    "AP",
    "CATALOG",
    "DCG",
    "ERR",
    "RBP",
    "RR",
    "VIEWS",
    "Example",
    "F",
    "Family",
    "GradeView",
    "Hits",
    "Judged",
    "Judgments",
    "Measure",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "Param",
    "R",
    "RBPRes",
    "Rprec",
    "Success",
    "Topic",
    "block",
    "bpref",
    "compute",
    "example_block",
    "explain_family",
    "family",
    "nDCG",
    "parse",
    "parse_many",
    "require_complete",
]
