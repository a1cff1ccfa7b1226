"""Sentences of labels that come into the store, go out of it, or are pooled."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "exchange.file": (
        "{file}: {n} {n:judgment|judgments} of {queries} {queries:query|queries} ({form})",
        "{file}：{queries} 个查询的 {n} 条标注（{form}）",
    ),
    "exchange.file.preferences": (
        "{file}: {n} {n:preference|preferences} of {queries} {queries:query|queries} ({form})",
        "{file}：{queries} 个查询的 {n} 条偏好（{form}）",
    ),
    "exchange.added": (
        "{n} {n:row|rows} added to {store}, which has {total} now",
        "已向 {store} 添加 {n} 行，现共 {total} 行",
    ),
    "exchange.there": (
        "{n} {n:row is|rows are} in the store already, and not added again",
        "{n} 行已在库中，未重复添加",
    ),
    "exchange.changed": (
        "{n} earlier {n:judgment|judgments} changed: another grade of the same judge counts now",
        "{n} 条较早的标注已被更改：同一标注者的另一等级现在有效",
    ),
    "exchange.table.judgments": ("judgments", "标注"),
    "exchange.table.preferences": ("preferences", "偏好"),
    "exchange.table.askings": ("askings of models", "模型提问记录"),
    "exchange.table.parts": ("draws of the parts", "分组记录"),
    "exchange.table.looks": ("looks at the part to report on", "报告部分的查看记录"),
    "exchange.copied": (
        "{source} copied to {target}: {some}",
        "已将 {source} 复制到 {target}：{some}",
    ),
    "exchange.not_logged": (
        "not in such a file: {some}; `cranfield judge copy` moves a whole store",
        "此类文件不含：{some}；用 `cranfield judge copy` 可整体搬迁",
    ),
    "exchange.written": (
        "{file}: {n} {n:row|rows} of {queries} {queries:query|queries}, by {policy}",
        "{file}：{queries} 个查询，{n} 行，策略 {policy}",
    ),
    "exchange.conflicts": (
        "{n} {n:pair|pairs} in conflict, settled by {combine}",
        "{n} 对标注不一致，按 {combine} 处理",
    ),
    "exchange.tied": (
        "{n} of them tied, settled by the {rule} grade",
        "其中 {n} 对票数相同，取{rule}的等级",
    ),
    "exchange.rule.lower": ("lower", "较低"),
    "exchange.rule.higher": ("higher", "较高"),
    "exchange.rule.latest": ("latest", "最后给出"),
    "exchange.dropped": ("{n} of them tied, dropped", "其中 {n} 对票数相同，已舍去"),
    "exchange.without": (
        "left out: {n} {n:pair|pairs} without a grade that counts{listed}",
        "未写入：{n} 对没有有效等级{listed}",
    ),
    "exchange.listed": (" ({some})", "（{some}）"),
    "exchange.one": ("{n} {what}", "{what} {n}"),
    "exchange.and": (", ", "，"),
    "exchange.tiers": (
        "judgments that the policy does not look at: {some}",
        "该策略不考虑的标注：{some}",
    ),
    "exchange.experts": ("of experts", "专家"),
    "exchange.by_tier": ("pairs decided by each tier: {some}", "各层决定的对数：{some}"),
    "exchange.by": ("{by} ({n} {n:pair|pairs})", "{by}（{n} 对）"),
    "exchange.prompts": (
        "{name} has labels by several prompts or rubrics, the newest counts: {listed}; {passed} "
        "earlier ones passed over (--prompt or --rubric takes others)",
        "{name} 有多个提示词或标注标准的标注，以最新的为准：{listed}；略过较早的 {passed} 条"
        "（可用 --prompt 或 --rubric 另选）",
    ),
    "exchange.prompts.together": (
        "warning: labels of {name} by several prompts or rubrics are put together: {listed}; "
        "{passed} earlier ones passed over (--prompt or --rubric keeps them apart)",
        "警告：{name} 的多个提示词或标注标准的标注被放在一起：{listed}；略过较早的 {passed} 条"
        "（可用 --prompt 或 --rubric 分开）",
    ),
    "exchange.rubrics": (
        "warning: labels by several rubrics, whose scales may differ, are put together: {some}; "
        "{n} {n:pair has|pairs have} labels by two or more (--rubric keeps them apart)",
        "警告：不同标注标准的标注被放在一起，等级含义可能不同：{some}；{n} 对同时有两种以上标准的"
        "标注（可用 --rubric 分开）",
    ),
    "exchange.pairs": ("{n} {n:pair|pairs}: {some}", "{n} 组文档：{some}"),
    "exchange.outcome.preferred": ("preferred", "有偏好"),
    "exchange.outcome.tie": ("tie", "平局"),
    "exchange.outcome.inconsistent": ("inconsistent", "前后不一"),
    "exchange.outcome.failed": ("failed", "失败"),
    "exchange.outcome.undecided": ("undecided", "未判定"),
    "exchange.outcome.one-sided": ("one-sided", "只问一序"),
    "exchange.alone": (
        "of one judge alone: `evaluate` reads such a file with --qrels-format prefs",
        "只有一名标注者：`evaluate` 读取这样的文件时须加 --qrels-format prefs",
    ),
    "exchange.circles": (
        "in {n} {n:query|queries} preferences run in a circle; there each pair stands alone",
        "{n} 个查询中的偏好构成循环；其中每组单独成立",
    ),
    "exchange.pool": (
        "{n} {n:document|documents} to label in {queries} {queries:query|queries} ({strata}), "
        "seed {seed}",
        "{queries} 个查询中待标注文档 {n} 篇（{strata}），随机种子 {seed}",
    ),
    "exchange.stratum": ("{some} of {all} to depth {depth}", "深度 {depth} 以内 {all} 篇取 {some}"),
    "exchange.filled": (
        "{n} of {of} {of:document|documents} to label have a grade",
        "待标注的 {of} 篇文档中 {n} 篇已有等级",
    ),
    "exchange.unused": (
        "{n} {n:label|labels} of documents that are not sampled left out",
        "未使用 {n} 条标注：对应文档未被抽中",
    ),
}
