"""Judgments read by chunks are those of the whole file read at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield import read_qrels
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError
from cranfield.formats import trec
from cranfield.formats.inputs import Input
from cranfield.formats.qrelsfile import read_trec_qrels
from cranfield.scan.chunks import whole
from cranfield.scan.lines import repeats

DOC = st.sampled_from(["d1", "d2", "a-rather-long-document-id-1", "日本語", "é"])
LINE = st.builds(
    "{}{}{}{}{}{}{}".format,
    st.sampled_from(["q1", "q2", "质询", "a-query-with-a-long-name"]),
    st.sampled_from([" ", "\t", "  "]),
    st.sampled_from(["0", "0", "0", "Q0", "7"]),
    st.just(" "),
    DOC,
    st.sampled_from([" ", "\t"]),
    st.sampled_from(["0", "1", "3", "-1", "0.25", "1e2"]),
)
ODD = st.sampled_from(
    ["", "  ", "# a comment", "query iter doc grade", "q1 0 d1", "q1 0 d1 x", "#"]
)
LINES = st.lists(st.one_of(LINE, LINE, LINE, LINE, ODD), max_size=25)


def at_once(path):
    """(judgments, lines, pairs, skipped, problems) of a file read as one chunk."""
    with Input(path).open() as stream:
        rows = trec.qrels_rows(whole(stream), str(path))
    qrels = Qrels.from_columns(rows.query, rows.docs, rows.value, **rows.extra)
    return qrels, rows.line, repeats(qrels.query, qrels.docs), rows.skipped, rows.problems


def check(path, chunk_size, threads):
    found = read_trec_qrels(Input(path), "qrels", threads=threads, chunk_size=chunk_size)
    qrels, line, pairs, skipped, problems = at_once(path)
    assert found.qrels.queries.to_bytes() == qrels.queries.to_bytes()
    assert found.qrels.query.tolist() == qrels.query.tolist()
    assert found.qrels.docs.to_bytes() == qrels.docs.to_bytes()
    assert found.qrels.grade.tobytes() == qrels.grade.tobytes()
    assert found.qrels.iteration.to_bytes() == qrels.iteration.to_bytes()
    assert found.qrels.has_subtopics == qrels.has_subtopics
    assert [n for part in found.lines for n in part.tolist()] == line.tolist()
    assert found.pairs == pairs
    assert found.skipped == skipped
    assert list(map(str, found.problems)) == list(map(str, problems))
    return found


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.booleans(), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_chunks_of_any_size_give_what_the_whole_file_gives(tmp_path, lines, by_query, end, last):
    if by_query:
        lines = sorted(lines)
    path = tmp_path / "qrels"
    path.write_bytes((end.join(lines) + end * last).encode())
    for chunk_size, threads in ((1, 1), (30, 1), (70, 2), (1 << 20, 1)):
        check(path, chunk_size, threads)


def test_one_iteration_takes_the_room_of_one(tmp_path):
    path = tmp_path / "qrels"
    path.write_text("".join(f"q{i // 10} 0 d{i} 1\n" for i in range(100)))
    found = check(path, 50, 2)
    assert found.qrels.iteration.is_spread
    assert found.qrels.take(np.arange(3)).iteration.to_list() == ["0"] * 3
    with path.open("a") as file:
        file.write("q9 1 d7 1\n")
    assert not check(path, 50, 2).qrels.iteration.is_spread


@pytest.mark.parametrize("again", [1, 7, 39])
def test_a_repeated_judgment_is_named_with_both_lines_whatever_chunk_it_is_in(tmp_path, again):
    path = tmp_path / "qrels"
    lines = [f"q{i // 20} 0 d{i} 1" for i in range(60)]
    lines.insert(40, f"q{again // 20} 0 d{again} 2")
    path.write_text("# judged\n" + "\n".join(lines) + "\n")
    check(path, 100, 1)
    with pytest.raises(FormatError, match=f"first on line {again + 2}") as caught:
        read_qrels(path)
    assert caught.value.line == 42


def test_bytes_that_are_no_text_are_named_by_their_line(tmp_path):
    path = tmp_path / "qrels"
    path.write_bytes(
        b"".join(b"q%d 0 d%d 1\n" % (i // 10, i) for i in range(200)) + b"q 0 \xff 1\n"
    )
    found = read_trec_qrels(Input(path), "qrels", chunk_size=300)
    assert [problem.line for problem in found.problems] == [201]
