"""The sentences of the reports, English and Chinese side by side."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.errors import UnknownName
from cranfield.report.advice_words import TEXT as ADVICE
from cranfield.report.agreed_words import TEXT as AGREED
from cranfield.report.baseline_words import TEXT as BASELINE
from cranfield.report.budget_words import TEXT as BUDGET
from cranfield.report.checked_words import TEXT as CHECKED
from cranfield.report.compared_words import TEXT as COMPARED
from cranfield.report.copies_words import FINDINGS as COPIES_FINDINGS
from cranfield.report.copies_words import TEXT as COPIES
from cranfield.report.desk_words import TEXT as DESK
from cranfield.report.doctor_words import FINDINGS as DOCTOR_FINDINGS
from cranfield.report.doctor_words import TEXT as DOCTOR
from cranfield.report.exchange_words import TEXT as EXCHANGE
from cranfield.report.experiment_words import TEXT as EXPERIMENT
from cranfield.report.filled_words import TEXT as FILLED
from cranfield.report.finding_words import TEXT as FINDINGS
from cranfield.report.gated_words import TEXT as GATED
from cranfield.report.honest_words import TEXT as HONEST
from cranfield.report.judged_words import TEXT as JUDGED
from cranfield.report.lab_words import LAB_TEXT
from cranfield.report.labelling_words import TEXT as LABELLING
from cranfield.report.llm_words import TEXT as LLM
from cranfield.report.method_words import METHOD_TEXT
from cranfield.report.page_words import PAGE_TEXT
from cranfield.report.planned_words import TEXT as PLANNED
from cranfield.report.qrels_words import TEXT as QRELS
from cranfield.report.study_across_words import TEXT as STUDY_ACROSS
from cranfield.report.study_words import TEXT as STUDY
from cranfield.report.subjects_words import TEXT as SUBJECTS

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
    "column.if_cut": ("with this rank as cutoff", "以此位为截断"),
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
        "{relevant} relevant documents, {found} of them among the {returned} returned",
        "相关文档 {relevant} 篇，其中 {found} 篇在返回的 {returned} 篇之中",
    ),
    "demo.next": (
        "All of it is in {folder}/ (report.md, report.html). Next:",
        "全部文件都在 {folder}/ 中（report.md、report.html）。接下来可以试试：",
    ),
    "explain.zero": (
        "{measure} = 0: no document is relevant, and 0 / 0 counts as 0",
        "{measure} = 0：没有相关文档，0 / 0 按 0 计",
    ),
    "explain.missed": (
        "relevant and never returned: {n} (grade): {some}",
        "相关但从未返回：{n} 篇（相关性）：{some}",
    ),
    "explain.settings": ("ties {ties}; scores float{width}", "同分次序 {ties}；得分 float{width}"),
    "column.empty": ("empty result", "结果为空"),
    "column.zero": ("results, nDCG=0", "有结果但nDCG=0"),
    "column.false": ("false recall", "误召回"),
    "column.range": ("nDCG, unjudged open", "nDCG 范围（未标注待定）"),
    "column.at_most": ("at most", "最高可能"),
    "column.kind": ("the query", "查询"),
    "column.nothing": ("the system returned nothing", "系统返回空结果"),
    "column.documents": ("the system returned documents", "系统返回了结果"),
    "column.query": ("query", "查询"),
    "column.text": ("text", "内容"),
    "column.returned": ("returned", "返回"),
    "column.relevant": ("relevant in the top 10", "前10中相关"),
}

_ALL = {
    **_TEXT,
    **BASELINE,
    **CHECKED,
    **FINDINGS,
    **COPIES,
    **COPIES_FINDINGS,
    **DOCTOR,
    **DOCTOR_FINDINGS,
    **COMPARED,
    **GATED,
    **EXPERIMENT,
    **PLANNED,
    **SUBJECTS,
    **QRELS,
    **PAGE_TEXT,
    **METHOD_TEXT,
    **LAB_TEXT,
    **JUDGED,
    **AGREED,
    **DESK,
    **EXCHANGE,
    **LLM,
    **STUDY,
    **STUDY_ACROSS,
    **ADVICE,
    **FILLED,
    **HONEST,
    **LABELLING,
    **BUDGET,
}

# Values of query fields that the bundled collection uses; any other value is shown as it is.
_NAMES: dict[str, tuple[str, str]] = {
    "type": ("query type", "查询类型"),
    "topic": ("topic", "主题"),
    "exact": ("exact keyword", "精确关键词"),
    "identifier": ("error code or identifier", "错误码/标识符"),
    "mixed": ("mixed zh/en", "中英混合"),
    "paraphrase": ("paraphrase", "同义改写"),
    "multi": ("several conditions", "多条件"),
    "no-answer": ("no answer", "无答案"),
    "answerable": ("answerable", "有答案（answerable）"),
    "answerable_with_holes": (
        "answerable_with_holes",
        "有答案但结果中有未标注文档（answerable_with_holes）",
    ),
    "unlabelled": ("unlabelled", "没有标注（unlabelled）"),
}


@dataclass(frozen=True)
class Words:
    """Sentences of one language: called with a key and the values for its blanks."""

    column: int

    def __call__(self, key: str, **blanks: object) -> str:
        return _ALL[key][self.column].format(**blanks)

    def name(self, value: str) -> str:
        """The display name of a field or label."""
        return _NAMES[value][self.column] if value in _NAMES else value


def words(lang: str) -> Words:
    """The sentences of a language.

    Raises
    ------
    UnknownName
        There are none.
    """
    if lang not in LANGUAGES:
        raise UnknownName(f"no language {lang!r}", f"languages: {', '.join(LANGUAGES)}")
    return Words(LANGUAGES.index(lang))
