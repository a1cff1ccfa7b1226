"""What the pages hold; every text is escaped by the templates."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader

from cranfield.data.collection import Document
from cranfield.judging.desk.desk import Desk
from cranfield.judging.desk.pairs import Pair, Task
from cranfield.judging.desk.question import Row
from cranfield.judging.judgment import Judgment
from cranfield.report.lab_words import Count
from cranfield.report.language import LANGUAGES, Words, words
from cranfield.report.marked import Marker, visible

MOST_SHOWN = 20_000  # characters of a document at first
MOST_MINE = 100
_ABOUT = ("description", "narrative")  # of a query, that say what is wanted


def said_of(row: Row, desk: Desk, w: Words) -> str:
    """A grade with its name, which of two documents, or the state."""
    if not isinstance(row, Judgment):
        return w(f"desk.better.{row.better}") if row.better else w(f"judge.state.{row.state}")
    if row.grade is None:
        return w(f"judge.state.{row.state}")
    names = {g.grade: g.name for g in desk.rubric.grades}
    return f"{row.grade:g} {names.get(int(row.grade), '')}".strip()


def address_of(pair: Pair, **more: str) -> str:
    """Where a pair is shown."""
    names = ("query", "doc") if len(pair) == 2 else ("query", "doc_a", "doc_b")
    return "/?" + urlencode({**dict(zip(names, pair, strict=True)), **more})


def undone(pair: Pair) -> tuple[str, dict[str, str]]:
    """What is said of a pair that was taken back: a key of the words and its values."""
    query, *docs = map(visible, pair)
    key = "desk.undone" if len(docs) == 1 else "desk.undone.two"
    return key, {"query": query, "doc": ", ".join(docs)}


def new_ticket() -> str:
    """Drawn whenever a pair is shown; it also says when that was."""
    return f"{int(time.time() * 1000):x}.{secrets.token_urlsafe(9)}"


def since(ticket: str) -> float | None:
    """Seconds since a ticket was drawn; None where it does not say."""
    try:
        return time.time() - int(ticket.partition(".")[0], 16) / 1000
    except ValueError:
        return None


@dataclass(frozen=True)
class Asked:
    """What every page needs: its language, who looks at it, the token of its forms, what has just
    happened (a key of the words and its values)."""

    lang: str
    assessor: str | None
    token: str
    told: tuple[str, Mapping[str, Any]] | None = None


class Pages:
    """The pages of a desk.

    Parameters
    ----------
    fields : of documents, that are shown as well.
    one : whether there is a single assessor, or each has a token, so that nobody can change.
    """

    def __init__(self, desk: Desk, task: Task, fields: tuple[str, ...], *, fixed: bool) -> None:
        self.desk, self.task, self.fields, self.fixed = desk, task, fields, fixed
        self._templates = Environment(
            loader=PackageLoader("cranfield.web"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._marker = lru_cache(maxsize=64)(Marker)

    def pair(self, asked: Asked, pair: Pair, *, whole: bool = False, skipped: bool = False) -> str:
        """A document, or two, for one query."""
        assert asked.assessor is not None
        pair = self.desk.as_shown(asked.assessor, pair)
        query = self.task.queries[pair[0]]
        own = self.desk.said(asked.assessor).get(self.desk.item(asked.assessor, pair))
        w = words(asked.lang)
        about = [str(query.fields[k]) for k in _ABOUT if isinstance(query.fields.get(k), str)]
        again = {"skipped": "1"} if skipped else {}
        known = self.task.reference(pair)
        return self._page(
            "pair.html" if len(pair) == 2 else "two.html",
            asked,
            query=query,
            about=[visible(a) for a in about if a.strip() and a != query.text],
            documents=[self._shown(query.text, self.task.documents[d], whole) for d in pair[1:]],
            known=None if known is None else self._shown(query.text, known, whole),
            names=list(zip(self.desk.question.names, pair, strict=True)),
            whole=address_of(pair, whole="1", **again),
            own=None if own is None else said_of(own, self.desk, w),
            reason="" if own is None else own.reason,
            seen=0 if own is None else own.id,
            ticket=new_ticket(),
            skipped=skipped,
            language=address_of(pair, **again) + "&",
        )

    def _shown(self, query: str, document: Document, whole: bool) -> dict[str, Any]:
        """What a page shows of a document, the terms of the query marked."""
        mark = self._marker(query)
        text = document.text if whole else document.text[:MOST_SHOWN]
        more = [(k, str(document.fields[k])) for k in self.fields if document.fields.get(k)]
        return {
            "id": document.id,
            "title": mark(document.title),
            "fields": [(k, mark(v)) for k, v in more],
            "text": mark(text),
            "shown": len(text),
            "total": len(document.text),
        }

    def done(self, asked: Asked) -> str:
        return self._page("done.html", asked)

    def who(self, asked: Asked) -> str:
        return self._page("who.html", asked, names=list(self.desk.queues))

    def mine(self, asked: Asked) -> str:
        """The last judgments of one assessor."""
        assert asked.assessor is not None
        w = words(asked.lang)
        said = sorted(self.desk.said(asked.assessor).values(), key=lambda j: -j.id)[:MOST_MINE]
        pairs = [(row, self.desk.question.pair(row)) for row in said]
        rows = [
            {
                "query": visible(self.task.queries[pair[0]].text),
                "titles": [visible(self.task.documents[d].title or d) for d in pair[1:]],
                "said": said_of(row, self.desk, w),
                "reason": visible(row.reason),
                "address": address_of(pair),
            }
            for row, pair in pairs
        ]
        return self._page("mine.html", asked, rows=rows)

    def error(self, asked: Asked, said: str) -> str:
        return self._page("error.html", asked, said=said)

    def _page(self, template: str, asked: Asked, **values: Any) -> str:
        w = words(asked.lang)
        values.setdefault("language", "?")
        told = None if asked.told is None else w(asked.told[0], **asked.told[1])
        pair = values.get("query")
        progress = last = None
        if asked.assessor is not None:
            progress = self.desk.progress(asked.assessor, pair.id if pair is not None else None)
            last = self.desk.last(asked.assessor)
        return self._templates.get_template(template).render(
            w=w,
            lang=asked.lang,
            other=next(x for x in LANGUAGES if x != asked.lang),
            assessor=asked.assessor,
            fixed=self.fixed,
            token=asked.token,
            told=told,
            progress=progress,
            last=None if last is None else {"id": last.id, "said": said_of(last, self.desk, w)},
            rubric=self.desk.rubric,
            visible=visible,
            count=Count,
            **values,
        )
