"""Files told by their content, and files written whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import subprocess
import sys

import pytest
import zstandard

from cranfield.errors import InputError, NoSuchInput
from cranfield.kit.files import open_input, write_whole

TEXT = b"q1 Q0 a 1 1.0 t\n" * 500
PACK = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}
# What zstd does not check unless it is asked to, nobody can find wrong.
CHECKED = {"zst": zstandard.ZstdCompressor(write_checksum=True).compress}


@pytest.mark.parametrize("how", PACK)
@pytest.mark.parametrize("name", ["run.txt", "run.gz", "run"])
def test_what_a_file_holds_decides_and_not_its_name(write, how, name):
    with open_input(write(name, PACK[how](TEXT))) as stream:
        assert stream.read() == TEXT


@pytest.mark.parametrize("how", PACK)
def test_two_compressed_parts_are_one_text(write, how):
    with open_input(write("run", PACK[how](TEXT) + PACK[how](b"end\n"))) as stream:
        assert stream.read() == TEXT + b"end\n"


@pytest.mark.parametrize("how", [h for h in PACK if h != "plain"])
@pytest.mark.parametrize("keep", [0.2, 0.6, 0.95])
def test_a_file_that_was_cut_short_is_said_to_be_damaged(write, how, keep):
    packed = PACK[how](os.urandom(3000) + TEXT)
    path = write("cut.txt", packed[: int(len(packed) * keep)])
    with pytest.raises(InputError, match=r"cut\.txt: damaged") as e, open_input(path) as stream:
        stream.read()
    assert e.value.exit_code == 3


@pytest.mark.parametrize("how", ["gz", "bz2", "xz", "zst"])
def test_a_file_with_wrong_bytes_is_said_to_be_damaged(write, how):
    packed = bytearray(CHECKED.get(how, PACK[how])(os.urandom(5000)))
    for i in range(40, 60):
        packed[i] ^= 0xFF
    with (
        pytest.raises(InputError, match="damaged"),
        open_input(write("bad", bytes(packed))) as stream,
    ):
        stream.read()


def test_an_empty_file_is_empty(write):
    with open_input(write("nothing", b"")) as stream:
        assert stream.read() == b""


def test_a_missing_file_names_one_nearby(write):
    near = write("qrels.test.txt", b"x")
    with pytest.raises(NoSuchInput) as e, open_input(near.with_name("qrels.tset.txt")):
        pass
    assert "no such file" in e.value.message
    assert e.value.hint == f"did you mean {near}?"
    assert e.value.exit_code == 4


def test_a_missing_file_without_a_neighbour_has_no_hint(tmp_path):
    with pytest.raises(NoSuchInput) as e, open_input(tmp_path / "nothing-like-it"):
        pass
    assert e.value.hint is None


def test_a_missing_folder_is_said(tmp_path):
    with pytest.raises(NoSuchInput) as e, open_input(tmp_path / "no" / "file"):
        pass
    assert e.value.hint == f"the folder {tmp_path / 'no'} does not exist either"


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(NoSuchInput, match="is a folder, not a file"), open_input(tmp_path):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_said(write):  # pragma: no cover - not as root
    path = write("secret", b"x")
    path.chmod(0)
    with pytest.raises(NoSuchInput, match="may not be read"), open_input(path):
        pass


@pytest.mark.parametrize("how", ["plain", "gz", "xz"])
def test_standard_input_is_told_by_its_content_too(how):
    program = (
        "import sys; from cranfield.kit.files import open_input\n"
        "with open_input('-') as s: sys.stdout.buffer.write(s.read())"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=PACK[how](TEXT), capture_output=True, check=True)
    assert done.stdout == TEXT


def test_nothing_is_seen_before_all_is_written(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with write_whole(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("before", [b"old", None])
def test_an_error_or_an_interrupt_leaves_what_was_there(tmp_path, error, before):
    path = tmp_path / "out"
    if before is not None:
        path.write_bytes(before)

    def half() -> None:
        with write_whole(path) as stream:
            stream.write(b"half")
            raise error

    with pytest.raises(error):
        half()
    assert os.listdir(tmp_path) == ([] if before is None else ["out"])
    assert before is None or path.read_bytes() == before


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o755])
def test_permissions_are_kept(tmp_path, mode):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(mode)
    with write_whole(path) as stream:
        stream.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_gets_what_the_mask_allows(tmp_path):
    before = os.umask(0o027)
    try:
        with write_whole(tmp_path / "out") as stream:
            stream.write(b"new")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o640


def test_a_link_stays_and_its_target_changes(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with write_whole(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert os.listdir(tmp_path / "there") == ["target"]


def test_a_missing_folder_is_said_before_anything_is_written(tmp_path):
    with pytest.raises(NoSuchInput, match="does not exist"), write_whole(tmp_path / "no" / "out"):
        raise AssertionError("the body must not run")
    assert os.listdir(tmp_path) == []
