"""Questions: none twice, batches that an interruption does not change, both orders."""

from __future__ import annotations

import random

from cranfield import Document, Query
from cranfield.judging.judgment import Judgment
from cranfield.judging.llm.prompt import key_of
from cranfield.judging.llm.tasks import Item, plan, sampled_by
from cranfield.judging.preferences import Preference

QUERIES = [Query("q1", "one"), Query("q2", "two")]
DOCS = [Document(f"d{n}", "", f"text {n}") for n in range(7)]
ITEMS = [Item(q, (d,)) for q in QUERIES for d in DOCS]


def row(item, asking, sample=0, state="graded", doc=None):
    key = key_of(asking, "m", item.query, item.documents, item.reference, sample)
    return Judgment(
        item.query.id, doc or item.documents[0].id, 1.0 if state == "graded" else None,
        state=state, source="llm", model="m", prompt=asking.prompt, sample=sample,
        details={"asked": key},
    )  # fmt: skip


def test_what_is_known_is_not_asked(asking):
    how = asking()
    known = [row(ITEMS[0], how), row(ITEMS[1], how, state="failed")]
    made = plan(ITEMS, how, "m", known)
    assert [t.items[0] for t in made.tasks] == ITEMS[1:]
    assert (made.kept, made.again, made.left) == (1, 1, 0)
    made = plan(ITEMS, how, "m", known, failed_again=False)
    assert [t.items[0] for t in made.tasks] == ITEMS[2:]
    assert (made.kept, made.again, made.left) == (1, 0, 1)


def test_a_document_that_has_changed_is_asked_for_again(asking):
    how = asking()
    old = Item(QUERIES[0], (Document("d0", "", "text 0, longer then"),))
    made = plan(ITEMS[:1], how, "m", [row(old, how)])
    assert len(made.tasks) == 1 and made.kept == 0


def test_the_same_texts_are_asked_for_once(asking):
    how = asking()
    twin = Item(QUERIES[0], (Document("twin", "", "text 0"),))
    made = plan([ITEMS[0], ITEMS[1], twin], how, "m", [])
    assert [(t.items[0].ids[1], [i.ids[1] for i in t.alike(0)]) for t in made.tasks] == [
        ("d0", ["twin"]), ("d1", []),
    ]  # fmt: skip
    made = plan([ITEMS[0], twin], how, "m", [row(ITEMS[0], how)])
    assert not made.tasks and made.kept == 1
    assert [(item.ids[1], r.doc) for item, _, r in made.copied] == [("twin", "d0")]


def test_batches_are_drawn_and_do_not_depend_on_what_is_done(asking):
    how = asking(batch=3, seed=4)
    whole = plan(ITEMS, how, "m", []).tasks
    assert [len(t.items) for t in whole] == [3, 3, 1, 3, 3, 1]
    assert sorted(i.ids for t in whole for i in t.items) == sorted(i.ids for i in ITEMS)
    assert all(len({i.query.id for i in t.items}) == 1 for t in whole)
    ids = [[i.ids for i in t.items] for t in whole]
    assert [i for b in ids for i in b] != [i.ids for i in ITEMS]  # not the order given
    assert (
        ids
        == [[i.ids for i in t.items] for t in plan(ITEMS[::-1], how, "m", []).tasks][3:]
        + [[i.ids for i in t.items] for t in plan(ITEMS[::-1], how, "m", []).tasks][:3]
    )
    assert ids != [
        [i.ids for i in t.items] for t in plan(ITEMS, asking(batch=3, seed=5), "m", []).tasks
    ]
    done = [row(i, how) for t in whole[:2] for i in t.items]
    assert plan(ITEMS, how, "m", done).tasks == whole[2:]
    failed = [
        row(whole[0].items[0], how, state="failed"),
        *(row(i, how) for i in whole[0].items[1:]),
    ]
    assert [i.ids for i in plan(ITEMS, how, "m", failed).tasks[0].items] == ids[0][:1]


def test_samples_are_questions_of_their_own(asking):
    how = asking(samples=3, temperature=0.5)
    made = plan(ITEMS[:2], how, "m", [row(ITEMS[0], how, sample=2)])
    assert [(t.sample, t.items[0].ids[1]) for t in made.tasks] == [
        (1, "d0"), (1, "d1"), (2, "d1"), (3, "d0"), (3, "d1"),
    ]  # fmt: skip
    assert len({t.keys for t in made.tasks}) == 5


def test_preferences_are_asked_in_both_orders(asking):
    how = asking("preference")
    items = [Item(QUERIES[0], (DOCS[a], DOCS[b])) for a in range(7) for b in range(a)]
    tasks = plan(items, how, "m", []).tasks
    orders = [t.items[0].ids[1:] for t in tasks]
    assert len(orders) == 2 * len(items) == len(set(orders))
    assert all(orders[i] == orders[i + 1][::-1] for i in range(0, len(orders), 2))
    assert 5 < sum(a < b for a, b in orders[::2]) < 16  # which comes first is drawn
    first = tasks[0].items[0]
    known = Preference(
        *first.ids,
        "a",
        source="llm",
        model="m",
        prompt=how.prompt,
        details={"asked": tasks[0].keys[0]},
    )
    assert plan(items, how, "m", [known]).tasks == tasks[1:]


def test_samples_of_pairs():
    rng = random.Random(0)
    pairs = [(f"q{rng.random()}", f"d{n}") for n in range(40)]
    small, large = (sampled_by(1, n, pairs, lambda p: p) for n in (5, 20))
    assert len(small) == 5 and set(small) < set(large)
    assert large == [p for p in pairs if p in set(large)]
    assert sampled_by(1, None, pairs, lambda p: p) == pairs == sampled_by(1, 99, pairs, lambda p: p)
    assert sampled_by(2, 5, pairs, lambda p: p) != small


def test_batches_of_the_same_texts(asking):
    how = asking(batch=2)
    twins = [Item(QUERIES[0], (Document(f"t{n}", "", f"text {n % 3}"),)) for n in range(6)]
    made = plan([*twins, ITEMS[7]], how, "m", [])
    assert sorted(len(t.items) for t in made.tasks) == [1, 1, 2]
    asked = {i.ids[1]: [o.ids[1] for o in t.alike(n)] for t in made.tasks
             for n, i in enumerate(t.items)}  # fmt: skip
    assert asked == {"t0": ["t3"], "t1": ["t4"], "t2": ["t5"], "d0": []}
    failed = plan(twins, how, "m", [row(twins[0], how, state="failed")], failed_again=False)
    assert sorted(i.ids[1] for t in failed.tasks for i in t.items) == ["t1", "t2", "t3"]
