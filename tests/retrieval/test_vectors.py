"""The cache of vectors: found again, by model and text, whatever was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import NoSuchInput
from cranfield.retrieval.vectors import CUT, UNKNOWN, WHOLE, VectorCache, key_of

MODEL = {"name": "m", "prefix": "查询: "}


def filled(folder, texts, model=MODEL, dimension=4):
    cache = VectorCache(folder, model, dimension)
    vectors = np.arange(len(texts) * dimension, dtype=np.float32).reshape(len(texts), dimension)
    cache.add([key_of("document", t) for t in texts], vectors, [WHOLE, CUT, UNKNOWN][: len(texts)])
    cache.close()
    return vectors


def test_kept_and_found(tmp_path):
    texts = ["a", "死锁", ""]
    vectors = filled(tmp_path, texts)
    cache = VectorCache(tmp_path, MODEL, 4)
    assert len(cache) == 3
    found = cache.get([key_of("document", t) for t in [*texts, "other"]])
    assert len(found) == 3
    for row, (text, flag) in enumerate(zip(texts, (WHOLE, CUT, UNKNOWN), strict=True)):
        vector, said = found[key_of("document", text)]
        assert np.array_equal(vector, vectors[row]) and said == flag


def test_model_dimension_and_side_keep_apart(tmp_path):
    filled(tmp_path, ["a"])
    assert len(VectorCache(tmp_path, {**MODEL, "prefix": ""}, 4)) == 0
    assert len(VectorCache(tmp_path, MODEL, 5)) == 0
    assert key_of("query", "a") != key_of("document", "a")


def test_several_writers(tmp_path):
    one, two = VectorCache(tmp_path, MODEL, 2), VectorCache(tmp_path, MODEL, 2)
    for i in range(5):
        one.add([key_of("document", f"one {i}")], np.full((1, 2), i), [WHOLE])
        two.add([key_of("document", f"two {i}")], np.full((1, 2), -i), [WHOLE])
    assert len(VectorCache(tmp_path, MODEL, 2)) == 10
    one.close()
    two.close()


@given(st.data())
def test_what_was_cut_short_or_damaged_is_passed_over(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("cache")
    texts = ["a", "b", "c"]
    vectors = filled(folder, texts)
    (path,) = folder.rglob("*.vectors")
    raw = bytearray(path.read_bytes())
    head = raw.index(b"\n") + 1
    if data.draw(st.booleans()):
        raw = raw[: data.draw(st.integers(0, len(raw)))]
        good = {t for i, t in enumerate(texts) if len(raw) >= head + 40 * (i + 1)}
    else:
        place = data.draw(st.integers(head, len(raw) - 1))
        raw[place] ^= 1 << data.draw(st.integers(0, 7))
        good = {t for i, t in enumerate(texts) if i != (place - head) // 40}
    path.write_bytes(raw)
    found = VectorCache(folder, MODEL, 4).get([key_of("document", t) for t in texts])
    assert found.keys() == {key_of("document", t) for t in good}
    for row, text in enumerate(texts):
        if text in good:
            assert np.array_equal(found[key_of("document", text)][0], vectors[row])


WRITER = """
import sys, numpy as np
from cranfield.retrieval.vectors import VectorCache, key_of
cache = VectorCache(sys.argv[1], {"name": "m"}, 64)
i = 0
while True:
    cache.add([key_of("document", str(i))], np.full((1, 64), i, np.float32), [0])
    i += 1
"""


def test_safe_against_a_kill(tmp_path):
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)])
    until = time.monotonic() + 60
    while len(VectorCache(tmp_path, {"name": "m"}, 64)) < 50:
        assert time.monotonic() < until and writer.poll() is None
        time.sleep(0.05)
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    cache = VectorCache(tmp_path, {"name": "m"}, 64)
    assert len(cache) >= 50
    for i in range(len(cache)):
        vector, _ = cache.get([key_of("document", str(i))])[key_of("document", str(i))]
        assert (vector == i).all()


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NoSuchInput, match="cannot be a cache"):
        VectorCache(tmp_path / "file", MODEL, 4)
