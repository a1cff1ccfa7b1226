"""False negatives where the truth is known: labels thinned to one relevant document a query.

    python benchmarks/holes.py SHARED [--runs 5] [--sample 200] [--draws 500] [--seed 0]

SHARED is the folder of collections and runs (CRANFIELD_SHARED). Of the judgments of TREC DL 2019
(relevant from grade 2 on, as the track counts) and of TREC-COVID round 1 (from 1 on) one relevant
document a query is kept, drawn by the seed, as in a collection that labels what somebody clicked.
What the runs return among their first 10 and that has lost its label are the holes, and the hidden
judgments are the judge who looks at them: at all of them, which gives the true share of relevant
ones, and at samples, which is what a team can pay for. Runs are drawn by the seed too.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from statistics import fmean
from typing import Any

from label_noise import covid, dl_2019

from cranfield import evaluate
from cranfield.data.qrels import Qrels
from cranfield.judging.filled import Filled, filled
from cranfield.judging.sets import LabelSet
from cranfield.kit.progress import progress
from cranfield.report.grid import Grid
from cranfield.report.render import aligned
from cranfield.stats.intervals import wilson

Grades = dict[str, dict[str, float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sample", type=int, default=200, help="holes that are looked at")
    parser.add_argument("--draws", type=int, default=500, help="samples")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    folder = asked.shared / "runs"
    for title, (qrels, runs), rel in (
        ("TREC DL 2019", dl_2019(folder / "packs"), 2.0),
        ("TREC-COVID round 1", covid(folder / "trec-covid-r1"), 1.0),
    ):
        show(title, qrels, runs, rel, asked)


def show(title: str, qrels: Qrels, runs: list[Any], rel: float, asked: argparse.Namespace) -> None:
    rng = random.Random(asked.seed)
    chosen = [runs[i] for i in sorted(rng.sample(range(len(runs)), asked.runs))]
    full = {q: {d: g for d, g in own.items() if g >= 0} for q, own in qrels.to_dict().items()}
    thin = thinned(full, rel, rng)
    found = filled(as_qrels(thin), chosen, LabelSet("hidden", as_qrels(full)), rel=rel)
    print(
        f"\n{title}: {len(thin)} queries with one label each; {found.holes} holes in the first "
        f"{found.k} of {len(chosen)} runs, {found.graded} of them with a hidden label\n"
        f"true share of relevant ones: {found.relevant} of {found.graded}, {found.share:.3f}"
    )
    print(recovered(found, full, thin, chosen, rel, rng, asked))
    print(aligned(scores(found, full, chosen, rel)))


def thinned(full: Grades, rel: float, rng: random.Random) -> Grades:
    """One relevant document of each query that has any."""
    relevant = {q: sorted(d for d, g in own.items() if g >= rel) for q, own in full.items()}
    return {q: {rng.choice(docs): 1.0} for q, docs in sorted(relevant.items()) if docs}


def as_qrels(grades: Grades) -> Qrels:
    return Qrels.from_rows([(q, d, g) for q, own in grades.items() for d, g in own.items()])


def recovered(
    found: Filled,
    full: Grades,
    thin: Grades,
    runs: list[Any],
    rel: float,
    rng: random.Random,
    asked: argparse.Namespace,
) -> str:
    """What a sample says: the first as `judge holes` shows it, then how often the interval holds
    the true share, over many."""
    from cranfield.evaluation.lists import result_lists
    from cranfield.formats.readers import open_run

    holes = {
        (q, doc)
        for run in runs
        for q, rows in result_lists(open_run(run), list(thin), found.k).items()
        for doc, _ in rows
        if doc not in thin[q] and doc in full[q]
    }
    pairs = sorted(holes)
    assert len(pairs) == found.graded
    n = min(asked.sample, len(pairs))
    some: Grades = {}
    for q, d in rng.sample(pairs, n):
        some.setdefault(q, {})[d] = full[q][d]
    one = filled(as_qrels(thin), runs, LabelSet("sample", as_qrels(some)), rel=rel)
    hits, shares = 0, []
    with progress("drawing", asked.draws) as advance:
        for _ in range(asked.draws):
            count = sum(full[q][d] >= rel for q, d in rng.sample(pairs, n))
            interval = wilson(count, n)
            hits += (interval.low or 0) <= found.share <= (interval.high or 1)
            shares.append(count / n)
            advance(1)
    low, high = one.interval.low or 0, one.interval.high or 0
    return (
        f"by {n} labels: {one.relevant} of {one.graded}, {one.share:.3f} [{low:.3f}, {high:.3f}]; "
        f"over {asked.draws} samples mean {fmean(shares):.3f}, "
        f"{hits / asked.draws:.1%} of the intervals hold the true share"
    )


def scores(found: Filled, full: Grades, runs: list[Any], rel: float) -> Grid:
    """nDCG@10 of each run, relevant or not, before, after, and by the judgments as they were."""
    kept = {q: {d: float(g >= rel) for d, g in own.items()} for q, own in full.items()}
    known = as_qrels({q: kept[q] for q in found.before.queries})
    whole = evaluate(known, runs, "nDCG@10").means()
    before, after = found.before.means(), found.after.means()
    rows = [
        (
            r.run,
            *(r.holes, r.graded, r.relevant, r.relevant / r.graded if r.graded else None),
            *(table[r.run]["nDCG@10"] for table in (before, after, whole)),
        )
        for r in found.runs
    ]
    columns = ("run", "holes", "graded", "relevant", "share", "before", "after", "full judgments")
    kinds = ("text", *("count",) * 3, "share", *("score",) * 3)
    return Grid(columns, kinds, tuple(rows))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
