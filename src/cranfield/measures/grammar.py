"""Texts to measures: our own spelling, that of ir_measures and that of trec_eval.

    nDCG@10    AP(rel=2)    nDCG(gain="exp")@10    nDCG'@10    RBP(p=0.95)    P@5
    nDCG(gain={0:0,1:1,2:5})@10      ndcg_cut.10      P_10      recall.5,10      map

An apostrophe condenses the list first. In our spelling a name is one of the catalogue or an
alias; trec_eval's names with a list of cutoffs stand for several measures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cranfield.errors import MeasureError
from cranfield.measures.declaration import find_family
from cranfield.measures.measure import Measure, no_cutoff
from cranfield.measures.trec_names import WITH_LIST, trec_measures

_PRIME = "'’′"
_FORM = re.compile(
    rf"(?P<name>[^\W\d][\w-]*)\s*(?P<prime>[{_PRIME}]?)\s*(?:\((?P<inside>.*)\))?"
    rf"\s*(?:@\s*(?P<cutoff>[^\s{_PRIME}()]+))?\s*(?P<late>[{_PRIME}]?)",
    re.DOTALL,
)
_PAIR = re.compile(
    r"""\s*(?P<name>[^\W\d]\w*)\s*=\s*(?P<value>"[^"]*"|'[^']*'|\{[^{}]*\}|\[[^][]*\]|[^\s,"'{}()[\]]+)\s*(?:,|$)"""
)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_PIECE = re.compile(rf"{WITH_LIST}(?![^\s,;])|[^\s,;(]+(?:\([^)]*\)?[^\s,;]*)?|[^\s,;]", re.ASCII)

_GRAMMAR = 'a measure looks like nDCG@10, AP(rel=2) or nDCG(gain="exp")@10'
_OF_IR_MEASURES = (
    *(("cutoff", "k"), ("judged_only", "condensed"), ("gains", "gain")),
    *(("recall", "level"), ("max_rel", "gmax")),
)
_DCG_OF_IR_MEASURES = {"log2": "linear", "exp-log2": "exp"}


def parse(text: str) -> Measure:
    """The one measure that a text names.

    Raises
    ------
    MeasureError
        No such measure (the nearest names are in the hint), no such parameter, a value that is
        not allowed, a cutoff that lacks, or a trec_eval name that stands for several measures.

    Examples
    --------
    >>> str(parse("ndcg_cut_10"))
    'nDCG@10'
    """
    found = list(_measures(text))
    if len(found) > 1:
        listed = ", ".join(str(m) for m in found)
        raise MeasureError(f"{text.strip()!r} names {len(found)} measures", f"one of {listed}")
    return found[0]


def parse_many(texts: Iterable[str] | str) -> list[Measure]:
    """The measures that texts name, in order, each once.

    A single text may hold several, separated by commas or blanks; trec_eval's lists of cutoffs
    ("P.5,10") stay together.
    """
    pieces = [texts] if isinstance(texts, str) else texts
    found = (m for piece in pieces for text in _PIECE.findall(piece) for m in _measures(text))
    return list(dict.fromkeys(found))


def _measures(text: str) -> Iterator[Measure]:
    text = text.strip()
    named = trec_measures(text)
    yield from [_measure(text)] if named is None else named


def _measure(text: str) -> Measure:
    form = _FORM.fullmatch(text)
    if not form:
        raise MeasureError(f"{text!r} cannot be read as a measure", _GRAMMAR)
    given = dict(_pairs(form["inside"] or "", text))
    name = _translate(form["name"], given)
    measure = Measure(name)(**given)
    if form["prime"] or form["late"]:
        measure = measure(condensed=True)
    if form["cutoff"] is not None:
        if measure.at is not None:
            raise MeasureError(f"{text!r} has two cutoffs", f"write {measure}")
        value = _value(form["cutoff"])
        measure = measure @ value  # type: ignore[operator]  # checked there
    if measure.lacks_cutoff:
        raise no_cutoff(measure)
    return measure


def _translate(name: str, given: dict[str, object]) -> str:
    """Our name for `name`; the parameters of ir_measures in `given` become ours."""
    if name == "NumRet" and "rel" in given:
        return "NumRelRet"
    if name in ("SetP", "SetRelP") and given.pop("relative", name == "SetRelP") is True:
        return "RelP"
    family = find_family(name)
    known = {p.name for p in family.params}
    for theirs, ours in _OF_IR_MEASURES:
        if theirs in given and ours in known:
            _rename(given, theirs, ours)
    if name == "Compat":  # as deep as the longer list there, 1000 ranks here
        given.setdefault("depth", "lists")
    if given.get("min_rel") == 0 and "gmax" in known:
        del given["min_rel"]
    if name == "SetF" and "beta" in given:  # handed to trec_eval as it is, which takes β²
        _rename(given, "beta", "beta2")
    if "dcg" in given and "gain" in known:
        dcg = given.get("dcg")
        if dcg not in _DCG_OF_IR_MEASURES:
            raise MeasureError(
                f"{family.name}: dcg must be 'log2' or 'exp-log2', not {dcg!r}",
                'our own parameter is gain="linear" or gain="exp"',
            )
        given["dcg"] = _DCG_OF_IR_MEASURES[str(dcg)]
        if dcg == "log2" and not isinstance(given.get("gain", ""), str):
            del given["dcg"]  # beside a table it only says that the discount is log2
        else:
            _rename(given, "dcg", "gain")
    return family.name


def _rename(given: dict[str, object], theirs: str, ours: str) -> None:
    if ours in given:
        raise MeasureError(f"{theirs} and {ours} say the same thing twice", f"keep {ours}")
    given[ours] = given.pop(theirs)


def _pairs(inside: str, text: str) -> Iterator[tuple[str, object]]:
    """The name=value pairs between parentheses."""
    seen: set[str] = set()
    at = 0
    while inside[at:].strip():
        pair = _PAIR.match(inside, at)
        if not pair:
            raise MeasureError(f"{text!r}: cannot read {inside[at:].strip()!r}", _GRAMMAR)
        if pair["name"] in seen:
            raise MeasureError(f"{text!r} gives {pair['name']} twice", _GRAMMAR)
        seen.add(pair["name"])
        yield pair["name"], _value(pair["value"])
        at = pair.end()


def _value(text: str) -> object:
    """A number, a truth value, None, a table, a list, or else the text itself."""
    if text[0] in "\"'":
        return text[1:-1]
    if text[0] == "{":
        return tuple(_entries(text))
    if text[0] == "[":
        return tuple(_value(item.strip()) for item in text[1:-1].split(",") if item.strip())
    if text.lower() in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text.lower()]
    if not _NUMBER.fullmatch(text):
        return text
    try:
        return int(text)
    except ValueError:
        return float(text)


def _entries(text: str) -> Iterator[tuple[object, object]]:
    """The grade: gain pairs of a table in braces."""
    for entry in filter(str.strip, text[1:-1].split(",")):
        grade, colon, gain = (part.strip() for part in entry.partition(":"))
        if not (colon and _NUMBER.fullmatch(grade) and _NUMBER.fullmatch(gain)):
            raise MeasureError(
                f"the gain table {text} has an entry that is not grade:gain: {entry.strip()!r}",
                "a table looks like {0:0,1:1,2:5}",
            )
        yield _value(grade), _value(gain)
