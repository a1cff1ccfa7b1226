"""What is known of a run beside its results: how it was made, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cranfield.errors import InputError


@dataclass(frozen=True)
class RunCard:
    """The card of a run.

    Parameters
    ----------
    name : of the run.
    config : how it was made; nested mappings are compared key by key (`bm25.k1`).
    latency : {query: milliseconds}.
    cost : {query: cost}, in `currency` or in whatever unit the card says.
    failed : queries that the system failed to answer (an error, not an empty result).
    """

    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    latency: Mapping[str, float] = field(default_factory=dict)
    cost: Mapping[str, float] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    currency: str = ""

    def __post_init__(self) -> None:
        for what, values in (("latency", self.latency), ("cost", self.cost)):
            bad = next((q for q, v in values.items() if not 0 <= v < float("inf")), None)
            if bad is not None:
                raise InputError(
                    f"{what} of query {bad!r} is {values[bad]}", "a number, 0 or above"
                )

    def flat(self) -> dict[str, Any]:
        """The configuration with nested keys joined by dots, in the order of the card."""
        return dict(_flat("", self.config))


def _flat(prefix: str, value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, inner in value.items():
        name = f"{prefix}{key}"
        if isinstance(inner, Mapping) and inner:
            rows += _flat(f"{name}.", inner)
        else:
            rows.append((name, inner))
    return rows


def changed_keys(a: RunCard, b: RunCard) -> dict[str, tuple[Any, Any]]:
    """{key: (value in a, value in b)} for every key of the configurations that differs; a key
    that one lacks is None there. Cards without any configuration say nothing and differ in
    nothing."""
    one, two = a.flat(), b.flat()
    if not one or not two:
        return {}
    return {
        key: (one.get(key), two.get(key))
        for key in dict.fromkeys([*one, *two])
        if one.get(key) != two.get(key)
    }
