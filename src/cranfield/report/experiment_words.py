"""The sentences of an experiment, English and Chinese side by side."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "experiment.title": ("Experiment", "实验"),
    "experiment.head": (
        "{runs} {runs:run|runs} on {collections} {collections:collection|collections}: up to {k} "
        "documents a query, seed {seed}",
        "{collections} 个集合上的 {runs} 个运行：每个查询最多 {k} 个文档，随机种子 {seed}",
    ),
    "experiment.collections": ("Collections", "集合"),
    "experiment.results": ("{measure} and judge rate at {k}", "{measure} 与前 {k} 的标注率"),
    "experiment.differences": ("Differences", "差异"),
    "experiment.averages": ("Averages over collections", "跨集合平均"),
    "experiment.not_carried_out": ("Not carried out: {n}", "未完成：{n}"),
    "experiment.failed_cell": ("{collection}, {run}: {why}", "{collection}，{run}：{why}"),
    "experiment.incomplete": ("With queries that failed: {n}", "有查询失败：{n}"),
    "experiment.incomplete_cell": (
        "{collection}, {run}: {n} of {of} queries failed, and the same command asks them again; "
        "they score 0 until then",
        "{collection}，{run}：{of} 个查询中 {n} 个失败，再次运行同一命令会重新提问；"
        "在此之前按 0 分计",
    ),
    "experiment.column.collection": ("collection", "集合"),
    "experiment.column.task": ("task", "任务"),
    "experiment.column.domain": ("domain", "领域"),
    "experiment.column.documents": ("documents", "文档数"),
    "experiment.column.queries": ("queries", "查询数"),
    "experiment.column.judged": ("judged queries", "有标注的查询"),
    "experiment.column.positive": ("positive pairs", "正例对"),
    "experiment.column.negative": ("negative pairs", "负例对"),
    "experiment.column.positive_per_query": ("positive a query", "每查询正例"),
    "experiment.column.negative_per_query": ("negative a query", "每查询负例"),
    "experiment.column.asked": ("asked", "实际提问"),
    "experiment.column.system": ("retriever", "检索器"),
    "experiment.column.run": ("run", "运行"),
    "experiment.column.n": ("queries", "查询数"),
    "experiment.column.judge_rate": ("judge rate", "标注率"),
    "experiment.column.open": ("left open", "未定范围"),
    "experiment.open.nothing": ("nothing", "无"),
    "experiment.open.unknown": ("unknown", "未知"),
    "experiment.open": (
        "Left open: between which values the mean lies, whatever the documents without a judgment "
        "among those that {measure} reads turn out to be (closed world: no others become "
        "relevant). That is about the labels, the interval is about the choice of queries.",
        "未定范围：无论 {measure} 所读结果中未标注的文档实际如何，均值都在其间"
        "（封闭世界：此外没有新的相关文档）。它来自标注的缺失，区间则来自查询的抽样。",
    ),
    "experiment.open.without": (
        "Unknown: no bounds are known for {measure}, or they take long; cranfield evaluate "
        "--bounds closed has those that there are.",
        "未知：{measure} 没有已知的界，或计算太久；能算的可用 cranfield evaluate --bounds closed。",
    ),
    "experiment.open.outer": (
        "The bounds of {measure} are outer ones: wider than need be.",
        "{measure} 的界是外界，比实际需要更宽。",
    ),
    "experiment.column.against": ("against", "对比"),
    "experiment.column.base": ("its mean", "其均值"),
    "experiment.column.of": ("of", "范围"),
    "experiment.column.collections_n": ("collections", "集合数"),
    "experiment.column.base_same": ("retriever, same queries", "检索器（相同查询）"),
    "experiment.column.verdicts": ("verdicts by collection", "各集合的结论"),
    "experiment.column.state": ("state", "状态"),
    "experiment.column.file": ("run file", "运行文件"),
    "experiment.interval": (
        "In brackets: {level} intervals of the means over queries (Student's t).",
        "方括号内为均值的 {level} 区间（按查询，学生氏 t）。",
    ),
    "experiment.judge_rate": (
        "Judge rate at {k}, as Elastic computes it for BEIR: for every query with at least one "
        "returned document, the number of its first {k} documents that have any row in the qrels, "
        "divided by the smaller of {k} and the number returned; the mean over those queries. An "
        "unjudged document counts as not relevant. Where the judge rate falls after reranking, "
        "documents that nobody judged have moved up, and the score may be too low for that alone.",
        "前 {k} 的标注率（Elastic 评测 BEIR 的算法）：对每个至少返回一个文档的查询，"
        "取其前 {k} 个文档中在 qrels 里有任意一行的数目，除以 {k} 与返回数中较小者，"
        "再对这些查询取平均。"
        "未标注的文档按不相关计。若重排后标注率下降，说明无人标注的文档被提前，"
        "得分可能仅因此而偏低。",
    ),
    "experiment.shallow": (
        "{runs}: no more than the first {k} documents are put in a new order, so that the judge "
        "rate at {k} cannot change.",
        "{runs}：只重排不超过前 {k} 个文档，因此前 {k} 的标注率不会变化。",
    ),
    "experiment.column.labels": ("labels", "标注"),
    "experiment.labels.open": ("leave it open", "不能判定"),
    "experiment.labels.decided": ("decide it", "足以判定"),
    "experiment.labels": (
        "Labels: whether the documents of the two runs that nobody judged could turn the "
        "difference round, whatever the verdict over queries says (closed world; cranfield check "
        "lists them); empty where all is judged or nobody looked.",
        "标注：无论检验结论如何，两个运行中未标注的文档是否足以使差异反转"
        "（封闭世界；cranfield check 列出这些文档）；空白表示全部已标注，或没有考察。",
    ),
    "experiment.families": (
        "Retrievers are held against the first one, rerankers against their retriever on the same "
        "queries ({test} test). What stands against one base on the same queries is corrected "
        "together ({correction}); nothing is corrected across collections, so of many collections "
        "some differences will look real by chance.",
        "检索器与第一个检索器比较，重排器与其检索器在相同查询上比较（{test} 检验）。"
        "在相同查询上与同一基准的比较一起校正（{correction}）；集合之间不做校正，"
        "因此集合多时，会有一些差异只是碰巧显著。",
    ),
    "experiment.textless": (
        "{collection}: {n} judged queries have no text in the collection and are not asked",
        "{collection}：{n} 个有标注的查询没有文本，不提问",
    ),
    "experiment.lacking": (
        "{collection}: {n} documents with a grade above 0 are not in the corpus, so no system can "
        "find them",
        "{collection}：{n} 个相关文档不在文档集中，任何系统都找不到",
    ),
    "experiment.below": (
        "{collection}: {n} pairs have a grade below 0 (pooled, not judged); they count for the "
        "judge rate and for nothing else",
        "{collection}：{n} 对的等级低于 0（入池但未标注）；只计入标注率",
    ),
    "experiment.no_negatives": (
        "{collections}: no pair is judged not relevant, so judged means relevant there, and the "
        "judge rate can be no higher than the share of relevant documents",
        "{collections}：没有负例标注，因此“有标注”就是“相关”，标注率不会高于相关文档的比例",
    ),
    "experiment.all": ("all collections", "全部集合"),
    "experiment.task": ("task: {name}", "任务：{name}"),
    "experiment.group": ("group: {name}", "组：{name}"),
    "experiment.without": ("{scope}, {run}: without {names}", "{scope}，{run}：缺少 {names}"),
    "experiment.group_note": (
        "The means of the collections of a group are averaged to one number first, which then "
        "counts as one collection, as BEIR does with the twelve of CQADupStack (Thakur et al. "
        "2021): {groups}.",
        "同组集合的均值先平均为一个数，再按一个集合计，与 BEIR 对 CQADupStack 十二个子集的做法相同"
        "（Thakur 等，2021）：{groups}。",
    ),
    "experiment.mislead": ("An average over collections can mislead", "跨集合平均可能误导"),
    "experiment.mislead.weight": (
        "It counts a collection of {fewest} queries as much as one of {most}, and a difference of "
        "0.01 on an easy collection as much as on a hard one.",
        "它把 {fewest} 个查询的集合与 {most} 个查询的集合同等看待，"
        "也把容易集合与困难集合上 0.01 的差异同等看待。",
    ),
    "experiment.mislead.sample": (
        "The collections are the ones that were at hand and no sample of anything, so it has no "
        "interval here; another choice of collections gives another winner.",
        "这些集合只是手头所有，并非抽样，因此这里不给区间；换一批集合，胜者可能不同。",
    ),
    "experiment.mislead.hides": (
        "{run}: better than {base} on {better} of {n} collections, worse on {worse}, undecided or "
        "equivalent on the others; its average difference is {difference}.",
        "{run}：在 {n} 个集合中的 {better} 个上好于 {base}，{worse} 个上更差，其余无法判断或等效；"
        "平均差值为 {difference}。",
    ),
    "experiment.mislead.read": (
        "Each collection stands alone in the tables above: read those first.",
        "上面的表格逐个列出每个集合：请先看它们。",
    ),
    "experiment.chart": ("{measure}: run less its base", "{measure}：运行减去其基准"),
    "experiment.state.to do": ("to do", "待做"),
    "experiment.state.begun": ("begun", "已开始"),
    "experiment.state.waits": ("waits for its retriever", "等待其检索器"),
    "experiment.state.cached": ("there", "已有"),
    "experiment.state.made": ("made", "已完成"),
    "experiment.state.incomplete": ("queries failed", "有查询失败"),
    "experiment.state.failed": ("fails: {why}", "失败：{why}"),
    "experiment.counts": (
        "{n} {n:cell|cells}: {made} made, {cached} there already, {incomplete} with queries "
        "that failed, {failed} failed",
        "{n} 个单元：新做 {made}，已有 {cached}，有查询失败 {incomplete}，失败 {failed}",
    ),
    "experiment.dry": (
        "{n} {n:cell|cells}: {todo} to do, {cached} there already, {failed} fail",
        "{n} 个单元：待做 {todo}，已有 {cached}，失败 {failed}",
    ),
    "experiment.cell": ("[{number}/{of}] {collection} {run}", "[{number}/{of}] {collection} {run}"),
    "remark.experiment.recorded": (
        "{n} {n:evaluation|evaluations} recorded, @{first} to @{last}",
        "已记录 {n} 次评测：@{first} 到 @{last}",
    ),
}
