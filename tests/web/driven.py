"""`cranfield judge serve` in a process of its own, and a browser that is driven over its pages."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from cranfield.judging import preferences
from cranfield.judging.labels import open_labels

MEASURE = (Path(__file__).parents[1] / "report" / "measure_page.js").read_text()
SCREENS = Path(os.environ["CRANFIELD_SCREENS"]) if "CRANFIELD_SCREENS" in os.environ else None
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
LOOKS = [
    (lang, scheme, size)
    for lang in ("en", "zh")
    for scheme in ("light", "dark")
    for size in ("desk", "phone")
]


class Program:
    """`cranfield judge serve` in a process of its own."""

    def __init__(self, folder: Path, *args: object, port: int = 0) -> None:
        self.store = folder / "labels.sqlite"
        call = [sys.executable, "-m", "cranfield", "judge", "serve", *map(str, args)]
        call += ["--labels", str(self.store), "--port", str(port)]
        self._process = subprocess.Popen(
            call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/\S*", line)
        assert found is not None, self._process.stderr.read() if self._process.stderr else line
        self.address, self.port = found[0], int(found[1])

    def kill(self, how: int = signal.SIGKILL) -> str:
        self._process.send_signal(how)
        out, _ = self._process.communicate(timeout=60)
        assert self._process.returncode == (-how if how == signal.SIGKILL else 0)
        return out

    def running(self) -> bool:
        return self._process.poll() is None

    def rows(self) -> list[tuple[str, str, float | None, str]]:
        labels = open_labels(self.store)
        found = [(j.query, j.doc, j.grade, j.state) for j in labels.history()]
        labels.close()
        return found

    def preferences(self) -> list[tuple[str, str, str, str | None, str]]:
        labels = open_labels(self.store)
        found = preferences.history(labels)
        labels.close()
        return [(p.query, p.doc_a, p.doc_b, p.better, p.state) for p in found]


def ready(page: Any) -> None:
    page.wait_for_selector("html[data-ready]", state="attached", timeout=20_000)


def arrive(page: Any, address: str) -> None:
    """Open an address, or the one to which the page is just going by itself."""
    from playwright.sync_api import Error

    try:
        page.goto(address)
    except Error as error:
        if "interrupted by another navigation" not in error.message:
            raise
    ready(page)


def shown(page: Any) -> tuple[str, ...]:
    """The pair that a page shows."""
    names = page.eval_on_selector_all("#judge input[type=hidden]", "all => all.map(e => e.name)")
    wanted = [n for n in names if n in ("query", "doc", "doc_a", "doc_b")]
    return tuple(page.input_value(f"#judge input[name={n}]") for n in wanted)


def press(page: Any, key: str) -> None:
    """Press a key and wait for the next page."""
    page.evaluate("delete document.documentElement.dataset.ready")
    page.keyboard.press(key)
    ready(page)


def answer_and_undo_without_javascript(browser: Any, address: str, said: str) -> None:
    """Give an answer with the buttons alone, see another pair, and take the answer back."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    before = shown(page)
    page.click(f"button[name=said][value='{said}']")
    page.wait_for_load_state()
    assert shown(page) != before
    page.click("button[form=undo]")
    page.wait_for_load_state()
    assert shown(page) == before
    context.close()


def photograph(page: Any, name: str) -> None:
    if SCREENS is not None:
        page.screenshot(path=SCREENS / f"{name}.png")
