"""The texts behind a study: queries and documents as terms, for predictors of difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cranfield.errors import UsageError
from cranfield.formats.readers import IRDS, read_collection
from cranfield.kit.progress import progress
from cranfield.metaeval.predictors import (
    DifficultyPrediction,
    TermStatistics,
    count_terms,
    predict,
)
from cranfield.metaeval.results import Study
from cranfield.metaeval.studied import Texts
from cranfield.retrieval.analyze import Analyzer, analyzer
from cranfield.retrieval.collection import documents_of


@dataclass(frozen=True, eq=False)
class Terms:
    """The queries of a collection as terms, and what its documents say of these."""

    about: Texts
    queries: Mapping[str, list[str]]
    statistics: TermStatistics


def may_have_texts(source: str) -> bool:
    """Whether judgments come with queries and documents: from a folder or ir_datasets."""
    return source.startswith(IRDS) or Path(source).is_dir()


def read_terms(source: str, name: str | Analyzer, *, needed: bool = True) -> Terms | None:
    """One pass over the documents of a collection.

    Parameters
    ----------
    source : a folder with queries and a corpus, or `irds:<id>`; no judgments are read.
    name : of the analyzer, for queries and documents.
    needed : False: None where the collection came without documents or queries.

    Raises
    ------
    UsageError
        There are none.
    UnknownName, MissingExtra
        As `analyzer`.
    Others
        As `read_collection`.
    """
    cut = analyzer(name)
    found = read_collection(source, judgments=False)
    if not needed and (found.documents is None or not found.queries):
        return None
    if not found.queries:
        raise UsageError(f"{found.name} has no queries", "is there a queries.jsonl?")
    documents = documents_of(found)
    queries = {query.id: cut(query.text) for query in found.queries}
    only = {term for terms in queries.values() for term in terms}
    with progress("counting terms", found.n_documents) as advance:

        def counted(text: str) -> list[str]:
            advance(1)
            return cut(text)

        texts = (counted(f"{document.title}\n{document.text}") for document in documents)
        statistics = count_terms(texts, only)
    about = Texts(found.name, cut.name, statistics.documents, statistics.tokens)
    return Terms(about, queries, statistics)


def predictions(
    study: Study, terms: Terms
) -> tuple[dict[str, DifficultyPrediction], tuple[str, ...]]:
    """The predictors against the mean scores of each condition, and the queries of the study that
    have no text.

    Raises
    ------
    UsageError
        No query of the study is among the texts.
    """
    kept = study.selection.queries
    queries = {query: terms.queries[query] for query in kept if query in terms.queries}
    if not queries:
        theirs = next(iter(terms.queries))
        raise UsageError(
            f"{terms.about.name} has none of the queries of the study",
            f"those of the study look like {kept[0]!r}, its own like {theirs!r}",
        )
    found: dict[str, DifficultyPrediction] = {}
    for condition in study.conditions:
        d = condition.difficulty
        scores = {
            measure: dict(zip(d.queries, row, strict=True))
            for measure, row in zip(d.measures, d.query_mean.tolist(), strict=True)
        }
        found[condition.name] = predict(queries, terms.statistics, scores)
    return found, tuple(query for query in kept if query not in queries)
