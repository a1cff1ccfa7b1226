"""Time looking for duplicates among 10 000, 100 000 and 1 000 000 short documents, beside
datasketch as one would take it.

    python benchmarks/duplicates.py                         10^4, 10^5 and 10^6 documents
    python benchmarks/duplicates.py 10000 --lang zh         a smaller run, in one language
    python benchmarks/duplicates.py --peer-up-to 100000     datasketch not at 10^6

Every turn is a fresh process that reads the documents one by one from a file; time is from the
first line to the clusters (datasketch: to the pairs), without imports, and peak memory is the
operating system's account of the process. Up to 10 000 documents all pairs of similar documents
are also found exactly, by counting common shingles, and what the contestants found is held
against that. The texts are made from `--seed`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

SIZES = (10_000, 100_000, 1_000_000)
THRESHOLD = 0.8
EXACT_UP_TO = 10_000  # documents whose similar pairs are all found
COPIES, NEAR = 0.02, 0.08  # of the documents
RECENT = 2_000  # texts that a copy is made of
HANZI = [chr(c) for c in range(0x4E00, 0x4E00 + 3_500)]


def vocabulary(lang: str, chance: random.Random) -> list[str]:
    """Words, the frequent ones first; always the same for a seed."""
    if lang == "zh":
        lengths = chance.choices((1, 2, 3, 4), (2, 6, 1, 1), k=30_000)
        words = {"".join(chance.choices(HANZI, k=n)) for n in lengths}
    else:
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "er")]
        words = {"".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(30_000)}
    found = sorted(words)
    chance.shuffle(found)
    return found


def generate(file: Path, n: int, langs: tuple[str, ...], seed: int) -> None:
    """Documents of 20 to 80 words in turn of each language, with exact copies (other case and
    blanks) and near ones (one to four words replaced, so that their similarity lies on both sides
    of the threshold). Frequencies follow Zipf's law."""
    chance = random.Random(f"{seed} {n} {langs}")
    words = {lang: vocabulary(lang, chance) for lang in langs}
    weights = {
        lang: _cumulated([1 / (rank + 3) for rank in range(len(w))]) for lang, w in words.items()
    }
    recent: list[tuple[str, list[str]]] = []
    with file.open("w", encoding="utf-8") as out:
        for i in range(n):
            kind = chance.random()
            if recent and kind < COPIES + NEAR:
                lang, text = chance.choice(recent)
                text = list(text)
                if kind >= COPIES:
                    for _ in range(chance.randint(1, 4)):
                        text[chance.randrange(len(text))] = chance.choice(words[lang])
            else:
                lang = langs[i % len(langs)]
                size = chance.randint(20, 80)
                text = chance.choices(words[lang], cum_weights=weights[lang], k=size)
                if len(recent) < RECENT:
                    recent.append((lang, text))
                else:
                    recent[chance.randrange(RECENT)] = (lang, text)
            body = ("" if lang == "zh" else " ").join(text)
            if kind < COPIES:
                body = f" {body.upper()}\u3000 "
            out.write(json.dumps({"_id": f"d{i}", "text": body}, ensure_ascii=False) + "\n")


def _cumulated(weights: list[float]) -> list[float]:
    total, out = 0.0, []
    for weight in weights:
        total += weight
        out.append(total)
    return out


def read(file: str) -> Iterator[tuple[str, str]]:
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            value = json.loads(line)
            yield value["_id"], value["text"]


# ------------------------------------------------------------------------------- contestants


def cranfield(file: str, near: bool = True) -> tuple[float, list[list[str]], bool]:
    """(seconds, groups of documents, whether a group says that all its pairs are similar)."""
    from cranfield.data.collection import Document
    from cranfield.diagnosis.copies import Near, find_copies

    begun = time.perf_counter()
    documents = (Document(i, "", text) for i, text in read(file))
    found = find_copies(documents, Near(THRESHOLD) if near else None)
    return time.perf_counter() - begun, [list(c) for c in found.clusters], False


def exact_only(file: str) -> tuple[float, list[list[str]], bool]:
    return cranfield(file, near=False)


def datasketch(file: str) -> tuple[float, list[list[str]], bool]:
    """As its documentation shows: MinHash of 128 permutations, an index that is asked for each
    document before that goes in, and its candidates taken at their word. It is given the same
    shingles, normalised in the same way."""
    from datasketch import MinHash, MinHashLSH

    from cranfield.diagnosis.shingles import normal, shingles

    begun = time.perf_counter()
    index, pairs = MinHashLSH(threshold=THRESHOLD, num_perm=128), []
    for name, text in read(file):
        sketch = MinHash(num_perm=128)
        sketch.update_batch([" ".join(s).encode() for s in shingles(normal(text))])
        pairs += [[other, name] for other in index.query(sketch)]
        index.insert(name, sketch, check_duplication=False)
    return time.perf_counter() - begun, pairs, True


CONTESTANTS = {"cranfield": cranfield, "cranfield, exact": exact_only, "datasketch": datasketch}


def turn(name: str, file: str, out: str) -> None:
    """One contestant in this process."""
    import numpy  # noqa: F401  (imports are not timed)

    if name == "datasketch":
        import datasketch  # noqa: F401
    seconds, groups, pairs = CONTESTANTS[name](file)
    peak = _peak_mb()
    processor = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    Path(out).write_text(json.dumps([seconds, processor, peak, groups, pairs]))


def _peak_mb() -> float:
    """Of this process; `ru_maxrss` would count what its parent had when it was started."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("peak memory is read from /proc, which this system lacks")


# ------------------------------------------------------------------------------- the truth


def similar_pairs(file: str) -> set[tuple[str, str]]:
    """Every pair of documents whose Jaccard similarity is the threshold or more: common shingles
    counted for all pairs that have one."""
    import numpy as np
    from scipy import sparse

    from cranfield.diagnosis.shingles import normal, shingles

    ids, column, rows, columns = [], {}, [], []
    for i, (name, text) in enumerate(read(file)):
        ids.append(name)
        own = shingles(normal(text))
        rows += [i] * len(own)
        columns += [column.setdefault(s, len(column)) for s in own]
    table = sparse.csr_matrix((np.ones(len(rows), np.int32), (rows, columns)))
    size = np.asarray(table.sum(axis=1)).ravel()
    found: set[tuple[str, str]] = set()
    for first in range(0, len(ids), 1_000):
        common = (table[first : first + 1_000] @ table.T).tocoo()
        a, b, n = common.row + first, common.col, common.data
        alike = (a < b) & (n >= THRESHOLD * (size[a] + size[b] - n) - 1e-9)
        found |= {(ids[i], ids[j]) for i, j in zip(a[alike], b[alike], strict=True)}
    return found


def against(truth: set[tuple[str, str]], groups: list[list[str]], pairs: bool) -> str:
    """How many of the similar pairs were found, and what was put together that is not similar.
    Documents in one cluster of chains of similar pairs belong together for a contestant that
    makes clusters; for one that lists pairs each pair counts."""
    if pairs:
        found = {tuple(sorted(p, key=lambda d: int(d[1:]))) for p in groups}
        wrong = len(found - truth)
    else:
        found = {p for c in groups for p in combinations(sorted(c, key=lambda d: int(d[1:])), 2)}
        root: dict[str, str] = {}

        def top(doc: str) -> str:
            while root.setdefault(doc, doc) != doc:
                doc = root[doc]
            return doc

        for one, other in truth:
            root[top(one)] = top(other)
        wrong = sum(top(a) != top(b) for a, b in found)
    share = len(found & truth) / max(len(truth), 1)
    return f"{share:.4f} of {len(truth)} similar pairs, {wrong} wrong"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--lang", choices=("en", "zh", "both"), default="both")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peer-up-to", type=int, default=max(SIZES))
    given = parser.parse_args()
    langs = ("en", "zh") if given.lang == "both" else (given.lang,)
    has_peer = importlib.util.find_spec("datasketch") is not None
    print(f"seed {given.seed}, {' and '.join(langs)}, threshold {THRESHOLD}")
    with tempfile.TemporaryDirectory() as folder:
        for n in given.sizes:
            file, out = Path(folder, f"{n}.jsonl"), Path(folder, "out.json")
            generate(file, n, langs, given.seed)
            truth = similar_pairs(str(file)) if n <= EXACT_UP_TO else None
            for name in CONTESTANTS:
                if name == "datasketch" and not (has_peer and n <= given.peer_up_to):
                    continue
                command = [sys.executable, __file__, "turn", name, str(file), str(out)]
                subprocess.run(command, check=True)
                seconds, processor, peak, groups, pairs = json.loads(out.read_text())
                line = f"{n:>9} {name:17} {seconds:8.1f} s {processor:8.1f} processor s "
                line += f"{n / seconds:9.0f} docs/s {peak:7.0f} MB {len(groups):7} "
                line += "pairs" if pairs else "clusters"
                if truth is not None and name != "cranfield, exact":
                    line += f"  {against(truth, groups, pairs)}"
                print(line, flush=True)
            file.unlink()


if __name__ == "__main__":
    if sys.argv[1:2] == ["turn"]:
        turn(*sys.argv[2:])
    else:
        main()
