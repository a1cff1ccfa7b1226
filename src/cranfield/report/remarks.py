"""A remark or a verdict in words; every number is shown with the digits it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.comparison.outcome import Comparison, Difference, Remark
from cranfield.report.lab_words import Count
from cranfield.report.language import Words

SOME = 5  # names listed; the data hold all
# Cautions that are good to know and put no verdict in doubt.
KNOW = (
    "hypotheses",
    "scale_count",
    "scale_log",
    "card",
    "unlabelled",
    "no_label",
    "no_relevant",
    "decided",
    "unbounded",
)
_SHARES = ("share", "most", "level", "power", "max_missing")
_PLAIN = ("alpha", "min_effect", "limit")


def in_words(remark: Remark, w: Words) -> str:
    """One sentence without a full stop."""
    alpha = remark.values.get("alpha")
    values = {name: _shown(name, value, alpha) for name, value in remark.values.items()}
    key = remark.key
    if key == "shown" and not remark.values["min_effect"]:
        key = "shown.any"
    if key == "uncorrected":
        values["wrong"] = f"{remark.values['n'] * remark.values['alpha']:.2g}"
    return w(f"remark.{key}", **values)


def careful_about(found: Comparison, w: Words) -> tuple[str, ...]:
    """What may speak instead of the systems, in words."""
    return tuple(in_words(r, w) for r in found.cautions if r.key not in KNOW)


def sentence(row: Difference, base: str, w: Words) -> str:
    """The verdict on one difference and why, in one sentence."""
    reasons = w("compare.and").join(in_words(reason, w) for reason in row.verdict.reasons)
    return w("compare.because", claim=claim(row, base, w), reasons=reasons)


def claim(row: Difference, base: str, w: Words) -> str:
    """The verdict on one difference, without the reasons."""
    difference = round(row.difference, 4) + 0.0 if row.n else 0.0  # + 0.0: no negative zero
    return w(
        f"compare.{row.verdict.kind}",
        measure=name_of(row),
        run=row.run,
        base=base,
        difference=f"{difference:+.4f}" if difference else "0.0000",
        size=_size(abs(row.difference)) if row.n else "",
    )


def sentences(found: Comparison, w: Words, most: int = 12) -> list[str]:
    """The verdicts over all queries: a sentence each, or for more than `most` of them the runs
    by verdict."""
    if len(found.differences) <= most:
        return [sentence(row, found.base, w) for row in found.differences]
    grouped: dict[tuple[str, str], list[str]] = {}
    for row in found.differences:
        grouped.setdefault((name_of(row), row.verdict.kind), []).append(row.run)
    return [
        w(
            "compare.many",
            measure=measure,
            verdict=w(f"verdict.{kind}"),
            base=found.base,
            n=len(runs),
            runs=some(runs),
        )
        for (measure, kind), runs in grouped.items()
    ]


def name_of(row: Difference) -> str:
    """The measure, on the scale on which it is compared."""
    return f"ln({row.measure})" if row.compared == "log" else row.measure


def p_text(p: float | None, alpha: float | None = None) -> str:
    """Four decimals, more where they would hide on which side of alpha p lies; never 0.0000."""
    if p is None:
        return "–"
    if p < 0.0001:
        return "<0.0001"
    digits = 4
    while alpha is not None and p != alpha and digits < 12 and round(p, digits) == alpha:
        digits += 1
    return f"{p:.{digits}f}"


def percent(share: float) -> str:
    """0.95 as 95%."""
    return f"{100 * share:.4g}%"


def some(names: Sequence[str], most: int = SOME) -> str:
    """The first few of them."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _size(value: float) -> str:
    return f"{value:.4f}" if value >= 0.00005 else f"{value:.1e}"


def _shown(name: str, value: Any, alpha: float | None) -> Any:
    if name == "p":
        text = p_text(value, alpha)
        return text.replace("<", "< ") if text.startswith("<") else f"= {text}"
    if name == "p_adjusted":
        return p_text(value, alpha)
    if name in _SHARES:
        return percent(value)
    if name in _PLAIN:
        return f"{value:g}"
    if isinstance(value, Mapping):
        return some([f"{key}: {_setting(a)} → {_setting(b)}" for key, (a, b) in value.items()])
    if isinstance(value, (tuple, list)):
        return some([str(v) for v in value])
    return Count(value) if type(value) is int else value


def _setting(value: Any) -> str:
    text = "–" if value is None else str(value)
    return text if len(text) <= 60 else text[:59] + "…"
