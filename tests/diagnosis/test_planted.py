"""One fault is planted in a real collection, and that one is found; in the collection as it is,
nothing of its kind is."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import cranfield
from cranfield.data.collection import Document
from cranfield.diagnosis.terms import shared_terms

_FOUND = importlib.util.spec_from_file_location("planted", Path(__file__).parent / "planted.py")
planted = sys.modules.setdefault("planted", importlib.util.module_from_spec(_FOUND))
_FOUND.loader.exec_module(planted)


@pytest.fixture(scope="module", params=["demo", pytest.param("dureader", marks=pytest.mark.slow)])
def given(request):
    """(a collection, runs of engines that are good on it, what a check of them finds)."""
    if request.param == "demo":
        collection = cranfield.read_collection(planted.DEMO)
    else:
        shared = request.getfixturevalue("shared")
        collection = cranfield.read_collection(shared / "collections" / "dureader-demo")
    runs = planted.engines(collection)
    return collection, runs, found_in(collection, runs)


def found_in(collection, runs):
    return cranfield.check(collection, runs, "nDCG@10", near=None)


def new_rows(key, before, after):
    return set(planted.rows(after, key)) - set(planted.rows(before, key))


def strange_pair(collection):
    """A query, its best document, and one that shares no word with it."""
    labels = collection.qrels.to_dict()
    documents = {d.id for d in collection.documents()}
    texts = shared_terms(collection.queries, collection.documents(), documents)
    for query in collection.queries:
        mine = labels.get(query.id, {})
        best = max(sorted(mine), key=mine.__getitem__, default="")
        if sum(g > 0 for g in mine.values()) < 2 or not texts.queries[query.id]:
            continue
        far = (d for d in sorted(documents) if not mine.get(d) and texts.nothing(query.id, d))
        if (other := next(far, None)) is not None:
            return query.id, best, other
    raise AssertionError("no such pair")


def test_a_collection_as_it_is_has_no_label_to_look_at(given):
    _, _, before = given
    assert not planted.rows(before, "label_zero") and not planted.rows(before, "label_relevant")
    assert before.section("doctor") is None and before.suspects == ()
    assert not planted.rows(before, "judged_missing")


def test_a_swapped_label(given):
    collection, runs, _ = given
    query, best, other = strange_pair(collection)
    runs = {
        name: {
            q: {d: s for d, s in docs.items() if (q, d) != (query, other)} for q, docs in r.items()
        }
        for name, r in runs.items()
    }
    after = found_in(planted.relabelled(collection, (query, best, 0), (query, other, 1)), runs)
    (zero,) = planted.rows(after, "label_zero")
    assert zero[:4] == (query, best, 1, len(runs)) and zero[5] >= 0.75 and zero[6] > 0
    (lost,) = planted.rows(after, "label_relevant")
    assert lost[:3] == (query, other, "1") and lost[4] > 0
    assert [(h.query, h.document) for h in after.suspects] == [(query, best), (query, other)]


def test_the_price_is_what_the_scores_change_by(given):
    collection, runs, before = given
    query, best, _ = strange_pair(collection)
    grade = collection.qrels.to_dict()[query][best]
    wrong = planted.relabelled(collection, (query, best, 0))
    one = planted.relabelled(collection, (query, best, 1))
    price = planted.rows(found_in(wrong, runs), "label_zero")[0][6]
    mean = [
        cranfield.evaluate(c, runs, "nDCG@10").values[:, :, 0].mean(axis=1) for c in (wrong, one)
    ]
    assert price == pytest.approx(max(mean[1] - mean[0], key=abs))
    assert grade > 0 and before.measures[0].startswith("nDCG")


def test_a_duplicate(given):
    collection, runs, before = given
    twin = next(d for d in collection.documents() if len(d.text) > 50)
    doubled = planted.with_document(collection, Document("the-twin", twin.title, twin.text))
    after = found_in(doubled, runs)
    more = new_rows("copies", before, after)
    assert len(more) == 1 and {"the-twin", twin.id} <= set(str(next(iter(more))[0]).split(", "))


def test_a_judgment_that_leads_nowhere(given):
    collection, runs, _ = given
    query = collection.qrels.queries[0]
    after = found_in(planted.relabelled(collection, (query, "no-such-document", 1)), runs)
    assert planted.rows(after, "judged_missing") == (("no-such-document", 1, ""),)
    assert after.section("doctor") is None


def test_a_query_without_answer_that_has_one(given):
    collection, runs, before = given
    labels = collection.qrels.to_dict()
    query = next(q for q, own in labels.items() if 0 in own.values() and max(own.values()) > 0)
    hidden = [(query, d, None) for d, g in labels[query].items() if g > 0]
    after = found_in(planted.relabelled(collection, *hidden), runs)
    more = new_rows("no_answer_suspect", before, after)
    assert {row[0] for row in more} == {query}
