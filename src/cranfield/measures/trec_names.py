"""The names that trec_eval gives to measures, as `-m` takes them and as its output prints them.

    map   ndcg_cut_10   P.5,10   recall   iprec_at_recall_0.10   utility.1,-1,0,0   rbp.p=0.8
    prefs_simp_ret   map_avgjg

Each means the number that trec_eval 10 prints under it, which is why the recall levels and RBP
come with its conventions. A name with a list, or without one where there is a standard list,
stands for several measures.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cranfield.errors import MeasureError
from cranfield.measures.measure import Measure
from cranfield.measures.params import Table

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(i / 10 for i in range(11))
FIFTHS = tuple(i / 5 for i in range(1, 11))


def _cut(family: str) -> Callable[[float], Measure]:
    return lambda k: Measure(family) @ k


# One measure for each number: {name: (the measure of a number, the numbers when none is given)}.
EACH: dict[str, tuple[Callable[[float], Measure], tuple[float, ...]]] = {
    "P": (_cut("P"), CUTOFFS),
    "recall": (_cut("R"), CUTOFFS),
    "ndcg_cut": (_cut("nDCG"), CUTOFFS),
    "map_cut": (_cut("AP"), CUTOFFS),
    "success": (_cut("Success"), (1, 5, 10)),
    "relative_P": (_cut("RelP"), CUTOFFS),
    "unj": (_cut("Unjudged"), (5, 10, 20)),
    "Rprec_mult": (lambda m: Measure("Rprec")(mult=m), FIFTHS),
    "iprec_at_recall": (lambda level: Measure("IPrec")(convention="lround") @ level, TENTHS),
    "P_avgjg": (_cut("P_avgjg"), CUTOFFS),
    "Rprec_mult_avgjg": (lambda m: Measure("Rprec_avgjg")(mult=m), FIFTHS),
    "set_F": (lambda beta2: Measure("F")(beta2=beta2), (1.0,)),
}
# One measure for all numbers.
ALL: dict[str, Callable[[tuple[float, ...]], Measure]] = {
    "11pt_avg": lambda levels: Measure("IPrecAvg")(levels=levels or TENTHS, convention="lround"),
    "utility": lambda worth: Measure("Utility")(**dict(zip("abcd", worth, strict=False))),
}
GAINS = {"ndcg": "nDCG", "ndcg_rel": "nDCG_rel", "Rndcg": "Rndcg", "G": "G"}
RBP: dict[str, Callable[[float], Measure]] = {
    "rbp": lambda p: Measure("RBP")(p=p, graded=True, gmax="topic"),
    "rbp_resid": lambda p: Measure("RBPRes")(p=p, tail=False),
}
# Names for a choice of preferences that count: {name: (family, pairs)}.
CHOSEN: dict[str, tuple[str, str]] = {
    "prefs_num_prefs_ful_ret": ("NumPrefsFul", "ret"),
    **{
        f"{name}_{pairs}": (name, pairs)
        for name, allowed in (
            *((f"prefs_{kind}", ("ret", "imp")) for kind in ("simp", "pair", "avgjg")),
            ("prefs_avgjg_Rnonrel", ("ret",)),
        )
        for pairs in allowed
    },
}

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_ITEM = rf"(?:[a-z\d]+=)?{_NUMBER}"
_NAMES = "|".join(map(re.escape, (*EACH, *ALL, *GAINS, *RBP)))
WITH_LIST = rf"(?:{_NAMES})[._]{_ITEM}(?:,{_ITEM})*"
_FORM = re.compile(rf"(?P<name>{_NAMES})(?:[._](?P<items>{_ITEM}(?:,{_ITEM})*))?", re.ASCII)


def trec_measures(text: str) -> list[Measure] | None:
    """The measures that a name of trec_eval stands for; None for a name that it does not have,
    or that means the same here."""
    if text in CHOSEN:
        name, pairs = CHOSEN[text]
        return [Measure(name)(pairs=pairs)]
    form = _FORM.fullmatch(text)
    if not form or (form["items"] is None and form["name"] in ("P", *GAINS)):
        return None
    name, items = form["name"], (form["items"] or "").split(",") if form["items"] else []
    try:
        if name in RBP:
            return [RBP[name](dict(map(_pair, items)).get("p", 0.9))]
        if name in GAINS:
            return [Measure(GAINS[name])(gain=_gains([_pair(item) for item in items]))]
        numbers = tuple(map(_number, items))
    except ValueError:
        raise MeasureError(f"{text!r} cannot be read as a measure of trec_eval") from None
    if name in ALL:
        return [ALL[name](numbers)]
    make, standard = EACH[name]
    return list(dict.fromkeys(make(number) for number in numbers or standard))


def _number(item: str) -> float:
    return int(item) if item.isdecimal() else float(item)


def _pair(item: str) -> tuple[str, float]:
    key, equals, value = item.partition("=")
    if not equals:
        raise ValueError
    return key, float(value)


def _gains(pairs: list[tuple[str, float]]) -> Table:
    """A table of gains; grades in between that are not named are worth themselves."""
    given = {int(key): value for key, value in pairs}
    return tuple((float(grade), given.get(grade, float(grade))) for grade in range(max(given) + 1))
