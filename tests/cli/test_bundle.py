"""`cranfield bundle`."""

from __future__ import annotations

import pytest


@pytest.fixture
def folder(cranfield, tmp_path):
    cranfield("demo", tmp_path / "d")
    lines = (tmp_path / "d" / "sequential-scan.run").read_text().splitlines(True)
    (tmp_path / "d" / "half.run").write_text("".join(lines[::2]))
    return tmp_path / "d"


def test_a_bundle_is_written_and_holds(cranfield, folder, tmp_path):
    out = tmp_path / "a.zip"
    args = (folder, folder / "sequential-scan.run", folder / "half.run", "--by", "type")
    ended = cranfield("bundle", *args, "--resamples", 500, "-o", out)
    assert ended.code == 0, ended.err
    assert "files" in ended.out
    ended = cranfield("bundle", "--check", out)
    assert ended.code == 0, ended.err
    assert "byte for byte the same" in ended.out


def test_a_damaged_bundle_ends_with_3(cranfield, folder, tmp_path):
    out = tmp_path / "a.zip"
    run = folder / "sequential-scan.run"
    cranfield("bundle", folder, run, folder / "half.run", "--resamples", 500, "-o", out)
    data = bytearray(out.read_bytes())
    data[len(data) // 3] ^= 255
    out.write_bytes(data)
    ended = cranfield("bundle", "--check", out)
    assert ended.code == 3
    assert "Traceback" not in ended.err


def test_wrong_calls(cranfield, folder, tmp_path):
    assert cranfield("bundle", folder).code == 2
    assert cranfield("bundle", "--check", tmp_path / "none.zip").code == 4
    assert cranfield("bundle", "x", "--check", "y").code == 2
