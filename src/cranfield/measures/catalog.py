"""What there is to know about a family of measures, as data for help texts and documentation."""

from __future__ import annotations

import math
from typing import Any

from cranfield.measures.declaration import CATALOG, Family, find_family
from cranfield.measures.params import write

TIES = {
    "expected": 'the run\'s order decides; ties="expected" gives the mean over all orders of ties',
    "order-free": "does not depend on the order",
    "ordered": "the run's order decides",
}

AGGREGATES = {"mean": "mean", "sum": "sum", "gm": "geometric mean, values below 0.00001 as that,"}

# The order in which lists of measures teach them: what is used every day comes first.
ORDER: dict[str, str] = {
    "everyday": "nDCG AP RR P R Success F Rprec Judged",
    "graded": "DCG nDCG_JK AnDCG NCG GAP Q O PMeasure PPlus AP_Wu P_Wu RP_Wu RR_Wu",
    "models of a user": (
        "RBP RBPRes ERR nERR INST INSQ BPM SDCG NERR8 NERR9 NERR10 NERR11 Compatibility"
    ),
    "diversity": "alpha_nDCG alpha_DCG StRecall NRBP nNRBP",
    "intent": "ERR_IA nERR_IA AP_IA P_IA",
    "trec_eval's own": (
        "bpref infAP xinfAP GMAP GMbpref IPrec IPrecAvg RelP SetAP Utility Unjudged binG G "
        "nDCG_rel Rndcg yaap NumQ NumRet NumRel NumRelRet NumNonrelRet"
    ),
    "several people and preferences": (
        "AP_avgjg P_avgjg Rprec_avgjg prefs_simp prefs_avgjg prefs_pair prefs_avgjg_Rnonrel "
        "NumPrefs NumPrefsFul"
    ),
}


def in_order() -> dict[str, list[Family]]:
    """{heading: families}, all of the catalogue, in the order in which lists show them; those that
    somebody else declared come last."""
    found = {title: [CATALOG[name] for name in names.split()] for title, names in ORDER.items()}
    known = {family.name for families in found.values() for family in families}
    others = [family for name, family in CATALOG.items() if name not in known]
    return {**found, "others": others} if others else found


def explain_family(name: str) -> dict[str, Any]:
    """The declaration of a family as plain data.

    Parameters
    ----------
    name : of the family, or an alias of it.

    Returns
    -------
    name, title, formula, range, no_relevant, ties, source, aggregate : text
    aliases, parameters : lists; a parameter is {name, default, allowed, help}, all text
    example : {measure, ranked, missed, value, note}

    Raises
    ------
    MeasureError
        No family has that name.
    """
    family = find_family(name)
    example = family.example
    return {
        "name": family.name,
        "title": family.title,
        "formula": family.formula,
        "range": " to ".join(_bound(end) for end in family.range),
        "no_relevant": family.no_relevant,
        "ties": TIES[family.ties],
        "source": family.source,
        "aggregate": AGGREGATES[family.aggregate],
        "aliases": list(family.aliases),
        "parameters": [
            {
                "name": param.name,
                "default": "required"
                if param.name == family.cutoff and family.needs_cutoff
                else write(param.default),
                "allowed": param.allowed,
                "help": param.help,
            }
            for param in family.params
        ],
        "example": {
            "measure": example.measure,
            "ranked": list(example.ranked),
            "missed": list(example.missed),
            "value": example.value,
            "note": example.note,
        },
    }


def _bound(end: float) -> str:
    return ("-∞" if end < 0 else "∞") if math.isinf(end) else write(end)
