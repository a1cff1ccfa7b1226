"""What is written reads back the same, in every format; what cannot be held is refused or said."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.formats.readers import read_qrels, read_run
from cranfield.formats.write import ENDINGS, format_for, write_qrels, write_run

SHARED = Path(os.environ.get("CRANFIELD_SHARED", Path(__file__).parents[3] / "shared"))
EVERY_ID = ("json", "jsonl", "parquet", "arrow")
PACKED = (".gz", ".bz2", ".xz", ".zst")


def _ids(forbidden: str) -> st.SearchStrategy[str]:
    odd = st.sampled_from(["#1", "d\u00a0é", 'a"b', "a,b", "q;1", "007", "{x", "d\u2028", "nan"])
    text = st.text(st.characters(exclude_characters=forbidden, exclude_categories=["Cs"]))
    return (odd | text).filter(lambda i: bool(i) and not i.startswith(("\ufeff", "BZh")))


ALLOWED = {
    "trec": _ids("\0\t\n\v\f\r "),
    "beir": _ids("\0\t\n\r"),
    "csv": _ids("\0"),
    **dict.fromkeys(EVERY_ID, _ids("")),
}
GRADES = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-2, 4).map(float)
SCORES = st.floats(allow_nan=False)


def _same_run(a: Run, b: Run) -> None:
    assert a.queries.take(a.query).to_list() == b.queries.take(b.query).to_list()
    assert a.docs.to_list() == b.docs.to_list()
    assert a.score.tobytes() == b.score.tobytes()  # bit for bit, also -0.0


@pytest.mark.parametrize("form", ["trec", "beir", "csv", *EVERY_ID])
@given(data=st.data())
@settings(deadline=None)
def test_judgments_read_back(
    form: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    ids = ALLOWED[form]
    inner = st.dictionaries(ids, GRADES, min_size=1, max_size=4)
    table = data.draw(st.dictionaries(ids, inner, min_size=1, max_size=4))
    qrels = Qrels.from_dict(table)
    path = tmp_path_factory.mktemp("write") / ("j" + ENDINGS[form][0])
    notes = write_qrels(qrels, path)
    declared = form if notes and "format='trec'" in notes[0] else None
    again = read_qrels(path, format=declared)
    assert again.queries.take(again.query).to_list() == qrels.queries.take(qrels.query).to_list()
    assert again.docs.to_list() == qrels.docs.to_list()
    # equal, not bit for bit: a grade of -0.0 may come back as 0
    assert again.grade.tolist() == qrels.grade.tolist()


@pytest.mark.parametrize("form", ["trec", "csv", *EVERY_ID])
@given(data=st.data())
@settings(deadline=None)
def test_runs_read_back(
    form: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    ids = ALLOWED[form]
    table = data.draw(
        st.dictionaries(
            ids, st.dictionaries(ids, SCORES, min_size=1, max_size=4), min_size=1, max_size=4
        )
    )
    run = Run.from_dict(table)
    path = tmp_path_factory.mktemp("write") / ("r" + ENDINGS[form][0])
    notes = write_run(run, path)
    declared = form if notes and "format='trec'" in notes[0] else None
    _same_run(read_run(path, format=declared), run)


def test_rows_stay_in_their_order(tmp_path: Path) -> None:
    rows = [("q2", "a", 1.0), ("q1", "b", 5.0), ("q2", "c", 1.0), ("q2", "d", 7.0)]
    write_run(Run.from_rows(rows, name="my run"), tmp_path / "r.run")
    assert (tmp_path / "r.run").read_text() == (
        "q2 Q0 a 2 1.0 my_run\nq1 Q0 b 1 5.0 my_run\nq2 Q0 c 3 1.0 my_run\nq2 Q0 d 1 7.0 my_run\n"
    )


def test_the_forms_as_others_know_them(tmp_path: Path) -> None:
    qrels = Qrels.from_rows([("q", "d,1", 2), ("q", 'e"', 0.2)])
    texts = {}
    for ending in (".txt", ".tsv", ".csv", ".json", ".jsonl"):
        assert write_qrels(qrels, tmp_path / ("j" + ending)) == ()
        texts[ending] = (tmp_path / ("j" + ending)).read_text()
    assert texts[".txt"] == 'q 0 d,1 2\nq 0 e" 0.2\n'
    assert texts[".tsv"] == 'query-id\tcorpus-id\tscore\nq\td,1\t2\nq\te"\t0.2\n'
    assert texts[".csv"] == 'query,doc,grade\nq,"d,1",2\nq,"e""",0.2\n'
    assert json.loads(texts[".json"]) == {"q": {"d,1": 2, 'e"': 0.2}}
    lines = [json.loads(line) for line in texts[".jsonl"].splitlines()]
    assert lines[0] == {"query": "q", "doc": "d,1", "grade": 2}


def test_infinite_scores_in_json(tmp_path: Path) -> None:
    write_run(Run.from_rows([("q", "d", np.inf), ("q", "e", -np.inf)]), tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == {"q": {"d": "inf", "e": "-inf"}}


def _labelled() -> Qrels:
    return Qrels.from_rows(
        [("q", "d", 1), ("q", "d", 2)],
        iteration=Ids.of(["1", "2"]),
        source=Ids.of(["human", "llm"]),
        note=Ids.of(["a, b", ""]),
    )


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet", ".arrow"])
def test_labels_are_kept(tmp_path: Path, ending: str) -> None:
    qrels = _labelled()
    assert write_qrels(qrels, tmp_path / ("j" + ending)) == ()
    again = read_qrels(tmp_path / ("j" + ending))
    for name in ("iteration", "source", "note"):
        assert getattr(again, name).to_list() == getattr(qrels, name).to_list()
    assert again.assessor is None


@pytest.mark.parametrize(("ending", "form"), [(".txt", "trec"), (".tsv", "beir")])
def test_labels_that_are_left_out_are_said(tmp_path: Path, ending: str, form: str) -> None:
    notes = write_qrels(_labelled(), tmp_path / ("j" + ending))
    assert notes == (f"source, note left out: {form} cannot hold it, jsonl can",)
    again = read_qrels(tmp_path / ("j" + ending))
    assert again.iteration is not None
    assert again.iteration.to_list() == ["1", "2"]


def test_a_second_column_that_says_nothing_is_no_label(tmp_path: Path) -> None:
    qrels = Qrels.from_rows([("q", "d", 1)], iteration=Ids.of(["0"]))
    assert write_qrels(qrels, tmp_path / "j.json") == ()
    assert write_qrels(qrels, tmp_path / "j.tsv") == ()
    assert (tmp_path / "j.tsv").read_text().startswith("query-id\tcorpus-id\tscore\n")


def test_empty_queries_live_in_json_only(tmp_path: Path) -> None:
    run = Run.from_dict({"q1": {}, "q2": {"d": 1.0}, "q3": {}})
    assert write_run(run, tmp_path / "r.json") == ()
    assert read_run(tmp_path / "r.json").to_dict() == run.to_dict()
    for ending in (".run", ".csv", ".jsonl", ".parquet", ".arrow"):
        (note,) = write_run(run, tmp_path / ("r" + ending))
        assert note.startswith("2 queries without results left out")


@pytest.mark.parametrize(
    ("ending", "row", "said"),
    [
        (".txt", ("q", "a b", 1), "the document id 'a b' cannot be written as trec"),
        (".txt", ("q\t1", "d", 1), r"the query id 'q\t1' cannot be written as trec"),
        (".txt", ("BZh9", "d", 1), "cannot begin with the query id 'BZh9'"),
        (".tsv", ("q", "a\tb", 1), r"the document id 'a\tb' cannot be written as beir"),
        (".csv", ("q", "a\0b", 1), r"the document id 'a\x00b' cannot be written as csv"),
        (".json", ("q", "", 1), "the document id '' cannot be written as json"),
        (".csv", ("q", "d", np.nan), "query 'q', document 'd': the grade nan cannot be written"),
        (".csv", ("q", "d", np.inf), "query 'q', document 'd': the grade inf cannot be written"),
    ],
)
def test_what_would_not_read_back_is_refused(
    tmp_path: Path, ending: str, row: tuple[str, str, float], said: str
) -> None:
    path = tmp_path / ("j" + ending)
    path.write_text("before")
    with pytest.raises(InputError) as e:
        write_qrels(Qrels.from_rows([row]), path)
    assert said in str(e.value)
    assert e.value.hint
    assert path.read_text() == "before"


def test_refused_ids_say_what_can_hold_them(tmp_path: Path) -> None:
    with pytest.raises(InputError) as e:
        write_run(Run.from_rows([("q", "a b", 1)]), tmp_path / "r.run")
    assert e.value.hint == "trec cannot hold blanks; jsonl, csv, parquet can"
    with pytest.raises(InputError, match="score nan cannot be written"):
        write_run(Run.from_rows([("q", "d", np.nan)]), tmp_path / "r.run")


def test_a_repeat_is_refused_in_json(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="query 'q', document 'd' comes twice"):
        write_qrels(_labelled(), tmp_path / "j.json")


def test_a_file_that_begins_like_json_says_how_to_read_it(tmp_path: Path) -> None:
    (note,) = write_run(Run.from_rows([("{q}", "d", 1)]), tmp_path / "r.run")
    assert "format='trec'" in note
    assert read_run(tmp_path / "r.run", format="trec").to_dict() == {"{q}": {"d": 1.0}}


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("ending", [".run", ".csv", ".parquet"])
def test_packed_files_read_back_and_are_the_same_each_time(
    tmp_path: Path, ending: str, packed: str
) -> None:
    run = Run.from_rows([("q", f"d{i}", float(i)) for i in range(50)])
    one, two = tmp_path / ("one" + ending + packed), tmp_path / ("two" + ending + packed)
    write_run(run, one)
    write_run(run, two)
    assert one.read_bytes() == two.read_bytes()
    assert read_run(one).to_dict() == run.to_dict()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("r", "trec"),
        ("runs/bm25.run.gz", "trec"),
        ("R.CSV", "csv"),
        ("r.ndjson", "jsonl"),
        ("r.feather", "arrow"),
        ("r.json.xz", "json"),
    ],
)
def test_the_ending_names_the_format(name: str, form: str) -> None:
    assert format_for(name, "run") == form
    assert format_for(name, "run", "parquet") == "parquet"


def test_formats_and_endings_nobody_knows() -> None:
    with pytest.raises(UsageError, match=r"the ending '\.xlsx' names no format") as e:
        format_for("r.xlsx", "run")
    assert ".parquet" in (e.value.hint or "")
    with pytest.raises(UnknownName, match="no format 'excel'"):
        format_for("r.run", "run", "excel")
    with pytest.raises(UsageError, match="holds judgments, not runs"):
        format_for("r.tsv", "run")


def test_an_official_run_in_every_format(tmp_path: Path) -> None:
    runs = SHARED / "runs" / "trec-covid-r1"
    if not runs.exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    run = read_run(sorted((runs / "runs").iterdir())[0])
    qrels = read_qrels(runs / "qrels.covid-round1.txt")
    for form, endings in ENDINGS.items():
        if form != "beir":
            write_run(run, tmp_path / ("r" + endings[0]))
            _same_run(read_run(tmp_path / ("r" + endings[0])), run)
        write_qrels(qrels, tmp_path / ("j" + endings[0]))
        assert read_qrels(tmp_path / ("j" + endings[0])).to_dict() == qrels.to_dict()
