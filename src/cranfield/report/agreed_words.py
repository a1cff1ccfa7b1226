"""Sentences about the agreement of judges, English and Chinese."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "agree.title": ("Agreement of {b} with {a}", "{b} 与 {a} 的一致性"),
    "agree.raters": ("Agreement among the judges of {name}", "{name} 中各标注者之间的一致性"),
    "agree.pairs": ("graded by both", "双方都定级"),
    "agree.pairs.value": (
        "{n} pairs of {queries} {queries:query|queries}",
        "{queries} 个查询的 {n} 个标注对",
    ),
    "agree.only": ("graded by {name} alone", "仅 {name} 定级"),
    "agree.part": ("queries", "查询部分"),
    "agree.part.tune": ("those to tune on", "调参部分"),
    "agree.part.report": ("those to report on", "报告部分"),
    "agree.judges": ("judges", "标注者"),
    "agree.units": ("graded by two or more", "由两人以上定级"),
    "agree.units.value": ("{n} of {all} pairs", "{all} 个标注对中的 {n} 个"),
    "agree.disputed": ("of these with different grades", "其中等级不一致"),
    "agree.cautions": ("Read with care", "解读时请注意"),
    "agree.coefficients": ("Coefficients", "一致性系数"),
    "agree.undefined": (
        "Not defined: {named}; all grades are the same, so that there is no chance agreement to "
        "correct for.",
        "无定义：{named}；所有等级都相同，无从校正偶然一致。",
    ),
    "agree.matrix": ("How {b} grades what {a} grades", "{a} 的各等级在 {b} 中如何定级"),
    "agree.relevant": (
        "As relevant or not, from grade {rel} on",
        "按相关与否（等级 {rel} 及以上为相关）",
    ),
    "agree.relevant.agreement": ("same label", "标签相同"),
    "agree.relevant.precision": ("precision", "精确率"),
    "agree.relevant.recall": ("recall", "召回率"),
    "agree.relevant.f1": ("F1", "F1"),
    "agree.relevant.overlap": ("overlap", "重叠率"),
    "agree.relevant.kappa": ("Cohen's κ", "Cohen κ"),
    "agree.wilson": (
        "{interval} (Wilson, pairs taken for independent)",
        "{interval}（Wilson 区间，视各对相互独立）",
    ),
    "agree.grades": ("Bias by grade", "各等级的偏差"),
    "agree.slices": ("By query type", "按查询类型"),
    "agree.each_two": ("Every two judges", "两两比较"),
    "agree.method": ("Method", "方法"),
    "agree.method.labels": (
        "Pooled coefficients are over all pairs together, those by query the mean over the "
        "queries where κ is defined. Intervals ({level}): percentile bootstrap that draws whole "
        "queries, {resamples} resamples, seed {seed}.",
        "合并系数基于全部标注对；按查询的系数是 κ 有定义的各查询的均值。区间（{level}）："
        "以整个查询为单位重抽样的百分位自助法，重抽样 {resamples} 次，种子 {seed}。",
    ),
    "agree.method.systems": (
        "Systems are scored by {pairs}; differences are tested by {test}, corrected by "
        "{correction}, at {alpha}.",
        "系统按{pairs}打分；差异检验方法 {test}，多重校正 {correction}，水平 {alpha}。",
    ),
    "agree.pairs.common": ("the pairs that both grade", "双方都定级的标注对"),
    "agree.pairs.own": ("all pairs of each set", "各自的全部标注"),
    "agree.order": (
        "Order of {m} {m:system|systems} by {measure}",
        "按 {measure} 的 {m} 个系统的排序",
    ),
    "agree.tau_b": ("Kendall's τ_b", "Kendall τ_b"),
    "agree.tau_ap_b": ("τ_AP,b", "τ_AP,b"),
    "agree.same_best": ("{run} is the best by both.", "双方都认为 {run} 最好。"),
    "agree.other_best": (
        "The best is {one} by {a}, {two} by {b}.",
        "{a} 认为最好的是 {one}，{b} 认为是 {two}。",
    ),
    "agree.moved": (
        "{run} moves furthest: rank {before} by {a}, {after} by {b}.",
        "变动最大的是 {run}：在 {a} 中第 {before} 名，在 {b} 中第 {after} 名。",
    ),
    "agree.differences": (
        "Of {pairs} {pairs:pair|pairs} of systems, {sure} {sure:differs|differ} significantly by "
        "{a}: {kept} kept by {b}, {lost} lost ({opposite} of them with the other sign), "
        "{reversed} reversed. {gained} are significant by {b} alone.",
        "{pairs} 对系统中，按 {a} 有显著差异的 {sure} 对：{b} 保持 {kept} 对，"
        "丢失 {lost} 对（其中 {opposite} 对方向相反），反转 {reversed} 对；"
        "仅按 {b} 显著的 {gained} 对。",
    ),
    "agree.reversed": ("Reversed: {listed}.", "反转：{listed}。"),
    "agree.systems": ("All systems", "全部系统"),
    "agree.runs": ("Grades of the first {k} results of each run", "各运行前 {k} 个结果的等级"),
    "agree.own": (
        "Families of systems under {measure}: does the judge favour its own?",
        "{measure} 下各系统家族：评判者是否偏向自家？",
    ),
    "agree.excess": (
        "The judge's own family {family} gains {excess}{interval} more by its labels than the "
        "others.",
        "评判者自家家族 {family} 因其标注比其他家族多得 {excess}{interval}。",
    ),
    "agree.over.pairs": ("{n} {n:pair|pairs}", "{n} 对"),
    "agree.over.values": ("{n} {n:value|values}", "{n} 个等级"),
    "agree.over.queries": ("{n} {n:query|queries}", "{n} 个查询"),
    "agree.column.coefficient": ("coefficient", "系数"),
    "agree.column.value": ("value", "值"),
    "agree.column.low": ("{level} from", "{level} 下限"),
    "agree.column.high": ("to", "上限"),
    "agree.column.over": ("over", "基于"),
    "agree.column.total": ("total", "合计"),
    "agree.column.grade": ("grade by {a}", "{a} 的等级"),
    "agree.column.pairs": ("pairs", "标注对"),
    "agree.column.same": ("same", "相同"),
    "agree.column.mean": ("mean by {b}", "{b} 的均值"),
    "agree.column.bias": ("bias", "偏差"),
    "agree.column.field": ("field", "字段"),
    "agree.column.label": ("label", "类别"),
    "agree.column.queries": ("queries", "查询数"),
    "agree.column.percent": ("percent", "一致比例"),
    "agree.column.kappa": ("κ", "κ"),
    "agree.column.quadratic": ("κ quadratic", "二次加权κ"),
    "agree.column.judge": ("judge", "标注者"),
    "agree.column.other": ("other", "另一标注者"),
    "agree.column.shared": ("shared", "共同标注"),
    "agree.column.of_systems": ("systems", "系统数"),
    "agree.column.run": ("run", "运行"),
    "agree.column.rank_a": ("rank by {a}", "{a} 名次"),
    "agree.column.rank_b": ("by {b}", "{b} 名次"),
    "agree.column.mean_a": ("mean by {a}", "{a} 均值"),
    "agree.column.mean_b": ("by {b}", "{b} 均值"),
    "agree.column.shift": ("shift", "变化"),
    "agree.column.graded": ("graded", "有等级"),
    "agree.column.returned": ("returned", "返回"),
    "agree.column.family": ("family", "家族"),
    "agree.column.runs": ("runs", "运行数"),
    "agree.name.percent": ("same grade (share)", "等级相同的比例"),
    "agree.name.kappa": ("Cohen's κ, pooled", "Cohen κ（合并）"),
    "agree.name.kappa linear": ("Cohen's κ linear, pooled", "Cohen κ 线性加权（合并）"),
    "agree.name.kappa quadratic": ("Cohen's κ quadratic, pooled", "Cohen κ 二次加权（合并）"),
    "agree.name.AC1": ("Gwet's AC1", "Gwet AC1"),
    "agree.name.AC2 quadratic": ("Gwet's AC2 quadratic", "Gwet AC2 二次加权"),
    "agree.name.alpha nominal": ("Krippendorff's α nominal", "Krippendorff α（名义）"),
    "agree.name.alpha ordinal": ("Krippendorff's α ordinal", "Krippendorff α（有序）"),
    "agree.name.alpha interval": ("Krippendorff's α interval", "Krippendorff α（等距）"),
    "agree.name.kappa by query": ("Cohen's κ, mean by query", "Cohen κ（按查询平均）"),
    "agree.name.kappa quadratic by query": (
        "Cohen's κ quadratic, mean by query",
        "Cohen κ 二次加权（按查询平均）",
    ),
    "agree.name.bias": ("bias: mean grade less mean grade", "偏差：平均等级之差"),
    "agree.few_queries": (
        "{n} {n:query|queries} only: intervals that draw queries are too narrow",
        "只有 {n} 个查询：以查询为单位的区间偏窄",
    ),
    "agree.prevalence": (
        "one grade is so frequent that κ is {kappa} where AC1 is {ac1}: look at the marginals",
        "某一等级过于集中，κ 为 {kappa} 而 AC1 为 {ac1}：请看边际分布",
    ),
    "agree.strange_grades": (
        "{n} {n:pair has|pairs have} a grade that {a} never gives ({grades}), and which widens "
        "the scale; --scale names the grades there are",
        "{n} 对的等级（{grades}）在 {a} 中从未出现，并扩大了等级范围；可用 --scale 指定等级",
    ),
    "agree.off_scale": (
        "{n} {n:pair is|pairs are} left out for a grade that is not on the scale",
        "{n} 对因等级不在范围内而被排除",
    ),
    "agree.same_family": (
        "the judge is of the family {family}, and so are the runs {runs}: it judges its own work",
        "评判者与运行 {runs} 同属家族 {family}：它在评判自己的结果",
    ),
    "agree.kin": (
        "the judge ({judges}) is of the family {family}, and by their cards so are the runs "
        "{runs}: it judges its own work",
        "评判者（{judges}）属于家族 {family}，而从说明卡看，运行 {runs} 也是：它在评判自己的结果",
    ),
    "agree.one_run": (
        "one run has no order; name two or more",
        "只有一个运行，谈不上排序；请给出两个以上",
    ),
    "agree.tuned": (
        "these queries are for tuning: report agreement on the others (--part report)",
        "这些查询用于调参：请在其余查询上报告一致性（--part report）",
    ),
    "agree.both_parts": (
        "the queries to report on are among these: this was a look at them",
        "其中包含用于报告的查询：本次计为一次查看",
    ),
    "agree.looks": (
        "the queries to report on have been looked at {count} {count:time|times}, with {labels} "
        "{labels:pair|pairs} of label sets",
        "用于报告的查询已被查看 {count} 次，涉及 {labels} 种标注组合",
    ),
    "agree.tuning": (
        "so many looks with changing labels are tuning: draw conclusions on new queries",
        "多次用不同标注查看等于在其上调参：结论应基于新的查询",
    ),
}
