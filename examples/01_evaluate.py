"""Score two runs against judgments: python examples/01_evaluate.py"""

import cranfield
from cranfield.demo import collection
from cranfield.retrieval.system import retrieve

bundled = collection()  # 64 documents, 30 queries, every pair judged from 0 to 3
assert bundled.documents is not None

# The same search system twice: once a document must hold all words of the query, once any.
runs = {
    match: retrieve(
        cranfield.system("scan", documents=bundled.documents(), match=match), bundled.queries
    )
    for match in ("all", "any")
}
scores = cranfield.evaluate(bundled, runs, ["nDCG@10", 'nDCG(gain="exp")@10', "AP", "RR@10"])
print(scores)

for name, report in zip(scores.runs, scores.reports, strict=True):
    answerable = scores.mean("nDCG@10", name, over="answerable")
    print(
        f"{name}: nDCG@10 over the answerable queries {answerable:.4f}, "
        f"judged@{scores.k} {report.judged:.4f}, {len(report.empty)} queries answered with nothing"
    )
