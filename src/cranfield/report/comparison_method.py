"""How a comparison was made, in plain words, and the appendix: every definition, choice, seed,
version, fingerprint and value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cranfield.comparison.outcome import Comparison
from cranfield.report.blocks import Block, Details, Facts, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words
from cranfield.report.provenance import Provenance
from cranfield.report.remarks import percent

MOST_COLUMNS = 8  # runs in the table of every query
_RATES = ("bh", "by")


def method(found: Comparison, w: Words) -> list[Block]:
    """Sentences for somebody who has to decide and has no statistics at hand."""
    c = found.choices
    level, alpha = percent(1 - c.alpha), f"{c.alpha:g}"
    draws = {"resamples": f"{c.resamples:,}", "seed": c.seed}
    n = len(found.scores.queries)
    said = [w("method.sample", n=n, base=found.base), w(f"method.test.{c.test}", **draws)]
    if c.interval == "t":
        said.append(w("method.interval.t", level=level))
    else:
        said.append(w("method.interval.bootstrap", level=level, name=c.interval, **draws))
    family = {"n": c.hypotheses, "name": c.correction, "alpha": alpha}
    if c.hypotheses == 1:
        said.append(w("method.correction.single"))
    elif c.correction == "none":
        expected = c.hypotheses * c.alpha
        said.append(w("method.correction.none", n=c.hypotheses, expected=expected, alpha=alpha))
    else:
        kind = "rate" if c.correction in _RATES else "family"
        said.append(w(f"method.correction.{kind}", **family))
    if c.min_effect:
        said.append(w("method.effect", effect=c.min_effect))
    else:
        said.append(w("method.effect.none"))
    said.append(w("method.undecided", power=percent(c.power)))
    if found.pairs:
        said.append(w("method.pairs"))
    return [Text(line) for line in said]


def appendix(found: Comparison, about: Provenance, w: Words) -> list[Block]:
    """Sections that can be folded away."""
    choices = asdict(found.choices)
    blocks: list[Block] = [
        Details(w("appendix.measures"), (Table(_measures(found, w)),), open=True),
        Details(w("appendix.choices"), (_facts(choices),), open=True),
        Details(w("appendix.settings"), (_facts(found.scores.settings),), open=True),
    ]
    blocks += sources(about, w)
    if any(card.config for card in found.cards):
        some = (Text(w("appendix.differs")), Table(_cards(found, w)))
        blocks.append(Details(w("appendix.cards"), some))
    return [*blocks, *(_queries(found, i, w) for i in range(len(found.measures)))]


def sources(about: Provenance, w: Words) -> list[Block]:
    """What made a page, and from which files."""
    blocks: list[Block] = []
    if about.versions:
        blocks.append(Details(w("appendix.versions"), (_facts(about.versions),), open=True))
    if about.sources:
        blocks.append(Details(w("appendix.sources"), (Table(_sources(about, w)),), open=True))
    return blocks


def _facts(values: Mapping[str, Any]) -> Facts:
    return Facts(tuple((key, _text(value)) for key, value in values.items()))


def _text(value: Any) -> str:
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _measures(found: Comparison, w: Words) -> Grid:
    from cranfield.measures import explain_family, parse

    rows = []
    for m in found.measures:
        about = explain_family(parse(m.text).family)
        rows.append((m.text, m.full, about["title"], about["formula"], about["source"]))
    keys = ("measure", "full", "title", "formula", "source")
    return Grid(tuple(w(f"appendix.{key}") for key in keys), ("text",) * 5, tuple(rows))


def _sources(about: Provenance, w: Words) -> Grid:
    rows = tuple((s.role, s.name, s.size, s.sha256) for s in about.sources)
    heads = (*(w(f"appendix.{key}") for key in ("role", "name", "bytes")), "sha256")
    return Grid(heads, ("text", "text", "count", "text"), rows)


def _cards(found: Comparison, w: Words) -> Grid:
    """Every setting of every card; what differs from the base is marked."""
    flat = [card.flat() for card in found.cards]
    keys = dict.fromkeys(key for one in flat for key in one)
    rows: list[tuple[Cell, ...]] = []
    for key in keys:
        base = flat[0].get(key)
        cells = [_text(base)]
        for one in flat[1:]:
            differs = bool(flat[0]) and bool(one) and one.get(key) != base
            cells.append(("≠ " if differs else "") + _text(one.get(key)))
        rows.append((key, *cells))
    heads = (w("appendix.key"), *(card.name for card in found.cards))
    return Grid(heads, ("text",) * len(heads), tuple(rows))


def _queries(found: Comparison, measure: int, w: Words) -> Details:
    scores = found.scores
    shown = min(len(scores.runs), MOST_COLUMNS + 1)
    kind = "count" if scores.measures[measure].aggregate == "sum" else "score"
    rows = tuple(
        (query, *_values(values, valid))
        for query, values, valid in zip(
            scores.queries,
            scores.values[:shown, :, measure].T.tolist(),
            scores.valid[:shown, :, measure].T.tolist(),
            strict=True,
        )
    )
    grid = Grid((w("column.query"), *scores.runs[:shown]), ("text", *(kind,) * shown), rows)
    blocks: list[Block] = [Table(grid)]
    if shown < len(scores.runs):
        n = len(found.runs)
        blocks.insert(0, Text(w("appendix.queries.first", shown=shown - 1, n=n)))
    name = scores.measures[measure].text
    return Details(w("appendix.queries", measure=name), tuple(blocks))


def _values(values: list[float], valid: list[bool]) -> list[Cell]:
    return [v if ok else None for v, ok in zip(values, valid, strict=True)]
