"""The application: a page shows a pair, a form says what somebody thinks of it.

Every change is a form that is sent with POST and answered with where to go next, after the store
has it. Without JavaScript it works as well, without keys.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cranfield.errors import CranfieldError, InputError, UsageError
from cranfield.judging.desk.desk import Desk
from cranfield.judging.desk.pairs import Pair, Task
from cranfield.report.language import LANGUAGES, words
from cranfield.web.forms import Form, Refused, number, read_form, wants_json, whole
from cranfield.web.guard import Doorkeeper, Guarded
from cranfield.web.pages import Asked, Pages, address_of, since, undone

STATIC = {"judge.css": "text/css", "judge.js": "text/javascript", "icon.svg": "image/svg+xml"}


def application(
    desk: Desk,
    task: Task,
    door: Doorkeeper,
    *,
    lang: str = "en",
    fields: tuple[str, ...] = (),
    hosts: tuple[str, ...] | None,
) -> ASGIApp:
    """The application that serves a desk.

    Parameters
    ----------
    lang : of the pages, until somebody chooses another.
    fields : of documents, that are shown beside title and text.
    hosts : names under which it answers; None allows any.
    """
    fixed = door.secret is not None or len(door.assessors) == 1
    return Guarded(_Handlers(Pages(desk, task, fields, fixed=fixed), door, lang).app(), hosts)


class _Handlers:
    def __init__(self, pages: Pages, door: Doorkeeper, lang: str) -> None:
        self.pages, self.desk, self.door, self.lang = pages, pages.desk, door, lang
        folder = files("cranfield.web") / "static"
        self._static = {name: (folder / name).read_bytes() for name in STATIC}

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self._getting(self.show)),
                Route("/mine", self._getting(self.mine)),
                Route("/judge", self._posting(self.judge), methods=["POST"]),
                Route("/undo", self._posting(self.undo), methods=["POST"]),
                Route("/who", self._posting(self.who), methods=["POST"]),
                Route("/static/{name}", self.static),
            ],
            exception_handlers={HTTPException: self._http},  # type: ignore[dict-item]
        )

    # ------------------------------------------------------------------ pages

    def show(self, request: Request, asked: Asked) -> Response:
        given = request.query_params
        if asked.assessor is None:
            return HTMLResponse(self.pages.who(asked))
        skipped = given.get("skipped") == "1"
        names = self.desk.question.names
        if all(n in given for n in names):
            named = tuple(given[n] for n in names)
            if not self.desk.has(asked.assessor, named):
                raise Refused(404, "desk.error.pair")
            pair: Pair | None = named
        else:
            pair = self.desk.next(asked.assessor, skipped=skipped)
        if pair is None:
            return HTMLResponse(self.pages.done(asked))
        whole = given.get("whole") == "1"
        return HTMLResponse(self.pages.pair(asked, pair, whole=whole, skipped=skipped))

    def mine(self, request: Request, asked: Asked) -> Response:
        return HTMLResponse(self.pages.mine(asked))

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._static:
            return Response(status_code=404)
        return Response(self._static[name], media_type=STATIC[name])

    # ------------------------------------------------------------------ forms

    def judge(self, request: Request, asked: Asked, form: Form) -> tuple[str, str]:
        """(where to go next, what to say there)."""
        assessor = self._known(asked)
        pair = tuple(form.get(n, "") for n in self.desk.question.names)
        said = form.get("said", "")
        skipped = form.get("skipped") == "1"
        ticket = form.get("ticket", "")[:64]
        if not self.desk.has(assessor, pair):
            raise Refused(404, "desk.error.pair")
        seen, grade = whole(form.get("seen")), whole(said)
        if not ticket or seen is None or not said or (grade is None and said.isdecimal()):
            raise Refused(400, "desk.error.form")
        given = self.desk.give(
            assessor,
            pair,
            said if grade is None else grade,
            ticket=ticket,
            seen=seen,
            seconds=number(form.get("seconds")) or since(ticket),
            reason=form.get("reason", ""),
        )
        again = {"skipped": "1"} if skipped else {}
        if given.outcome == "crossed":
            shown = self.desk.as_shown(assessor, pair)
            return address_of(shown, told="crossed", **again), ""
        following = self.desk.next(assessor, skipped=skipped, after=pair)
        return ("/" if following is None else address_of(following, **again)), ""

    def undo(self, request: Request, asked: Asked, form: Form) -> tuple[str, str]:
        assessor = self._known(asked)
        last = whole(form.get("last"))
        if last is None:
            return "/", ""
        pair = self.desk.undo(assessor, last)
        if pair is None:
            return "/?told=undo.crossed", ""
        return address_of(pair, told="undone"), ""

    def who(self, request: Request, asked: Asked, form: Form) -> tuple[str, str]:
        name = form.get("name", "")
        if self.door.secret is not None or (name and name not in self.door.assessors):
            raise Refused(400, "desk.error.form")
        return "/", name or "\0"

    # ------------------------------------------------------------------ around them

    def _known(self, asked: Asked) -> str:
        if asked.assessor is None:
            raise Refused(403, "desk.error.token")
        return asked.assessor

    def _asked(self, request: Request) -> Asked:
        given = request.query_params
        chosen = given.get("lang") or self.door.language(request)
        lang = chosen if chosen in LANGUAGES else self.lang
        assessor = self.door.assessor(request)
        if "token" in given and self.door.secret is not None:
            assessor = self.door.of_token(given["token"])
        told: tuple[str, dict[str, str]] | None = None
        if given.get("told") in ("crossed", "undo.crossed"):
            told = f"desk.{given['told']}", {}
        elif given.get("told") == "undone" and all(n in given for n in self.desk.question.names):
            told = undone(tuple(given[n] for n in self.desk.question.names))
        return Asked(lang, assessor, self.door.form_token(request), told)

    def _getting(self, answer: Callable[[Request, Asked], Response]) -> Any:
        def page(request: Request) -> Response:
            asked = self._asked(request)
            try:
                if asked.assessor is None and self.door.secret is not None:
                    raise Refused(403, "desk.error.token")
                if "token" in request.query_params and asked.assessor is not None:
                    response: Response = RedirectResponse("/", 303)  # it leaves the address bar
                    if self.door.secret is not None:
                        self.door.remember(response, asked.assessor)
                    return response
                if asked.assessor is None and request.url.path != "/":
                    return RedirectResponse("/", 303)
                response = answer(request, asked)
            except (Refused, CranfieldError) as e:
                response = self._refusal(request, asked, e)
            self.door.keep_form_token(response, asked.token)
            if request.query_params.get("lang") in LANGUAGES:
                self.door.keep_language(response, asked.lang)
            return response

        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(page, request)

        return endpoint

    def _posting(self, take: Callable[[Request, Asked, Form], tuple[str, str]]) -> Any:
        def taken(request: Request, form: Form | None) -> Response:
            asked = self._asked(request)
            try:
                if form is None:
                    raise Refused(400, "desk.error.form")
                complaint = self.door.complaint(request, form)
                if complaint is not None:
                    raise Refused(403, complaint)
                following, name = take(request, asked, form)
            except (Refused, CranfieldError) as e:
                return self._refusal(request, asked, e)
            response: Response
            if wants_json(request):
                response = JSONResponse({"next": following})
            else:
                response = RedirectResponse(following, 303)
            if name == "\0":
                self.door.forget(response)
            elif name:
                self.door.remember(response, name)
            return response

        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(taken, request, await read_form(request))

        return endpoint

    def _refusal(self, request: Request, asked: Asked, e: Refused | CranfieldError) -> Response:
        w = words(asked.lang)
        if isinstance(e, Refused):
            status, said = e.status, w(e.key)
        elif isinstance(e, UsageError | InputError):
            status, said = 400, w("desk.refused", why=e.message)
        else:
            status, said = 503, w("desk.error.store", why=e.message)
        if wants_json(request):
            return JSONResponse({"error": said}, status)
        return HTMLResponse(self.pages.error(_nobody(asked), said), status)

    async def _http(self, request: Request, e: HTTPException) -> Response:
        asked = self._asked(request)
        said = words(asked.lang)("desk.error.missing")
        return HTMLResponse(
            self.pages.error(_nobody(asked), said), e.status_code, headers=e.headers
        )


def _nobody(asked: Asked) -> Asked:
    """A page of an error shows nothing of the store, which may be what fails."""
    return Asked(asked.lang, None, asked.token)
