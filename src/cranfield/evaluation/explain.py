"""A score worked out by hand, rank by rank, and where it was lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.errors import UnknownName, UsageError
from cranfield.evaluation.align import align
from cranfield.evaluation.lists import segments, top_of
from cranfield.evaluation.people import check_people
from cranfield.evaluation.settings import Settings, TieChoice
from cranfield.evaluation.strata import check_strata
from cranfield.evaluation.subtopics import check_subtopics
from cranfield.formats.readers import open_run, read_qrels
from cranfield.formats.sources import OnDuplicate, RunColumns, RunSource
from cranfield.measures import Hits, Judgments, Measure, compute, parse
from cranfield.measures.gain import gain_of
from cranfield.measures.views import log2_table
from cranfield.scan.judged import JudgedIndex
from cranfield.scan.lines import Lines


@dataclass(frozen=True)
class Step:
    """One rank: the document there, its grade (None: unjudged), and for the DCG family what it
    gains, what the rank divides by, the term, and the same of the ideal order; `value` is the
    measure if the list ended here."""

    rank: int
    doc: str | None
    score: float | None
    grade: float | None
    value: float | None = None
    gain: float | None = None
    discount: float | None = None
    term: float | None = None
    ideal_grade: float | None = None
    ideal_term: float | None = None

    @property
    def loss(self) -> float | None:
        """The ideal's term less ours: positive where the score was lost."""
        if self.term is None or self.ideal_term is None:
            return None
        return self.ideal_term - self.term


@dataclass(frozen=True)
class Explanation:
    """How one query's value came about.

    Parameters
    ----------
    total, ideal_total : DCG and IDCG, for the DCG family.
    n_relevant, n_returned : judged documents with a grade above 0; documents returned.
    missed : (document, grade) of positive grade that were not returned, best first.
    """

    run: str
    query: str
    measure: str
    value: float | None
    steps: tuple[Step, ...]
    n_relevant: int
    n_returned: int
    missed: tuple[tuple[str, float], ...]
    total: float | None = None
    ideal_total: float | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def worst(self) -> Step | None:
        """The rank that cost most (DCG family), None if nothing was lost."""
        losing = [s for s in self.steps if (s.loss or 0.0) > 1e-12]
        return max(losing, key=lambda s: s.loss or 0.0, default=None)


def explain(
    qrels: Any,
    run: Any,
    query: str,
    measure: str | Measure = "nDCG@10",
    *,
    ties: TieChoice = "docid-desc",
    score_width: int = 64,
    scale: float | None = None,
    on_duplicate: OnDuplicate = "error",
    depth: int = 10,
    split: str | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> Explanation:
    """Work out one value by hand.

    Parameters
    ----------
    query : its id
    measure : one measure; ranks down to its cutoff are shown, or `depth` without one
    others : as `evaluate`

    Raises
    ------
    UnknownName
        The query has no judgments.
    UsageError
        The measure is one of diversity, of preferences or of several people.
    """
    if ties == "expected":
        raise UsageError("a calculation by hand needs one order", "ties: docid-desc|docid-asc|file")
    settings = Settings(ties, score_width, scale=scale)
    asked = parse(measure) if isinstance(measure, str) else measure
    if asked.definition.view != "grades":
        raise UsageError(
            f"{asked.family} cannot be worked out rank by rank: it compares documents with one "
            "another, or what several people said of them",
            f"cranfield measures {asked.family} says how it is computed",
        )
    judged = read_qrels(qrels, format=qrels_format, on_duplicate=on_duplicate, split=split)
    check_people(judged, [asked])
    check_subtopics(judged, [asked])
    check_strata(judged, [asked])
    number = _number(judged, query)
    mine = judged.take(judged.query == number)
    asked = asked.resolve(scale if scale is not None else judged.max_grade)
    source = open_run(run, format=run_format, on_duplicate=on_duplicate)
    lines = _lines_of(source, query, settings)
    ranking = _ranking(lines, settings)
    single = _OneQuery(source.name, lines)
    aligned = align(
        single, JudgedIndex(mine), ties=settings.order, single=score_width == 32, threads=1
    )
    judgments = Judgments(1, mine.query, mine.grade)
    value = _value(asked, judgments, aligned.hits)
    grades = dict(zip(mine.docs.to_list(), mine.grade.tolist(), strict=True))
    k = asked.cutoff or min(depth, max(len(ranking), 1))
    steps = _steps(asked, ranking, grades, judgments, aligned.hits, k)
    returned = {doc for doc, _ in ranking}
    missed = [(d, g) for d, g in grades.items() if g > 0 and d not in returned]
    total, ideal = _totals(asked, judgments, aligned.hits)
    return Explanation(
        source.name,
        query,
        asked.full_name,
        value,
        steps,
        sum(g > 0 for g in grades.values()),
        len(ranking),
        tuple(sorted(missed, key=lambda m: (-m[1], m[0]))),
        total,
        ideal,
        settings.shown(),
    )


class _OneQuery(RunColumns):
    """The lines of one query as a run."""

    def __init__(self, name: str, lines: Lines) -> None:
        from cranfield.data.run import Run

        run = Run(Ids.of(lines.names), lines.segment, lines.docs, lines.score, name=name)
        super().__init__(run, on_duplicate="first")


def _number(judged: Qrels, query: str) -> int:
    names = judged.queries.to_list()
    if query in names:
        return names.index(query)
    import difflib

    near = difflib.get_close_matches(query, names, 3, cutoff=0.4) or names[:3]
    raise UnknownName(
        f"query {query!r} has no judgments", f"judged are for example {', '.join(near)}"
    )


def _lines_of(source: RunSource, query: str, settings: Settings) -> Lines:
    """The rows of one query, read like all others so that its errors are found."""
    wanted = query.encode()
    found: list[Lines] = []
    for call in source.pieces():
        piece = call()
        for problem in piece.problems:
            raise problem
        if piece.lines is None:
            found = [Lines([], np.empty(0, np.int64), Ids.of([]), np.empty(0))] * 2
            break
        if wanted in piece.lines.names:
            found.append(segments(piece.lines, {wanted}))
    if len(found) > 1:
        whole = source.whole()
        for problem in whole.problems:
            raise problem
        assert whole.lines is not None
        found = [segments(whole.lines, {wanted})] if wanted in whole.lines.names else []
    return found[0] if found else Lines([wanted], np.zeros(1, np.int64), Ids.of([]), np.empty(0))


def _ranking(lines: Lines, settings: Settings) -> list[tuple[str, float]]:
    (ranking,) = top_of(
        lines, len(lines), ties=settings.order, single=settings.score_width == 32
    ).values()
    return ranking


def _value(measure: Measure, judgments: Judgments, hits: Hits) -> float | None:
    values, valid = compute([measure], judgments, hits)
    return float(values[0, 0]) if valid[0, 0] else None


def _totals(
    measure: Measure, judgments: Judgments, hits: Hits
) -> tuple[float | None, float | None]:
    if measure.family not in ("DCG", "nDCG"):
        return None, None
    dcg = Measure("DCG", measure.params)
    ideal = judgments.ideal
    worth = [gain_of(g, measure.values["gain"]) for g in ideal.grade.tolist()]  # type: ignore[arg-type]
    best = Hits(
        query=ideal.query,
        rank=ideal.rank,
        row=ideal.row[np.argsort(-np.array(worth), kind="stable")],
        tie_start=ideal.rank,
        tie_len=np.ones_like(ideal.rank),
        n_ret=np.array([len(ideal.rank)]),
    )
    return _value(dcg, judgments, hits), _value(dcg(condensed=False), judgments, best)


def _steps(
    measure: Measure,
    ranking: list[tuple[str, float]],
    grades: dict[str, float],
    judgments: Judgments,
    hits: Hits,
    k: int,
) -> tuple[Step, ...]:
    if measure.condensed:
        ranking = [(d, s) for d, s in ranking if grades.get(d, -1.0) >= 0]
    gain = measure.values.get("gain")
    discounted = measure.family in ("DCG", "nDCG")
    best = sorted((g for g in grades.values() if g > 0), reverse=True)
    if discounted and not isinstance(gain, str):  # a table may turn the order of grades round
        best.sort(key=lambda g: gain_of(g, gain), reverse=True)  # type: ignore[arg-type]
    log2 = log2_table(k)
    steps = []
    for i in range(k if discounted else min(k, len(ranking))):
        doc, score = ranking[i] if i < len(ranking) else (None, None)
        grade = grades.get(doc) if doc is not None else None
        more: dict[str, Any] = {}
        if discounted:
            worth = gain_of(grade, gain) if grade is not None and grade > 0 else 0.0  # type: ignore[arg-type]
            top = best[i] if i < len(best) else 0.0
            ideal = gain_of(top, gain) if top > 0 else 0.0  # type: ignore[arg-type]
            divisor = float(log2[i])
            more = {
                "gain": worth,
                "discount": divisor,
                "term": worth / divisor,
                "ideal_grade": top,
                "ideal_term": ideal / divisor,
            }
        elif measure.definition.cutoff is not None:
            more = {"value": _value(measure @ (i + 1), judgments, hits)}
        steps.append(Step(i + 1, doc, score, grade, **more))
    return tuple(steps)
