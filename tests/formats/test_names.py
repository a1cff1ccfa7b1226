"""Column names: which role each plays, what is said when one is missing or claimed twice."""

from __future__ import annotations

import pytest

from cranfield.errors import FormatError
from cranfield.formats.names import delimiter_of, is_header, passed_over, resolve


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            ["query-id", "corpus-id", "score"],
            {"query": "query-id", "doc": "corpus-id", "grade": "score"},
        ),
        (["QID", "DocNo", "Rel"], {"query": "QID", "doc": "DocNo", "grade": "Rel"}),
        (
            ["topic", "iter", "docid", "judgement"],
            {"query": "topic", "doc": "docid", "grade": "judgement", "iteration": "iter"},
        ),
        (
            ["query", "doc", "score", "label"],
            {"query": "query", "doc": "doc", "grade": "label"},
        ),
        (
            ["passage_id", "q_id", "rating", "judge", "reason", "source"],
            {
                "query": "q_id",
                "doc": "passage_id",
                "grade": "rating",
                "assessor": "judge",
                "note": "reason",
                "source": "source",
            },
        ),
    ],
)
def test_judgments_are_known_under_many_names(columns: list[str], expected: dict[str, str]) -> None:
    assert resolve(columns, "qrels") == expected


def test_a_run_takes_score_or_similarity() -> None:
    assert resolve(["qid", "docno", "rank", "sim", "run"], "run")["score"] == "sim"


def test_a_missing_column_is_named_with_those_found() -> None:
    with pytest.raises(FormatError) as e:
        resolve(["query", "doc", "stars"], "qrels", file="j.csv", line=1)
    assert "j.csv, line 1: no column for the grade" in str(e.value)
    assert "'query', 'doc', 'stars'" in str(e.value)
    assert "relevance" in (e.value.hint or "")


def test_a_grade_is_no_score() -> None:
    with pytest.raises(FormatError, match="no column for the score"):
        resolve(["query", "doc", "grade"], "run")


def test_two_columns_of_one_role_are_refused() -> None:
    with pytest.raises(FormatError, match="'topic' and 'qid' both look like the query"):
        resolve(["topic", "docid", "score", "qid"], "run")


def test_unknown_columns_are_said_and_ranks_and_tags_are_not() -> None:
    columns = ["query", "doc", "score", "rank", "tag", "Q0", "url"]
    assert dict(passed_over(columns, "run")) == {"column 'url'": 1}
    assert dict(passed_over(["query", "doc", "score", "label"], "qrels")) == {"column 'score'": 1}


@pytest.mark.parametrize(
    ("line", "kind", "expected"),
    [
        ("query,doc,grade", "qrels", True),
        ("query;doc;relevance", "qrels", True),
        ("qid\tdocno\tsim", "run", True),
        ('"query","doc","stars"', "qrels", True),  # told which column is missing, as a CSV file
        ("topic Q0 docid rank score qid", "run", False),
        ("topic\tQ0\tdocid\trank\tscore\tqid", "run", False),
        ("q1 0 a,b 2", "qrels", False),
        ("query,doc,2", "qrels", False),
        ("1\t0\td\t1", "qrels", False),
        ('"query,doc', "qrels", False),
        ("", "run", False),
    ],
)
def test_a_header_is_told_from_data(line: str, kind: str, expected: bool) -> None:
    assert is_header(line, kind) is expected  # type: ignore[arg-type]


def test_the_delimiter_that_cuts_most() -> None:
    assert delimiter_of("a;b,c;d") == ";"
    assert delimiter_of("query\tdoc\tgrade") == "\t"
