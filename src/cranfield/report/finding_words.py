"""What each finding of a check says, and what to do about it."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "check.finding.unlabelled_queries": (
        "{n} {n:query has|queries have} no judgment and {n:is|are} never scored",
        "{n} 个查询没有标注，从不计分",
    ),
    "check.advice.unlabelled_queries": (
        "Label them, or take them out of the collection and say so.",
        "补充标注，或从测试集中移除并说明。",
    ),
    "check.finding.no_relevant_queries": (
        "{n} of {all} judged queries have no relevant document: they score 0 whatever a system "
        "does, and the best mean that can be had is {best:.4f}",
        "{all} 个有标注的查询中有 {n} 个没有相关文档：无论系统如何都得 0 分，"
        "平均分最高只能是 {best:.4f}",
    ),
    "check.advice.no_relevant_queries": (
        "Report the mean over answerable queries beside the mean, and how often the system "
        "rightly stayed silent.",
        "除总平均外，同时报告有答案查询的平均分，以及系统正确返回空结果的次数。",
    ),
    "check.finding.no_negatives": (
        "{n} of {all} queries have no document judged not relevant: judged means judged relevant "
        "here, and judged@{k} cannot be more than {cap:.4f} on average",
        "{all} 个查询中有 {n} 个没有负例：这里“已标注”只是“标为相关”，"
        "judged@{k} 平均不超过 {cap:.4f}",
    ),
    "check.advice.no_negatives": (
        "Do not read a low judged@k as a bad system; label the heads of some lists in full.",
        "不要把低 judged@k 当作系统差；请完整标注若干列表的前几位。",
    ),
    "check.finding.only_pooled": (
        "{n} {n:query has|queries have} only rows below 0 (pooled, never judged) and {n:is|are} "
        "not scored",
        "{n} 个查询只有负相关性的行（入池未标注），不计分",
    ),
    "check.advice.only_pooled": ("Judge them, or drop them.", "完成标注，或移除。"),
    "check.finding.empty_documents": (
        "{n} {n:document has|documents have} neither title nor text",
        "{n} 篇文档没有标题也没有正文",
    ),
    "check.advice.empty_documents": (
        "Such a document can be found by nobody: if one is judged relevant, recall suffers.",
        "这样的文档无法被检索到：如果被标为相关，召回率会偏低。",
    ),
    "check.finding.broken_encoding": (
        "{n} {n:document shows|documents show} signs of a broken encoding",
        "{n} 篇文档疑似编码损坏",
    ),
    "check.advice.broken_encoding": (
        "Convert the source again as UTF-8; words that are broken match no query.",
        "请以 UTF-8 重新转换原文；损坏的词无法匹配任何查询。",
    ),
    "check.finding.long_documents": (
        "{n} {n:document is|documents are} longer than {limit} characters; the longest has {most}",
        "{n} 篇文档超过 {limit} 个字符；最长的有 {most} 个",
    ),
    "check.advice.long_documents": (
        "Models that read a fixed length see only the beginning: cut into passages and roll up.",
        "固定长度的模型只能看到开头：可切分为段落再汇总。",
    ),
    "check.finding.scripts_mixed": (
        "The documents are written in several scripts: {scripts}",
        "文档使用多种文字：{scripts}",
    ),
    "check.advice.scripts_mixed": (
        "Look at the scores by language, and at whether the analyzer knows each of them.",
        "请按语言分别查看分数，并确认分词器支持每种语言。",
    ),
    "check.finding.query_scripts": (
        "{n} {n:query is|queries are} written in {scripts}, which hardly any document is",
        "{n} 个查询使用 {scripts}，而几乎没有这种文字的文档",
    ),
    "check.advice.query_scripts": (
        "They can only be answered across languages; give them a label and slice by it.",
        "只能跨语言回答；请为它们加上标签并按标签分组。",
    ),
    "check.finding.unanswered": (
        "{n} {n:run leaves|runs leave} queries that have relevant documents without a result, "
        "which scores 0 (most of all {run}: {most} of {all})",
        "{n} 个运行对有相关文档的查询没有返回结果，计 0 分"
        "（最多的是 {run}：{all} 个中有 {most} 个）",
    ),
    "check.advice.unanswered": (
        "Was the whole query set run, and did every query come through? What the mean moves by "
        "is the mean over the queries that are answered against the mean over all.",
        "是否运行了全部查询，每个查询都成功了吗？影响值是已回答查询的平均分与全部平均分之差。",
    ),
    "check.finding.nothing_judged": (
        "No document in the first {k} of {n} {n:run|runs} is judged: {runs}",
        "{n} 个运行的前 {k} 个结果中没有任何已标注文档：{runs}",
    ),
    "check.advice.nothing_judged": (
        "Are the document ids of the run and of the judgments the same?",
        "运行与标注中的文档编号是否一致？",
    ),
    "check.finding.judged_low": (
        "judged@{k} is below {limit} for {n} {n:run|runs} ({least:.4f} at the least): most of what "
        "they return was never judged, and raw scores are about the pool",
        "{n} 个运行的 judged@{k} 低于 {limit}（最低 {least:.4f}）：返回的结果多数没有标注，"
        "原始分数反映的是标注池",
    ),
    "check.advice.judged_low": (
        "Label the work-list, or compare on condensed lists and say so.",
        "按优先清单标注，或在 condensed 列表上比较并说明。",
    ),
    "check.finding.judged_apart": (
        "judged@{k} is {judged_most:.4f} for {most} and {judged_least:.4f} for {least}: a "
        "difference between such runs may be one of the pool",
        "judged@{k}：{most} 为 {judged_most:.4f}，{least} 为 {judged_least:.4f}："
        "这些运行之间的差异可能来自标注池",
    ),
    "check.advice.judged_apart": (
        "Label what the less judged run returns before it is called worse.",
        "在判定较少标注的运行更差之前，先标注它返回的文档。",
    ),
    "check.finding.holes_some": (
        "Some documents in the first {k} are not judged and count as not relevant",
        "前 {k} 个结果中有些文档没有标注，按不相关计",
    ),
    "check.advice.holes_some": (
        "The table of bounds says what they may do to each score.",
        "区间表给出它们对每个分数的可能影响。",
    ),
    "check.finding.pool_shallow": (
        "Most of the first {k} is judged, yet some run has an unjudged document at rank 1 of most "
        "queries: the judgments are no pool of these runs",
        "前 {k} 个结果大多有标注，但多数查询都有运行的第 1 位没有标注："
        "这些标注不是由这些运行汇集而成",
    ),
    "check.advice.pool_shallow": (
        "Do not speak of a depth-k pool; ask how the documents were chosen.",
        "不要称之为深度 k 的标注池；请确认文档是如何选取的。",
    ),
    "check.finding.undecidable": (
        "{n} of {all} pairs of runs are undecidable by the labels under {measure}: what the "
        "unjudged documents are decides which run is better",
        "{measure} 下，{all} 对运行中有 {n} 对无法由现有标注判定：未标注文档是否相关决定孰优孰劣",
    ),
    "check.advice.undecidable": (
        "Label from the head of the work-list; the column of labels says about how few could do.",
        "从优先清单的开头开始标注；“所需标注”列给出大约最少需要多少。",
    ),
    "check.finding.condensed_turns": (
        "{n} of {all} pairs of runs stand the other way round under {measure} when unjudged "
        "documents are left out",
        "去掉未标注文档后，{measure} 下 {all} 对运行中有 {n} 对次序颠倒",
    ),
    "check.advice.condensed_turns": (
        "Neither order is the true one: raw lists punish what nobody judged, condensed ones favour "
        "it.",
        "两种次序都不是真相：原始列表惩罚未标注文档，condensed 列表偏袒它们。",
    ),
    "check.finding.pool_unfair": (
        "Without the judgments that only it brought in, {run} loses {points:.4f} of {measure} "
        "({lost:.0%} of its score; depth {depth}): a new system may be scored as low",
        "去掉只由它带来的标注后，{run} 的 {measure} 下降 {points:.4f}（占其得分的 {lost:.0%}；"
        "深度 {depth}）：新系统也可能被同样低估",
    ),
    "check.advice.pool_unfair": (
        "Judge what a new system returns before it is compared.",
        "比较新系统之前，先标注它返回的文档。",
    ),
}
