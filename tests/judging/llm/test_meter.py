"""Estimates and limits."""

from __future__ import annotations

import pytest

from cranfield import Document, Query
from cranfield.errors import UsageError
from cranfield.judging.llm.meter import Meter, Prices, Spent, estimate, tokens_in, tokens_of
from cranfield.judging.llm.prompt import call_for


def test_tokens_are_estimated():
    assert tokens_of("") == 0
    assert tokens_of("abcdefgh") == 2 and tokens_of("倒排索引") == 4 and tokens_of("a倒") == 2


def test_an_estimate_adds_up(asking):
    calls = [call_for(asking(), Query("q", "x"), [Document("d", "", "y" * n)]) for n in (4, 400)]
    found = estimate(calls)
    assert found.calls == 2
    assert found.tokens_in == sum(map(tokens_in, calls))
    assert tokens_in(calls[1]) - tokens_in(calls[0]) == 99
    assert found.tokens_out == sum(c.max_tokens for c in calls)


def test_prices():
    assert Prices().of(10, 10) is None
    assert Prices(2.0, 10.0).of(1_000_000, 500_000) == 7.0
    assert Prices(tokens_out=1).of(5, 1_000_000) == 1.0
    for wrong in (-1, float("inf"), float("nan")):
        with pytest.raises(UsageError):
            Prices(wrong)


def test_what_is_under_way_is_set_aside(asking):
    call = call_for(asking(), Query("q", "x"), [Document("d", "", "y")])
    needed = tokens_in(call) + call.max_tokens
    meter = Meter(max_tokens=2 * needed)
    first = meter.begin(call)
    second = meter.begin(call)
    assert first == second == needed
    with pytest.raises(Spent, match=f"0 tokens are used, {2 * needed} are set aside for calls"):
        meter.begin(call)
    meter.end(first, call, (10, 1), (0, 0))
    with pytest.raises(Spent):  # 11 are used, and as many as the second needs are set aside
        meter.begin(call)
    meter.failed(second)
    meter.begin(call)
    assert (meter.calls, meter.tokens_in, meter.tokens_out, meter.unsaid) == (3, 10, 1, 0)


def test_estimates_grow_by_what_the_service_counts(asking):
    call = call_for(asking(), Query("q", "x"), [Document("d", "", "y")])
    sent, back = tokens_in(call), call.max_tokens
    meter = Meter(max_tokens=20 * (sent + back))
    meter.end(meter.begin(call), call, (3 * sent, back // 2), (0, 0))
    assert meter.begin(call) == 3 * sent + back
    meter.end(meter.begin(call), call, (2 * sent, 2 * back), (0, 0))
    assert meter.begin(call) == 3 * sent + 2 * back  # the largest ratio seen
    meter.end(0, call, None, (19 * sent, 19 * back))  # a guess teaches nothing
    with pytest.raises(Spent, match=r"and the next call may need"):
        meter.begin(call)
