"""Fusion: rules by hand, laws, and ranx where its definitions are the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data import Run
from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.retrieval.fuse import fuse
from cranfield.retrieval.fusion_rules import NORMS, RULES, Fusion

A = {"q": {"a": 1.5, "b": 1.0, "c": 0.5}}
B = {"q": {"b": 9.0, "d": 3.0}}
# By hand. min-max: A gives a 1, b 1/2, c 0; B gives b 1, d 0.
BY_HAND = [
    (Fusion("rrf"), {"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "d": 1 / 62}),
    (Fusion("rrf", k=0), {"a": 1, "b": 1 / 2 + 1, "c": 1 / 3, "d": 1 / 2}),
    (Fusion("rrf", weights=(2, 1)), {"a": 2 / 61, "b": 2 / 62 + 1 / 61, "c": 2 / 63, "d": 1 / 62}),
    (Fusion("isr"), {"a": 1, "b": 2 * (1 / 4 + 1), "c": 1 / 9, "d": 1 / 4}),
    # four documents; A lacks one (1 point), B two (1.5 points each)
    (Fusion("borda"), {"a": 4 + 1.5, "b": 3 + 4, "c": 2 + 1.5, "d": 1 + 3}),
    (Fusion("sum"), {"a": 1, "b": 1.5, "c": 0, "d": 0}),
    (Fusion("mnz"), {"a": 1, "b": 3, "c": 0, "d": 0}),
    (Fusion("anz"), {"a": 1, "b": 0.75, "c": 0, "d": 0}),
    (Fusion("max"), {"a": 1, "b": 1, "c": 0, "d": 0}),
    (Fusion("min"), {"a": 1, "b": 0.5, "c": 0, "d": 0}),
    (Fusion("med"), {"a": 1, "b": 0.75, "c": 0, "d": 0}),
    (Fusion("weighted", weights=(1, 3)), {"a": 1, "b": 3.5, "c": 0, "d": 0}),
    (Fusion("sum", norm="none"), {"a": 1.5, "b": 10, "c": 0.5, "d": 3}),
    (Fusion("sum", norm="max"), {"a": 1, "b": 2 / 3 + 1, "c": 1 / 3, "d": 1 / 3}),
    (Fusion("sum", norm="sum"), {"a": 2 / 3, "b": 1 / 3 + 1, "c": 0, "d": 0}),
    (Fusion("sum", norm="rank"), {"a": 1, "b": 2 / 3 + 1, "c": 1 / 3, "d": 1 / 2}),
    (Fusion("sum", norm="zmuv"), {"a": 1.5**0.5, "b": 1, "c": -(1.5**0.5), "d": -1}),
]


def runs(*dicts):
    return [Run.from_dict(d, name=f"r{i}") for i, d in enumerate(dicts)]


def _id(value):
    return "-".join(map(str, value.config().values())) if isinstance(value, Fusion) else ""


@pytest.mark.parametrize(("fusion", "expected"), BY_HAND, ids=_id)
def test_by_hand(fusion, expected):
    found = fuse(runs(A, B), fusion).to_dict()["q"]
    assert found == pytest.approx(expected)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_every_rule_and_norm_is_worked_out_by_hand():
    assert {f.method for f, _ in BY_HAND} == set(RULES)
    assert {f.norm or "min-max" for f, _ in BY_HAND} == set(NORMS)


def test_a_list_of_equal_scores_is_not_nothing():
    lists = {"q": {"a": 5.0}}, {"q": {"b": 2.0, "c": 2.0}}
    found = {n: fuse(runs(*lists), Fusion("sum", norm=n)).to_dict()["q"] for n in NORMS}
    assert found["min-max"] == {"c": 1.0, "b": 1.0, "a": 1.0}
    assert found["sum"] == {"a": 1.0, "c": 0.5, "b": 0.5}
    assert found["zmuv"] == {"a": 0.0, "b": 0.0, "c": 0.0}
    zero = fuse(runs({"q": {"a": 0.0}}, {"q": {"b": -1.0}}), Fusion("sum", norm="max"))
    assert zero.to_dict()["q"] == {"b": 1.0, "a": 0.0}


def test_equal_scores_are_ranked_as_evaluation_ranks_them():
    tied = {"q": {"a": 1.0, "b": 1.0}}
    assert fuse(runs(tied, {"q": {}}), Fusion("rrf", k=0)).to_dict()["q"] == {"b": 1.0, "a": 0.5}
    swapped = {"q": {"b": 1.0, "a": 1.0}}
    assert fuse(runs(swapped, {"q": {}})).to_dict() == fuse(runs(tied, {"q": {}})).to_dict()


def test_queries_are_those_of_all_runs_and_what_is_lacking_is_said():
    one = {"q1": {"a": 1.0}, "empty": {}}
    two = {"q2": {"b": 1.0}, "q1": {"a": 1.0}, "empty": {}}
    fused = fuse(runs(one, two))
    assert fused.queries.to_list() == ["q1", "empty", "q2"]
    assert fused.to_dict()["empty"] == {}
    assert fused.notes == ("r0 lacks 1 of 3 queries",)
    assert fused.config == {"fusion": {"method": "rrf", "k": 60}, "runs": ["r0", "r1"]}


def test_depth_and_name():
    fused = fuse(runs(A, B), Fusion("sum", depth=2), name="mine")
    assert list(fused.to_dict()["q"]) == ["b", "a"] and fused.name == "mine"


def test_runs_without_rows():
    assert fuse(runs({"q": {}}, {"q": {}})).to_dict() == {"q": {}}
    assert fuse(runs({"q": {}}, {"q": {}}), "mnz").to_dict() == {"q": {}}


_LISTS = st.dictionaries(
    st.sampled_from(["q1", "q2"]),
    st.dictionaries(st.sampled_from("abcdefé查"), st.integers(-5, 20).map(float)),
)


@pytest.mark.parametrize("method", sorted(set(RULES) - {"weighted"}))
@given(dicts=st.lists(_LISTS, min_size=3, max_size=3), norm=st.sampled_from(sorted(NORMS)))
def test_laws(method, dicts, norm):
    """The order of the runs changes no bit; the documents are those of all runs."""
    how = Fusion(method, norm=norm if RULES[method].uses == "score" else None)
    fused = fuse(runs(*dicts), how).to_dict()
    assert fuse(runs(*dicts[::-1]), how).to_dict() == fused
    for query, found in fused.items():
        assert set(found) == {doc for d in dicts for doc in d.get(query, {})}
        assert np.isfinite(list(found.values())).all()


@given(dicts=st.lists(_LISTS, min_size=2, max_size=3))
def test_equal_weights_are_no_weights(dicts):
    ones = tuple(1.0 for _ in dicts)
    assert fuse(runs(*dicts), Fusion("weighted", weights=ones)).to_dict() == (
        fuse(runs(*dicts), "sum").to_dict()
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "rff"}, UnknownName, "fusions: rrf"),
        ({"method": "sum", "norm": "l2"}, UnknownName, "there are: none"),
        ({"norm": "max"}, UsageError, "rrf uses ranks"),
        ({"method": "max", "weights": (1, 2)}, UsageError, "max has no weights"),
        ({"weights": (1, -2)}, UsageError, "0 or more"),
        ({"weights": (0, 0)}, UsageError, "not all 0"),
        ({"method": "weighted"}, UsageError, "needs weights"),
        ({"k": -1}, UsageError, "k is"),
        ({"depth": 0}, UsageError, "depth 1"),
    ],
)
def test_wrong_parameters_are_said(options, error, message):
    with pytest.raises(error, match=message):
        Fusion(**options)


def test_wrong_runs_are_said():
    with pytest.raises(UsageError, match="two runs"):
        fuse(runs(A))
    with pytest.raises(UsageError, match="3 weights for 2 runs"):
        fuse(runs(A, B), Fusion(weights=(1, 2, 3)))
    twice = Run.from_rows([("q", "a", 1.0), ("q", "b", 1.0), ("q", "a", 2.0)], name="bad")
    with pytest.raises(InputError, match="run bad: document 'a' for query 'q' comes twice"):
        fuse([twice, *runs(A)])
    infinite = runs({"q": {"a": float("inf")}}, A)
    with pytest.raises(InputError, match="infinite"):
        fuse(infinite, "sum")
    assert next(iter(fuse(infinite).to_dict()["q"])) == "a"


# ranx names, and ours. It is run without compiling, which would take minutes.
_RANX = {
    "rrf": ("rrf", None),
    "isr": ("isr", None),
    "bordafuse": ("borda", None),
    **{
        f"{theirs}:{norm}": (ours, ours_norm)
        for theirs, ours in [("sum", "sum"), ("mnz", "mnz"), ("anz", "anz"), ("max", "max"),
                             ("min", "min"), ("med", "med")]
        for norm, ours_norm in [("min-max", "min-max"), ("max", "max"), ("sum", "sum"),
                                ("zmuv", "zmuv"), ("rank", "rank")]
    },
}  # fmt: skip
_SCRIPT = """
import json, sys, warnings
warnings.simplefilter("ignore")
from ranx import Run, fuse
runs, wanted = json.load(sys.stdin)
out = {}
for name in wanted:
    method, _, norm = name.partition(":")
    given = [Run(r) for r in runs]
    out[name] = fuse(given, norm=norm or None, method=method).to_dict()
print(json.dumps(out))
"""


@pytest.mark.slow
def test_ranx_gives_the_same():
    """Scores without ties, so that its order of insertion does not matter."""
    rng = np.random.default_rng(11)
    docs = [f"d{i}" for i in range(12)]
    given = []
    for _ in range(3):
        lists = {}
        for q in ("q1", "q2", "q3"):
            picked = rng.permutation(docs)[: rng.integers(3, 10)]
            scores = np.sort(rng.random(len(picked)) * 20 + 0.1)[::-1]
            lists[q] = {str(d): float(s) for d, s in zip(picked, scores, strict=True)}
        given.append(lists)
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input=json.dumps([given, list(_RANX)]),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout)
    for name, (method, norm) in _RANX.items():
        ours = fuse(runs(*given), Fusion(method, norm=norm)).to_dict()
        for query in ours:
            assert ours[query] == pytest.approx(theirs[name][query], rel=1e-9, abs=1e-9), name
