"""The sentences of topics and of overlap, English and Chinese side by side."""

from __future__ import annotations

TEXT: dict[str, tuple[str, str]] = {
    "topics.title": ("Topics of {collection}", "{collection} 的主题"),
    "topics.proposed": (
        "{n} {n:topic|topics} proposed for {queries} {queries:query|queries}, from their texts and "
        "{documents} relevant {documents:document|documents}",
        "根据 {queries} 个查询的文本及 {documents} 篇相关文档，提出 {n} 个主题",
    ),
    "topics.given": (
        "{queries} {queries:query|queries} by the field {field}: {n} {n:topic|topics}",
        "按字段 {field} 划分 {queries} 个查询：{n} 个主题",
    ),
    "topics.unplaced": (
        "{n} {n:query|queries} without a topic ({reason}): {some}",
        "{n} 个查询没有主题（{reason}）：{some}",
    ),
    "topics.unplaced.proposed": (
        "no term in common with another query",
        "与其他查询没有共同的词",
    ),
    "topics.unplaced.given": ("no label, or no text", "没有标签或没有文本"),
    "topics.bare": (
        "{n} {n:query has|queries have} no relevant document that could be read: placed by the "
        "query's text alone",
        "{n} 个查询没有可读的相关文档：只按查询文本归类",
    ),
    "topics.missing": (
        "{n} relevant {n:document is|documents are} not in the corpus",
        "{n} 篇相关文档不在文档集中",
    ),
    "topics.blind": (
        "{n} {n:topic has|topics have} too few judged queries to see anything: no sign or "
        "randomisation test can reach p = 0.05 ({some})",
        "{n} 个主题的已标注查询太少，什么也看不出来：任何符号检验或随机化检验都达不到 "
        "p = 0.05（{some}）",
    ),
    "topics.small": (
        "{n} {n:topic shows|topics show} large effects only (d_z above 0.8): places to look, "
        "not verdicts ({some})",
        "有 {n} 个主题只能看出大的效应（d_z 大于 0.8）：可以用来找问题，不能下结论（{some}）",
    ),
    "topics.terms": ("Characteristic terms and examples", "特征词与示例"),
    "topics.numbers": ("Numbers of topics compared", "比较过的主题数"),
    "topics.rule": (
        "k-means on {dimensions} dimensions, seed {seed}. The number of topics is the smallest "
        "whose mean silhouette lies within one standard error of the greatest.",
        "在 {dimensions} 维上做 k-means，种子 {seed}。主题数取平均轮廓系数与最大值相差不超过"
        "一个标准误的最小者。",
    ),
    "topics.rule.asked": (
        "k-means on {dimensions} dimensions, seed {seed}; {k} topics were asked for.",
        "在 {dimensions} 维上做 k-means，种子 {seed}；主题数 {k} 由用户指定。",
    ),
    "topics.weak": (
        "The mean silhouette is {value:.2f}: the topics run into one another (below 0.25 there is "
        "no substantial structure, Kaufman & Rousseeuw 1990)",
        "平均轮廓系数为 {value:.2f}：主题之间界限不清（低于 0.25 表示没有明显结构，"
        "Kaufman 和 Rousseeuw 1990）",
    ),
    "topics.column.topic": ("topic", "主题"),
    "topics.column.queries": ("queries", "查询数"),
    "topics.column.judged": ("judged", "有标注"),
    "topics.column.share": ("share", "占比"),
    "topics.column.smallest_p": ("smallest p", "最小 p"),
    "topics.column.shows": ("shows d_z", "可检出 d_z"),
    "topics.column.terms": ("terms", "特征词"),
    "topics.column.examples": ("examples", "示例"),
    "topics.column.k": ("topics", "主题数"),
    "topics.column.silhouette": ("silhouette", "轮廓系数"),
    "topics.column.error": ("standard error", "标准误"),
    "overlap.title": ("Collections by their nearness to {mine}", "与 {mine} 的接近程度"),
    "overlap.has": (
        "{documents} {documents:document|documents}, {queries} {queries:query|queries}, {scripts}",
        "{documents} 篇文档，{queries} 个查询，{scripts}",
    ),
    "overlap.same": ("every figure is that of", "各数值的样本量"),
    "overlap.same.value": (
        "{documents} documents and {queries} queries of each collection",
        "每个集合 {documents} 篇文档、{queries} 个查询",
    ),
    "overlap.halves": ("two halves of yours come to", "你自己的两半之间"),
    "overlap.halves.value": (
        "{value:.4f} ({documents} documents and {queries} queries each)",
        "{value:.4f}（各 {documents} 篇文档、{queries} 个查询）",
    ),
    "overlap.analyzer": ("analyzer", "分析器"),
    "overlap.seed": ("seed", "种子"),
    "overlap.nearest": (
        "{name} is the nearest: {value:.4f} (95% interval {low:.4f} to {high:.4f}); the nearest in "
        "{share} of the samples of your queries",
        "最接近的是 {name}：{value:.4f}（95% 区间 {low:.4f} 至 {high:.4f}）；"
        "在 {share} 的查询重抽样中最接近",
    ),
    "overlap.only": (
        "{name}: {value:.4f} (95% interval {low:.4f} to {high:.4f})",
        "{name}：{value:.4f}（95% 区间 {low:.4f} 至 {high:.4f}）",
    ),
    "overlap.none": (
        "No collection is in the language of yours: none can be ranked",
        "没有与你的集合同一语言的集合，无法排序",
    ),
    "overlap.undecided": (
        "Which of {names} is nearer depends on the queries: their intervals overlap",
        "{names} 哪个更接近取决于查询：它们的区间重叠",
    ),
    "overlap.other": (
        "{name} is in another script, and so in another language ({theirs}; yours: {mine}): what "
        "is shared are numbers and names, and the figures say nothing of its topics. It is not "
        "ranked",
        "{name} 是另一种文字，因而是另一种语言（{theirs}；你的：{mine}）：共有的只是数字和专名，"
        "数值不能说明主题是否接近，因此不参与排序",
    ),
    "overlap.partly": (
        "{name} shares only a part of your languages ({theirs}; yours: {mine}): its figures are "
        "low for that reason too",
        "{name} 只与你的集合有部分相同的语言（{theirs}；你的：{mine}）：数值偏低也有这个原因",
    ),
    "overlap.unlike": (
        "{name} has hardly any of your most frequent words: it may be in another language of the "
        "same script, and its figures low for that reason",
        "{name} 几乎没有你最常用的词：可能是同一种文字的另一种语言，数值偏低或因此而来",
    ),
    "overlap.small": (
        "{names}: fewer documents or queries than the others are taken at; the figures are lower "
        "for that",
        "{names}：文档或查询少于其他集合的取样数，数值因此偏低",
    ),
    "overlap.cut": (
        "{n} documents of the samples were read up to 2000 characters",
        "样本中有 {n} 篇文档只读了前 2000 个字符",
    ),
    "overlap.empty": ("{n} {n:document|documents} without text", "{n} 篇文档没有文本"),
    "overlap.sampled": (
        "{name}: {documents} of {all_documents} documents and {queries} of {all_queries} queries, "
        "drawn by a hash of their ids",
        "{name}：从 {all_documents} 篇文档中抽取 {documents} 篇，从 {all_queries} 个查询中抽取 "
        "{queries} 个（按 id 的散列值）",
    ),
    "overlap.what": (
        "nearness: mean of queries and documents, which are cosines of the mean tf-idf vectors of "
        "both collections' queries and documents; nearest: mean cosine of your queries to "
        "the nearest document there; coverage: "
        "share of the idf of your queries' terms that occur there; Jaccard: weighted, of term "
        "shares; JSD: Jensen-Shannon divergence of these in bits, 0 is the nearest; first: share "
        "of the samples of your queries in which it is the nearest",
        "nearness：queries 与 documents 的平均；"
        "queries、documents：查询、文档的平均 tf-idf 向量的余弦；"
        "nearest：你的查询与其最近文档的余弦的平均；coverage：你的查询词的 idf 中出现在其文档里"
        "的比例；Jaccard：词频占比的加权 Jaccard；JSD：词频占比的 Jensen-Shannon 散度（比特），"
        "0 为最接近；first：在查询重抽样中它最接近的比例",
    ),
    "overlap.language.same": ("same", "相同"),
    "overlap.language.partly": ("in part", "部分相同"),
    "overlap.language.unlike": ("unlike", "疑似不同"),
    "overlap.language.other": ("another", "不同"),
    "overlap.column.rank": ("rank", "名次"),
    "overlap.column.collection": ("collection", "集合"),
    "overlap.column.nearness": ("nearness", "nearness"),
    "overlap.column.low": ("low", "下限"),
    "overlap.column.high": ("high", "上限"),
    "overlap.column.first": ("first", "first"),
    "overlap.column.queries": ("queries", "queries"),
    "overlap.column.documents": ("documents", "documents"),
    "overlap.column.nearest": ("nearest", "nearest"),
    "overlap.column.coverage": ("coverage", "coverage"),
    "overlap.column.jaccard": ("Jaccard", "Jaccard"),
    "overlap.column.divergence": ("JSD", "JSD"),
    "overlap.column.language": ("language", "语言"),
}
