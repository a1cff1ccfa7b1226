"""Sentences about estimates from a model's labels and people's, English and Chinese."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "honest.title": (
        "Scores by {human}, with the help of {llm}",
        "以 {human} 为准、借助 {llm} 估计的分数",
    ),
    "honest.labelled": ("labelled by both", "双方都有标注"),
    "honest.others": ("by the model alone", "仅模型有标注"),
    "honest.queries": ("{n} {n:query|queries}", "{n} 个查询"),
    "honest.left": ("left out, without a model's label", "没有模型标注，未计入"),
    "honest.mean": ("Mean of {run}: {measure}", "{run} 的均值：{measure}"),
    "honest.difference": (
        "Difference of {run} less {base}: {measure}",
        "{run} 减 {base} 的差值：{measure}",
    ),
    "honest.column.way": ("from", "依据"),
    "honest.column.value": ("value", "估计值"),
    "honest.column.low": ("{level} from", "{level} 下限"),
    "honest.column.high": ("to", "上限"),
    "honest.column.width": ("width", "宽度"),
    "honest.column.interval": ("interval", "区间"),
    "honest.interval.careful": ("careful t", "审慎 t"),
    "honest.interval.student": ("t", "t"),
    "honest.interval.bounded": ("bounded", "有界"),
    "honest.column.weight": ("λ", "λ"),
    "honest.way.model": (
        "the model's labels alone (no interval holds)",
        "仅模型标注（无有效区间）",
    ),
    "honest.way.true": ("people's labels alone", "仅人工标注"),
    "honest.way.classical": ("both, classical", "两者结合，经典估计"),
    "honest.way.tuned": ("both, power-tuned", "两者结合，调优估计"),
    "honest.read": (
        "The power-tuned estimate is the one to report: the model's labels made {n} queries of "
        "people worth {worth}.",
        "应当报告调优估计：有了模型标注，{n} 个人工查询相当于 {worth} 个。",
    ),
    "honest.nothing": (
        "The estimate from people's labels alone is the one to report: with these {n} queries, the "
        "model's labels do not narrow the interval.",
        "应当报告仅用人工标注的估计：在这 {n} 个查询上，模型标注并未使区间变窄。",
    ),
    "honest.unplanned": (
        "How many labels an interval {width} wide takes cannot be told from these queries, as they "
        "do not show the spread.",
        "这些查询未能反映离散程度，因此无法推算区间宽度 {width} 需要多少标注。",
    ),
    "honest.doubt.few.bounded": (
        "{measure}: nearly all of the {n} queries are alike, in their scores or in how far the "
        "model is off. A t interval would be too narrow; the bounded one stands in its place.",
        "{measure}：{n} 个查询的分数或模型偏差几乎全都相同。t 区间会过窄，已改用有界区间。",
    ),
    "honest.doubt.few.open": (
        "{measure}: nearly all of the {n} queries are alike, in their scores or in how far the "
        "model is off. The interval is not to be trusted: it is too narrow if rare errors are "
        "among the others.",
        "{measure}：{n} 个查询的分数或模型偏差几乎全都相同。该区间不可信："
        "若其余查询中有少见的错误，它就过窄。",
    ),
    "honest.doubt.lone.bounded": (
        "{measure}: one or two of the {n} queries make up nearly all of the spread. A t interval "
        "would be too narrow; the bounded one stands in its place.",
        "{measure}：{n} 个查询的离散几乎全部来自其中一两个。t 区间会过窄，已改用有界区间。",
    ),
    "honest.doubt.lone.open": (
        "{measure}: one or two of the {n} queries make up nearly all of the spread. The interval "
        "is not to be trusted.",
        "{measure}：{n} 个查询的离散几乎全部来自其中一两个。该区间不可信。",
    ),
    "honest.doubt.narrow.bounded": (
        "{measure}: one query more at the far end of the measure would move the mean of {n} by "
        "more than half a t interval; the bounded one stands in its place.",
        "{measure}：只要再有一个极端查询，{n} 个查询的均值就会移动超过 t 区间的一半，"
        "已改用有界区间。",
    ),
    "honest.doubt.narrow.open": (
        "{measure}: one query more at the far end of the measure would move the mean of {n} by "
        "more than half the interval, which is not to be trusted.",
        "{measure}：只要再有一个极端查询，{n} 个查询的均值就会移动超过区间的一半，该区间不可信。",
    ),
    "honest.correlation": (
        "Scores by both sets correlate by {r} over these queries.",
        "这些查询上两组标注得到的分数的相关系数为 {r}。",
    ),
    "honest.needed": (
        "For an interval {width} wide, people must label {more} {more:query|queries} more, {n} in "
        "all (expected: {got}); {alone} without a model's labels.",
        "要使区间宽度为 {width}，还需人工标注 {more} 个查询，共 {n} 个（预计 {got}）；"
        "没有模型标注则需 {alone} 个。",
    ),
    "honest.enough": (
        "The interval is expected to be {width} wide or narrower already.",
        "目前的区间宽度预计已不超过 {width}。",
    ),
    "honest.beyond": (
        "An interval {width} wide is out of reach with these {n} queries: all of them labelled by "
        "people would give {got}. It takes {alone} queries.",
        "仅靠这 {n} 个查询无法使区间宽度达到 {width}：全部人工标注也只能得到 {got}。"
        "需要 {alone} 个查询。",
    ),
    "honest.many": ("more than a billion", "超过十亿"),
    "honest.none": ("No interval: {reason}.", "没有区间：{reason}。"),
    "honest.careful": ("Read with care", "解读时请注意"),
    "honest.few": (
        "Only {n} queries are labelled by people; the interval rests on how far the model is off "
        "on these.",
        "人工标注的查询只有 {n} 个；区间完全取决于模型在这些查询上的偏差。",
    ),
    "honest.shallow": (
        "{run}: only {share} of the first {k} documents are judged in {name}; what people left "
        "out counts as not relevant, so that these are no true scores.",
        "{run}：前 {k} 个结果中只有 {share} 在 {name} 中有标注；未标注的按不相关计，"
        "因此这些并非真实分数。",
    ),
    "honest.unlike": (
        "{measure} by {name} is {mean} on the queries that people labelled and {other} on the "
        "others (p = {p}): were they drawn at random? The interval holds only then.",
        "按 {name}，{measure} 在人工标注过的查询上为 {mean}，在其余查询上为 {other}（p = {p}）："
        "这些查询是随机抽取的吗？只有随机抽取时区间才成立。",
    ),
    "honest.tuned": (
        "{n} of the {all} queries are those on which a rubric is tuned; the model is better there "
        "than elsewhere, and the interval too hopeful.",
        "{all} 个查询中有 {n} 个属于调参部分；模型在那里比别处更准，区间会过于乐观。",
    ),
    "honest.method": (
        "Prediction-powered inference (Angelopoulos et al. 2023): the mean by the model's labels "
        "plus the mean of what it is off where people labelled too; the weight λ of the model's "
        "scores is 1, or the one with the least variance (PPI++). Careful t: Student's t with "
        "Satterthwaite's degrees of freedom and the spread of one query more, on which the model "
        "says nothing. Bounded: Gaffke (2005), from the limits of the measure, for scores with few "
        "values that differ. All this if people's queries were drawn at random from all.",
        "预测增强推断（Angelopoulos 等，2023）：模型标注下的均值，加上人工标注查询上的平均偏差；"
        "模型分数的权重 λ 为 1，或取方差最小者（PPI++）。审慎 t："
        "采用 t 分布与 Satterthwaite 自由度，并加入一个模型毫无信息的查询的离散。"
        "有界：Gaffke（2005），依据指标的上下限，用于绝大多数值相同的情形。前提是人工标注的查询从全部查询中随机抽取。",
    ),
}
