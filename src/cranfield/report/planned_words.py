"""The sentences of a plan of queries, English and Chinese side by side."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "power.title": ("How many queries", "需要多少查询"),
    "power.spread": (
        "Differences vary with a standard deviation of {sd} over the {n} queries of the pilot, "
        "whose mean difference is {difference}.",
        "试验中 {n} 个查询的差值标准差为 {sd}，平均差值为 {difference}。",
    ),
    "power.sd": ("Standard deviation: {sd}.", "标准差：{sd}。"),
    "power.difference": ("difference", "差值"),
    "power.d_z": ("d_z", "d_z"),
    "power.queries": ("queries", "查询数"),
    "power.shown": ("smallest difference shown", "可检出的最小差值"),
    "power.how": (
        "Two-sided paired t-test at alpha {alpha}, exact: a true difference is found with a chance "
        "of {power}. Corrections for several hypotheses need more.",
        "双侧配对 t 检验，alpha {alpha}，精确计算：真实差异有 {power} 的机会被发现。"
        "对多个假设作校正时需要更多查询。",
    ),
    "power.how.design": (
        "Two-sided, at alpha {alpha}. Corrections for several hypotheses need more.",
        "双侧，alpha {alpha}。对多个假设作校正时需要更多查询。",
    ),
    "power.pilot": (
        "The spread of a pilot is itself an estimate, and the difference it observed is a poor "
        "guess of the true one: plan for the smallest difference that would matter.",
        "试验得到的离散程度本身只是估计，观测到的差值更不是真实差值的可靠估计："
        "应当按照有意义的最小差异来规划。",
    ),
    "power.design.t": (
        "Design for the paired t-test (Sakai 2016): {n} queries find a difference of {difference} "
        "(sd {sd}) with a chance of {attained}.",
        "配对 t 检验设计（Sakai 2016）：{n} 个查询有 {attained} 的机会发现 {difference} 的差异"
        "（标准差 {sd}）。",
    ),
    "power.design.anova": (
        "Design for {systems} systems (one-way analysis of variance, Sakai 2016): {n} queries find "
        "a difference of {difference} between the best and the worst (sd within a system {sd}) "
        "with a chance of {attained}.",
        "{systems} 个系统的设计（单因素方差分析，Sakai 2016）：{n} 个查询有 {attained} 的机会"
        "发现最好与最差系统之间 {difference} 的差异（系统内标准差 {sd}）。",
    ),
    "power.design.ci": (
        "Design for an interval (Sakai 2016): with {n} queries it is expected to be {attained} "
        "wide, not more than {width} (sd {sd}).",
        "区间设计（Sakai 2016）：{n} 个查询的区间宽度期望为 {attained}，不超过 {width}"
        "（标准差 {sd}）。",
    ),
}
