"""Cranfield: decide, from evidence, whether a search engine got better.

The nouns and the verbs, handed on when first asked for; nothing is defined here, and importing
this module loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cranfield.comparison.compare import compare as compare
    from cranfield.comparison.compare import compare_scores as compare_scores
    from cranfield.comparison.outcome import Comparison as Comparison
    from cranfield.data.collection import Document as Document
    from cranfield.data.collection import Query as Query
    from cranfield.data.collection import TestCollection as TestCollection
    from cranfield.data.matrix import ScoreMatrix as ScoreMatrix
    from cranfield.data.qrels import Qrels as Qrels
    from cranfield.data.run import Run as Run
    from cranfield.data.scores import Scores as Scores
    from cranfield.diagnosis.check import check as check
    from cranfield.diagnosis.dedup import dedup as dedup
    from cranfield.diagnosis.doctor import doctor as doctor
    from cranfield.diagnosis.finding import Finding as Finding
    from cranfield.diagnosis.qrels_diff import qrels_diff as qrels_diff
    from cranfield.diagnosis.qrels_merge import qrels_merge as qrels_merge
    from cranfield.diagnosis.qrels_stats import qrels_stats as qrels_stats
    from cranfield.errors import CranfieldError as CranfieldError
    from cranfield.evaluation.evaluate import evaluate as evaluate
    from cranfield.evaluation.explain import explain as explain
    from cranfield.experiment.lab import Lab as Lab
    from cranfield.experiment.lab import lab as lab
    from cranfield.formats.readers import read_collection as read_collection
    from cranfield.formats.readers import read_qrels as read_qrels
    from cranfield.formats.readers import read_run as read_run
    from cranfield.formats.write import write_qrels as write_qrels
    from cranfield.formats.write import write_run as write_run
    from cranfield.judging.agree import agree as agree
    from cranfield.judging.budget import plan_budget as plan_budget
    from cranfield.judging.honest import estimate as estimate
    from cranfield.judging.interchange.exchange import export_labels as export_labels
    from cranfield.judging.interchange.exchange import import_labels as import_labels
    from cranfield.judging.judgment import Judgment as Judgment
    from cranfield.judging.judgment import Wanted as Wanted
    from cranfield.judging.labels import open_labels as open_labels
    from cranfield.judging.llm.rubric import Rubric as Rubric
    from cranfield.judging.llm.rubric import read_rubric as read_rubric
    from cranfield.judging.llm.service import judge as judge
    from cranfield.judging.llm.service import prepare_judging as prepare_judging
    from cranfield.judging.next import next_labels as next_labels
    from cranfield.judging.preferences import Preference as Preference
    from cranfield.judging.preferences import current_preferences as current_preferences
    from cranfield.judging.preferences import record_preferences as record_preferences
    from cranfield.judging.settled import export_preferences as export_preferences
    from cranfield.measures import Measure as Measure
    from cranfield.measures import parse as parse
    from cranfield.metaeval.results import Study as Study
    from cranfield.metaeval.study import study as study
    from cranfield.plugins import system as system
    from cranfield.reconciliation.search import reconcile as reconcile
    from cranfield.retrieval.fuse import fuse as fuse
    from cranfield.retrieval.system import retrieve as retrieve
    from cranfield.subjects.overlap import overlap as overlap
    from cranfield.subjects.topics import topics as topics

_HOME = {
    "Comparison": "cranfield.comparison.outcome",
    "CranfieldError": "cranfield.errors",
    "Document": "cranfield.data.collection",
    "Finding": "cranfield.diagnosis.finding",
    "Judgment": "cranfield.judging.judgment",
    "Lab": "cranfield.experiment.lab",
    "Measure": "cranfield.measures",
    "Preference": "cranfield.judging.preferences",
    "Qrels": "cranfield.data.qrels",
    "Query": "cranfield.data.collection",
    "Rubric": "cranfield.judging.llm.rubric",
    "Run": "cranfield.data.run",
    "ScoreMatrix": "cranfield.data.matrix",
    "Scores": "cranfield.data.scores",
    "Study": "cranfield.metaeval.results",
    "TestCollection": "cranfield.data.collection",
    "Wanted": "cranfield.judging.judgment",
    "agree": "cranfield.judging.agree",
    "check": "cranfield.diagnosis.check",
    "compare": "cranfield.comparison.compare",
    "compare_scores": "cranfield.comparison.compare",
    "current_preferences": "cranfield.judging.preferences",
    "dedup": "cranfield.diagnosis.dedup",
    "doctor": "cranfield.diagnosis.doctor",
    "estimate": "cranfield.judging.honest",
    "evaluate": "cranfield.evaluation.evaluate",
    "explain": "cranfield.evaluation.explain",
    "export_labels": "cranfield.judging.interchange.exchange",
    "export_preferences": "cranfield.judging.settled",
    "fuse": "cranfield.retrieval.fuse",
    "import_labels": "cranfield.judging.interchange.exchange",
    "judge": "cranfield.judging.llm.service",
    "lab": "cranfield.experiment.lab",
    "next_labels": "cranfield.judging.next",
    "open_labels": "cranfield.judging.labels",
    "overlap": "cranfield.subjects.overlap",
    "parse": "cranfield.measures",
    "plan_budget": "cranfield.judging.budget",
    "prepare_judging": "cranfield.judging.llm.service",
    "qrels_diff": "cranfield.diagnosis.qrels_diff",
    "qrels_merge": "cranfield.diagnosis.qrels_merge",
    "qrels_stats": "cranfield.diagnosis.qrels_stats",
    "read_collection": "cranfield.formats.readers",
    "read_qrels": "cranfield.formats.readers",
    "read_rubric": "cranfield.judging.llm.rubric",
    "read_run": "cranfield.formats.readers",
    "reconcile": "cranfield.reconciliation.search",
    "record_preferences": "cranfield.judging.preferences",
    "retrieve": "cranfield.retrieval.system",
    "study": "cranfield.metaeval.study",
    "system": "cranfield.plugins",
    "topics": "cranfield.subjects.topics",
    "write_qrels": "cranfield.formats.write",
    "write_run": "cranfield.formats.write",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
