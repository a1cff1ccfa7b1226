"""The desk: which pairs, whose turn, what was said."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError, InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.desk.deal import Dealing, deal
from cranfield.judging.desk.desk import Desk
from cranfield.judging.desk.pairs import task_of
from cranfield.judging.judgment import Judgment
from cranfield.judging.lists import read_pairs
from cranfield.judging.llm.rubric import read_rubric

RUBRIC = read_rubric("grades")
PAIRS = tuple((f"q{i}", f"d{j}") for i in range(5) for j in range(12))
NAMES = ("anna", "bo", "蔡")


@pytest.fixture(scope="module")
def found():
    queries = tuple(Query(f"q{i}", f"text {i}") for i in range(2))
    documents = [Document(f"d{i}", "", "text") for i in range(3)]
    return TestCollection("small", queries, Qrels.from_rows(()), lambda: iter(documents), 3)


# ---------------------------------------------------------------------- dealing


@given(
    n=st.integers(0, 40),
    who=st.integers(1, 4),
    overlap=st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 1.0]),
    unit=st.sampled_from(["pair", "query"]),
    order=st.sampled_from(["query", "mixed", "list"]),
    seed=st.integers(0, 5),
)
def test_every_pair_is_somebodys(n, who, overlap, unit, order, seed):
    names = tuple(f"a{i}" for i in range(who))
    pairs = PAIRS[:n]
    queues = deal(pairs, Dealing(names, overlap, unit, order, seed))
    assert all(len(set(q)) == len(q) for q in queues.values())
    assert set().union(*map(set, queues.values())) == set(pairs)
    units = {p if unit == "pair" else p[:1] for p in pairs}
    owners = {u: [a for a in names if any(p[: len(u)] == u for p in queues[a])] for u in units}
    if who > 1:
        shared = [u for u in units if len(owners[u]) == who]
        assert len(shared) == round(overlap * len(units))
        assert all(len(owners[u]) in (1, who) for u in units)
        own = [sum(owners[u] == [a] for u in units) for a in names]
        assert max(own) <= -(-(len(units) - len(shared)) // who)  # nobody has more than a share


def test_the_order_is_random_by_assessor_and_seed_alone():
    how = Dealing(NAMES, 1.0)
    queues = deal(PAIRS, how)
    assert deal(PAIRS[::-1], how) == queues
    assert len({queues[a] for a in NAMES}) == 3
    assert deal(PAIRS, Dealing(NAMES, 1.0, seed=1))["anna"] != queues["anna"]
    for queue in queues.values():
        met = [q for q, _ in queue]
        assert [met[0], *(b for a, b in pairwise(met) if a != b)] == list(
            dict.fromkeys(met)
        )  # a query is done before the next begins
        assert sorted(queue) == sorted(PAIRS) and queue != tuple(sorted(PAIRS))
    mixed = deal(PAIRS, Dealing(NAMES, 1.0, order="mixed"))["anna"]
    assert len({q for q, _ in mixed[:12]}) > 2
    assert deal(PAIRS, Dealing(NAMES, 1.0, order="list"))["bo"] == PAIRS


def test_a_longer_list_or_another_assessor_moves_little():
    def owner(pairs, names):
        queues = deal(pairs, Dealing(names, 0.2))
        return {p: a for a in names for p in queues[a] if sum(p in q for q in queues.values()) == 1}

    before = owner(PAIRS, NAMES)
    longer = owner((*PAIRS, ("q9", "d1"), ("q9", "d2")), NAMES)
    assert sum(longer.get(p) not in (None, a) for p, a in before.items()) <= 6
    more = owner(PAIRS, (*NAMES, "dora"))
    moved = [p for p, a in before.items() if more.get(p) not in (None, a, "dora")]
    assert len(moved) <= 16


@pytest.mark.parametrize(
    "bad",
    [
        *({"assessors": a} for a in ((), ("a", "a"), (" ",), ("a\n",))),
        *({"overlap": 1.1}, {"overlap": -0.1}, {"unit": "x"}, {"order": "x"}),
    ],
)
def test_dealings_that_are_none(bad):
    with pytest.raises(UsageError):
        Dealing(**{"assessors": ("a",), **bad})


# ---------------------------------------------------------------------- pairs


def test_all_documents_for_every_query(found):
    task = task_of(found)
    assert len(task.pairs) == 6 and task.pairs[0] == ("q0", "d0")
    assert task_of(found, None, ("q1",)).pairs == tuple(("q1", f"d{i}") for i in range(3))
    with pytest.raises(InputError, match="'q7' is not among"):
        task_of(found, None, ("q7",))


def test_too_many_pairs_are_refused(found):
    many = tuple(Query(f"q{i}", "x") for i in range(100_000))
    with pytest.raises(UsageError, match="300000 pairs"):
        task_of(TestCollection("many", many, found.qrels, found.documents, 3))
    with pytest.raises(UsageError, match="has no documents"):
        task_of(TestCollection("bare", found.queries, found.qrels))


def test_work_lists(found, write):
    tsv = "query\tdocument\trank\truns\nq1\td2\t\t2\nq0\td0\t3\t1\nq1\td2\t4\t1\n"
    assert task_of(found, str(write("holes.tsv", tsv))).pairs == (("q1", "d2"), ("q0", "d0"))
    assert read_pairs(str(write("crlf.tsv", tsv.replace("\n", "\r\n")))) == [
        ("q1", "d2"), ("q0", "d0"),
    ]  # fmt: skip
    assert read_pairs(str(write("plain.txt", "q1 d2\n\nq0 d 0 1\n"))) == [("q1", "d2"), ("q0", "0")]
    assert read_pairs(str(write("bom.txt", "\ufeffq1\td2\n"))) == [("q1", "d2")]
    blank = "qid\tdocid\nq 1\td\u2028 2\n"  # blanks in ids, where tabs divide
    assert read_pairs(str(write("blank.tsv", blank))) == [("q 1", "d\u2028 2")]
    for name, text in (
        ("a", "q1\n"),
        ("b", "query\tdocument\nq1\n"),
        ("c", "query\tdocument\nq\t \n"),
    ):
        with pytest.raises(FormatError, match="no query and document"):
            read_pairs(str(write(name, text)))
    with pytest.raises(FormatError, match="not UTF-8"):
        read_pairs(str(write("latin", b"q1 \xe9\n")))
    with pytest.raises(InputError, match="query 'q9'"):
        task_of(found, str(write("d", "q9 d1\n")))
    with pytest.raises(InputError, match="1 documents are not in the collection, for example 'd9'"):
        task_of(found, str(write("e", "q1 d1\nq1 d9\n")))
    with pytest.raises(NothingToEvaluate):
        task_of(found, str(write("f", "q1 d1\n")), ("q0",))


# ---------------------------------------------------------------------- what was said


def desk(labels, **more):
    return Desk(labels, deal(PAIRS[:6], Dealing(("anna", "bo"), 1.0)), RUBRIC, **more)


def test_in_both_databases(labels, opened):
    here = desk(labels)
    pair = here.next("anna")
    given_ = here.give("anna", pair, 2, ticket="t", seen=0, seconds=3.14159, reason=" why ")
    assert given_.outcome == "kept" and given_.judgment.id == 1
    there = desk(opened())
    (row,) = there.said("anna").values()
    assert (row.pair, row.grade, row.seconds, row.reason) == (pair, 2, 3.1, "why")
    assert row.details == {"desk": "web", "ticket": "t", "scale": RUBRIC.scale[-1]}
    assert row.rubric == RUBRIC.version
    assert there.said("bo") == {} and there.next("bo") is not None
    assert there.next("anna") == here.next("anna") != pair
    assert there.undo("anna", row.id) == pair
    assert there.undo("anna", row.id) is None and here.undo("anna", row.id) is None
    assert here.next("anna") == pair and here.last("anna") is None


def test_what_is_sent_twice_and_what_crossed(labels):
    here = desk(labels)
    pair = here.next("anna")
    ids = [here.give("anna", pair, 2, ticket="t", seen=0) for _ in range(2)]
    assert [g.outcome for g in ids] == ["kept", "repeated"] and ids[0].judgment == ids[1].judgment
    assert here.give("anna", pair, 1, ticket="t", seen=0).outcome == "crossed"
    assert here.give("anna", pair, 1, ticket="other", seen=0).outcome == "crossed"
    assert here.give("anna", pair, 1, ticket="other", seen=1).outcome == "kept"
    here.undo("anna", 2)
    assert here.said("anna")[pair].id == 1  # what was said before counts again
    assert here.give("anna", pair, 1, ticket="other", seen=2).outcome == "crossed"
    assert here.give("bo", pair, 0, ticket="t", seen=0).outcome == "kept"  # another judge


def test_progress_and_skipped(labels):
    here = desk(labels)
    queue = here.queues["anna"]
    for pair, said in zip(queue, (0, "unsure", "skip", 3, "skip"), strict=False):
        here.give("anna", pair, said, ticket=str(pair), seen=0, seconds=4)
    now = here.progress("anna", "q0")
    assert (now.total, now.done, now.skipped, now.left) == (6, 3, 2, 1)
    assert (now.query_total, now.query_done, now.seconds) == (6, 3, 4)
    assert now.minutes_left == pytest.approx(4 * 3 / 60)
    assert here.progress("bo").minutes_left is None
    assert here.next("anna") == queue[5]
    assert here.next("anna", skipped=True) == queue[2]
    assert here.next("anna", skipped=True, after=queue[2]) == queue[4]
    assert here.next("anna", skipped=True, after=queue[4]) is None


def test_rows_of_others_and_of_files(labels):
    pair = PAIRS[0]
    labels.record(
        [
            Judgment(*pair, 3, assessor="bo"),
            Judgment(*pair, 3, source="llm", model="m"),
            Judgment(*pair, 3, source="llm", assessor="anna"),
            Judgment("q9", "d9", 3, assessor="anna"),
        ]
    )
    here = desk(labels)
    assert here.said("anna") == {}
    labels.record([Judgment(*pair, 1, assessor="anna")])  # imported: said, and not undone here
    assert here.said("anna")[pair].grade == 1 and here.last("anna") is None


def test_another_round(labels):
    first, second = desk(labels), desk(labels, round="2")
    pair = first.next("anna")
    first.give("anna", pair, 1, ticket="t", seen=0)
    assert second.next("anna") == pair and second.last("anna") is None
    assert second.give("anna", pair, 3, ticket="u", seen=0).outcome == "kept"
    assert second.next("anna") != pair
    assert [j.grade for j in labels.current()] == [3]


def test_what_cannot_be_given(labels):
    here = desk(labels)
    pair = here.next("anna")
    for said in (4, -1, "failed", "undone", "2", True + 3):
        with pytest.raises(UsageError, match="no grade"):
            here.give("anna", pair, said, ticket="t", seen=0)
    with pytest.raises(UnknownName, match="not in the queue"):
        here.give("anna", ("q9", "d"), 1, ticket="t", seen=0)
    with pytest.raises(UnknownName, match="no assessor 'carl'"):
        here.give("carl", pair, 1, ticket="t", seen=0)
    for seconds in (float("nan"), float("inf"), -1, 1e6):
        here.give("anna", pair, 1, ticket=str(seconds), seen=labels.last(), seconds=seconds)
        assert labels.history()[-1].seconds is None
    assert labels.last() == 4


RACE = """
import sys
from itertools import pairwise
from cranfield.judging.desk.desk import Desk
from cranfield.judging.labels import open_labels
from cranfield.judging.llm.rubric import read_rubric
here = Desk(open_labels(sys.argv[1]), {"anna": tuple((f"q{i}", "d") for i in range(200))},
            read_rubric("grades"))
while (pair := here.next("anna")) is not None:
    here.give("anna", pair, 1, ticket=sys.argv[2] + pair[0], seen=0)
"""


def test_two_processes_at_one_queue(address, opened):
    both = [
        subprocess.Popen([sys.executable, "-c", RACE, address, name], stderr=subprocess.PIPE)
        for name in "xy"
    ]
    for one in both:
        _, err = one.communicate(timeout=300)
        assert one.returncode == 0, err.decode()
    labels = opened()
    assert len(labels.current()) == 200
    assert json.dumps([j.grade for j in labels.current()]) == json.dumps([1.0] * 200)


# ---------------------------------------------------------------------- beside a known document


def test_a_known_document_stands_beside(labels, tmp_path):
    """The one that a model is shown; a pair without one is left out."""
    rubric = read_rubric("reference")
    qrels = Qrels.from_rows([("q0", "d1", 1), ("q0", "d2", 0), ("q1", "d0", 1)])
    documents = [Document(f"d{i}", "", "text") for i in range(3)]
    queries = tuple(Query(f"q{i}", f"text {i}") for i in range(3))
    known = TestCollection("known", queries, qrels, lambda: iter(documents), 3)
    task = task_of(known, rubric=rubric)
    assert task.references == {
        ("q0", "d0"): "d1", ("q0", "d2"): "d1", ("q1", "d1"): "d0", ("q1", "d2"): "d0",
    }  # fmt: skip
    assert task.pairs == tuple(task.references) and task.left_out == {"reference": 5}
    assert task.reference(("q0", "d2")).id == "d1" and task.reference(("q0", "d1")) is None
    (tmp_path / "w").write_text("query\tdocument\tsampled\nq1\td2\t1\nq1\td1\t0\nq2\td1\t1\n")
    listed = task_of(known, str(tmp_path / "w"), rubric=rubric)
    assert listed.pairs == (("q1", "d2"),) and set(listed.documents) == {"d0", "d2"}
    assert listed.left_out == {"sampled": 1, "reference": 1}
    assert task_of(known).references == {}
    here = Desk(labels, {"anna": task.pairs}, rubric, references=task.references)
    given_ = here.give("anna", ("q0", "d2"), 1, ticket="t", seen=0)
    assert given_.judgment.details["reference"] == "d1"
    with pytest.raises(NothingToEvaluate) as raised:
        task_of(known, only=("q2",), rubric=rubric)
    assert "3 pairs have no other document" in raised.value.hint
