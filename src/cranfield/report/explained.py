"""A calculation by hand, shown."""

from __future__ import annotations

import json
from dataclasses import asdict

from cranfield.data.qrels import grade_text
from cranfield.evaluation.explain import Explanation, Step
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.render import aligned


def as_json(found: Explanation) -> str:
    """The explanation as one JSON object; `loss` of each step is added."""
    data = asdict(found)
    for step, plain in zip(found.steps, data["steps"], strict=True):
        plain["loss"] = step.loss
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def as_text(found: Explanation, lang: str = "en") -> str:
    """The table and the sentences below it."""
    w = words(lang)
    head = w("explain.head", run=found.run, query=found.query, measure=found.measure)
    lines = [head, "", aligned(_table(found, w)).rstrip("\n"), ""]
    value = w("undefined") if found.value is None else f"{found.value:.10f}"
    if found.total is not None and found.ideal_total is not None:
        lines.append(f"DCG   = {found.total:.10f}")
        lines.append(f"IDCG  = {found.ideal_total:.10f}")
        if found.measure.startswith("nDCG") and not found.ideal_total:
            lines.append(w("explain.zero", measure=found.measure))
        elif found.measure.startswith("nDCG"):
            lines.append(f"{found.measure} = DCG / IDCG = {value}")
    else:
        lines.append(f"{found.measure} = {value}")
    if (worst := found.worst) is not None:
        lines.append(w("explain.worst", rank=worst.rank, loss=f"{worst.loss:.6f}"))
        lines.append(_why(worst, w))
    lines.append(
        w(
            "explain.counts",
            relevant=found.n_relevant,
            found=found.n_relevant - len(found.missed),
            returned=found.n_returned,
        )
    )
    if found.missed:
        some = ", ".join(f"{d} ({grade_text(g)})" for d, g in found.missed[:10])
        more = "" if len(found.missed) <= 10 else ", …"
        lines.append(w("explain.missed", n=len(found.missed), some=some + more))
    s = found.settings
    lines.append(w("explain.settings", ties=s["ties"], width=s["score_width"]))
    return "\n".join(lines) + "\n"


def _why(step: Step, w: Words) -> str:
    best = grade_text(step.ideal_grade or 0.0)
    if step.doc is None:
        return w("explain.nothing", best=best)
    if step.grade is None:
        return w("explain.unjudged", best=best)
    return w("explain.grade", grade=grade_text(step.grade), best=best)


def _table(found: Explanation, w: Words) -> Grid:
    discounted = bool(found.steps) and found.steps[0].term is not None
    columns = ["rank", "doc", "run_score", "grade"]
    kinds = ["count", "text", "score", "text"]
    if discounted:
        columns += ["gain", "discount", "term", "ideal_grade", "ideal_term", "loss"]
        kinds += ["score", "score", "score", "text", "score", "score"]
    elif found.steps and found.steps[0].value is not None:
        columns.append("if_cut")
        kinds.append("score")
    rows = []
    for s in found.steps:
        grade = w("unjudged") if s.grade is None and s.doc else s.grade
        row: list[Cell] = [s.rank, s.doc or "–", s.score, _grade(grade)]
        if discounted:
            row += [s.gain, s.discount, s.term, _grade(s.ideal_grade), s.ideal_term, s.loss]
        elif "if_cut" in columns:
            row.append(s.value)
        rows.append(tuple(row))
    return Grid(tuple(w(f"column.{c}") for c in columns), tuple(kinds), tuple(rows))


def _grade(grade: float | str | None) -> str:
    if grade is None:
        return "–"
    return grade if isinstance(grade, str) else grade_text(grade)
