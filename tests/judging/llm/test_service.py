"""The two steps by which a model judges, as they are called from Python."""

from __future__ import annotations

import json
import shutil

import pytest

import cranfield
from cranfield.errors import NothingToEvaluate, UnknownName, UsageError


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.delenv("CRANFIELD_LLM_KEY", raising=False)
    (tmp_path / "c" / "qrels").mkdir(parents=True)
    docs = [{"_id": f"d{n}", "title": "", "text": "x" * n} for n in range(1, 5)]
    for name, rows in (("corpus", docs), ("queries", [{"_id": "q1", "text": "what"}])):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "c" / f"{name}.jsonl").write_text(lines)
    (tmp_path / "c/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    run = "".join(f"q1 Q0 d{n} {n} {9 - n} s\n" for n in range(1, 5))
    (tmp_path / "s.run").write_text(run)
    return tmp_path


def test_prepared_asked_and_resumed(place, serve, chat_server):
    model = chat_server.Model()
    url, store = serve(model) + "/v1", place / "l.sqlite"
    call = {"model": "m", "labels": store, "depth": 4}
    work = cranfield.prepare_judging(place / "c", [place / "s.run"], **call)
    assert (len(work.items), work.cost.calls, work.left_out) == (3, 3, {"judged": 1})
    assert not store.exists() and not model.asked  # nothing is asked, nothing written
    done = cranfield.judge(work, store, url, max_calls=2, price_in=1.0, price_out=1.0)
    assert done.tally.graded == 2 and done.tally.stopped and done.cost == pytest.approx(214e-6)
    work = cranfield.prepare_judging(place / "c", [place / "s.run"], **call)
    assert (work.plan.kept, work.cost.calls) == (2, 1)
    labels = cranfield.open_labels(store)
    assert cranfield.judge(work, labels, url).tally.graded == 1
    assert [j.assessor for j in labels.current()] == ["", "", ""]
    labels.close()


def test_another_name_of_the_same_judge_costs_nothing(place, serve, chat_server):
    model = chat_server.Model()
    url, store = serve(model) + "/v1", place / "l.sqlite"
    call = {"model": "m", "labels": store}
    cranfield.judge(
        cranfield.prepare_judging(place / "c", [place / "s.run"], depth=3, **call), store, url
    )
    work = cranfield.prepare_judging(place / "c", [place / "s.run"], assessor="roleB", **call)
    assert (work.plan.kept, len(work.plan.copied), work.cost.calls) == (0, 2, 1)
    cranfield.judge(work, store, url)
    assert len(model.asked) == 3
    labels = cranfield.open_labels(store)
    assert {(j.doc, j.grade, j.assessor) for j in labels.current()} == {
        ("d2", 2.0, ""), ("d3", 3.0, ""),
        ("d2", 2.0, "roleB"), ("d3", 3.0, "roleB"), ("d4", 0.0, "roleB"),
    }  # fmt: skip
    again = cranfield.prepare_judging(place / "c", [place / "s.run"], assessor="roleB", **call)
    assert (again.plan.kept, len(again.plan.copied), again.cost.calls) == (3, 0, 0)
    labels.close()


def test_a_field_that_no_query_has(place):
    with pytest.raises(UnknownName, match="no query has a field 'typo'"):
        cranfield.prepare_judging(place / "c", [place / "s.run"], model="m", fields=("typo",))


def test_what_people_have_labelled_is_left_out(place):
    store = place / "l.sqlite"
    labels = cranfield.open_labels(store)
    labels.record(
        [
            cranfield.Judgment("q1", "d2", 1, assessor="anna"),
            cranfield.Judgment("q1", "d3", 2, source="imported"),
            cranfield.Judgment("q1", "d4", state="unsure", assessor="anna"),
            cranfield.Judgment("q1", "d4", 2, source="llm", model="other"),
        ]
    )
    cranfield.record_preferences(labels, [cranfield.Preference("q1", "d2", "d1", "a")])
    (place / "w.tsv").write_text("q1 d1\nq1 d3\nq1 d4\n")

    def asked(*runs, **more):
        work = cranfield.prepare_judging(place / "c", runs, model="m", labels=labels, **more)
        return [i.ids[1:] for i in work.items], work.left_out

    run, own = place / "s.run", str(place / "w.tsv")
    assert asked(run) == ([("d4",)], {"judged": 1, "people": 2})
    assert asked(work_list=own) == ([("d1",), ("d4",)], {"people": 1})
    assert asked(work_list=own, unjudged=False)[0] == [("d1",), ("d3",), ("d4",)]
    assert len(asked(run, unjudged=False)[0]) == 4
    assert asked(labelled=True) == ([("d1",)], {})
    two = asked(run, rubric="preference", depth=3)
    assert two == ([("d1", "d3"), ("d2", "d3")], {"people": 1})
    labels.close()
    shutil.rmtree(place / "c/qrels")
    assert len(cranfield.prepare_judging(place / "c", [run], model="m").items) == 4
    with pytest.raises(NothingToEvaluate) as raised:
        cranfield.prepare_judging(place / "c", model="m", labelled=True)
    assert "holds no judgments" in raised.value.hint


def test_a_collection_in_memory_and_a_rubric_of_preferences(place, serve, chat_server):
    found = cranfield.read_collection(place / "c")
    rubric = cranfield.read_rubric("preference")
    store = place / "l.sqlite"
    work = cranfield.prepare_judging(
        found, [place / "s.run"], model="m", rubric=rubric, depth=3, sample=2, seed=5
    )
    assert len(work.items) == 2 and work.cost.calls == 4
    url = serve(chat_server.Model(grade=len)) + "/v1"
    assert cranfield.judge(work, store, url).tally.graded == 4
    made = cranfield.export_preferences(store, place / "x.prefs")
    assert made.preferences == 2 and (place / "x.prefs").read_text() == made.text
    with pytest.raises(NothingToEvaluate):
        cranfield.export_preferences(store, wanted=cranfield.Wanted(sources=("human",)))


def test_the_key(place, serve, chat_server, monkeypatch):
    model = chat_server.Model()
    url, store = serve(model) + "/v1", place / "l.sqlite"
    work = cranfield.prepare_judging(place / "c", [place / "s.run"], model="m", depth=2)
    cranfield.judge(work, store, url)
    assert "authorization" not in model.headers[-1]
    monkeypatch.setenv("MY_KEY", "sk-secret")
    work = cranfield.prepare_judging(place / "c", [place / "s.run"], model="m", depth=3)
    cranfield.judge(work, store, url, key_env="MY_KEY")
    assert model.headers[-1]["authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in repr(work) and b"sk-secret" not in store.read_bytes()


def test_wrong_calls(place, serve):
    runs = [place / "s.run"]
    with pytest.raises(UsageError, match="no choice 'deep'"):
        cranfield.prepare_judging(place / "c", runs, model="m", deep=3)
    with pytest.raises(UsageError, match="what is to be judged"):
        cranfield.prepare_judging(place / "c", model="m")
    with pytest.raises(UsageError, match="batch and samples"):
        cranfield.prepare_judging(place / "c", runs, model="m", batch=0)
    work = cranfield.prepare_judging(place / "c", runs, model="m")
    with pytest.raises(UsageError, match="status 401"):
        cranfield.judge(work, place / "l.sqlite", serve(lambda _: (401, {}, b"no")) + "/v1")
    down = serve(lambda _: (503, {}, b"down")) + "/v1"
    done = cranfield.judge(work, place / "l.sqlite", down, attempts=1)
    assert (done.tally.graded, done.tally.unanswered) == (0, 3)
