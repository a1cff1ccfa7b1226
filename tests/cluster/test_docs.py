"""The blocks of the documentation that need a cluster are run on one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cranfield.demo import collection

HERE = Path(__file__).resolve()
LOCAL = "http://localhost:9200"


def _pages() -> Any:
    spec = importlib.util.spec_from_file_location(
        "cranfield_doc_pages_of_cluster", HERE.parents[1] / "docs" / "pages.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


pages = _pages()
NEEDY = [p for p in pages.PAGES if any(b.needs == "cluster" for b in pages.blocks(p))]


@pytest.mark.parametrize("page", NEEDY, ids=lambda page: page.name)
def test_blocks_run(page: Path, cluster: Any, opensearch: Any, tmp_path: Path) -> None:
    bundled = collection()
    assert bundled.documents is not None
    opensearch(bundled.documents(), index="articles", create=True)
    env = {**os.environ, "COLUMNS": "100"}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"

    def shell(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    assert shell("cranfield demo cranfield-demo").returncode == 0
    for block in pages.blocks(page):
        if block.needs != "cluster":
            continue
        assert LOCAL in block.text
        for call in pages.calls(block):
            done = shell(call.command.replace(LOCAL, cluster.hosts))
            told = f"{page.name}, line {block.line}: $ {call.command}\n{done.stdout}{done.stderr}"
            assert done.returncode == 0, told
            assert pages.matches(call.expected, done.stdout.splitlines()), told


def test_there_are_such_blocks() -> None:
    assert [page.name for page in NEEDY] == ["search-a-cluster.md"]
