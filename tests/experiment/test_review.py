"""The review set: lists side by side, notes and tags, nothing overwritten."""

from __future__ import annotations

import pytest

from cranfield.errors import InputError, NoSuchInput, UnknownName, UsageError
from cranfield.experiment.review import TAGS, tag_name
from cranfield.experiment.reviewset import ReviewSet
from cranfield.experiment.shown import known_queries, review_run


def marks(review, query: str) -> list[tuple[str, str, int | None, int | None]]:
    found = next(q for q in review.queries if q.query == query)
    return [(x.mark, x.doc, x.rank, x.before) for x in found.lines]


@pytest.fixture
def chosen(lab):
    here = lab()
    found = ReviewSet(here.ledger)
    found.add(["q1", "q2", "q4"], "look here")
    return here, found


def test_a_list_is_marked_against_the_run_before(chosen):
    here, _ = chosen
    first = review_run(here, "good.run")
    assert first.before is None
    assert marks(first, "q1") == [("same", "a", 1, None), ("same", "b", 2, None)]
    second = review_run(here, "bad.run")
    assert second.before == "good"
    assert marks(second, "q1") == [("up", "b", 1, 2), ("down", "a", 2, 1)]
    assert marks(second, "q2") == [("new", "a", 1, None), ("down", "b", 2, 1)]
    assert marks(second, "q4") == []
    assert [q.changed for q in second.queries] == [2, 2, 0]
    back = review_run(here, "good.run")
    assert back.before is None, "shown again it stands where it stood"


def test_what_is_gone_is_listed_last_and_grades_are_there(chosen, folder):
    here, _ = chosen
    review_run(here, "bad.run")
    (folder / "new.run").write_text("q2 Q0 b 1 1 s\nq2 Q0 unknown 2 0.5 s\n")
    review = review_run(here, "new.run")
    assert marks(review, "q2") == [
        ("up", "b", 1, 2),
        ("new", "unknown", 2, None),
        ("gone", "a", None, 1),
    ]
    two = next(q for q in review.queries if q.query == "q2")
    assert [x.grade for x in two.lines] == [1.0, None, 0.0] and two.text == "connection pool"


def test_a_depth_cuts_both_lists(chosen):
    here, _ = chosen
    review_run(here, "good.run", k=1)
    assert marks(review_run(here, "bad.run", k=1), "q1") == [
        ("new", "b", 1, None),
        ("gone", "a", None, 1),
    ]


def test_lists_are_kept_when_the_file_is_gone(chosen, folder):
    here, _ = chosen
    review_run(here, "good.run")
    (folder / "good.run").unlink()
    assert review_run(here, "bad.run").before == "good"


def test_a_peek_is_not_remembered(chosen):
    here, found = chosen
    review_run(here, "good.run", keep=False)
    assert found.reviewed() == ()


def test_a_query_that_came_later_has_nothing_to_be_held_against(chosen):
    here, found = chosen
    review_run(here, "good.run")
    found.add(["q3"])
    assert marks(review_run(here, "bad.run"), "q3") == [("same", "x", 1, None)]


def test_tags_are_counted_over_runs_and_may_be_taken_back(chosen):
    here, found = chosen
    with pytest.raises(UnknownName, match="no run has been reviewed yet"):
        found.run()
    review_run(here, "good.run")
    found.tag("q1", "内容过时", found.run())
    found.tag("q2", "stale", found.run())
    found.tag("q2", "太长", found.run())
    review_run(here, "bad.run")
    found.tag("q1", "stale", found.run("bad"))
    counts = found.tag_counts()
    assert [r.name for r in counts.runs] == ["good", "bad"]
    assert counts.counts == {"stale": (2, 1), "太长": (1, 0)}
    found.tag("q2", "stale", found.run("good"), off=True)
    assert found.tag_counts().counts["stale"] == (1, 1)
    review = review_run(here, "bad.run")
    one = next(q for q in review.queries if q.query == "q1")
    assert (one.tags, one.tags_before) == (("stale",), ("stale",))
    kinds = here.ledger.store.rows("SELECT kind FROM review WHERE kind LIKE '%tag' ORDER BY id")
    assert [row[0] for row in kinds] == ["tag", "tag", "tag", "tag", "untag"]
    with pytest.raises(UnknownName, match="has not been reviewed"):
        found.run("other")


def test_notes_add_up_and_a_removed_query_keeps_its_own(chosen):
    _, found = chosen
    found.note("q1", "第二条")
    assert [n.text for n in found.queries()["q1"].notes] == ["look here", "第二条"]
    found.remove("q1")
    assert list(found.queries()) == ["q2", "q4"]
    with pytest.raises(UnknownName, match="not in the review set"):
        found.note("q1", "x")
    assert found.add(["q1", "q2"]) == ("q1",)
    assert len(found.queries()["q1"].notes) == 2
    with pytest.raises(UsageError, match="empty note"):
        found.note("q1", "  ")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        *TAGS.items(),
        *((z, t) for t, z in TAGS.items()),
        ("Label Error", "label-error"),
        ("太长", "太长"),
    ],
)
def test_a_tag_has_its_names(text, tag):
    assert tag_name(text) == (text if text in TAGS else tag)


@pytest.mark.parametrize("text", ["", "two words", "a,b", "misread-trem", "stael", "a\x1bb"])
def test_what_is_no_tag_is_refused(text):
    with pytest.raises(UsageError):
        tag_name(text)


def test_an_own_tag_stays_even_near_a_built_in_one():
    assert tag_name("stales", own=["stales"]) == "stales"


def test_a_recorded_run_is_reviewed_only_while_it_is_what_it_was(chosen, folder):
    here, _ = chosen
    here.evaluate("good.run")
    assert review_run(here, "@1").run == "good"
    (folder / "good.run").write_text("q1 Q0 b 1 1 s\n")
    with pytest.raises(InputError, match="has changed since it was recorded as @1"):
        review_run(here, "@1")
    (folder / "good.run").unlink()
    with pytest.raises(NoSuchInput, match="not there any more"):
        review_run(here, "@1")
    here.evaluate({"q1": {"a": 1.0}})
    with pytest.raises(UnknownName, match="never a file"):
        review_run(here, "@last")
    here.evaluate({"a": {"q1": {"a": 1.0}}, "b": {"q1": {"a": 1.0}}})
    with pytest.raises(UnknownName, match="several runs"):
        review_run(here, "@last")


def test_an_empty_set_and_unknown_queries_are_told(lab):
    here = lab()
    with pytest.raises(UsageError, match="the review set is empty"):
        review_run(here, "good.run")
    known_queries(here, ["q1", "q4"])
    with pytest.raises(UnknownName, match="no query 'q11'"):
        known_queries(here, ["q11"])
