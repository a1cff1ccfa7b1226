"""The sentences of the doctor (ids, columns, query sets) and of labels that look wrong."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "doctor.title": (
        "{run} by {collection}: what does not fit",
        "{run} 与 {collection}：不一致之处",
    ),
    "doctor.none": (
        "The ids of run, judgments and collection fit. If a score is low, the reason is another: "
        "`cranfield check` and `cranfield explain` look further.",
        "运行、标注与测试集的编号一致。如果分数偏低，原因在别处："
        "`cranfield check` 与 `cranfield explain` 可进一步查看。",
    ),
    "doctor.written": (
        "{path} written: {queries} query {queries:id|ids} and {documents} document "
        "{documents:id|ids} rewritten, {merged} {merged:row|rows} merged with a better one "
        "of the same document",
        "已写出 {path}：改写查询编号 {queries} 个、文档编号 {documents} 个；"
        "{merged} 行与同一文档的更优行合并",
    ),
    "doctor.nothing": (
        "nothing to put right was found: {path} is not written",
        "没有可修复之处：未写出 {path}",
    ),
    "check.section.doctor": ("Ids of run and judgments", "运行与标注的编号"),
    "check.section.labels": ("Labels for a second look", "需要复查的标注"),
    "check.fact.good_runs": ("good runs", "较好的运行"),
    "check.fact.suspects_zero": (
        "labelled 0, in the first k of the good runs",
        "标为 0，但在较好运行的前 k 个结果中",
    ),
    "check.fact.suspects_lost": (
        "relevant, returned by no run, no word of the query",
        "标为相关，但没有运行返回，且不含查询中的词",
    ),
    "check.table.ids_known": (
        "Ids that are known, relevant documents in the first k, and how many of them chance (the "
        "next query's judgments) would give",
        "已知编号的占比、前 k 个结果中的相关文档，以及碰巧（用下一个查询的标注）会得到多少",
    ),
    "check.table.ids_meant": ("Ids", "编号"),
    "check.table.labels_zero": (
        "Labelled 0 and in the first k of the good runs. suspicion: mean of 1/log2(rank + 1) "
        "over the good runs × share of the query's words in the document; expected: share of "
        "relevant ones among the judged pairs that are about as suspicious; price: what "
        "turning the label changes",
        "标为 0，但在较好运行的前 k 个结果中。可疑度：较好运行上 1/log2(排名 + 1) 的平均 × "
        "文档包含查询词的比例；预期：可疑度相近的已标注对中相关的占比；"
        "影响：改变标注后分数的变化",
    ),
    "check.table.labels_lost": ("Relevant, and found by nobody", "标为相关但无人找到"),
    "check.column.queries_known": ("queries", "查询"),
    "check.column.documents_known": ("documents", "文档"),
    "check.column.own": ("relevant found", "找到的相关文档"),
    "check.column.by_chance": ("by chance", "碰巧"),
    "check.column.id": ("id", "编号"),
    "check.column.meant": ("means", "应为"),
    "check.column.suspicion": ("suspicion", "可疑度"),
    "check.column.expected": ("expected", "预期"),
    "check.column.price": ("price", "影响"),
    # parts of sentences
    "check.said.ids.queries": ("query ids", "查询编号"),
    "check.said.ids.documents": ("document ids", "文档编号"),
    "check.said.against.corpus": ("the corpus", "文档集"),
    "check.said.against.queries": ("the queries", "查询"),
    "check.said.against.judged_documents": ("the judged documents", "有标注的文档"),
    "check.said.differ.number": (
        "numbers were written as fractions (12.0 for 12)",
        "数字写成了小数（12 写成 12.0）",
    ),
    "check.said.differ.blanks": (
        "blanks or characters that cannot be seen",
        "空白或不可见字符",
    ),
    "check.said.differ.unicode": ("Unicode normalisation", "Unicode 规范化形式"),
    "check.said.differ.case": ("upper and lower case", "大小写"),
    "check.said.differ.zeros": ("zeros in front of numbers", "数字前的零"),
    "check.said.differ.passage": (
        "they name passages (document#number)",
        "它们是段落编号（文档#序号）",
    ),
    "check.said.differ.extension": ("the extension of a file name", "文件扩展名"),
    "check.said.differ.prefix": (
        "what they begin with ({mine!r} here, {theirs!r} there)",
        "开头（此处 {mine!r}，彼处 {theirs!r}）",
    ),
    "check.said.differ.suffix": (
        "what they end with ({mine!r} here, {theirs!r} there)",
        "结尾（此处 {mine!r}，彼处 {theirs!r}）",
    ),
    "check.said.differ.folder": ("the folders in front of a file name", "文件名前的目录"),
    "check.said.moved.shift": ("by a count that is off by one ({by})", "计数差一（{by}）"),
    "check.said.moved.place": (
        "by the places of the queries in their file, counted from {first}",
        "查询在文件中的位置（从 {first} 起计）",
    ),
}

FINDINGS: dict[str, tuple[str, str]] = {
    "check.finding.ids_differ": (
        "{of}: {n} of {all} {kind} are those of {against} once a difference is overlooked: {how}; "
        "{before:.1%} fit as they are, {after:.1%} then, {left} {left:is|are} left",
        "{of}：忽略以下差异后，{all} 个{kind}中有 {n} 个与{against}一致：{how}；"
        "目前一致 {before:.1%}，之后 {after:.1%}，仍有 {left} 个不一致",
    ),
    "check.advice.ids_differ": (
        "`{command}` writes a copy with the ids that are meant; nothing is repaired by itself.",
        "`{command}` 可写出编号正确的副本；不会自动修复任何文件。",
    ),
    "check.advice.ids_passages": (
        "`{command}` makes a run of documents of it, each with the score of its best passage.",
        "`{command}` 可将其汇总为文档级运行，每篇文档取最佳段落的得分。",
    ),
    "check.finding.columns_swapped": (
        "{of}: documents stand where queries should, and queries where documents should",
        "{of}：查询列与文档列互换了",
    ),
    "check.advice.columns_swapped": (
        "`{command}` writes a copy with both in their places.",
        "`{command}` 可写出两列归位的副本。",
    ),
    "check.finding.column_wrong": (
        "{of}: the query stands in column {query} and the document in column {document} "
        "({share:.1%} of the values there are known documents), not in 1 and 3",
        "{of}：查询在第 {query} 列、文档在第 {document} 列（其中 {share:.1%} 是已知文档），"
        "而不是第 1 列和第 3 列",
    ),
    "check.advice.column_wrong": (
        "`{command}` writes a copy with the columns of a run.",
        "`{command}` 可写出列次序正确的副本。",
    ),
    "check.finding.scores_reversed": (
        "{of}: for {n} of the first {all} queries the scores rise from the first rank of the "
        "file to the last, as distances do; only the score orders a run",
        "{of}：前 {all} 个查询中有 {n} 个的分数随文件中的排名上升（像距离一样）；"
        "而运行只按分数排序",
    ),
    "check.advice.scores_reversed": (
        "`{command}` writes a copy with every score negated.",
        "`{command}` 可写出所有分数取负的副本。",
    ),
    "check.finding.split_wrong": (
        "{of}: {n} of its {all} queries are judged here, and {there} in the split {split!r}",
        "{of}：其 {all} 个查询中此处有标注的为 {n} 个，而划分 {split!r} 中有 {there} 个",
    ),
    "check.advice.split_wrong": (
        "Evaluate it by the judgments of that split: `{command}`.",
        "请用该划分的标注评测：`{command}`。",
    ),
    "check.finding.queries_other": (
        "{of}: none of its {all} queries is judged ({asked} are queries of the collection); its "
        "query ids look like {mine!r}, those of the judgments like {theirs!r}",
        "{of}：其 {all} 个查询均无标注（其中 {asked} 个属于该测试集）；"
        "它的查询编号形如 {mine!r}，标注中形如 {theirs!r}",
    ),
    "check.advice.queries_other": (
        "It was made for another set of queries, or for another part of this one.",
        "它是为另一组查询（或同一测试集的另一部分）生成的。",
    ),
    "check.finding.queries_moved": (
        "{of}: {own} relevant documents stand in the first {k} of their queries ({chance:.1f} by "
        "chance), and {then} once query ids are read {how}",
        "{of}：前 {k} 个结果中有 {own} 篇相关文档（碰巧 {chance:.1f}）；"
        "若查询编号按“{how}”理解，则有 {then} 篇",
    ),
    "check.advice.queries_moved": (
        "`{command}` writes a copy with the query ids that are meant.",
        "`{command}` 可写出查询编号正确的副本。",
    ),
    "check.finding.queries_mixed": (
        "{of}: it finds relevant documents no oftener for its own queries ({own} in the first {k}) "
        "than for others ({chance:.1f})",
        "{of}：对自己的查询找到的相关文档（前 {k} 个中 {own} 篇）不比对其他查询多（{chance:.1f}）",
    ),
    "check.advice.queries_mixed": (
        "Its query ids are mixed up, or its order is random: look at one query with `cranfield "
        "explain`.",
        "查询编号可能错乱，或排序是随机的：请用 `cranfield explain` 查看一个查询。",
    ),
    "check.finding.documents_moved": (
        "{of}: its document ids are places in the corpus, counted from {first}: {own} relevant "
        "documents in the first {k} as they are, {then} once they are looked up",
        "{of}：其文档编号是在文档集中的位置（从 {first} 起计）：目前前 {k} 个结果中有 {own} 篇"
        "相关文档，换成真正的编号后有 {then} 篇",
    ),
    "check.advice.documents_moved": (
        "`{command}` writes a copy with the ids of these documents.",
        "`{command}` 可写出使用真实文档编号的副本。",
    ),
    "check.finding.documents_other": (
        "{of}: {share:.1%} of the {n} documents that it returns are not known ({mine!r} where ids "
        "look like {theirs!r}), and no difference in writing explains it",
        "{of}：返回的 {n} 篇文档中有 {share:.1%} 未知（如 {mine!r}，而已知编号形如 {theirs!r}），"
        "且书写差异无法解释",
    ),
    "check.advice.documents_other": (
        "It was made on another corpus, or names its documents in a way of its own.",
        "它可能基于另一文档集，或使用了自己的文档命名。",
    ),
    "check.finding.qrels_changed": (
        "the judgments are not those of {entry}, the last evaluation by them ({at})",
        "标注与上次用它们评测（{entry}，{at}）时不同",
    ),
    "check.advice.qrels_changed": (
        "Scores from before and after cannot be compared: evaluate the old runs again.",
        "变更前后的分数不可比较：请重新评测旧的运行。",
    ),
    "check.finding.label_zero": (
        "{n} {n:label|labels} of 0 {n:stands|stand} against the {good} good runs, which return "
        "the document in their first {k}; of pairs like that at least {least:.0%} are relevant",
        "有 {n} 个标为 0 的文档被 {good} 个较好运行一致排在前 {k}；"
        "同类的对中至少 {least:.0%} 是相关的",
    ),
    "check.advice.label_zero": (
        "Look at them again, from the top; `--suspects` writes the list.",
        "请从上到下复查；`--suspects` 可写出清单。",
    ),
    "check.finding.label_relevant": (
        "{n} {n:document is|documents are} labelled relevant, {n:is|are} returned by no run at any "
        "depth ({runs} {runs:run|runs}), and {n:shares|share} no word with the query but such as "
        "are in every tenth document",
        "有 {n} 篇文档标为相关，但 {runs} 个运行均未返回，且与查询没有共同的词"
        "（十分之一以上文档都有的词除外）",
    ),
    "check.advice.label_relevant": (
        "Look at them again: a wrong label, or a document that only meaning leads to; "
        "`--suspects` writes the list.",
        "请复查：可能标注有误，也可能只能靠语义找到；`--suspects` 可写出清单。",
    ),
}
