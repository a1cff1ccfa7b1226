"""Time reading and scoring a run against pytrec_eval, in one process after another.

    python benchmarks/evaluate.py                 runs of 10 000, 100 000 and 1 000 000 rows
    python benchmarks/evaluate.py 10000000        one run of that many rows

Every time is the best of a few fresh processes, from files on the disk to values in memory, without
the start of Python and its imports. pytrec_eval reads with its own parse functions.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DEPTH, JUDGED = 1000, 300  # documents returned and judged for a query
MEASURES = {"map", "ndcg", "ndcg_cut_10", "P_10", "recall_100", "recip_rank"}


def generate(folder: Path, rows: int) -> tuple[Path, Path]:
    """(qrels, run) of `rows` returned documents, always the same for one number."""
    chance = random.Random(rows)
    qrels, run = folder / f"{rows}.qrels", folder / f"{rows}.run"
    with qrels.open("w") as judged, run.open("w") as returned:
        for query in range(1, max(1, rows // DEPTH) + 1):
            docs = chance.sample(range(10_000_000), DEPTH + JUDGED // 2)
            for doc in docs[DEPTH - JUDGED // 2 :]:
                judged.write(f"{query} 0 doc{doc:08} {chance.choice((0, 0, 0, 1, 2))}\n")
            scores = sorted((chance.uniform(0, 30) for _ in range(DEPTH)), reverse=True)
            chance.shuffle(docs)
            for rank, (doc, score) in enumerate(zip(docs, scores, strict=False), 1):
                returned.write(f"{query} Q0 doc{doc:08} {rank} {score:.6f} generated\n")
    return qrels, run


def cranfield(qrels: str, run: str, threads: int) -> float:
    from cranfield import evaluate

    begun = time.perf_counter()
    evaluate(qrels, run, sorted(MEASURES), threads=threads)
    return time.perf_counter() - begun


def pytrec(qrels: str, run: str) -> float:
    import pytrec_eval

    begun = time.perf_counter()
    with open(qrels) as file:
        judged = pytrec_eval.parse_qrel(file)
    with open(run) as file:
        returned = pytrec_eval.parse_run(file)
    pytrec_eval.RelevanceEvaluator(judged, MEASURES).evaluate(returned)
    return time.perf_counter() - begun


def best(repeats: int, *call: str) -> float:
    """The least time of `repeats` fresh processes."""
    command = [sys.executable, __file__, "--once", *call]
    return min(
        float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(repeats)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("rows", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--once", nargs=3, metavar=("WHAT", "QRELS", "RUN"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.once:
        what, qrels, run = given.once
        print(pytrec(qrels, run) if what == "pytrec" else cranfield(qrels, run, int(what)))
        return
    print(f"{'rows':>10}  {'pytrec_eval':>12}  {'1 thread':>9}  {'2 threads':>9}  ratios")
    with tempfile.TemporaryDirectory() as folder:
        for rows in given.rows:
            files = [str(path) for path in generate(Path(folder), rows)]
            peer, one, two = (best(given.repeats, what, *files) for what in ("pytrec", "1", "2"))
            print(
                f"{rows:>10}  {peer:>11.3f}s  {one:>8.3f}s  {two:>8.3f}s  "
                f"{peer / one:.1f}× and {peer / two:.1f}× as fast",
                flush=True,
            )


if __name__ == "__main__":
    main()
