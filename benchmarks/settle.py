"""How many labels settle which of two runs is better, on TREC-COVID round 1 with hidden labels.

    python benchmarks/settle.py SHARED --pairs 8 --seed 0

Pairs of runs are drawn at random. Each starts with no label; the document that can change most is
labelled with its grade in the TREC judgments (0 where TREC has none), until no grades of what is
left could turn the answer ("certain"), or until the chance of one answer is 0.95 ("probable").
Beside it stand the pool of the two runs, which is what labelling them to the same depth takes, and
the same rule with documents in the order of their ranks.
"""

from __future__ import annotations

import argparse
import itertools
import random
from pathlib import Path
from statistics import fmean

import numpy as np

from cranfield import read_qrels, read_run
from cranfield.data.run import Run
from cranfield.evaluation.holes import grades_of, levels_of
from cranfield.evaluation.lists import top_of
from cranfield.judging.contest import Contest
from cranfield.judging.settling import settle
from cranfield.kit.progress import progress
from cranfield.measures import parse
from cranfield.report.grid import Grid
from cranfield.report.render import render
from cranfield.scan.lines import Lines

MEASURES = ("nDCG@10", "P@10", "AP@10", "P@20", "AP@20", "P@50", "AP@50", "P@100", "AP@100")
LEVEL = 0.95


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--measures", nargs="*", default=MEASURES)
    asked = parser.parse_args()
    folder = asked.shared / "runs" / "trec-covid-r1"
    qrels = read_qrels(folder / "qrels.covid-round1.txt", on_duplicate="first")
    names = sorted(path.name for path in (folder / "runs").iterdir())
    pairs = random.Random(asked.seed).sample(list(itertools.combinations(names, 2)), asked.pairs)
    wanted = sorted({name for pair in pairs for name in pair})
    lists = {
        name: lists_of(read_run(folder / "runs" / name, on_duplicate="first")) for name in wanted
    }
    rows = []
    with progress("settling", len(asked.measures) * len(pairs)) as advance:
        for text in asked.measures:
            found = []
            for base, run in pairs:
                found.append(settled(lists[base], lists[run], qrels, text, asked.seed))
                advance(1)
            rows.append((text, *map(fmean_or_none, zip(*found, strict=True))))
            print(render(grid(rows, asked), "table").decode(), flush=True)


def fmean_or_none(values: tuple[float | None, ...]) -> float | None:
    there = [v for v in values if v is not None]
    return fmean(there) if there else None


def grid(rows: list[tuple[object, ...]], asked: argparse.Namespace) -> Grid:
    columns = (
        *(f"{asked.pairs} pairs", "pool", "certain", "share", "by rank", "share", "same answer"),
        *("probable", "share", "same answer"),
    )
    kinds = ("text", "short", *("short", "share") * 2, "share", "short", "share", "share")
    return Grid(columns, kinds, tuple(rows))  # type: ignore[arg-type]


def lists_of(run: Run) -> dict[str, list[str]]:
    return {q: [doc for doc, _ in docs] for q, docs in top_of(Lines.from_run(run), 100).items()}


def settled(
    base: dict[str, list[str]], run: dict[str, list[str]], qrels: object, text: str, seed: int
) -> tuple[float | None, ...]:
    """Labels by each way, as numbers and as shares of the pool, and whether the answers are that
    of the whole pool."""
    truth = grades_of(qrels)  # type: ignore[arg-type]

    def start() -> Contest:
        measure = parse(text).resolve(2)
        return Contest(base, run, {}, measure, levels_of(qrels, 2), list(truth))  # type: ignore[arg-type]

    def judge(query: str, doc: str) -> float:
        return truth[query].get(doc, 0.0)

    whole = start()
    by_rank = list(
        dict.fromkeys(
            (t.query, docs[d])
            for d in range(100)
            for t in whole.topics
            for docs in t.lists
            if d < len(docs)
        )
    )
    pool = whole.holes
    certain = settle(whole, judge)
    ranked = settle(start(), judge, order=by_rank)
    likely = settle(start(), judge, rule="probable", level=LEVEL, seed=seed)
    full = start()
    for topic in full.topics:
        for doc in list(topic.names):
            full.record(topic.query, doc, judge(topic.query, doc))
    n, r, p = (len(c.labels) for c in (certain, ranked, likely))
    assert full.answer is not None
    return (
        *(pool, n, n / pool, r, r / pool, float(certain.answer == full.answer)),
        *(p, p / pool, float(likely.answer == full.answer)),
    )


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
