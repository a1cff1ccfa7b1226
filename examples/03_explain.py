"""Where a query lost its score, rank by rank: python examples/03_explain.py"""

import cranfield
from cranfield.demo import collection
from cranfield.report.explained import as_text
from cranfield.retrieval.system import retrieve

bundled = collection()
assert bundled.documents is not None
run = retrieve(cranfield.system("scan", documents=bundled.documents()), bundled.queries)
scores = cranfield.evaluate(bundled, run, "nDCG@10")

# The query that has an answer, got a result, and scored least.
by_query = scores.per_query()
query = min((q for q in by_query if by_query[q] > 0), key=by_query.__getitem__)

found = cranfield.explain(bundled.qrels, run, query, "nDCG@10")
print(as_text(found))

if found.worst is not None:  # the same as data
    print(f"rank {found.worst.rank} cost {found.worst.loss:.4f} of DCG")
