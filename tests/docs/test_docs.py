"""The documentation is run: what it says is printed is printed, and its links lead somewhere."""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cranfield
from cranfield.cli.main import COMMANDS
from cranfield.errors import EXIT_CODES
from cranfield.formats import names
from cranfield.formats.detect import FORMATS


def _load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


HERE = Path(__file__).resolve().parent
pages = _load("cranfield_doc_pages", HERE / "pages.py")
ROOT: Path = pages.ROOT
RUN_PAGES = [
    p for p in pages.PAGES if any(b.kind in ("console", "python") for b in pages.blocks(p))
]


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command as typed, with this environment's `cranfield` first."""
    own = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `cranfield demo cranfield-demo` leaves."""
    folder = tmp_path_factory.mktemp("docs")
    done = _shell("cranfield demo cranfield-demo", folder)
    assert done.returncode == 0, done.stderr
    return folder / "cranfield-demo"


@pytest.fixture
def desk(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own for each page, holding a demo folder, and the current one."""
    shutil.copytree(demo, tmp_path / "cranfield-demo")
    monkeypatch.chdir(tmp_path)
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:  # modules that a page wrote
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", RUN_PAGES, ids=_name)
def test_blocks_run(page: Path, desk: Path) -> None:
    names: dict[str, Any] = {"__name__": "__docs__"}
    for block in pages.blocks(page):
        if block.needs:  # run in tests/cluster
            continue
        where = f"{_name(page)}, line {block.line}"
        if block.kind == "console":
            _run_console(block, where, desk)
        elif block.kind == "python":
            _run_python(block, where, names)


def _run_console(block: Any, where: str, folder: Path) -> None:
    for call in pages.calls(block):
        done = _shell(call.command, folder)
        printed = (done.stdout).splitlines()
        told = f"{where}: $ {call.command}\n--- printed\n{done.stdout}--- on stderr\n{done.stderr}"
        assert pages.matches(call.expected, printed), told
        assert done.returncode not in (1, 70, 127), told
        assert "Traceback" not in done.stderr, told


def _run_python(block: Any, where: str, names: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block.text, where, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, where, where, 0)
    told = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    result = runner.run(test, out=told.write, clear_globs=False)
    names.update(test.globs)
    assert result.failed == 0, f"{where}\n{told.getvalue()}"


def test_output_is_compared_line_by_line() -> None:
    assert pages.matches(["a", "...", "d"], ["a", "b", "c", "d"])
    assert pages.matches(["a", "…"], ["a"])
    assert not pages.matches(["a", "c"], ["a", "b", "c"])
    assert not pages.matches(["a"], ["a", "b"])
    assert not pages.matches([], ["a"])


@pytest.mark.parametrize("page", pages.PAGES, ids=_name)
def test_links_resolve(page: Path) -> None:
    for target in pages.links(page):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{target} leads nowhere"
        assert there.is_relative_to(ROOT), f"{target} leads out of the project"
        assert not anchor or anchor in pages.anchors(there), f"{target}: no such heading"


@pytest.mark.parametrize("page", pages.PAGES, ids=_name)
def test_only_known_kinds_of_blocks(page: Path) -> None:
    known = {"console", "python", "sh", "text", "toml", "json", "yaml"}
    assert {b.kind for b in pages.blocks(page)} <= known, "a block of another kind is not checked"


def test_what_blocks_need_is_known() -> None:
    """A block that needs something is run where that is: here it would be passed over."""
    needs = {(b.kind, b.needs) for page in pages.PAGES for b in pages.blocks(page) if b.needs}
    assert needs <= {("console", "cluster")}


def test_every_page_is_linked() -> None:
    linked = {
        (page.parent / target.partition("#")[0]).resolve()
        for page in pages.PAGES
        for target in pages.links(page)
        if not re.match(r"[a-z]+:", target)
    }
    assert [_name(p) for p in pages.PAGES if p not in linked and p.name != "README.md"] == []


def test_made_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    tool = _load("cranfield_make_docs", ROOT / "tools" / "make_docs.py")
    assert tool.run(["--check"]) == 0, capsys.readouterr().err


def test_made_pages_that_are_stale_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = _load("cranfield_make_docs", ROOT / "tools" / "make_docs.py")
    folder = ["--docs", str(tmp_path)]
    assert tool.run(folder) == 0
    assert tool.run([*folder, "--check"]) == 0
    (tmp_path / "commands.md").write_text("old")
    (tmp_path / "measures" / "Gone.md").write_text("no such measure")
    capsys.readouterr()
    assert tool.run([*folder, "--check"]) == 1
    told = capsys.readouterr().err
    assert "commands.md" in told and "Gone.md" in told and "nDCG.md" not in told
    assert tool.run(folder) == 0
    assert tool.run([*folder, "--check"]) == 0


def test_readmes_are_in_step() -> None:
    here, there = ROOT / "README.md", ROOT / "README.zh-CN.md"
    level = [[h.split()[0] for h in pages.headings(p)] for p in (here, there)]
    assert level[0] == level[1], "other headings"
    kinds = [[b.kind for b in pages.blocks(p)] for p in (here, there)]
    assert kinds[0] == kinds[1], "other blocks"
    for mine, theirs in zip(pages.blocks(here), pages.blocks(there), strict=True):
        if mine.kind == "console":
            said = [[c.command for c in pages.calls(b)] for b in (mine, theirs)]
            assert said[0] == said[1], "other commands"
        elif mine.kind in ("python", "sh"):
            assert _code(mine) == _code(theirs), "other code"
    own = {"README.md", "README.zh-CN.md"}
    to = [[t for t in pages.links(p) if t not in own] for p in (here, there)]
    assert to[0] == to[1], "other links"


def _code(block: Any) -> list[str]:
    """The lines without their remarks, which are translated."""
    return [line.partition("  #")[0].rstrip() for line in block.text.splitlines()]


def test_public_names_are_documented() -> None:
    text = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").rglob("*.md"))
    assert [n for n in cranfield.__all__ if not re.search(rf"\b{n}\b", text)] == []


def test_commands_are_documented() -> None:
    headings = pages.headings(ROOT / "docs" / "commands.md")
    assert [n for n in COMMANDS if f"## cranfield {n}" not in headings] == []


def test_exit_codes_are_documented() -> None:
    text = (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    assert [c for c, said in EXIT_CODES.items() if f"| {c} | {said} |" not in text] == []


def test_options_are_explained_somewhere() -> None:
    """Every option of every command occurs in a page that a person wrote."""
    text = "".join(
        p.read_text(encoding="utf-8")
        for p in (ROOT / "docs").rglob("*.md")
        if p.name != "commands.md"
    )
    options = set(
        re.findall(r"--[a-z-]+", (ROOT / "docs" / "commands.md").read_text(encoding="utf-8"))
    )
    assert sorted(o for o in options - {"--help", "--version"} if o not in text) == []


def test_floors_are_those_that_are_enforced() -> None:
    """docs/architecture.md draws the floors that import-linter holds."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    floors = next(c["layers"] for c in contracts if c["name"] == "floors")
    drawing = next(b for b in pages.blocks(ROOT / "docs" / "architecture.md") if b.kind == "text")
    drawn = [re.split(r"\s{2,}", line)[0] for line in drawing.text.splitlines()]
    assert drawn == floors


def test_rooms_are_described() -> None:
    """docs/architecture.md draws every room there is, and no other."""
    drawing = next(b for b in pages.blocks(ROOT / "docs" / "architecture.md") if b.kind == "text")
    drawn = re.findall(r"^(\S+(?: \| \S+)*)  ", drawing.text, re.MULTILINE)
    source = ROOT / "src" / "cranfield"
    rooms = {p.parent.name for p in source.glob("*/__init__.py")}
    rooms |= {p.stem for p in source.glob("*.py") if not p.stem.startswith("_")}
    assert {room for line in drawn for room in line.split(" | ")} == rooms


def test_dependencies_are_justified() -> None:
    text = (ROOT / "docs" / "design" / "0003-dependencies.md").read_text(encoding="utf-8")
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    names = [re.split(r"[<>=\[ ]", d)[0] for d in project["dependencies"]]
    names += list(project["optional-dependencies"])
    assert [n for n in names if f"`{n}`" not in text] == []


def test_names_of_columns_are_listed() -> None:
    text = (ROOT / "docs" / "how-to" / "read-any-file.md").read_text(encoding="utf-8")
    known = [*names.QUERY, *names.DOC, *names.GRADE, *names.SCORE, *FORMATS]
    known += [name for aliases in names.EXTRAS.values() for name in aliases]
    assert [n for n in known if f"`{n}`" not in text] == []


def test_changelog_fragments_are_one_line_each() -> None:
    fragments = [p for p in (ROOT / "changelog.d").glob("*.md") if p.name != "README.md"]
    assert fragments
    for path in fragments:
        assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", path.name), path.name
        text = path.read_text(encoding="utf-8")
        assert text.endswith(".\n") and text.count("\n") == 1, path.name
