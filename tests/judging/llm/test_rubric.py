"""Rubrics: the bundled ones are whole, a version changes with what is said, nonsense is refused."""

from __future__ import annotations

import dataclasses
import re

import pytest

from cranfield.errors import CranfieldError, FormatError, InputError, NoSuchInput, UnknownName
from cranfield.judging.llm.rubric import bundled, mean_of, read_rubric, rubric_text

KINDS = {
    "grades": ((0, 1, 2, 3), False, False),
    "grades-reason": ((0, 1, 2, 3), True, False),
    "binary": ((0, 1), False, False),
    "reference": ((0, 1), False, True),
    "preference": ((), False, False),
    "preference-reason": ((), True, False),
}


def test_each_is_there_in_both_languages():
    assert set(bundled()) == {f"{kind}-{lang}" for kind in KINDS for lang in ("en", "zh")}
    for kind, (scale, reason, reference) in KINDS.items():
        for lang in ("en", "zh"):
            found = read_rubric(f"{kind}-{lang}")
            assert (found.name, found.lang) == (f"{kind}-{lang}", lang)
            assert (found.scale, found.reason, found.reference) == (scale, reason, reference)
            said = " ".join([found.task, *(g.name + g.text for g in found.grades)])
            assert bool(re.search(r"[一-鿿]", said)) == (lang == "zh")
    assert read_rubric("grades") == read_rubric("grades-en")


def test_versions_differ_and_follow_what_is_said(tmp_path):
    assert len({read_rubric(name).version for name in bundled()}) == len(bundled())
    text = rubric_text("binary-en")
    (tmp_path / "a.toml").write_text(text)
    assert read_rubric(str(tmp_path / "a.toml")) == read_rubric("binary-en")
    (tmp_path / "a.toml").write_text("# a remark\n" + text)
    assert read_rubric(str(tmp_path / "a.toml")).version == read_rubric("binary-en").version
    (tmp_path / "a.toml").write_text(text.replace("answers the query", "answers it"))
    changed = read_rubric(str(tmp_path / "a.toml"))
    assert changed.version != read_rubric("binary-en").version
    assert dataclasses.replace(changed, reason=True).version != changed.version


GRADES = '[[grades]]\ngrade=0\nname="n"\ntext="t"\n[[grades]]\ngrade={}\nname="n"\ntext="t"\n'
HEAD = 'name="x"\ntask="t"\n'


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("name =", FormatError, "no TOML"),
        ('task="t"\n' + GRADES.format(1), InputError, "name is None"),
        ('name="a b"\ntask="t"\n' + GRADES.format(1), InputError, "a blank"),
        (HEAD, InputError, "grades go with"),
        (HEAD + 'kind="preference"\n' + GRADES.format(1), InputError, "grades go with"),
        (HEAD + 'kind="preference"\nreference=true\n', InputError, "without a reference"),
        (HEAD + 'kind="stars"\n', InputError, "kind 'stars'"),
        (HEAD + 'lang="fr"\n' + GRADES.format(1), InputError, "lang 'fr'"),
        (HEAD + "reason=1\n" + GRADES.format(1), InputError, "true or false"),
        (HEAD + "relevant=0\n" + GRADES.format(1), InputError, "relevant = 0"),
        (HEAD + "wrong=0\n" + GRADES.format(1), InputError, "no key 'wrong'"),
        (HEAD + GRADES.format(0), InputError, "each once"),
        (HEAD + GRADES.format(10), InputError, "grade 10"),
        (HEAD + GRADES.format("true"), InputError, "grade True"),
        (HEAD + GRADES.format(1) + "extra=1\n", InputError, "no key 'extra'"),
        (HEAD + "grades=3\n", InputError, "are tables"),
    ],
)
def test_what_is_no_rubric_is_refused(tmp_path, text, error, said):
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(error, match=re.escape(said)):
        read_rubric(str(tmp_path / "r.toml"))


def test_names_that_are_none(tmp_path):
    with pytest.raises(UnknownName, match="no rubric 'stars'"):
        read_rubric("stars")
    with pytest.raises(NoSuchInput):
        read_rubric(str(tmp_path / "none.toml"))
    with pytest.raises(CranfieldError):
        rubric_text("nothing")


def test_an_expected_grade():
    assert mean_of({0: 0.5, 3: 0.5}) == 1.5
