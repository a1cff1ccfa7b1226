"""The sentences of the reports, English and Chinese side by side."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.errors import UnknownName
from cranfield.report.advice_words import TEXT as ADVICE
from cranfield.report.agreed_words import TEXT as AGREED
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
    "baseline.title": ("Evaluation report", "评测报告"),
    "baseline.run": ("run", "运行"),
    "baseline.queries": ("queries", "查询数"),
    "baseline.unlabelled": (
        "{n}   ({bare} without labels, not scored)",
        "{n}   （其中 {bare} 个没有标注，不计分）",
    ),
    "baseline.strangers": (
        "Judged, but not among the queries of the collection: {n} ({some})",
        "有标注但不在查询文件中的查询：{n} 个（{some}）",
    ),
    "baseline.nothing": ("nothing returned", "没有返回结果"),
    "baseline.mean": (
        "{mean:.4f}   ({best:.4f} over the {n} answerable queries)",
        "{mean:.4f}   （仅 {n} 个有答案的查询：{best:.4f}）",
    ),
    "baseline.no_answer": ("no-answer queries", "无答案类查询"),
    "baseline.empty": ("queries with an empty result", "结果为空的查询"),
    "baseline.empty.value": (
        "{empty}/{n}   ({right} rightly, {missed} missed)",
        "{empty}/{n}   （{right} 个正确，{missed} 个漏召回）",
    ),
    "baseline.zero": ("results, but nDCG = 0", "有结果但 nDCG=0"),
    "baseline.false": ("false recalls on no-answer queries", "无答案查询上的误召回"),
    "baseline.by": ("By {field}", "按{field}"),
    "baseline.all": ("all", "全部"),
    "baseline.kinds": ("Zero-result and unlabelled queries", "零结果查询和漏标查询"),
    "baseline.kinds.note": (
        "A query without an answer and a query answered with nothing are two things: nDCG is 0 "
        "for the first whatever the system does, so that its silence is counted here instead.",
        "“没有答案的查询”和“返回为空的查询”是两回事：前者无论系统怎么做 nDCG 都是 0，"
        "所以系统是否正确地不返回结果，要在这里单独计数。",
    ),
    "baseline.exhaustive": (
        "The labels are declared complete: every document is judged for every query, so that "
        "every no-answer query is confirmed and no score is too low for want of a label.",
        "标注是完整的：每篇文档都对每个查询做过判断，因此无答案查询全部得到确认，"
        "也没有分数因漏标而偏低。",
    ),
    "baseline.no_holes": (
        "All documents in the top {k} of all {n} queries are judged.",
        "全部 {n} 个查询的前 {k} 个结果都有标注。",
    ),
    "baseline.holes": (
        "Labels are missing for {n} of the queries: their scores are lower bounds, or they have "
        "none; to be labelled: {listed}",
        "{n} 个查询缺少标注，分数只是下限，或者没有分数；待标注：{listed}",
    ),
    "baseline.lost": ("Where most is lost", "损失最大的查询"),
    "baseline.discipline": (
        "These numbers are the baseline. Change one thing at a time, keep the scores of every "
        "query, and look at the queries that got worse before believing the mean.",
        "以上数字就是基线。每次只改一个变量，保留逐查询结果，"
        "在相信平均分之前先看有哪些查询变差了。",
    ),
    "missing.title": ("What a missing label does", "漏标的影响"),
    "missing.one": (
        "Take away one row, {doc} for query {query}: the query's nDCG@10 reads {after:.4f} "
        "instead of {before:.4f}, though the system did the same. The query then counts as "
        "{status}; to be labelled: {holes}.",
        "拿掉一行标注（查询 {query} 的文档 {doc}）：系统没有变，该查询的 nDCG@10 却从 {before:.4f} "
        "变成 {after:.4f}。此时该查询的状态为 {status}，待标注：{holes}。",
    ),
    "missing.pool": (
        "Label only what this system returned, and nDCG@10 reads {after:.4f} over {n} queries "
        "instead of {before:.4f} over {all}: relevant documents it never found are forgotten, "
        "and {lost} queries it answered with nothing have no label at all. Label from the "
        "documents' side.",
        "如果只标注该系统返回的结果，nDCG@10 会变成 {after:.4f}（{n} 个查询），而不是 {before:.4f}"
        "（{all} 个查询）：没有召回的相关文档被遗忘，{lost} 个返回为空的查询完全没有标注。"
        "应当从文档集出发逐篇标注。",
    ),
    "column.empty": ("empty result", "结果为空"),
    "column.zero": ("results, nDCG=0", "有结果但nDCG=0"),
    "column.false": ("false recall", "误召回"),
    "column.kind": ("the query", "查询"),
    "column.nothing": ("the system returned nothing", "系统返回空结果"),
    "column.documents": ("the system returned documents", "系统返回了结果"),
    "column.query": ("query", "查询"),
    "column.text": ("text", "内容"),
    "column.returned": ("returned", "返回"),
    "column.relevant": ("relevant in the top 10", "前10中相关"),
    "kind.no_answer": ("has no answer (judged, all grades 0)", "无答案（已标注，全部为 0）"),
    "kind.answerable": ("is answerable", "有答案"),
    "kind.unlabelled": ("has no label", "没有标注"),
    "cell.correct": ("{n} correct", "正确 {n}"),
    "cell.false": ("{n} false recall", "误召回 {n}"),
    "cell.missed": ("{n} missed", "漏召回 {n}"),
    "cell.scored": ("{n} scored", "正常计分 {n}"),
    "cell.unknown": ("{n} cannot be judged", "无法判断 {n}"),
}

_ALL = {
    **_TEXT,
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
