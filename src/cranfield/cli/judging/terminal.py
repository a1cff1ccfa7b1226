"""`cranfield judge terminal`."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.judging.desk import added, desk_of, remarks
from cranfield.cli.judging.desk_options import dealing
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.data.collection import Document
    from cranfield.judging.desk.desk import Desk
    from cranfield.judging.desk.pairs import Pair, Task
    from cranfield.report.language import Words
    from cranfield.report.marked import Marker

STATES = {"u": "unsure", "s": "skip"}
SIDES = {"a": "a", "1": "a", "\x1b[d": "a", "b": "b", "2": "b", "\x1b[c": "b", "t": "tie"}


@click.command("terminal")
@dealing
@click.option(
    "--max-chars",
    type=click.IntRange(min=0),
    default=2000,
    show_default=True,
    help="Characters of a document that are shown at first; 0: all.",
)
def command(max_chars: int, **chosen: Any) -> None:
    """Judge the documents of COLLECTION (a BEIR folder, irds:<id>, or a lab) in this terminal.

    The same queue, the same blindness and the same keys as in the browser; m shows the rest of a
    long document, ? the rubric, q ends. With --rubric preference two documents are shown, and a, b
    (or the arrows) and t say which is better. Where standard input is no terminal, its lines are
    the keys. Without COLLECTION: that of the lab.
    """
    from cranfield.report.language import words

    if len(chosen["assessors"]) > 1:
        raise UsageError("one person sits at a terminal", "one --assessor; `judge serve` has more")
    desk, task = desk_of(place="terminal", **chosen)
    remarks(desk, task, chosen)
    rows = desk.rows()
    try:
        _Sitting(desk, task, words(chosen["lang"]), max_chars).run()
    except (KeyboardInterrupt, click.Abort):
        click.echo()
    added(desk, rows, chosen["lang"])


class _Sitting:
    """One person judging: shows a pair, takes a key, goes on."""

    def __init__(self, desk: Desk, task: Task, w: Words, most: int) -> None:
        self._desk, self._task, self._w, self._most = desk, task, w, most
        (self._who,) = desk.queues
        two = desk.rubric.kind == "preference"
        grades: dict[str, int | str] = {str(g): g for g in desk.rubric.scale}
        self._said = {**(SIDES if two else grades), **STATES}
        self._keys = (
            self._w("desk.keys.two.terminal")
            if two
            else self._w("desk.keys.terminal", grades="".join(grades))
        )
        self._begun = time.monotonic()

    def run(self) -> None:
        """Until nothing is left, somebody quits, or standard input ends. What was skipped comes
        once more at the end."""
        self._rubric()
        pair = self._desk.next(self._who)
        again = False
        while True:
            if pair is None and not again:
                pair, again = self._desk.next(self._who, skipped=True), True
            if pair is None:
                self._done()
                return
            key = self._asked(pair)
            if key is None:
                return
            if key == "z":
                pair, again = self._undo() or pair, False
                continue
            if key in self._said:
                self._give(pair, key)
                pair = self._desk.next(self._who, skipped=again, after=pair)

    def _asked(self, pair: Pair) -> str | None:
        """A key that decides, for a pair that is shown; None to end."""
        self._show(pair, self._most)
        self._begun = time.monotonic()
        while True:
            click.echo(self._keys, nl=False)
            click.echo(" ", nl=False)
            key = _key()
            click.echo("" if key is None else _line(_named(key)))
            if key in (None, "q"):
                return None
            if key == "?":
                self._rubric()
            elif key == "m":
                self._show(pair, 0)
            elif key == "z" or key in self._said:
                return key

    def _show(self, pair: Pair, most: int) -> None:
        from cranfield.report.marked import Marker, visible

        query = self._task.queries[pair[0]]
        done = self._desk.progress(self._who)
        click.echo(f"\n{self._w('desk.progress', done=done.done, total=done.total)}")
        name = f"{self._w('desk.query')} {visible(query.id)}"
        click.echo(f"{name}: " + click.style(_line(visible(query.text)), bold=True))
        mark = Marker(query.text)
        known = self._task.reference(pair)
        if known is not None:
            self._document(f"{self._w('desk.known')}: ", known, mark, most)
        for letter, doc in zip(("",) if len(pair) == 2 else ("A  ", "B  "), pair[1:], strict=True):
            self._document(letter, self._task.documents[doc], mark, most)

    def _document(self, letter: str, document: Document, mark: Marker, most: int) -> None:
        from cranfield.report.marked import visible

        text = document.text[:most] if most else document.text
        head = f"{letter}{self._w('desk.document')} {visible(document.id)}"
        click.echo((click.style(head, bold=True) if letter else head) + "\n")
        for part in (document.title, text):
            if part:
                click.echo("".join(_styled(p.text, p.marked) for p in mark(part)))
        if len(text) < len(document.text):
            click.echo(self._w("desk.cut", shown=len(text), total=len(document.text)) + " [m]")
        click.echo()

    def _give(self, pair: Pair, key: str) -> None:
        from secrets import token_urlsafe

        own = self._desk.said(self._who).get(self._desk.item(self._who, pair))
        given = self._desk.give(
            self._who,
            pair,
            self._said[key],
            ticket=token_urlsafe(9),
            seen=0 if own is None else own.id,
            seconds=time.monotonic() - self._begun if sys.stdin.isatty() else None,
        )
        if given.outcome != "kept":
            click.echo(self._w("desk.crossed"))

    def _undo(self) -> Pair | None:
        last = self._desk.last(self._who)
        pair = None if last is None else self._desk.undo(self._who, last.id)
        if pair is None:
            click.echo(self._w("desk.nothing_to_undo"))
        else:
            key = "desk.undone" if len(pair) == 2 else "desk.undone.two"
            click.echo(self._w(key, query=pair[0], doc=", ".join(pair[1:])))
        return pair

    def _rubric(self) -> None:
        rubric = self._desk.rubric
        click.echo(f"{self._w('desk.rubric')} {rubric.version}")
        click.echo(rubric.task.strip())
        for grade in rubric.grades:
            click.echo(f"  {grade.grade}  {grade.name}: {grade.text}")

    def _done(self) -> None:
        from cranfield.report.lab_words import Count

        n = Count(self._desk.progress(self._who).skipped)
        click.echo(self._w("desk.done.skipped", n=n) if n else self._w("desk.done"))


def _line(text: str) -> str:
    return " ".join(text.split())


def _named(key: str) -> str:
    """A key as it is shown: an arrow as what it says, other keys without a letter not at all."""
    return SIDES.get(key, "") if key.startswith("\x1b") else key


def _styled(text: str, marked: bool) -> str:
    return click.style(text, reverse=True) if marked else text


def _key() -> str | None:
    """A key that is pressed, or a line where standard input is no terminal; None at the end."""
    if sys.stdin.isatty():
        key = click.getchar()
        return None if key in ("\x04", "\x1b") else key.lower()
    line = sys.stdin.readline()
    return line.strip().lower() if line else None
