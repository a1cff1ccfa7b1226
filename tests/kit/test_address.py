"""What is shown of addresses, headers and parameters."""

from __future__ import annotations

import pytest

from cranfield.errors import UsageError
from cranfield.kit.address import HIDDEN, filled, filled_url, openly, secrets_in, shown, shown_url


@pytest.mark.parametrize(
    "name",
    ["Authorization", "Proxy-Authorization", "X-Api-Key", "api_key", "apikey", "key", "X-Goog-Key",
     "access_token", "Cookie", "client_secret", "password", "X-Auth", "sig"],
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert shown({name: "s3cret"}) == {name: HIDDEN}
    assert shown({name: "Bearer {env.KEY}"}) == {name: "Bearer {env.KEY}"}
    assert shown_url(f"http://h/p?a=1&{name}=s3cret") == f"http://h/p?a=1&{name}={HIDDEN}"


@pytest.mark.parametrize(
    "name", ["Accept", "author", "max_tokens", "keywords", "monkey", "X-Tenant"]
)
def test_other_names(name: str) -> None:
    assert shown({name: "v"}) == {name: "v"}
    assert shown_url(f"http://h/p?{name}=v") == f"http://h/p?{name}=v"


def test_places_of_a_template_stay() -> None:
    url = "http://h/p?key={query}&q={query}&n={k}"
    assert shown_url(url) == url
    assert shown_url("http://h/{query}") == "http://h/{query}"


def test_parameters_of_a_back_end() -> None:
    given = {"url": "http://h/?token=s", "headers": {"Authorization": "s"}, "model": "m"}
    assert shown(given) == {
        "url": f"http://h/?token={HIDDEN}",
        "headers": {"Authorization": HIDDEN},
        "model": "m",
    }
    assert shown({"k1": 1.2}) == {"k1": 1.2}


def test_secrets_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONG", "long-s3cret")
    monkeypatch.setenv("SHORT", "abc")
    monkeypatch.setenv("SAME", "s3cret")
    headers = {"A": "{env.SAME} {env.LONG}", "B": "{env.SHORT}", "C": "plain"}
    assert secrets_in(headers) == ["long-s3cret", "s3cret"]


def test_a_body_and_what_is_nested() -> None:
    body = {
        "q": "{query}",
        "api_key": "s3cret",
        "login": {"user": "u", "password": 1234, "on": True, "by": "{env.BY}"},
        "filters": [{"secret": "s"}, {"name": "kept", "n": 5}],
        "token": "{env.TOKEN}",
        "key": "{query.id}",
        "credentials": ["one", None],
    }
    assert shown(body) == {
        "q": "{query}",
        "api_key": HIDDEN,
        "login": {"user": "u", "password": HIDDEN, "on": True, "by": "{env.BY}"},
        "filters": [{"secret": HIDDEN}, {"name": "kept", "n": 5}],
        "token": "{env.TOKEN}",
        "key": "{query.id}",
        "credentials": [HIDDEN, None],
    }
    told = openly(body=body, url="{env.HOST}/q?token=t0ken&q={query}")
    assert [line.partition(" looks like")[0] for line in told] == [
        "body.api_key",
        "body.login.password",
        "body.filters.secret",
        "body.credentials",
        "url, token",
    ]
    assert shown("{env.HOST}/q?token=t0ken") == "{env.HOST}/q?token=" + HIDDEN
    assert openly(body={"q": "{query}", "token": "{env.T}"}) == ()


def test_what_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", " a/b&c ")
    assert filled({"a": ["x {env.KEY}", 1, None], "{env.KEY}": {"k": "{env.KEY}"}}, "body") == {
        "a": ["x a/b&c", 1, None],
        "{env.KEY}": {"k": "a/b&c"},
    }
    assert filled_url("http://h/{env.KEY}?k={env.KEY}&q={query}") == (
        "http://h/a/b&c?k=a%2Fb%26c&q={query}"
    )
    assert secrets_in({"a": "{env.KEY}"}) == ["a%2Fb%26c", "a/b&c"]
    assert secrets_in({"password": "open one", "other": "kept"}, "http://h?sig=s1gn") == [
        "open one",
        "s1gn",
    ]
    with pytest.raises(UsageError, match=r"body\.a\.b needs the environment variable NOT_SET_HERE"):
        filled({"a": {"b": "{env.NOT_SET_HERE}"}}, "body")
    with pytest.raises(UsageError, match="url needs the environment variable NOT_SET_HERE"):
        filled_url("http://h?x={env.NOT_SET_HERE}")
