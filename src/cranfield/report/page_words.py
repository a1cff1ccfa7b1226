"""The sentences of the comparison page and of a lab's index, English and Chinese side by side."""

from __future__ import annotations

PAGE_TEXT: dict[str, tuple[str, str]] = {
    "page.title": ("{run} against {base}", "{run} 对比 {base}"),
    "page.title.many": ("{n} runs against {base}", "{n} 个运行对比 {base}"),
    "page.numbers": ("Numbers", "数据"),
    "page.scores": ("Scores", "得分"),
    "page.query": ("Query by query: {run}", "逐查询对比：{run}"),
    "page.slices": ("By {field}", "按{field}"),
    "page.pairs": ("All pairs", "两两比较"),
    "page.losses": ("Largest losses: {run}", "损失最大的查询：{run}"),
    "page.gains": ("Largest gains: {run}", "提升最大的查询：{run}"),
    "page.cost": ("Latency and cost", "延迟与成本"),
    "page.method": ("How this was found out", "方法说明"),
    "page.appendix": ("Appendix", "附录"),
    "page.first": (
        "Query by query and in lists, the first {shown} of {n} runs are shown; the tables and the "
        "JSON of `cranfield compare` have all.",
        "逐查询图和结果列表只显示前 {shown} 个运行（共 {n} 个）；"
        "表格和 `cranfield compare` 的 JSON 包含全部。",
    ),
    "page.other_measures": ("Other measures ({n})", "其他指标（{n} 个）"),
    "page.verdicts": ("Verdicts ({n})", "结论（{n} 个）"),
    "page.cautions": ("More of these ({n})", "更多（{n} 条）"),
    "page.know": ("Good to know", "说明"),
    # charts
    "chart.intervals": ("Difference to {base} in {measure}", "{measure} 与 {base} 的差值"),
    "chart.measures": ("Difference of {run} to {base}", "{run} 与 {base} 的差值"),
    "chart.intervals.summary": (
        "The mark is the difference of the means, the line its {level} interval; right of zero the "
        "run is above the base.",
        "标记为均值之差，横线为其 {level} 区间；零线右侧表示该运行高于基线。",
    ),
    "chart.slices": (
        "{run}: difference in {measure} by {field}",
        "{run}：按{field}的 {measure} 差值",
    ),
    "chart.axis": ("difference in {measure}", "{measure} 差值"),
    "chart.band": ("smaller than {effect:g}: does not matter", "小于 {effect:g}：可以忽略"),
    "chart.value": ("difference", "差值"),
    "chart.low": ("low", "下限"),
    "chart.high": ("high", "上限"),
    "chart.mark": ("verdict", "结论"),
    "chart.waterfall": ("Difference of every query in {measure}", "每个查询的 {measure} 差值"),
    "chart.waterfall.summary": (
        "{wins} of {n} queries are better than in {base}, {ties} level, {losses} worse; from "
        "{least} to {most}, half of them between {lower} and {upper}.",
        "共 {n} 个查询：{wins} 个优于 {base}，{ties} 个持平，{losses} 个变差；"
        "差值从 {least} 到 {most}，其中一半在 {lower} 与 {upper} 之间。",
    ),
    "chart.queries": ("Queries, the largest gain first", "查询，提升最大的在最左"),
    "chart.better": ("better: {n}", "更好：{n}"),
    "chart.level": ("level: {n}", "持平：{n}"),
    "chart.worse": ("worse: {n}", "更差：{n}"),
    "chart.mean": ("mean", "均值"),
    "chart.at": ("share of queries at or below", "不高于该值的查询比例"),
    "chart.scatter": ("Every query in both runs: {measure}", "每个查询在两个运行中的 {measure}"),
    "chart.scatter.summary": (
        "Each mark is a query, larger where several lie at one place; above the line it is better "
        "in {run}.",
        "每个标记是一个查询，多个查询重合时标记更大；位于对角线上方表示在 {run} 中更好。",
    ),
    "chart.same": ("the same in both", "两者相同"),
    "chart.matrix": ("p of every pair under {measure}", "{measure}：每一对运行的 p 值"),
    "chart.matrix.summary": (
        "{m} systems, the highest mean first; {method}, {n} queries. A bar joins systems that "
        "cannot be told apart at {alpha}: {groups} groups. Being in one group does not make "
        "two systems equal.",
        "共 {m} 个系统，均值最高的在最上；{method}，{n} 个查询。"
        "竖条连接在 {alpha} 水平上无法区分的系统：{groups} 组。同组并不表示两个系统相等。",
    ),
    "chart.groups": ("groups", "组"),
    # lists side by side
    "sides.values": (
        "{measure}: {base:.4f} → {value:.4f} ({difference:+.4f})",
        "{measure}：{base:.4f} → {value:.4f}（{difference:+.4f}）",
    ),
    "sides.now": ("now {rank}", "现第 {rank}"),
    "sides.was": ("was {rank}", "原第 {rank}"),
    "sides.gone": ("gone", "消失"),
    "sides.new": ("new", "新出现"),
    "sides.nothing": ("nothing returned", "没有返回结果"),
    "sides.note": (
        "The number before a document is its grade; a dashed frame marks a document that nobody "
        "judged and that counts as not relevant. Gone and new are said of the first {k}.",
        "文档前的数字为相关性等级；虚线框表示未标注的文档，按不相关计。"
        "“消失”和“新出现”仅就前 {k} 个结果而言。",
    ),
    "sides.chosen": (
        "These queries were chosen because of their differences: they show where to look, and are "
        "no evidence of their own.",
        "这些查询是因差值大而被挑选出来的：它们指出该看哪里，本身不构成证据。",
    ),
    # cost
    "cost.n": ("timed queries", "计时查询数"),
    "cost.median": ("median ms", "中位数（毫秒）"),
    "cost.p95": ("p95 ms", "p95（毫秒）"),
    "cost.failed": ("failed", "失败"),
    "cost.mean": ("cost a query", "每查询成本"),
    "cost.total": ("cost of all", "总成本"),
    "cost.note": (
        "As the cards of the runs say; 95% of the queries stay within p95. "
        "Nothing here enters a verdict.",
        "数据来自各运行的说明卡；95% 的查询用时不超过 p95。这些数据不影响结论。",
    ),
    # the index of a lab
    "index.title": ("Lab {name}", "实验记录：{name}"),
    "index.evaluations": ("evaluations", "评测次数"),
    "index.from": ("from – to", "时间范围"),
    "index.measure": ("measure", "指标"),
    "index.collection": ("collection", "测试集"),
    "index.looks": ("The test queries", "测试查询"),
    "index.trends": ("How it went", "变化趋势"),
    "index.compared": ("Against the evaluation before", "与前一次评测相比"),
    "index.compared.title": ("Difference in {measure}", "{measure} 差值"),
    "index.compared.note": (
        "The last {shown} of {n} changes, each held against the last comparable evaluation by "
        "itself and not corrected for the others.",
        "最近 {shown} 次变化（共 {n} 次），每次只与之前最近的可比评测比较，未对多次比较作校正。",
    ),
    "index.pair": ("@{id} {run} against @{before}", "@{id} {run} 对比 @{before}"),
    "index.why": ("The verdicts and why", "结论与理由"),
    "index.runs": ("Every run", "全部运行"),
    "index.reviews": ("Review set", "复查集"),
    "index.reviewed": ("Runs reviewed", "已复查的运行"),
    "index.tags": ("Tags", "标签"),
    "index.run": ("run", "运行"),
    "index.at": ("time", "时间"),
    "index.depth": ("depth", "深度"),
    "index.lists": ("queries", "查询数"),
    "index.fingerprint": ("fingerprint", "指纹"),
}
