"""Dev and test: drawn alike, near-duplicates together, frozen, grown, and checked."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.collection import Query
from cranfield.errors import FormatError, InputError, NoSuchInput, UnknownName, UsageError
from cranfield.experiment.drawing import draw, extend
from cranfield.experiment.splits import fingerprint_of, read_split, write_split
from cranfield.kit.near import near_pairs

WORDS = "crawler index ranking cache queue thread parser token lexicon snippet".split()


def text_of(i: int) -> str:
    """Texts that are far from each other."""
    return " ".join((WORDS[i % 10], f"{i * i}{WORDS[(i // 10) % 10]}", hex(i * 7919)))


def queries(n: int, first: int = 1, types: int = 3) -> list[Query]:
    return [Query(f"q{i}", text_of(i), {"type": f"t{i % types}"}) for i in range(first, first + n)]


def test_each_type_is_shared_out_by_its_size():
    many = [
        Query(f"q{i}", text_of(i), {"type": "a" if i < 60 else "b" if i < 90 else "c"})
        for i in range(100)
    ]
    found = draw(many, 50)
    labels = {q.id: q.fields["type"] for q in many}
    counts = [sum(labels[q] == t for q in found.split.test) for t in "abc"]
    assert counts == [30, 15, 5]
    assert len(found.split.test) == len(found.split.dev) == 50
    assert found.split.by == "type" and found.short == 0


@given(st.integers(4, 40), st.integers(1, 5), st.integers(0, 99), st.data())
def test_no_label_is_more_than_one_query_away_from_its_share(n, types, seed, data):
    many = queries(n, types=types)
    size = data.draw(st.integers(1, n - 1))
    found = draw(many, size, seed=seed)
    assert len(found.split.test) + found.short == size
    assert set(found.split.test) | set(found.split.dev) == {q.id for q in many}
    assert not set(found.split.test) & set(found.split.dev)
    if not found.pairs:
        for t in {q.fields["type"] for q in many}:
            mine = [q.id for q in many if q.fields["type"] == t]
            share = size * len(mine) / n
            assert abs(sum(q in found.split.test for q in mine) - share) < 1


def test_a_seed_is_a_split_and_other_queries_do_not_matter():
    one, two = draw(queries(40), 20, seed=3), draw(queries(40), 20, seed=3)
    assert one.split == two.split
    assert draw(queries(40), 20, seed=4).split.test != one.split.test
    # the sides as they were drawn once: a later version must draw them again
    assert list(draw(queries(6, types=1), 3).split.test) == ["q2", "q5", "q6"]


def test_near_duplicates_are_never_on_two_sides():
    pairs = [Query(f"p{i}{x}", text_of(100 + i) + x) for i in range(10) for x in ("", "?", " ok")]
    for seed in range(20):
        split = draw([*queries(30), *pairs], 30, seed=seed).split
        for i in range(10):
            sides = {f"p{i}{x}" in split.test for x in ("", "?", " ok")}
            assert len(sides) == 1, f"group {i} is on two sides"


def test_a_group_that_does_not_fit_is_not_cut():
    same = [Query(f"q{i}", "the same question" + "!" * i) for i in range(4)]
    found = draw([*same, Query("r", "another thing")], 2)
    assert list(found.split.test) == ["r"] and found.short == 1
    assert len(found.pairs) == 3


@pytest.mark.parametrize("size", [0, -1, 40, 50, 2.5, 0.9999])
def test_a_size_that_cannot_be_is_refused(size):
    with pytest.raises(UsageError):
        draw(queries(40), size)


def test_a_share_is_rounded_and_a_field_must_be_there():
    assert len(draw(queries(30), 0.5).split.test) == 15
    assert len(draw(queries(30), 0.01).split.test) == 1
    with pytest.raises(UnknownName, match="no query has a field 'topic'"):
        draw(queries(30), 10, by="topic")
    with pytest.raises(UsageError):
        draw(queries(1), 1)
    bare = [Query(q.id, q.text) for q in queries(9)]
    assert draw(bare, 4).split.by is None


def test_a_file_brings_the_split_back(tmp_path):
    split = draw(queries(30), 10, seed=5).split
    write_split(split, tmp_path / "s.json")
    assert read_split(tmp_path / "s.json") == split
    first = (tmp_path / "s.json").read_bytes()
    write_split(read_split(tmp_path / "s.json"), tmp_path / "s.json")
    assert (tmp_path / "s.json").read_bytes() == first


def test_a_test_list_that_was_edited_is_refused(tmp_path):
    path = tmp_path / "s.json"
    write_split(draw(queries(30), 10).split, path)
    data = json.loads(path.read_text())
    moved = next(iter(data["test"]))
    del data["test"][moved]
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="9 queries where 10 were frozen"):
        read_split(path)
    data["test"][moved] = "something else"
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="not the one that was frozen"):
        read_split(path)


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"cranfield_split": 1}', '{"cranfield_split": 9}']
)
def test_what_is_no_split_is_an_error(tmp_path, text):
    path = tmp_path / "s.json"
    path.write_text(text)
    with pytest.raises(FormatError):
        read_split(path)
    with pytest.raises(NoSuchInput, match="no split has been made"):
        read_split(tmp_path / "none.json")


def test_the_fingerprint_is_of_ids_and_texts_whatever_their_order():
    assert fingerprint_of({"a": "x", "b": "y"}) == fingerprint_of({"b": "y", "a": "x"})
    assert fingerprint_of({"a": "x"}) != fingerprint_of({"a": "y"}) != fingerprint_of({"b": "y"})


def test_a_test_query_that_changed_is_named():
    many = queries(30)
    split = draw(many, 10).split
    name = next(iter(split.test))
    changed = [Query(q.id, "quite another question") if q.id == name else q for q in many]
    with pytest.raises(InputError, match=f"test query {name} has changed"):
        split.verified(changed, "s.json")
    with pytest.raises(InputError, match=f"test query {name} is not in the collection"):
        split.verified([q for q in many if q.id != name], "s.json")
    # case, width and blanks are no change of question; nor is a dev query's text anyone's business
    shouted = [Query(q.id, f" {q.text.upper()} ") if q.id in split.test else q for q in many]
    assert split.verified(shouted, "s.json") is split
    assert split.verified((), "s.json") is split


def test_thirty_queries_grow_to_a_hundred_and_fifty_are_frozen():
    thirty, hundred = queries(30), queries(100)
    first = draw(thirty, 10, seed=1).split
    grown = extend(first, hundred)
    assert grown.split.test == first.test and grown.split.versions == first.versions
    assert len(grown.split.dev) == 90 and len(grown.added["dev"]) == 70
    more = extend(first, hundred, 50)
    split = more.split
    assert len(split.test) == 50 and len(more.added["test"]) == 40
    assert first.test.items() <= split.test.items()
    assert not set(split.test) & set(first.dev), "a query that was tuned on is no test query"
    assert [v.n for v in split.versions] == [10, 50]
    assert split.versions[0].fingerprint == first.fingerprint != split.fingerprint
    labels = [sum(q in split.test and int(q[1:]) % 3 == t for q in split.test) for t in range(3)]
    assert max(labels) - min(labels) <= 1
    still = extend(split, queries(120))
    assert still.split.test == split.test and still.split.versions == split.versions


def test_a_new_query_near_a_test_query_goes_to_neither_side():
    many = queries(30)
    split = draw(many, 10).split
    on_test, on_dev = next(iter(split.test)), next(iter(split.dev))
    text = {q.id: q.text for q in many}
    new = [
        Query("twin", text[on_test] + "?"),
        Query("cousin", text[on_dev] + "?"),
        Query("stranger", "nothing like it"),
    ]
    found = extend(split, [*many, *new])
    assert found.split.held == {"twin": on_test}
    assert found.added["dev"] == ("cousin", "stranger") and found.added["held"] == ("twin",)
    # asked for, it may go into the test; the cousin of a dev query may not
    grown = extend(split, [*many, *new], 12).split
    assert {"twin", "stranger"} <= set(grown.test)
    assert "cousin" in grown.dev and not grown.held
    again = extend(found.split, [*many, *new])
    assert again.split.held == {"twin": on_test} and again.added["held"] == ()


def test_sides_stay_apart_when_a_split_grows_however_it_grows():
    many = [Query(q.id, q.text) for q in queries(20)]
    split = draw(many, 8).split
    for i in range(5):
        many += [Query(f"n{i}{j}", many[(i * 7 + j) % len(many)].text + "!" * j) for j in range(3)]
        split = extend(split, many, 8 + i if i > 2 else None).split
        ids = [q.id for q in many]
        for a, b, _ in near_pairs([q.text for q in many]):
            one, two = ids[a], ids[b]
            assert not (one in split.test and two in split.dev), (one, two)
            assert not (two in split.test and one in split.dev), (one, two)


def test_a_test_list_does_not_shrink_and_gone_dev_queries_are_told():
    many = queries(30)
    split = draw(many, 10).split
    with pytest.raises(UsageError, match="can only grow"):
        extend(split, many, 5)
    gone = next(iter(split.dev))
    found = extend(split, [q for q in many if q.id != gone])
    assert found.gone == (gone,) and gone not in found.split.dev
