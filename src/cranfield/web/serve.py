"""Serving a desk: the socket, the links that are shown, the end."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import secrets
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from cranfield.errors import NoSuchInput, UsageError, needs_package
from cranfield.judging.desk.desk import Desk
from cranfield.judging.desk.pairs import Task

if TYPE_CHECKING:
    import uvicorn

SECRET = "CRANFIELD_JUDGE_SECRET"  # tokens are made from it, so that links outlive a restart
SHORTEST = 16  # characters of a secret
EXTRA = "web"


def needed() -> None:
    """`MissingExtra` unless what serves is installed."""
    for module in ("starlette", "uvicorn"):
        needs_package(module, "judging in the browser", EXTRA)


def is_local(host: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def secret_for(host: str, *, always: bool = False) -> str | None:
    """What tokens are made from; None where none is needed.

    Raises
    ------
    UsageError
        The secret in the environment is too short.
    """
    given = os.environ.get(SECRET, "")
    if given and len(given) < SHORTEST:
        raise UsageError(f"{SECRET} is shorter than {SHORTEST} characters")
    if is_local(host) and not always:
        return None
    return given or secrets.token_urlsafe(32)


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises
    ------
    UsageError, NoSuchInput
        The port is taken; there is no such address here.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # at once after a kill
    try:
        made.bind((host, port))
        made.listen(128)
    except OSError as e:
        made.close()
        if port and "in use" in str(e):
            raise UsageError(f"port {port} is taken", "--port 0 takes a free one") from None
        raise NoSuchInput(f"nothing can be served at {host}:{port}: {e.strerror}") from None
    return made


@dataclass(frozen=True)
class Ready:
    """A server that has not begun: `server.run(sockets=[...])` serves until interrupted, `links`
    are what each assessor opens."""

    server: uvicorn.Server
    links: dict[str, str]


def ready(
    desk: Desk,
    task: Task,
    listening: socket.socket,
    *,
    host: str = "127.0.0.1",
    secret: str | None = None,
    lang: str = "en",
    fields: tuple[str, ...] = (),
) -> Ready:
    """A server of a desk.

    Parameters
    ----------
    listening : as `bound` gives it, at `host`.
    secret : as `secret_for` gives it.
    """
    needed()
    import uvicorn

    from cranfield.web.app import application
    from cranfield.web.guard import LOCAL, Doorkeeper

    assessors = tuple(desk.queues)
    suffix = hashlib.sha256(desk.labels.name.encode()).hexdigest()[:8]
    door = Doorkeeper(assessors, secret, suffix)
    hosts = (*LOCAL, host) if secret is None else None
    app = application(desk, task, door, lang=lang, fields=fields, hosts=hosts)
    base = _base(host, listening.getsockname()[1])
    tokens = {
        a: "" if secret is None else "?" + urlencode({"token": door.token(a)}) for a in assessors
    }
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, proxy_headers=False, server_header=False,
        lifespan="off", ws="none", timeout_graceful_shutdown=5,
    )  # fmt: skip
    return Ready(uvicorn.Server(config), {a: f"{base}/{query}" for a, query in tokens.items()})


def _base(host: str, port: int) -> str:
    name = socket.gethostname() if host in ("0.0.0.0", "::") else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
