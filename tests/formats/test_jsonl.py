"""JSON documents and JSON lines: what they hold, and where they are wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError
from cranfield.formats.inputs import Input
from cranfield.formats.jsonl import read_json, read_jsonl
from cranfield.formats.rows import Rows

SHARED = Path(os.environ.get("CRANFIELD_SHARED", Path(__file__).parents[3] / "shared"))


def _json(folder: Path, text: str | bytes, kind: Any = "qrels") -> Rows:
    path = folder / "in.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_json(Input(path), kind)


def _jsonl(folder: Path, text: str, kind: Any = "qrels") -> Rows:
    path = folder / "in.jsonl"
    path.write_bytes(text.encode())
    return read_jsonl(Input(path), kind)


def _rows(rows: Rows) -> list[tuple[str, str, float]]:
    return list(zip(rows.query, rows.docs, rows.value.tolist(), strict=True))


def test_queries_of_documents(tmp_path: Path) -> None:
    rows = _json(tmp_path, '\ufeff{"q1": {"d1": 2, "d2": 0.1}, "q2": {}, "q3": {"d": "-1"}}')
    assert _rows(rows) == [("q1", "d1", 2.0), ("q1", "d2", 0.1), ("q3", "d", -1.0)]
    assert rows.empty == ["q2"]
    assert rows.line is None
    assert not rows.problems


def test_a_repeated_key_becomes_a_repeated_row(tmp_path: Path) -> None:
    rows = _json(tmp_path, '{"q": {"d": 1, "d": 2}, "q": {"e": 1}}')
    assert _rows(rows) == [("q", "d", 1.0), ("q", "d", 2.0), ("q", "e", 1.0)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"q": {"d": NaN}}', "query 'q', document 'd': the score is NaN, which cannot be ranked"),
        ('{"q": {"d": true}}', "query 'q', document 'd': the score True is not a number"),
        ('{"q": {"d": null}}', "the score is missing"),
        ('{"q": {"d": "0x1"}}', "the score '0x1' is not a number"),
        ('{"q": {"": 1}}', "the document id is missing"),
        ('{"q": {"\\ud800": 1}}', "is not a Unicode text"),
        ('{"q": {"d": 1}, "r": 3}', "query 'r' holds 3 where documents are expected"),
        ('{"q": {"d": 1}, "r": ["d"]}', "query 'r' holds ['d'] where documents are expected"),
        ('{"": {}}', "the query id is missing"),
        ('[{"query": "q", "doc": "d", "score": 1}, 7]', "record 1 (the first is 0): 7 is not a"),
        ('[{"qid": "q", "docid": "d"}]', "record 0 (the first is 0): no column for the score"),
        ('[7, {"query": "q", "doc": 1.5, "score": 1}]', "record 1 (the first is 0): the document"),
    ],
)
def test_wrong_members_are_named(tmp_path: Path, text: str, problem: str) -> None:
    rows = _json(tmp_path, text, "run")
    assert problem in " | ".join(map(str, rows.problems))
    assert not np.isnan(rows.value).any()


def test_an_infinite_score_is_a_score_and_no_grade(tmp_path: Path) -> None:
    text = '{"q": {"d": Infinity, "e": "-inf"}}'
    assert _json(tmp_path, text, "run").value.tolist() == [np.inf, -np.inf]
    assert "is not finite" in str(_json(tmp_path, text).problems[0])


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ('{"q": {\n"d": 1,\n}}', "not well-formed JSON", 3),
        ("3", "neither a JSON object nor a list", None),
        ("[" * 100_000, "cannot be read", None),
        ('{"q": {"d": ' + "1" * 5000 + "}}", "cannot be read", None),
        (b'{"q":\n {"caf\xe9": 1}}', "byte 0xe9 is not UTF-8", 2),
    ],
)
def test_what_is_no_json(tmp_path: Path, text: str | bytes, problem: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=problem) as e:
        _json(tmp_path, text)
    assert e.value.line == line
    assert e.value.file.endswith("in.json")


def test_a_list_of_records(tmp_path: Path) -> None:
    rows = _json(tmp_path, '[{"qid": 1, "docno": "d", "rel": 2, "url": "u"}]')
    assert _rows(rows) == [("1", "d", 2.0)]
    assert dict(rows.skipped) == {"column 'url'": 1}


def test_lines_in_a_file_taken_for_one_document(tmp_path: Path) -> None:
    line = '{"query": "q", "doc": "d", "grade": 1, "metadata": {"by": "me"}}\n'
    assert _rows(_json(tmp_path, line + line.replace('"d"', '"e"'))) == [
        ("q", "d", 1.0),
        ("q", "e", 1.0),
    ]


def test_a_wrapper_gives_the_member_of_the_kind(tmp_path: Path) -> None:
    text = '{"qrel": {"q": {"d": 1}}, "run": {"q": {"e": 0.5}}}'
    assert _rows(_json(tmp_path, text)) == [("q", "d", 1.0)]
    assert _rows(_json(tmp_path, text, "run")) == [("q", "e", 0.5)]
    with pytest.raises(FormatError, match="no run in it, only 'qrel'"):
        _json(tmp_path, '{"qrel": {"q": {"d": 1}}}', "run")


def test_a_query_may_be_called_run(tmp_path: Path) -> None:
    assert _rows(_json(tmp_path, '{"run": {"d": 1}}', "run")) == [("run", "d", 1.0)]


def test_one_record_a_line(tmp_path: Path) -> None:
    text = (
        '{"query": "q1", "doc": "d\u2028", "grade": 2, "iteration": "3", "note": "why"}\r\n\r\n'
        '{"topic": "q2", "docno": 7, "relevance": "0.5"}\r\n'
    )
    rows = _jsonl(tmp_path, text)
    assert _rows(rows) == [("q1", "d\u2028", 2.0), ("q2", "7", 0.5)]
    assert rows.line is not None
    assert rows.line.tolist() == [1, 3]
    assert rows.extra["iteration"].to_list() == ["3", "0"]
    assert rows.extra["note"].to_list() == ["why", ""]
    assert set(rows.extra) == {"iteration", "note"}


def test_problems_of_lines_stand_in_their_order(tmp_path: Path) -> None:
    good = '{"query": "q", "doc": "d", "score": 1}'
    lines = [good, '{"query": "q"', '{"query": "q", "doc": "", "score": 1}', "", "[1]", good]
    lines += ['{"query": "q", "query": "r", "doc": "d", "score": 1}', '{"query": "q", "doc": "d"}']
    rows = _jsonl(tmp_path, "\n".join(lines), "run")
    assert [p.line for p in rows.problems] == [2, 3, 5, 7, 8]
    said = [p.problem for p in rows.problems]
    assert said[0].startswith("not a JSON record")
    assert rows.problems[0].text == '{"query": "q"'
    assert said[1] == "the document id is missing"
    assert said[2].endswith("is not a record")
    assert said[3] == "the record has two members 'query'"
    assert said[4].startswith("no column for the score")
    assert rows.line is not None
    assert rows.line.tolist() == [1, 6]


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
        st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
            st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 5),
        ),
    )
)
def test_every_dictionary_reads_back(
    tmp_path_factory: pytest.TempPathFactory, run: dict[str, dict[str, float]]
) -> None:
    rows = _json(tmp_path_factory.mktemp("json"), json.dumps(run), "run")
    found: dict[str, dict[str, float]] = {q: {} for q in rows.empty}
    for q, d, s in _rows(rows):
        found.setdefault(q, {})[d] = s
    assert found == run


@pytest.mark.parametrize(
    ("name", "grades"),
    [
        ("31-issue-pytrec_eval16-float-qrels.json", [0.0, 0.2, 1.0, 1.5, 2.5]),
        ("33-issue-ranx66-bpref-nan.json", [1.0, 3.0, 5.0, 6.0]),
    ],
)
def test_bug_reports_of_other_libraries(name: str, grades: list[float]) -> None:
    path = SHARED / "messy" / name
    if not path.exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    rows = read_json(Input(path), "qrels")
    qrels = Qrels.from_columns(rows.query, rows.docs, rows.value, **rows.extra)
    assert qrels.levels.tolist() == grades
    assert len(read_json(Input(path), "run").value) > 0
