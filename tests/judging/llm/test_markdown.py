"""Rubrics as Markdown: the same rubric as in TOML, and errors that name the line."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import FormatError, InputError
from cranfield.judging.llm.markdown import to_markdown
from cranfield.judging.llm.rubric import Grade, Rubric, bundled, read_rubric

SHOP = """---
# for the shop's team
name: shop
lang: en
relevant: 2
reason: true
---

# How we judge

You judge the results of a shop's search.

- what the query names counts
- ### is no heading: it stands in a list

```
## 7 is an example
```

## 2: buys it ##

The product is what the query asks for.

Another paragraph.

### 0 another thing
It is something else.
"""


@pytest.fixture
def read(tmp_path):
    def read_(text, name="r.md"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return read_rubric(str(path))

    return read_


def test_what_it_says(read):
    found = read(SHOP)
    assert (found.name, found.lang, found.kind) == ("shop", "en", "grades")
    assert (found.relevant, found.reason, found.reference) == (2, True, False)
    assert found.task.startswith("You judge the results") and found.task.endswith("```")
    assert "## 7 is an example" in found.task and "How we judge" not in found.task
    assert found.grades == (
        Grade(2, "buys it", "The product is what the query asks for.\n\nAnother paragraph."),
        Grade(0, "another thing", "It is something else."),
    )
    assert read(SHOP.replace("\n", "\r\n")) == found
    assert read("\ufeff" + SHOP, "plain.txt") == found


@pytest.mark.parametrize("name", bundled())
def test_the_bundled_ones_are_the_same_in_both_forms(read, name):
    rubric = read_rubric(name)
    assert read(to_markdown(rubric)) == rubric
    assert read(to_markdown(rubric)).version == rubric.version


TEXT = st.text(min_size=1, max_size=60).map(str.strip).filter(
    lambda t: t and "\r" not in t and not any("\ud800" <= c < "\ue000" for c in t)
)  # fmt: skip


@given(task=TEXT, name=TEXT, text=TEXT)
def test_what_is_written_is_read_or_refused(tmp_path_factory, task, name, text):
    rubric = Rubric("x", "zh", "grades", task, (Grade(1, name, text), Grade(0, "n", "t")))
    try:
        said = to_markdown(rubric)
    except InputError:
        return
    path = tmp_path_factory.mktemp("md") / "r.md"
    path.write_bytes(said.encode())
    assert read_rubric(str(path)) == rubric


def test_headings_that_would_be_lost_are_refused():
    rubric = read_rubric("grades")
    for task in ("# title\n\nwhat", "what\n## 3 more"):
        with pytest.raises(InputError, match="cannot be written as Markdown"):
            to_markdown(dataclasses.replace(rubric, task=task))


HEAD = "---\nname: x\n---\n"
WRONG = [
    ("name: x\n", 1, "begins with its front matter"),
    ("", 1, "begins with its front matter"),
    ("---\nname: x\n\ntask\n", 4, "no key: value"),
    ("---\nname: x\n", 3, "has no end"),
    ("---\nname: x\nname: y\n---\nt\n", 3, "given twice"),
    ("---\nname: x\n  lang: en\n---\nt\n", 3, "no key: value"),
    ("---\nname: x\ntask: y\n---\nt\n", 3, "below the front matter"),
    ("---\nname: x\nwrong: 1\n---\nt\n## 1 a\nb\n## 0 c\nd\n", 3, "no key 'wrong'"),
    ("---\nname: x\nlang: fr\n---\nt\n## 1 a\nb\n## 0 c\nd\n", 3, "lang 'fr'"),
    ("---\nname: a b\n---\nt\n## 1 a\nb\n## 0 c\nd\n", 2, "holds a blank"),
    ("---\nname: x\nreason: yes\n---\nt\n## 1 a\nb\n## 0 c\nd\n", 3, "true or false"),
    ("---\nname: x\nrelevant: 0\n---\nt\n## 1 a\nb\n## 0 c\nd\n", 3, "relevant = 0"),
    ("---\nname: x\nkind: preference\n---\nt\n## 1 a\nb\n## 0 c\nd\n", 6, "grades go with"),
    (HEAD + "t\n## 1 a\nb\n## 12 c\nd\n", 7, "grade 12"),
    (HEAD + "t\n## 1 a\nb\n## -1 c\nd\n", 7, "grade -1"),
    (HEAD + "t\n## 1 a\nb\n## 1 c\nd\n", 7, "each once"),
    (HEAD + "t\n## 1 a\nb\n## 0 c\n", 7, "text is ''"),
    (HEAD + "t\n## 1 a\nb\n## more\n", 7, "after the first grade"),
    (HEAD + "t\n## 1 a\nb\n", 5, "two grades"),
    (HEAD + "## 1 a\nb\n## 0 c\nd\n", None, "task is ''"),
    (HEAD + "t\n", None, "grades go with"),
    ("---\nlang: en\n---\nt\n## 1 a\nb\n## 0 c\nd\n", None, "name is None"),
]


@pytest.mark.parametrize(("text", "line", "said"), WRONG)
def test_errors_name_the_line(read, text, line, said):
    with pytest.raises(FormatError, match=re.escape(said)) as raised:
        read(text)
    assert raised.value.line == line
    assert f"r.md, line {line}:" in str(raised.value) or line is None


def test_errors_of_toml_name_the_line_too(read):
    with pytest.raises(FormatError, match="no TOML") as raised:
        read('name = "x"\ntask = \n', "r.toml")
    assert raised.value.line == 2
