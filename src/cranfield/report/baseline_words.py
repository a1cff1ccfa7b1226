"""The sentences of the baseline report, English and Chinese."""

from __future__ import annotations

TEXT = {
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
    "baseline.range": ("  range, by the unjudged", "  未标注文档决定的范围"),
    "baseline.range.value": (
        "{low:.4f} to {high:.4f}   ({best_low:.4f} to {best_high:.4f})",
        "{low:.4f} 至 {high:.4f}   （{best_low:.4f} 至 {best_high:.4f}）",
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
        "Labels are missing for {n} of the queries: an unjudged document counts as not relevant, "
        "so that their scores may be others, or they have none; to be labelled: {listed}",
        "{n} 个查询缺少标注：未标注的文档按不相关计，因此分数可能改变，"
        "或者没有分数；待标注：{listed}",
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
    "kind.no_answer": ("has no answer (judged, all grades 0)", "无答案（已标注，全部为 0）"),
    "kind.answerable": ("is answerable", "有答案"),
    "kind.unlabelled": ("has no label", "没有标注"),
    "cell.correct": ("{n} correct", "正确 {n}"),
    "cell.false": ("{n} false recall", "误召回 {n}"),
    "cell.missed": ("{n} missed", "漏召回 {n}"),
    "cell.scored": ("{n} scored", "正常计分 {n}"),
    "cell.unknown": ("{n} cannot be judged", "无法判断 {n}"),
}
