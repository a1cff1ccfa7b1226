"""The sentences of a check of integrity, duplicates and queries, and of `cranfield dedup`."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "check.section.integrity": ("Ids and texts that belong together", "编号与文本的一致性"),
    "check.section.duplicates": ("Duplicate documents", "重复文档"),
    "check.section.queries": ("The queries", "查询"),
    # facts
    "check.fact.judged_documents": ("judged documents", "有标注的文档"),
    "check.fact.judged_missing": ("of them not in the corpus", "其中不在文档集中"),
    "check.fact.clusters": ("clusters of duplicates", "重复文档簇"),
    "check.fact.copies_exact": ("copies, exact", "完全重复的副本"),
    "check.fact.copies_near": ("copies, near", "近似重复的副本"),
    "check.fact.largest_cluster": ("largest cluster", "最大的簇"),
    "check.fact.labels_unequal": (
        "clusters and queries with unequal labels",
        "标注不一致的簇与查询",
    ),
    "check.fact.near_threshold": ("Jaccard similarity from which near", "近似重复的 Jaccard 阈值"),
    "check.fact.passed_over": (
        "documents not compared with every candidate",
        "未与全部候选比较的文档",
    ),
    "check.fact.status_answerable": ("answerable, top judged", "有答案且结果均有标注"),
    "check.fact.status_answerable_with_holes": (
        "answerable, unjudged documents returned",
        "有答案但结果中有未标注文档",
    ),
    "check.fact.status_no_answer_confirmed": ("no answer, confirmed", "无答案（已确认）"),
    "check.fact.status_no_answer_suspect": ("no answer, suspect", "无答案（存疑）"),
    "check.fact.status_unlabelled": ("without labels", "没有标注"),
    "check.fact.queries_compared": (
        "queries compared across sides",
        "跨划分比较文本的查询",
    ),
    # tables
    "check.table.duplicates_effect": (
        "Scores as they are, with all copies labelled alike, and with one copy of each",
        "原始得分、所有副本同标注后的得分、每簇只留一份后的得分",
    ),
    "check.table.clusters": ("Clusters", "簇"),
    "check.table.unequal": ("Unequal labels", "不一致的标注"),
    "check.table.suffer": ("Runs", "运行"),
    "check.table.copies_turned": ("Turned round", "次序颠倒"),
    "check.table.missing": ("Missing documents", "缺失的文档"),
    "check.table.run_missing": ("Runs", "运行"),
    "check.table.ids_twice": ("Documents", "文档"),
    "check.table.ids_alike": ("Ids", "编号"),
    "check.table.query_documents": ("Queries", "查询"),
    "check.table.unknown": ("Queries", "查询"),
    "check.table.same_queries": ("Queries", "查询"),
    "check.table.types": (
        "Query types: the smallest p that n queries can give, and the difference of means that "
        "they find with power 0.8",
        "查询类型：n 个查询能得到的最小 p 值，以及检验力 0.8 时能发现的均值差",
    ),
    "check.table.suspect": ("Queries", "查询"),
    "check.table.near_across": ("Pairs", "查询对"),
    "check.table.small_types": ("Types", "类型"),
    # columns
    "check.column.raw": ("as it is", "原始"),
    "check.column.expand": ("expand", "expand"),
    "check.column.collapse": ("collapse", "collapse"),
    "check.column.documents_alike": ("documents", "文档"),
    "check.column.size": ("size", "大小"),
    "check.column.labelled": ("labelled", "有标注"),
    "check.column.unlabelled": ("without label", "无标注"),
    "check.column.copies": ("unjudged copies", "未标注副本"),
    "check.column.policy": ("policy", "策略"),
    "check.column.alike": ("almost the same id", "相近的编号"),
    "check.column.example": ("for example", "例如"),
    "check.column.times": ("times", "次数"),
    "check.column.ids": ("ids", "编号"),
    "check.column.where_from": ("named by", "出现于"),
    "check.column.queries_alike": ("queries", "查询"),
    "check.column.text": ("text", "文本"),
    "check.column.agree": ("labels", "标注"),
    "check.column.type": ("type", "类型"),
    "check.column.smallest_p": ("smallest p", "最小 p"),
    "check.column.shows": ("shows", "可发现的差"),
    "check.column.side": ("side", "划分"),
    "check.column.other_query": ("other query", "另一查询"),
    "check.column.other_side": ("its side", "其划分"),
    "check.column.similarity": ("similarity", "相似度"),
    # cells
    "check.cell.equal": ("equal", "一致"),
    "check.cell.unequal": ("unequal", "不一致"),
    "check.cell.expand": ("expand", "expand"),
    "check.cell.collapse": ("collapse", "collapse"),
    # the command dedup
    "dedup.found": (
        "{documents} {documents:document|documents}: {clusters} {clusters:cluster|clusters} of "
        "copies, {exact} exact {exact:copy|copies}, {near} near",
        "{documents} 篇文档：{clusters} 个重复簇，完全重复的副本 {exact} 篇，近似重复 {near} 篇",
    ),
    "dedup.how": (
        "near: Jaccard of {shingles} shingles from {threshold:g} on, {bands} bands of {rows} "
        "minima, seed {seed}; a pair at the threshold is found with probability {chance:.4f}",
        "近似：{shingles} shingle 的 Jaccard 不低于 {threshold:g}，{bands} 段、每段 {rows} 个"
        "最小值，种子 {seed}；恰在阈值的一对被发现的概率为 {chance:.4f}",
    ),
    "dedup.passed": (
        "{n} {n:document was|documents were} not compared with every candidate",
        "{n} 篇文档没有与全部候选比较",
    ),
    "dedup.empty": (
        "{n} {n:document has|documents have} no text and {n:is|are} no copies of one another",
        "{n} 篇文档没有文本，不算彼此的副本",
    ),
    "dedup.expand": (
        "{added} {added:judgment|judgments} added, {raised} raised",
        "新增标注 {added} 行，提高相关性 {raised} 行",
    ),
    "dedup.collapse": (
        "{removed} {removed:judgment|judgments} of copies removed, {raised} raised; runs must be "
        "collapsed too (--runs-to)",
        "去掉副本的标注 {removed} 行，提高相关性 {raised} 行；运行也必须合并（--runs-to）",
    ),
    "dedup.turned": (
        "{policy}: {run} and {other} change their order under {measure}",
        "{policy}：按 {measure}，{run} 与 {other} 的次序改变",
    ),
    "dedup.same_order": (
        "the order of the runs under {measure} stays",
        "按 {measure}，各运行的次序不变",
    ),
}

FINDINGS: dict[str, tuple[str, str]] = {
    "check.finding.copies": (
        "{n} {n:document is a copy|documents are copies} of another, {exact} of them exact, in "
        "{clusters} {clusters:cluster|clusters}",
        "{n} 篇文档是其他文档的副本（完全重复 {exact} 篇），共 {clusters} 个簇",
    ),
    "check.advice.copies": (
        "`cranfield dedup` writes judgments in which all copies have the same grade.",
        "`cranfield dedup` 可写出所有副本相关性一致的标注。",
    ),
    "check.finding.copies_unequal": (
        "in {n} {n:case|cases} the copies of a relevant document are not labelled alike for the "
        "same query",
        "有 {n} 处相关文档的副本在同一查询下标注不一致",
    ),
    "check.advice.copies_unequal": (
        "A system that returns the other copy is punished for it: expand the judgments, or "
        "collapse the copies, and compare runs under the same policy.",
        "返回另一副本的系统会被误罚：请扩展标注或合并副本，并在同一策略下比较各运行。",
    ),
    "check.finding.copies_unjudged": (
        "{n} {n:run has|runs have} unjudged copies of relevant documents in the first {k}",
        "{n} 个运行的前 {k} 个结果中有相关文档的未标注副本",
    ),
    "check.advice.copies_unjudged": (
        "These are relevant documents that count as 0.",
        "它们实为相关文档，却按 0 计。",
    ),
    "check.finding.copies_turn": (
        "{n} {n:pair of runs changes its|pairs of runs change their} order under {measure} once "
        "copies are treated alike",
        "副本一致对待后，{n} 对运行在 {measure} 下的次序改变",
    ),
    "check.advice.copies_turn": (
        "Do not conclude from the raw scores of these pairs.",
        "不要凭原始得分对这些运行下结论。",
    ),
    "check.finding.judged_missing": (
        "{n} of {all} judged documents are not in the corpus; {alike} of them differ from a "
        "document there by case, blanks or Unicode form only",
        "{all} 篇有标注的文档中有 {n} 篇不在文档集中，其中 {alike} 篇与集中某文档仅大小写、"
        "空白或 Unicode 形式不同",
    ),
    "check.advice.judged_missing": (
        "No system can return them: repair the ids, or drop these judgments.",
        "没有系统能返回它们：请修正编号，或去掉这些标注。",
    ),
    "check.finding.run_missing": (
        "{n} {n:run returns|runs return} documents that are not in the corpus (first {depth} "
        "results; at most {most:.1%} of a run)",
        "{n} 个运行返回了不在文档集中的文档（前 {depth} 个结果；最多占 {most:.1%}）",
    ),
    "check.advice.run_missing": (
        "The run was made on another corpus, or with other ids.",
        "该运行可能基于另一文档集，或使用了不同的编号。",
    ),
    "check.finding.ids_twice": (
        "{n} document {n:id comes|ids come} several times in the corpus",
        "文档集中有 {n} 个文档编号出现多次",
    ),
    "check.advice.ids_twice": (
        "A judgment cannot say which is meant: give each document its own id.",
        "标注无法区分它们：请为每篇文档赋予唯一编号。",
    ),
    "check.finding.document_ids_alike": (
        "{n} {n:group|groups} of document ids differ by case, blanks or Unicode form only",
        "{n} 组文档编号仅大小写、空白或 Unicode 形式不同",
    ),
    "check.advice.document_ids_alike": (
        "Ids are compared byte for byte; make sure that both are meant.",
        "编号逐字节比较；请确认两者都是有意为之。",
    ),
    "check.finding.query_ids_alike": (
        "{n} {n:group|groups} of query ids differ by case, blanks or Unicode form only",
        "{n} 组查询编号仅大小写、空白或 Unicode 形式不同",
    ),
    "check.advice.query_ids_alike": (
        "Judgments of one do not count for the other: write them alike.",
        "一个编号下的标注不会用于另一个：请统一写法。",
    ),
    "check.finding.query_is_id": (
        "{n} judged {n:query has|queries have} the id of a document; for {own} of them a run "
        "returns that document in the first {k}",
        "{n} 个有标注的查询与某文档编号相同；其中 {own} 个有运行在前 {k} 个结果中返回了该文档",
    ),
    "check.advice.query_is_id": (
        "Some tools drop results whose id is the query's; with plain numbers it means nothing.",
        "有些工具会去掉编号与查询相同的结果；若编号只是数字则无意义。",
    ),
    "check.finding.query_is_document": (
        "the text of {n} {n:query is|queries is} a document of the corpus, and for {returned} of "
        "them a run returns it in the first {k}",
        "{n} 个查询的文本就是文档集中的文档，其中 {returned} 个有运行在前 {k} 个结果中返回了它",
    ),
    "check.advice.query_is_document": (
        "Decide whether a query may find itself, and remove it from all runs or from none.",
        "请决定查询能否检索到自身，并对所有运行统一去除或保留。",
    ),
    "check.finding.unknown_queries": (
        "{n} {n:query id is|query ids are} not among the queries of the collection, {judged} of "
        "them judged",
        "{n} 个查询编号不在测试集的查询中，其中 {judged} 个有标注",
    ),
    "check.advice.unknown_queries": (
        "Repair the ids, or name the file that holds these queries.",
        "请修正编号，或指定包含这些查询的文件。",
    ),
    "check.finding.same_queries": (
        "{n} query {n:text comes|texts come} several times, {unequal} of them with different "
        "judgments",
        "{n} 个查询文本出现多次，其中 {unequal} 个的标注不同",
    ),
    "check.advice.same_queries": (
        "They count several times in every mean: keep one, and unite the judgments.",
        "它们在平均分中被重复计算：请保留一个并合并标注。",
    ),
    "check.finding.no_answer_suspect": (
        "{n} {n:query|queries} without a relevant document {n:has|have} unjudged documents in "
        "the first {k} of a run",
        "{n} 个没有相关文档的查询在某运行的前 {k} 个结果中有未标注文档",
    ),
    "check.advice.no_answer_suspect": (
        "Label these documents before counting a result as a false recall.",
        "请先标注这些文档，再把返回结果算作误召回。",
    ),
    "check.finding.queries_easy": (
        "{n} of {all} queries are answered perfectly by every run under {measure}",
        "{all} 个查询中有 {n} 个在 {measure} 下被所有运行完美回答",
    ),
    "check.advice.queries_easy": (
        "They tell no runs apart: add harder ones.",
        "它们无法区分运行：请加入更难的查询。",
    ),
    "check.finding.queries_hard": (
        "{n} of {all} queries have relevant documents and score 0 in every run under {measure}",
        "{all} 个查询中有 {n} 个有相关文档，却在所有运行中 {measure} 为 0",
    ),
    "check.advice.queries_hard": (
        "Look whether the labels are right and the documents can be found at all.",
        "请检查标注是否正确，文档是否可能被检索到。",
    ),
    "check.finding.queries_even": (
        "{n} of {all} queries have the same {measure} in every run",
        "{all} 个查询中有 {n} 个在所有运行中 {measure} 相同",
    ),
    "check.advice.queries_even": (
        "They do not tell these runs apart.",
        "它们无法区分这些运行。",
    ),
    "check.finding.near_across": (
        "{n} {n:pair|pairs} of near-duplicate queries {n:stands|stand} on two sides of a split",
        "{n} 对近似重复的查询分处划分的两侧",
    ),
    "check.advice.near_across": (
        "What is tuned on one side is tested on the same question: `cranfield split` keeps them "
        "together.",
        "在一侧调优就等于见过另一侧的问题：`cranfield split` 会把它们放在同一侧。",
    ),
    "check.finding.types_small": (
        "{n} query {n:type has|types have} so few judged queries that no test can reach p = "
        "{alpha}",
        "{n} 个查询类型的有标注查询太少，任何检验都达不到 p = {alpha}",
    ),
    "check.advice.types_small": (
        "Read them as examples: six queries that all agree are the least that a sign test needs.",
        "只能当作例子看：符号检验至少需要六个方向一致的查询。",
    ),
}
