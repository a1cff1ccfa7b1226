"""Time whole commands on large runs, from files to the scores of every query, beside pytrec_eval.

    python benchmarks/large.py                       7000 queries x 1000 documents, 7 million lines
    python benchmarks/large.py --queries 700         a smaller run
    python benchmarks/large.py --queries 100000 --depth 10      many queries, 5 million judgments
    python benchmarks/large.py --queries 100000 --only "2 threads"      100 million lines, 4.3 GB
    python benchmarks/large.py --folder DIR          keep the generated files and use them again

Every contestant is a fresh process, timed from its start to its end; they take turns, so that
a slow moment of the machine meets all of them, and each is divided by pytrec_eval's time in the
same turn. Peak memory is the operating system's account of the process.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

NAMES = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "AP": "map",
    "RR": "recip_rank",
    "P@10": "P_10",
    "R@100": "recall_100",
    "Rprec": "Rprec",
    "bpref": "bpref",
}
JUDGED, EXACT = 50, 0.1  # judgments a query; share of queries with 17-digit scores
DOCUMENTS = 8_841_823  # of MS MARCO
# modules are compiled once, as those of an installed package are
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
BLOCK = 7000  # queries; more are blocks of so many, each with a letter of its own in the query ids


def generate(folder: Path, queries: int, depth: int, seed: int = 20) -> tuple[Path, Path]:
    """(qrels, run); always the same for the same numbers. Lines look like Anserini's: six decimals,
    ties in a thirtieth of the ranks, and `EXACT` of the queries scored in full doubles."""
    qrels, run = (folder / f"{queries}x{depth}.{kind}" for kind in ("qrels", "run"))
    if qrels.exists() and run.exists():
        return qrels, run
    if queries > BLOCK:
        for out, kind in ((qrels, "qrels"), (run, "run")):
            with out.open("wb") as stream:
                for block in range(-(-queries // BLOCK)):
                    part = min(BLOCK, queries - block * BLOCK)
                    files = dict(zip(("qrels", "run"), generate(folder, part, depth), strict=True))
                    text, letter = files[kind].read_bytes(), b"%c" % (97 + block)
                    stream.write(letter + text[:-1].replace(b"\n", b"\n" + letter) + b"\n")
        return qrels, run
    chance = np.random.default_rng([seed, queries, depth])
    found = min(depth, JUDGED * 3 // 5)
    with qrels.open("w") as judged, run.open("w") as returned:
        for query in (1_000_000 + np.sort(chance.choice(10 * queries, queries, False))).tolist():
            docs = chance.choice(DOCUMENTS, depth + JUDGED - found, replace=False).tolist()
            place = np.sort(depth * chance.random(found) ** 2).astype(int).tolist()
            grade = chance.choice(4, JUDGED, p=(0.6, 0.2, 0.12, 0.08)).tolist()
            pool = [*dict.fromkeys(docs[i] for i in place), *docs[depth:]]
            judged.writelines(f"{query} 0 {d} {g}\n" for d, g in zip(pool, grade, strict=False))
            score = 22 * chance.random(depth) ** 4 + 3
            tied = np.flatnonzero(chance.random(depth) < 1 / 30)
            score[tied] = score[tied - 1]
            score = -np.sort(-score)
            text = repr if chance.random() < EXACT else "{:.6f}".format
            returned.writelines(
                f"{query} Q0 {d} {i} {text(s)} Anserini\n"
                for i, (d, s) in enumerate(zip(docs[:depth], score.tolist(), strict=False), 1)
            )
    return qrels, run


def scattered(run: Path) -> Path:
    """The same lines, ordered by rank instead of by query."""
    out = run.with_suffix(".scattered.run")
    if not out.exists():
        lines = run.read_bytes().splitlines(keepends=True)
        rank = np.array([int(line.split(None, 4)[3]) for line in lines])
        with out.open("wb") as stream:
            stream.writelines(lines[i] for i in np.argsort(rank, kind="stable").tolist())
    return out


def parquet(run: Path) -> Path:
    """The same rows in Parquet."""
    out = run.with_suffix(".parquet")
    if not out.exists():
        from pyarrow import csv
        from pyarrow import parquet as pq

        names = ["query_id", "q0", "doc_id", "rank", "score", "tag"]
        table = csv.read_csv(
            run,
            csv.ReadOptions(column_names=names),
            csv.ParseOptions(delimiter=" "),
            csv.ConvertOptions(
                column_types={"query_id": "string", "doc_id": "string", "score": "float64"},
                include_columns=["query_id", "doc_id", "score"],
            ),
        )
        pq.write_table(table, out)
    return out


PYTREC_FILES = """
import sys, pytrec_eval
with open(sys.argv[1]) as file:
    judged = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    returned = pytrec_eval.parse_run(file)
found = pytrec_eval.RelevanceEvaluator(judged, set(sys.argv[4:])).evaluate(returned)
with open(sys.argv[3], "w") as out:
    for query, row in found.items():
        out.writelines(f"{query}\\t{name}\\t{value}\\n" for name, value in row.items())
"""


def contestants(qrels: Path, run: Path, which: list[str]) -> dict[str, list[str]]:
    """The commands, by name; each writes the scores of every query."""
    python = sys.executable
    null = os.devnull

    def ours(file: Path, threads: int) -> list[str]:
        asked = [word for name in NAMES for word in ("-m", name)]
        command = [python, "-m", "cranfield", "evaluate", str(qrels), str(file), *asked]
        return [*command, "-q", "--format", "tsv", "--threads", str(threads)]

    peer = [python, "-c", PYTREC_FILES, str(qrels), str(run), null, *NAMES.values()]
    makers = {
        "pytrec_eval": lambda: peer,
        "1 thread": lambda: ours(run, 1),
        "2 threads": lambda: ours(run, 2),
        "scattered": lambda: ours(scattered(run), 2),
        "parquet": lambda: ours(parquet(run), 2),
    }
    return {name: make() for name, make in makers.items() if name in which}


def measure(command: list[str]) -> tuple[float, float, float]:
    """(wall seconds, processor seconds, peak MB) of one process."""
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


DICTS = """
import sys, time, random
queries, depth = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(7)
run, qrels = {}, {}
for q in range(queries):
    docs = chance.sample(range(8841823), depth + 20)
    run[f"q{q}"] = {str(d): round(chance.random() * 20, 4) for d in docs[:depth]}
    qrels[f"q{q}"] = {str(d): chance.choice((0, 0, 0, 1, 2, 3)) for d in docs[depth - 30:]}
import pytrec_eval
from cranfield import evaluate
names = dict(zip(sys.argv[3::2], sys.argv[4::2]))
evaluate(dict(list(qrels.items())[:2]), dict(list(run.items())[:2]), list(names))
times = {"pytrec_eval": [], "cranfield": []}
for _ in range(9):
    begun = time.perf_counter()
    pytrec_eval.RelevanceEvaluator(qrels, set(names.values())).evaluate(run)
    times["pytrec_eval"].append(time.perf_counter() - begun)
    begun = time.perf_counter()
    evaluate(qrels, run, list(names))
    times["cranfield"].append(time.perf_counter() - begun)
ratio = sorted(b / a for a, b in zip(*times.values()))[4]
print(f"dicts {queries} x {depth}: pytrec_eval {min(times['pytrec_eval']):.3f} s, "
      f"cranfield {min(times['cranfield']):.3f} s, median ratio {ratio:.3f}")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--queries", type=int, default=7000)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    every = ["pytrec_eval", "1 thread", "2 threads", "scattered", "parquet"]
    parser.add_argument("--only", nargs="*", default=every, choices=every)
    parser.add_argument("--dicts", action="store_true", help="dictionaries of 1000 queries instead")
    parser.add_argument("--make", action="store_true", help="only generate the files")
    given = parser.parse_args()
    if given.dicts:
        pairs = [word for pair in NAMES.items() for word in pair]
        subprocess.run([sys.executable, "-c", DICTS, "1000", str(given.depth), *pairs], check=True)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not given.make:  # in a process of its own: a child's peak begins with its parent's size
            again = [sys.executable, __file__, "--make", "--folder", str(folder)]
            again += ["--queries", str(given.queries), "--depth", str(given.depth)]
            subprocess.run([*again, "--only", *given.only], check=True)
        qrels, run = generate(folder, given.queries, given.depth)
        commands = contestants(qrels, run, given.only)
        if given.make:
            return
        print(f"{given.queries} queries x {given.depth}, {run.stat().st_size / 1e6:.0f} MB of run")
        turns = [{name: measure(c) for name, c in commands.items()} for _ in range(given.repeats)]
        print(f"{'':12} {'wall s':>8} {'cpu s':>8} {'peak MB':>8} {'of pytrec_eval':>15}")
        for name in commands:
            wall, cpu, peak = (statistics.median(t[name][i] for t in turns) for i in range(3))
            shares = [t[name][0] / t["pytrec_eval"][0] for t in turns if "pytrec_eval" in t]
            share = f"{statistics.median(shares):.3f}" if shares else ""
            print(f"{name:12} {wall:8.2f} {cpu:8.2f} {peak:8.0f} {share:>15}", flush=True)


if __name__ == "__main__":
    main()
