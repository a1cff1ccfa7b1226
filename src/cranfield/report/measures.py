"""The catalogue of measures and the page of one, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.data.show import ljust, width
from cranfield.measures import CATALOG, explain_family, in_order, parse
from cranfield.measures.declaration import Sampled


def catalogue() -> str:
    """One line a measure, the everyday ones first."""
    names = {family.name: _signature(explain_family(family.name)) for family in CATALOG.values()}
    column = max(map(width, names.values()))
    lines = []
    for title, families in in_order().items():
        lines += [f"─ {title}", *(f"{ljust(names[f.name], column)}  {f.title}" for f in families)]
        lines.append("")
    return "\n".join([*lines, "cranfield measures NAME explains one.", ""])


def page(name: str) -> str:
    """Everything about one measure, named as `nDCG`, `ndcg_cut_10` or `nDCG(gain=\"exp\")@10`."""
    about = explain_family(parse_family(name))
    parameters = [
        f"  {p['name']}={p['default']}  {p['help']} ({p['allowed']})" for p in about["parameters"]
    ]
    example = about["example"]
    ranked = " ".join(map(_mark, example["ranked"]))
    missed = " ".join(map(_mark, example["missed"])) or "none"
    of = marks_of(example["ranked"])
    lines = [
        f"{_signature(about)}: {about['title']}",
        "",
        f"formula      {about['formula']}",
        f"range        {about['range']}",
        f"no relevant  {about['no_relevant']}",
        f"ties         {about['ties']}",
        f"summary      {about['aggregate']} over queries",
        f"source       {about['source']}",
        f"also called  {', '.join(about['aliases'])}" if about["aliases"] else None,
        "parameters" if parameters else None,
        *parameters,
        "example",
        f"  {of} by rank: {ranked} (– is unjudged); judged but not returned: {missed}",
        f"  {example['measure']} = {example['value']:.10g}"
        + (f"   {example['note']}" if example["note"] else ""),
        "",
    ]
    return "\n".join(line for line in lines if line is not None)


def marks_of(ranked: Sequence[Any]) -> str:
    """What the marks of a list are called."""
    if any(isinstance(mark, tuple) for mark in ranked):
        return "subtopics"
    if any(isinstance(mark, Sampled) for mark in ranked):
        return "grades by stratum"
    return "grades by group" if any(isinstance(m, Mapping) for m in ranked) else "grades"


def _mark(mark: Any) -> str:
    """A grade, the subtopics of a document, what each group gave it, or a dash for what nobody
    judged."""
    if isinstance(mark, Sampled):
        return f"{mark.grade:g}({mark.stratum})"
    if isinstance(mark, tuple):
        return f"{{{','.join(map(str, mark))}}}"
    if isinstance(mark, Mapping):
        return f"{{{','.join(f'{group}:{grade:g}' for group, grade in mark.items())}}}"
    return "–" if mark is None else f"{mark:g}"


def parse_family(name: str) -> str:
    """The family that a name, an alias or a whole measure text belongs to."""
    import re

    bare = name.rstrip("'")
    known = any(bare in (family.name, *family.aliases) for family in CATALOG.values())
    if known or re.fullmatch(r"[A-Za-z_]+", bare):
        return bare
    return parse(name).family


def _signature(about: dict[str, Any]) -> str:
    named = [p for p in about["parameters"] if p["name"] not in ("k", "condensed")]
    inside = ", ".join(f"{p['name']}={p['default']}" for p in named)
    cutoff = next((p for p in about["parameters"] if p["name"] == "k"), None)
    at = "" if cutoff is None else "@k" if cutoff["default"] == "required" else "[@k]"
    return f"{about['name']}{f'({inside})' if inside else ''}{at}"
