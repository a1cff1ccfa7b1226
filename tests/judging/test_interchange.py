"""Labels of other tools, read and written."""

from __future__ import annotations

import json

import pytest

from cranfield.data.collection import Query
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError, InputError, UnknownName, UsageError
from cranfield.formats.card import card_path, read_card
from cranfield.judging.interchange.origin import Origin
from cranfield.judging.interchange.read import READ, read_judgments
from cranfield.judging.interchange.rows import to_lines
from cranfield.judging.interchange.write import SERVICES, WRITTEN, write_labels
from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import open_labels

QUERIES = (Query("q1", "blue  shoes"), Query("q2", "红色 鞋子"))
GRADES = {"q1": {"d1": 2, "d2": 0}, "q2": {"文档3": 1}}


def as_dict(found):
    out: dict[str, dict[str, float | None]] = {}
    for j in found.judgments:
        out.setdefault(j.query, {})[j.doc] = j.grade
    return out


@pytest.mark.parametrize("form", WRITTEN)
def test_what_is_written_reads_back(form, tmp_path):
    if form in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    path = tmp_path / "labels.out"
    qrels = Qrels.from_dict(GRADES)
    write_labels(
        qrels, path, form, provenance={"policy": {"name": "human"}}, queries=QUERIES, index="shop"
    )
    found = read_judgments(path, queries=QUERIES)
    assert found.form == form
    assert as_dict(found) == GRADES
    card = card_path(path)
    assert card is not None
    assert read_card(card).config == {"judgments": {"policy": {"name": "human"}}}


def test_a_case_of_quepid(write):
    path = write("case.csv", "query,docid,rating\nblue shoes,d1,2\nred hats\n红色 鞋子,文档3,1\n")
    found = read_judgments(path, queries=QUERIES)
    assert (found.form, as_dict(found)) == ("quepid", {"q1": {"d1": 2}, "q2": {"文档3": 1}})
    assert found.notes == ("1 query without a rating passed over",)
    assert as_dict(read_judgments(path)) == {"blue shoes": {"d1": 2}, "红色 鞋子": {"文档3": 1}}


def test_a_book_of_quepid_has_a_column_a_judge(write):
    path = write("book.csv", 'query,docid,Anna,"Bo, jr."\nq1,d1,2,\nq1,d2,0.0,1.0\n')
    found = read_judgments(path, origin=Origin(source="human"))
    assert [(j.doc, j.assessor, j.grade, j.source) for j in found.judgments] == [
        ("d1", "Anna", 2, "human"),
        ("d2", "Anna", 0, "human"),
        ("d2", "Bo, jr.", 1, "human"),
    ]


def test_what_cannot_be_rated_is_unsure(write):
    path = write(
        "list.tsv",
        "query-id\tdoc-id\tjudge\trating\tunrateable\tposition\n"
        "q1\td1\tx\t3.0\tFalse\t1\nq1\td2\tx\tNone\tTrue\t2\n",
    )
    found = read_judgments(path)
    assert [(j.doc, j.grade, j.state) for j in found.judgments] == [
        ("d1", 3, "graded"), ("d2", None, "unsure"),
    ]  # fmt: skip
    bad = write("bad.tsv", path.read_text().replace("None\tTrue", "None\tFalse"))
    with pytest.raises(FormatError, match=r"line 3: the rating is missing"):
        read_judgments(bad)


def test_rank_eval(write):
    body = {
        "requests": [
            {
                "id": "q1",
                "request": {"query": {"match_all": {}}},
                "ratings": [{"_index": "i", "_id": "d1", "rating": 3}],
            }
        ],
        "metric": {"dcg": {}},
    }
    assert as_dict(read_judgments(write("r.json", json.dumps(body)))) == {"q1": {"d1": 3}}
    body["requests"][0]["ratings"].append({"_index": "other", "_id": "d1", "rating": 1})
    with pytest.raises(FormatError, match="two indices"):
        read_judgments(write("r2.json", json.dumps(body)))
    del body["requests"][0]["ratings"][0]["_id"]
    with pytest.raises(FormatError, match="'_id' is None"):
        read_judgments(write("r3.json", json.dumps(body)))


@pytest.mark.parametrize("form", SERVICES)
def test_what_is_not_judged_is_no_grade_elsewhere(form, tmp_path):
    pooled = Qrels.from_dict({"q1": {"d1": 2, "d2": -1}, "q2": {"文档3": -1}})
    notes = write_labels(pooled, tmp_path / "x", form, provenance={}, index="i", queries=QUERIES)
    assert any("2 pairs pooled but not judged" in note for note in notes)
    assert as_dict(read_judgments(tmp_path / "x", queries=QUERIES)) == {"q1": {"d1": 2}}
    nothing = Qrels.from_dict({"q1": {"d": -1}})
    with pytest.raises(InputError, match="no pair has a grade"):
        write_labels(nothing, tmp_path / "y", form, provenance={}, index="i")
    assert not (tmp_path / "y").exists()


def test_rank_eval_takes_whole_ratings_and_an_index(tmp_path):
    with pytest.raises(InputError, match=r"whole ratings from 0 on, not 0\.5"):
        write_labels(
            Qrels.from_dict({"q": {"d": 0.5}}),
            tmp_path / "x",
            "rank-eval",
            provenance={},
            index="i",
        )
    with pytest.raises(UsageError, match="index"):
        write_labels(Qrels.from_dict(GRADES), tmp_path / "x", "rank-eval", provenance={})
    assert not (tmp_path / "x").exists()


def test_a_judgment_list_of_opensearch_as_the_server_answers(write):
    ratings = [{"query": "blue shoes", "ratings": [{"docId": "d1", "rating": "2.000"}]}]
    answer = {"hits": {"hits": [{"_id": "x", "_source": {"judgmentRatings": ratings}}]}}
    found = read_judgments(write("o.json", json.dumps(answer)), queries=QUERIES)
    assert (found.form, as_dict(found)) == ("opensearch", {"q1": {"d1": 2}})
    ratings[0]["ratings"][0]["rating"] = "good"  # type: ignore[index]
    with pytest.raises(FormatError, match="'good' is not a number"):
        read_judgments(write("o2.json", json.dumps(answer)))


def test_learning_to_rank_lists(write):
    path = write(
        "list.txt",
        "# grades 0 to 4\n# qid:1: blue shoes\n4 qid:1 1:0.5 2:9 # d1 blue shoes\n"
        "0\tqid:1\t#\td2\n1 qid:7 #docid = D-9 inc = 1\n",
    )
    found = read_judgments(path)
    assert as_dict(found) == {"blue shoes": {"d1": 4, "d2": 0}, "7": {"D-9": 1}}
    assert found.notes == (
        "features of 1 row passed over",
        "1 comment line skipped",
    )
    with pytest.raises(FormatError, match="line 1: no document"):
        read_judgments(write("bad.txt", "1 qid:1 1:2\n"))


def test_texts_that_lead_to_no_single_query(write):
    path = write("c.csv", "query,docid,rating\ngreen shoes,d,1\n")
    with pytest.raises(FormatError, match="'green shoes' is the text of no query"):
        read_judgments(path, queries=QUERIES)
    twice = (Query("a", "green shoes"), Query("b", "green shoes"))
    with pytest.raises(FormatError, match="is the text of a and b"):
        read_judgments(path, queries=twice)


def test_columns_of_source_assessor_and_reason_are_taken_over(write):
    path = write(
        "l.csv",
        "query,doc,grade,source,assessor,reason\nq,d,1,llm,m1,short\nq,d,2,human,ann,\n",
    )
    one, two = read_judgments(path, origin=Origin(source="human", rubric="v1")).judgments
    assert (one.source, one.assessor, one.reason, one.rubric) == ("llm", "m1", "short", "v1")
    assert (two.source, two.assessor, two.grade) == ("human", "ann", 2)
    with pytest.raises(FormatError, match="no source 'crowd'"):
        read_judgments(write("m.csv", "query,doc,grade,source\nq,d,1,crowd\n"))


@pytest.mark.parametrize(("keep", "grade"), [("first", 2), ("last", 0), ("max", 2)])
def test_a_judge_who_grades_twice(write, keep, grade):
    path = write("q.txt", "q 0 d 2\nq 0 d 0\n")
    with pytest.raises(FormatError, match=r"line 2: .*judged twice .*\(first on line 1\)"):
        read_judgments(path)
    found = read_judgments(path, on_duplicate=keep)
    assert as_dict(found) == {"q": {"d": grade}}
    assert found.notes[-1] == f"1 repeated judgment ({keep} kept)"


def test_the_whole_store_moves_to_another(tmp_path):
    old, new = open_labels(tmp_path / "old"), open_labels(tmp_path / "new")
    new.record([Judgment("other", "d", 1)])
    first, _ = old.record([Judgment("q", "d", 1, reason="x"), Judgment("q", "e", 3)])
    old.undo(first.id)
    old.record([Judgment("q", "d", state="unsure", details={"p": 0.5}, seconds=2.5)])
    (tmp_path / "rows.jsonl").write_text(to_lines(old.history()))
    found = read_judgments(tmp_path / "rows.jsonl")
    assert found.form == "rows"
    new.record(found.judgments)
    moved = [j for j in new.current() if j.query == "q"]
    assert [(j.pair, j.grade, j.state, j.at) for j in moved] == [
        (j.pair, j.grade, j.state, j.at) for j in old.current()
    ]
    assert [j.undoes for j in new.history() if j.undoes] == [2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"query": "q", "doc": "d", "state": "skip", "colour": 1}', "unknown member 'colour'"),
        ('{"query": "q", "doc": "d", "state": "graded", "grade": "2"}', "grade is no number"),
        ('{"query": "q", "doc": "d", "state": "graded", "at": 3, "grade": 1}', "at is no text"),
        ('{"query": "q", "doc": "d", "state": "undone", "undoes": 4}', "is not before it"),
        ('{"query": "q", "doc": "d", "state": "graded"}', "goes with grade"),
    ],
)
def test_rows_that_are_wrong_are_named(write, line, said):
    with pytest.raises(FormatError, match=said):
        read_judgments(write("x.jsonl", line + "\n"))


def test_what_is_nothing_is_said(write):
    with pytest.raises(InputError, match="empty"):
        read_judgments(write("x", "\n"))
    with pytest.raises(UnknownName, match="quepid"):
        read_judgments(write("y", "q 0 d 1\n"), "xls")
    with pytest.raises(UnknownName, match="letor"):
        write_labels(Qrels.from_dict(GRADES), "z", "xls", provenance={})
    assert set(WRITTEN) < set(READ)


def test_real_raters_of_quepid(shared):
    """13 raters; no pair that two of them graded was graded differently."""
    path = shared / "collections" / "quepid-haystack" / "judgements.tsv"
    found = read_judgments(path, origin=Origin(source="human")).judgments
    assert len(found) == 1942
    assert sum(j.state == "unsure" for j in found) == 22
    assert len({j.judge for j in found}) == 13
    grades: dict[tuple[str, str], set[float]] = {}
    for j in found:
        if j.grade is not None:
            grades.setdefault(j.pair, set()).add(j.grade)
    assert len(grades) == 1358 and all(len(g) == 1 for g in grades.values())


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"sample": 99999999999999999999}, "sample is 99999999999999999999"),
        ({"sample": 1.5}, "sample is 1.5"),
        ({"sample": -3}, "sample is -3"),
        ({"sample": None}, "sample is no number"),
        ({"seconds": -5}, "seconds is -5"),
        ({"seconds": float("nan")}, "seconds is nan"),
        ({"grade": 10**400}, "grade is 1000"),
        ({"at": "yesterday"}, "at is 'yesterday', no time"),
        ({"details": [1]}, "details is no object"),
    ],
)
def test_a_row_that_no_store_has(members, said, write):
    row = {"query": "q", "doc": "d", "state": "graded", "grade": 1, **members}
    with pytest.raises(FormatError, match=said):
        read_judgments(write("b.jsonl", json.dumps(row) + "\n"))


@pytest.mark.parametrize(
    "other", [{"query": "r"}, {"doc": "e"}, {"assessor": "bo"}, {"source": "llm", "model": "m"}]
)
def test_an_undoing_is_about_the_row_that_it_undoes(other, write):
    one = {"query": "q", "doc": "d", "state": "graded", "grade": 1, "assessor": "ann", "id": 1}
    undo = {"query": "q", "doc": "d", "state": "undone", "assessor": "ann", "undoes": 1}
    two = write("u.jsonl", f"{json.dumps(one)}\n{json.dumps(undo)}\n")
    assert [j.undoes for j in read_judgments(two).judgments] == [None, -1]
    bad = write("bad.jsonl", f"{json.dumps(one)}\n{json.dumps({**undo, **other})}\n")
    with pytest.raises(FormatError, match="another pair or another judge"):
        read_judgments(bad)


def test_times_of_rows_are_in_utc(write):
    row = '{{"query": "q", "doc": "d", "state": "graded", "grade": 1, "at": "{}"}}\n'
    for given, kept in (
        ("2026-01-31T12:00:00+08:00", "2026-01-31T04:00:00Z"),
        ("2026-01-31", "2026-01-31T00:00:00Z"),
        ("20260131T120000Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
    ):
        (one,) = read_judgments(write("t.jsonl", row.format(given))).judgments
        assert one.at == kept


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_who_and_by_what_in_columns(form, write, tmp_path):
    rows = [
        {"query": "q", "doc": "d", "grade": 1, "source": "llm", "model": "m1", "rubric": "r1",
         "at": "2026-01-31T12:00:00Z", "prompt": "f00d"},
        {"query": "q", "doc": "d", "grade": 2, "source": "llm", "model": "m2", "rubric": "r2",
         "at": "2026-01-31T20:00:00+08:00", "prompt": "You grade documents."},
    ]  # fmt: skip
    if form == "parquet":
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet

        path = tmp_path / "l.parquet"
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), path)
    elif form == "csv":
        text = [",".join(map(str, row.values())) for row in rows]
        path = write("l.csv", "\n".join([",".join(rows[0]), *text, ""]))
    else:
        path = write("l.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    found = read_judgments(path, origin=Origin(model="other", at="2020-01-01T00:00:00Z"))
    one, two = found.judgments
    assert (one.model, one.rubric, one.prompt) == ("m1", "r1", "f00d")
    assert (two.model, two.rubric) == ("m2", "r2") and len(two.prompt) == 12
    assert one.at == two.at == "2026-01-31T12:00:00Z"
    assert found.notes == ("prompts kept by their fingerprints alone: 1",)


def test_a_time_in_a_column_is_one(write):
    path = write("l.csv", "query,doc,grade,at\nq,d,1,2026-01-01\nq,e,1,soon\n")
    with pytest.raises(FormatError, match="line 3: 'soon' is no time"):
        read_judgments(path)


DETAILS = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,{}\n"


@pytest.mark.parametrize("rating", ["Rating", "Doc Rating"])
def test_a_case_of_quepid_with_details(rating, write):
    rows = "T,C,1,blue shoes,d1,1,x,3\nT,C,1,blue shoes,d2,2,y,\nT,C,1,红色 鞋子,文档3,1,,0\n"
    found = read_judgments(write("d.csv", DETAILS.format(rating) + rows), queries=QUERIES)
    assert (found.form, as_dict(found)) == ("quepid", {"q1": {"d1": 3}, "q2": {"文档3": 0}})
    assert found.notes == ("1 result without a rating passed over",)


def test_an_export_of_quepid_without_documents_is_said(write):
    path = write("g.csv", "Team Name,Case Name,Query Text,Score\nT,C,blue shoes,0.5\n")
    with pytest.raises(FormatError, match="without documents"):
        read_judgments(path)


@pytest.mark.parametrize("first", ["a,b,grade", "a name,another name,a third"])
def test_the_header_of_csv_that_names_nothing(first, write):
    with pytest.raises(FormatError, match="looks like CSV") as said:
        read_judgments(write("w.csv", f"{first}\nq,d,1\n"))
    assert said.value.hint.endswith("query,doc,grade")
