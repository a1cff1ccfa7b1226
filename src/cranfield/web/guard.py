"""What stands between a browser and the pages: names of the server, headers, and who asks."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("localhost", "127.0.0.1", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",  # the back button asks again, and shows what is so now
}
MONTH = 30 * 24 * 3600


class Guarded:
    """An application that answers to its own names only and says with every answer what a browser
    may do with it.

    A page of another site can make its own name lead here (DNS rebinding); where no token is asked
    for, the name is what gives it away.

    Parameters
    ----------
    hosts : names, without ports; None allows any.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] | None) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        if self._hosts is not None and not self._known(Headers(scope=scope).get("host", "")):
            refused = PlainTextResponse("This server is not known by that name.\n", 421)
            await refused(scope, receive, sent)
            return
        await self._app(scope, receive, sent)

    def _known(self, host: str) -> bool:
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return name.lower() in (self._hosts or ())


@dataclass(frozen=True)
class Doorkeeper:
    """Who asks, and whether a form came from our own page.

    Parameters
    ----------
    assessors : names.
    secret : tokens are made from it; None asks for none, and whoever comes says who they are.
    suffix : of the names of cookies, which the servers of one machine share.
    """

    assessors: tuple[str, ...]
    secret: str | None
    suffix: str

    def token(self, assessor: str) -> str:
        """The secret of one assessor; nobody can judge in the name of another."""
        assert self.secret is not None
        made = hmac.new(self.secret.encode(), f"assessor\0{assessor}".encode(), hashlib.sha256)
        return made.hexdigest()[:32]

    def of_token(self, token: str) -> str | None:
        """Whose token this is."""
        found = None
        for assessor in self.assessors:  # all of them, so that time tells nothing
            if hmac.compare_digest(self.token(assessor).encode(), token.encode()):
                found = assessor
        return found

    def assessor(self, request: Request) -> str | None:
        """Who asks; None where that is not known."""
        said = request.cookies.get(self._cookie("who"), "")
        if self.secret is not None:
            return self.of_token(said)
        if len(self.assessors) == 1:
            return self.assessors[0]
        name = unquote(said)
        return name if name in self.assessors else None

    def remember(self, response: Response, assessor: str) -> None:
        value = quote(assessor, safe="") if self.secret is None else self.token(assessor)
        self._set(response, "who", value)

    def forget(self, response: Response) -> None:
        response.delete_cookie(self._cookie("who"))

    def form_token(self, request: Request) -> str:
        """The value that forms carry and a cookie repeats; no other site can read or set both."""
        said = request.cookies.get(self._cookie("form"), "")
        return said if len(said) == 43 else secrets.token_urlsafe(32)

    def keep_form_token(self, response: Response, token: str) -> None:
        self._set(response, "form", token)

    def language(self, request: Request) -> str | None:
        return request.cookies.get(self._cookie("lang"))

    def keep_language(self, response: Response, lang: str) -> None:
        self._set(response, "lang", lang)

    def complaint(self, request: Request, form: Mapping[str, str]) -> str | None:
        """What is wrong with a form, as a key of the words; None where it is ours."""
        if not self._same_origin(request):
            return "desk.error.origin"
        said, kept = form.get("token", ""), request.cookies.get(self._cookie("form"), "")
        good = len(kept) == 43 and hmac.compare_digest(said.encode(), kept.encode())
        return None if good else "desk.error.csrf"

    def _same_origin(self, request: Request) -> bool:
        """A browser sends the origin with every form; what sends none is no browser, and must
        say it by `Sec-Fetch-Site` at least."""
        origin = request.headers.get("origin")
        if origin is None:
            return request.headers.get("sec-fetch-site") == "same-origin"
        there = urlsplit(origin)
        host = request.headers.get("host", "")
        return there.scheme in ("http", "https") and there.netloc.lower() == host.lower() != ""

    def _cookie(self, name: str) -> str:
        return f"cranfield_{name}_{self.suffix}"

    def _set(self, response: Response, name: str, value: str) -> None:
        # Lax: a link from a chat must find the cookie that it has just set
        response.set_cookie(
            self._cookie(name), value, max_age=MONTH, httponly=True, samesite="lax", path="/"
        )
