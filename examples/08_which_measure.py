"""Which measure tells the systems apart: python examples/08_which_measure.py"""

import cranfield
from cranfield.demo import collection
from cranfield.metaeval.methods import methods
from cranfield.metaeval.recommend import recommend
from cranfield.report.advised import in_words
from cranfield.report.language import words
from cranfield.retrieval.system import retrieve

bundled = collection()
assert bundled.documents is not None
runs = {}
for analyzer in ("whitespace", "english", "cjk-unigram", "cjk-bigram", "mixed"):
    for b in (0.1, 0.9):
        system = cranfield.system("bm25", documents=bundled.documents(), analyzer=analyzer, b=b)
        runs[f"{analyzer}-{b}"] = retrieve(system, bundled.queries)

found = cranfield.study(bundled, runs, ["nDCG@10", "AP", "P@5"], resamples=200, repeats=10)
(condition,) = found.conditions
table = condition.discrimination
print(f"{table.runs} runs, {table.pairs} pairs, {table.queries} queries")
for measure in table.measures:
    print(f"{measure:8} {table.at(measure, 0.05):7.2%} at 0.05, {table.at(measure):7.2%} overall")

more = methods(condition.matrix, ["agreement", "error"])
assert more.agreement is not None
advice = recommend(condition, more.agreement.tau, [r.by_sets for r in more.reliability])
print(f"\ndecide by {advice.decide}, {'settled' if advice.settled else 'not settled'}:")
for reason in advice.reasons:
    print("-", in_words(reason, words("en")))
