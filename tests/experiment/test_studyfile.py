"""study.toml read key by key."""

from __future__ import annotations

import pytest

from cranfield.errors import FormatError, NoSuchInput
from cranfield.experiment.studyfile import read_study_file

GOOD = """
measures = ["AP", "nDCG@10"]
conditions = ["binary"]
methods = ["swap,error"]
recommend = true

[settings]
resamples = 100
levels = [0.01, 0.05]
ties = "docid-asc"

[draws]
trials = 10
unit = "mean"

[[collection]]
name = "集合一"
qrels = "one/qrels.txt"
runs = ["one/*.run", "one/a.run"]

[[collection]]
name = "two"
scores = "ap.csv"
rows = "queries"
missing = "zero"
measures = "AP"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "one").mkdir()
    for name in ("one/b.run", "one/a.run", "one/qrels.txt", "ap.csv"):
        (tmp_path / name).write_text("x")
    return tmp_path


def read(folder, text):
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return read_study_file(str(folder / "study.toml"))


def test_everything_is_read_and_paths_begin_at_the_file(folder):
    found = read(folder, GOOD)
    one, two = found.collections
    assert one.name == "集合一" and one.qrels == str(folder / "one/qrels.txt")
    # each file once, those of a pattern in the order of their names
    assert one.runs == (str(folder / "one/a.run"), str(folder / "one/b.run"))
    assert two.scores == (str(folder / "ap.csv"),) and two.measures == ("AP",)
    assert (two.rows, two.missing) == ("queries", "zero")
    assert found.methods == ("error", "swap") and found.recommend
    assert found.settings["levels"] == [0.01, 0.05] and found.draws == {
        "trials": 10,
        "unit": "mean",
    }
    assert found.conditions == ("binary",) and found.measures == ("AP", "nDCG@10")


BAD = {
    'measure = ["AP"]': "measure: no such key",
    'measures = ["APP"]': "measures: ",
    'conditions = ["ternary"]': "conditions: no condition 'ternary'",
    'methods = ["swop"]': "methods: no method 'swop'",
    'recommend = "yes"': "recommend: 'yes' is not true or false",
    "[settings]\nresample = 1": "settings.resample: no such key",
    '[settings]\nties = "random"': "settings.ties: 'random' is no choice",
    '[settings]\nresamples = "many"': "settings: resamples is 'many'",
    "[settings]\nlevels = [0.2, 0.1]": "settings: levels are 0.2, 0.1",
    "[settings]\nlevel = 0.03": "settings.level: 0.03 is none of the levels",
    "[draws]\ntrial = 1": "draws.trial: no such key",
    '[draws]\ntrials = "many"': "draws.trials: 'many' is not a number",
    '[draws]\nunit = "inch"': "draws.unit: 'inch' is none",
    '[draws]\nstandardise = "T"': "draws.standardise: 'T' is none",
    "collection = 3": "collection: not a list of tables",
    "": "collection: none is named",
    '[[collection]]\nqrels = "q"': "collection[1].name: is lacking",
    '[[collection]]\nname = "x"': "collection[1]: needs qrels and runs, or scores",
    '[[collection]]\nname = "x"\nqrels = "one/qrels.txt"': "collection[1]: needs qrels and runs",
    '[[collection]]\nname = "x"\nscores = "ap.csv"\nruns = "one/*"': "collection[1]: needs qrels",
    '[[collection]]\nname = "x"\nscores = 3': "collection[1].scores: 3 is no list of texts",
    '[[collection]]\nname = "x"\nscores = "ap.csv"\nrows = "both"': "collection[1].rows: 'both'",
    '[[collection]]\nname = "x"\nscores = "ap.csv"\n' * 2: "collection[2].name: 'x' is taken",
}


@pytest.mark.parametrize("text", BAD)
def test_each_mistake_is_named_with_its_key(folder, text):
    with pytest.raises(FormatError) as caught:
        read(folder, text)
    assert caught.value.problem.startswith(BAD[text])
    assert caught.value.file.endswith("study.toml")


def test_no_toml_is_said_with_its_line(folder):
    with pytest.raises(FormatError, match="line 2: not TOML"):
        read(folder, "measures = []\n[[collection\n")


def test_a_pattern_that_matches_nothing_is_said(folder):
    with pytest.raises(NoSuchInput, match=r"collection\[1\]\.scores: no file matches"):
        read(folder, '[[collection]]\nname = "x"\nscores = "*.parquet"')
