"""Progress is for people at a terminal and for nobody else."""

from __future__ import annotations

import io
import sys

from cranfield.kit import progress as module
from cranfield.kit.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_no_terminal_no_output(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    with progress("reading", 10) as advance:
        advance(5)
    assert stream.getvalue() == ""


def test_quick_work_says_nothing_even_on_a_terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("reading", 10) as advance:
        advance(5)
    assert stream.getvalue() == ""


def test_slow_work_says_what_it_is_on_a_terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "_PATIENCE", -1.0)
    with progress("reading", 10) as advance:
        advance(5)
        advance(5)
    assert "reading" in stream.getvalue()


def test_work_within_work_shows_one_bar(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "_PATIENCE", -1.0)
    with progress("searching", 2) as outer:
        outer(1)
        with progress("embedding", 10) as inner:
            inner(5)
        outer(1)
    assert "searching" in stream.getvalue() and "embedding" not in stream.getvalue()
    with progress("embedding", 10) as advance:  # the bar is free again
        advance(5)
    assert "embedding" in stream.getvalue()
