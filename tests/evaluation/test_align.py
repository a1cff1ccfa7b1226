"""A run met with its judgments: how it is cut, threaded or ordered changes no bit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cranfield import Qrels, evaluate
from cranfield.errors import FormatError
from cranfield.evaluation.align import Aligned, align
from cranfield.formats.inputs import Input
from cranfield.formats.problems import ManyProblems
from cranfield.formats.sources import RunFile
from cranfield.scan.judged import JudgedIndex

random.seed(11)
DOCS = [f"doc-{i:03d}" for i in range(60)]
QRELS = Qrels.from_rows(
    (f"q{q}", d, random.choice([-1, 0, 0, 1, 2]))
    for q in range(12)
    for d in random.sample(DOCS, 20)
)
# Twelve queries with judgments and two without, many equal scores.
LINES = [
    f"{q} Q0 {d} {i + 1} {random.choice([5, 4.5, 3, 1, 0, -1])} t\n"
    for q in [f"q{n}" for n in (3, 1, 0, 9, 2, 11, 4)] + ["u1"] + ["q5", "q8", "u2", "q10"]
    for i, d in enumerate(random.sample(DOCS, random.choice([1, 7, 30])))
]


def bits(found: Aligned) -> dict[str, object]:
    hits = {k: getattr(found.hits, k).tobytes() for k in HITS}
    return {
        **hits,
        "answered": found.answered.tolist(),
        "unlabelled": sorted(found.unlabelled),
        "tied": found.tied.tolist(),
        "n_returned": found.n_returned,
    }


HITS = ("query", "rank", "row", "tie_start", "tie_len", "n_ret")


@pytest.fixture
def aligned(write):
    def call(lines: list[str], **how) -> Aligned:
        path = write("run.txt", "".join(lines))
        source = RunFile(Input(path), chunk_size=how.pop("chunk_size", 1 << 21))
        return align(source, JudgedIndex(QRELS), **how)

    return call


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("chunk_size", [1, 7, 64, 1000, 5000])
@pytest.mark.parametrize("ties", ["docid-desc", "docid-asc", "file"])
def test_chunks_and_threads_change_no_bit(aligned, threads, chunk_size, ties):
    once = aligned(LINES, ties=ties)
    again = aligned(LINES, ties=ties, threads=threads, chunk_size=chunk_size)
    assert bits(again) == bits(once)
    assert again.unlabelled == ("u1", "u2")
    assert again.n_returned == len(LINES)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("chunk_size", [50, 1000, 1 << 21])
def test_scattered_queries_give_the_same_bits_as_adjacent_ones(aligned, threads, chunk_size):
    shuffled = list(LINES)
    random.Random(5).shuffle(shuffled)
    once = bits(aligned(LINES))
    assert bits(aligned(shuffled, threads=threads, chunk_size=chunk_size)) == once


@pytest.mark.parametrize("chunk_size", [50, 300, 1 << 21])
def test_a_query_that_comes_back_at_the_end_is_one_query(aligned, chunk_size):
    moved = LINES[1:] + LINES[:1]
    assert bits(aligned(moved, chunk_size=chunk_size)) == bits(aligned(LINES))


def test_the_order_of_equal_scores_in_a_scattered_file_is_the_files(aligned):
    a, b, c = ("q1 Q0 doc-000 1 1 t\n", "q1 Q0 doc-001 1 1 t\n", "q1 Q0 doc-002 1 1 t\n")
    between = "q2 Q0 doc-000 1 1 t\n"
    scattered = aligned([c, between, a, b], ties="file")
    assert bits(scattered) == bits(aligned([c, a, b, between], ties="file"))
    assert bits(scattered) != bits(aligned([a, b, c, between], ties="file"))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_problem_of_the_file_is_the_one_that_is_told(aligned, threads):
    lines = list(LINES)
    lines[150] = "q1 Q0 x 1 worse t\n"
    lines[20] = "q1 Q0 x 1 bad t\n"
    with pytest.raises(FormatError, match="bad") as e:
        aligned(lines, chunk_size=64, threads=threads)
    assert e.value.line == 21


@pytest.mark.parametrize("chunk_size", [64, 1 << 21])
def test_all_problems_are_listed_in_the_order_of_the_file(aligned, chunk_size):
    lines = list(LINES)
    for i in (150, 20, 77):
        lines[i] = f"q1 Q0 x 1 bad{i} t\n"
    with pytest.raises(ManyProblems) as e:
        aligned(lines, chunk_size=chunk_size, keep_going=True)
    assert [p.line for p in e.value.problems] == [21, 78, 151]


def test_a_document_that_comes_back_with_its_query_is_a_repeat(aligned):
    lines = [*LINES, LINES[0]]
    with pytest.raises(FormatError, match=r"returned twice .*\(first on line 1\)") as e:
        aligned(lines, chunk_size=64)
    assert e.value.line == len(lines)


def test_progress_is_told_of_every_byte(aligned):
    told = []
    aligned(LINES, chunk_size=64, threads=2, advance=told.append)
    assert sum(told) == len("".join(LINES))
    assert len(told) > 3


@pytest.mark.parametrize("score_width", [64, 32])
def test_evaluate_on_several_threads_and_runs_gives_the_same_bits(write, score_width):
    paths = []
    for n in range(5):
        lines = LINES[n * 9 :] + LINES[: n * 9]
        paths.append(write(f"run{n}.txt", "".join(lines)))
    alone = [evaluate(QRELS, p, score_width=score_width, threads=1).values[0] for p in paths]
    together = evaluate(QRELS, paths, score_width=score_width, threads=4)
    assert together.values.tobytes() == np.stack(alone).tobytes()
    assert together.runs == ("run0", "run1", "run2", "run3", "run4")
