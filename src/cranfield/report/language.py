"""The sentences of the reports, English and Chinese side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cranfield.errors import UnknownName

Words: TypeAlias = Callable[..., str]

LANGUAGES = ("en", "zh")

_TEXT: dict[str, tuple[str, str]] = {
    "unjudged": ("unjudged", "未标注"),
    "undefined": ("not defined", "无定义"),
    "column.rank": ("rank", "排名"),
    "column.doc": ("document", "文档"),
    "column.run_score": ("score", "得分"),
    "column.grade": ("grade", "相关性"),
    "column.gain": ("gain", "增益"),
    "column.discount": ("discount", "折扣"),
    "column.term": ("term", "本位得分"),
    "column.ideal_grade": ("ideal grade", "理想相关性"),
    "column.ideal_term": ("ideal term", "理想得分"),
    "column.loss": ("loss", "损失"),
    "column.if_cut": ("if the list ended here", "若到此截断"),
    "explain.head": (
        "{measure} of query {query} in run {run}",
        "运行 {run} 中查询 {query} 的 {measure}",
    ),
    "explain.worst": (
        "most was lost at rank {rank}: {loss} of DCG",
        "损失最大的位置：第 {rank} 位，少了 {loss} 的 DCG",
    ),
    "explain.grade": (
        "there the run has a document of grade {grade} where the ideal order has a {best}",
        "该位置的文档相关性为 {grade}，而理想排序为 {best}",
    ),
    "explain.unjudged": (
        "there the run has an unjudged document (counted as 0) where the ideal order has a {best}; "
        "if it is relevant, the judgments are missing a row",
        "该位置的文档未标注（按 0 计），而理想排序为 {best}；若它其实相关，则是漏标",
    ),
    "explain.nothing": (
        "there the run returns nothing where the ideal order has a {best}",
        "该位置没有结果，而理想排序为 {best}",
    ),
    "explain.counts": (
        "relevant documents: {relevant}; returned: {returned}",
        "相关文档：{relevant} 篇；返回：{returned} 篇",
    ),
    "explain.missed": (
        "relevant and never returned: {n} (grade): {some}",
        "相关但从未返回：{n} 篇（相关性）：{some}",
    ),
    "explain.settings": ("ties {ties}; scores float{width}", "同分次序 {ties}；得分 float{width}"),
}


def words(lang: str) -> Words:
    """A function from a key and its blanks to a sentence in `lang`."""
    if lang not in LANGUAGES:
        raise UnknownName(f"no language {lang!r}", f"languages: {', '.join(LANGUAGES)}")
    column = LANGUAGES.index(lang)

    def say(key: str, **blanks: object) -> str:
        return _TEXT[key][column].format(**blanks)

    return say
