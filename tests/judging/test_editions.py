"""One model under several prompts: which of its labels count, and how they are told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cranfield import agree
from cranfield.errors import NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.editions import newest_only
from cranfield.judging.honest import estimate
from cranfield.judging.judgment import Judgment, Wanted
from cranfield.judging.labels import open_labels
from cranfield.judging.policies import apply_policy, policy
from cranfield.judging.sets import label_set
from cranfield.judging.status import status_of

DOCS = [f"d{i}" for i in range(6)]
OLD, NEW = ("0ce96db303a7", "grades@9f37"), ("1c0e9fd8f0ae", "grades@34d7")


def told(by, grade, docs=DOCS, at="2026-01-01T00:00:00Z", **more):
    prompt, rubric = by
    return [
        Judgment("q", d, grade, source="llm", model="m1", prompt=prompt, rubric=rubric, at=at)
        if grade is not None
        else Judgment("q", d, state="failed", source="llm", model="m1", prompt=prompt, at=at)
        for d in docs
    ]  # fmt: skip


@pytest.fixture
def tuned(tmp_path):
    """People say 1 everywhere, the model by its first rubric 0 and by the one that was put right
    1, which it was given for all but one document."""
    labels = open_labels(tmp_path / "l.sqlite")
    labels.record([Judgment("q", d, 1, assessor="ann") for d in DOCS])
    labels.record(told(OLD, 0))
    labels.record(told(NEW, 1, DOCS[1:], at="2026-01-02T00:00:00Z"))
    yield labels
    labels.close()


def same(labels, b="@llm", **more):
    return agree("@human", b, labels=labels, resamples=0, **more)["percent"].value


def test_the_newest_prompt_counts_where_both_grade(tuned):
    assert label_set("@llm", labels=tuned).grades() == {("q", d): float(d != "d0") for d in DOCS}
    (note,) = [n for n in label_set("@llm", labels=tuned).notes if "prompts" in n]
    assert "warning" in note and "1c0e9fd8f0ae grades@34d7 (5 pairs)" in note
    assert "0ce96db303a7 grades@9f37 (1 pairs)" in note and "5 earlier labels passed" in note
    found = agree("@human", "@llm", labels=tuned, resamples=0)
    assert found["percent"].value == pytest.approx(5 / 6)
    assert "agree.together" in [r.key for r in found.cautions]


@pytest.mark.parametrize(
    ("name", "which", "expected"),
    [
        ("@llm:m1#0ce9", {}, 0),
        ("@llm:m1#grades@9f37", {}, 0),
        ("@llm#1c0e9fd8f0ae", {}, 1),
        ("@llm", {"prompts": (OLD[0],)}, 0),
        ("@llm", {"rubrics": ("grades@34d7",), "models": ("m1",)}, 1),
    ],
)
def test_each_prompt_by_its_name(tuned, name, which, expected):
    found = agree("@human", name, labels=tuned, resamples=0, which=Wanted(**which))
    assert found["percent"].value == expected
    assert "agree.together" not in [r.key for r in found.cautions]
    told_so = [n for n in found.notes if n.startswith("@human: no label is by")]
    assert len(told_so) == len(which)  # people have no prompt: said, and not left out


def test_what_is_by_nothing_is_refused(tuned):
    with pytest.raises(UnknownName, match="prompt 77") as said:
        same(tuned, which=Wanted(prompts=("77",)))
    assert OLD[0] in said.value.hint
    with pytest.raises(UnknownName, match="'beef'") as said:
        same(tuned, "@llm:m1#beef")
    assert NEW[1] in said.value.hint
    with pytest.raises(UnknownName, match="'m2'"):
        same(tuned, "@llm:m2#0ce9")
    with pytest.raises(UnknownName, match="prompt 77"):
        agree({"q": {"a": 1}}, {"q": {"a": 1}}, resamples=0, which=Wanted(prompts=("77",)))


def test_every_prompt_is_a_vote_where_asked_for(tuned):
    every = label_set("@llm", labels=tuned, combine=policy("max", every_prompt=True))
    assert every.together and set(every.grades().values()) == {0.0, 1.0}
    least = label_set("@llm", labels=tuned, combine=policy("min", every_prompt=True))
    assert set(least.grades().values()) == {0.0}


def test_what_counts_is_told_in_exports_and_status(tuned):
    rows = tuned.current()
    made = apply_policy(rows, policy("human-over-llm"))
    assert [(e.name, e.together) for e in made.editions] == [("m1", True)]
    said = made.provenance()
    assert said["prompts"]["m1"] == {
        "pairs": {"1c0e9fd8f0ae grades@34d7": 5, "0ce96db303a7 grades@9f37": 1},
        "passed_over": {"0ce96db303a7 grades@9f37": 5},
    }
    assert apply_policy(rows, policy("human")).editions == ()  # it looks at no model
    status = status_of(tuned.history())
    assert [(s.judge.prompt, s.rubrics) for s in status.judges[1:]] == [
        (OLD[0], (OLD[1],)), (NEW[0], (NEW[1],)),
    ]  # fmt: skip
    assert status.several == (("m1", 2, "1c0e9fd8f0ae grades@34d7"),)


def test_an_answer_that_failed_or_a_pair_put_aside_displaces_no_grade():
    old, failed = told(OLD, 2), told(NEW, None, at="2026-01-02T00:00:00Z")
    kept, editions = newest_only([*old, *failed])
    assert kept == [*old, *failed] and editions == ()
    aside = told(NEW, -1, at="2026-01-02T00:00:00Z")
    found = apply_policy([*old, *aside], policy("majority"))
    assert set(found.qrels.to_dict()["q"].values()) == {2}


def test_the_newest_is_the_one_that_came_into_use_last():
    """Not the one whose file was read last."""
    old, new = told(OLD, 0), told(NEW, 1, at="2026-01-02T00:00:00Z")
    for rows in ([*old, *new], [*new, *old]):
        assert {j.grade for j in newest_only(rows)[0]} == {1}
    again = told(OLD, 3, ["d9"], at="2026-01-03T00:00:00Z")
    kept = newest_only([*old, *new, *again])[0]
    assert {(j.doc, j.grade) for j in kept} == {*((d, 1) for d in DOCS), ("d9", 3)}


def test_people_and_other_models_are_left_alone():
    people = [Judgment("q", "d", 1, assessor="a", rubric=r) for r in ("v1", "v2")]
    other = [replace(j, model="m2") for j in told(OLD, 3)]
    rows = [*people, *other, *told(NEW, 1)]
    assert newest_only(rows) == (rows, ())


def test_an_estimate_by_one_prompt(tmp_path):
    labels = open_labels(tmp_path / "l.sqlite")
    queries = [f"q{i}" for i in range(8)]
    people = [Judgment(q, "d", i % 2, assessor="a") for i, q in enumerate(queries[:4])]
    labels.record(people)
    for (prompt, rubric), grade in ((OLD, 0), (NEW, 1)):
        labels.record([
            Judgment(q, "d", grade * (q != "q7"), source="llm", model="m", prompt=prompt,
                     rubric=rubric, at=f"2026-01-0{1 + grade}T00:00:00Z")
            for q in queries
        ])  # fmt: skip
    run = {q: {"d": 1.0} for q in queries}

    def model_alone(**more):
        found = estimate("@human", "@llm", [run], ("P@1",), labels=labels, **more)
        return found.rows[0].model

    assert model_alone() == model_alone(which=Wanted(prompts=(NEW[0],)))
    assert model_alone() != model_alone(which=Wanted(prompts=(OLD[0],)))
    labels.close()


def test_two_scales_in_one_majority_are_said():
    rows = [
        Judgment("q", "d1", 3, assessor="anna", rubric="grades-en"),
        Judgment("q", "d1", 1, assessor="bo", rubric="binary-en"),
        Judgment("q", "d2", 1, assessor="bo", rubric="binary-en"),
    ]
    made = apply_policy(rows, policy("human"))
    assert made.several_rubrics == {"grades-en": 1, "binary-en": 2} and made.mixed == 1
    assert made.provenance()["rubrics"] == {"grades-en": 1, "binary-en": 2}
    found = label_set(rows)
    assert found.together and any("scales may differ" in note for note in found.notes)
    alone = label_set(rows, which=Wanted(rubrics=("binary-en",)))
    assert not alone.together and set(alone.grades().values()) == {1}
    unknown = [replace(rows[0], rubric=""), rows[1]]
    assert not label_set(unknown).together  # nothing is known of a scale


def test_a_name_with_nothing_behind_it(tmp_path):
    with pytest.raises(UsageError, match="names labels of a store"):
        label_set("@llm:m1#0ce9")
    labels = open_labels(tmp_path / "empty.sqlite")
    with pytest.raises(NothingToEvaluate):
        label_set("@llm", labels=labels)
    labels.close()


def test_in_a_status_a_model_is_one_judge_and_below_0_is_no_grade():
    later = "2026-01-02T00:00:00Z"
    model = [*told(OLD, 0), *told(NEW, 1, at=later)]
    alone = status_of(model)
    assert (alone.pairs, alone.shared, alone.conflicts, alone.pooled) == (6, 0, 0, 0)
    assert [s.shared for s in alone.judges] == [0, 0]
    ann = [Judgment("q", d, 2 * (d == "d1"), assessor="ann") for d in DOCS[:2]]
    bo = [Judgment("q", d, -1, assessor="bo") for d in ("d0", "d9")]
    found = status_of([*model, *(replace(j, at=later) for j in (*ann, *bo))])
    assert (found.pairs, found.shared, found.conflicts, found.pooled) == (6, 2, 2, 1)
    said = [(s.graded, s.pooled, s.shared, s.mean) for s in found.judges]
    assert said == [(6, 0, 2, 0.0), (6, 0, 2, 1.0), (2, 0, 2, 1.0), (0, 2, 0, None)]
    samples = [replace(j, sample=n, grade=g) for j in model[6:8] for n, g in enumerate((1, 2, 2))]
    agreed = [Judgment("q", d, 2, assessor="ann") for d in DOCS[:2]]
    both = status_of([*samples, *agreed])
    assert (both.shared, both.conflicts) == (2, 0)  # most samples say 2, as ann does
