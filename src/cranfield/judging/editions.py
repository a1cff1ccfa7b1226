"""One model under several prompts or rubrics: which of them counts, and which labels are meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cranfield.judging.judgment import Judgment

# Who judges, whatever they were told: source, assessor, model.
Who = tuple[str, str, str]
# What a model was told: the fingerprint of the prompt, and the version of the rubric in it.
Told = tuple[str, str]


@dataclass(frozen=True)
class Editions:
    """Of one judge with labels by several prompts or rubrics.

    Parameters
    ----------
    name : of the judge.
    counted : {prompt and rubric, as far as they are known: pairs that it grades}, the newest
        first.
    passed : {the same: labels that count no more, since a newer one grades the pair}.
    """

    name: str
    counted: Mapping[str, int]
    passed: Mapping[str, int]

    @property
    def together(self) -> bool:
        """Whether labels of several are put together."""
        return sum(n > 0 for n in self.counted.values()) > 1


def in_words(of: Editions) -> str:
    """Which prompts and rubrics count, in a sentence."""
    listed = "; ".join(f"{name} ({n} pairs)" for name, n in of.counted.items() if n)
    passed = f"; {sum(of.passed.values())} earlier labels passed over" if of.passed else ""
    if of.together:
        return (
            f"warning: labels of {of.name} by several prompts or rubrics are put together: "
            f"{listed}{passed}"
        )
    return (
        f"{of.name} has labels by several prompts or rubrics, the newest counts: {listed}{passed}"
    )


def who(judgment: Judgment) -> Who:
    return judgment.source, judgment.assessor, judgment.model


def newest_only(
    judgments: Sequence[Judgment], *, every: bool = False
) -> tuple[list[Judgment], tuple[Editions, ...]]:
    """Of what one model said of a pair by several prompts or rubrics that which the newest says:
    the one that came into use last, of those that grade the pair. With `every` all stay.

    Judgments without a grade stay as they are, and a model with one prompt is left alone.
    """
    began: dict[Who, dict[Told, tuple[str, int]]] = {}
    for place, j in enumerate(judgments):
        if _grades(j):
            mine = began.setdefault(who(j), {})
            mine[_told(j)] = min((j.at, place), mine.get(_told(j), (j.at, place)))
    several = {w: sorted(of, key=of.__getitem__) for w, of in began.items() if len(of) > 1}
    if not several:
        return list(judgments), ()
    grading: dict[tuple[Who, str, str], set[int]] = {}
    for j in judgments:
        if _grades(j) and who(j) in several:
            grading.setdefault((who(j), *j.pair), set()).add(several[who(j)].index(_told(j)))
    counting = {key: of if every else {max(of)} for key, of in grading.items()}
    kept: list[Judgment] = []
    passed: dict[Who, Counter[Told]] = {w: Counter() for w in several}
    for j in judgments:
        of = counting.get((who(j), *j.pair))
        if of is None or j.grade is None or _told(j) in {several[who(j)][i] for i in of}:
            kept.append(j)
        else:
            passed[who(j)][_told(j)] += 1
    pairs: dict[Who, Counter[int]] = {w: Counter() for w in several}
    for (w, _, _), of in counting.items():
        pairs[w].update(of)
    return kept, tuple(_editions(w, of, pairs[w], passed[w]) for w, of in several.items())


def _editions(w: Who, of: Sequence[Told], pairs: Counter[int], passed: Counter[Told]) -> Editions:
    names = {t: " ".join(filter(None, t)) or "-" for t in of}
    return Editions(
        " ".join(filter(None, w[1:])) or w[0],
        {names[t]: pairs[i] for i, t in reversed(list(enumerate(of)))},
        {names[t]: passed[t] for t in reversed(of) if passed[t]},
    )


def _told(judgment: Judgment) -> Told:
    return judgment.prompt, judgment.rubric


def _grades(judgment: Judgment) -> bool:
    """Of a model: a person keeps one word a pair, whatever the rubric."""
    real = judgment.grade is not None and judgment.grade >= 0
    return real and bool(judgment.model or judgment.source == "llm")
