"""The method of a comparison in plain words, English and Chinese side by side."""

from __future__ import annotations

METHOD_TEXT: dict[str, tuple[str, str]] = {
    "method.sample": (
        "The {n} queries stand for all queries of their kind. Every query is scored in {base} and "
        "in each run, and what is tested is the difference of its two scores, so that hard and "
        "easy queries do not blur the comparison.",
        "这 {n} 个查询代表所有同类查询。每个查询在 {base} 和各个运行中分别计分，"
        "检验的是同一查询两次得分之差，因此查询本身的难易不会干扰比较。",
    ),
    "method.test.randomisation": (
        "p: how often a difference at least as large would turn up if base and run were "
        "exchangeable query by query (randomisation test, two-sided; all exchanges where they can "
        "be counted out, else {resamples} drawn with seed {seed}).",
        "p 值：假如基线与运行在每个查询上可以互换，出现至少这么大差值的频率"
        "（随机化检验，双侧；可穷举时穷举，否则以种子 {seed} 抽取 {resamples} 次）。",
    ),
    "method.test.t": (
        "p: of the paired t test, two-sided, which takes the differences for roughly normal.",
        "p 值：配对 t 检验（双侧），假定差值近似正态分布。",
    ),
    "method.test.wilcoxon": (
        "p: of Wilcoxon's signed-rank test, two-sided, which looks at the order of the "
        "differences and not at their size.",
        "p 值：Wilcoxon 符号秩检验（双侧），只看差值的次序，不看大小。",
    ),
    "method.test.sign": (
        "p: of the sign test, two-sided, which counts better and worse queries and leaves ties "
        "out.",
        "p 值：符号检验（双侧），只数变好和变差的查询，不计持平的查询。",
    ),
    "method.test.bootstrap": (
        "p: how often a difference at least as large turns up among {resamples} samples of the "
        "queries drawn with replacement (seed {seed}), moved so that their mean is zero.",
        "p 值：将差值平移到均值为零后，有放回地抽取 {resamples} 个查询样本（种子 {seed}），"
        "出现至少这么大差值的频率。",
    ),
    "method.interval.t": (
        "The {level} interval is that of Student's t: made in this way from many samples of "
        "queries, {level} of the intervals would hold the true difference.",
        "{level} 区间为 t 区间：对许多查询样本都这样构造，其中 {level} 的区间会包含真实差值。",
    ),
    "method.interval.bootstrap": (
        "The {level} interval is a bootstrap interval ({name}; {resamples} samples of the queries "
        "drawn with replacement, seed {seed}): made in this way from many samples of queries, "
        "about {level} of the intervals would hold the true difference.",
        "{level} 区间为自助法区间（{name}；有放回抽取 {resamples} 次，种子 {seed}）："
        "对许多查询样本都这样构造，其中约 {level} 的区间会包含真实差值。",
    ),
    "method.correction.family": (
        "{n} hypotheses (each measure, run and slice) were tested together. Their p values are "
        "corrected ({name}) so that the chance of even one false claim stays below {alpha}. "
        "Intervals are not corrected.",
        "共同检验了 {n} 个假设（每个指标、运行和切片各一个）。p 值经过校正（{name}），"
        "使出现哪怕一个错误结论的概率低于 {alpha}。区间未作校正。",
    ),
    "method.correction.rate": (
        "{n} hypotheses (each measure, run and slice) were tested together. Their p values are "
        "corrected ({name}) so that of the differences claimed a share of {alpha} at most is "
        "expected to be false. Intervals are not corrected.",
        "共同检验了 {n} 个假设（每个指标、运行和切片各一个）。p 值经过校正（{name}），"
        "使所声称的差异中错误的期望比例不超过 {alpha}。区间未作校正。",
    ),
    "method.correction.none": (
        "{n} hypotheses were tested and their p values are not corrected: where nothing differs, "
        "about {expected:.1f} of them are below {alpha} by chance.",
        "检验了 {n} 个假设，p 值未校正：即使毫无差异，也约有 {expected:.1f} 个会偶然低于 {alpha}。",
    ),
    "method.correction.single": (
        "One hypothesis was tested; there is nothing to correct.",
        "只检验了一个假设，无需校正。",
    ),
    "method.effect": (
        "A difference of less than {effect:g} was declared not to matter; that one is too small "
        "to matter is shown by two one-sided tests.",
        "预先声明小于 {effect:g} 的差异可以忽略；“差异小到可以忽略”由两个单侧检验证明。",
    ),
    "method.effect.none": (
        "No smallest difference that matters was declared (--min-effect), so that any difference "
        "shown counts, however small.",
        "没有声明值得关注的最小差异（--min-effect），因此任何被证实的差异都算数，无论多小。",
    ),
    "method.undecided": (
        "“Cannot tell” does not mean that the runs are equal: these queries allow neither claim. "
        "“Detectable” is the difference that so many queries find with a chance of {power}, "
        "“needed” the number of queries that would find the difference seen.",
        "“无法判断”不等于两者相同：这些查询不足以支持任何一种说法。“可检出”是这么多查询能以"
        " {power} 的概率发现的差值，“所需查询”是发现所见差值需要的查询数。",
    ),
    "method.pairs": (
        "All pairs are corrected for one another (randomised Tukey HSD, Carterette 2012).",
        "两两比较的 p 值相互校正（随机化 Tukey HSD，Carterette 2012）。",
    ),
    # appendix
    "appendix.measures": ("Measures", "指标定义"),
    "appendix.measure": ("measure", "指标"),
    "appendix.full": ("with every choice", "完整写法"),
    "appendix.title": ("what it is", "含义"),
    "appendix.formula": ("formula", "公式"),
    "appendix.source": ("source", "来源"),
    "appendix.choices": ("Choices and seeds", "选项与随机种子"),
    "appendix.settings": ("Conventions of evaluation", "评测约定"),
    "appendix.versions": ("Versions", "软件版本"),
    "appendix.sources": ("Files", "文件"),
    "appendix.role": ("role", "用途"),
    "appendix.name": ("name", "名称"),
    "appendix.bytes": ("bytes", "字节数"),
    "appendix.cards": ("Run cards", "运行说明卡"),
    "appendix.key": ("setting", "设置"),
    "appendix.differs": (
        "Settings that differ from the base are marked with ≠.",
        "与基线不同的设置以 ≠ 标出。",
    ),
    "appendix.queries": ("Every query: {measure}", "逐查询得分：{measure}"),
    "appendix.queries.first": (
        "The base and the first {shown} of {n} runs.",
        "基线和前 {shown} 个运行（共 {n} 个）。",
    ),
}
