"""Readers: the format is told by what a file holds, and every way in leads to the same columns."""

from __future__ import annotations

import pytest

from cranfield import Qrels, Run, TestCollection, evaluate, read_collection, read_qrels, read_run
from cranfield.errors import InputError, NoSuchInput, UnknownName, UsageError
from cranfield.formats.detect import FORMATS, format_of
from cranfield.formats.inputs import Input
from cranfield.formats.readers import open_run, read_sets
from cranfield.formats.sources import RunColumns, RunFile

EXPECTED = {"q1": {"a": 2, "b": 0.5}, "q2": {"a": -1}}
QRELS_FILES = {
    "trec": "q1 0 a 2\nq1 0 b 0.5\nq2 0 a -1\n",
    "beir": "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0.5\nq2\ta\t-1\n",
    "csv": "qid,docid,label\nq1,a,2\nq1,b,0.5\nq2,a,-1\n",
    "json": '{"q1": {"a": 2, "b": 0.5}, "q2": {"a": -1}}',
    "jsonl": "\n".join(
        f'{{"query_id": "{q}", "doc_id": "{d}", "relevance": {g}}}'
        for q, docs in EXPECTED.items()
        for d, g in docs.items()
    ),
}


@pytest.mark.parametrize("form", QRELS_FILES)
@pytest.mark.parametrize("name", ["qrels", "qrels.csv", "qrels.json", "qrels.txt"])
def test_the_format_is_told_by_what_the_file_holds(write, form, name):
    path = write(name, QRELS_FILES[form])
    assert format_of(Input(path), "qrels") == form
    assert read_qrels(path).to_dict() == EXPECTED


@pytest.mark.parametrize("form", QRELS_FILES)
def test_the_format_can_be_said(write, form):
    assert read_qrels(write("qrels", QRELS_FILES[form]), format=form).to_dict() == EXPECTED


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize("form", QRELS_FILES)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_mark_make_no_difference(write, form, end, mark):
    path = write("qrels", mark + QRELS_FILES[form].replace("\n", end))
    assert read_qrels(path).to_dict() == EXPECTED


def test_a_format_that_does_not_exist_lists_those_that_do(write):
    with pytest.raises(UnknownName, match="no format 'xml'") as e:
        read_qrels(write("qrels", QRELS_FILES["trec"]), format="xml")
    assert all(f in e.value.hint for f in FORMATS)


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_in_another_format_than_was_said_is_an_error_of_the_data(write, form):
    alike = {("json", "jsonl"), ("jsonl", "json"), ("csv", "beir")}  # may well be read
    for other, text in QRELS_FILES.items():
        if other != form and (form, other) not in alike:
            with pytest.raises(InputError):
                read_qrels(write("qrels", text), format=form)


def test_nouns_come_through_as_they_are():
    qrels, run = Qrels.from_dict(EXPECTED), Run.from_dict({"q1": {"a": 1.0}})
    assert read_qrels(qrels) is qrels
    assert read_run(run) is run
    collection = TestCollection("toy", (), qrels)
    assert read_qrels(collection) is qrels
    assert read_collection(collection) is collection


def test_a_trec_run_is_read_by_chunks_and_others_are_held(write):
    run = write("run.txt", "q1 Q0 a 1 1 t\n")
    assert isinstance(open_run(run), RunFile)
    assert isinstance(open_run(write("run.json", '{"q1": {"a": 1}}')), RunColumns)
    assert isinstance(open_run({"q1": {"a": 1.0}}), RunColumns)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("bm25.run", "bm25"),
        ("bm25.txt.gz", "bm25"),
        ("BM25.RUN.GZ", "BM25"),
        ("v1.2.res", "v1.2"),
        ("input.sys", "input.sys"),
        ("bm25", "bm25"),
        (".run", ".run"),
    ],
)
def test_a_run_is_called_what_its_file_is_called(write, file, name):
    path = write(file, "q1 Q0 a 1 1 t\n")
    assert read_run(path).name == name
    assert open_run(path).name == name
    assert read_run(path, name="mine").name == "mine"


def test_a_query_with_an_empty_result_is_kept_by_json(write):
    run = read_run(write("run.json", '{"q1": {"a": 1}, "q2": {}, "q3": {}}'))
    assert run.queries.to_list() == ["q1", "q2", "q3"]
    assert run.to_dict() == {"q1": {"a": 1.0}, "q2": {}, "q3": {}}
    assert Run.from_dict(run.to_dict()).to_dict() == run.to_dict()


@pytest.mark.parametrize("policy", ["first", "last", "max"])
def test_every_format_settles_repeats_alike(write, policy):
    kept = {"first": 1, "last": 2, "max": 3}[policy]
    grades = [1, 3, 2]
    lines = {
        "trec": "".join(f"q 0 a {g}\n" for g in grades),
        "csv": "query,doc,grade\n" + "".join(f"q,a,{g}\n" for g in grades),
        "jsonl": "".join(f'{{"query": "q", "doc": "a", "grade": {g}}}\n' for g in grades),
        "beir": "query-id\tcorpus-id\tscore\n" + "".join(f"q\ta\t{g}\n" for g in grades),
    }
    for text in lines.values():
        qrels = read_qrels(write("qrels", text), on_duplicate=policy)
        assert qrels.to_dict() == {"q": {"a": kept}}
        assert qrels.notes[-1] == f"2 × repeated judgment ({policy} kept)"
        with pytest.raises(InputError, match="judged twice"):
            read_qrels(write("qrels", text))


def test_a_folder_is_a_collection(write, tmp_path):
    (tmp_path / "toy" / "qrels").mkdir(parents=True)
    write("toy/queries.jsonl", '{"_id": "q1", "text": "one", "metadata": {"type": "short"}}\n')
    write("toy/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    write("toy/qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t0\n")
    write("toy/corpus.jsonl", '{"_id": "d1", "title": "", "text": "words"}\n')
    found = read_collection(tmp_path / "toy")
    assert found.qrels.to_dict() == {"q1": {"d1": 1}}
    assert read_qrels(tmp_path / "toy").to_dict() == {"q1": {"d1": 1}}
    assert read_qrels(tmp_path / "toy", split="dev").to_dict() == {"q1": {"d1": 0}}
    assert [q.text for q in found.queries] == ["one"]
    assert [d.text for d in found.documents()] == ["words"]


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(NoSuchInput):
        read_qrels(tmp_path / "none")
    with pytest.raises(NoSuchInput):
        read_run(tmp_path / "none")
    with pytest.raises(NoSuchInput):
        read_run(tmp_path)
    with pytest.raises(NoSuchInput, match="no such folder"):
        read_collection(tmp_path / "none")


def scored(qrels, split):
    return evaluate(qrels, {"q": {"d": 1.0}}, split=split)


@pytest.mark.parametrize("call", [read_qrels, scored])
def test_a_split_of_what_has_none_is_refused(tmp_path, call):
    plain = tmp_path / "qrels.txt"
    plain.write_text("q 0 d 1\n")
    with pytest.raises(UsageError, match=r"split 'dev': .*qrels.txt has no splits") as e:
        call(str(plain), split="dev")
    assert "name the folder" in e.value.hint
    with pytest.raises(UsageError, match="has no splits") as e:
        call("irds:beir/scifact", split="dev")
    assert "irds:beir/scifact/dev" in e.value.hint


def test_of_several_sets_the_folders_have_the_split(tmp_path):
    plain, folder = tmp_path / "plain.txt", tmp_path / "toy" / "qrels"
    plain.write_text("q1 0 a 1\n")
    folder.mkdir(parents=True)
    (folder.parent / "queries.jsonl").write_text('{"_id": "q1", "text": "?"}\n')
    for split in ("dev", "test"):
        (folder / f"{split}.tsv").write_text(f"query-id\tcorpus-id\tscore\nq1\t{split}\t1\n")
    both = read_sets((str(plain), str(folder.parent)), "dev")
    assert [s.to_dict() for s in both] == [{"q1": {"a": 1}}, {"q1": {"dev": 1}}]
    with pytest.raises(UsageError, match="has no splits"):
        read_sets((str(plain), str(plain)), "dev")
