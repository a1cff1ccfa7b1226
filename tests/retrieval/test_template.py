from __future__ import annotations

from pathlib import Path

import pytest

from cranfield import Query
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.template import Template, read_template

QUERY = Query("q1", '死锁 "quoted" {k}\n', {"topic": "java", "top": 3, "none": None})


def test_places_are_filled() -> None:
    tree = {
        "q": "{query}",
        "n": "{k}",
        "s": "first {k} for {query}",
        "deep": [{"t": "{query.topic}"}],
    }
    assert Template(tree).fill(QUERY, 10) == {
        "q": QUERY.text,
        "n": 10,
        "s": f"first 10 for {QUERY.text}",
        "deep": [{"t": "java"}],
    }


def test_what_is_filled_in_is_not_filled_again() -> None:
    """A query that holds a place is only text."""
    assert Template(["{query}"]).fill(Query("1", "{k} {query.id}"), 5) == ["{k} {query.id}"]


def test_fields_keep_their_type() -> None:
    assert Template(["{query.top}", "{query.id}", "<{query.top}>"]).fill(QUERY, 1) == [
        3,
        "q1",
        "<3>",
    ]


def test_filters_are_spliced_into_a_list() -> None:
    template = Template({"filter": [{"a": 1}, "{filters}"], "f": "{filters}"})
    assert template.places == {"filters"}
    assert template.fill(QUERY, 1, [1, 2]) == {"filter": [{"a": 1}, 1, 2], "f": [1, 2]}
    assert template.fill(QUERY, 1) == {"filter": [{"a": 1}], "f": None}


def test_other_braces_and_values_stay() -> None:
    tree = {"{query}": "{x} {}", "n": 1, "b": True, "z": None}
    assert Template(tree).fill(QUERY, 1) == tree


@pytest.mark.parametrize("name", ["lacking", "none"])
def test_a_field_that_the_query_lacks(name: str) -> None:
    with pytest.raises(InputError, match="no field"):
        Template(f"{{query.{name}}}").fill(QUERY, 1)


def test_templates_from_files(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"q": "{query}"}', encoding="utf-8")
    assert read_template(str(path), "template") == {"q": "{query}"}
    for bad in ("{", "[1]"):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(UsageError, match="template"):
            read_template(str(path), "template")
