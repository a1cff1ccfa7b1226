"""Preferences between documents, and how many of them a list respects: trec_eval's measures.

A list respects a preference for A over B when it has A above B; when it has only A, that is
implied; when it has neither, it may count against the list or not count at all. Where several
people judged (groups), each has preferences of their own, which may differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.opinions import PreferenceView
from cranfield.measures.orders import Areas, Count, Group, Ordered
from cranfield.measures.params import Param, one_of
from cranfield.measures.views import share

RANKED = (0, 2, None)  # grades: the second is preferred to the first, and the one missed too
MISSED = (1,)
BY_GROUP = ({"A": 0}, {"A": 2, "B": 2}, {"B": 1}, None)  # what A and what B gave
MISSED_BY_GROUP = ({"A": 1},)

PAIRS = Param(
    "pairs",
    "all",
    'which preferences count: "all", "imp" those of which the list has at least one document, '
    '"ret" those of which it has both',
    '"all", "imp" or "ret"',
    one_of("all", "imp", "ret"),
)
BALANCED_PAIRS = replace(
    PAIRS,
    help='which preferences count: "all", "ret" those of which the list has both documents',
    allowed='"all" or "ret"',
    read=one_of("all", "ret"),
)
KEPT = (
    "A > B where a group gave A the higher level; kept: the list has A above B, or has A and not B"
)
# equal scores: trec_eval takes the smaller id first here, the greater one everywhere else
ASCENDING = 'which orders equal scores by ascending document id (ties="docid-asc")'


@family(
    "prefs_simp",
    title="the share of all preferences that the list respects",
    formula=f"#{{A > B kept}} / #{{A > B}}, over all groups; {KEPT}",
    source=f"trec_eval, prefs_simp, prefs_simp_imp and prefs_simp_ret, {ASCENDING}",
    no_relevant="0",
    range=(0, 1),
    params=(PAIRS,),
    condensable=False,
    view="preferences",
    example=Example(
        "prefs_simp", RANKED, MISSED, 0.3333333333, "2 > 1 is kept, 2 > 0 and 1 > 0 are not"
    ),
)
def prefs_simp(view: PreferenceView, *, pairs: str) -> Floats:
    """prefs_simp."""
    return share(_total(view, pairs)[0], _total(view, pairs)[1])


@family(
    "prefs_avgjg",
    title="the share of the preferences of each group that the list respects, averaged over groups",
    formula=f"mean over groups of #{{A > B kept}} / #{{A > B}}; {KEPT}",
    source=f"trec_eval, prefs_avgjg, prefs_avgjg_imp and prefs_avgjg_ret, {ASCENDING}",
    no_relevant="0",
    range=(0, 1),
    params=(PAIRS,),
    condensable=False,
    view="preferences",
    example=Example(
        *("prefs_avgjg", BY_GROUP, MISSED_BY_GROUP, 0.6666666667),
        note="1 of A's 3 preferences and B's only one: (1/3 + 1) / 2",
    ),
)
def prefs_avgjg(view: PreferenceView, *, pairs: str) -> Floats:
    """prefs_avgjg."""
    return np.array([_mean([a.over(pairs).share for a in groups]) for groups in view.areas])


@family(
    "prefs_pair",
    title="for each pair of documents the share of its preferences respected, averaged over pairs",
    formula="mean over pairs {A, B} of #{groups whose preference is kept} / #{groups that have "
    f"one}}; {KEPT}",
    source=f"trec_eval, prefs_pair, prefs_pair_imp and prefs_pair_ret, {ASCENDING}",
    no_relevant="0",
    range=(0, 1),
    params=(PAIRS,),
    condensable=False,
    view="preferences",
    example=Example(
        *("prefs_pair", ({"A": 1, "B": 0}, {"A": 0, "B": 1}, {"B": 2}), (), 0.1666666667),
        note="first and second: A's is kept, B's is not; B prefers the third to both, which comes "
        "last: (1/2 + 0 + 0) / 3",
    ),
)
def prefs_pair(view: PreferenceView, *, pairs: str) -> Floats:
    """prefs_pair."""
    return np.array(view.each(lambda topic: _by_pair(topic, pairs), 0.0))


@family(
    "prefs_avgjg_Rnonrel",
    title="as prefs_avgjg, with as many documents of level 0 in a group as higher ones",
    formula="as prefs_avgjg; of N documents of level 0 the first R count, and for N < R a number "
    "R − N of them is taken to be absent from the list (R: documents of a higher level)",
    source=f"trec_eval, prefs_avgjg_Rnonrel and prefs_avgjg_Rnonrel_ret, {ASCENDING}; with one "
    "order a group and N > R it counts pairs of two documents of level 0 too, some with themselves",
    no_relevant="0; 0 too where a group has no pair that counts",
    range=(0, 1),
    params=(BALANCED_PAIRS,),
    condensable=False,
    view="preferences",
    example=Example(
        *("prefs_avgjg_Rnonrel", (1, 0, 1, None), (1,), 0.5555555556),
        note="1 of 3 preferences is kept; R = 3, N = 1: 2 of level 0 are absent, which keeps 2 "
        "preferences for each of the 2 relevant documents in the list: (1 + 2 · 2) / (3 + 3 · 2)",
    ),
)
def prefs_avgjg_Rnonrel(view: PreferenceView, *, pairs: str) -> Floats:
    """prefs_avgjg_Rnonrel."""
    return np.array(view.each(lambda topic: _balanced_mean(topic, pairs), 0.0))


@family(
    "NumPrefs",
    title="number of preferences, over all groups",
    formula="#{A > B}",
    source="trec_eval, prefs_num_prefs_poss",
    no_relevant="0",
    range=(0, np.inf),
    params=(PAIRS,),
    condensable=False,
    aggregate="sum",
    view="preferences",
    aliases=("prefs_num_prefs_poss",),
    example=Example("NumPrefs", RANKED, MISSED, 3, "2 > 1, 2 > 0 and 1 > 0"),
)
def NumPrefs(view: PreferenceView, *, pairs: str) -> Floats:
    """NumPrefs."""
    return _total(view, pairs)[1]


@family(
    "NumPrefsFul",
    title="number of preferences that the list respects (fulfilled), over all groups",
    formula=f"#{{A > B kept}}; {KEPT}",
    source=f"trec_eval, prefs_num_prefs_ful and prefs_num_prefs_ful_ret, {ASCENDING}",
    no_relevant="0",
    range=(0, np.inf),
    params=(PAIRS,),
    condensable=False,
    aggregate="sum",
    view="preferences",
    aliases=("prefs_num_prefs_ful",),
    example=Example("NumPrefsFul", RANKED, MISSED, 1, "2 > 1: the list has the 2 and not the 1"),
)
def NumPrefsFul(view: PreferenceView, *, pairs: str) -> Floats:
    """NumPrefsFul."""
    return _total(view, pairs)[0]


def _total(view: PreferenceView, pairs: str) -> tuple[Floats, Floats]:
    """([n_queries] preferences kept, [n_queries] all that count), over groups."""
    counts = [[a.over(pairs) for a in groups] for groups in view.areas]
    kept = np.array([sum(c.kept for c in own) for own in counts], np.float64)
    return kept, np.array([sum(c.all for c in own) for own in counts], np.float64)


def _by_pair(topic: Ordered, pairs: str) -> float:
    """For each pair of documents the share of the groups that agree with the list, averaged."""
    n = topic.n_ret
    if len(topic.groups) == 1:  # who agrees with nobody but oneself: all shares are 0 or 1
        return topic.areas[0].over(pairs).share
    votes = np.zeros_like(topic.groups[0].prefers, np.int32)
    for group in topic.groups:
        votes += group.prefers
    either = np.triu(votes + votes.T, 1)
    if pairs == "ret":
        either[:, n:] = 0
    counted = either > 0
    number = int(counted[:n].sum()) + (int(counted[n:].sum()) if pairs == "all" else 0)
    total = 0.0
    for begin, end in pairwise((0, n, len(votes))):  # added up as trec_eval does
        block = counted[:n, begin:end]
        shares = votes[:n, begin:end][block] / either[:n, begin:end][block]
        total = float(np.cumsum(np.concatenate(([total], shares)))[-1])
    return total / number if number else 0.0


def _balanced_mean(topic: Ordered, pairs: str) -> float:
    """0 where a group has no pair that counts: trec_eval divides by 0 there and prints that."""
    counts = [_balanced(topic, group, pairs) for group in topic.groups]
    return _mean([c.share for c in counts]) if all(c.all for c in counts) else 0.0


def _balanced(topic: Ordered, group: Group, pairs: str) -> Count:
    n = topic.n_ret if pairs == "ret" else len(group.level)
    relevant, other = group.level > 0, group.level == 0
    R, N = int(relevant[:n].sum()), int(other[:n].sum())
    if R >= N:
        found = group.areas(topic.n_ret).over(pairs)
        more = R - N
        in_list = int(relevant[: topic.n_ret].sum())
        return Count(found.kept + in_list * more, found.all + int(relevant.sum()) * more)
    if group.joined is None:
        # trec_eval also counts pairs of two non-relevant documents here, a document with itself
        # among them; its numbers need it
        first = np.zeros_like(other)
        first[np.flatnonzero(other)[:R]] = True
        chosen = Areas.of_product(~np.isnan(group.level), first, topic.n_ret)
        graded = Areas.of_levels(np.where(relevant, group.level, np.nan), topic.n_ret)
        return graded.with_(chosen).over(pairs)
    left = np.flatnonzero(other)[int(relevant.sum()) :]
    prefers = group.joined.copy()
    prefers[left] = False
    prefers[:, left] = False
    return Areas.of_matrix(prefers, topic.n_ret).over(pairs)


def _mean(shares: Sequence[float]) -> float:
    total = 0.0
    for one in shares:
        total += one
    return total / len(shares) if shares else 0.0
