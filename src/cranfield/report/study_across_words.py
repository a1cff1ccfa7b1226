"""The sentences about single queries and runs of a study, English and Chinese side by side."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "study.queries": ("Difficulty of the queries", "查询的困难度"),
    "study.col.query": ("query", "查询"),
    "study.col.run": ("run", "系统"),
    "study.col.predictor": ("predictor", "预测量"),
    "study.col.correlation": ("correlation", "相关系数"),
    "study.first_of": (
        "The first {first} of {n}; --table {name} has all.",
        "共 {n} 行，此处为前 {first} 行；全部见 --table {name}。",
    ),
    "study.all_rows": ("All {n}", "全部 {n} 行"),
    "study.predictors": ("Predicted before retrieval", "检索前预测"),
    "study.predictors.note": (
        "From the terms of the queries (analyzer {analyzer}) and the {documents:,} documents of "
        "{name}, {tokens:,} terms, alone (Hauff, Hiemstra and de Jong 2008), against the mean "
        "score of each query: above 0 a predictor is right. Between .1 and .3 is usual.",
        "仅由查询词（分析器 {analyzer}）与 {name} 的 {documents:,} 篇文档（共 {tokens:,} 个词）得出"
        "（Hauff、Hiemstra 与 de Jong 2008），与各查询的平均得分相比：大于 0 表示预测方向正确。"
        "通常在 0.1 至 0.3 之间。",
    ),
    "study.predictors.without_terms": (
        "{n} {n:query|queries} without a term that any document holds: {names}",
        "{n} 个查询的词在文档中均未出现：{names}",
    ),
    "study.predictors.without_text": (
        "{n} {n:query|queries} without a text: {names}",
        "{n} 个查询没有文本：{names}",
    ),
    "study.standardised": ("Standardised scores", "标准化得分"),
    "study.standardised.note": (
        "{form}; each query measured by what the {n} runs of this study got on it (Webber, Moffat "
        "and Zobel 2008), then the mean over queries.",
        "{form}；每个查询以本研究的 {n} 个系统在其上的得分为参照（Webber、Moffat 与 Zobel 2008），"
        "再对查询取平均。",
    ),
    "study.standardised.lacking": (
        "Under {measure} all runs have one score on {n} of {of} queries, which are left out.",
        "{measure} 下有 {n} 个查询（共 {of} 个）所有系统得分相同，未计入。",
    ),
    "study.form.z": (
        "z: 0 is the mean run, 1 one standard deviation above it",
        "z 分数：0 为平均系统，1 为高出一个标准差",
    ),
    "study.form.normal": (
        "z between 0 and 1 by the normal distribution function: 0.5 is the mean run",
        "以正态分布函数将 z 分数限于 0 至 1：0.5 为平均系统",
    ),
    "study.form.ecdf": (
        "share of the runs at or below (Urbano, Lima and Hanjalic 2019)",
        "得分不高于该系统者所占比例（Urbano、Lima 与 Hanjalic 2019）",
    ),
    "study.agreement.top": ("Agreement at the top of the order", "排序前部的一致性"),
    "study.agreement.top.note": (
        "Tau-AP,b (Urbano and Marrero 2017) and rank-biased overlap with p = {p:g} (Webber, Moffat "
        "and Zobel 2010) weigh the best systems more than tau-b does.",
        "τ_AP,b（Urbano 与 Marrero 2017）与排名偏重重叠 RBO（p = {p:g}；Webber、Moffat 与 Zobel "
        "2010）比 τ_b 更看重最好的系统。",
    ),
    "study.across": ("The same runs across collections", "同一系统在各测试集"),
    "study.across.note": (
        "{form}. The runs of each collection are its references, so that values of two collections "
        "can be compared as far as their runs are of a like range; plain means cannot at all.",
        "{form}。以各测试集自己的系统为参照，因此仅当各测试集的系统水平相近时，数值才可比较；"
        "未标准化的均值则完全不可比较。",
    ),
}
