"""The sentences of a study of measures, English and Chinese side by side."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "study.title": ("Which measure should decide: {name}", "用哪个指标来决定：{name}"),
    "study.title.many": (
        "Which measure should decide: {n} collections",
        "用哪个指标来决定：{n} 个测试集",
    ),
    "study.condition.binary": ("binary", "二分相关"),
    "study.condition.graded": ("graded", "多分相关"),
    "study.condition.given": ("scores as given", "给定得分"),
    "study.case": ("{name}, {condition}", "{name}，{condition}"),
    # sections
    "study.collections": ("What was studied", "研究对象"),
    "study.discrimination": (
        "How many pairs of systems each measure tells apart",
        "各指标能区分多少系统对",
    ),
    "study.order": ("The order of the measures", "指标排序"),
    "study.improvement": (
        "How much better than another, at {level:g}",
        "相对提高，显著性水平 {level:g}",
    ),
    "study.fewer": ("With fewer queries", "查询减少时"),
    "study.more": ("How many queries are enough", "需要多少查询"),
    "study.difficulty": ("Difficulty of the measures", "指标的得分困难度"),
    "study.methods": ("By other methods", "其他方法"),
    "study.power": ("Other tests beside the t-test", "其他检验与 t 检验对照"),
    "study.errors": ("Error rate and tie rate", "误差率与平局率"),
    "study.minority": ("Minority rate against ties", "少数率与平局比例"),
    "study.swaps": ("Swaps and split halves", "交换法与折半法"),
    "study.agreement": ("Which measures agree", "指标之间的一致性"),
    "study.recommendation": ("Recommendation", "建议"),
    "study.how": ("How this was found out", "方法说明"),
    "study.notes": ("Good to know", "说明"),
    "study.dropped": ("Left out", "未纳入"),
    # columns
    "study.col.collection": ("collection", "测试集"),
    "study.col.condition": ("condition", "条件"),
    "study.col.conditions": ("conditions", "条件"),
    "study.col.queries": ("queries", "查询数"),
    "study.col.no_relevant": ("dropped: no relevant document", "剔除：无相关文档"),
    "study.col.runs": ("runs", "系统数"),
    "study.col.below_floor": ("dropped: below the floor", "剔除：低于下限"),
    "study.col.pairs": ("pairs", "系统对"),
    "study.col.level": ("level", "显著性水平"),
    "study.col.measure": ("measure", "指标"),
    "study.col.place": ("place", "名次"),
    "study.col.share": ("told apart", "可区分比例"),
    "study.col.low": ("low", "下限"),
    "study.col.high": ("high", "上限"),
    "study.col.above_next": ("above the next one", "高于下一名"),
    "study.col.settled": ("settled", "是否确定"),
    "study.col.order": ("order", "排序"),
    "study.col.probability": ("this very order", "恰为此序"),
    "study.col.improvement": ("more than →", "相对于 →"),
    "study.col.parts": ("parts", "份数"),
    "study.col.part_sizes": ("queries in each", "每份查询数"),
    "study.col.how": ("cut", "划分方式"),
    "study.col.repeats": ("repeats", "重复次数"),
    "study.col.from": ("from", "来源"),
    "study.col.like": ("as many as", "达到……的水平"),
    "study.col.needed": ("queries needed", "所需查询数"),
    "study.col.beyond": ("extrapolated", "外推"),
    "study.col.one_minus": ("difficulty (1 − mean)", "困难度（1 − 均值）"),
    "study.col.mean": ("mean", "均值"),
    "study.col.reciprocal": ("1 / mean", "1 / 均值"),
    "study.col.test": ("test", "检验"),
    "study.col.correction": ("correction", "校正"),
    "study.col.required": ("difference required", "所需差值"),
    "study.col.error_worded": ("error, by query", "误差率（逐查询）"),
    "study.col.tie_worded": ("ties, by query", "平局率（逐查询）"),
    "study.col.error": ("error", "误差率"),
    "study.col.tie": ("ties", "平局率"),
    "study.col.single": ("error and ties as one", "误差率与平局率合一"),
    "study.col.swap_required": ("difference that holds", "稳定所需差值"),
    "study.col.sensitivity": ("reached by", "达到者"),
    "study.col.beyond_required": ("extrapolated", "外推所需差值"),
    "study.col.beyond_sensitivity": ("reached by (2)", "达到者（2）"),
    "study.col.sampled_required": ("by samples", "抽样所需差值"),
    "study.col.sampled_sensitivity": ("reached by (3)", "达到者（3）"),
    "study.col.swap_rate": ("swaps", "交换率"),
    "study.col.normal_rate": ("swaps, normal model", "交换率（正态模型）"),
    "study.col.half_power": ("significant on one half", "一半上显著"),
    "study.col.half_error": ("not confirmed", "未被另一半证实"),
    "study.col.points": ("places", "综合名次"),
    "study.col.labels": ("labels", "所需标注"),
    # cells
    "study.mean_of_levels": ("mean", "均值"),
    "study.settled": ("yes", "是"),
    "study.unsettled": ("no", "否"),
    "study.yes": ("yes", "是"),
    "study.never": ("never", "达不到"),
    "study.none": ("none", "无"),
    "study.seen": ("samples", "抽样"),
    "study.forecast": ("model", "模型"),
    "study.how.random": ("random", "随机"),
    "study.how.contiguous": ("contiguous", "连续"),
    "study.whole": ("all {n}", "全部 {n} 个"),
    "study.parts": ("{n} parts ({sizes})", "{n} 等份（{sizes}）"),
    "study.need.until": ("to the first relevant one", "至首个相关文档"),
    "study.need.first": ("first {depth}", "前 {depth} 个"),
    "study.need.first_and_all": ("first {depth}, and all relevant", "前 {depth} 个及全部相关文档"),
    "study.need.all": ("whole rankings, and all relevant", "整个列表及全部相关文档"),
    "study.need.unknown": ("not known", "未知"),
    # sentences and charts
    "study.reading": (
        "Of {pairs:,} {pairs:pair|pairs} of {runs} systems on {queries} queries, the share that a "
        "paired t-test finds different at each level. A higher curve tells more systems apart.",
        "{runs} 个系统两两配对，共 {pairs:,} 对，{queries} 个查询：配对 t 检验在各显著性水平下"
        "判为有显著差异的比例。曲线越高，能区分的系统越多。",
    ),
    "study.chart.curves": ("Pairs told apart: {name}", "可区分的系统对：{name}"),
    "study.chart.panels": ("Pairs told apart in each collection", "各测试集中可区分的系统对"),
    "study.chart.panels.one": (
        "Pairs told apart in each condition: {name}",
        "各条件下可区分的系统对：{name}",
    ),
    "study.chart.panels.summary": (
        "The share of pairs that a paired t-test finds different at each level; one scale for all.",
        "配对 t 检验在各显著性水平下判为有显著差异的系统对比例；各图纵轴相同。",
    ),
    "study.chart.level": ("level of significance", "显著性水平"),
    "study.chart.share": ("pairs told apart", "可区分的系统对"),
    "study.chart.parts": ("Fewer queries: {measure}, {name}", "查询减少时的 {measure}：{name}"),
    "study.chart.parts.summary": (
        "The queries cut into parts, each part studied alone; the mean over the parts.",
        "将查询分成若干份，逐份进行试验；曲线为各份的平均值。",
    ),
    "study.chart.sizes": (
        "Share against the number of queries: {name}",
        "查询数与可区分比例：{name}",
    ),
    "study.chart.sizes.summary": (
        "At level {level:g}: marks are means over samples of the queries, the broken line is the "
        "model fitted to all of them.",
        "显著性水平 {level:g}：标记为抽取部分查询的平均值，虚线为拟合模型。",
    ),
    "study.chart.queries": ("queries", "查询数"),
    "study.chart.fitted": ("model, extrapolated", "模型，外推"),
    "study.chart.minority": ("Minority rate and ties: {name}", "少数率与平局比例：{name}"),
    "study.chart.minority.summary": (
        "Each mark is a fuzziness from 0 to 10 %, over {sets} sets of {size} queries. A curve "
        "nearer to the origin is that of a more stable measure.",
        "每个标记对应一个 0 至 10 % 的模糊值，取自 {sets} 个含 {size} 个查询的集合。"
        "曲线越靠近原点，指标越稳定。",
    ),
    "study.chart.minority.x": ("minority rate", "少数率"),
    "study.chart.minority.y": ("ties", "平局比例"),
    "study.p_curves": ("p of every pair, sorted: {name}", "各系统对的 p 值（降序）：{name}"),
    "study.chart.asl": (
        "p of every pair by {test}: {name}",
        "各系统对的 p 值，{test}：{name}",
    ),
    "study.chart.asl.summary": (
        "By {test}. A curve nearer to the origin tells more pairs apart.",
        "检验：{test}。曲线越靠近原点，能区分的系统对越多。",
    ),
    "study.chart.pairs": ("pairs, the largest p first", "系统对，p 值从大到小"),
    "study.chart.p": ("p", "p"),
    "study.chart.agreement": ("Agreement of measures: {name}", "指标之间的一致性：{name}"),
    "study.chart.agreement.summary": (
        "Kendall's tau-b between the orders of {runs} systems; 1 is the same order. The tree joins "
        "the most alike first.",
        "{runs} 个系统排序之间的 Kendall τ_b；1 表示顺序完全相同。树先连接最相似的指标。",
    ),
    "study.chart.height": ("1 − tau-b", "1 − τ_b"),
    "study.chart.curve": ("measure", "指标"),
    "study.at_level": ("At level {level:g}", "显著性水平 {level:g}"),
    "study.over_levels": ("Over all levels", "全部显著性水平"),
    "study.order.note": (
        "> where the {confidence:.0%} interval of the difference is above 0, ≥ where it is not, "
        "over {resamples:,} resamples of the queries (seed {seed}).",
        "> 表示差值的 {confidence:.0%} 区间大于 0，≥ 表示不能确定；"
        "对查询自助抽样 {resamples:,} 次（种子 {seed}）。",
    ),
    "study.order.plain": (
        "No resamples were asked for, so that nothing says whether an order is settled.",
        "未作自助抽样，无法判断排序是否确定。",
    ),
    "study.needed.note": (
        "Queries needed to tell that share of the pairs apart, or as many pairs as another measure "
        "does with all {n} queries, at {level:g}, with {confidence:.0%} intervals; * is "
        "extrapolated.",
        "区分相应比例的系统对，或达到另一指标用全部 {n} 个查询的水平所需的查询数，"
        "显著性水平 {level:g}，附 {confidence:.0%} 区间；* 表示外推。",
    ),
    "study.as_measure": ("as {measure}", "达到 {measure}"),
    "study.t_is_power": (
        "The share is discriminative power as Sakai (2006) defines it, with a t-test in place of "
        "the bootstrap and for many levels instead of one.",
        "该比例即 Sakai（2006）的区分能力，以 t 检验代替自助法，并在多个显著性水平下计算。",
    ),
    "study.difficulty.note": (
        "Of the same runs on the same queries; values of different collections cannot be compared.",
        "基于相同的系统和查询；不同测试集的数值不可比较。",
    ),
    "study.errors.note": (
        "By query as Wu, Tan and Shi (2015) word it; otherwise over {sets:,} sets of half of the "
        "queries (Buckley and Voorhees 2000), fuzziness {fuzziness:.0%}, seed {seed}. As one: "
        "{weight:g} × error + {rest:g} × ties.",
        "“逐查询”按吴胜利等（2015）的表述；其余取 {sets:,} 个半数查询的集合（Buckley 与 Voorhees "
        "2000），模糊值 {fuzziness:.0%}，种子 {seed}。"
        "合一：{weight:g} × 误差率 + {rest:g} × 平局率。",
    ),
    "study.power.note": (
        "At {alpha:g}, not corrected for the number of pairs; the two Tukey tests hold the error "
        "of all pairs together. {draws}",
        "显著性水平 {alpha:g}，未按系统对数校正；两种 Tukey 检验控制全体系统对的总错误率。{draws}",
    ),
    "study.swaps.note": (
        "The difference from which on at most 5 % of the comparisons change sign, and how many "
        "reach it: between two sets of {size} queries without a common one ({trials:,} times), "
        "extrapolated to {n}, and between two samples of {n} with replacement. Seed {seed}.",
        "使符号改变不超过 5 % 的差值，以及达到它的比较所占比例："
        "两个各含 {size} 个查询且不相交的集合（{trials:,} 次）、"
        "外推至 {n} 个、有放回抽取 {n} 个。种子 {seed}。",
    ),
    "study.halves.note": (
        "Halves: {trials} splits, t-test at {alpha:g} on the first half, sign on the second. Seed "
        "{seed}.",
        "折半：{trials} 次，前一半用 t 检验（水平 {alpha:g}），后一半看符号。种子 {seed}。",
    ),
    "study.design": ("Queries for a given difference", "给定差值所需查询数"),
    "study.design.note": (
        "For a difference of {asked:g} ({unit}), at {alpha:g} with a chance of {power:.0%} (Sakai "
        "2016), by the variance seen on {topics} queries. The same difference is not as much under "
        "one measure as under another.",
        "差值为 {asked:g}（{unit}），显著性水平 {alpha:g}，检验功效 {power:.0%}（Sakai 2016），"
        "方差取自 {topics} 个查询。同样的差值在不同指标下意义不同。",
    ),
    "study.unit.measure": ("in the unit of the measure", "指标原单位"),
    "study.unit.mean": ("of the mean of all scores", "占全部得分均值的比例"),
    "study.unit.spread": ("of the spread of the systems' means", "占系统均值标准差的倍数"),
    "study.col.difference": ("difference", "差值"),
    "study.col.design_t": ("paired t-test", "配对 t 检验"),
    "study.col.design_interval": ("interval", "区间"),
    "study.col.sd": ("sd of a difference", "差值标准差"),
    "study.test.t": ("t-test", "t 检验"),
    "study.test.bootstrap": ("bootstrap ASL", "自助法 ASL"),
    "study.test.wilcoxon": ("Wilcoxon", "Wilcoxon"),
    "study.test.sign": ("sign", "符号检验"),
    "study.test.randomisation": ("permutation", "置换检验"),
    "study.test.tukey": ("Tukey HSD, blocked", "Tukey HSD（区组）"),
    "study.test.rthsd": ("randomised Tukey HSD", "随机化 Tukey HSD"),
    "study.holes": ("With fewer judgments", "标注减少时"),
    "study.holes.note": (
        "Judgments taken away at random, mean over the draws: tau-b with the order that all "
        "judgments give, and the share of pairs told apart (Buckley and Voorhees 2004).",
        "随机去掉部分标注，取各次平均：与使用全部标注时系统顺序的 τ_b，以及可区分比例"
        "（Buckley 与 Voorhees 2004）。",
    ),
    "study.cutoffs": ("At other cutoffs", "截断位置不同时"),
    "study.cutoffs.note": (
        "The last column is tau-b with the order of systems at the deepest cutoff.",
        "最后一列为与最深截断处系统顺序的 τ_b。",
    ),
    "study.col.left": ("judgments left", "保留的标注"),
    "study.col.cutoff": ("cutoff", "截断位置"),
    "study.col.tau_deepest": ("tau-b with the deepest", "与最深处的 τ_b"),
    "study.left_out": (
        "All systems are equal under {names}: no order.",
        "{names} 下所有系统相同，没有排序。",
    ),
    "study.dropped.queries": (
        "{n} {n:query|queries} without a relevant document: {names}",
        "{n} 个查询没有相关文档：{names}",
    ),
    "study.dropped.runs": (
        "{n} {n:run|runs} with a mean {measure} below {min_ap:g}: {names}",
        "{n} 个系统的 {measure} 均值低于 {min_ap:g}：{names}",
    ),
    "study.zero_queries": (
        "{n} {n:query|queries} on which every run scores 0 under every measure: {names}",
        "{n} 个查询上所有系统在所有指标下均为 0 分：{names}",
    ),
}
