"""The program as a whole: help, start-up, how it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cranfield.cli.main import COMMANDS
from cranfield.errors import EXIT_CODES, CranfieldError

SLOW = {"scipy", "pandas", "polars", "pyarrow", "jinja2", "rich", "ir_datasets", "zstandard"}


def modules_after(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_importing_cranfield_loads_nothing_heavy():
    assert not modules_after("import cranfield") & (SLOW | {"numpy", "click"})


def test_a_first_answer_needs_no_slow_import(tmp_path):
    (tmp_path / "q").write_text("q1 0 a 1\n")
    (tmp_path / "r").write_text("q1 Q0 a 1 1 t\n")
    code = (
        "from cranfield.cli.main import main\n"
        f"main.main(['evaluate', {str(tmp_path / 'q')!r}, {str(tmp_path / 'r')!r}], "
        "standalone_mode=False)"
    )
    assert not modules_after(code) & SLOW


def test_help_lists_every_command_and_each_has_its_own(cranfield):
    ended = cranfield("--help")
    assert ended.code == 0
    for name in COMMANDS:
        assert name in ended.out
        help_ = cranfield(name, "--help")
        assert help_.code == 0
        assert "Usage:" in help_.out


def test_a_mistyped_command_is_recognised(cranfield):
    ended = cranfield("evalute")
    assert ended.code == 2
    assert "Did you mean evaluate?" in ended.err


def test_version(cranfield):
    assert cranfield("--version").out.startswith("cranfield, version ")


def every_error(kind: type[CranfieldError]) -> set[type[CranfieldError]]:
    return {kind}.union(*(every_error(k) for k in kind.__subclasses__()))


@pytest.mark.parametrize("kind", sorted(every_error(CranfieldError), key=lambda k: k.__name__))
def test_every_error_ends_with_a_code_of_the_table(kind):
    assert kind.exit_code in EXIT_CODES
    assert kind.exit_code != 0


def test_a_bug_is_told_from_a_mistake(cranfield, monkeypatch):
    import cranfield.report.measures as module

    def broken() -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "catalogue", broken)
    ended = cranfield("measures")
    assert ended.code == 70
    assert "bug in Cranfield" in ended.err
