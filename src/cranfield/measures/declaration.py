"""What is declared about a family of measures, and the catalogue of all declarations.

A family is declared once, next to its formula, with everything that people and programs ask about
it; the parser, the documentation and the laws in the tests all read the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from cranfield.errors import MeasureError
from cranfield.measures.hits import Bools, Floats
from cranfield.measures.params import Param, write


@dataclass(frozen=True)
class Sampled:
    """The grade of a document in a stratum of the pool; below 0: it was not sampled."""

    stratum: int
    grade: float

    def __str__(self) -> str:
        return f"{self.grade:g} of stratum {self.stratum}"


# What was said of a document: its grade, the subtopics it is about, the grade that each of several
# people gave it, its grade and stratum, or None: nothing.
Mark: TypeAlias = float | tuple[int, ...] | Mapping[str, float] | Sampled | None

# A formula gives one value a topic, or those and which of them are defined.
Formula: TypeAlias = Callable[..., Floats | tuple[Floats, Bools]]


@dataclass(frozen=True)
class Example:
    """A worked example that can be checked by hand.

    Parameters
    ----------
    measure : its text.
    ranked : the grades of the returned documents from the first on; None is unjudged. For
        measures of diversity the subtopics of each instead of a grade, where several people
        judged the grade by person, and of a pool sampled by strata the stratum too.
    missed : the same of judged documents that were not returned.
    value : to ten significant digits.
    note : the arithmetic, in words.
    """

    measure: str
    ranked: Sequence[Mark]
    missed: Sequence[Mark]
    value: float
    note: str = ""


@dataclass(frozen=True)
class Family:
    """The declaration of measures that differ only in parameters.

    Parameters
    ----------
    name : the field's name for it.
    function : formula(view, **params) -> [n_queries].
    title, formula, source, no_relevant : one plain line each: what it is, how it is computed,
        who says so, and its value for a topic without relevant documents.
    range : the least and the largest value.
    params : all parameters in the order of printing; the cutoff and `condensed` are among them.
    cutoff : the name of the parameter that `@` sets, or None; `needs_cutoff` if it may not lack.
    ties : "expected": has a closed form for random orders of equal scores; "order-free": does
        not depend on the order; "ordered": neither.
    aggregate : "mean", "sum" or "gm" (geometric mean), how the values of topics become one.
    view : which view of a block the formula reads.
    aliases : other names, those of ir_measures and trec_eval among them.
    """

    name: str
    function: Formula
    title: str
    formula: str
    source: str
    no_relevant: str
    range: tuple[float, float]
    example: Example
    params: tuple[Param, ...] = ()
    cutoff: str | None = None
    needs_cutoff: bool = False
    ties: Literal["expected", "order-free", "ordered"] = "ordered"
    aggregate: Literal["mean", "sum", "gm"] = "mean"
    view: str = "grades"
    aliases: tuple[str, ...] = ()

    def param(self, name: str) -> Param:
        """The parameter of that name; MeasureError listing all of them if there is none."""
        for param in self.params:
            if param.name == name:
                return param
        listed = ", ".join(f"{p.name}={write(p.default)}" for p in self.params)
        raise MeasureError(
            f"{self.name} has no parameter {name!r}",
            f"its parameters: {listed}" if listed else "it has none",
        )


CATALOG: dict[str, Family] = {}


def find_family(name: str) -> Family:
    """The family of that name or alias; MeasureError naming the nearest ones if there is none."""
    if name in CATALOG:
        return CATALOG[name]
    for candidate in CATALOG.values():
        if name in candidate.aliases:
            return candidate
    # in another case, where that leaves no doubt: p@5, ap
    same = {f.name for f in CATALOG.values() for n in (f.name, *f.aliases) if _alike(n, name)}
    if len(same) == 1:
        return CATALOG[same.pop()]
    raise unknown(name)


def _alike(known: str, name: str) -> bool:
    return known.casefold() == name.casefold()


def unknown(name: str) -> MeasureError:
    """The error for a name that no family has."""
    import difflib

    names = {n.lower(): f.name for f in CATALOG.values() for n in (*f.aliases, f.name)}
    like = difflib.SequenceMatcher(b=name.lower())

    def likeness(known: str) -> float:
        like.set_seq1(known)
        return like.ratio()

    near = difflib.get_close_matches(name.lower(), names, 3, 0.6)
    near = [n for n in near if likeness(n) > likeness(near[0]) - 0.05]
    close = list(dict.fromkeys(names[n] for n in near))
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(CATALOG)}"
    return MeasureError(f"no measure is called {name!r}", hint)
