"""A desk over a small collection of hostile documents, served as it is for people."""

from __future__ import annotations

import http.client
import importlib.util
import json
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from cranfield.formats.readers import read_collection
from cranfield.judging.desk.deal import Dealing, deal, turned
from cranfield.judging.desk.desk import Desk
from cranfield.judging.desk.pairs import proposed, task_of
from cranfield.judging.labels import Labels, open_labels
from cranfield.judging.llm.rubric import read_rubric
from cranfield.judging.llm.work import Which
from cranfield.web.serve import bound, ready


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


driven = _load("driven")  # test files take it from sys.modules
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
HOSTILE = (
    '<script>window.pwned = 1; alert(1)</script><img src=x onerror="window.pwned = 2">'
    "</div></article><form action='/undo' method=post><button>0</button></form>"
    "<a href=\"javascript:window.pwned=3\" onclick='window.pwned=4'>shoes</a> {{ 7*7 }} <!-- &lt;"
    "<style>body{display:none}</style><meta http-equiv=refresh content='0;url=http://evil.example'>"
)
BIDI = (
    "\u202egpj.seohs eulb\u202c and \u2066\u2067 left open \u202d, with \x1b[31m and \x00 and "
    "\ud83d"
)
DOCUMENTS = [
    ("d1", "Blue <b>shoes</b>", f"Shoes that are blue. {HOSTILE}"),
    ("d2", "עברית", f"{BIDI} נעליים כחולות"),
    ("d3", "蓝色的鞋子", "这双蓝色的鞋子很舒服，红帽子不在这里。"),
    ("d4", "", "word " * 9000 + "the end"),
    ("d5", "Nothing", ""),
    (
        '"><script>window.pwned=5</script>',
        "An id that is a tag",
        "plain text of a shoe\n\nin lines",
    ),
]
QUERIES = [("q1", "blue shoes"), ("q2", "<img src=x onerror=window.pwned=6> 蓝色鞋子")]


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    docs = [{"_id": i, "title": t, "text": x, "url": "javascript:1"} for i, t, x in DOCUMENTS]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(d) + "\n" for d in docs))
    queries = [{"_id": i, "text": t, "type": "secret-type"} for i, t in QUERIES]
    (folder / "queries.jsonl").write_text("".join(json.dumps(q) + "\n" for q in queries))
    return folder


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    """A list of pairs of documents: for both queries each document with the next."""
    ids = [i for i, _, _ in DOCUMENTS]
    rows = [(q, a, b) for q, _ in QUERIES for a, b in pairwise(ids)]
    path = tmp_path / "pairs.tsv"
    path.write_text("query\tdoc_a\tdoc_b\n" + "".join("\t".join(r) + "\n" for r in rows))
    return str(path)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    cookies: list[str]
    body: str

    def hidden(self, name: str) -> str:
        """The value of a hidden field."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.body)
        assert found is not None, f"no field {name}"
        return unescape(found[1])

    @property
    def names(self) -> tuple[str, ...]:
        two = 'name="doc_a"' in self.body
        return ("query", "doc_a", "doc_b") if two else ("query", "doc")

    @property
    def pair(self) -> tuple[str, ...]:
        return tuple(map(self.hidden, self.names))


@dataclass
class Visitor:
    """A browser without its wits: keeps cookies, follows nothing."""

    base: str
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> Answer:
        there = urlsplit(self.base)
        line = http.client.HTTPConnection(there.hostname or "", there.port, timeout=20)
        sent = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        if body is not None:
            sent |= {"Origin": self.base, "Content-Type": "application/x-www-form-urlencoded"}
        sent |= {k.replace("_", "-"): v for k, v in headers.items() if v is not None}
        for name in [k.replace("_", "-") for k, v in headers.items() if v is None]:
            sent.pop(name)
        data = urlencode(body) if isinstance(body, dict) else body
        try:
            line.request(method, path, data, sent)
            got = line.getresponse()
            text = got.read().decode()
        finally:
            line.close()
        set_ = got.headers.get_all("set-cookie") or []
        for cookie in set_:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value.strip('"')
        return Answer(got.status, {k.lower(): v for k, v in got.headers.items()}, set_, text)

    def get(self, path: str = "/", **headers: str | None) -> Answer:
        return self.ask("GET", path, **headers)

    def judge(self, page: Answer, said: str, *, sent: Any = None, **more: str | None) -> Answer:
        """Press a button on a page."""
        names = ("token", *page.names, "ticket", "seen")
        form = {**{n: page.hidden(n) for n in names}, "said": said, "seconds": "3.2"}
        if 'name="skipped"' in page.body:
            form["skipped"] = "1"
        return self.ask("POST", "/judge", {**form, **(sent or {})}, **more)

    def undo(self, page: Answer, **sent: str) -> Answer:
        form = {"token": page.hidden("token"), "last": page.hidden("last"), **sent}
        return self.ask("POST", "/undo", form)


@dataclass
class Served:
    base: str
    links: dict[str, str]
    desk: Desk
    labels: Labels

    def visitor(self) -> Visitor:
        return Visitor(self.base)


@pytest.fixture
def serving(collection: Path, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Serve a desk in a thread of this process."""
    running: list[tuple[Any, threading.Thread, Any]] = []

    def start(
        assessors: tuple[str, ...] = ("anna",),
        *,
        only: tuple[str, ...] = (),
        secret: str | None = None,
        labels: Labels | None = None,
        rubric: str = "grades",
        round: str | None = None,
        lang: str = "en",
        fields: tuple[str, ...] = (),
        work_list: str | None = None,
        both: bool = False,
        on: Path | None = None,
        **how: Any,
    ) -> Served:
        store = labels if labels is not None else open_labels(tmp_path / "labels.sqlite")
        found = read_collection(on or collection, judgments=on is not None)
        asked = read_rubric(rubric)
        if asked.kind == "preference":
            task, _ = proposed(found, asked, Which(work_list=work_list), only)
            dealt = deal(task.pairs, Dealing(assessors, **how))
            queues = turned(dealt, how.get("seed", 0), both=both)
        else:
            task = task_of(found, work_list, only, asked)
            queues = deal(task.pairs, Dealing(assessors, **how))
        desk = Desk(store, queues, asked, round=round, references=task.references)
        listening = bound("127.0.0.1", 0)
        made = ready(desk, task, listening, secret=secret, lang=lang, fields=fields)
        thread = threading.Thread(target=made.server.run, kwargs={"sockets": [listening]})
        thread.start()
        running.append((made.server, thread, listening))
        end = time.monotonic() + 20
        while not made.server.started:
            assert time.monotonic() < end and thread.is_alive()
            time.sleep(0.01)
        port = listening.getsockname()[1]
        return Served(f"http://127.0.0.1:{port}", made.links, desk, store)

    yield start
    for server, thread, listening in running:
        server.should_exit = True
        thread.join(20)
        listening.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as p:
        found = next(filter(None, map(shutil.which, NAMES)), p.chromium.executable_path)
        if not Path(found).exists():
            pytest.skip("no chromium here: apt-get install chromium")
        running = p.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def program(collection: Path, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    made: list[Any] = []

    def start(*args: object, on: Path = collection, port: int = 0) -> Any:
        made.append(driven.Program(tmp_path, on, *args, port=port))
        return made[-1]

    yield start
    for one in made:
        if one.running():
            one.kill()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """A page, and in `page.said` whatever it complained of or asked of others."""
    contexts = []

    def open_(address: str, *, context: Any = None, **more: Any) -> Any:
        if context is None:
            context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **more})
            contexts.append(context)
        page = context.new_page()
        page.said = []
        base = address.partition("?")[0]
        page.on("console", lambda m: page.said.append(f"console: {m.text}"))
        page.on("pageerror", lambda e: page.said.append(f"error: {e}"))
        page.on("dialog", lambda d: (page.said.append(f"dialog: {d.message}"), d.dismiss()))
        page.on("request", lambda r: None if r.url.startswith(base) else page.said.append(r.url))
        page.goto(address)
        driven.ready(page)
        return page

    yield open_
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def bundled() -> Path:
    """The collection that comes with the package."""
    from cranfield.demo import demo

    return Path(demo.__file__).parent / "collection"
