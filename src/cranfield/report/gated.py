"""A release check as a page (text, Markdown, HTML), as JSON, and as JUnit XML for a CI server."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree as ET

from cranfield.comparison.gate import GateResult, Outcome
from cranfield.report.grid import Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Block, Page, Table, Text
from cranfield.report.remarks import in_words, p_text

MARKS = {"pass": "✓", "fail": "✗", "undecided": "?"}


def page(found: GateResult, lang: str = "en") -> Page:
    """The check for people: its result, a row for each rule, and how it was decided."""
    w = words(lang)
    base, run = found.comparison.scores.runs
    choices = found.comparison.choices
    blocks: list[Block] = [Text(headline(found, w)), Table(_rules(found, w))]
    if found.hypotheses:
        method = w(
            "gate.note.method",
            test=choices.test,
            correction=found.plan.correction,
            hypotheses=found.hypotheses,
            alpha=choices.alpha,
            level=f"{100 * (1 - choices.alpha):g}",
        )
        blocks.append(Text(method))
    return Page(w("gate.title", run=run, base=base), lang, tuple(blocks))


def headline(found: GateResult, w: Words) -> str:
    """The result in one line."""
    counts = Counter(o.result for o in found.outcomes)
    return w(
        f"gate.head.{found.result}",
        n=len(found.outcomes),
        failed=counts["fail"],
        undecided=counts["undecided"],
        policy=found.plan.cannot_tell,
    )


def _rules(found: GateResult, w: Words) -> Grid:
    columns = ("result", "rule", "queries", "value", "interval", "p", "why")
    rows = tuple(
        (
            f"{MARKS[o.result]} {w(f'gate.result.{o.result}')}",
            rule_in_words(found, o, w),
            _queries(o, w),
            _value(o),
            "" if o.low is None or o.high is None else f"[{o.low:.4f}, {o.high:.4f}]",
            "" if o.p is None else p_text(o.p),
            why(o, w),
        )
        for o in found.outcomes
    )
    return Grid(tuple(w(f"gate.column.{c}") for c in columns), ("text",) * len(columns), rows)


def rule_in_words(found: GateResult, outcome: Outcome, w: Words) -> str:
    """What a rule asks for."""
    rule = outcome.rule
    return w(
        f"gate.rule.{rule.kind}",
        limit=f"{rule.limit:g}",
        measure=rule.measure,
        k=found.comparison.scores.k,
    )


def _queries(outcome: Outcome, w: Words) -> str:
    n = "" if outcome.evidence is None else f" (n={outcome.evidence.n})"
    if outcome.slice is None:
        return w("gate.all") + n
    field, label = outcome.slice
    return f"{field}={label}{n}"


def _value(outcome: Outcome) -> str:
    if outcome.value is None:
        return "–"
    if outcome.rule.kind == "missing":
        return f"{outcome.value:.0f}"
    return f"{outcome.value:+.4f}" if outcome.p is not None else f"{outcome.value:.4f}"


def why(outcome: Outcome, w: Words) -> str:
    """The reason in words; where no verdict may be given, the comparison's."""
    if not outcome.reason.key.startswith("gate."):
        return in_words(outcome.reason, w)
    values = {k: _said(k, v) for k, v in outcome.reason.values.items()}
    if outcome.evidence is not None:
        values.setdefault("n", str(outcome.evidence.n))
    return w(outcome.reason.key, **values)


def _said(name: str, value: object) -> str:
    if name == "p" and isinstance(value, float):
        return p_text(value)
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def to_json(found: GateResult) -> str:
    """Everything that decided the check, for programs."""
    base, run = found.comparison.scores.runs
    data = {
        "schema": 1,
        "base": base,
        "run": run,
        "result": found.result,
        "exit_code": found.exit_code,
        "cannot_tell": found.plan.cannot_tell,
        "hypotheses": found.hypotheses,
        "rules": [_record(found, o) for o in found.outcomes],
        "choices": asdict(found.comparison.choices) | {"correction": found.plan.correction},
        "settings": dict(found.comparison.scores.settings),
    }
    return json.dumps(data, ensure_ascii=False, indent=1, default=_plain) + "\n"


def _record(found: GateResult, outcome: Outcome) -> dict[str, Any]:
    evidence = outcome.evidence
    return {
        "rule": outcome.rule.kind,
        "measure": outcome.rule.measure or None,
        outcome.rule.limit_name: outcome.rule.limit,
        "slice": None if outcome.slice is None else list(outcome.slice),
        "result": outcome.result,
        "value": outcome.value,
        "low": outcome.low,
        "high": outcome.high,
        "p": None if evidence is None else evidence.p,
        "p_adjusted": outcome.p,
        "n": None if evidence is None else evidence.n,
        "why": why(outcome, words("en")),
        "in_words": rule_in_words(found, outcome, words("en")),
    }


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def to_junit(found: GateResult) -> bytes:
    """A test suite with a test case a rule: what a CI server shows by itself.

    An undecided rule is a failure where the policy is `fail`, else a skipped test with its reason.
    """
    w = words("en")
    base, run = found.comparison.scores.runs
    stops = found.plan.cannot_tell == "fail"
    failed = sum(_stops(o, stops) for o in found.outcomes)
    skipped = sum(o.result == "undecided" for o in found.outcomes) * (not stops)
    suite = ET.Element(
        "testsuite",
        name=_xml(f"cranfield gate: {run} against {base}"),
        tests=str(len(found.outcomes)),
        failures=str(failed),
        errors="0",
        skipped=str(skipped),
    )
    for outcome in found.outcomes:
        name = f"{rule_in_words(found, outcome, w)} [{_queries(outcome, w)}]"
        case = ET.SubElement(suite, "testcase", classname="cranfield.gate", name=_xml(name))
        said = _xml(why(outcome, w))
        if _stops(outcome, stops):
            ET.SubElement(case, "failure", message=said, type=outcome.result)
        elif outcome.result == "undecided":
            ET.SubElement(case, "skipped", message=said)
        ET.SubElement(case, "system-out").text = said
    ET.indent(suite)
    written: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _stops(outcome: Outcome, undecided_stops: bool) -> bool:
    return outcome.result == "fail" or (outcome.result == "undecided" and undecided_stops)


def _xml(text: str) -> str:
    """A text that XML 1.0 can hold: control characters, which ids may contain, are not allowed."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
