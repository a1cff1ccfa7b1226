"""Lists of pairs of documents; those of single documents are read in test_desk.py."""

from __future__ import annotations

import pytest

from cranfield.errors import FormatError
from cranfield.judging.lists import read_list, read_pairs


def test_two_documents(tmp_path):
    path = tmp_path / "two"
    path.write_text("query\trank\tdoc_b\tdoc_a\nq1\t1\tb 1\ta\nq1\t2\ta\tb 1\nq1\t3\tc\ta\n")
    assert read_pairs(str(path), 2) == [("q1", "a", "b 1"), ("q1", "a", "c")]
    path.write_text("q1 b a\n\nq1 a b\nq2 a b\n")  # the first order is kept
    assert read_pairs(str(path), 2) == [("q1", "b", "a"), ("q2", "a", "b")]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("q1 a b\nq1 a a\n", 2, "one document twice"),
        ("q1 a b\nq1 a\n", 2, "no query and two documents"),
        ("query\tdocument\nq1\ta\n", 1, "no query and two documents"),
    ],
)
def test_what_is_no_pair(tmp_path, text, line, said):
    (tmp_path / "two").write_text(text)
    with pytest.raises(FormatError, match=said) as raised:
        read_pairs(str(tmp_path / "two"), 2)
    assert raised.value.line == line


def test_a_pool_is_a_list_of_what_was_sampled(tmp_path):
    """As `judge pool` writes it."""
    from cranfield.judging.poolfile import pool_text
    from cranfield.judging.pools import pool_of

    lines = (f"q1 Q0 d{n} {n} {99 - n} s\n" for n in range(1, 21))
    (tmp_path / "s.run").write_text("".join(lines))
    pool = pool_of([str(tmp_path / "s.run")], [4, 20], [1.0, 0.5], seed=3)
    (tmp_path / "pool.tsv").write_text(pool_text(pool))
    found = read_list(str(tmp_path / "pool.tsv"))
    assert found.pairs == tuple((r.query, r.doc) for r in pool.rows if r.sampled)
    assert found.unsampled == 8 and len(found.pairs) == 12


def test_what_stands_before_a_list_and_whether_a_line_is_meant(tmp_path):
    path = tmp_path / "list"
    path.write_text("# how\n\n# drawn\nquery\tsampled\tdocument\nq\t1\ta\n# q\tno\tb\n")
    assert read_list(str(path)).pairs == (("q", "a"),) and read_list(str(path)).unsampled == 1
    path.write_text("#1 a\n#2 b\n")  # ids may begin so
    assert read_pairs(str(path)) == [("#1", "a"), ("#2", "b")]
    path.write_text("query\tdocument\tsampled\nq\ta\tperhaps\n")
    with pytest.raises(FormatError, match="sampled is 'perhaps'") as raised:
        read_list(str(path))
    assert raised.value.line == 2
