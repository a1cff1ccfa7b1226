"""One call to a cluster through its official client, and its errors in our words."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cranfield.errors import (
    CranfieldError,
    InputError,
    MissingExtra,
    ServiceError,
    UnknownName,
    UsageError,
    clip,
)
from cranfield.kit.address import address

_LINES = {"content-type": "application/x-ndjson", "accept": "application/json"}
_JSON = {"content-type": "application/json", "accept": "application/json"}


class Forbidden(UsageError):
    """The cluster knows who asks and does not let them do this."""


class Engine(Protocol):
    """A client: `call` returns the decoded answer or raises one of our errors."""

    def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        lines: bytes | None = None,
    ) -> Any:
        """`body` is sent as JSON, `lines` as one JSON value a line."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Place:
    """Where a cluster is and how to get in.

    Parameters
    ----------
    hosts : http or https addresses of one or more nodes
    timeout : seconds an answer may take
    verify : whether certificates are checked; ca_certs : a file of authorities to trust

    User and password, or an API key, come from the environment (`secrets`).
    """

    hosts: tuple[str, ...]
    timeout: float = 30.0
    verify: bool = True
    ca_certs: str | None = None

    def __post_init__(self) -> None:
        if not self.hosts:
            raise UsageError("no host", "hosts=http://localhost:9200")
        for host in self.hosts:
            address(host)
        if not 0 < self.timeout < float("inf"):
            raise UsageError(f"timeout is {self.timeout}", "seconds, above 0")
        if self.ca_certs is not None and not os.path.exists(self.ca_certs):
            raise UsageError(f"ca_certs: {self.ca_certs}: no such file")

    @property
    def where(self) -> str:
        return ", ".join(map(address, self.hosts))


def hosts_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """Addresses from a list, or from one text with commas."""
    parts = given.split(",") if isinstance(given, str) else [str(one) for one in given]
    return tuple(part.strip() for part in parts if part.strip())


def secrets(prefix: str) -> dict[str, str]:
    """`PREFIX_API_KEY`, or `PREFIX_USERNAME` and `PREFIX_PASSWORD`, from the environment: an
    `api_key`, or a pair encoded for the header as `basic`."""
    key, user, password = (
        os.environ.get(f"{prefix}_{name}") for name in ("API_KEY", "USERNAME", "PASSWORD")
    )
    if key:
        return {"api_key": key}
    if (user is None) != (password is None):
        lacking = "PASSWORD" if password is None else "USERNAME"
        raise UsageError(
            f"{prefix}_{lacking} is not set",
            f"{prefix}_USERNAME and {prefix}_PASSWORD belong together",
        )
    if user is None:
        return {}
    pair = f"{user}:{password}".encode()  # the clients would have ASCII or Latin-1 only
    return {"basic": base64.b64encode(pair).decode()}


class OpenSearchEngine:
    """Through opensearch-py. A node that cannot be reached is passed over for the next one; more
    is not asked again here, so that the caller's count of attempts is true."""

    def __init__(self, place: Place) -> None:
        try:
            import opensearchpy
        except ImportError:
            raise MissingExtra("a search on OpenSearch", "opensearch") from None
        self._errors = opensearchpy.exceptions
        self._where = place.where
        secret = secrets("OPENSEARCH")
        word = "ApiKey" if "api_key" in secret else "Basic"
        value = "".join(secret.values())
        headers = {"Authorization": f"{word} {value}"} if value else {}
        tls: dict[str, Any] = {}
        if any(host.startswith("https:") for host in place.hosts):
            tls = {"verify_certs": place.verify, "ssl_show_warn": False}
            tls |= {"ssl_assert_hostname": place.verify}
            tls |= {"ca_certs": place.ca_certs} if place.ca_certs else {}
        self._client = opensearchpy.OpenSearch(
            hosts=[address(host) for host in place.hosts],
            headers=headers,
            timeout=place.timeout,
            max_retries=len(place.hosts) - 1,
            retry_on_status=(),
            pool_maxsize=32,
            **tls,
        )

    def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        lines: bytes | None = None,
    ) -> Any:
        try:
            return self._client.transport.perform_request(
                method,
                path,
                params=dict(params or {}),
                body=body if lines is None else lines,
                headers=_JSON if lines is None else _LINES,
            )
        except self._errors.ConnectionTimeout:
            raise ServiceError(f"{self._where}: no answer in time") from None
        except self._errors.ConnectionError as e:
            raise unreachable(self._where, e.info) from None
        except self._errors.TransportError as e:
            status = e.status_code if isinstance(e.status_code, int) else None
            raise refused(self._where, "OPENSEARCH", status, e.info or e.error) from None
        except (self._errors.SerializationError, ValueError) as e:
            raise unreadable(self._where, e) from None

    def close(self) -> None:
        self._client.close()


class ElasticsearchEngine:
    """Through the elasticsearch client, which also checks that it speaks to an Elasticsearch."""

    def __init__(self, place: Place) -> None:
        try:
            import elastic_transport
            import elasticsearch
        except ImportError:
            raise MissingExtra("a search on Elasticsearch", "elasticsearch") from None
        self._api_error = elasticsearch.ApiError
        self._other_product = elasticsearch.UnsupportedProductError
        self._errors = elastic_transport
        self._where = place.where
        secret = secrets("ELASTICSEARCH")
        tls: dict[str, Any] = {}
        if any(host.startswith("https:") for host in place.hosts):
            tls = {"verify_certs": place.verify, "ssl_show_warn": False}
            tls |= {"ca_certs": place.ca_certs} if place.ca_certs else {}
        self._client = elasticsearch.Elasticsearch(
            [_with_port(address(host)) for host in place.hosts],
            basic_auth=secret.get("basic"),
            api_key=secret.get("api_key"),
            request_timeout=place.timeout,
            max_retries=len(place.hosts) - 1,
            retry_on_timeout=False,
            retry_on_status=(),
            connections_per_node=32,
            **tls,
        )

    def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        lines: bytes | None = None,
    ) -> Any:
        sent: dict[str, str] = {"accept": "application/json"}
        if lines is not None or body is not None:
            sent = _JSON if lines is None else _LINES
        try:
            reply = self._client.perform_request(
                method,
                path,
                params=dict(params or {}),
                headers=sent,
                body=body if lines is None else lines,
            )
        except self._other_product as e:
            raise UsageError(
                f"{self._where}: {e}", "for an OpenSearch use --system opensearch"
            ) from None
        except self._api_error as e:
            raise refused(self._where, "ELASTICSEARCH", e.meta.status, e.body) from None
        except self._errors.ConnectionTimeout:
            raise ServiceError(f"{self._where}: no answer in time") from None
        except self._errors.SerializationError as e:
            raise unreadable(self._where, e) from None
        except self._errors.TransportError as e:
            raise unreachable(self._where, e.errors[-1] if e.errors else e) from None
        return reply.body

    def close(self) -> None:
        self._client.close()


def _with_port(host: str) -> str:
    """This client wants the port said."""
    from urllib.parse import urlsplit

    parts = urlsplit(host)
    if parts.port is not None:
        return host
    port = 443 if parts.scheme == "https" else 80
    return parts._replace(netloc=f"{parts.netloc}:{port}").geturl()


def unreachable(where: str, why: Any) -> ServiceError:
    text = str(why).strip().rpartition(": ")[2].rstrip("')") or type(why).__name__
    return ServiceError(
        f"{where} cannot be reached ({clip(text)})", "is the cluster up, and hosts=... right?"
    )


def unreadable(where: str, why: Any) -> ServiceError:
    return ServiceError(f"{where}: the answer is not JSON ({clip(str(why))})")


def refused(where: str, prefix: str, status: int | None, info: Any) -> CranfieldError:
    """The error for a status that the cluster answered with, and its reason."""
    kind, reason = reason_of(info)
    told = f"{where}: status {status}" + (f": {reason}" if reason else "")
    if status == 401 or (status == 403 and "block" not in kind):
        names = f"{prefix}_USERNAME and {prefix}_PASSWORD, or {prefix}_API_KEY"
        kind_of = UsageError if status == 401 else Forbidden
        return kind_of(told, f"access: {names} in the environment")
    if status == 404:
        return UnknownName(told)
    if status is not None and 400 <= status < 500 and status not in (403, 408, 409, 429):
        more = "maxClauseCount" in reason  # a very long query
        return InputError(told, "see indices.query.bool.max_clause_count" if more else None)
    return ServiceError(told, status=status)


def reason_of(info: Any) -> tuple[str, str]:
    """(type, reason) of an error that the cluster reports: the cause at its root."""
    error = info.get("error", info) if isinstance(info, Mapping) else info
    if not isinstance(error, Mapping):
        return "", clip(" ".join(str(error or "").split()), 300)
    roots = error.get("root_cause")
    root = roots[0] if isinstance(roots, list) and roots else error
    cause = root if isinstance(root, Mapping) else error
    kind = str(cause.get("type") or "")
    inner = cause.get("caused_by")
    reasons = [cause.get("reason"), inner.get("reason") if isinstance(inner, Mapping) else None]
    text = ": ".join(dict.fromkeys(str(r) for r in reasons if r))
    return kind, clip(" ".join((text or kind).split()), 400)
