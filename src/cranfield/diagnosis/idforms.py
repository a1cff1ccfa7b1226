"""Ids that mean the same and are written in two ways: which difference explains a mismatch.

Both sides are brought to a form without a difference (case, zeros in front, a common prefix, ...),
and what then is equal is counted. One difference alone is tried first, then all together, from
which those are taken away again that explain nothing.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

LEAST = 3  # ids that must fit before a difference is believed, where there are so many
ENOUGH = 0.99  # of the best share: a simpler explanation is preferred
OUTLIERS = 0.05  # share of ids at either end of the order that need not have the common prefix
Change = Callable[[str], str]

_NUMBER = re.compile(r"(?<=\d)\.0+\Z")
_EXTENSION = re.compile(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_DIGITS = re.compile(r"\d+(?!.*\d)")
_UNSEEN = re.compile("[\\s\ufeff\u200b-\u200d\u2060]+")

# in the order in which they are tried alone; the last ones say the least
CHANGES: dict[str, Change] = {
    "number": lambda s: _NUMBER.sub("", s),
    "blanks": lambda s: _UNSEEN.sub("", s),
    "unicode": lambda s: s if s.isascii() else unicodedata.normalize("NFKC", s),
    "case": str.casefold,
    "zeros": lambda s: _ZEROS.sub("", s),
    "passage": lambda s: s.partition("#")[0] or s,
    "extension": lambda s: _EXTENSION.sub("", s),
    "folder": lambda s: s.replace("\\", "/").rstrip("/").rpartition("/")[2] or s,
}
TRIED = (*list(CHANGES)[:-1], "prefix", "suffix", "folder")
APPLIED = ("blanks", "folder", "passage", "extension", "number", "unicode", "case", "zeros")


@dataclass(frozen=True)
class Form:
    """Differences that are overlooked.

    Parameters
    ----------
    names : of `TRIED`.
    prefix, suffix : what is taken off (of the ids that do not match, of those they should match).
    """

    names: tuple[str, ...]
    prefix: tuple[str, str] = ("", "")
    suffix: tuple[str, str] = ("", "")

    def key(self, name: str, side: int) -> str:
        """An id without the differences; side 0 for the ids that do not match, 1 for the others."""
        if "prefix" in self.names:
            name = name.removeprefix(self.prefix[side])
        if "suffix" in self.names:
            name = name.removesuffix(self.suffix[side])
        for step in APPLIED:
            if step in self.names:
                name = CHANGES[step](name)
        return name

    def without(self, name: str) -> Form:
        return Form(tuple(n for n in self.names if n != name), self.prefix, self.suffix)


@dataclass(frozen=True)
class Match:
    """What a form explains.

    Parameters
    ----------
    form : the differences.
    pairs : {id that does not match: the one it means}.
    n : how many did not match.
    rule : a function that makes each of `pairs`, and so may be trusted with ids that nobody can
        look up; None where only the lookup is known.
    part : some of the ids begin in another way; the others do not.
    """

    form: Form
    pairs: Mapping[str, str]
    n: int
    rule: Change | None = None
    part: bool = False

    def meant(self, name: str) -> str:
        """The id that is meant; the same where nothing is known of it."""
        if name in self.pairs:
            return self.pairs[name]
        return name if self.rule is None else self.rule(name)


def match(lost: Collection[str], known: Collection[str], *, passages: bool = True) -> Match | None:
    """The differences between `lost` ids and those of `known` that they mean; None where no
    difference brings `LEAST` of them, or all where they are fewer, to an id of its own there.

    Parameters
    ----------
    passages : whether `d#3` may mean `d`.
    """
    mine, theirs = sorted(set(lost)), sorted(set(known))
    if not mine or not theirs:
        return None
    names = [n for n in TRIED if passages or n != "passage"]
    tried = [_tried(f, mine, theirs) for f in _alone(names, mine, theirs)]
    best = max((len(m.pairs) for m in tried), default=0)
    if best < ENOUGH * len(mine):
        whole = [_pruned(f, mine, theirs) for f in _together(names, mine, theirs)]
        more = max((len(m.pairs) for m in whole), default=0)
        if more * ENOUGH > best:
            tried, best = whole, more
    if best < min(LEAST, len(mine)):
        return None
    found = next(m for m in tried if len(m.pairs) >= ENOUGH * best)
    return Match(found.form, found.pairs, found.n, _rule(found, theirs))


def _tried(form: Form, mine: Sequence[str], theirs: Sequence[str]) -> Match:
    """What a form brings together; a key that two ids have is nobody's."""
    target: dict[str, str | None] = {}
    for name in theirs:
        key = form.key(name, 1)
        target[key] = None if key in target else name
    pairs = {n: t for n in mine if (t := target.get(form.key(n, 0))) is not None and t != n}
    return Match(form, pairs, len(mine))


def _pruned(form: Form, mine: Sequence[str], theirs: Sequence[str]) -> Match:
    """Without the differences that explain nothing."""
    best = _tried(form, mine, theirs)
    for name in reversed(TRIED):
        if name in best.form.names and len(best.form.names) > 1:
            less = _tried(best.form.without(name), mine, theirs)
            if len(less.pairs) >= ENOUGH * len(best.pairs):
                best = less
    return best


def _alone(names: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Iterator[Form]:
    for name in names:
        if name in ("prefix", "suffix"):
            for pair in _affixes(name, mine, theirs):
                yield Form((name,), pair) if name == "prefix" else Form((name,), suffix=pair)
        elif _does(name, mine) or _does(name, theirs):
            yield Form((name,))


def _together(names: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Iterator[Form]:
    """All differences at once, with each prefix and suffix that there may be."""
    active = tuple(n for n in names if n in CHANGES and (_does(n, mine) or _does(n, theirs)))
    fronts = [*_affixes("prefix", mine, theirs), ("", "")]
    ends = [*_affixes("suffix", mine, theirs), ("", "")]
    for front, end in itertools.product(fronts, ends):
        some = (*active, *(("prefix",) if any(front) else ()), *(("suffix",) if any(end) else ()))
        if len(some) > 1:
            yield Form(some, front, end)


def _does(name: str, ids: Sequence[str]) -> bool:
    return any(CHANGES[name](i) != i for i in ids)


def _affixes(kind: str, mine: Sequence[str], theirs: Sequence[str]) -> list[tuple[str, str]]:
    """What ids have in common at one end, on either side or on both; of both the shared part
    stays."""
    a, b = _common(kind, mine), _common(kind, theirs)
    found = []
    for one, two in ((a, b), (a, ""), ("", b)):
        if one != two and (one or two):
            found.append((one, two))
    return list(dict.fromkeys(found))


def _common(kind: str, ids: Sequence[str]) -> str:
    """The beginning (or end) that nearly all ids share, without digits of the number itself."""
    if len(ids) < 2:
        return ""
    turned = sorted(i[::-1] for i in ids) if kind == "suffix" else ids
    cut = int(len(turned) * OUTLIERS)
    shared = _shared(turned[cut], turned[-1 - cut])
    return shared.rstrip("0123456789")[::-1] if kind == "suffix" else shared.rstrip("0123456789")


def _shared(one: str, two: str) -> str:
    """What two texts have in common from the beginning."""
    n = sum(
        1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))
    )
    return one[:n]


def shown(form: Form) -> list[tuple[str, str, str]]:
    """(difference, what the ids have that do not match, what the others have) for a sentence."""
    out = []
    for name in TRIED:
        if name not in form.names:
            continue
        mine, theirs = ("", "")
        if name == "prefix":
            mine, theirs = form.prefix
            end = _shared(mine[::-1], theirs[::-1])
            mine, theirs = mine[: len(mine) - len(end)], theirs[: len(theirs) - len(end)]
        elif name == "suffix":
            mine, theirs = form.suffix
            start = _shared(mine, theirs)
            mine, theirs = mine[len(start) :], theirs[len(start) :]
        out.append((name, mine, theirs))
    return out


def _rule(found: Match, theirs: Sequence[str]) -> Change | None:
    """A function that makes every pair that was found, or None."""
    form = found.form
    width = Counter(len(d.group()) for t in theirs if (d := _DIGITS.search(t))).most_common(1)
    pad = width[0][0] if width else 0
    ways: list[list[Change]] = [[_same]]
    if "zeros" in form.names:
        ways.append([_same, CHANGES["zeros"], lambda s: _padded(CHANGES["zeros"](s), pad)])
    if "case" in form.names:
        ways.append([str.lower, str.upper, str.casefold])
    if "unicode" in form.names:
        ways.append([_normal(kind) for kind in ("NFC", "NFD", "NFKC", "NFKD")])
    if "number" in form.names:
        ways.append([CHANGES["number"], lambda s: f"{s}.0"])
    plain = [n for n in ("blanks", "folder", "passage", "extension") if n in form.names]
    for chosen in itertools.product(*ways):
        rule = _made(form, plain, chosen)
        if all(rule(name) == target for name, target in found.pairs.items()):
            return rule
    return None


def _made(form: Form, plain: Sequence[str], chosen: Sequence[Change]) -> Change:
    front = form.prefix if "prefix" in form.names else ("", "")
    end = form.suffix if "suffix" in form.names else ("", "")

    def rule(name: str) -> str:
        name = name.removeprefix(front[0]).removesuffix(end[0])
        for step in plain:
            name = CHANGES[step](name)
        for change in chosen:
            name = change(name)
        return f"{front[1]}{name}{end[1]}"

    return rule


def _same(name: str) -> str:
    return name


def _padded(name: str, width: int) -> str:
    """The last number of an id written with so many digits."""
    return _DIGITS.sub(lambda d: d.group().zfill(width), name, count=1)


def _normal(kind: str) -> Change:
    return lambda name: unicodedata.normalize(kind, name)  # type: ignore[arg-type]
