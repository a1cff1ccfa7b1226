"""Faces of other libraries, so that a program can change its import and nothing else.

    from cranfield.compat import pytrec_eval      # RelevanceEvaluator
    from cranfield.compat import ir_measures      # calc_aggregate, iter_calc
    from cranfield.compat import ranx             # Qrels, Run, evaluate

The names are theirs, the numbers come from the one implementation here, under the conventions of
the library. The pages docs/how-to/from-*.md say where the two differ.
"""

from cranfield.compat.ir_measures import Metric, Qrel, ScoredDoc, calc_aggregate, iter_calc
from cranfield.compat.pytrec_eval import (
    RelevanceEvaluator,
    compute_aggregated_measure,
    supported_measures,
    supported_nicknames,
)
from cranfield.compat.ranx import Qrels, Run, evaluate

__all__ = [
    "Metric",
    "Qrel",
    "Qrels",
    "RelevanceEvaluator",
    "Run",
    "ScoredDoc",
    "calc_aggregate",
    "compute_aggregated_measure",
    "evaluate",
    "iter_calc",
    "supported_measures",
    "supported_nicknames",
]
