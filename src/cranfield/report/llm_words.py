"""Sentences of judging by a language model: what it would cost, and what came of it."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "llm.plan": (
        "{n} {n:pair|pairs} to judge by {rubric} (prompt {prompt}) with {model}",
        "共 {n} 对，标准 {rubric}（提示词 {prompt}），模型 {model}",
    ),
    "llm.plan.two": (
        "{n} {n:pair|pairs} of documents to judge by {rubric} (prompt {prompt}) with {model}",
        "共 {n} 组文档（每组两篇），标准 {rubric}（提示词 {prompt}），模型 {model}",
    ),
    "llm.kept": (
        "{kept} {kept:answer is|answers are} there already, {copied} {copied:follows|follow} from "
        "answers about the same texts, {left} failed {left:one is|ones are} left",
        "已有回答 {kept} 条，{copied} 条可由相同文本的回答得到，{left} 条失败的不再询问",
    ),
    "llm.again": (
        "{n} {n:answer that could not be read is|answers that could not be read are} asked for "
        "again",
        "{n} 条无法读取的回答将重新询问",
    ),
    "llm.calls": (
        "calls: {calls}; tokens sent: about {sent:,}; tokens back: at most {back:,}",
        "调用 {calls} 次；发送约 {sent:,} 个 token；返回至多 {back:,} 个 token",
    ),
    "llm.cost": (
        "cost: about {money:.4g} at most, retries apart",
        "费用：至多约 {money:.4g}（重试除外）",
    ),
    "llm.own_work": (
        "by its card the run {run} was made with {models}: of the family {family}, as this judge, "
        "which would judge its own work (`agree` says what it gains)",
        "按其卡片，运行 {run} 由 {models} 生成，与评判模型同属 {family} "
        "家族，即评判自家的结果（`agree` 给出其得益）",
    ),
    "llm.confirm": ("Make {n} calls?", "确定要调用 {n} 次吗？"),
    "llm.left_out.judged": (
        "{n} {n:pair|pairs} left out: the collection has labels of them",
        "略去 {n} 对：测试集中已有标注",
    ),
    "llm.left_out.people": (
        "{n} {n:pair|pairs} left out: labelled in the label store, by people or imported",
        "略去 {n} 对：标注库中已有人工或导入的标注",
    ),
    "llm.left_out.sampled": (
        "{n} {n:line|lines} of the list left out: not drawn into its sample",
        "略去列表中的 {n} 行：未抽入样本",
    ),
    "llm.left_out.reference": (
        "{n} {n:pair|pairs} left out: no other document is known to be relevant",
        "略去 {n} 对：没有其他已知相关的文档",
    ),
    "llm.added": (
        "{store}: {n} {n:grade|grades} added, {failed} {failed:answer|answers} that cannot be "
        "read, {unanswered} {unanswered:question|questions} without an answer",
        "{store}：新增等级 {n} 条，无法读取的回答 {failed} 条，没有回答的问题 {unanswered} 个",
    ),
    "llm.added.two": (
        "{store}: {n} {n:preference|preferences} added, {failed} {failed:answer|answers} that "
        "cannot be read, {unanswered} {unanswered:question|questions} without an answer",
        "{store}：新增偏好 {n} 条，无法读取的回答 {failed} 条，没有回答的问题 {unanswered} 个",
    ),
    "llm.used": (
        "{calls} {calls:call|calls}, {sent:,} tokens sent, {back:,} back",
        "调用 {calls} 次，发送 {sent:,} 个 token，返回 {back:,} 个",
    ),
    "llm.used.cost": ("{used}, cost {cost:.4g}", "{used}，费用 {cost:.4g}"),
    "llm.unread": (
        "unread, {n} {n:time|times}: {why}",
        "无法读取 {n} 次：{why}",
    ),
    "llm.guessed": (
        "the tokens of {n} {n:call|calls} are guessed; the service does not say",
        "{n} 次调用的 token 数为估计值：服务没有给出",
    ),
    "llm.way": (
        "the server takes no JSON schema; answers were asked for as {way}",
        "服务器不支持 JSON schema；改以 {way} 方式询问",
    ),
    "llm.loose": (
        "the server takes a JSON schema and broke it {n} {n:time|times}",
        "服务器接受 JSON schema，但有 {n} 次没有遵守",
    ),
    "llm.cut": (
        "{n} {n:document was|documents were} cut, {chars:,} characters in all",
        "{n} 篇文档被截短，共 {chars:,} 个字符",
    ),
    "llm.neutralised": (
        "in {n} {n:document|documents} something was neutralised",
        "{n} 篇文档中有内容被中和处理",
    ),
    "llm.stopped": (
        "stopped: {why}; {n} {n:question is|questions are} open",
        "已停止：{why}；还有 {n} 个问题未问",
    ),
    "rubrics.grades": ("grades {low}-{high}", "等级 {low}-{high}"),
    "rubrics.preference": ("preference", "偏好"),
    "rubrics.reason": ("with a reason", "附理由"),
    "rubrics.reference": ("with a relevant document", "附一篇相关文档"),
    "rubrics.and": (", ", "，"),
}
