"""Sentences about a budget of labels, English and Chinese."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "budget.title": ("Depth or breadth", "深标注还是广标注"),
    "budget.what": ("planned for", "目标"),
    "budget.mean": ("the mean {measure} of {run}", "{run} 的 {measure} 均值"),
    "budget.difference": (
        "the difference of {run} less {base} in {measure}",
        "{run} 减 {base} 的 {measure} 差值",
    ),
    "budget.budget": ("budget", "预算"),
    "budget.labels": ("{n} labels", "{n} 个标注"),
    "budget.pilot": ("pilot", "试验"),
    "budget.pilot.value": (
        "{n} {n:query|queries}, mean {mean}, standard deviation over queries {sd}",
        "{n} 个查询，均值 {mean}，查询间标准差 {sd}",
    ),
    "budget.per_query": ("a query costs, beside its labels", "每个查询的额外成本"),
    "budget.most": ("queries there are at most", "最多可用查询数"),
    "budget.careful": ("Read with care", "解读时请注意"),
    "budget.few": (
        "A pilot of {n} queries says little about spreads, and less about which depth is best.",
        "仅有 {n} 个查询的试验难以说明离散程度，更难判断哪种深度最好。",
    ),
    "budget.column.depth": ("depth", "深度"),
    "budget.column.labels": ("labels a query", "每查询标注数"),
    "budget.column.queries": ("queries", "查询数"),
    "budget.column.spread": ("spread", "离散"),
    "budget.column.error": ("of it, labels", "标注误差"),
    "budget.column.bias": ("bias", "偏差"),
    "budget.column.bias_se": ("± se", "± 标准误"),
    "budget.column.se": ("se of mean", "均值标准误"),
    "budget.column.rmse": ("rmse", "均方根误差"),
    "budget.column.detectable": ("detectable", "可检出差异"),
    "budget.column.t": ("expected t", "预期 t"),
    "budget.best": (
        "Nearest to the value under full labels: depth {depth} on {n} {n:query|queries}, off by "
        "{rmse}.",
        "最接近完整标注结果的方案：深度 {depth}，{n} 个查询，误差 {rmse}。",
    ),
    "budget.clearest": (
        "Most likely to tell the two apart: depth {depth} on {n} {n:query|queries}, expected "
        "t {t}.",
        "最能区分两者的方案：深度 {depth}，{n} 个查询，预期 t 为 {t}。",
    ),
    "budget.poor": (
        "The budget does not pay for two queries at any of these depths.",
        "在这些深度下预算都不足以标注两个查询。",
    ),
    "budget.method": (
        "The pilot is judged again with only the labels within each depth of a run. Spread: over "
        "queries, of the value under these labels; of it, labels: of thin less full values. Bias: "
        "their mean, which more queries do not take away. rmse: √(se² + bias²), the bias less "
        "what chance puts into its square. Detectable: by a paired t-test at .05 with a chance of "
        ".8.",
        "用试验数据只保留各深度内的标注重新计算。离散：该标注下各查询取值的标准差；"
        "标注误差：浅标注减完整标注之差的标准差。偏差：其均值，增加查询也无法消除。"
        "均方根误差：√(标准误² + 偏差²)，已扣除偏差平方中的随机部分。"
        "可检出差异：配对 t 检验，水平 .05，把握度 .8。",
    ),
}
