"""A measure is a value: the name of a family and the parameters that differ from its defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from cranfield.errors import MeasureError
from cranfield.measures.declaration import CATALOG, Family, Formula, find_family
from cranfield.measures.params import CONDENSED, CUTOFF, Param, Value, write


@dataclass(frozen=True, repr=False)
class Measure:
    """A family with parameters; equal when they mean the same, and usable as a key.

    Parameters
    ----------
    family : a name in `CATALOG`.
    params : (name, value) pairs in any order; kept in canonical order without the defaults.

    Examples
    --------
    >>> from cranfield.measures import nDCG
    >>> str(nDCG(gain="exp") @ 10)
    'nDCG(gain="exp")@10'
    """

    family: str
    params: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        family = find_family(self.family)
        given = {name: _read(family, name, value) for name, value in self.params}
        values = {p.name: given.get(p.name, p.default) for p in family.params}
        for param in family.params:
            if values[param.name] != param.default and not param.applies(values):
                flag = param.when[0] if param.when else ""
                raise MeasureError(
                    f"{family.name}: {param.name} means nothing with {flag}={write(values[flag])}"
                )
        kept = ((p.name, values[p.name]) for p in family.params)
        kept = (item for item in kept if item[1] != family.param(item[0]).default)
        object.__setattr__(self, "family", family.name)
        object.__setattr__(self, "params", tuple(kept))

    @property
    def definition(self) -> Family:
        """The declaration of the measure's family."""
        return CATALOG[self.family]

    @property
    def values(self) -> dict[str, Value]:
        """Every parameter with its value, defaults too, in canonical order."""
        given = dict(self.params)
        return {p.name: given.get(p.name, p.default) for p in self.definition.params}

    @property
    def at(self) -> Value:
        """What `@` set: a cutoff, or a level of recall; None without it."""
        name = self.definition.cutoff
        return None if name is None else self.values[name]

    @property
    def cutoff(self) -> int | None:
        """The k of `@k`, None without one."""
        return self.at if isinstance(self.at, int) else None

    @property
    def lacks_cutoff(self) -> bool:
        """Whether the formula needs an `@` that the measure does not have."""
        return self.definition.needs_cutoff and self.at is None

    @property
    def condensed(self) -> bool:
        """Whether unjudged documents are left out first."""
        return bool(self.values.get("condensed", False))

    def __call__(self, **params: Any) -> Measure:
        """The same measure with other parameters; the others stay."""
        return replace(self, params=tuple({**dict(self.params), **params}.items()))

    def __matmul__(self, cutoff: float) -> Measure:
        """`measure @ k`: the same measure, reading the first k documents."""
        name = self.definition.cutoff
        if name is None:
            raise MeasureError(f"{self.family} takes no cutoff", f"write {self.family}")
        return self(**{name: cutoff})

    def __str__(self) -> str:
        """The shortest text that `parse` reads as this measure."""
        return self._text(full=False)

    def __repr__(self) -> str:
        return f"<Measure {self}>"

    @property
    def full_name(self) -> str:
        """The text with every choice that matters, default or not; `parse` reads it too."""
        return self._text(full=True)

    def resolve(self, max_grade: float) -> Measure:
        """The measure with `gmax` set to the collection's largest grade where it was left open.

        A collection without a grade above 0 gives 1: nothing in it has any worth, so that the
        value is 0 whatever gmax is.
        """
        if self.lacks_gmax:
            return self(gmax=float(max_grade) if max_grade > 0 else 1.0)
        return self

    @property
    def lacks_gmax(self) -> bool:
        """Whether the formula reads a largest grade that the measure does not say yet."""
        values = self.values
        open_ = (p for p in self.definition.params if p.name == "gmax" and values["gmax"] is None)
        return any(p.applies(values) for p in open_)

    def _text(self, full: bool) -> str:
        family, values = self.definition, self.values
        inside = ", ".join(f"{n}={write(v)}" for n, v in self._shown(values, full))
        cutoff = f"@{write(self.at)}" if self.at is not None else ""
        prime = "'" if self.condensed else ""
        return f"{family.name}{prime}{f'({inside})' if inside else ''}{cutoff}"

    def _shown(self, values: dict[str, Value], full: bool) -> Iterator[tuple[str, Value]]:
        for param in self.definition.params:
            value = values[param.name]
            if param is CONDENSED or param.name == self.definition.cutoff:
                continue
            printed = full and param.always and value is not None and param.applies(values)
            if printed or value != param.default:
                yield param.name, value


def family(
    name: str,
    *,
    params: Sequence[Param] = (),
    cutoff: Literal["optional", "required"] | None = None,
    at: Param = CUTOFF,
    condensable: bool = True,
    **declared: Any,
) -> Callable[[Formula], Measure]:
    """Declare the decorated formula as a family and name its default member after it.

    Every family but those for which an unjudged document is the point has the parameter
    `condensed`; the engine applies it, the formula never sees it. `at` is what
    `@` sets, where that is not a number of documents.
    """
    own = ((at,) if cutoff else ()) + tuple(params) + ((CONDENSED,) if condensable else ())

    def declare(function: Formula) -> Measure:
        CATALOG[name] = Family(
            name=name,
            function=function,
            params=own,
            cutoff=at.name if cutoff else None,
            needs_cutoff=cutoff == "required",
            **declared,
        )
        return Measure(name)

    return declare


def no_cutoff(measure: Measure) -> MeasureError:
    """The error for a measure without the `@` that it needs."""
    if measure.definition.cutoff == "k":
        return MeasureError(
            f"{measure} needs a cutoff", f"for example {measure @ 10}: the first 10 documents"
        )
    return MeasureError(
        f"{measure} needs a level of recall", f"for example {measure @ 0.1}: a tenth of all"
    )


def _read(family: Family, name: str, value: object) -> Value:
    param = family.param(name)
    if value is None and param.default is None:
        return None
    try:
        return param.read(value)
    except (TypeError, ValueError):
        raise MeasureError(
            f"{family.name}: {name} must be {param.allowed}, not {value!r}", param.help
        ) from None
