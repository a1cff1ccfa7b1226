"""The face of pytrec_eval: scores of 32 bits, and the queries that run and judgments share.

Values are pytrec_eval's to the last bit. Not here: the measures of trec_eval that Cranfield does
not have (`iprec_at_recall`, `infAP`, `G`, `utility` and others), which are refused by name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from cranfield.compat.core import Judged
from cranfield.compat.errors import UnsupportedMeasure
from cranfield.errors import FormatError, MeasureError
from cranfield.measures import Measure, parse_many

_WHOLE = {
    "map": "AP",
    "ndcg": "nDCG",
    "bpref": "bpref",
    "Rprec": "Rprec",
    "recip_rank": "RR",
    "set_P": "P",
    "set_recall": "R",
    "set_F": "F",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
}
_CUT = {"P": "P", "recall": "R", "ndcg_cut": "nDCG", "map_cut": "AP", "success": "Success"}
_GEOMETRIC = {"gm_map": "AP", "gm_bpref": "bpref"}
_LEAST = 0.00001  # of which trec_eval takes the logarithm where a value is smaller

supported_measures = frozenset((*_WHOLE, *_CUT, *_GEOMETRIC))
_ALL_P = "P.5,10,15,20,30,100,200,500,1000"
_COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret")
supported_nicknames = {
    "official": {*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "P"},
    "set": {*_COUNTS, "set_P", "set_recall", "set_F"},
    "all_trec": set(supported_measures),
}
_FORM = re.compile(r"(?P<name>[A-Za-z_]+?)[._](?P<values>\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)")


class RelevanceEvaluator:
    """Judgments and measures, for any number of runs.

    Parameters
    ----------
    query_relevance : {query: {document: grade}}; fractions are taken too
    measures : names such as `map`, `P.5,10`, `ndcg_cut_10`, or nicknames such as `official`
    relevance_level : the lowest relevant grade
    judged_docs_only_flag : leave unjudged documents out of the run first

    Raises
    ------
    UnsupportedMeasure
        (also a ValueError) A measure that is not here.
    WrongType
        (also a TypeError) Judgments of another form.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, float]],
        measures: Iterable[str],
        relevance_level: float = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        self._judged = Judged(query_relevance)
        names = [measures] if isinstance(measures, str) else list(measures)
        level, condensed = relevance_level, bool(judged_docs_only_flag)
        self._measures = {
            name: _with(measure, level, condensed) for name, measure in _expanded(names)
        }

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """{query: {measure: value}} for the queries that the run and the judgments share.

        Raises
        ------
        WrongType
            (also a TypeError) A run of another form, or a score that is no number.
        """
        if not scores or not self._judged.queries:
            return {}
        asked = list(self._measures.values())
        values, _, answered = self._judged.score(scores, asked, single=True)
        found = {}
        for query, row, shared in zip(
            self._judged.queries, values.tolist(), answered.tolist(), strict=True
        ):
            if shared:
                pairs = zip(self._measures, row, strict=True)
                found[query] = {name: _finished(name, value) for name, value in pairs}
        return found


def compute_aggregated_measure(measure: str, values: list[float]) -> float:
    """One value of those of all queries: their sum for `num_…`, the geometric mean for `gm_…`
    (whose values are logarithms), else the mean."""
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))


def parse_qrel(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """{query: {document: grade}} from the lines of a TREC file of judgments."""
    found: dict[str, dict[str, int]] = {}
    for number, (query, _, doc, grade) in _rows(lines, 4, "judgments"):
        _new(found, query, doc, number, "judgments")[doc] = _number(int, grade, number, "grade")
    return found


def parse_run(lines: Iterable[str]) -> dict[str, dict[str, float]]:
    """{query: {document: score}} from the lines of a TREC run."""
    found: dict[str, dict[str, float]] = {}
    for number, (query, _, doc, _, score, _) in _rows(lines, 6, "run"):
        _new(found, query, doc, number, "run")[doc] = _number(float, score, number, "score")
    return found


def _rows(lines: Iterable[str], width: int, what: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, 1):
        cells = line.split()
        if len(cells) != width:
            raise FormatError(
                f"{len(cells)} columns, not {width}", file=f"the {what}", line=number, text=line
            )
        yield number, cells


def _new(found: dict[str, dict[str, Any]], query: str, doc: str, line: int, what: str) -> Any:
    docs = found.setdefault(query, {})
    if doc in docs:
        raise FormatError(
            f"document {doc!r} comes twice for query {query!r}", file=f"the {what}", line=line
        )
    return docs


def _number(kind: Callable[[str], Any], text: str, line: int, what: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise FormatError(f"{what} {text!r} is no number", file="the file", line=line) from None


def _expanded(names: Iterable[str]) -> Iterator[tuple[str, Measure]]:
    """Of all names; a bare name such as `P` stands for its usual cutoffs, unless others are asked
    for beside it."""
    whole = [one for n in names for one in sorted(supported_nicknames.get(n, (n,)))]
    with_cutoffs = {form["name"] for n in whole if (form := _FORM.fullmatch(n))}
    for one in dict.fromkeys(whole):
        if one not in with_cutoffs:
            yield from _named(one)


def _named(text: str) -> Iterator[tuple[str, Measure]]:
    """(pytrec_eval's name of the result, measure) of one name, which may hold several cutoffs."""
    if text in _WHOLE or text in _GEOMETRIC:
        yield text, Measure({**_WHOLE, **_GEOMETRIC}[text])
        return
    form = _FORM.fullmatch(text)
    name = text if text in _CUT else form["name"] if form else None
    if text == "P":  # which alone means another measure here
        text = _ALL_P
    try:
        if name in _CUT:
            yield from ((f"{name}_{m.cutoff}", m) for m in parse_many([text]))
            return
        if name == "set_F":
            yield "set_F", parse_many([text])[0]
            return
    except MeasureError as e:
        raise UnsupportedMeasure(f"unsupported measure {text}: {e.message}", e.hint) from None
    raise UnsupportedMeasure(
        f"unsupported measure {text}", f"supported: {', '.join(sorted(supported_measures))}"
    )


def _with(measure: Measure, level: float, condensed: bool) -> Measure:
    values = measure.values
    if "rel" in values:
        measure = measure(rel=level)
    return measure(condensed=True) if condensed and "condensed" in values else measure


def _finished(name: str, value: float) -> float:
    return math.log(max(value, _LEAST)) if name in _GEOMETRIC else value
