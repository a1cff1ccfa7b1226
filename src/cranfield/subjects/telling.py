"""Terms that say what a text is about: those of an analyzer without the words of questions."""

from __future__ import annotations

from cranfield.retrieval.analyze import Analyzer, analyzer

# Words that say how something is asked and not what about: queries would be
# grouped, and collections found near, by them.
ASKING = (
    "what which who whom whose when where why how do does did done can could should would may "
    "might must have has had am were been being i me my we you your he she they them any some "
    "find give describe want need please about from other than more most also only between "
    "什么 怎么 怎样 怎么样 怎么办 如何 为什么 为何 哪个 哪里 哪些 哪儿 哪种 多少 多久 多大 几个 "
    "是否 是不是 有没有 能不能 可以 可不可以 有什么 是什么 请问 吗 呢 谁 几 的 了 是 在 有 和 与 及"
).split()


class Telling:
    """An analyzer whose terms leave the words of questions (`ASKING`) out, in whatever form it
    makes of them.

    Raises
    ------
    UnknownName, MissingExtra
        As `analyzer`.
    """

    def __init__(self, name: str | Analyzer) -> None:
        self._terms = analyzer(name)
        self.name = self._terms.name
        self._left_out = frozenset(t for word in ASKING for t in self._terms(word))

    def __call__(self, text: str) -> list[str]:
        return [term for term in self._terms(text) if term not in self._left_out]
