"""Any bytes at all give a result or an error of ours, never another one."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import math
import tempfile
from pathlib import Path

import numpy as np
import pandas
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield import evaluate, read_qrels, read_run
from cranfield.errors import CranfieldError, FormatError
from cranfield.formats.detect import FORMATS

QRELS = {"q1": {"a": 1, "b": 0}, "1": {"a": 2}}
RUN = {"q1": {"a": 2.0, "x": 1.0}, "1": {"b": 1.0}}
PACK = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress}
FRAME = pandas.DataFrame({"query": ["q1", "q1", "1"], "doc": ["a", "b", "a"], "grade": [1, 0, 2]})


def parquet() -> bytes:
    with io.BytesIO() as stream:
        FRAME.to_parquet(stream)
        return stream.getvalue()


def feather() -> bytes:
    with io.BytesIO() as stream:
        FRAME.to_feather(stream, compression="uncompressed")
        return stream.getvalue()


VALID_QRELS = [
    b"q1 0 a 1\nq1 0 b 0\n1 0 a 2\n",
    b"\xef\xbb\xbfq1\t0\ta\t1.5\r\n1\t0\tb\t-1\r\n",
    b"query-id\tcorpus-id\tscore\nq1\ta\t1\n1\tb\t0\n",
    b'query,doc,grade,note\nq1,a,1,"x, y"\n1,b,0,\n',
    b'{"q1": {"a": 1, "b": 0}, "1": {}}',
    b'{"query": "q1", "doc": "a", "grade": 1}\n{"query": "1", "doc": "b", "grade": "0"}\n',
    parquet(),
    feather(),
]
VALID_RUNS = [
    b"q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1e-3 t\n1 Q0 a 1 -inf t\n",
    b"topic Q0 docid rank score tag\r1 Q0 a 1 7 t\r",
    b"q1 Q0 a 1 2.5\nq1 Q0 b 2 1e-3\n",
    b"# words\nq1\tQ0\ta\t1\t2.5\tt\n\n 1  Q0 b 1 .5 t\n",
    b"qid;docno;sim\nq1;a;1\n1;b;0\n",
    b'{"q1": {"a": 1e5, "b": 0.5}, "1": {}}',
    b'[{"qid": "q1", "docid": "a", "score": 1}]',
    parquet().replace(b"grade", b"score"),
]
WORDS = st.sampled_from(
    [
        *(b"q1", b"1", b"Q0", b"0", b"a", b"b", b"nan", b"inf", b"1.5", b"1e5", b"1_0", b"-", b"#"),
        *(b"\t", b" ", b"\n", b"\r", b"\r\n", b"{", b"}", b"[", b"]", b":", b'"', b",", b"\0"),
        *(b"\xc2\xa0", b"\xe3\x80\x80", b"\xff", b"\x1c", b"\xc2\x85", b"\xef\xbc\x91", b"null"),
        *(
            b"query",
            b"doc",
            b"score",
            b"grade",
            b"query-id",
            b"corpus-id",
            b"\xef\xbb\xbf",
            b"true",
        ),
        *(b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"),
        b"\x28\xb5\x2f\xfd",
    ]
)
NOISE = st.binary(max_size=200) | st.lists(WORDS, max_size=40).map(b"".join)
LINES = st.lists(
    st.lists(st.sampled_from([b"q1", b"Q0", b"a", b"1", b"2.5", b"nan", b"\xc2\xa01", b"#", b"t"]),
             max_size=7).map(b" ".join),
    max_size=8,
).map(b"\n".join)  # fmt: skip


@st.composite
def mutated(draw, valid: list[bytes]) -> bytes:
    """A valid file with some bytes changed, cut out, doubled or put in."""
    data = bytearray(draw(st.sampled_from(valid)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        how = draw(st.sampled_from(["flip", "cut", "insert", "double", "end"]))
        if how == "flip" and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif how == "cut":
            del data[at : at + draw(st.integers(1, 9))]
        elif how == "insert":
            data[at:at] = draw(WORDS)
        elif how == "double":
            data[at:at] = data[at : at + 20]
        else:
            del data[at:]
    return bytes(data)


@contextlib.contextmanager
def on_disk(data: bytes):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        yield path


def whole(error: CranfieldError) -> None:
    """An error says something, on few lines, and a line number is inside the file."""
    assert error.message.strip()
    assert error.message.isprintable() or "\n" in error.message
    if isinstance(error, FormatError) and error.line is not None:
        assert error.line >= 1


def try_qrels(data: bytes, **how) -> None:
    with on_disk(data) as path:
        try:
            qrels = read_qrels(path, **how)
        except CranfieldError as e:
            whole(e)
        else:
            assert len(qrels) > 0
            assert np.isfinite(qrels.grade).all()
            assert "" not in set(qrels.docs) | set(qrels.queries)
        try:
            scores = evaluate(path, RUN, ["nDCG@10", "AP"], on_duplicate="max")
        except CranfieldError as e:
            whole(e)
        else:
            assert all(math.isfinite(v) for v in scores.means()["run"].values())


def try_run(data: bytes, **how) -> None:
    with on_disk(data) as path:
        run = None
        try:
            run = read_run(path, **how)
        except CranfieldError as e:
            whole(e)
        else:
            assert not np.isnan(run.score).any()
        try:
            scores = evaluate(QRELS, path, ["nDCG@10", "AP"])
        except CranfieldError as e:
            whole(e)
        else:
            assert 0 <= scores.mean("AP") <= 1
            if run is not None and not how:
                again = evaluate(QRELS, run, ["nDCG@10", "AP"])
                assert again.values.tobytes() == scores.values.tobytes()


@given(NOISE | LINES)
@settings(max_examples=300)
def test_any_bytes_as_judgments(data):
    try_qrels(data)


@given(NOISE | LINES)
@settings(max_examples=300)
def test_any_bytes_as_a_run(data):
    try_run(data)


@given(mutated(VALID_QRELS), st.sampled_from(["error", "first", "max"]))
@settings(max_examples=200)
def test_mutated_judgments(data, policy):
    try_qrels(data, on_duplicate=policy)


@given(mutated(VALID_RUNS), st.sampled_from(["error", "last", "max"]))
@settings(max_examples=200)
def test_mutated_runs(data, policy):
    try_run(data, on_duplicate=policy)


@given(NOISE | mutated(VALID_QRELS), st.sampled_from(FORMATS), st.booleans())
@settings(max_examples=300)
def test_any_bytes_said_to_be_of_any_format(data, form, all_errors):
    try_qrels(data, format=form, all_errors=all_errors)
    try_run(data, format=form, all_errors=all_errors)


TEXT = "".join(f"q{i % 7} Q0 document-{i * 7919 % 1000} 1 {i / 7:.3f} t\n" for i in range(300))


@pytest.mark.parametrize("how", PACK)
@given(st.data())
@settings(max_examples=60)
def test_a_cut_compressed_run_is_an_error_and_never_a_shorter_run(how, data):
    packed = PACK[how](TEXT.encode())
    cut = data.draw(st.integers(4, len(packed) - 1))
    with on_disk(packed[:cut]) as path:
        for read in (read_run, lambda p: evaluate({"q1": {"document-1": 1}}, p)):
            with pytest.raises(CranfieldError) as e:
                read(path)
            whole(e.value)


@pytest.mark.parametrize("how", PACK)
@given(st.data())
@settings(max_examples=60)
def test_flipped_bits_of_a_compressed_run_raise_no_other_error(how, data):
    packed = bytearray(PACK[how](TEXT.encode()))
    for _ in range(data.draw(st.integers(1, 5))):
        packed[data.draw(st.integers(0, len(packed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try_run(bytes(packed), on_duplicate="max")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '[{"query":' * 50_000])
def test_deeply_nested_json_is_an_error_of_ours(write, text):
    path = write("deep.json", text)
    for read in (read_run, read_qrels):
        with pytest.raises(CranfieldError):
            read(path)


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_deeply_nested_json_behind_a_valid_start_is_an_error_of_ours(write, form):
    start = '{"query": "q", "doc": "a", "score": 1}'
    text = f"{start}\n{'[' * 100_000}\n" if form == "jsonl" else f"[{start},{'[' * 100_000}"
    path = write("deep", text)
    with pytest.raises(CranfieldError):
        read_run(path)


@pytest.mark.parametrize("make", [parquet, feather])
@pytest.mark.parametrize("bit", [0x01, 0x80])
def test_any_single_bit_of_a_binary_file_may_be_wrong(write, make, bit):
    data = make()
    for at in range(len(data)):
        path = write("file", data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])
        try:
            read_qrels(path)
        except CranfieldError as e:
            whole(e)
