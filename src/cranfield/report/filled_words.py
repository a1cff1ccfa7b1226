"""Sentences of what new labels say of the holes, English and Chinese."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "filled.title": (
        "Documents without a label, looked at through {labels}",
        "用 {labels} 查看未标注的文档",
    ),
    "filled.holes": ("without a label in the first {k}", "前 {k} 条中未标注"),
    "filled.holes.value": ("{n} pairs of {queries} queries", "{queries} 个查询，{n} 对"),
    "filled.graded": ("of these graded now", "其中现已定级"),
    "filled.relevant": ("of these relevant (grade ≥ {rel})", "其中相关（等级 ≥ {rel}）"),
    "filled.relevant.value": (
        "{n}, a share of {share} ({level} from {low} to {high})",
        "{n}，占 {share}（{level} 区间 {low} 至 {high}）",
    ),
    "filled.known": ("labelled as relevant before", "原先标为相关"),
    "filled.expected": ("relevant among all without a label", "全部未标注中相关的约有"),
    "filled.expected.value": (
        "about {middle} (from {low} to {high})",
        "约 {middle}（{low} 至 {high}）",
    ),
    "filled.runs": ("By run", "按运行"),
    "filled.scores": ("Scores before and after", "补标前后的得分"),
    "filled.examples": ("Examples", "示例"),
    "filled.example": ("{query}: {text}", "{query}：{text}"),
    "filled.example.known": ("labelled relevant ({doc}): {text}", "已标为相关（{doc}）：{text}"),
    "filled.example.found": (
        "without a label, at rank {rank}, now grade {grade} ({doc}): {text}",
        "未标注，排在第 {rank} 位，现为等级 {grade}（{doc}）：{text}",
    ),
    "filled.example.reason": ("reason: {reason}", "理由：{reason}"),
    "filled.method": (
        "The interval of the share is Wilson's. It is right where the graded pairs are all of "
        "them or were drawn at random, and takes the new labels for true: `cranfield agree` says "
        "how far they are. Pairs of one query are alike, which it does not know. The estimate for "
        "all pairs is the share and its interval times their number. Scores after: with every new "
        "label of a pair that the collection does not label.",
        "占比的区间为 Wilson 区间。只有当定级的是全部或随机抽取的文档对时才成立，且视新标注为真："
        "可用 `cranfield agree` 检验。同一查询的文档对彼此相似，区间没有考虑这一点。对全部文档对的"
        "估计为占比及其区间乘以总数。补标后的得分使用了集合未标注的全部新标注。",
    ),
    "filled.binary": (
        "the collection has no grades as high as the new labels, whose grades therefore count as 1 "
        "(relevant) or 0",
        "集合没有新标注那样高的等级，因此新标注按 1（相关）或 0 计",
    ),
    "filled.column.run": ("run", "运行"),
    "filled.column.holes": ("without a label", "未标注"),
    "filled.column.graded": ("graded", "已定级"),
    "filled.column.relevant": ("relevant", "相关"),
    "filled.column.share": ("share", "占比"),
    "filled.column.low": ("from", "下限"),
    "filled.column.high": ("to", "上限"),
    "filled.column.measure": ("measure", "指标"),
    "filled.column.before": ("before", "之前"),
    "filled.column.after": ("after", "之后"),
    "filled.column.change": ("change", "变化"),
}
