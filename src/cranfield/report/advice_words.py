"""The sentences of a recommendation, English and Chinese side by side: each says what the data
show, with its numbers."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "advice.title": ("Decide by {measure}", "用 {measure} 来决定"),
    "advice.title.only": ("{measure} is the only measure studied", "只研究了 {measure} 一个指标"),
    "advice.title.unsettled": (
        "Not settled; {measure} by the criteria taken together",
        "尚不能确定；综合各项，取 {measure}",
    ),
    "advice.decide": (
        "{measure} tells {share} of {pairs:,} {pairs:pair|pairs} of systems apart at {level:g} "
        "[{low}, {high}], on {queries} queries",
        "{measure} 在显著性水平 {level:g} 下区分 {pairs:,} 个系统对中的 {share} "
        "[{low}, {high}]，共 {queries} 个查询",
    ),
    "advice.decide.plain": (
        "{measure} tells {share} of {pairs:,} {pairs:pair|pairs} of systems apart at {level:g}, "
        "on {queries} queries",
        "{measure} 在显著性水平 {level:g} 下区分 {pairs:,} 个系统对中的 {share}，"
        "共 {queries} 个查询",
    ),
    "advice.few_pairs": (
        "{runs} runs make {count} {count:pair|pairs}, so that a share moves in steps of "
        "{step}: more runs say more",
        "{runs} 个系统只有 {count} 对，比例以 {step} 为一级变化：系统越多，结论越有依据",
    ),
    "advice.settled": (
        "over all levels it is first for sure: {share} against {next_share} of {next}",
        "在全部显著性水平上确为第一：{share}，其次 {next} 为 {next_share}",
    ),
    "advice.not_settled": (
        "{queries} queries do not settle which is first over all levels: {leaders}; {decide} has "
        "the best places among them",
        "{queries} 个查询不足以确定全部水平上的第一名：{leaders}；其中 {decide} 综合名次最好",
    ),
    "advice.leader": ("{measure} {overall}", "{measure} {overall}"),
    "advice.no_resamples": (
        "without resamples nothing says which differences between measures are real",
        "没有自助抽样，无法判断指标之间的差异是否真实",
    ),
    "advice.only_one": (
        "there is no other measure to hold it against",
        "没有其他指标可供比较",
    ),
    "advice.stable": (
        "over sets of half of the queries {error} of the comparisons go against the majority, and "
        "{tie} are ties",
        "取半数查询时，{error} 的比较与多数结论相反，{tie} 为平局",
    ),
    "advice.difficulty": (
        "its mean is {mean:.4f} (difficulty {difficulty:.4f})",
        "其均值为 {mean:.4f}（困难度 {difficulty:.4f}）",
    ),
    "advice.misleading": (
        "{measure} is easier (mean {mean:.4f}) and tells fewer pairs apart ({share} against "
        "{decide_share} of {decide}): a high score there says little",
        "{measure} 更容易得分（均值 {mean:.4f}），但区分的系统对更少（{share}，"
        "{decide} 为 {decide_share}）：高分说明不了什么",
    ),
    "advice.labels.until": (
        "in labels it needs each run judged down to its first relevant document",
        "标注量：每个系统的结果须标注到首个相关文档",
    ),
    "advice.labels.first": (
        "in labels it needs the first {depth} documents of each run and nothing else",
        "标注量：只需每个系统的前 {depth} 个文档",
    ),
    "advice.labels.first_and_all": (
        "in labels it needs the first {depth} documents of each run, and the relevant documents "
        "that no run returns there, which it divides by",
        "标注量：每个系统的前 {depth} 个文档，以及未被返回的相关文档（计入分母）",
    ),
    "advice.labels.all": (
        "in labels it needs whole rankings and every relevant document of the collection",
        "标注量：整个结果列表以及测试集中的全部相关文档",
    ),
    "advice.labels.unknown": (
        "what it needs in labels is not known: it is no measure of Cranfield",
        "所需标注量未知：它不是 Cranfield 的指标",
    ),
    "advice.watch": (
        "watch {measure} beside it: it tells {share} apart and orders the systems otherwise "
        "(tau-b {tau:.3f} with {decide})",
        "同时观察 {measure}：它区分 {share}，但给出的系统顺序不同"
        "（与 {decide} 的 τ_b 为 {tau:.3f}）",
    ),
    "advice.watch.none": (
        "nothing to watch beside it: no measure that tells at least {well} as many pairs apart "
        "has a tau-b below {same:g} with {decide}",
        "无须同时观察其他指标：区分能力不低于 {decide} 的 {well} 的指标，"
        "与它的 τ_b 都不低于 {same:g}",
    ),
    "advice.alike": (
        "these order the systems as {decide} does and add little beside it: {pairs}",
        "以下指标与 {decide} 给出的系统顺序几乎相同，再看意义不大：{pairs}",
    ),
    "advice.pair": ("{measure} (tau-b {tau:.3f})", "{measure}（τ_b {tau:.3f}）"),
    "advice.and": ("; ", "；"),
    "advice.queries.share": (
        "pairs that {measure} tells apart by the number of queries: {items}",
        "{measure} 区分的系统对与所需查询数：{items}",
    ),
    "advice.queries.like": (
        "what others reach with {have} queries, {measure} reaches with fewer or more: {items}",
        "其他指标用 {have} 个查询达到的水平，{measure} 所需的查询数：{items}",
    ),
    "advice.item.share": (
        "{share} with about {queries}{interval}{beyond}",
        "{share} 约 {queries} 个{interval}{beyond}",
    ),
    "advice.item.like": (
        "{share}, as {like} does, with about {queries}{interval}{beyond}",
        "{like}（{share}）约 {queries} 个{interval}{beyond}",
    ),
    "advice.item.share.never": ("{share} never", "{share} 无法达到"),
    "advice.item.like.never": (
        "{share}, as {like} does, never",
        "{like}（{share}）无法达到",
    ),
    "advice.beyond": (", extrapolated", "，外推"),
    "advice.interval": (" [{low}, {high}]", "[{low}, {high}]"),
    "advice.weights": (
        "Places are weighed: {weights}. The measures that may decide are those whose share over "
        "all levels is not shown to be below the first one's.",
        "名次加权：{weights}。可供选择的指标为全部显著性水平上的比例未被证明低于第一名者。",
    ),
    "advice.criterion.share": ("pairs told apart", "区分比例"),
    "advice.criterion.error": ("error rate", "误差率"),
    "advice.criterion.difficulty": ("difficulty", "困难度"),
    "advice.criterion.labels": ("cost in labels", "标注成本"),
}
