"""The sentences of a release check, English and Chinese side by side."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "gate.title": ("Release check: {run} against {base}", "发布检查：{run} 对比基线 {base}"),
    "gate.result.pass": ("PASS", "通过"),
    "gate.result.fail": ("FAIL", "不通过"),
    "gate.result.undecided": ("CANNOT TELL", "无法判断"),
    "gate.head.pass": (
        "PASS: every rule is met ({n} of {n})",
        "通过：全部 {n} 条规则均满足",
    ),
    "gate.head.fail": (
        "FAIL: {failed} of {n} rules not met, {undecided} undecided",
        "不通过：{n} 条规则中 {failed} 条不满足，{undecided} 条无法判断",
    ),
    "gate.head.undecided": (
        "CANNOT TELL: {undecided} of {n} rules undecided, none failed; the policy is `{policy}`",
        "无法判断：{n} 条规则中 {undecided} 条无法判断，没有不满足的；策略为 {policy}",
    ),
    "gate.column.result": ("result", "结果"),
    "gate.column.rule": ("rule", "规则"),
    "gate.column.queries": ("queries of", "查询"),
    "gate.column.value": ("found", "实测"),
    "gate.column.interval": ("interval", "区间"),
    "gate.column.p": ("p adjusted", "校正 p"),
    "gate.column.why": ("why", "理由"),
    "gate.all": ("all", "全部"),
    "gate.rule.no-loss": (
        "no significant loss of more than {limit} {measure}",
        "{measure} 的显著损失不超过 {limit}",
    ),
    "gate.rule.gain": (
        "a significant gain of at least {limit} {measure}",
        "{measure} 显著提升至少 {limit}",
    ),
    "gate.rule.at-least": ("{measure} at least {limit}", "{measure} 不低于 {limit}"),
    "gate.rule.judged": ("judged@{k} at least {limit}", "judged@{k} 不低于 {limit}"),
    "gate.rule.missing": (
        "at most {limit} queries missing or failed",
        "未回答或失败的查询不超过 {limit} 个",
    ),
    "gate.lost": (
        "a loss of {loss} is there (p {p}) and it is more than the rule allows",
        "确有 {loss} 的损失（p {p}），超过规则允许的范围",
    ),
    "gate.not_lost": (
        "whatever is lost is at most {loss}",
        "即使有损失，也不超过 {loss}",
    ),
    "gate.maybe_lost": (
        "a loss of up to {loss} is neither shown nor excluded; {n} queries show differences from "
        "{detectable}",
        "最多 {loss} 的损失既未证实也未排除；{n} 个查询能看出的差异从 {detectable} 起",
    ),
    "gate.gained": (
        "a gain of {gain} is there (p {p})",
        "确有 {gain} 的提升（p {p}）",
    ),
    "gate.not_gained": (
        "whatever is gained is at most {gain}",
        "即使有提升，也不超过 {gain}",
    ),
    "gate.maybe_gained": (
        "a gain of up to {gain} is neither shown nor excluded; {n} queries show differences from "
        "{detectable}",
        "最多 {gain} 的提升既未证实也未排除；{n} 个查询能看出的差异从 {detectable} 起",
    ),
    "gate.identical": (
        "both runs have the same score on each of the {n} queries",
        "两次运行在全部 {n} 个查询上得分相同",
    ),
    "gate.too_few": (
        "no test can be made on so few queries ({n})",
        "查询太少（{n} 个），无法检验",
    ),
    "gate.none": ("the measure is defined for no query", "该指标在任何查询上都没有定义"),
    "gate.enough": ("the mean over {n} queries is {mean}", "{n} 个查询的均值为 {mean}"),
    "gate.enough_barely": (
        "the mean over {n} queries is {mean}, but its interval reaches below the limit",
        "{n} 个查询的均值为 {mean}，但其区间下端低于限值",
    ),
    "gate.short": (
        "the mean over {n} queries is {mean}, {short} too low",
        "{n} 个查询的均值为 {mean}，低了 {short}",
    ),
    "gate.judged": (
        "{share} of the first {k} results are judged (base: {base})",
        "前 {k} 个结果中 {share} 有标注（基线：{base}）",
    ),
    "gate.holes": (
        "only {share} of the first {k} results are judged (base: {base}): the scores speak of the "
        "labels as much as of the system",
        "前 {k} 个结果中仅 {share} 有标注（基线：{base}）：得分反映的不只是系统，也是标注",
    ),
    "gate.answered": ("{n} of {of} queries missing or failed", "{of} 个查询中 {n} 个未回答或失败"),
    "gate.absent": (
        "{n} of {of} queries missing or failed: {some}",
        "{of} 个查询中 {n} 个未回答或失败：{some}",
    ),
    "gate.note.method": (
        "A rule about a loss or gain fails or passes on evidence and size together: {test} test "
        "(tests made: {hypotheses}, correction {correction}), level {alpha}; intervals of "
        "{level} %. "
        "Undecided means that these queries cannot tell.",
        "有关损失与提升的规则同时看证据与幅度：{test} 检验，{correction} 校正"
        "（{hypotheses} 个假设），水平 {alpha}；区间为 {level} %。"
        "“无法判断”表示这些查询不足以得出结论。",
    ),
}
