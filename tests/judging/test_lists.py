"""Lists of pairs of documents; those of single documents are read in test_desk.py."""

from __future__ import annotations

import pytest

from cranfield.errors import FormatError
from cranfield.judging.lists import read_pairs


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
