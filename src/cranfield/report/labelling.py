"""What to label next as a page, as a table, and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from cranfield.judging.next import Next
from cranfield.report.blocks import Block, Facts, Heading, Table, Text
from cranfield.report.grid import Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.scaled import scale_said

SCHEMA = "cranfield.next/1"


def page(found: Next, lang: str = "en") -> Page:
    """How the comparison stands, then the documents."""
    w = words(lang)
    names = {"base": found.base, "run": found.run}
    shares = ", ".join(f"{g:g}: {p:.3f}" for g, p in found.prior)
    bound = "next.bound.value" if found.bound.exact else "next.bound.outer"
    ends = {"low": f"{found.bound.low:+.4f}", "high": f"{found.bound.high:+.4f}"}
    top = f"{found.scale.top:g}"
    value = f"{found.difference:+.4f}"
    seen = {"judged": found.judged, "all": found.judged + found.holes}
    odds = {"chance": f"{found.chance:.3f}", "samples": found.samples, "seed": found.seed}
    facts = (
        (w("next.measure"), found.measure),
        (w("next.judged"), w("next.judged.value", queries=Count(found.queries), **seen)),
        (w("next.difference"), w("next.difference.value", value=value, **names)),
        (w("scale.fact"), scale_said(found.scale, w)),
        (w("next.bound", top=top), w(bound, **ends)),
        (w("next.chance", **names), w("next.chance.value", **odds)),
        (w("next.prior"), w(f"next.prior.{found.prior_from}", shares=shares)),
    )
    made: list[Block] = [Facts(facts), Text(_stand(found, w))]
    if found.documents:
        made += [Heading(w("next.list")), Table(grid(found, lang))]
        more = found.holes - len(found.documents)
        made += [Text(w("next.more", n=more))] if more else []
    made.append(Text(w("next.method")))
    made += [Text("\n".join(found.notes))] if found.notes else []
    return Page(w("next.title", **names), lang, tuple(made))


def _stand(found: Next, w: Words) -> str:
    names = {"base": found.base, "run": found.run}
    if found.answer is not None:
        sure = found.scale.sure or not found.holes
        told = "next.settled" if sure else "next.settled.seen"
        return w(f"{told}.{found.answer}", top=f"{found.scale.top:g}", **names)
    said = [w("next.open")]
    if found.probable is not None:
        who = names[found.probable]
        said = [w("next.likely", level=f"{found.level:g}", who=who)]
    if found.labels is not None:
        said.append(w("next.labels", labels=Count(found.labels)))
    return " ".join(said)


def grid(found: Next, lang: str = "en") -> Grid:
    """One row a document."""
    w = words(lang)
    names = {"base": found.base, "run": found.run}
    sides = {**names, "equal": w("next.neither")}
    columns = ("query", "document", "rank_base", "rank_run", "influence", "helps")
    rows = tuple(
        (c.query, c.doc, c.rank_base, c.rank_run, c.influence, sides[c.helps])
        for c in found.documents
    )
    kinds = ("text", "text", "count", "count", "score", "text")
    return Grid(tuple(w(f"next.column.{c}", **names) for c in columns), kinds, rows)


def flat(found: Next) -> Grid:
    """The same under plain names, for programs; `helps` is base, run or equal."""
    columns = ("query", "document", "rank_base", "rank_run", "influence", "helps")
    rows = tuple(
        (c.query, c.doc, c.rank_base, c.rank_run, c.influence, c.helps) for c in found.documents
    )
    return Grid(columns, ("text", "text", "count", "count", "score", "text"), rows)


def to_json(found: Next) -> str:
    """All of it; schema `cranfield.next/1`."""
    data: dict[str, Any] = {"schema": SCHEMA, **asdict(found), "probable": found.probable}
    data["prior"] = [{"grade": g, "share": p} for g, p in found.prior]
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
