"""How 33 judges by language models agree with people, and what labels as noisy as theirs do to the
order of real systems.

    python benchmarks/label_noise.py SHARED [--seeds 5] [--judges 6] [--only dl|covid]

SHARED is the folder of collections and runs (CRANFIELD_SHARED). Three tables on standard output:
agreement of each judge of the LLMJudge challenge (Rahmani et al. 2025) with the people of TREC DL
2023; the order of the runs of TREC DL 2019 (nDCG@10) and of TREC-COVID round 1 (nDCG@10; grades 2
and 3 of the judges made one) when the people's grades there are replaced by draws from each
judge's confusion matrices, the matrix of one random query a query.
"""

from __future__ import annotations

import argparse
import lzma
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from cranfield.data.run import Run
from cranfield.formats.readers import read_qrels, read_run
from cranfield.judging.agreement import labels_agree
from cranfield.judging.how import How
from cranfield.judging.noise import collapsed, orders_under_noise
from cranfield.judging.sets import label_set, paired
from cranfield.kit.progress import progress
from cranfield.report.grid import Grid
from cranfield.report.render import aligned
from cranfield.stats.agreement import confusion

SCALE = (0.0, 1.0, 2.0, 3.0)


@dataclass
class Judge:
    name: str
    found: Any
    tables: Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--judges", type=int, default=0, help="so many, from best to worst [all]")
    parser.add_argument("--only", choices=["dl", "covid"], help="one of the two orders")
    asked = parser.parse_args()
    judges = read_judges(asked.shared / "collections" / "llmjudge")
    print(aligned(agreement(judges)))
    chosen = spaced(judges, asked.judges or len(judges))
    seeds = range(asked.seeds)
    if asked.only != "covid":
        qrels, runs = dl_2019(asked.shared / "runs" / "packs")
        print(aligned(order_table("TREC DL 2019", chosen, qrels, runs, seeds, SCALE)))
    if asked.only != "dl":
        qrels, runs = covid(asked.shared / "runs" / "trec-covid-r1")
        for judge in chosen:
            judge.tables = collapsed(judge.tables, SCALE, {3.0: 2.0})
        print(aligned(order_table("TREC-COVID round 1", chosen, qrels, runs, seeds, SCALE[:3])))


def spaced(judges: list[Judge], n: int) -> list[Judge]:
    """n of them, the first and the last among them."""
    if n >= len(judges) or n < 2:
        return judges[: max(1, n)]
    return [judges[round(i * (len(judges) - 1) / (n - 1))] for i in range(n)]


def read_judges(folder: Path) -> list[Judge]:
    """By kappa, the best first; a grade off the scale is left out."""
    people = label_set(folder / "LLMJudge" / "data" / "llmjudge_test_qrel_idx.txt")
    judges = []
    for path in sorted((folder / "submissions" / "scores").glob("*.txt")):
        pairs = paired(people, label_set(path), scale=SCALE)
        found = labels_agree("people", path.stem, pairs, How(scale=SCALE), {}, ())
        judges.append(Judge(path.stem, found, confusion(pairs.a, pairs.b, SCALE, pairs.query)))
    return sorted(judges, key=lambda j: -(j.found["kappa"].value or 0))


def agreement(judges: list[Judge]) -> Grid:
    names = ("percent", "kappa", "kappa quadratic", "AC1", "alpha ordinal", "kappa by query")
    rows = []
    for judge in judges:
        kappa = judge.found["kappa"].interval
        rows.append(
            (
                judge.name,
                *(judge.found[name].value for name in names),
                f"[{kappa.low:.3f}, {kappa.high:.3f}]",
                judge.found["bias"].value,
                judge.found.relevant.kappa,
                judge.found.off_scale,
            )
        )
    columns = ("judge", *names, "kappa 95 %", "bias", "kappa of relevant", "off the scale")
    kinds = ("text", *("score",) * 6, "text", "signed", "score", "count")
    return Grid(columns, kinds, tuple(rows))


def order_table(
    title: str, judges: list[Judge], qrels: Any, runs: list[Run], seeds: range, scale: Any
) -> Grid:
    rows = []
    with progress(title, len(judges)) as advance:
        for judge in judges:
            found = list(orders_under_noise(qrels, runs, judge.tables, scale, seeds=list(seeds)))
            d = [o.differences for o in found]
            sure = d[0].kept + d[0].lost + d[0].reversed
            rows.append(
                (
                    judge.name,
                    judge.found["kappa"].value,
                    fmean(o.tau_b.value or 0 for o in found),
                    min(o.tau_b.value or 0 for o in found),
                    fmean(o.tau_ap_b.value or 0 for o in found),
                    fmean(o.top_tau_b.value or 0 for o in found),
                    fmean(o.top_tau_ap_b.value or 0 for o in found),
                    fmean(o.best_b == o.runs[0] for o in found),
                    fmean(x.kept for x in d) / sure,
                    fmean(x.lost for x in d) / sure,
                    fmean(x.reversed for x in d),
                    fmean(x.gained for x in d) / sure,
                )
            )
            advance(1)
    head = f"{title}: {len(runs)} runs, {len(seeds)} seeds, {sure} differences"
    columns = (
        *(head, "kappa", "tau_b", "least", "tau_AP,b", "top 10 tau_b", "top 10 tau_AP,b"),
        *("same best", "kept", "lost", "reversed (pairs)", "gained"),
    )
    kinds = ("text", *("score",) * 6, *("share",) * 3, "short", "share")
    return Grid(columns, kinds, tuple(rows))


def dl_2019(folder: Path) -> tuple[Any, list[Run]]:
    lists: dict[str, dict[str, dict[str, float]]] = {}
    with lzma.open(folder / "trec-dl-2019-passage.top100.tsv.xz", "rt") as lines:
        for line in lines:
            run, topic, rank, doc, score = line.rstrip("\n").split("\t")
            if rank != "rank":
                lists.setdefault(run, {}).setdefault(topic, {})[doc] = float(score)
    qrels = read_qrels(folder / "trec-dl-2019-passage.qrels.txt")
    return qrels, [Run.from_dict(run, name=name) for name, run in sorted(lists.items())]


def covid(folder: Path) -> tuple[Any, list[Run]]:
    """The runs in memory, cut at rank 20, which is all that nDCG@10 needs and quick to score."""
    runs = []
    for path in sorted((folder / "runs").iterdir()):
        run = read_run(path, on_duplicate="first")
        keep = run.ranks() <= 20
        runs.append(
            Run(run.queries, run.query[keep], run.docs.take(keep), run.score[keep], name=run.name)
        )
    return read_qrels(folder / "qrels.covid-round1.txt", on_duplicate="first"), runs


if __name__ == "__main__":
    main()
