"""Is the second system better, and on which queries: python examples/05_compare.py"""

import cranfield
from cranfield.demo import collection
from cranfield.report.language import words
from cranfield.report.remarks import in_words, sentences
from cranfield.retrieval.system import retrieve

bundled = collection()
assert bundled.documents is not None
scan, terms = (
    retrieve(cranfield.system(name, documents=bundled.documents()), bundled.queries)
    for name in ("scan", "terms")
)
found = cranfield.compare(bundled, scan, terms, ["nDCG@10", "AP"], by="type", top=2)

english = words("en")
for sentence in sentences(found, english):
    print(sentence)

print(f"\n{'type':12} {'n':>2} {'difference':>10}  verdict")
for row in found.slices:
    if row.measure == "nDCG@10" and row.slice is not None:
        print(f"{row.slice[1]:12} {row.n:2} {row.difference:+10.4f}  {row.verdict.kind}")

print()
for caution in found.cautions:
    print("-", in_words(caution, english))

for change in found.changes:
    print(f"\n{change.query} {change.text}: {change.base_value:.4f} -> {change.value:.4f}")
    for result in change.results[:3]:
        print(f"  {result.rank}. [{result.grade:g}] {result.title}")
