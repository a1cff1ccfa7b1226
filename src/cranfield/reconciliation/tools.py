"""The conventions of tools, one profile a number that a tool prints.

Each was read in the tool's source or checked against the tool itself (tests/parity). A profile
says only what differs from `Conventions()`; the level of relevance is the asked measure's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cranfield.measures import Measure
from cranfield.reconciliation.conventions import Conventions

CLASSIC = frozenset(("AP", "P", "R", "RR", "nDCG", "Rprec", "bpref", "Success"))
COUNTS = frozenset(("NumQ", "NumRet", "NumRel", "NumRelRet"))
TREC = CLASSIC | COUNTS | {"F"}
IR_MEASURES = TREC - {"NumQ", "NumRel"}  # of which a query not answered has none there
NDCG = frozenset(("nDCG",))


@dataclass(frozen=True)
class Profile:
    """What a tool does.

    Parameters
    ----------
    tool : its name, with the option or the function meant
    families : measures that it prints under these conventions
    says : conventions that differ from the default ones
    cut : whether the profile is for measures with a cutoff, without, or both
    note : what else is worth knowing
    """

    tool: str
    families: frozenset[str]
    says: dict[str, Any] = field(default_factory=dict)
    cut: Literal["with", "without", "both"] = "both"
    note: str = ""

    def covers(self, measure: Measure) -> bool:
        """Whether the tool prints this measure, its gain and its divisor left aside."""
        if measure.family not in self.families:
            return False
        whole_list = self.families in (TREC, IR_MEASURES) and measure.family in ("RR", "F")
        if whole_list and measure.cutoff is not None:
            return False
        return self.cut == "both" or (self.cut == "with") == (measure.cutoff is not None)

    def conventions(self, asked: Conventions) -> Conventions:
        return replace(Conventions(rel=asked.rel), **self.says)


_POOLED: dict[str, Any] = {"only_pooled": "zero"}
_PYTREC: dict[str, Any] = {"width": 32, "missing": "skip", "duplicates": "last", **_POOLED}
_PYTHON_SORT: dict[str, Any] = {"ties": "file", "duplicates": "last", **_POOLED}
_SEARCH: dict[str, Any] = {"ties": "file", **_POOLED}
_LISTS: dict[str, Any] = {"ties": "file", "missing": "skip", "ideal": "returned", **_POOLED}

PROFILES: tuple[Profile, ...] = (
    Profile("trec_eval 9", TREC, {"width": 32, "missing": "skip", **_POOLED}, note="no -c"),
    Profile("trec_eval 9 -c", TREC, {"width": 32, **_POOLED}),
    Profile("trec_eval 10 -c", TREC, _POOLED, note="without -c it stops at a missing query"),
    Profile("pytrec_eval", TREC, _PYTREC, note="averaged over the queries that it returns"),
    Profile("ir_measures", IR_MEASURES, {"width": 32, "duplicates": "last", **_POOLED}),
    Profile(
        "ir_measures (msmarco)",
        frozenset(("RR",)),
        {"ties": "docid-asc", "duplicates": "last", **_POOLED},
        cut="with",
        note="RR with a cutoff goes to another provider than RR without one",
    ),
    Profile(
        "ir_measures (gdeval)",
        NDCG,
        {"gain": "exp", "duplicates": "last", **_POOLED},
        cut="with",
        note='nDCG(dcg="exp-log2"), each query printed with 5 decimals',
    ),
    Profile("gdeval", NDCG, {"gain": "exp", "missing": "skip", **_POOLED}, cut="with"),
    Profile("ranx", CLASSIC - {"bpref"} | {"F"}, _PYTHON_SORT, note="make_comparable=True"),
    Profile("ranx ndcg_burges", NDCG, {"gain": "exp", **_PYTHON_SORT}),
    Profile(
        "BEIR EvaluateRetrieval",
        frozenset(("nDCG", "AP", "R", "P")),
        {"own_document": "drop", **_PYTREC},
        cut="with",
        note="5 decimals",
    ),
    Profile("BEIR mrr", frozenset(("RR",)), _PYTHON_SORT, cut="with", note="5 decimals"),
    Profile(
        "BEIR recall_cap",
        frozenset(("R",)),
        {"divisor": "min", "missing": "skip", **_PYTHON_SORT},
        cut="with",
        note="5 decimals; fails where a query has no relevant document",
    ),
    Profile(
        "MTEB", frozenset(("nDCG", "AP", "R", "P", "Success")), _PYTREC, "with", note="5 decimals"
    ),
    Profile("MTEB mrr", frozenset(("RR",)), {"missing": "skip", **_PYTHON_SORT}, cut="with"),
    Profile(
        "scikit-learn ndcg_score",
        NDCG,
        {**_LISTS, "ties": "average"},
        note="given the returned documents of each query; what was not returned is not missed",
    ),
    Profile(
        "scikit-learn average_precision_score",
        frozenset(("AP",)),
        {**_LISTS, "ideal": "judged", "divisor": "found"},
        cut="without",
        note="given the returned documents of each query, no two scores equal",
    ),
    Profile("LightGBM ndcg", NDCG, {**_LISTS, "gain": "exp", "no_answer": "one"}, cut="with"),
    Profile(
        "XGBoost ndcg",
        NDCG,
        {**_LISTS, "gain": "exp", "no_answer": "one", "width": 32},
        note='"ndcg-" counts a query without a relevant document as 0',
    ),
    Profile(
        "Elasticsearch/OpenSearch rank_eval",
        NDCG | {"P"},
        {"gain": "exp", "ideal": "depth", "divisor": "min", **_SEARCH},
        cut="with",
        note="dcg with normalize; a negative rating is refused",
    ),
    Profile(
        "Elasticsearch/OpenSearch rank_eval",
        frozenset(("DCG", "R", "RR")),
        {"gain": "exp", **_SEARCH},
        cut="with",
    ),
    Profile(
        "OpenSearch Search Relevance Workbench",
        frozenset(("nDCG", "DCG", "R", "AP", "RR")),
        {"gain": "exp", "negative": "gain", "rounding": 2, **_SEARCH},
        cut="with",
        note="each query is rounded to 2 decimals",
    ),
    Profile(
        "OpenSearch Search Relevance Workbench",
        frozenset(("P",)),
        {"divisor": "min", "rounding": 2, **_SEARCH},
        cut="with",
        note="each query is rounded to 2 decimals",
    ),
    Profile(
        "Quepid",
        NDCG,
        {"gain": "exp", "ideal": "uncut", **_SEARCH},
        cut="with",
        note="its nDCG@10 since the ideal list holds every rated document",
    ),
    Profile(
        "Quepid (earlier)", NDCG, {"ideal": "top", **_SEARCH}, cut="with", note="nDCG of the page"
    ),
    Profile("Quepid ndcg_cut", NDCG, {"gain": "exp", **_SEARCH}, cut="with"),
    Profile("Quepid", frozenset(("AP", "RR")), _SEARCH, cut="with"),
    Profile("Quepid", frozenset(("P",)), {"divisor": "min", **_SEARCH}, cut="with"),
    Profile(
        "pyvespa/sentence-transformers",
        frozenset(("nDCG", "P", "R", "RR", "Success")),
        {"gain": "binary", "no_answer": "skip", **_SEARCH},
        cut="with",
        note="relevant documents given as a set",
    ),
    Profile(
        "pyvespa/sentence-transformers",
        frozenset(("AP",)),
        {"divisor": "min", "no_answer": "skip", **_SEARCH},
        cut="with",
    ),
    Profile("pyvespa (graded)", NDCG, _SEARCH, cut="with", note="grades from 0 to 1"),
)


def profiles_of(measure: Measure, asked: Conventions) -> list[tuple[Profile, Conventions]]:
    """The tools that print the measure, each with its conventions."""
    return [(p, p.conventions(asked)) for p in PROFILES if p.covers(measure)]
