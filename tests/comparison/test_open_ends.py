"""A comparison says where unjudged documents leave the sign of a difference open."""

from __future__ import annotations

import cranfield

QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(8)}


def run(*docs: str) -> dict[str, dict[str, float]]:
    return {q: {d: float(-i) for i, d in enumerate(docs)} for q in QRELS}


def remarks(base, other, *measures: str, key: str = "undecidable", **options):
    found = cranfield.compare(
        QRELS, base, {"run": other}, list(measures) or ["nDCG@10"], resamples=200, **options
    )
    return [c for c in found.cautions if c.key == key]


def test_an_open_difference_is_a_caution_with_its_interval() -> None:
    (got,) = remarks(run("a", "b"), run("u", "a"), "nDCG@10", "RR@10", "AP")
    assert got.values["measures"] == ("nDCG@10", "RR@10")
    assert got.values["low"] < 0 <= got.values["high"] and got.values["n"] == 8


def test_a_difference_that_no_label_can_turn_is_none() -> None:
    assert remarks(run("a", "u"), run("b", "u"), "P@1", "nDCG@10") == []


def test_a_sign_that_stands_whatever_the_documents_are_is_said_too() -> None:
    (got,) = remarks(run("a", "u"), run("b", "u"), "P@1", "nDCG@10", key="decided")
    assert got.values["measures"] == ("nDCG@10",)  # P@1 has no hole
    assert got.values["low"] <= got.values["high"] < 0 and got.values["n"] == 8
    assert remarks(run("a", "b"), run("b", "a"), key="decided") == []


def test_measures_that_were_not_looked_at_are_named_where_there_are_holes() -> None:
    (got,) = remarks(
        run("a", "b"),
        run("u", "a"),
        "nDCG@10",
        "AP",
        "R@500",
        "Judged@10",
        "NumRet",
        key="unbounded",
    )
    assert got.values == {"measures": ("AP", "R@500")}
    assert remarks(run("a", "b"), run("b", "a"), "AP", key="unbounded") == []
    assert remarks(run("a", "b"), run("u", "a"), "nDCG@10", key="unbounded") == []


def test_measures_are_looked_at_as_deep_as_they_read() -> None:
    (got,) = remarks(run("a"), run("a", "u"), "P@1", "R@50")
    assert got.values["measures"] == ("R@50",)


def test_of_many_lists_only_the_first_k_are_looked_at(monkeypatch) -> None:
    monkeypatch.setattr("cranfield.comparison.open_ends.MANY", 8)
    assert remarks(run("a"), run("a", "u"), "P@1", "R@50") == []
    (got,) = remarks(run("a"), run("a", "u"), "P@1", "R@50", key="unbounded")
    assert got.values["measures"] == ("R@50",)


def test_fully_judged_lists_are_not_read_again(monkeypatch) -> None:
    def never(*args, **options):
        raise AssertionError

    monkeypatch.setattr("cranfield.comparison.open_ends.result_lists", never)
    assert remarks(run("a", "b"), run("b", "a")) == []


def test_the_scale_widens_the_interval() -> None:
    (narrow,) = remarks(run("a", "b"), run("u", "a"))
    (wide,) = remarks(run("a", "b"), run("u", "a"), scale=3)
    assert wide.values["high"] > narrow.values["high"]
