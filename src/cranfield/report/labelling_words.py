"""Sentences about what to label, English and Chinese."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "scale.fact": ("grades", "等级"),
    "scale.given": ("0 to {top} (as given)", "0 到 {top}（指定）"),
    "scale.rubric": ("0 to {top} (rubric {by})", "0 到 {top}（评分标准 {by}）"),
    "scale.seen": (
        "0 to {top}, the largest grade seen (--scale names another)",
        "0 到 {top}，即目前最高的等级（可用 --scale 指定）",
    ),
    "scale.none": (
        "0 to {top}, supposed: none is above 0 yet (--scale names another)",
        "假定为 0 到 {top}：尚无高于 0 的等级（可用 --scale 指定）",
    ),
    "next.title": ("What to label for {run} against {base}", "比较 {run} 与 {base} 应标注什么"),
    "next.measure": ("measure", "指标"),
    "next.judged": ("documents judged", "已标注文档"),
    "next.judged.value": (
        "{judged} of {all} in {queries} {queries:query|queries}",
        "{queries} 个查询的 {all} 个文档中的 {judged} 个",
    ),
    "next.difference": ("difference as it stands", "目前的差值"),
    "next.difference.value": (
        "{value} ({run} less {base}, unjudged documents not relevant)",
        "{value}（{run} 减 {base}，未标注按不相关计）",
    ),
    "next.bound": ("with the others at 0 to {top}", "其余等级为 0 到 {top} 时"),
    "next.bound.value": ("between {low} and {high}", "介于 {low} 与 {high} 之间"),
    "next.bound.outer": ("between {low} and {high} at the widest", "至多介于 {low} 与 {high} 之间"),
    "next.chance": ("{run} is better", "{run} 更好"),
    "next.chance.value": (
        "with a chance of {chance} ({samples} gradings drawn, seed {seed})",
        "概率为 {chance}（抽取 {samples} 组标注，种子 {seed}）",
    ),
    "next.prior": ("of an unjudged document", "未标注文档的先验"),
    "next.prior.given": ("{shares} (given)", "{shares}（指定）"),
    "next.prior.judged": ("{shares} (as among the judged)", "{shares}（取自已标注文档）"),
    "next.prior.none": ("{shares} (nothing is judged)", "{shares}（尚无标注）"),
    "next.settled.run": (
        "Settled: {run} is better, whatever grades from 0 to {top} the unjudged documents get.",
        "已有定论：无论未标注文档得到 0 到 {top} 中的哪个等级，{run} 更好。",
    ),
    "next.settled.base": (
        "Settled: {base} is better, whatever grades from 0 to {top} the unjudged documents get.",
        "已有定论：无论未标注文档得到 0 到 {top} 中的哪个等级，{base} 更好。",
    ),
    "next.settled.equal": (
        "Settled: no grade from 0 to {top} makes a difference between the two.",
        "已有定论：0 到 {top} 的任何等级都不会让两者产生差异。",
    ),
    "next.settled.seen.run": (
        "Settled on the scale 0 to {top} alone: {run} is better if no document gets a grade above "
        "{top}. Nothing says that none does; name the scale (--scale).",
        "仅在 0 到 {top} 的等级上有定论：只要没有文档的等级高于 {top}，{run} 更好。"
        "并无依据说明不会更高；请用 --scale 指明。",
    ),
    "next.settled.seen.base": (
        "Settled on the scale 0 to {top} alone: {base} is better if no document gets a grade above "
        "{top}. Nothing says that none does; name the scale (--scale).",
        "仅在 0 到 {top} 的等级上有定论：只要没有文档的等级高于 {top}，{base} 更好。"
        "并无依据说明不会更高；请用 --scale 指明。",
    ),
    "next.settled.seen.equal": (
        "Settled on the scale 0 to {top} alone: no label makes a difference between the two if no "
        "document gets a grade above {top}. Nothing says that none does; name the scale (--scale).",
        "仅在 0 到 {top} 的等级上有定论：只要没有文档的等级高于 {top}，"
        "任何标注都不会让两者产生差异。并无依据说明不会更高；请用 --scale 指明。",
    ),
    "next.likely": (
        "Settled for a chance of {level}: {who} is better. Further labels could still turn it.",
        "按 {level} 的概率已有定论：{who} 更好；更多标注仍可能推翻它。",
    ),
    "next.open": ("Open.", "尚无定论。"),
    "next.labels": (
        "{labels} {labels:label|labels} would settle it for certain if each fell in favour of "
        "the run that is ahead.",
        "若每个标注都有利于领先的一方，{labels} 个标注即可确定。",
    ),
    "next.list": ("Label next", "接下来标注"),
    "next.more": ("{n} more can change it.", "另有 {n} 个文档会影响结论。"),
    "next.column.query": ("query", "查询"),
    "next.column.document": ("document", "文档"),
    "next.column.rank_base": ("rank in {base}", "{base} 中的排名"),
    "next.column.rank_run": ("rank in {run}", "{run} 中的排名"),
    "next.column.influence": ("influence", "影响"),
    "next.column.helps": ("relevant helps", "相关则有利于"),
    "next.neither": ("neither", "都不"),
    "next.method": (
        "Influence: what the label can take off the bounds of the mean difference at most; for AP "
        "deeper than rank 20 the weight of minimal test collections (Carterette, Allan & "
        "Sitaraman 2006). Only documents of the two lists are taken to be open; the mean is over "
        "all queries of both runs and the judgments. The chance takes unjudged documents for "
        "independent, and is bolder than it should be.",
        "影响：该标注最多能使平均差值的上下界收窄多少；深度超过 20 的 AP 采用最小测试集的权重"
        "（Carterette、Allan 与 Sitaraman，2006）。只把两个列表中的文档视为未定；"
        "均值取两次运行与标注中的全部查询。概率把未标注文档当作相互独立，因此偏于自信。",
    ),
}
