"""What `-m` of trec_eval asks for: names, nicknames and parameters, in the order it prints them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from cranfield.errors import MeasureError, UsageError
from cranfield.measures import Measure
from cranfield.measures.trec_names import ALL, EACH, GAINS, RBP, trec_measures

Kind = Literal["mean", "count", "gm", "runid", "num_q", "relstring", "ideal"]
Format = Literal["qrels", "qrels_jg", "prefs", "qrels_prefs"]

COUNTS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
GEOMETRIC = ("gm_map", "gm_bpref")
LEVELS = ("iprec_at_recall", "Rprec_mult", "Rprec_mult_avgjg")  # fractions, printed as 0.10
NEW = ("dcg", "ideal_dcg", "rbp", "rbp_resid", "unj")  # since version 10
PREFERENCES = tuple(
    "prefs_" + name
    for name in (
        "num_prefs_poss num_prefs_ful num_prefs_ful_ret simp pair avgjg avgjg_Rnonrel simp_ret "
        "pair_ret avgjg_ret avgjg_Rnonrel_ret simp_imp pair_imp avgjg_imp"
    ).split()
)
GROUPS = ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg")
_CHIEF = "num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P".split()
_SETS = "set_P set_relative_P set_recall set_map set_F".split()

# The order of printing, whatever the order on the command line.
ORDER = (
    *("runid", "num_q", *_CHIEF),
    *("relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg"),
    *("binG", "G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut"),
    *("relative_P", "success", *_SETS, "num_nonrel_judged_ret"),
    *PREFERENCES,
    *GROUPS,
    *("yaap", "rbp", "rbp_resid", "unj"),
)
NICKNAMES = {
    "official": ("runid", "num_q", *_CHIEF),
    "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *_SETS),
    "all_trec": tuple(
        name for name in ORDER if name not in (*PREFERENCES, *GROUPS, "dcg", "ideal_dcg", "yaap")
    ),
    "all_prefs": ("runid", "num_q", *PREFERENCES),
    "prefs": ("runid", "num_q", *PREFERENCES[:6]),
    "qrels_jg": ("runid", "num_q", *GROUPS),
}
DEFAULT: dict[Format, str] = {
    "qrels": "official",
    "qrels_jg": "qrels_jg",
    "prefs": "prefs",
    "qrels_prefs": "prefs",
}

# Lists of numbers: one printed value for each.
LISTS: dict[str, tuple[Callable[[float], Measure], tuple[float, ...]]] = {
    name: found for name, found in EACH.items() if name != "set_F"
}
_PARAMETERS = ("relstring", "set_F", *ALL, *GAINS, *RBP, "dcg", "ideal_dcg", *LISTS)


@dataclass(frozen=True)
class Column:
    """A printed measure: its name there, and ours (None where it is none)."""

    name: str
    measure: Measure | None
    kind: Kind = "mean"
    length: int = 0  # of a relstring


@dataclass
class Asked:
    """The measures to print and the parameters given for them, each list once."""

    names: set[str] = field(default_factory=set)
    parameters: dict[str, list[str]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def asked(texts: Iterable[str], version: int = 10) -> Asked:
    """What several `-m` ask for.

    Raises
    ------
    MeasureError
        No such measure, or one that takes no parameters.
    """
    found = Asked()
    for text in texts:
        name, point, given = text.partition(".")
        if name in NICKNAMES and not point:
            found.names.update(NICKNAMES[name])
        elif name not in ORDER or (version == 9 and name in NEW):
            raise _unknown(name, version)
        else:
            found.names.add(name)
        if point and (name not in _PARAMETERS or not given):
            raise MeasureError(f"-m {text}: {name} takes no such parameters")
        if point and given not in (lists := found.parameters.setdefault(name, [])):
            lists.append(given)
            if len(lists) > 1:
                found.remarks.append(
                    f"-m {name} has several lists of parameters: all of them are printed "
                    "(trec_eval would take the first)"
                )
    if version == 9:
        found.names.difference_update(NEW)
    return found


def columns(
    wanted: Asked,
    *,
    version: int = 10,
    level: int = 1,
    docs: int = 0,
    top: int = 1,
    condensed: bool = False,
) -> list[Column]:
    """The printed measures in order.

    Parameters
    ----------
    level : the lowest relevant grade (`-l`).
    docs : documents in the collection (`-N`).
    top : the largest grade, to which tables of gains are filled up.
    condensed : unjudged documents are left out of the list by the measures themselves (`-J`).
    """
    found: list[Column] = []
    for name in ORDER:
        if name in wanted.names:
            found += _columns(name, wanted.parameters.get(name, []), top)
    return [
        replace(c, measure=c.measure and _set(c.measure, version, level, docs, condensed))
        for c in found
    ]


def _set(measure: Measure, version: int, level: int, docs: int, condensed: bool) -> Measure:
    values = measure.values
    known = {p.name for p in measure.definition.params if p.applies(values)}
    given: dict[str, object] = {"condensed": True} if condensed else {}
    if "rel" in known:
        given["rel"] = level
    if "convention" in known:
        given["convention"] = "v9" if version == 9 else "lround"
    if "docs" in known:
        given["docs"] = docs
    return measure(**given)


def _columns(name: str, given: list[str], top: int) -> list[Column]:
    if name in ("runid", "num_q"):
        return [Column(name, None, "runid" if name == "runid" else "num_q")]
    if name in PREFERENCES:
        measure = (trec_measures(name) or [Measure(name)])[0]
        return [Column(name, measure, "count" if "_num_" in name else "mean")]
    if name in LISTS:
        make, standard = LISTS[name]
        numbers = sorted({_number(x, name) for text in given for x in text.split(",")})
        return [Column(_numbered(name, x), make(x)) for x in numbers or standard]
    if name not in _PARAMETERS:
        measure = Measure(name)
        kind: Kind = "count" if name in COUNTS else "gm" if name in GEOMETRIC else "mean"
        return [Column(name, measure, kind)]
    return [_with_parameters(name, text, top) for text in given or [""]]


def _with_parameters(name: str, text: str, top: int) -> Column:
    shown = f"{name}_{text}" if text else name
    items = text.split(",") if text else []
    if name == "relstring":
        return Column(shown, None, "relstring", int(_number(text, name)) if text else 10)
    if name == "set_F":
        return Column(shown, EACH[name][0](_number(text, name) if text else 1.0))
    if name in RBP:
        pairs = dict(_pair(item, name) for item in items)
        if set(pairs) - {"p"}:
            raise MeasureError(f"-m {name}.{text}: its one parameter is p", f"-m {name}.p=0.8")
        return Column(shown, RBP[name](pairs.get("p", 0.9)))
    if name in ALL:
        if name == "utility" and len(items) not in (0, 4):
            raise MeasureError(f"-m utility.{text}: four numbers are needed", "utility.1,-1,0,0")
        return Column(shown, ALL[name](tuple(_number(item, name) for item in items)))
    measure = Measure(GAINS.get(name, "DCG"))
    if items:
        gains = {int(_number(key, name)): value for key, value in (_pair(i, name) for i in items)}
        table = {grade: gains.get(grade, float(grade)) for grade in range(max(top, *gains) + 1)}
        measure = measure(gain=table)
    return Column(shown, measure, "ideal" if name == "ideal_dcg" else "mean")


def _numbered(name: str, number: float) -> str:
    return f"{name}_{number:3.2f}" if name in LEVELS else f"{name}_{number:.0f}"


def _number(text: str, name: str) -> float:
    """A number; a cutoff loses its fraction, as in trec_eval."""
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", text.strip(), re.ASCII):
        raise MeasureError(f"-m {name}: {text!r} is not a number")
    number = float(text)
    return number if name not in LISTS or name in LEVELS else int(number)


def _pair(text: str, name: str) -> tuple[str, float]:
    key, equals, value = text.partition("=")
    if not equals:
        raise MeasureError(f"-m {name}: {text!r} is not of the form name=number")
    return key, _number(value, name)


def _unknown(name: str, version: int) -> UsageError:
    import difflib

    if version == 9 and name in NEW:
        return MeasureError(f"trec_eval 9 has no measure {name!r}", "leave out --v9")
    stem, _, number = name.rpartition("_")
    if stem in LISTS and number:
        return MeasureError(f"no measure {name!r}", f"-m {stem}.{number}")
    near = difflib.get_close_matches(name, (*ORDER, *NICKNAMES), 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join((*NICKNAMES, *ORDER))}"
    return MeasureError(f"no measure {name!r}", hint)
