"""Queries to tune on and queries to report on."""

from __future__ import annotations

import pytest

from cranfield import agree
from cranfield.data.collection import Query
from cranfield.errors import NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.agree import look_remarks
from cranfield.judging.parts import count_look, draw_parts, known_parts, looks_of

NAMES = [f"q{i}" for i in range(20)]


def test_parts_are_drawn_once_and_kept(labels, opened):
    parts = draw_parts(labels, NAMES, share=0.3, seed=5)
    assert (len(parts.tune), len(parts.report)) == (6, 14)
    assert set(parts.tune) | set(parts.report) == set(NAMES)
    assert known_parts(opened()) == parts
    assert draw_parts(opened(), NAMES[::-1]) == parts
    with pytest.raises(UsageError, match=r"share 0\.3, not 0\.5"):
        draw_parts(labels, NAMES, share=0.5)
    with pytest.raises(UsageError, match="seed 5, not 1"):
        draw_parts(labels, NAMES, seed=1)
    with pytest.raises(UnknownName, match="tune, report"):
        parts.of("test")


def test_the_draw_depends_on_the_seed_and_on_nothing_else(labels, tmp_path):
    from cranfield.judging.labels import open_labels

    here = set(draw_parts(labels, NAMES, seed=1).tune)
    again = draw_parts(open_labels(tmp_path / "a"), sorted(NAMES, reverse=True), seed=1)
    assert set(again.tune) == here
    other = draw_parts(open_labels(tmp_path / "b"), NAMES, seed=2)
    assert set(other.tune) != here


def test_new_queries_are_shared_out_and_old_ones_stay(labels):
    old = draw_parts(labels, NAMES)
    new = draw_parts(labels, [*NAMES, *(f"n{i}" for i in range(10))])
    assert new.tune[: len(old.tune)] == old.tune and new.report[: len(old.report)] == old.report
    assert (len(new.tune), len(new.report)) == (15, 15)
    assert new.versions[:-1] == old.versions and len(new.versions) == 2


def test_queries_that_are_nearly_the_same_stay_together(labels):
    texts = {
        f"q{i}": f"question number {i // 2} about {'abcdefghij'[i // 2] * 12}" for i in range(20)
    }
    parts = draw_parts(labels, NAMES, texts=texts)
    side = dict.fromkeys(parts.tune, "tune") | dict.fromkeys(parts.report, "report")
    assert all(side[f"q{i}"] == side[f"q{i + 1}"] for i in range(0, 20, 2))
    later = draw_parts(labels, [*NAMES, "again"], texts={**texts, "again": texts[parts.tune[0]]})
    assert "again" in later.tune  # what was tuned on is not reported on under another name


@pytest.mark.parametrize("side", ["tune", "report"])
def test_a_new_query_near_an_old_one_is_on_its_side(labels, side):
    """Wherever the draw alone would have put it: of each side, many, among others."""
    texts = {q: f"{q} {chr(97 + i) * 40}" for i, q in enumerate(NAMES)}
    old = draw_parts(labels, NAMES, texts=texts)
    near = {f"near {q}": texts[q] for q in old.of(side)}
    others = {f"other {i}": f"{i} {chr(0x4E00 + i) * 40}" for i in range(10)}
    later = draw_parts(labels, [*NAMES, *near, *others], texts={**texts, **near, **others})
    assert set(near) <= set(later.of(side))
    assert set(near).isdisjoint(later.tune if side == "report" else later.report)


def test_near_both_sides_is_for_tuning(labels):
    same = "how deep is the boundary layer of a flat plate at supersonic speed"
    old = draw_parts(labels, NAMES)  # whose texts were not known then
    texts = {old.tune[0]: same, old.report[0]: same, "new": same}
    assert "new" in draw_parts(labels, [*NAMES, "new"], texts=texts).tune


@pytest.mark.parametrize(("names", "share", "said"), [(["q"], 0.5, "two"), (NAMES, 1.5, "share")])
def test_what_cannot_be_drawn(labels, names, share, said):
    with pytest.raises(UsageError, match=said):
        draw_parts(labels, names, share=share)
    assert known_parts(labels) is None


def test_looks_are_counted_over_all_versions(labels):
    parts = draw_parts(labels, NAMES)
    assert looks_of(labels, parts).count == 0
    for i in range(3):
        count_look(labels, parts, "agree", {"human": "h", "llm": f"l{i % 2}"})
    grown = draw_parts(labels, [*NAMES, "new1", "new2"])
    count_look(labels, grown, "agree", {"human": "h", "llm": "l2"})
    looks = looks_of(labels, grown)
    assert (looks.count, looks.labels, looks.tuning) == (4, 3, False)
    count_look(labels, grown, "agree", {"human": "h", "llm": "l2"})
    assert looks_of(labels, grown).tuning
    assert [r.key for r in look_remarks(labels)] == ["agree.looks", "agree.tuning"]


def world():
    a = {q: {"d": i % 2, "e": 1} for i, q in enumerate(NAMES)}
    b = {q: {"d": 1, "e": 1} for q in NAMES}
    return a, b


def test_agreement_on_one_part(labels):
    a, b = world()
    tuned = agree(a, b, labels=labels, part="tune", resamples=50)
    assert (tuned.queries, tuned.part) == (10, "tune")
    assert "agree.tuned" in [r.key for r in tuned.cautions]
    assert look_remarks(labels) == []
    told = agree(a, b, labels=labels, part="report", resamples=50)
    assert (told.queries, told.part) == (10, "report")
    assert [r.values["count"] for r in look_remarks(labels)] == [1]
    everything = agree(a, b, labels=labels, resamples=50)
    assert everything.queries == 20
    assert "agree.both_parts" in [r.key for r in everything.cautions]
    assert [r.values["count"] for r in look_remarks(labels)] == [2]


def test_a_part_belongs_to_a_store(labels):
    a, b = world()
    with pytest.raises(UsageError, match="label store"):
        agree(a, b, part="tune")
    draw_parts(labels, ["x1", "x2", "x3"])
    parts = draw_parts(labels, ["x1"])
    few = {q: {"d": 1} for q in parts.report}
    with pytest.raises(NothingToEvaluate, match="part 'tune'"):
        agree(few, few, labels=labels, part="tune", queries=[Query("x1", "text")])


def test_two_who_draw_at_one_moment_agree_afterwards(labels, opened):
    """Both saw an empty store; the one who wrote first decides."""
    row = {"at": "", "seed": 0, "share": 0.5, "fingerprint": "f"}
    for content in ('{"tune": ["a"], "report": ["b"]}', '{"tune": ["b", "c"], "report": ["a"]}'):
        labels.database.add("parts", [{**row, "content": content}])
    parts = known_parts(opened())
    assert parts is not None
    assert (parts.tune, parts.report) == (("a", "c"), ("b",))
