"""Sentences of the label store, English and Chinese."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "judge.column.id": ("row", "行号"),
    "judge.column.at": ("time", "时间"),
    "judge.column.query": ("query", "查询"),
    "judge.column.doc": ("document", "文档"),
    "judge.column.grade": ("grade", "等级"),
    "judge.column.state": ("state", "状态"),
    "judge.column.source": ("source", "来源"),
    "judge.column.assessor": ("assessor", "标注者"),
    "judge.column.model": ("model", "模型"),
    "judge.column.prompt": ("prompt", "提示词"),
    "judge.column.rubric": ("rubric", "标注标准"),
    "judge.column.counts": ("counts", "有效"),
    "judge.column.reason": ("reason", "理由"),
    "judge.column.judge": ("judge", "标注者"),
    "judge.column.queries": ("queries", "查询数"),
    "judge.column.pairs": ("pairs", "标注对"),
    "judge.column.graded": ("graded", "已定级"),
    "judge.column.pooled": ("pooled", "入池未标注"),
    "judge.column.unsure": ("unsure", "不确定"),
    "judge.column.skip": ("skipped", "跳过"),
    "judge.column.failed": ("failed", "失败"),
    "judge.column.changed": ("changed", "已改"),
    "judge.column.undone": ("undone", "撤销"),
    "judge.column.shared": ("shared", "共同标注"),
    "judge.column.mean": ("mean grade", "平均等级"),
    "judge.column.seconds": ("seconds", "秒/条"),
    "judge.column.last": ("last", "最近一次"),
    "judge.state.graded": ("graded", "已定级"),
    "judge.state.unsure": ("unsure", "不确定"),
    "judge.state.skip": ("skipped", "跳过"),
    "judge.state.failed": ("failed", "失败"),
    "judge.state.undone": ("undoes", "撤销"),
    "judge.source.human": ("human", "人工"),
    "judge.source.llm": ("llm", "大模型"),
    "judge.source.propagated": ("propagated", "传播"),
    "judge.source.imported": ("imported", "导入"),
    "judge.yes": ("yes", "是"),
    "judge.column.doc_a": ("document a", "文档 a"),
    "judge.column.doc_b": ("document b", "文档 b"),
    "judge.column.better": ("better", "更好"),
    "judge.column.preferred": ("preferred", "有偏好"),
    "judge.column.tie": ("ties", "平局"),
    "judge.column.inconsistent": ("inconsistent", "前后不一"),
    "judge.column.one_sided": ("one order", "只问一序"),
    "judge.better.a": ("a", "a"),
    "judge.better.b": ("b", "b"),
    "judge.better.tie": ("tie", "平局"),
    "judge.state.decided": ("decided", "已判定"),
    "judge.several_prompts": (
        "{name} has labels by {n} prompts or rubrics; where several grade a pair the newest "
        "counts, {newest}: --prompt or --rubric takes another",
        "{name} 有 {n} 个提示词或标注标准的标注；同一对有多个时以最新的 {newest} 为准："
        "可用 --prompt 或 --rubric 另选",
    ),
    "judge.preferences": (
        "and {n} {n:answer|answers} to which of two documents is better: --preferences shows them",
        "另有 {n} 条两篇文档孰优的回答：用 --preferences 查看",
    ),
    "judge.preferences.status": (
        "{rows} {rows:row|rows}, {answers} of them count; {pairs} {pairs:pair|pairs} of documents "
        "decided, {shared} by two judges or more, {conflicts} of them differently",
        "共 {rows} 行，其中 {answers} 行有效；已判定文档 {pairs} 组，其中 {shared} 组由两名以上"
        "标注者判定，{conflicts} 组不一致",
    ),
    "judge.log.earlier": (
        "{n} earlier {n:row is|rows are} not shown",
        "另有 {n} 行较早的记录未显示",
    ),
    "judge.undone": (
        "row {row} undoes row {number}: query {query}, document {doc}",
        "第 {row} 行撤销第 {number} 行：查询 {query}，文档 {doc}",
    ),
    "judge.undone.two": (
        "row {row} undoes row {number}: query {query}, documents {docs}",
        "第 {row} 行撤销第 {number} 行：查询 {query}，文档 {docs}",
    ),
    "judge.status": (
        "{rows} rows; {pairs} pairs with a grade, {shared} graded by two judges or more, "
        "{conflicts} of them differently",
        "共 {rows} 行；有等级的标注对 {pairs} 个，其中 {shared} 个由两名以上标注者定级，"
        "{conflicts} 个等级不一致",
    ),
    "judge.status.pooled": (
        "{n} {n:pair has|pairs have} only a grade below 0 (pooled, not judged), which is nobody's "
        "grade",
        "{n} 个标注对只有小于 0 的等级（入池未标注），不算任何人的定级",
    ),
}
