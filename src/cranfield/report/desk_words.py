"""Sentences of the desk where people judge, in the browser and in a terminal."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "desk.title": ("Judge", "标注"),
    "desk.query": ("Query", "查询"),
    "desk.document": ("Document", "文档"),
    "desk.known": ("A document that is known to be relevant", "已知相关的文档"),
    "desk.rubric": ("Rubric", "标注标准"),
    "desk.unsure": ("unsure", "不确定"),
    "desk.skip": ("skip", "跳过"),
    "desk.undo": ("undo", "撤销"),
    "desk.quit": ("quit", "退出"),
    "desk.reason": ("Why? (may be left empty)", "理由（可不填）"),
    "desk.who": ("Who is judging?", "谁来标注？"),
    "desk.assessor": ("Assessor", "标注者"),
    "desk.other": ("Somebody else", "换人"),
    "desk.language": ("中文", "English"),
    "desk.mine": ("My judgments", "我的标注"),
    "desk.mine.none": ("Nothing has been judged yet.", "还没有标注。"),
    "desk.mine.shown": ("The last {n}, newest first.", "最近 {n} 条，新的在前。"),
    "desk.back": ("Back to judging", "回到标注"),
    "desk.change": ("change", "修改"),
    "desk.progress": ("{done} of {total} judged", "已标注 {done} / {total}"),
    "desk.progress.query": ("{done} of {total} of this query", "本查询 {done} / {total}"),
    "desk.progress.skipped": ("{n} skipped", "跳过 {n}"),
    "desk.progress.seconds": ("{seconds:.1f} s each", "每条 {seconds:.1f} 秒"),
    "desk.progress.minutes": ("about {minutes:.0f} min left", "约剩 {minutes:.0f} 分钟"),
    "desk.said": (
        "You said: {said}. Another choice changes it.",
        "你的标注：{said}。再选一次即可修改。",
    ),
    "desk.kept": ("kept: {said}", "已保存：{said}"),
    "desk.undone": (
        "taken back: query {query}, document {doc}",
        "已撤销：查询 {query}，文档 {doc}",
    ),
    "desk.undone.two": (
        "taken back: query {query}, documents {doc}",
        "已撤销：查询 {query}，文档 {doc}",
    ),
    "desk.nothing_to_undo": ("There is nothing to undo.", "没有可撤销的标注。"),
    "desk.crossed": (
        "Nothing was stored: this has been judged or undone elsewhere, in another tab perhaps. "
        "Choose again.",
        "没有保存：这一条已在别处（例如另一个标签页）标注或撤销。请重新选择。",
    ),
    "desk.undo.crossed": (
        "Nothing was undone: it is no longer the last judgment.",
        "没有撤销：它已不是最后一条标注。",
    ),
    "desk.cut": (
        "The first {shown} of {total} characters.",
        "仅显示前 {shown} 个字符，共 {total} 个。",
    ),
    "desk.whole": ("Show all", "显示全文"),
    "desk.empty": ("(no text)", "（无正文）"),
    "desk.done": ("All of your pairs have been judged.", "你的标注任务已全部完成。"),
    "desk.done.skipped": (
        "All of your pairs have been looked at; {n} {n:was|were} skipped.",
        "全部看过一遍，其中跳过 {n} 条。",
    ),
    "desk.done.none": ("There is no pair for you.", "没有分配给你的标注任务。"),
    "desk.again": ("Judge the skipped ones", "标注跳过的部分"),
    "desk.next": ("Go on", "继续标注"),
    "desk.keys": (
        "Keys: the grade, u unsure, s skip, z undo",
        "按键：数字为等级，u 不确定，s 跳过，z 撤销",
    ),
    "desk.keys.two": (
        "Keys: ← or a, → or b, t tie, u unsure, s skip, z undo; ↑ ↓ scroll both",
        "按键：← 或 a，→ 或 b，t 平局，u 不确定，s 跳过，z 撤销；↑ ↓ 同时滚动两篇",
    ),
    "desk.better.a": ("A is better", "A 更好"),
    "desk.better.b": ("B is better", "B 更好"),
    "desk.better.tie": ("tie", "平局"),
    "desk.keys.two.terminal": (
        "[a] or [b] is better, [t]ie, [u]nsure, [s]kip, undo [z], rubric [?], [q]uit",
        "[a]、[b] 哪篇更好，[t] 平局，[u] 不确定，[s] 跳过，[z] 撤销，[?] 标准，[q] 退出",
    ),
    "desk.keys.terminal": (
        "[{grades}] grade, [u]nsure, [s]kip, undo [z], rubric [?], [q]uit",
        "[{grades}] 等级，[u] 不确定，[s] 跳过，[z] 撤销，[?] 标准，[q] 退出",
    ),
    "desk.no_answer": (
        "No answer from the server: this judgment may not be stored. Choose again; it is stored "
        "once.",
        "服务器没有响应，这条标注可能没有保存。请再选一次，不会重复保存。",
    ),
    "desk.refused": ("The server refused this: {why}", "服务器拒绝了请求：{why}"),
    "desk.reload": ("Reload the page.", "请刷新页面。"),
    "desk.error.token": (
        "This address needs the link that was shown when the server started.",
        "请使用服务器启动时给出的链接打开。",
    ),
    "desk.error.host": ("This server is not known by that name.", "服务器不接受这个主机名。"),
    "desk.error.origin": ("The request came from another site.", "请求来自其他网站。"),
    "desk.error.csrf": (
        "The form is too old or not from this server.",
        "表单已过期，或不是由本服务器给出的。",
    ),
    "desk.error.form": ("The form cannot be read.", "无法读取表单。"),
    "desk.error.pair": ("This pair is not in your queue.", "这一对不在你的任务中。"),
    "desk.error.missing": ("There is no such page.", "没有这个页面。"),
    "desk.error.store": ("The label store cannot be written: {why}", "标注库无法写入：{why}"),
    "desk.dealt": (
        "{n} {n:pair|pairs}, by {rubric}, seed {seed}",
        "{n} 对，标准 {rubric}，随机种子 {seed}",
    ),
    "desk.dealt.two": (
        "{n} {n:pair|pairs} of documents, by {rubric}, seed {seed}",
        "{n} 组文档（每组两篇），标准 {rubric}，随机种子 {seed}",
    ),
    "desk.dealt.shared": ("{n} of them for every assessor", "其中 {n} 对所有标注者都要标注"),
    "desk.dealt.both": ("each is asked twice, once in each order", "每组按两种顺序各问一次"),
    "desk.dealt.own": ("{n} {n:pair|pairs}", "{n} 条"),
    "desk.added": ("{n} {n:row|rows} added to {store}", "已向 {store} 添加 {n} 行"),
    "desk.ended": ("{n} judgments were stored.", "共保存 {n} 条标注。"),
}
