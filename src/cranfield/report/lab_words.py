"""The sentences of a lab, English and Chinese side by side."""

from __future__ import annotations

LAB_TEXT: dict[str, tuple[str, str]] = {
    "remark.lab.recorded": ("recorded as @{id}", "已记录为 @{id}"),
    "remark.lab.not_recorded": ("not recorded: {why}", "未记录：{why}"),
    "remark.lab.look_not_counted": (
        "not recorded, and this look at the test queries is not counted: {why}",
        "未记录，这次对测试查询的查看也没有计数：{why}",
    ),
    "remark.lab.looks": (
        "the test queries: looked at {count} {count:time|times} ({runs} {runs:run|runs})",
        "测试查询：已查看 {count} 次（{runs} 个运行）",
    ),
    "remark.lab.tuning": (
        "this looks like tuning on the test queries: {count} looks at {runs} runs and "
        "{configurations} configurations; what is chosen by them is no test any more. Choose on "
        "the dev queries and freeze new test queries",
        "这像是在测试查询上调参：共查看 {count} 次，{runs} 个运行，{configurations} 种配置；"
        "用它们做过选择，就不再是测试。请用开发查询做选择，并冻结新的测试查询",
    ),
    "remark.lab.split_broken": ("the split does not hold: {why}", "划分已失效：{why}"),
    "remark.lab.unjudged_part": (
        "{n} of the {of} {part} queries have no judgments and are not scored: {some}",
        "{part} 部分的 {of} 个查询中有 {n} 个没有标注，不计分：{some}",
    ),
    "remark.lab.outside_split": (
        "{n} judged {n:query is|queries are} on neither side of the split ({some}): "
        "cranfield split --extend",
        "{n} 个有标注的查询不在划分的任何一侧（{some}）：cranfield split --extend",
    ),
    "remark.lab.card": ("{note}", "{note}"),
    "remark.lab.list_gone": (
        "the result lists are not shown: the file of {run} (@{id}) is not there any more; its "
        "recorded scores are compared",
        "不显示结果列表：{run}（@{id}）的文件已不存在；比较的是已记录的分数",
    ),
    "remark.lab.list_changed": (
        "the result lists are not shown: {run} has changed since it was recorded as @{id}; its "
        "recorded scores are compared",
        "不显示结果列表：{run} 在记录为 @{id} 之后已改变；比较的是已记录的分数",
    ),
    "remark.lab.list_qrels": (
        "the result lists are not shown: {qrels} has changed since, or is not there any more; "
        "the recorded scores are compared",
        "不显示结果列表：{qrels} 之后已改变或不存在；比较的是已记录的分数",
    ),
    "lab.log.run": ("run", "运行"),
    "lab.log.time": ("time (UTC)", "时间（UTC）"),
    "lab.log.split": ("queries", "查询"),
    "lab.log.difference": ("change", "变化"),
    "lab.log.against": ("against", "对比"),
    "lab.log.latency": ("median ms", "延迟中位数（毫秒）"),
    "lab.log.p95": ("p95 ms", "延迟 p95（毫秒）"),
    "lab.log.cost": ("cost", "成本"),
    "lab.log.changed": ("changed since", "自上次以来的变化"),
    "lab.log.note": ("note", "备注"),
    "lab.log.same": ("the same run", "同一运行"),
    "lab.log.nothing": ("nothing in the configuration", "配置未变"),
    "lab.log.unknown": ("not known (no configuration)", "未知（没有配置）"),
    "lab.log.qrels": (
        "QRELS CHANGED since @{id}: not comparable",
        "标注自 @{id} 起已改变：不可比",
    ),
    "lab.log.all": ("all", "全部"),
    "lab.log.empty": (
        "nothing has been recorded yet: cranfield evaluate RUN",
        "还没有记录：cranfield evaluate RUN",
    ),
    "lab.log.without": (
        "{n} {n:evaluation does|evaluations do} not have {measure}",
        "{n} 次评测没有 {measure}",
    ),
    "lab.log.qrels_note": (
        "the qrels changed between evaluations; a change is only given between evaluations by the "
        "same qrels, split and settings",
        "各次评测之间标注有改变；只在标注、划分和设置都相同的评测之间给出变化",
    ),
    "lab.log.title": ("{measure} over time", "{measure} 的历史"),
    "lab.log.summary": ("{n} values, {first} to {last}", "{n} 个数值，{first} 至 {last}"),
    "lab.log.step": ("evaluation", "评测"),
    "lab.log.at_least": ("at least", "至少"),
    "lab.log.at_most": ("at most", "至多"),
    "lab.log.ranges": (
        "at least, at most: between these a score lies, whatever the unjudged documents turn out "
        "to be; empty where that was not kept or is not known",
        "至少、至多：无论未标注的文档实际如何，得分都在其间；空白表示当时未保存或未知",
    ),
    "lab.show.closed": (
        "the unjudged documents that its measure reads (the first k)",
        "指标所读（前 k 个）结果中未标注的文档",
    ),
    "lab.show.open": (
        "unjudged documents, in the lists and elsewhere,",
        "结果中和结果外未标注的文档",
    ),
    "lab.show.ranges": (
        "at least and at most: between these a score lies, whatever {world} turn out to be",
        "至少与至多：无论{world}实际如何，得分都在其间",
    ),
    "lab.show.not_kept": (
        "The ranges that unjudged documents leave open were not kept when this was recorded; "
        "evaluate the run again to have them",
        "记录时尚未保存未标注文档造成的得分范围；重新评测即可得到",
    ),
    "lab.show.no_ranges": (
        "The ranges that unjudged documents leave open were not worked out",
        "没有计算未标注文档造成的得分范围",
    ),
    "lab.show.unbounded": (
        "no range of {measures}: no bounds are known, or they were left out because they take long",
        "{measures} 没有范围：没有已知的界，或因计算太久而略去",
    ),
    "lab.show.outer": (
        "the bounds of {measures} are outer ones: wider than need be",
        "{measures} 的界是外界，比实际需要更宽",
    ),
    "lab.show.time": ("time", "时间"),
    "lab.show.command": ("command", "命令"),
    "lab.show.versions": ("versions", "版本"),
    "lab.show.qrels": ("qrels", "标注"),
    "lab.show.queries": ("queries", "查询数"),
    "lab.show.settings": ("settings", "设置"),
    "lab.show.seed": ("seed", "随机种子"),
    "lab.show.note": ("note", "备注"),
    "lab.show.run": ("run {name}", "运行 {name}"),
    "lab.show.file": ("file", "文件"),
    "lab.show.config": ("configuration", "配置"),
    "lab.show.latency": ("latency", "延迟"),
    "lab.show.latency_value": (
        "median {median:.1f} ms, p95 {p95:.1f} ms",
        "中位数 {median:.1f} 毫秒，p95 {p95:.1f} 毫秒",
    ),
    "lab.show.cost": ("cost", "成本"),
    "lab.show.cost_value": ("{mean:.6g} {currency} a query", "每个查询 {mean:.6g} {currency}"),
    "lab.show.unchanged": ("unchanged", "未变"),
    "lab.show.altered": ("has changed since", "之后已改变"),
    "lab.show.gone": ("is not there any more", "已不存在"),
    "lab.show.memory": ("a run in memory", "内存中的运行"),
    "lab.split.side": ("side", "部分"),
    "lab.split.test": ("test", "测试"),
    "lab.split.dev": ("dev", "开发"),
    "lab.split.held": ("held back", "保留"),
    "lab.split.all": ("all", "全部"),
    "lab.split.frozen": (
        "the test list of {n} queries is frozen as {fingerprint}; seed {seed}",
        "{n} 个查询的测试列表已冻结，指纹为 {fingerprint}；随机种子 {seed}",
    ),
    "lab.split.written": ("written: {path}", "已写入：{path}"),
    "lab.split.pair": (
        "{a} and {b} are nearly the same ({similarity:.2f}) and stay together",
        "{a} 与 {b} 几乎相同（{similarity:.2f}），放在同一侧",
    ),
    "lab.split.pairs": (
        "{n} pairs of near-duplicates stay together (Jaccard similarity of character 3-grams "
        "{threshold:g} or more)",
        "{n} 对近似重复的查询放在同一侧（字符三元组的 Jaccard 相似度不低于 {threshold:g}）",
    ),
    "lab.split.short": (
        "{n} fewer test queries than asked for: groups of near-duplicates were not cut",
        "测试查询比要求的少 {n} 个：没有拆开近似重复的查询",
    ),
    "lab.split.added": ("new in {side}: {n} ({some})", "新增到{side}：{n} 个（{some}）"),
    "lab.split.held_back": (
        "{query} is nearly the same as test query {test}: on neither side, for in dev it would "
        "give the test away (--test N can take it into the test)",
        "{query} 与测试查询 {test} 几乎相同：两侧都不放，因为放进开发会泄露测试"
        "（--test N 可以把它加入测试）",
    ),
    "lab.split.gone": (
        "{n} dev {n:query is|queries are} not in the collection any more: {some}",
        "{n} 个开发查询已不在测试集中：{some}",
    ),
    "lab.split.textless": (
        "the queries have no text here, so that near-duplicates cannot be seen: name queries in "
        "cranfield.toml",
        "这里的查询没有文本，无法发现近似重复：请在 cranfield.toml 中写明 queries",
    ),
    "lab.review.title": ("Review of {run}", "复查 {run}"),
    "lab.review.against": ("against {before}", "对比 {before}"),
    "lab.review.first": ("the first run reviewed", "第一次复查"),
    "lab.review.changed": (
        "{n} of {of} queries changed",
        "{of} 个查询中有 {n} 个变化",
    ),
    "lab.review.notes": ("notes", "备注"),
    "lab.review.tags": ("tags", "标签"),
    "lab.review.tags_before": ("tags of {before}", "{before} 的标签"),
    "lab.review.nothing": ("nothing returned", "没有返回结果"),
    "lab.review.mark": ("", ""),
    "lab.review.rank": ("rank", "排名"),
    "lab.review.was": ("was", "原排名"),
    "lab.review.doc": ("document", "文档"),
    "lab.review.grade": ("grade", "相关性"),
    "lab.review.doc_title": ("title", "标题"),
    "lab.review.new": ("new", "新"),
    "lab.review.up": ("up", "升"),
    "lab.review.down": ("down", "降"),
    "lab.review.same": ("", ""),
    "lab.review.gone": ("gone", "消失"),
    "lab.review.tag": ("tag", "标签"),
    "lab.review.added": (
        "in the review set: {n} {n:query|queries} ({some})",
        "复查集：{n} 个查询（{some}）",
    ),
    "lab.review.tagged": ("{query} of {run}: {tags}", "{run} 的 {query}：{tags}"),
    "lab.review.no_tags": ("no tag", "没有标签"),
    "lab.review.no_tags_yet": (
        "no tag has been set yet: cranfield review tag QUERY TAG",
        "还没有标签：cranfield review tag QUERY TAG",
    ),
    "lab.tag.misread-term": ("misread-term", "术语误读"),
    "lab.tag.wrong-entity": ("wrong-entity", "实体错误"),
    "lab.tag.duplicate": ("duplicate", "重复结果"),
    "lab.tag.stale": ("stale", "内容过时"),
    "lab.tag.label-error": ("label-error", "标注错误"),
    "lab.made": (
        "A lab in {path}. What `cranfield evaluate` scores here is recorded; next:",
        "实验室已建立：{path}。在这里用 `cranfield evaluate` 评测都会被记录；接下来：",
    ),
}


class Count(int):
    """A number that chooses its noun: `{n:run|runs}`."""

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition("|")
        if not bar:
            return int(self).__format__(spec)
        return one if self == 1 else many
