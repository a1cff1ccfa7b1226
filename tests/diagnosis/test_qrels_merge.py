"""Judgments of several sets made one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, UsageError

A = {"q1": {"a": 1, "b": -1}, "q2": {"c": 0}}
B = {"q2": {"c": 2, "d": 1}, "q1": {"b": 0, "a": 1}}
C = {"q2": {"c": 2}, "q3": {"é": 1}}


def named(qrels, name: str) -> Qrels:
    return Qrels.from_dict(qrels, name=name)


SETS = [named(A, "a"), named(B, "b"), named(C, "c")]


@pytest.mark.parametrize(
    ("policy", "grade"), [("first", 0), ("last", 2), ("max", 2), ("min", 0), ("majority", 2)]
)
def test_policies(policy: str, grade: int) -> None:
    got = cranfield.qrels_merge(SETS, policy=policy)
    assert got.qrels.to_dict() == {
        "q1": {"a": 1, "b": 0},  # a row below 0 gives way and is no conflict
        "q2": {"c": grade, "d": 1},
        "q3": {"é": 1},
    }
    (conflict,) = got.conflicts
    assert conflict.grades == (0, 2, 2) and conflict.kept == grade


def test_conflicts_are_an_error_unless_decided() -> None:
    got = cranfield.qrels_merge(SETS)
    assert got.qrels is None and len(got.undecided) == 1
    with pytest.raises(InputError, match=r"1 document is judged differently.*a 0, b 2, c 2"):
        got.decided()
    assert cranfield.qrels_merge(SETS[1:]).decided().to_dict()["q2"]["c"] == 2


def test_equal_votes() -> None:
    tied = cranfield.qrels_merge(SETS[:2], policy="majority")
    with pytest.raises(InputError, match="as many votes"):
        tied.decided()
    for on_tie, grade in (("first", 0), ("last", 2), ("max", 2), ("min", 0)):
        got = cranfield.qrels_merge(SETS[:2], policy="majority", on_tie=on_tie)
        assert got.decided().to_dict()["q2"]["c"] == grade
    # the tie is among the grades with most votes only
    four = [named({"q": {"d": g}}, f"s{i}") for i, g in enumerate((0, 1, 1, 2, 2))]
    assert cranfield.qrels_merge(four, policy="majority", on_tie="min").decided().grade[0] == 1


def test_where_each_row_comes_from() -> None:
    got = cranfield.qrels_merge(SETS, policy="max")
    assert got.given_by == ((0, 1), (1,), (1, 2), (1,), (2,))
    assert got.provenance() == [
        ((0, 1), [(1, 1)]),
        ((1,), [(2, 2), (4, 4)]),
        ((1, 2), [(3, 3)]),
        ((2,), [(5, 5)]),
    ]
    assert [(s.name, s.rows, s.agreed, s.overruled) for s in got.sources] == [
        ("a", 3, 1, 2),
        ("b", 4, 4, 0),
        ("c", 2, 2, 0),
    ]
    assert got.qrels.source.to_list() == ["a + b", "b", "b + c", "b", "c"]


def test_what_a_row_says_of_itself_stays() -> None:
    llm = Qrels.from_rows(
        [("q", "d", 1.0), ("q", "e", 0.0)],
        source=Ids.of(["llm", ""]),
        note=Ids.of(["why", ""]),
        name="x",
    )
    got = cranfield.qrels_merge([llm, named({"q": {"f": 1}}, "y")]).decided()
    assert got.source.to_list() == ["llm", "x", "y"] and got.note.to_list() == ["why", "", ""]


sets = st.lists(
    st.dictionaries(
        st.sampled_from("pq"),
        st.dictionaries(st.sampled_from("abc"), st.integers(-1, 3), min_size=1),
        min_size=1,
    ),
    min_size=2,
    max_size=4,
)


@given(given_sets=sets)
def test_policies_against_a_count_of_votes(given_sets) -> None:
    votes: dict[tuple[str, str], list[int]] = {}
    for judged in given_sets:
        for q, docs in judged.items():
            for d, g in docs.items():
                votes.setdefault((q, d), []).append(g)
    real = {key: [g for g in some if g >= 0] or some for key, some in votes.items()}
    for policy, pick in (("max", max), ("min", min), ("first", lambda v: v[0])):
        got = cranfield.qrels_merge(given_sets, policy=policy).decided().to_dict()
        flat = {(q, d): g for q, docs in got.items() for d, g in docs.items()}
        assert flat == {key: pick(some) for key, some in real.items()}
    got = cranfield.qrels_merge(given_sets, policy="majority", on_tie="max")
    for q, docs in got.decided().to_dict().items():
        for d, g in docs.items():
            counted = Counter(real[q, d])
            most = max(counted.values())
            assert g == max(x for x, n in counted.items() if n == most)
    disputed = sum(len(set(some)) > 1 for some in real.values())
    assert len(got.conflicts) == len(cranfield.qrels_merge(given_sets).undecided) == disputed
    assert [row for _, rows in got.provenance() for a, b in rows for row in range(a, b + 1)]


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="nothing to merge"):
        cranfield.qrels_merge([A])
    with pytest.raises(UsageError, match="no policy"):
        cranfield.qrels_merge([A, B], policy="mean")
    with pytest.raises(UsageError, match="no tie"):
        cranfield.qrels_merge([A, B], policy="majority", on_tie="mean")
    people = Qrels.from_rows([("q", "d", 1.0), ("q", "d", 0.0)], group=Ids.of(["x", "y"]))
    with pytest.raises(InputError, match="cannot be merged"):
        cranfield.qrels_merge([people, A])
