"""cranfield.toml: written, found, read, and refused with the place named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import CranfieldError, FormatError, MeasureError, NoSuchInput, UsageError
from cranfield.experiment.config import find_lab, make_lab, read_config


def test_a_new_lab_reads_back_what_it_was_given(tmp_path, monkeypatch):
    (tmp_path / "data" / "我的 集合").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    path = make_lab(Path("lab"), "data/我的 集合", ['nDCG(gain="exp")@10', "AP"])
    found = read_config(path)
    assert found.collection is not None
    assert os.path.samefile(found.collection, tmp_path / "data" / "我的 集合")
    assert 'collection = "../data/我的 集合"' in path.read_text()
    assert found.measures == ('nDCG(gain="exp")@10', "AP")
    assert found.split == str(Path("lab") / "split.json")


def test_a_new_lab_without_anything_has_the_default_measures(tmp_path):
    found = read_config(make_lab(tmp_path))
    assert found.collection is None
    assert found.measures == ("nDCG@10", "AP", "RR@10", "P@10", "R@100")
    assert found.settings == {} and found.gate == {}


def test_all_that_is_commented_out_may_be_turned_on(tmp_path):
    path = make_lab(tmp_path)
    lines = path.read_text().splitlines()
    on = [x[2:] if x.startswith("# ") and " = " in x and "`" not in x else x for x in lines]
    path.write_text("\n".join(on))
    found = read_config(path)
    assert found.settings["scale"] == 3 and found.settings["ties"] == "docid-desc"
    assert found.qrels_split == "dev"


def test_nothing_is_overwritten(tmp_path):
    path = make_lab(tmp_path)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="there already"):
        make_lab(tmp_path)
    assert path.read_bytes() == before


def test_what_cannot_be_is_not_written(tmp_path):
    with pytest.raises(NoSuchInput):
        make_lab(tmp_path, str(tmp_path / "nowhere"))
    with pytest.raises(MeasureError):
        make_lab(tmp_path, None, ["nDGC"])
    assert list(tmp_path.iterdir()) == []


def test_a_lab_is_found_from_below(tmp_path):
    make_lab(tmp_path)
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find_lab(deep) == tmp_path / "cranfield.toml"
    assert find_lab(tmp_path) == tmp_path / "cranfield.toml"
    make_lab(deep.parent)
    assert find_lab(deep) == deep.parent / "cranfield.toml"
    assert cranfield.lab(deep).config.folder == deep.parent


def test_outside_a_lab_the_hint_says_how_to_make_one(tmp_path):
    with pytest.raises(NoSuchInput, match="in no lab") as e:
        cranfield.lab(tmp_path)
    assert e.value.hint is not None and "cranfield init" in e.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("measures = [\n'AP',,\n]", r"cranfield.toml, line 2: not TOML"),
        ("measure = ['AP']", r"measure: no such key\n  hint: did you mean measures"),
        ("measures = 'AP'", r"measures: 'AP' is not a list"),
        ("measures = [3]", r"measures: 3 is not a text"),
        ("measures = ['nDGC@10']", r"measures: no measure is called 'nDGC'"),
        ("collection = 3", r"collection: 3 is not a text"),
        ("settings = 1", r"settings: 1 is not a table"),
        ("[settings]\nties = 'random'", r"settings.ties: 'random' is no choice"),
        ("[settings]\ntie = 'file'", r"settings.tie: no such key\n  hint: did you mean ties"),
        ("[settings]\nscale = 0", r"settings.scale: 0 is not a number above 0"),
        ("[settings]\nscale = true", r"settings.scale: True is not"),
        ("[split]\nfile = 1", r"split.file: 1 is not a text"),
        ("[split]\nseed = 1", r"split.seed: no such key"),
    ],
)
def test_an_error_names_the_file_and_the_key(tmp_path, text, said):
    path = tmp_path / "cranfield.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=said) as e:
        read_config(path)
    assert str(path) in str(e.value)


def test_a_file_that_is_no_text_is_an_error(tmp_path):
    path = tmp_path / "cranfield.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CranfieldError, match="not UTF-8"):
        read_config(path)
