"""Preferences between documents, and how many of them a list respects.

People who judge preferences say which of two documents is better, not how good one is. A list
respects a preference for A over B when it has A above B; when it has only A, that is implied; when
it has neither, it may count against the list or not count at all. The measures are trec_eval's
(`-m all_prefs`), which defines them.

Documents of a topic are numbered in the order of the list; those that it lacks come after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.measures.hits import Bools, Floats


@dataclass(frozen=True, eq=False)
class Group:
    """What one person (a judgment group) says of the documents of a topic.

    Parameters
    ----------
    prefers : [n, n] whether the first document is preferred to the second.
    level : [n] the level that the document was given, 0 not relevant, NaN not judged in this group.
    ranked : all judged documents stand in one order of levels (not in several partial ones).
    """

    prefers: Bools
    level: Floats
    ranked: bool

    @classmethod
    def of(cls, n: int, parts: Sequence[dict[int, float]]) -> Group:
        """From partial orders, each {document number: level}; what follows from several of them
        together is a preference too.

        Raises
        ------
        InputError
            They contradict one another.
        """
        prefers = np.zeros((n, n), np.bool_)
        level = np.full(n, np.nan)
        for part in parts:
            docs = np.fromiter(part, np.int64, len(part))
            given = np.fromiter(part.values(), np.float64, len(part))
            before = level[docs]
            if (((before > 0) & (given == 0)) | ((before == 0) & (given > 0))).any():
                raise InputError("a document is relevant in one part of a group and not in another")
            level[docs] = given
            prefers[np.ix_(docs, docs)] |= given[:, None] > given
        if len(parts) > 1:
            for k in np.flatnonzero(prefers.any(axis=0) & prefers.any(axis=1)).tolist():
                prefers |= prefers[:, k, None] & prefers[k]
            if (prefers & prefers.T).any():
                raise InputError("the preferences of a group contradict one another")
        return cls(prefers, level, len(parts) == 1)


class Count(NamedTuple):
    """Preferences of a group that the list respects, and all that count."""

    kept: int
    all: int

    @property
    def share(self) -> float:
        return self.kept / self.all if self.all else 0.0


class PreferenceView:
    """The groups of one topic against a list.

    Parameters
    ----------
    n_ret : how many of the n judged documents the list has (the first ones).
    groups : in the order in which they are averaged.
    """

    def __init__(self, n_ret: int, groups: Sequence[Group]) -> None:
        self.n_ret, self.groups = n_ret, groups

    def counts(self, scope: str) -> list[Count]:
        """For each group, over pairs of which the list has both (`ret`), at least one (`imp`), or
        any number (`all`)."""
        return [self.count(g.prefers, scope) for g in self.groups]

    def count(self, prefers: Bools, scope: str) -> Count:
        """The preferences of a matrix; the first document of a respected one is in the list."""
        n = self.n_ret
        inside = prefers[:n, :n]
        kept, everything = int(np.triu(inside, 1).sum()), int(inside.sum())
        if scope != "ret":
            implied = int(prefers[:n, n:].sum())
            kept += implied
            everything += implied + int(prefers[n:, :n].sum())
        if scope == "all":
            everything += int(prefers[n:, n:].sum())
        return Count(kept, everything)


def kept(view: PreferenceView, scope: str) -> float:
    """Preferences that the list respects."""
    return float(sum(c.kept for c in view.counts(scope)))


def possible(view: PreferenceView, scope: str) -> float:
    """Preferences that there are."""
    return float(sum(c.all for c in view.counts(scope)))


def simple(view: PreferenceView, scope: str) -> float:
    """The share of all preferences, each counting once."""
    everything = possible(view, scope)
    return kept(view, scope) / everything if everything else 0.0


def by_group(view: PreferenceView, scope: str) -> float:
    """The share of each group's preferences, averaged over groups."""
    return _mean([c.share for c in view.counts(scope)])


def by_pair(view: PreferenceView, scope: str) -> float:
    """For each pair of documents the share of the groups that agree with the list, averaged."""
    n = view.n_ret
    votes = np.zeros((len(view.groups[0].level),) * 2, np.int64)
    for group in view.groups:
        votes += group.prefers
    either = np.triu(votes + votes.T, 1)
    if scope == "ret":
        either[:, n:] = 0
    counted = either > 0
    pairs = int(counted[:n].sum()) + (int(counted[n:].sum()) if scope == "all" else 0)
    total = 0.0
    for columns in (slice(None, n), slice(n, None)):  # added up as trec_eval does
        block = counted[:n, columns]
        shares = votes[:n, columns][block] / either[:n, columns][block]
        total = float(np.cumsum(np.concatenate(([total], shares)))[-1])
    return total / pairs if pairs else 0.0


def balanced(view: PreferenceView, scope: str) -> float:
    """As by group, with as many non-relevant documents as relevant ones: further ones are left
    out, and ones that lack are taken to be absent from the list. 0 where a group has no pair
    that counts: trec_eval divides by 0 there and prints that."""
    counts = [_balanced(view, group, scope) for group in view.groups]
    return _mean([c.share for c in counts]) if all(c.all for c in counts) else 0.0


def _balanced(view: PreferenceView, group: Group, scope: str) -> Count:
    n = view.n_ret if scope == "ret" else len(group.level)
    relevant, other = group.level > 0, group.level == 0
    R, N = int(relevant[:n].sum()), int(other[:n].sum())
    if R >= N:
        found = view.count(group.prefers, scope)
        more = R - N
        in_list = int(relevant[: view.n_ret].sum())
        return Count(found.kept + in_list * more, found.all + int(relevant.sum()) * more)
    prefers = group.prefers.copy()
    if group.ranked:
        # trec_eval also counts pairs of two non-relevant documents here, a document with itself
        # among them; its numbers need it
        first = np.flatnonzero(other)[:R]
        prefers[:, other] = False
        judged = ~np.isnan(group.level)
        pairs = np.zeros_like(prefers)
        pairs[np.ix_(judged, first)] = True
        return view.count(prefers | pairs, scope)
    left = np.flatnonzero(other)[int(relevant.sum()) :]
    prefers[left] = False
    prefers[:, left] = False
    return view.count(prefers, scope)


def _mean(shares: list[float]) -> float:
    total = 0.0
    for share in shares:
        total += share
    return total / len(shares)


_Formula = Callable[[PreferenceView, str], float]
_FORMULAS: dict[str, tuple[_Formula, str]] = {
    "num_prefs_poss": (possible, "all"),
    "num_prefs_ful": (kept, "all"),
    "num_prefs_ful_ret": (kept, "ret"),
    **{
        name + end: (formula, scope)
        for end, scope in (("", "all"), ("_ret", "ret"), ("_imp", "imp"))
        for name, formula in (("simp", simple), ("pair", by_pair), ("avgjg", by_group))
    },
    "avgjg_Rnonrel": (balanced, "all"),
    "avgjg_Rnonrel_ret": (balanced, "ret"),
}


def preference_value(name: str, view: PreferenceView) -> float:
    """A measure by trec_eval's name, such as `prefs_simp`, for one topic."""
    formula, scope = _FORMULAS[name.removeprefix("prefs_")]
    return formula(view, scope)
