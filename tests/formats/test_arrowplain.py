"""Arrow columns taken over by their buffers are what the general reader makes of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import evaluate
from cranfield.errors import CranfieldError
from cranfield.formats.arrow import rows_from_table
from cranfield.formats.arrowplain import plain_ids, plain_lines, segments
from cranfield.scan.lines import Lines

pa = pytest.importorskip("pyarrow")

QUERY = st.sampled_from(["q1", "q2", "q3", "質問"])
DOC = st.sampled_from(["d1", "a-rather-long-document-id", "日本語", "é", "12345678"])
SCORE = st.sampled_from([0.0, -0.0, 1.5, float("inf"), float("-inf"), 1e-300])
ROW = st.tuples(QUERY, DOC, SCORE)
ODD = st.tuples(
    st.one_of(QUERY, st.sampled_from(["", None])),
    st.one_of(DOC, st.sampled_from(["", None])),
    st.one_of(SCORE, st.sampled_from([float("nan"), None])),
)
TEXT = st.sampled_from([pa.string(), pa.large_string()])


def _query_column(names, form):
    if form == "int64":
        number = {None: None, "": 0, "q1": 7, "q2": -7, "q3": 2**40, "質問": 12}
        return pa.array([number[n] for n in names], pa.int64())
    if form.startswith("dictionary"):
        if form.endswith("twice"):  # the dictionary holds each text twice
            known = [*dict.fromkeys(n for n in names if n is not None)] * 2
            codes = [
                None if n is None else known.index(n) + (i % 2) * (len(known) // 2)
                for i, n in enumerate(names)
            ]
            return pa.DictionaryArray.from_arrays(
                pa.array(codes, pa.int32()), pa.array(known, pa.string())
            )
        return pa.array(names, pa.string()).dictionary_encode()
    return pa.array(names, pa.string() if form == "string" else pa.large_string())


@given(
    st.lists(st.one_of(ROW, ROW, ROW, ODD), max_size=14),
    st.sampled_from(["string", "large", "dictionary", "dictionary twice", "int64"]),
    TEXT,
    st.sampled_from([pa.float64(), pa.float32()]),
    st.lists(st.integers(0, 14), max_size=3),
    st.booleans(),
)
def test_plain_lines_are_what_the_general_reader_reads(rows, form, text, width, cuts, adjacent):
    if adjacent:
        rows = sorted(rows, key=lambda row: str(row[0]))
    query, doc, score = map(list, zip(*rows, strict=True)) if rows else ([], [], [])
    columns = [_query_column(query, form), pa.array(doc, text), pa.array(score, width)]
    whole = pa.RecordBatch.from_arrays(columns, names=["query", "doc", "score"])
    cuts = [0, *sorted(min(c, len(rows)) for c in cuts), len(rows)]
    batches = [whole.slice(a, b - a) for a, b in pairwise(cuts)]
    found = plain_lines(batches, (0, 1, 2))
    try:
        general = rows_from_table(pa.Table.from_batches(batches), "run", "x")
    except CranfieldError:
        assert found is None
        return
    expected = Lines.from_columns(general.query, general.docs, general.value)
    if found is None:  # left to the general reader, which may well read it
        return
    assert expected is not None
    assert found.names == expected.names
    assert found.first.tolist() == expected.first.tolist()
    assert found.docs.to_bytes() == expected.docs.to_bytes()
    assert found.score.tobytes() == expected.score.tobytes()


@pytest.mark.parametrize("form", ["string", "large", "dictionary", "dictionary twice", "int64"])
def test_the_usual_columns_are_plain(form):
    rows = [("q1", "d1", 2.0), ("q1", "日本語", 1.0), ("q2", "d1", 3.0)]
    query, doc, score = map(list, zip(*rows, strict=True))
    columns = [_query_column(query, form), pa.array(doc), pa.array(score)]
    batch = pa.RecordBatch.from_arrays(columns, names=["query", "doc", "score"])
    found = plain_lines([batch.slice(0, 1), batch.slice(1)], (0, 1, 2))
    assert found is not None
    assert found.first.tolist() == [0, 2]
    assert found.names == ([b"7", b"-7"] if form == "int64" else [b"q1", b"q2"])
    assert found.docs.to_list() == doc


@pytest.mark.parametrize(
    "column",
    [
        *(pa.array(["a", None]), pa.array(["a", ""]), pa.array([b"a"]), pa.array([1.5])),
        *(pa.array(["a", None]).dictionary_encode(), pa.array([1, None])),
    ],
)
def test_what_is_not_plain_is_left_alone(column):
    assert segments(column) is None or plain_ids([column]) is None


def _text(offsets, data):
    buffers = [None, pa.py_buffer(np.array(offsets, np.int32)), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(offsets) - 1, buffers)


@pytest.mark.parametrize(
    ("offsets", "data"),
    [
        ([0, 1, 2], b"\xff\xfe"),
        ([0, 1, 2], "é".encode()),  # a character cut in two
        ([0, 2, 1], b"abc"),
        ([0, 400, 3], b"abc"),
    ],
)
def test_damaged_text_is_not_plain(offsets, data):
    assert plain_ids([_text(offsets, data)]) is None


def test_codes_beyond_the_dictionary_are_not_plain():
    codes = pa.array([0, 5], pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(["a"]), safe=False)
    assert segments(column) is None


@pytest.mark.parametrize("kind", [pa.string(), pa.int64(), pa.int16()])
def test_a_query_larger_than_a_batch_and_ids_of_any_kind(tmp_path, kind):
    from pyarrow import parquet

    from cranfield.formats.inputs import Input
    from cranfield.formats.parquet import RunParquet

    rows = [(q, f"d{i}", float(i % 5)) for q in (1, 2, 3) for i in range(30 * q)]
    query, doc, score = map(list, zip(*rows, strict=True))
    columns = {
        "query": pa.array(query).cast(pa.string()).cast(kind),
        "doc": doc,
        "score": score,
        "rank": list(range(len(doc))),
    }
    path = tmp_path / "run.parquet"
    parquet.write_table(pa.table(columns), path, row_group_size=50)
    qrels = {str(q): {"d3": 1, "d4": 2, "d29": 0, "x": 1} for q in (1, 2, 3)}
    expected = evaluate(qrels, [(str(q), d, s) for q, d, s in rows], ["AP", "nDCG"])
    for batch in (7, 31, 1000):
        run = RunParquet(Input(path), batch=batch)
        sizes = [len(call().lines) for call in run.pieces()]
        assert sum(sizes) == len(rows)
        assert evaluate(qrels, run, ["AP", "nDCG"]).values.tobytes() == expected.values.tobytes()
