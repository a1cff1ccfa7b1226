"""Asking a system with care: failures, resuming, latency, self-retrieval, batches, threads."""

from __future__ import annotations

import json

import pytest

from cranfield.data import Query
from cranfield.errors import CranfieldError, InputError, UsageError
from cranfield.kit.retry import Backoff
from cranfield.retrieval.conduct import Settings, conduct
from cranfield.retrieval.journal import Answer, Journal
from cranfield.retrieval.system import retrieve

QUERIES = [Query(f"q{i}", f"text {i}") for i in range(6)]
NO_SLEEP = Backoff(3, sleep=lambda s: None)


class Engine:
    """Answers with two documents, and misbehaves for the queries named."""

    name = "engine"

    def __init__(self, down=(), empty=(), flaky=(), bad=None) -> None:
        self.down, self.empty, self.flaky, self.bad = set(down), set(empty), set(flaky), bad or {}
        self.calls: list[str] = []

    def search(self, query, k):
        self.calls.append(query.id)
        if query.id in self.down:
            raise ConnectionError("no route to host")
        if query.id in self.flaky and self.calls.count(query.id) < 3:
            raise TimeoutError("slow")
        if query.id in self.bad:
            return self.bad[query.id]
        return (
            [] if query.id in self.empty else [("d1", 2.0), ("d" + query.id, 1.0), ("d3", 0.5)][:k]
        )


def settings(**more):
    return Settings(**{"backoff": NO_SLEEP, **more})


def test_a_run_with_its_card():
    done = conduct(Engine(), QUERIES, settings(k=2), config={"collection": "c"})
    assert done.run.queries.to_list() == [q.id for q in QUERIES]
    assert done.run.to_dict()["q3"] == {"d1": 2.0, "dq3": 1.0}
    assert done.card.config == {"system": "engine", "k": 2, "collection": "c"}
    assert done.run.config == done.card.config
    assert set(done.card.latency) == {q.id for q in QUERIES}
    assert all(0 <= ms < 1000 for ms in done.card.latency.values())
    assert done.errors == {} and done.card.failed == ()


def test_a_failed_query_is_not_an_empty_one():
    engine = Engine(down=["q1"], empty=["q2"])
    done = conduct(engine, QUERIES, settings())
    assert engine.calls.count("q1") == 3  # asked again
    assert engine.calls.count("q2") == 1  # an empty answer is an answer
    assert "q1" not in done.run.queries.to_list()
    assert done.run.to_dict()["q2"] == {}
    assert done.card.failed == ("q1",)
    assert done.card.empty == ("q2",)
    assert "q1" not in done.card.latency
    assert done.errors == {"q1": "ConnectionError: no route to host"}
    assert any("1 query failed, asked 3 times" in note for note in done.notes)


def test_that_nothing_is_found_is_said():
    found = conduct(Engine(empty=[q.id for q in QUERIES]), QUERIES, settings())
    assert "no query found a document" in found.notes[0] and found.errors == {}
    assert conduct(Engine(empty=["q0"]), QUERIES, settings()).notes == ()
    assert conduct(Engine(), [], settings()).notes == ()


def test_a_failure_that_passes_leaves_no_trace():
    done = conduct(Engine(flaky=["q0", "q5"]), QUERIES, settings())
    assert done.errors == {} and done.notes == ()


@pytest.mark.parametrize(
    ("result", "why"),
    [
        ([("a", float("nan"))], "NaN"),
        ([("a", 1.0), ("a", 0.5)], "a document twice"),
        ([(str(i), 1.0) for i in range(11)], "11 documents where 10"),
        ([("a", "high")], "could not convert"),
        ([("", 1.0)], "empty or no Unicode text"),
        ([("文\ud800", 1.0)], "empty or no Unicode text"),
        (None, "NoneType"),
    ],
)
def test_an_answer_that_is_none_is_a_failure(result, why):
    done = conduct(Engine(bad={"q4": result}), QUERIES, settings(k=10))
    assert done.card.failed == ("q4",)
    assert why in done.errors["q4"]


def test_retrieve_is_stopped_by_the_first_error():
    with pytest.raises(ConnectionError):
        retrieve(Engine(down=["q1"]), QUERIES)
    with pytest.raises(InputError, match="twice"):
        retrieve(Engine(bad={"q1": [("a", 1), ("a", 1)]}), QUERIES)


def test_a_system_that_is_down_is_given_up_soon():
    engine = Engine(down=[f"q{i}" for i in range(100)])
    with pytest.raises(CranfieldError, match="the first 3 queries all failed: ConnectionError"):
        conduct(engine, [Query(f"q{i}", "x") for i in range(100)], settings(give_up=3))
    assert len(set(engine.calls)) <= 4
    with pytest.raises(CranfieldError, match="no query was answered"):
        conduct(Engine(down=["q0"]), QUERIES[:1], settings())


def test_an_error_of_the_call_stops_the_work():
    class Strict(Engine):
        def search(self, query, k):
            raise UsageError("no such index")

    with pytest.raises(UsageError, match="no such index"):
        conduct(Strict(), QUERIES, settings())


class Interrupted(Engine):
    """Ctrl-C at the third query."""

    def search(self, query, k):
        if query.id == "q3" and "q3" not in self.calls:
            self.calls.append("q3")
            raise KeyboardInterrupt
        return super().search(query, k)


def test_interrupted_work_resumes(tmp_path):
    part = tmp_path / "x.run.part"
    engine = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        conduct(engine, QUERIES, settings(), journal=part)
    assert part.exists()
    done = conduct(engine, QUERIES, settings(), journal=part)
    assert engine.calls == ["q0", "q1", "q2", "q3", "q3", "q4", "q5"]
    assert done.run.to_dict() == conduct(Engine(), QUERIES, settings()).run.to_dict()
    assert done.run.queries.to_list() == [q.id for q in QUERIES]
    assert "resumed: 3 of 6" in done.notes[0]
    assert set(done.card.latency) == {q.id for q in QUERIES}
    assert not part.exists()


def test_failed_queries_are_asked_again_next_time(tmp_path):
    part = tmp_path / "part"
    first = conduct(Engine(down=["q1"]), QUERIES, settings(), journal=part)
    assert first.card.failed == ("q1",)
    engine = Engine()
    second = conduct(engine, QUERIES, settings(), journal=part)
    assert engine.calls == ["q1"]
    assert second.card.failed == () and not part.exists()


def _many(n):
    return [Query(f"q{i}", "x") for i in range(n)]


class Stopped(Engine):
    """Ctrl-C at the tenth call."""

    def search(self, query, k):
        if len(self.calls) == 9:
            self.calls.append(query.id)
            raise KeyboardInterrupt
        return super().search(query, k)


def test_queries_that_fail_for_good_do_not_stop_resumed_work(tmp_path):
    part, bad = tmp_path / "part", [f"q{i}" for i in range(1, 20, 2)]
    one = {"give_up": 3, "backoff": Backoff(1)}
    with pytest.raises(KeyboardInterrupt):
        conduct(Stopped(down=bad), _many(20), settings(**one), journal=part)
    engine = Engine(down=bad)
    done = conduct(engine, _many(20), settings(**one), journal=part, keep=True)
    assert engine.calls[:2] == ["q9", "q10"]  # those that had failed come last
    assert set(engine.calls[-3:]) < set(bad[:4])
    assert done.card.failed == tuple(bad) and len(done.run.queries) == 10
    # All are known to fail now: three are asked again, the rest keep the reason they had.
    engine = Engine(down=bad)
    again = conduct(engine, _many(20), settings(**one), journal=part, keep=True)
    assert engine.calls == bad[:3]
    assert again.errors == done.errors and again.run.to_dict() == done.run.to_dict()
    engine = Engine()
    assert conduct(engine, _many(20), settings(**one), journal=part).errors == {}
    assert sorted(engine.calls) == sorted(bad)


def test_a_system_that_went_down_is_given_up_when_work_is_resumed(tmp_path):
    part = tmp_path / "part"
    with pytest.raises(KeyboardInterrupt):
        conduct(Stopped(), _many(20), settings(), journal=part)
    down = Engine(down=[q.id for q in _many(20)])
    with pytest.raises(CranfieldError, match="the first 3 queries all failed"):
        conduct(down, _many(20), settings(give_up=3), journal=part)
    engine = Engine()
    assert len(conduct(engine, _many(20), settings(), journal=part).run.queries) == 20
    assert len(engine.calls) == 11  # what had been answered was kept


def test_an_answer_to_another_text_is_asked_again(tmp_path):
    part = tmp_path / "part"
    conduct(Engine(), QUERIES, settings(), journal=part, keep=True)
    changed = [Query("q0", "另一个问题"), Query("q1", "text 1", {"lang": "zh"}), *QUERIES[2:]]
    engine = Engine()
    done = conduct(engine, changed, settings(), journal=part)
    assert engine.calls == ["q0", "q1"]
    assert done.notes[:2] == (
        "resumed: 4 of 6 queries were answered before",
        "2 queries have other texts and are asked again",
    )


def test_how_often_a_failed_query_was_asked_is_said_as_it_is():
    twice = {"bad": {"q4": [("a", 1.0), ("a", 0.5)]}}
    engine = Engine(**twice)
    assert "1 query failed, asked once" in conduct(engine, QUERIES, settings()).notes[0]
    assert engine.calls.count("q4") == 1
    both = conduct(Engine(down=["q1"], **twice), QUERIES, settings())
    assert "2 queries failed, asked up to 3 times" in both.notes[0]


def test_a_journal_that_is_kept_is_the_callers_to_remove(tmp_path):
    part = tmp_path / "run.part"
    conduct(Engine(), QUERIES, settings(), journal=part, keep=True)
    engine = Engine()
    again = conduct(engine, QUERIES, settings(), journal=part)
    assert not engine.calls and "queries were answered before" in again.notes[0]
    assert not part.exists()


def test_a_journal_of_other_work_is_not_used(tmp_path):
    part = tmp_path / "part"
    conduct(Engine(down=["q1"]), QUERIES, settings(k=2), journal=part)
    engine = Engine()
    done = conduct(engine, QUERIES, settings(k=3), journal=part)
    assert len(engine.calls) == 6
    assert "begun anew" in done.notes[0]


@pytest.mark.parametrize("cut", [1, 10, 60, 130])
def test_a_journal_cut_anywhere_gives_whole_answers_or_none(tmp_path, cut):
    part = tmp_path / "part"
    work = {"system": "engine"}
    answers = [Answer(f"q{i}", (("查询", 0.1 + i),), 1.5) for i in range(3)]
    with Journal(part, work) as book:
        for answer in answers:
            book.add(answer)
    part.write_bytes(part.read_bytes()[:-cut])
    kept = Journal(part, work).read()
    assert list(kept.values()) == answers[: len(kept)] and len(kept) < 3
    with Journal(part, work) as book:  # and it can be written to again
        book.add(answers[2])
    again = Journal(part, work).read()
    assert again["q2"] == answers[2] and len(again) == len(kept) + 1


_SECOND = """
import sys
from cranfield.errors import CranfieldError
from cranfield.retrieval.journal import Journal
try:
    with Journal(sys.argv[1], {"system": "other"}):
        print("both")
except CranfieldError as error:
    print(error)
"""


def test_a_journal_has_one_writer(tmp_path):
    import subprocess
    import sys

    part = tmp_path / "part"
    second = [sys.executable, "-c", _SECOND, str(part)]
    with Journal(part, {}) as book:
        book.add(Answer("q0", (("d", 1.0),)))
        refused = subprocess.run(second, capture_output=True, text=True, check=True).stdout
        assert "another process is at work on this run" in refused
    assert list(Journal(part, {}).read()) == ["q0"]
    assert subprocess.run(second, capture_output=True, text=True, check=True).stdout == "both\n"


def test_opening_a_journal_changes_nothing_but_a_cut_line(tmp_path):
    part = tmp_path / "part"
    with Journal(part, {}) as book:
        book.add(Answer("q0", (("d", 1.0),)))
        book.add(Answer("q1", error="down"))
    whole = part.read_bytes()
    part.write_bytes(whole + b'{"query": "q2", "res')
    with Journal(part, {}) as book:
        assert part.read_bytes() == whole and list(book.failed) == ["q1"]
    assert part.read_bytes() == whole


def test_answers_are_accepted_or_end_the_work(tmp_path):
    def accept(query, docs):
        seen.append((query, list(docs)))
        if "dq2" in docs:
            raise InputError("no such document")

    seen, part, engine = [], tmp_path / "part", Engine()
    with pytest.raises(InputError, match="no such document"):
        conduct(engine, QUERIES, settings(), journal=part, accept=accept)
    assert seen[:6] == [(q.id, []) for q in QUERIES] and len(engine.calls) == 3
    assert len(part.read_bytes().splitlines()) == 3  # the head and two answers
    with pytest.raises(InputError):
        conduct(Engine(), QUERIES, settings(), accept=accept)


def test_a_line_of_nonsense_in_the_journal_is_passed_over(tmp_path):
    part = tmp_path / "part"
    with Journal(part, {}) as book:
        book.add(Answer("q0", (("d", 1.0),)))
    with part.open("ab") as stream:
        stream.write(b'[]\n{"query": "q1"}\nnonsense\n')
    assert list(Journal(part, {}).read()) == ["q0"]


def test_self_retrieval_is_proposed_and_excluded():
    class Finds(Engine):
        def search(self, query, k):
            return [(query.id, 9.0), ("d1", 2.0), ("d2", 1.0)][:k]

    done = conduct(Finds(), QUERIES, settings(k=2))
    assert "6 of 6 queries found the document with their own id, 6" in done.notes[0]
    assert "--exclude-self" in done.notes[0]
    without = conduct(Finds(), QUERIES, settings(k=2, exclude_self=True))
    assert without.run.to_dict()["q1"] == {"d1": 2.0, "d2": 1.0}  # still two
    assert without.notes == ()
    assert without.card.config["exclude_self"] is True


def test_ids_that_coincide_by_chance_propose_nothing():
    second = {q.id: [("d1", 2.0), (q.id, 1.0)] for q in QUERIES[:3]}
    assert conduct(Engine(bad=second), QUERIES, settings()).notes == ()


class Many(Engine):
    """Takes several queries at once; a failing one fails them all."""

    def __init__(self, **faults) -> None:
        super().__init__(**faults)
        self.batches: list[int] = []

    def search_many(self, queries, k):
        self.batches.append(len(queries))
        return [self.search(q, k) for q in queries]


def test_batches_give_the_same_run():
    engine = Many()
    done = conduct(engine, QUERIES, settings(batch=4))
    assert engine.batches == [4, 2]
    assert done.run.to_dict() == conduct(Engine(), QUERIES, settings()).run.to_dict()
    assert done.card.config["batch"] == 4
    assert set(done.card.latency) == {q.id for q in QUERIES}


def test_one_failing_query_does_not_fail_its_batch():
    done = conduct(Many(down=["q2"]), QUERIES, settings(batch=6))
    assert done.card.failed == ("q2",)
    assert len(done.run.queries) == 5


def test_threads_give_the_same_run():
    class Safe(Engine):
        thread_safe = True

    done = conduct(Safe(down=["q4"]), QUERIES, settings(threads=3))
    assert done.run.queries.to_list() == ["q0", "q1", "q2", "q3", "q5"]
    assert done.card.failed == ("q4",)


class Filtering(Engine):
    takes_filters = True

    def search(self, query, k, filters=None):
        self.calls.append(json.dumps(filters))
        return []

    def search_many(self, queries, k, filters=None):
        self.calls.append(json.dumps(filters))
        return [[] for _ in queries]


def test_filters_pass_through():
    queries = [Query("a", "x", {"lang": "zh", "tenant": 3}), Query("b", "x", {"lang": "en"})]
    engine = Filtering()
    done = conduct(engine, queries, settings(filters=["lang", "tenant"]))
    assert engine.calls == ['{"lang": "zh", "tenant": 3}', '{"lang": "en"}']
    assert done.card.config["filters"] == ["lang", "tenant"]
    conduct(engine, queries, settings(filters=["lang"], batch=2))
    assert engine.calls[-1] == '[{"lang": "zh"}, {"lang": "en"}]'


@pytest.mark.parametrize(
    ("make", "more", "message"),
    [
        (Engine, {"filters": ["lang"]}, "takes no filters"),
        (Filtering, {"filters": ["lang"]}, "no query has a field 'lang'"),
        (Engine, {"batch": 2}, "one query at a time"),
        (Engine, {"threads": 2}, "thread-safe"),
        (Engine, {"k": 0}, "1 or more"),
    ],
)
def test_what_a_system_cannot_do_is_said(make, more, message):
    with pytest.raises(UsageError, match=message):
        conduct(make(), QUERIES, settings(**more))


_KILLED = """
import os, signal, sys
from cranfield.data import Query
from cranfield.retrieval.conduct import conduct

class Engine:
    name = "engine"
    def search(self, query, k):
        if query.id == "q3":
            os.kill(os.getpid(), signal.SIGKILL)
        return [("d" + query.id, 1.0)]

conduct(Engine(), [Query(f"q{i}", f"text {i}") for i in range(6)], journal=sys.argv[1])
"""


def test_a_killed_process_loses_no_answer(tmp_path):
    import subprocess
    import sys

    part = tmp_path / "part"
    done = subprocess.run([sys.executable, "-c", _KILLED, str(part)], check=False)
    assert done.returncode == -9
    engine = Engine()
    finished = conduct(engine, QUERIES, settings(), journal=part)
    assert engine.calls == ["q3", "q4", "q5"]
    assert finished.run.to_dict()["q2"] == {"dq2": 1.0}
