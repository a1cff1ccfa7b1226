"""What is shown of addresses, headers and parameters."""

from __future__ import annotations

import pytest

from cranfield.kit.address import HIDDEN, secrets_in, shown_headers, shown_parameters, shown_url


@pytest.mark.parametrize(
    "name",
    ["Authorization", "Proxy-Authorization", "X-Api-Key", "api_key", "apikey", "key", "X-Goog-Key",
     "access_token", "Cookie", "client_secret", "password", "X-Auth", "sig"],
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert shown_headers({name: "s3cret"}) == {name: HIDDEN}
    assert shown_headers({name: "Bearer {env.KEY}"}) == {name: "Bearer {env.KEY}"}
    assert shown_url(f"http://h/p?a=1&{name}=s3cret") == f"http://h/p?a=1&{name}={HIDDEN}"


@pytest.mark.parametrize(
    "name", ["Accept", "author", "max_tokens", "keywords", "monkey", "X-Tenant"]
)
def test_other_names(name: str) -> None:
    assert shown_headers({name: "v"}) == {name: "v"}
    assert shown_url(f"http://h/p?{name}=v") == f"http://h/p?{name}=v"


def test_places_of_a_template_stay() -> None:
    url = "http://h/p?key={query}&q={query}&n={k}"
    assert shown_url(url) == url
    assert shown_url("http://h/{query}") == "http://h/{query}"


def test_parameters_of_a_back_end() -> None:
    given = {"url": "http://h/?token=s", "headers": {"Authorization": "s"}, "model": "m"}
    assert shown_parameters(given) == {
        "url": f"http://h/?token={HIDDEN}",
        "headers": {"Authorization": HIDDEN},
        "model": "m",
    }
    assert shown_parameters({"k1": 1.2}) == {"k1": 1.2}


def test_secrets_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONG", "long-s3cret")
    monkeypatch.setenv("SHORT", "abc")
    monkeypatch.setenv("SAME", "s3cret")
    headers = {"A": "{env.SAME} {env.LONG}", "B": "{env.SHORT}", "C": "plain"}
    assert secrets_in(headers) == ["long-s3cret", "s3cret"]
