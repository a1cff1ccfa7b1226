"""The sentences of a comparison, English and Chinese side by side."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    # verdicts, one sentence a measure and run
    "verdict.better": ("better", "更好"),
    "verdict.worse": ("worse", "更差"),
    "verdict.equivalent": ("equivalent", "等效"),
    "verdict.undecided": ("cannot tell", "无法判断"),
    "verdict.refused": ("no verdict", "不作结论"),
    "compare.better": (
        "{measure}: {run} is better than {base} by {size}",
        "{measure}：{run} 比 {base} 好 {size}",
    ),
    "compare.worse": (
        "{measure}: {run} is worse than {base} by {size}",
        "{measure}：{run} 比 {base} 差 {size}",
    ),
    "compare.equivalent": (
        "{measure}: {run} and {base} are equivalent (difference {difference})",
        "{measure}：{run} 与 {base} 等效（差值 {difference}）",
    ),
    "compare.undecided": (
        "{measure}: cannot tell {run} from {base} (difference {difference})",
        "{measure}：无法判断 {run} 与 {base} 孰优孰劣（差值 {difference}）",
    ),
    "compare.refused": (
        "{measure}: no verdict on {run} against {base}",
        "{measure}：不对 {run} 与 {base} 的比较作结论",
    ),
    "compare.many": (
        "{measure}, {verdict}, against {base}: {n} ({runs})",
        "{measure}，与 {base} 相比{verdict}：{n} 个（{runs}）",
    ),
    "compare.because": ("{claim}: {reasons}", "{claim}：{reasons}"),
    "compare.and": ("; ", "；"),
    # reasons
    "remark.few": (
        "fewer than two queries ({n}), so that nothing can be tested",
        "查询不足两个（{n}），无法检验",
    ),
    "remark.unanswered": (
        "{run} left {share} of {n} queries unanswered (missing: {missing}, failed: {failed}), "
        "more than the {most} allowed (if they were answered with nothing, which a run file "
        'cannot say, its card can: "empty")',
        "{run} 有 {share} 的查询没有回答（共 {n} 个；缺失 {missing}，失败 {failed}），"
        '超过允许的 {most}（若其实是返回为空，运行文件无法表达，可在运行卡片中用 "empty" 列出）',
    ),
    "remark.other_queries": (
        "the two sides have values for different queries ({base}: {n_base}, {run}: {n_run}, "
        "both: {n_both})",
        "两边有值的查询不同（{base}：{n_base}，{run}：{n_run}，共有：{n_both}）",
    ),
    "remark.no_number": (
        "{run} has values that are no finite number: {n}",
        "{run} 中有 {n} 个值不是有限的数",
    ),
    "remark.moot": (
        "none of these {n} queries has a relevant document, so that both score 0 whatever they "
        "return",
        "这 {n} 个查询都没有相关文档，无论返回什么都是 0 分",
    ),
    "remark.identical": (
        "every query has the same value in both ({n} compared)",
        "每个查询的值都相同（共比较 {n} 个）",
    ),
    "remark.shown": (
        "p {p} is below {alpha}, and the difference is not smaller than {min_effect}",
        "p {p}，小于 {alpha}，且差值不小于 {min_effect}",
    ),
    "remark.shown.any": ("p {p} is below {alpha}", "p {p}，小于 {alpha}"),
    "remark.within": (
        "the difference lies within ±{min_effect} (two one-sided tests: p {p}, below {alpha})",
        "差值在 ±{min_effect} 之内（双单侧检验 p {p}，小于 {alpha}）",
    ),
    "remark.small": (
        "there is one (p {p}), too small to matter",
        "差异确实存在（p {p}），但小到无关紧要",
    ),
    "remark.directions": (
        "the test ({test}) finds a difference (p {p}), but not in the direction of the means: "
        "many queries change a little one way and few a lot the other",
        "检验（{test}）发现差异（p {p}），但方向与均值不一致：多数查询略向一边，"
        "少数查询大幅偏向另一边",
    ),
    "remark.real_but_small": (
        "there is a difference (p {p}), but the one observed is smaller than {min_effect}, and "
        "whether the true one is as large is not known",
        "差异存在（p {p}），但观测值小于 {min_effect}，真实差异是否达到这一大小尚不清楚",
    ),
    "remark.untested": ("no test could be made", "无法进行检验"),
    "remark.corrected": (
        "p {p} by itself, but {p_adjusted} corrected for {hypotheses} hypotheses, not below "
        "{alpha}",
        "单独看 p {p}，但对 {hypotheses} 个假设校正后为 {p_adjusted}，不小于 {alpha}",
    ),
    "remark.not_shown": ("p {p} is not below {alpha}", "p {p}，不小于 {alpha}"),
    "remark.interval_holds_0": (
        "the interval, which is not corrected and rests on other assumptions, holds 0",
        "区间（未经校正，且假设不同）包含 0",
    ),
    "remark.interval_without_0": (
        "the interval, which is not corrected and rests on other assumptions, does not hold 0",
        "区间（未经校正，且假设不同）不包含 0",
    ),
    "remark.interval": (
        "the {level} interval reaches from {low:+.4f} to {high:+.4f}",
        "{level} 区间为 {low:+.4f} 至 {high:+.4f}",
    ),
    "remark.not_within": (
        "that it lies within ±{min_effect} is not shown either",
        "也未能证明它在 ±{min_effect} 之内",
    ),
    "remark.detectable": (
        "{n} queries like these find a difference of {detectable:.4f} with a chance of {power}",
        "{n} 个这样的查询有 {power} 的机会发现 {detectable:.4f} 的差异",
    ),
    "remark.needed": (
        "the observed one would take {needed} queries",
        "要发现观测到的差异需要 {needed} 个查询",
    ),
    # cautions
    "remark.same_results": (
        "{run} returns the same documents with the same scores as {base}: perhaps one run under "
        "two names",
        "{run} 与 {base} 返回的文档和得分完全相同，可能是同一次运行的两个名字",
    ),
    "remark.judged_low": (
        "{run}: judged@{k} is {judged:.4f}, below {limit}: most of what it returns was never "
        "judged and counts as not relevant, so that the pool speaks and not the system",
        "{run}：judged@{k} 为 {judged:.4f}，低于 {limit}：返回的结果多数没有标注，按不相关计，"
        "反映的是标注池而不是系统",
    ),
    "remark.judged_apart": (
        "judged@{k} is {judged_base:.4f} for {base} and {judged:.4f} for {run}: the difference "
        "may be one of the pool and not of the systems",
        "judged@{k}：{base} 为 {judged_base:.4f}，{run} 为 {judged:.4f}：差异可能来自标注池，"
        "而不是系统",
    ),
    "remark.undecidable": (
        "undecidable by the labels ({measures}): if the {n} {n:document|documents} of {run} and "
        "{base} that nobody judged turned out one way or the other, {measure} would differ by "
        "{low:+.4f} to {high:+.4f}; cranfield check lists them",
        "现有标注无法判定（{measures}）：{run} 与 {base} 有 {n} 篇未标注文档，视其相关与否，"
        "{measure} 的差值可能为 {low:+.4f} 到 {high:+.4f}；cranfield check 列出这些文档",
    ),
    "remark.decided": (
        "decided by the labels ({measures}): whatever the {n} {n:document|documents} of {run} and "
        "{base} that nobody judged turn out to be, {measure} differs by {low:+.4f} to {high:+.4f}",
        "现有标注足以判定正负（{measures}）：{run} 与 {base} 有 {n} 篇未标注文档，无论其相关与否，"
        "{measure} 的差值都在 {low:+.4f} 到 {high:+.4f} 之间",
    ),
    "remark.unbounded": (
        "what unjudged documents can do to a difference was not looked at for {measures}, which "
        "read too deep for that or have no known bounds",
        "没有考察未标注文档对 {measures} 差值的影响：这些指标读取得太深，或没有已知的界",
    ),
    "remark.missing_zero": (
        "{run}: queries not answered, which count as 0: {n} ({queries})",
        "{run}：没有回答的查询（按 0 计）：{n} 个（{queries}）",
    ),
    "remark.missing_skip": (
        "{run}: queries not answered, which are left out: {n} ({queries})",
        "{run}：没有回答的查询（不计入）：{n} 个（{queries}）",
    ),
    "remark.failed": (
        "{run}: queries that failed, by its card: {n} ({queries})",
        "{run}：运行卡片中记录为失败的查询：{n} 个（{queries}）",
    ),
    "remark.empty": (
        "{run}: queries answered with an empty list: {n} ({queries})",
        "{run}：返回为空的查询：{n} 个（{queries}）",
    ),
    "remark.unlabelled": (
        "{run}: queries without judgments, not scored: {n} ({queries})",
        "{run}：没有标注、不计分的查询：{n} 个（{queries}）",
    ),
    "remark.no_relevant": (
        "queries without a relevant document: {n} of {all}; most measures give them 0 whatever a "
        "system does",
        "没有相关文档的查询：{n}/{all}；无论系统怎样，多数指标对它们都给 0",
    ),
    "remark.tied": (
        "{run}: {share} of the top {k} share their score with another document, so that their "
        "order is the rule {ties} and not the system's",
        "{run}：前 {k} 个结果中有 {share} 与其他文档同分，其次序由规则 {ties} 决定，而非系统",
    ),
    "remark.several_changes": (
        "{run} differs from the base in {n} settings ({keys}): which of them made the difference "
        "cannot be told; change one at a time",
        "{run} 与基线有 {n} 项设置不同（{keys}）：无法分辨是哪一项造成差异；一次只改一项",
    ),
    "remark.fewer_queries": (
        "{measure} is defined for both sides on {n} of {all} queries ({run})",
        "{measure} 只在 {all} 个查询中的 {n} 个上对两边都有定义（{run}）",
    ),
    "remark.few_queries": (
        "{n} queries find only a d_z of {effect:.2f} or more with the chosen chance",
        "{n} 个查询只能发现 d_z ≥ {effect:.2f} 的差异",
    ),
    "remark.small_slice": (
        "slices of {n} queries find only a d_z of {effect:.2f} or more: they are places to look, "
        "not verdicts ({slices})",
        "仅有 {n} 个查询的切片只能发现 d_z ≥ {effect:.2f} 的差异：用来查找原因，不能用来下结论"
        "（{slices}）",
    ),
    "remark.no_test": (
        "slices of {n} queries cannot be tested ({slices})",
        "只有 {n} 个查询的切片无法检验（{slices}）",
    ),
    "remark.scale_count": (
        "counts are compared as counts a query, not as sums: {measures}",
        "计数类指标按每个查询的计数比较，而不是总和：{measures}",
    ),
    "remark.scale_log": (
        "geometric means are compared on the scale of natural logarithms, where a difference of "
        "0.1 is a ratio of 1.105: {measures}",
        "几何平均在自然对数尺度上比较，差 0.1 相当于比值 1.105：{measures}",
    ),
    "remark.no_label": (
        "queries without a {field}, in no slice: {n} ({queries})",
        "没有 {field} 字段、不属于任何切片的查询：{n} 个（{queries}）",
    ),
    "remark.hypotheses": (
        "{n} hypotheses (measures, runs and slices) are tested together; p is corrected "
        "({correction})",
        "同时检验 {n} 个假设（指标、运行和切片），p 值已校正（{correction}）",
    ),
    "remark.uncorrected": (
        "{n} hypotheses are tested together without a correction: at a level of {alpha}, about "
        "{wrong} of them would come out by chance alone",
        "同时检验 {n} 个假设而未校正：在 {alpha} 水平上，仅凭偶然就约有 {wrong} 个显著",
    ),
    "remark.not_paired": (
        "{measure}: left out of the comparison of all pairs, because no verdict may be given on "
        "them: {n} ({runs})",
        "{measure}：因不能作结论而未参与两两比较：{n} 个（{runs}）",
    ),
    "remark.card": ("{run}: {notes}", "{run}：{notes}"),
    # the page
    "compare.title": ("Comparison with {base}", "与 {base} 的比较"),
    "compare.figures": ("Figures", "数值"),
    "compare.slices": ("By {field}", "按{field}"),
    "compare.cautions": ("To be careful about", "需要注意"),
    "compare.alike": (
        "… and {n} more like this ({kind}); --format json has all",
        "……另有 {n} 条同类提示（{kind}），全部见 --format json",
    ),
    "compare.pairs": ("All pairs: {measure}", "两两比较：{measure}"),
    "compare.groups": (
        "Systems that share a number cannot be told apart ({method}, {n} queries).",
        "编号相同的系统无法区分（{method}，{n} 个查询）。",
    ),
    "compare.matrix": ("p, adjusted for all pairs", "p 值（已对所有配对校正）"),
    "compare.left_out": (
        "Changes are shown for {shown} runs; those of {n} more are in --format json.",
        "此处只列出 {shown} 个运行的变化；其余 {n} 个见 --format json。",
    ),
    "compare.changes": (
        "Where {run} loses and gains most ({measure})",
        "{run} 损失和提升最大的查询（{measure}）",
    ),
    "compare.no_change": (
        "No query of {run} changes under {measure}.",
        "{run} 在 {measure} 下没有查询发生变化。",
    ),
    "compare.change": (
        "{query}: {text} ({base_value:.4f} → {value:.4f})",
        "{query}：{text}（{base_value:.4f} → {value:.4f}）",
    ),
    "compare.changed": ("Settings that differ ({run})", "不同的设置（{run}）"),
    "compare.how": ("How this was decided", "判断依据"),
    "compare.choices": (
        "test {test}, interval {interval}, correction {correction} over {hypotheses}; alpha "
        "{alpha}, power {power}, smallest difference that matters {min_effect}, ties up to {tie}, "
        "unanswered at most {max_missing}; {resamples} resamples, seed {seed}",
        "检验 {test}，区间 {interval}，校正 {correction}（{hypotheses} 个假设）；alpha {alpha}，"
        "功效 {power}，最小有意义差异 {min_effect}，平局界限 {tie}，未回答比例上限 {max_missing}；"
        "重抽样 {resamples} 次，种子 {seed}",
    ),
    "column.measure": ("measure", "指标"),
    "column.run": ("run", "运行"),
    "column.slice": ("queries of", "查询"),
    "column.base_mean": ("base", "基线"),
    "column.mean": ("mean", "均值"),
    "column.difference": ("difference", "差值"),
    "column.interval": ("{level} interval", "{level} 区间"),
    "column.p": ("p", "p"),
    "column.p_adjusted": ("p corrected", "校正后 p"),
    "column.wins": ("+/=/−", "升/平/降"),
    "column.detectable": ("detectable", "可检出"),
    "column.needed": ("needed", "所需查询"),
    "column.verdict": ("verdict", "结论"),
    "column.groups": ("groups", "组"),
    "column.setting": ("setting", "设置"),
    "column.of": ("{run}", "{run}"),
}
