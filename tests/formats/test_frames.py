"""Objects in memory: dictionaries, lists, pandas and Polars frames, Arrow tables."""

from __future__ import annotations

import copy
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import FormatError
from cranfield.formats.frames import rows_from_object
from cranfield.formats.rows import Rows


def _read(obj: Any, kind: Any = "qrels") -> Rows:
    rows = rows_from_object(obj, kind)
    assert rows is not None
    return rows


def _rows(rows: Rows) -> list[tuple[str, str, float]]:
    return list(zip(rows.query, rows.docs, rows.value.tolist(), strict=True))


class Judged(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


@pytest.mark.parametrize(
    "obj",
    [
        {"q": {"d": 1, "e": 0.5}},
        MappingProxyType({"q": MappingProxyType({"d": 1, "e": 0.5})}),
        {"query": ["q", "q"], "doc": ["d", "e"], "grade": [1, "0.5"]},
        [("q", "d", 1), ("q", "e", 0.5)],
        (["q", "d", np.int64(1)], ["q", "e", np.float32(0.5)]),
        [{"qid": "q", "docno": "d", "rel": 1}, {"query": "q", "doc": "e", "grade": 0.5}],
        [Judged("q", "d", 1, "0"), Judged("q", "e", 0.5, "0")],  # type: ignore[arg-type]
    ],
    ids=["dict", "mapping", "columns", "tuples", "lists", "records", "namedtuples"],
)
def test_plain_python(obj: Any) -> None:
    assert _rows(_read(obj)) == [("q", "d", 1.0), ("q", "e", 0.5)]


def test_empty_things() -> None:
    assert _read({"q": {}}, "run").empty == ["q"]
    assert _rows(_read({})) == []
    assert _rows(_read([])) == []


@pytest.mark.parametrize("obj", [7, None, object(), {1, 2}, np.zeros(3), iter([])])
def test_what_is_nothing_of_ours(obj: Any) -> None:
    assert rows_from_object(obj, "run") is None


@pytest.mark.parametrize(
    ("obj", "problem"),
    [
        ([("q", "d")], "the list: item 0 (the first is 0) is ('q', 'd')"),
        (["q"], "item 0 (the first is 0) is 'q'"),
        ({"query": ["q"], "doc": ["d", "e"], "score": [1]}, "columns of different lengths"),
    ],
)
def test_misshapen_objects(obj: Any, problem: str) -> None:
    with pytest.raises(FormatError) as e:
        rows_from_object(obj, "run")
    assert problem in str(e.value)


def test_wrong_values_are_named_by_their_ids() -> None:
    rows = _read({"q": {"d": float("nan"), "e": 1}, 3: {"f": 1}, "r": 5}, "run")
    assert _rows(rows) == [("q", "e", 1.0), ("3", "f", 1.0)]
    said = "\n".join(map(str, rows.problems))
    assert "the dictionary: query 'q', document 'd': the score is NaN" in said
    assert "query 'r' holds 5 where documents are expected" in said


def test_a_pandas_frame() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is an optional package")
    frame = pd.DataFrame(
        {"qid": ["q", "q"], "docno": [7, 8], "score": [1.5, np.inf], "rank": [1, 2], 0: ["x", "y"]}
    )
    before = frame.copy(deep=True)
    rows = _read(frame, "run")
    assert _rows(rows) == [("q", "7", 1.5), ("q", "8", np.inf)]
    assert dict(rows.skipped) == {"column '0'": 1}
    rows.value[0] = 99
    pd.testing.assert_frame_equal(frame, before)


def test_pandas_types() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is an optional package")
    frame = pd.DataFrame(
        {
            "query": pd.Series(["q", "q"], dtype="string"),
            "doc": pd.Categorical(["a", "b"]),
            "grade": pd.Series([1, 2], dtype="Int64"),
            "note": ["why", None],
        }
    )
    rows = _read(frame)
    assert _rows(rows) == [("q", "a", 1.0), ("q", "b", 2.0)]
    assert rows.extra["note"].to_list() == ["why", ""]
    frame.loc[1, "grade"] = pd.NA
    frame.loc[0, "query"] = pd.NA
    said = [str(p) for p in _read(frame).problems]
    assert "row 0 (the first is 0): the query id is missing" in said[0]
    assert "row 1 (the first is 0): the grade is missing" in said[1]


def test_pandas_mistakes() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is an optional package")
    frame = pd.DataFrame({"query": ["q"], "doc": [1.0], "grade": [1]})
    (problem,) = _read(frame).problems
    assert "the DataFrame: row 0" in str(problem)
    assert "dtype=str" in (problem.hint or "")
    with pytest.raises(FormatError, match="reset_index"):
        _read(frame.set_index("doc"))
    twice = pd.concat([frame, frame[["doc"]]], axis=1)
    with pytest.raises(FormatError, match="'doc' and 'doc' both look like the doc"):
        _read(twice)


def test_a_polars_frame() -> None:
    pl = pytest.importorskip("polars", reason="polars is an optional package")
    frame = pl.DataFrame({"query_id": ["q", "q"], "doc_id": [1, 2], "relevance": [0.5, 2.0]})
    before = frame.clone()
    assert _rows(_read(frame)) == [("q", "1", 0.5), ("q", "2", 2.0)]
    assert _rows(_read(frame.lazy())) == [("q", "1", 0.5), ("q", "2", 2.0)]
    assert frame.equals(before)
    bad = frame.with_columns(pl.Series("doc_id", ["a", None]))
    assert "row 1 (the first is 0): the document id is missing" in str(_read(bad).problems[0])
    nothing = frame.with_columns(pl.Series("relevance", [1, None]))
    assert "row 1 (the first is 0): the grade" in str(_read(nothing).problems[0])


def test_an_arrow_table_and_batch() -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is an optional package")
    table = pa.table({"query": ["q"], "doc": ["d"], "score": [1.5]})
    assert _rows(_read(table, "run")) == [("q", "d", 1.5)]
    assert _rows(_read(table.to_batches()[0], "run")) == [("q", "d", 1.5)]


_IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
_RUNS = st.dictionaries(_IDS, st.dictionaries(_IDS, st.floats(allow_nan=False), min_size=1))


@given(_RUNS)
def test_a_dictionary_comes_back_and_is_not_changed(run: dict[str, dict[str, float]]) -> None:
    before = copy.deepcopy(run)
    found: dict[str, dict[str, float]] = {}
    for q, d, s in _rows(_read(run, "run")):
        found.setdefault(q, {})[d] = s
    assert found == run == before


@given(_RUNS)
def test_frames_say_what_dictionaries_say(run: dict[str, dict[str, float]]) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is an optional package")
    pl = pytest.importorskip("polars", reason="polars is an optional package")
    table = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    frame = pd.DataFrame(table, columns=["query", "doc", "score"])
    assert _rows(_read(frame, "run")) == table
    schema = {"query": pl.String, "doc": pl.String, "score": pl.Float64}
    assert _rows(_read(pl.DataFrame(table, schema=schema, orient="row"), "run")) == table
