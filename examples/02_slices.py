"""Which type of query got better, which got worse: python examples/02_slices.py"""

import cranfield
from cranfield.demo import collection
from cranfield.retrieval.system import retrieve

bundled = collection()  # each query has a `type` and a `lang`
assert bundled.documents is not None
runs = {
    match: retrieve(
        cranfield.system("scan", documents=bundled.documents(), match=match), bundled.queries
    )
    for match in ("all", "any")
}
scores = cranfield.evaluate(bundled, runs, "nDCG@10")

print(f"{'type':12} {'n':>3} {'all':>8} {'any':>8}")
for label, mask in scores.by("type").items():
    (before, n), (after, _) = (scores.summary(run, 0, mask) for run in range(2))
    print(f"{label:12} {n:3} {before:8.4f} {after:8.4f}")

before, after = (scores.per_query("nDCG@10", run) for run in ("all", "any"))
worse = [query for query in before if after[query] < before[query]]
print(f"\n{len(worse)} of {len(before)} queries got worse: {', '.join(worse)}")
