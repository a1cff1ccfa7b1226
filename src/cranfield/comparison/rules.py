"""The rules of a release check, and how they are written in a TOML file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from cranfield.comparison.outcome import Choices
from cranfield.errors import UsageError
from cranfield.kit.arguments import number
from cranfield.stats.corrections import Correction

RuleKind = Literal["no-loss", "gain", "at-least", "judged", "missing"]
Policy = Literal["pass", "warn", "fail"]

# What each kind needs beside `rule`, what it may have, and what its limit is called.
_LIMIT: dict[str, str] = {
    "no-loss": "beyond",
    "gain": "at_least",
    "at-least": "value",
    "judged": "at_least",
    "missing": "at_most",
}
_DEFAULT: dict[str, float] = {"no-loss": 0.0, "gain": 0.0, "missing": 0.0}
OF_A_MEASURE = ("no-loss", "gain", "at-least")


@dataclass(frozen=True)
class Rule:
    """One condition that a release has to meet.

    Parameters
    ----------
    kind : `no-loss`: no significant loss of more than `limit`; `gain`: a significant gain of at
        least `limit`; `at-least`: a mean of `limit` or more; `judged`: judged@k of `limit` or
        more; `missing`: at most `limit` queries missing or failed.
    measure : its name; empty for `judged` and `missing`.
    limit : in units of the measure, a share, or a number of queries.
    by : a query field, to hold the rule for each of its labels; empty for all queries.
    label : with `by`, only this label.
    """

    kind: RuleKind
    limit: float
    measure: str = ""
    by: str = ""
    label: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(RuleKind):
            raise UsageError(
                f"no rule is called {self.kind!r}", f"rules: {', '.join(get_args(RuleKind))}"
            )
        if (self.kind in OF_A_MEASURE) != bool(self.measure):
            needs = "needs a measure" if self.kind in OF_A_MEASURE else "has no measure"
            raise UsageError(f"the rule {self.kind} {needs}")
        wanted, least, most = "must be a number from 0 on", 0.0, math.inf
        if self.kind == "at-least":
            wanted, least = "must be a number", -math.inf
        elif self.kind == "judged":
            wanted, most = "must be a share from 0 to 1", 1.0
        name = f"{_LIMIT[self.kind]} of the rule {self.kind}"
        number(name, self.limit, wanted, lambda x: least <= x <= most)
        if self.label and not self.by:
            raise UsageError(f"label {self.label!r} without a field", 'write by = "type" as well')
        if self.by and self.kind not in OF_A_MEASURE:
            raise UsageError(f"the rule {self.kind} is about whole runs and takes no `by`")

    @property
    def limit_name(self) -> str:
        """What the limit is called in a file: `beyond`, `at_least`, `value`, `at_most`."""
        return _LIMIT[self.kind]


# What a check asks for when it is not told: nothing lost for certain, and every query answered.
DEFAULT_RULES = (Rule("no-loss", 0.01, "nDCG@10"), Rule("missing", 0))


@dataclass(frozen=True)
class GatePlan:
    """Rules, and the choices that go with them.

    Parameters
    ----------
    rules : at least one.
    alpha, correction, test, resamples, seed : as in `Choices`.
    cannot_tell : what an undecided rule does to the check: it may `pass`, `warn` or `fail`.
    """

    rules: tuple[Rule, ...] = DEFAULT_RULES
    alpha: float = 0.05
    correction: Correction = "holm"
    test: str = "randomisation"
    resamples: int = 100_000
    seed: int = 0
    cannot_tell: Policy = "warn"

    def __post_init__(self) -> None:
        if not self.rules:
            raise UsageError("a release check without a rule", "give it at least one")
        stranger = next((r for r in self.rules if not isinstance(r, Rule)), None)
        if stranger is not None:
            raise UsageError(f"{stranger!r} among the rules is none", 'Rule("missing", 0)')
        Choices(**self.choices)
        if self.correction not in get_args(Correction):
            raise UsageError(
                f"correction is {self.correction!r}", f"one of {', '.join(get_args(Correction))}"
            )
        if self.cannot_tell not in get_args(Policy):
            raise UsageError(
                f"cannot_tell is {self.cannot_tell!r}", f"one of {', '.join(get_args(Policy))}"
            )

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures the rules ask for, each once, in order."""
        return tuple(dict.fromkeys(r.measure for r in self.rules if r.measure))

    @property
    def asked_measures(self) -> tuple[str, ...]:
        """What is evaluated: rules about whole runs need scores to be counted in, too."""
        return self.measures or ("nDCG@10",)

    @property
    def choices(self) -> dict[str, Any]:
        """The fields of `Choices` that the plan sets."""
        names = ("alpha", "correction", "test", "resamples", "seed")
        return {name: getattr(self, name) for name in names}

    @property
    def fields(self) -> tuple[str, ...]:
        """The query fields the rules slice by, each once, in order."""
        return tuple(dict.fromkeys(r.by for r in self.rules if r.by))

    def but(self, **changes: Any) -> GatePlan:
        """The same with every change that is not None."""
        return replace(self, **{k: v for k, v in changes.items() if v is not None})


def plan_of(table: Mapping[str, Any], where: str) -> GatePlan:
    """The plan that a `[gate]` table of a TOML file holds.

    Raises
    ------
    UsageError
        A key or value nobody knows; the message names `where` and the place in the table.
    """
    known: dict[str, type | tuple[type, ...]] = {
        "rule": list,
        "alpha": (int, float),
        "correction": str,
        "test": str,
        "resamples": int,
        "seed": int,
        "cannot_tell": str,
    }
    _check_keys(table, known, f"{where}, [gate]")
    for key, kind in known.items():
        if key in table and (not isinstance(table[key], kind) or isinstance(table[key], bool)):
            raise UsageError(f"{where}, [gate]: {key} is {table[key]!r}", _wanted(kind))
    choices: dict[str, Any] = {k: v for k, v in table.items() if k != "rule"}
    rules = tuple(
        _rule(row, f"{where}, [[gate.rule]] {i}") for i, row in enumerate(table.get("rule", []), 1)
    )
    try:
        return GatePlan(rules or DEFAULT_RULES, **choices)
    except UsageError as e:
        raise UsageError(f"{where}, [gate]: {e.message}", e.hint) from None


def _rule(row: object, where: str) -> Rule:
    if not isinstance(row, Mapping):
        raise UsageError(f"{where} is {row!r}", 'a table: rule = "no-loss", measure = "nDCG@10"')
    kind = row.get("rule")
    if kind not in _LIMIT:
        raise UsageError(f"{where}: rule is {kind!r}", f"rules: {', '.join(_LIMIT)}")
    limit = _LIMIT[kind]
    _check_keys(row, ("rule", "measure", limit, "by", "label"), where)
    value = row.get(limit, _DEFAULT.get(kind))
    if not isinstance(value, int | float) or isinstance(value, bool):
        said = "is missing" if value is None else f"is {value!r}"
        raise UsageError(f"{where}: {limit} {said}", "a number")
    texts = {key: row.get(key, "") for key in ("measure", "by", "label")}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise UsageError(f"{where}: {key} is {text!r}", "a text in quotes")
    try:
        return Rule(kind, float(value), **texts)
    except UsageError as e:
        raise UsageError(f"{where}: {e.message}", e.hint) from None


def _check_keys(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise UsageError(f"{where}: nothing is called {key!r}", f"keys: {', '.join(known)}")


def _wanted(kind: type | tuple[type, ...]) -> str:
    if kind is list:
        return "write each rule as a table [[gate.rule]]"
    return "a text in quotes" if kind is str else "a whole number" if kind is int else "a number"
