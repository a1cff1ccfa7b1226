"""Requests to services over HTTP: one answer or one clear error, connections kept open, a limit on
how often, secrets from the environment."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from cranfield.errors import InputError, MissingExtra, ServiceError, UsageError, clip
from cranfield.kit.address import HIDDEN, address, openly, secrets_in, shown_url, with_secrets
from cranfield.kit.rate import Rate
from cranfield.kit.retry import Backoff

_AGAIN = (408, 425, 429)  # of the statuses 4xx those that may go away


@dataclass(frozen=True)
class Reply:
    """An answer with a status below 300: its headers (lower-case names) and its body; `hide` takes
    the secrets of the request out of a text that quotes it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    where: str
    hide: Callable[[str], str] = str

    def json(self) -> Any:
        """The body as JSON.

        Raises
        ------
        ServiceError
            It is none; an answer cut short may be whole the next time.
        """
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as e:  # nested without end
            start = clip(self.hide(self.body[:500].decode("utf-8", "replace")), 120)
            raise ServiceError(
                f"{self.where}: the answer is not JSON ({e})", f"it begins: {start!r}"
            ) from None


class Client:
    """Sends requests; may be used from several threads.

    Parameters
    ----------
    timeout : seconds for a whole answer, connecting included
    headers : sent with every request; `{env.NAME}` stands for a variable of the environment
    verify : whether certificates are checked; ca_certs : a file of authorities to trust
    rate : requests a second at most, over all threads; None for no limit
    backoff : of `request`
    most : bytes an answer may have
    private : what else is sent with every request, by name ({"body": ...}, {"url": ...}), as the
        user gave it: its secrets are kept out of messages

    Attributes
    ----------
    notes : of secrets that stand openly
    """

    def __init__(
        self,
        *,
        timeout: float = 30.0,
        headers: Mapping[str, str] | None = None,
        verify: bool = True,
        ca_certs: str | None = None,
        rate: float | None = None,
        backoff: Backoff | None = None,
        most: int = 256 << 20,
        private: Mapping[str, Any] | None = None,
    ) -> None:
        try:
            import urllib3
        except ImportError:
            raise MissingExtra("asking a service over HTTP", "http") from None
        if not 0 < timeout < float("inf"):
            raise UsageError(f"timeout is {timeout}", "seconds, above 0")
        if ca_certs is not None and not os.path.exists(ca_certs):
            raise UsageError(f"ca_certs: {ca_certs}: no such file")
        self._timeout, self._most = timeout, most
        self._headers = with_secrets(headers or {})
        said = {"headers": dict(headers or {}), **(private or {})}
        self._secrets = secrets_in(*said.values())
        self.notes = openly(**said)
        self._backoff = backoff or Backoff()
        self._rate = Rate(rate) if rate is not None else None
        self._urllib3 = urllib3
        self._options: dict[str, Any] = {"maxsize": 32, "retries": False}
        if ca_certs is not None:
            self._options["ca_certs"] = ca_certs
        if not verify:
            self._options |= {"cert_reqs": "CERT_NONE", "assert_hostname": False}
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        self._pools: dict[str | None, Any] = {}
        self._lock = threading.Lock()

    def request(
        self, method: str, url: str, *, data: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """`send`, asked again after errors that may go away."""
        return self._backoff.call(
            lambda: self.send(method, url, data=data, headers=headers), f"{method} {url}"
        )

    def send(
        self, method: str, url: str, *, data: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """One request; `data` is sent as JSON, bytes as they are.

        Raises
        ------
        ServiceError
            No connection, no answer in time, 408, 425, 429 or 5xx: asking again may help.
        UsageError
            The address is none, refused (401, 403, 407) or moved.
        InputError
            Another status 4xx: the service does not understand this request.
        """
        where = self._hidden(address(url))
        body = data
        sent = dict(self._headers)
        if data is not None and not isinstance(data, bytes):
            body = json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")
            sent.setdefault("Content-Type", "application/json")
        sent.update(headers or {})
        if self._rate is not None:
            self._rate.wait()
        errors = self._urllib3.exceptions
        last = time.monotonic() + self._timeout
        try:
            answer = self._pool(url).request(
                method,
                url,
                body=body,
                headers=sent,
                redirect=False,
                preload_content=False,
                timeout=self._urllib3.Timeout(total=self._timeout),
            )
            try:
                content = self._read(answer, where, last)
            except BaseException:
                answer.close()
                raise
            finally:
                answer.release_conn()
        except errors.LocationParseError:
            raise UsageError(
                f"{where} is no address", "for example http://localhost:8080"
            ) from None
        except errors.SSLError as e:
            hint = "ca_certs=FILE trusts an authority of your own"
            raise ServiceError(
                f"{where}: the certificate is not accepted ({_why(e)})", hint
            ) from None
        except (errors.TimeoutError, TimeoutError) as e:
            if isinstance(e, errors.NewConnectionError):  # urllib3 counts it among the timeouts
                raise ServiceError(f"{where} cannot be reached ({_why(e)})") from None
            raise ServiceError(f"{where}: no answer within {self._timeout:g} s") from None
        except (errors.HTTPError, OSError) as e:
            raise ServiceError(f"{where} cannot be reached ({_why(e)})") from None
        lower = {k.lower(): v for k, v in answer.headers.items()}
        if answer.status >= 300:
            # a service may repeat what it was sent
            content = self._hidden(content.decode("utf-8", "replace")).encode()
            lower["location"] = self._hidden(lower.get("location", "elsewhere"))
            raise refusal(answer.status, where, content, lower)
        return Reply(answer.status, lower, content, where, self._hidden)

    def _hidden(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def _read(self, answer: Any, where: str, last: float) -> bytes:
        """The body, within its time and size: a read timeout alone would start anew with every
        byte that drips in."""
        parts, size = [], 0
        while part := answer.read1(1 << 16):
            size += len(part)
            if size > self._most:
                raise ServiceError(f"{where}: the answer has more than {self._most:,} bytes")
            if time.monotonic() > last:
                raise ServiceError(f"{where}: no whole answer within {self._timeout:g} s")
            parts.append(part)
        return b"".join(parts)

    def _pool(self, url: str) -> Any:
        """The connections to use: direct, or through the proxy of the environment."""
        from urllib.request import getproxies, proxy_bypass

        parts = urlsplit(url)
        proxy = None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
        with self._lock:
            if proxy not in self._pools:
                kind = self._urllib3.PoolManager
                make: Callable[..., Any] = kind if proxy is None else self._urllib3.ProxyManager
                self._pools[proxy] = make(*([proxy] if proxy else []), **self._options)
            return self._pools[proxy]

    def close(self) -> None:
        """Close the connections."""
        for pool in self._pools.values():
            pool.clear()


def refusal(
    status: int, where: str, body: bytes, headers: Mapping[str, str]
) -> ServiceError | UsageError | InputError:
    """The error for a status of 300 and above, with what the service says about it."""
    said = clip(" ".join(body[:2000].decode("utf-8", "replace").split()), 300)
    told = f"{where}: status {status}" + (f": {said}" if said else "")
    if status < 400:
        to = clip(shown_url(headers.get("location", "elsewhere")))
        return UsageError(f"{where}: status {status}, moved to {to}", "give that address")
    if status in (401, 403, 407):
        return UsageError(told, "the service refuses access: is the key or password right?")
    if status >= 500 or status in _AGAIN:
        return ServiceError(
            told, status=status, retry_after=retry_after(headers.get("retry-after"))
        )
    return InputError(told)


def retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header: a number of them, or a date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError):
        return None


def _why(error: BaseException) -> str:
    """The cause at the bottom, in its own words."""
    while error.__cause__ is not None:
        error = error.__cause__
    text = getattr(error, "strerror", None) or str(error)
    return clip(str(text).rpartition(": ")[2] or type(error).__name__)
