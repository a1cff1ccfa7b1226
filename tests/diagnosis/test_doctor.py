"""Each way in which ids go wrong is planted in good runs, told, and undone."""

from __future__ import annotations

import importlib.util
import random
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

import cranfield
from cranfield.data.qrels import Qrels
from cranfield.diagnosis.doctor import doctor, repaired
from cranfield.diagnosis.repair import repaired_qrels
from cranfield.errors import FormatError
from cranfield.report.checked import page

_FOUND = importlib.util.spec_from_file_location("planted", Path(__file__).parent / "planted.py")
planted = sys.modules.setdefault("planted", importlib.util.module_from_spec(_FOUND))
_FOUND.loader.exec_module(planted)

DOCUMENTS = {
    "prefix": lambda d: f"doc_{d}",
    "suffix": lambda d: f"{d}-v2",
    "case": str.upper,
    "blanks": lambda d: f"\u00a0{d} ",
    "extension": lambda d: f"{d}.html",
}
QUERIES = {"prefix": lambda q: f"topic-{q}", "zeros": lambda q: q.replace("q0", "q")}


@pytest.fixture(scope="module")
def demo():
    return cranfield.read_collection(planted.DEMO)


@pytest.fixture(scope="module")
def good(demo):
    return planted.engines(demo)["one"]


def only(visit, key):
    """The one finding of a visit, which is this."""
    assert [f.key for f in visit.result.findings] == [key]
    return visit.result.findings[0]


def lines(run, form="{q} Q0 {d} {r} {s} x"):
    return "".join(
        form.format(q=q, d=d, r=r, s=s) + "\n"
        for q, docs in run.items()
        for r, (d, s) in enumerate(docs.items(), 1)
    )


def without_empty(run):
    return {q: docs for q, docs in run.items() if docs}


@pytest.mark.parametrize("bare", [False, True], ids=["collection", "qrels alone"])
def test_a_run_that_fits_has_nothing(demo, good, bare):
    visit = doctor(demo.qrels if bare else demo, good)
    assert visit.result.findings == () and visit.run == visit.qrels == ()
    (row,) = visit.result.sections[0].tables[0].rows
    assert row[1:3] == (1.0, 1.0) and row[3] == 75 and row[4] < row[3] / 5
    assert cranfield.check(demo, good, "nDCG@10", near=None).section("doctor") is None


@pytest.mark.parametrize("bare", [False, True], ids=["collection", "qrels alone"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_ids(demo, good, name, bare):
    wrong = planted.renamed(good, documents=DOCUMENTS[name])
    visit = doctor(demo.qrels if bare else demo, wrong)
    found = only(visit, "ids_differ")
    assert [said.key for said in found.values["how"]] == [f"differ.{name}"]
    assert found.severity == "error" and (found.values["before"], found.values["after"]) == (0, 1)
    gained = cranfield.evaluate(demo, good, "nDCG@10").values.mean()
    assert found.effect["nDCG@10"] == pytest.approx(gained)
    made, counts = repaired(wrong, visit.run)
    assert made.to_dict() == good and counts.documents == found.values["n"]
    if not bare:
        checked = cranfield.check(demo, wrong, "nDCG@10", near=None)
        assert {f.key for f in checked.section("doctor").findings} == {"ids_differ"}


@pytest.mark.parametrize("bare", [False, True], ids=["collection", "qrels alone"])
def test_document_ids_of_which_some_begin_otherwise(demo, good, bare):
    wrong = planted.renamed(good, documents=lambda d: d.replace("md:", "MD_"))
    visit = doctor(demo.qrels if bare else demo, wrong)
    found = only(visit, "ids_differ")
    (said,) = found.values["how"]
    assert (said.key, dict(said.values)) == ("differ.prefix", {"mine": "MD_", "theirs": "md:"})
    assert found.severity == "warning" and found.values["after"] == 1 and not found.values["left"]
    assert found.effect["nDCG@10"] > 0.1
    made, counts = repaired(wrong, visit.run)
    assert made.to_dict() == good and counts.documents == found.values["n"]


def test_two_kinds_of_documents_that_begin_otherwise(demo, good):
    wrong = planted.renamed(
        good, documents=lambda d: d.replace("md:", "MD_").replace("html:", "web/")
    )
    visit = doctor(demo, wrong)
    assert [f.key for f in visit.result.findings] == ["ids_differ", "ids_differ"]
    assert {f.values["how"][0].values["theirs"] for f in visit.result.findings} == {"md:", "html:"}
    assert visit.result.findings[1].unpriced == "together"
    made, counts = repaired(wrong, visit.run)
    assert made.to_dict() == good
    assert counts.documents == sum(f.values["n"] for f in visit.result.findings)


def test_judgments_of_which_some_begin_otherwise(demo, good):
    labels = demo.qrels.to_dict()
    wrong = {q: {d.replace("md:", "MD_"): g for d, g in v.items()} for q, v in labels.items()}
    visit = doctor(replace(demo, qrels=Qrels.from_dict(wrong)), good)
    assert only(visit, "ids_differ").values["of"] == "qrels"
    made = repaired_qrels(Qrels.from_dict(wrong), visit.qrels)[0]
    assert {q: dict(d) for q, d in made.to_dict().items()} == labels


def test_documents_of_another_part_that_nobody_judged_are_no_other_way_to_write_ids():
    labels = {f"q{i}": {f"wiki-{i}": 1, f"wiki-{i + 50}": 0} for i in range(20)}
    run = {f"q{i}": {f"wiki-{i}": 2.0, f"news-{i + 7}": 1.0} for i in range(20)}
    assert doctor(labels, run).result.findings == ()  # the news are other documents
    rewritten = {f"q{i}": {f"wiki-{i + 50}": 2.0, f"news-{i}": 1.0} for i in range(20)}
    found = only(doctor(labels, rewritten), "ids_differ")  # each is what its query wants
    assert found.severity == "warning" and found.values["n"] == 20


def test_one_ailment_of_several_runs_is_one_finding(demo, good):
    wrong = planted.renamed(good, documents=DOCUMENTS["prefix"])
    less = dict(list(wrong.items())[:10])
    other = planted.renamed(good, documents=DOCUMENTS["suffix"])
    runs = {"a": wrong, "b": less, "c": good, "d": other}
    found = cranfield.check(demo, runs, "nDCG@10", near=None)
    section = found.section("doctor")
    many, alone = section.findings
    assert (many.key, many.values["runs"], alone.values["of"]) == ("ids_differ", ("a", "b"), "d")
    prices = dict(many.rows.rows)
    assert list(prices) == ["a", "b"] and many.effect["nDCG@10"] == max(prices.values())
    assert [row[0] for row in section.tables[0].rows] == ["a", "b", "d"]
    for lang, said in (("en", "2 runs (a, b); the first of them: a: "), ("zh", "2 个运行（a, b）")):
        assert said in page(found, lang).to_text()


@pytest.mark.parametrize("bare", [False, True], ids=["collection", "qrels alone"])
@pytest.mark.parametrize("name", QUERIES)
def test_query_ids(demo, good, name, bare):
    wrong = planted.renamed(good, queries=QUERIES[name])
    visit = doctor(demo.qrels if bare else demo, wrong)
    found = only(visit, "ids_differ")
    assert [said.key for said in found.values["how"]] == [f"differ.{name}"]
    made, counts = repaired(wrong, visit.run)
    assert made.to_dict() == good and counts.queries == found.values["n"]


def test_queries_and_documents_at_once(demo, good):
    wrong = planted.renamed(good, documents=DOCUMENTS["case"], queries=QUERIES["prefix"])
    visit = doctor(demo, wrong)
    assert [f.key for f in visit.result.findings] == ["ids_differ", "ids_differ"]
    assert visit.result.findings[0].effect["nDCG@10"] > 0.5
    assert repaired(wrong, visit.run)[0].to_dict() == good


def test_unicode_forms():
    known = {f"q{i}": {f"Zürich-{i}-é": 1, f"Genève-{i}": 0} for i in range(20)}
    qrels = {
        q: {unicodedata.normalize("NFC", d): g for d, g in v.items()} for q, v in known.items()
    }
    right = {q: {d: 9.0 - i for i, d in enumerate(docs)} for q, docs in qrels.items()}
    wrong = planted.renamed(right, documents=lambda d: unicodedata.normalize("NFD", d))
    visit = doctor(qrels, wrong)
    said = only(visit, "ids_differ").values["how"]
    assert [s.key for s in said] == ["differ.unicode"]
    assert repaired(wrong, visit.run)[0].to_dict() == right


def test_passages_are_rolled_up(demo, good, write):
    cut = {
        q: {f"{d}#{i}": s - i / 9 for d, s in docs.items() for i in range(3)}
        for q, docs in good.items()
    }
    path = write("passages.run", lines(cut))
    visit = doctor(demo, path)
    found = only(visit, "ids_differ")
    assert found.advice == "ids_passages"
    assert found.values["command"] == f"cranfield rollup {path} -o FIXED.run"
    made, counts = repaired(str(path), visit.run)
    assert made.to_dict() == without_empty(good) and counts.merged == 2 * len(made)


@pytest.fixture
def numbers():
    """Judgments and a run whose ids are numbers, as in the Cranfield collection."""
    draw = random.Random(3)
    docs = {str(q): draw.sample(range(1, 1400), 12) for q in range(1, 61)}
    qrels = {q: {str(d): int(i < 4) for i, d in enumerate(own)} for q, own in docs.items()}
    run = {q: {str(d): 99.0 - i for i, d in enumerate(own)} for q, own in docs.items()}
    return qrels, run


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("number", lambda d: f"{d}.0"),
        ("zeros", lambda d: d.zfill(6)),
        ("folder", lambda d: f"{d[0]}/{d}"),
    ],
)
def test_numbers_written_otherwise(numbers, name, change):
    qrels, run = numbers
    assert doctor(qrels, run).result.findings == ()
    wrong = planted.renamed(run, documents=change)
    visit = doctor(qrels, wrong)
    assert [s.key for s in only(visit, "ids_differ").values["how"]] == [f"differ.{name}"]
    assert repaired(wrong, visit.run)[0].to_dict() == run


@pytest.mark.parametrize("by", [-1, 1])
def test_queries_counted_from_another_number(numbers, by):
    qrels, run = numbers
    wrong = planted.renamed(run, queries=lambda q: str(int(q) + by))
    visit = doctor(qrels, wrong)
    found = only(visit, "queries_moved")
    assert found.values["how"].values == {"by": f"{-by:+d}"}
    assert found.values["own"] < 3 and found.values["then"] == 240
    assert repaired(wrong, visit.run)[0].to_dict() == run


def test_documents_named_by_their_places(demo, good):
    place = {d.id: str(i) for i, d in enumerate(demo.documents())}
    wrong = planted.renamed(good, documents=place.__getitem__)
    visit = doctor(demo, wrong)
    assert only(visit, "documents_moved").values["first"] == 0
    assert repaired(wrong, visit.run)[0].to_dict() == good


def test_a_run_whose_queries_are_mixed_up(numbers):
    qrels, run = numbers
    names = list(run)
    random.Random(1).shuffle(names)
    wrong = dict(zip(names, run.values(), strict=True))
    pairs = {q: {**docs, **dict.fromkeys(list(run[q]), 0)} for q, docs in qrels.items()}
    shared = {q: {**docs, "7": 1, "8": 1} for q, docs in pairs.items()}
    both = {q: {**docs, "7": 98.5, "8": 98.4} for q, docs in wrong.items()}
    found = only(doctor(shared, both), "queries_mixed")
    assert found.severity == "warning" and found.values["own"] <= found.values["chance"]


@pytest.mark.parametrize("bare", [False, True], ids=["collection", "qrels alone"])
def test_swapped_columns(demo, good, write, bare):
    path = write("swapped.run", lines(good, "{d} Q0 {q} {r} {s} x"))
    visit = doctor(demo.qrels if bare else demo, path)
    only(visit, "columns_swapped")
    assert repaired(str(path), visit.run)[0].to_dict() == without_empty(good)


def test_a_wrong_column_that_can_be_read(numbers, write):
    qrels, run = numbers
    path = write("columns.run", lines(run, "{q} Q0 {r} {d} {s} x"))
    visit = doctor(qrels, path)
    assert only(visit, "column_wrong").values["document"] == 4
    assert repaired(str(path), visit.run)[0].to_dict() == run


def test_a_wrong_column_that_cannot_be_read(demo, good, write):
    path = write("columns.run", lines(good, "{q} Q0 {r} {d} {s} x"))
    visit = doctor(demo, path)
    found = only(visit, "column_wrong")
    assert (found.values["query"], found.values["document"]) == (1, 4)
    assert repaired(str(path), visit.run)[0].to_dict() == without_empty(good)
    with pytest.raises(FormatError, match="column 4"):
        doctor(demo, write("noise.run", "q01 Q0 x not-a-rank 1.0 t\n"))


def test_scores_that_fall(demo, good, write):
    path = write(
        "distances.run", lines({q: {d: 100 - s for d, s in v.items()} for q, v in good.items()})
    )
    visit = doctor(demo, path)
    found = only(visit, "scores_reversed")
    assert found.effect["nDCG@10"] > 0
    made = repaired(str(path), visit.run)[0]
    assert cranfield.evaluate(demo, made).values.tolist() == (
        cranfield.evaluate(demo, good).values.tolist()
    )


@pytest.fixture
def folder(demo, tmp_path):
    """The demo as a BEIR folder with two splits."""
    (tmp_path / "qrels").mkdir()
    for name in ("corpus.jsonl", "queries.jsonl"):
        (tmp_path / name).write_bytes((planted.DEMO / name).read_bytes())
    labels = demo.qrels.to_dict()
    for split, queries in (("dev", list(labels)[:15]), ("test", list(labels)[15:])):
        rows = [f"{q}\t{d}\t{g}\n" for q in queries for d, g in labels[q].items()]
        (tmp_path / "qrels" / f"{split}.tsv").write_text(
            "query-id\tcorpus-id\tscore\n" + "".join(rows), "utf-8"
        )
    return tmp_path


def test_the_wrong_split(folder, good):
    dev = {q: docs for i, (q, docs) in enumerate(good.items()) if i < 15}
    found = only(doctor(folder, dev), "split_wrong")
    assert found.values["split"] == "dev" and found.values["command"] == "--split dev"
    assert doctor(folder, dev, split="dev").result.findings == ()
    file = folder / "qrels" / "test.tsv"
    found = only(doctor(file, dev), "split_wrong")
    assert found.values["command"] == str(folder / "qrels" / "dev.tsv")
    assert {f.key for f in cranfield.check(folder, dev).section("doctor").findings} == {
        "split_wrong"
    }


def test_another_set_of_queries(demo, good):
    strange = {f"alien/{chr(97 + i)}": docs for i, docs in enumerate(list(good.values())[:9])}
    found = only(doctor(demo, strange), "queries_other")
    assert found.values["mine"] == "alien/a" and found.values["theirs"] == "q01"


def test_another_corpus(demo, good):
    names = {d.id: f"{i * 7919}-{i}!" for i, d in enumerate(demo.documents())}
    found = only(
        doctor(demo, planted.renamed(good, documents=names.__getitem__)), "documents_other"
    )
    assert found.values["share"] == 1.0


def test_judgments_whose_ids_are_wrong(demo, good):
    labels = demo.qrels.to_dict()
    wrong = Qrels.from_dict(planted.renamed(labels, documents=DOCUMENTS["extension"]))
    visit = doctor(replace(demo, qrels=wrong), good)
    found = only(visit, "ids_differ")
    assert found.values["of"] == "qrels" and "--write-qrels" in found.values["command"]
    made, counts = repaired_qrels(wrong, visit.qrels)
    assert made.to_dict() == labels and counts.documents == 64
    assert found.effect["nDCG@10"] > 0.5


def test_judgments_with_swapped_columns(demo, good):
    rows = [(d, q, g) for q, docs in demo.qrels.to_dict().items() for d, g in docs.items()]
    visit = doctor(replace(demo, qrels=Qrels.from_rows(rows)), good)
    assert only(visit, "columns_swapped").values["of"] == "qrels"
    made = repaired_qrels(Qrels.from_rows(rows), visit.qrels)[0]
    assert {q: dict(d) for q, d in made.to_dict().items()} == demo.qrels.to_dict()


def test_judgments_beside_a_collection(demo, good):
    wrong = planted.renamed(good, documents=DOCUMENTS["prefix"])
    found = only(doctor(demo.qrels, wrong, demo), "ids_differ")
    assert found.values["against"].key == "against.corpus"
