"""The desk where people say which of two documents is better."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.desk.deal import Dealing, deal, mirrored, turned
from cranfield.judging.desk.desk import Desk
from cranfield.judging.desk.pairs import proposed
from cranfield.judging.llm.rubric import read_rubric
from cranfield.judging.llm.work import Which, choose
from cranfield.judging.preferences import Preference, current_preferences, record_preferences
from cranfield.judging.settled import settled

RUBRIC = read_rubric("preference")
DOCS = tuple(f"d{n}" for n in range(6))
PAIRS = tuple((q, a, b) for q in ("q0", "q1") for a, b in combinations(DOCS, 2))


@pytest.fixture(scope="module")
def found():
    queries = tuple(Query(f"q{i}", f"text {i}") for i in range(2))
    documents = [Document(d, "", "text") for d in DOCS]
    return TestCollection("small", queries, Qrels.from_rows(()), lambda: iter(documents), 6)


@pytest.fixture
def runs(tmp_path):
    for name, own in (("x.run", DOCS[:3]), ("y.run", DOCS[2:5])):
        lines = [f"q0 Q0 {d} {n} {9 - n} s\n" for n, d in enumerate(own, 1)]
        (tmp_path / name).write_text("".join(lines))
    return str(tmp_path / "x.run"), str(tmp_path / "y.run")


# ---------------------------------------------------------------------- which pairs


def test_people_are_asked_what_a_model_would_be(found, runs):
    which = Which(runs=runs, depth=2)
    task, notes = proposed(found, RUBRIC, which)
    four = ("d0", "d1", "d2", "d3")
    assert sorted(task.pairs) == [("q0", a, b) for a, b in combinations(four, 2)] and not notes
    asked = {(i.query.id, *sorted(d.id for d in i.documents)) for i in
             choose(found, RUBRIC, which).items}  # fmt: skip
    assert asked == set(task.pairs) and set(task.documents) == set(four)
    some, _ = proposed(found, RUBRIC, Which(runs=runs, depth=2, sample=3, seed=4))
    assert len(some.pairs) == 3 and set(some.pairs) < set(task.pairs)
    with pytest.raises(NothingToEvaluate):
        proposed(found, RUBRIC, which, ("q1",))
    with pytest.raises(InputError, match="'q7' is not among"):
        proposed(found, RUBRIC, which, ("q7",))


def test_too_many_are_refused(found, runs, monkeypatch):
    monkeypatch.setattr("cranfield.judging.desk.pairs.MOST", 5)
    with pytest.raises(UsageError, match="10 pairs to judge"):
        proposed(found, RUBRIC, Which(runs=runs))
    assert len(proposed(found, RUBRIC, Which(runs=runs, sample=5))[0].pairs) == 5


def test_of_a_list_each_pair_once_in_whatever_order(found, tmp_path):
    path = tmp_path / "two.txt"
    path.write_text("q1 d2 d1\nq0 d0 d3\nq1 d1 d2\n")
    task, _ = proposed(found, RUBRIC, Which(work_list=str(path)))
    assert task.pairs == (("q1", "d1", "d2"), ("q0", "d0", "d3"))
    path.write_text("q1 d2 d9\n")
    with pytest.raises(InputError, match="'d9'"):
        proposed(found, RUBRIC, Which(work_list=str(path)))


def test_first_documents_of_runs_for_grades(found, runs):
    task, _ = proposed(found, read_rubric("grades"), Which(runs=runs, depth=2))
    assert task.pairs == tuple(("q0", d) for d in ("d0", "d1", "d2", "d3"))
    qrels = Qrels.from_rows([("q0", "d5", 1)])
    known = TestCollection("k", found.queries, qrels, found.documents, 6)
    task, _ = proposed(known, read_rubric("reference"), Which(runs=runs, depth=2))
    assert task.references == {("q0", d): "d5" for d in ("d0", "d1", "d2", "d3")}
    assert task.reference(("q0", "d2")).id == "d5"


# ---------------------------------------------------------------------- which comes first


@given(seed=st.integers(0, 50), both=st.booleans())
def test_turned(seed, both):
    dealt = deal(PAIRS, Dealing(("anna", "bo"), 1.0, seed=seed))
    queues = turned(dealt, seed, both=both)
    assert turned(dealt, seed, both=both) == queues
    for name, queue in queues.items():
        half = queue[: len(PAIRS)]
        assert [{*p} for p in half] == [{*p} for p in dealt[name]]  # their order is kept
        assert queue[len(PAIRS) :] == (tuple(map(mirrored, half)) if both else ())
        assert 3 < sum(a < b for _, a, b in half) < len(PAIRS) - 3
    assert {p[1:] for p in queues["anna"]} != {p[1:] for p in queues["bo"]} or both


# ---------------------------------------------------------------------- what was said


def desk(labels, seed=0, both=False, **more):
    queues = deal(PAIRS, Dealing(("anna", "bo"), 1.0, seed=seed))
    return Desk(labels, turned(queues, seed, both=both), RUBRIC, **more)


def test_in_both_databases(labels, opened):
    here = desk(labels)
    pair = here.next("anna")
    kept = here.give("anna", pair, "b", ticket="t", seen=0, seconds=3.14, reason=" why ")
    assert kept.outcome == "kept" and (kept.judgment.id, here.rows()) == (1, 1)
    assert kept.judgment.winner == pair[2]
    again = here.give("anna", pair, "b", ticket="t", seen=0)
    assert again.outcome == "repeated" and again.judgment == kept.judgment
    assert here.give("anna", pair, "a", ticket="t", seen=0).outcome == "crossed"
    assert here.give("anna", pair, "a", ticket="u", seen=0).outcome == "crossed"
    assert here.give("anna", pair, "tie", ticket="u", seen=1).outcome == "kept"
    there = desk(opened())
    assert there.said("anna")[pair].better == "tie" and there.said("bo") == {}
    assert there.undo("anna", 1) is None
    assert there.undo("anna", 2) == pair and here.undo("anna", 2) is None
    assert here.said("anna")[pair].better == "b"  # what was said before counts again
    assert here.undo("anna", 1) == pair and here.next("anna") == pair
    assert here.last("anna") is None and labels.last() == 0


def test_a_pair_that_was_judged_in_the_other_order(labels):
    """By another seed: it is judged, shown as it was then, and changed in that order."""
    here, there = desk(labels), desk(labels, seed=1)
    both = [(p, q) for p in here.queues["anna"] for q in there.queues["anna"] if p == mirrored(q)]
    (pair, turned_) = both[0]
    here.give("anna", pair, "a", ticket="t", seen=0)
    assert there.has("anna", pair) and there.item("anna", pair) == turned_
    assert there.said("anna")[turned_].better == "a"
    assert there.as_shown("anna", turned_) == pair
    assert there.give("anna", turned_, "a", ticket="u", seen=1).outcome == "crossed"
    assert there.give("anna", pair, "b", ticket="u", seen=1).outcome == "kept"
    (found,) = settled(current_preferences(labels))
    assert (found.outcome, found.winner) == ("preferred", pair[2])
    assert there.undo("anna", 2) == pair and there.undo("anna", 1) == turned_


def test_in_both_orders(labels):
    here = desk(labels, both=True)
    assert here.progress("anna").total == 2 * len(PAIRS)
    first = here.queues["anna"][0]
    here.give("anna", first, "a", ticket="t", seen=0)
    other = mirrored(first)
    assert other not in here.said("anna") and here.as_shown("anna", other) == other
    here.give("anna", other, "a", ticket="u", seen=0)
    assert here.progress("anna").done == 2
    assert [s.outcome for s in settled(current_preferences(labels))] == ["inconsistent"]


def test_skipped_ones_come_as_they_were_shown(labels):
    here = desk(labels)
    queue = here.queues["anna"]
    for pair, said in zip(queue[:3], ("skip", "unsure", "skip"), strict=True):
        here.give("anna", pair, said, ticket=str(pair), seen=0, seconds=4)
    assert (here.progress("anna").done, here.progress("anna").skipped) == (1, 2)
    there = desk(labels, seed=3)
    seen = [there.next("anna", skipped=True)]
    seen.append(there.next("anna", skipped=True, after=seen[0]))
    assert set(seen) == {queue[0], queue[2]}
    assert there.next("anna", skipped=True, after=seen[1]) is None


def test_rows_of_others_and_of_another_round(labels):
    here = desk(labels)
    pair = here.queues["anna"][0]
    record_preferences(labels, [
        Preference(*pair, "a", assessor="bo"), Preference(*pair, "a", source="llm", model="m"),
        Preference("q9", "d8", "d9", "a", assessor="anna"),
    ])  # fmt: skip
    assert here.said("anna") == {}
    here.give("anna", pair, "a", ticket="t", seen=0)
    second = desk(labels, round="2")
    assert second.said("anna") == {} and second.next("anna") == pair
    assert second.give("anna", pair, "b", ticket="u", seen=0).outcome == "kept"
    assert [
        p.better for p in current_preferences(labels) if p.assessor == "anna" and p.query != "q9"
    ] == ["b"]


def test_another_round_by_another_seed_keeps_the_order(labels):
    """What is said in it replaces what was said before; it would be another question else."""
    first, second = desk(labels), desk(labels, seed=1, round="2")
    for pair in first.queues["anna"]:
        first.give("anna", pair, "a", ticket=str(pair), seen=0)
    assert set(first.queues["anna"]) != set(second.queues["anna"])
    while (pair := second.next("anna")) is not None:
        assert pair in first.queues["anna"]
        assert second.give("anna", pair, "b", ticket="2", seen=0).outcome == "kept"
    assert [p.better for p in current_preferences(labels)] == ["b"] * len(PAIRS)


def test_what_cannot_be_given(labels):
    here = desk(labels)
    pair = here.next("anna")
    for said in (1, "c", "A", "failed", "undone", "graded", ""):
        with pytest.raises(UsageError, match="no answer"):
            here.give("anna", pair, said, ticket="t", seen=0)
    with pytest.raises(UnknownName, match="not in the queue"):
        here.give("anna", ("q0", "d0", "d9"), "a", ticket="t", seen=0)
    assert here.rows() == 0


RACE = """
import sys
from cranfield.judging.desk.desk import Desk
from cranfield.judging.labels import open_labels
from cranfield.judging.llm.rubric import read_rubric
here = Desk(open_labels(sys.argv[1]), {"anna": tuple((f"q{i}", "d", "e") for i in range(150))},
            read_rubric("preference"))
while (pair := here.next("anna")) is not None:
    here.give("anna", pair, "a", ticket=sys.argv[2] + pair[0], seen=0)
"""


def test_two_processes_at_one_queue(address, opened):
    both = [
        subprocess.Popen([sys.executable, "-c", RACE, address, name], stderr=subprocess.PIPE)
        for name in "xy"
    ]
    for one in both:
        _, err = one.communicate(timeout=300)
        assert one.returncode == 0, err.decode()
    rows = current_preferences(opened())
    assert len(rows) == 150 and {p.better for p in rows} == {"a"}
