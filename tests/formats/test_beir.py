"""BEIR's judgments and folder, and queries in every form."""

from __future__ import annotations

import bz2
import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError, NoSuchInput, UnknownName, UsageError
from cranfield.formats.beir import (
    is_beir_header,
    read_beir_qrels,
    read_documents,
    read_folder,
    read_queries,
)
from cranfield.formats.inputs import Input
from cranfield.formats.problems import Problems
from cranfield.formats.rows import Rows

SHARED = Path(os.environ.get("CRANFIELD_SHARED", Path(__file__).parents[3] / "shared"))
HEADER = "query-id\tcorpus-id\tscore\n"


def _input(folder: Path, content: str | bytes, name: str = "test.tsv") -> Input:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Input(path)


def _rows(rows: Rows) -> list[tuple[str, str, float]]:
    return list(zip(rows.query, rows.docs, rows.value.tolist(), strict=True))


def _qrels(source: Input) -> Qrels:
    rows = read_beir_qrels(source)
    Problems().add(rows.problems)
    return Qrels.from_columns(rows.query, rows.docs, rows.value, **rows.extra)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"query-id\tcorpus-id\tscore", True),
        (b"query-id\tcorpus-id\tscore\r", True),
        (b"Query_ID\tcorpus_id\tscore", True),
        (b"query-id\titeration\tcorpus-id\tscore", True),
        (b"query-id corpus-id score", False),
        (b"query-id\tdoc-id\tjudge\trating", False),
        (b"1\t0\td\t1", False),
        (b"\xff\xff", False),
    ],
)
def test_the_header_is_known(line: bytes, expected: bool) -> None:
    assert is_beir_header(line) is expected


def test_ids_may_hold_blanks_and_quotes(tmp_path: Path) -> None:
    text = "\ufeff" + HEADER + 'q 1\tdoc "one"\t2\r\n\r\n#q\td\u00a0\u2028e\t0.5'
    rows = read_beir_qrels(_input(tmp_path, text))
    assert _rows(rows) == [("q 1", 'doc "one"', 2.0), ("#q", "d\u00a0\u2028e", 0.5)]
    assert rows.line is not None
    assert rows.line.tolist() == [2, 4]


def test_four_columns(tmp_path: Path) -> None:
    rows = read_beir_qrels(_input(tmp_path, "query-id\titeration\tcorpus-id\tscore\nq\t3\td\t1\n"))
    assert _rows(rows) == [("q", "d", 1.0)]
    assert rows.extra["iteration"].to_list() == ["3"]


def test_without_a_header_only_when_asked(tmp_path: Path) -> None:
    source = _input(tmp_path, "q\td\t1\n")
    with pytest.raises(FormatError, match="no header line") as e:
        read_beir_qrels(source)
    assert e.value.line == 1
    assert "query-id<TAB>corpus-id<TAB>score" in (e.value.hint or "")
    assert _rows(read_beir_qrels(source, header=False)) == [("q", "d", 1.0)]
    four = read_beir_qrels(_input(tmp_path, "q\t0\td\t1\n"), header=False)
    assert _rows(four) == [("q", "d", 1.0)]
    with_header = read_beir_qrels(_input(tmp_path, HEADER + "q\td\t1\n"), header=False)
    assert _rows(with_header) == [("q", "d", 1.0)]


def test_lines_that_are_no_judgments(tmp_path: Path) -> None:
    text = HEADER + "q\td\nq\td\tx\t1\nq\t\t1\nq\td\tnan\nq\te\t1\n"
    rows = read_beir_qrels(_input(tmp_path, text))
    assert _rows(rows) == [("q", "e", 1.0)]
    assert [p.line for p in rows.problems] == [2, 3, 4, 5]
    assert "test.tsv, line 2: 2 columns where 3 are expected" in str(rows.problems[0])
    assert "one tab each" in (rows.problems[0].hint or "")
    assert "the document id is missing" in str(rows.problems[2])
    assert "the grade is NaN" in str(rows.problems[3])


_IDS = st.text(st.characters(exclude_characters="\0\t\n\r", exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(_IDS, _IDS, st.floats(allow_nan=False, allow_infinity=False))))
def test_every_id_without_tabs_comes_back(
    tmp_path_factory: pytest.TempPathFactory, table: list[tuple[str, str, float]]
) -> None:
    text = HEADER + "".join(f"{q}\t{d}\t{g!r}\n" for q, d, g in table)
    assert _rows(read_beir_qrels(_input(tmp_path_factory.mktemp("beir"), text))) == table


def _folder(folder: Path, *splits: str) -> Path:
    _input(folder, '{"_id": "q1", "text": "one"}\n', "queries.jsonl")
    (folder / "qrels").mkdir()
    for split in splits:
        _input(folder / "qrels", HEADER + f"q1\t{split}\t1\n", f"{split}.tsv")
    return folder


def test_a_folder(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "train", "test")
    corpus = '{"_id": "d1", "title": "T", "text": "x", "metadata": {"url": "u"}, "lang": "zh"}\n'
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress((corpus + "\n" + "broken").encode()))
    collection = read_folder(folder, None, _qrels)
    assert collection.name == tmp_path.name
    assert collection.qrels.to_dict() == {"q1": {"test": 1}}
    assert collection.queries[0].text == "one"
    assert collection.documents is not None
    for _ in range(2):  # every call is a new pass
        documents = collection.documents()
        first = next(documents)
        assert (first.id, first.title, first.text) == ("d1", "T", "x")
        assert first.fields == {"url": "u", "lang": "zh"}
        with pytest.raises(FormatError, match="not a JSON record") as e:
            next(documents)
        assert e.value.line == 3
    assert read_folder(folder, "train", _qrels).qrels.to_dict() == {"q1": {"train": 1}}


def test_which_split(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "dev")
    assert read_folder(folder, None, _qrels).qrels.to_dict() == {"q1": {"dev": 1}}
    with pytest.raises(UnknownName, match="no split 'test'") as e:
        read_folder(folder, "test", _qrels)
    assert e.value.hint == "splits: dev"
    _input(folder / "qrels", HEADER, "train.tsv")
    with pytest.raises(UsageError, match="several splits") as f:
        read_folder(folder, None, _qrels)
    assert "dev, train" in (f.value.hint or "")


def test_what_a_folder_lacks(tmp_path: Path) -> None:
    with pytest.raises(NoSuchInput, match=r"holds no queries\.jsonl"):
        read_folder(tmp_path, None, _qrels)
    _folder(tmp_path)
    with pytest.raises(NoSuchInput, match="holds no judgments"):
        read_folder(tmp_path, None, _qrels)
    _input(tmp_path, HEADER + "q1\td\t1\n", "qrels.tsv")
    collection = read_folder(tmp_path, None, _qrels)
    assert collection.qrels.to_dict() == {"q1": {"d": 1}}
    assert collection.documents is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[1]", "not a JSON object"),
        ('{"text": "x"}', "the _id id is missing"),
        ('{"_id": 1.5, "text": "x"}', "number with a point"),
        ('{"_id": "d"}', "document 'd' has no text"),
        ('{"_id": "d", "text": "caf\udce9"}', "byte 0xe9 is not UTF-8"),
    ],
)
def test_wrong_documents(tmp_path: Path, line: str, problem: str) -> None:
    raw = ('{"_id": 7, "text": "x"}\r\n' + line).encode("utf-8", "surrogateescape")
    documents = read_documents(_input(tmp_path, raw, "corpus.jsonl"))
    assert next(documents).id == "7"
    with pytest.raises(FormatError, match=problem) as e:
        next(documents)
    assert e.value.line == 2


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".zst"])
def test_packed_documents(tmp_path: Path, ending: str) -> None:
    raw = b'{"_id": "d", "title": null, "text": "x"}\n' * 3
    if ending == ".zst":
        zstandard = pytest.importorskip("zstandard", reason="zstandard is an optional package")
        packed = zstandard.ZstdCompressor().compress(raw)
    else:
        packed = (gzip if ending == ".gz" else bz2).compress(raw)
    documents = read_documents(_input(tmp_path, packed, "corpus.jsonl" + ending))
    assert [d.title for d in documents] == ["", "", ""]


def test_queries_as_json_lines(tmp_path: Path) -> None:
    lines = [
        {"_id": "q1", "text": "one", "metadata": {"type": "exact", "n": 3}, "lang": "en"},
        {"id": 2, "query": "two", "metadata": "none"},
    ]
    text = "\n\n".join(map(json.dumps, lines))
    first, second = read_queries(_input(tmp_path, text))
    assert (first.id, first.text) == ("q1", "one")
    assert first.fields == {"type": "exact", "n": 3, "lang": "en"}
    assert (second.id, second.text, second.fields) == ("2", "two", {"metadata": "none"})


def test_queries_as_tab_separated_lines(tmp_path: Path) -> None:
    queries = read_queries(_input(tmp_path, "qid\ttext\nq1\thow do\tyou\n\nq2\t#x\n"))
    assert [(q.id, q.text) for q in queries] == [("q1", "how do\tyou"), ("q2", "#x")]


def test_classic_topics(tmp_path: Path) -> None:
    text = """
<top>
<num> Number: 301
<title> International  Organized
Crime &amp; AT&T

<desc> Description:
Identify organizations.

<narr> Narrative:
A relevant document.
</top>
<TOP><num>MB02</num><title> Topic: Airbus</title></TOP>
"""
    first, second = read_queries(_input(tmp_path, text))
    assert (first.id, first.text) == ("301", "International Organized Crime & AT&T")
    assert first.fields == {"desc": "Identify organizations.", "narr": "A relevant document."}
    assert (second.id, second.text) == ("MB02", "Airbus")


def test_xml_topics(tmp_path: Path) -> None:
    text = """<?xml version="1.0" encoding="UTF-8"?>
<topics><topic number="1" type="faceted"><query>a &lt; b</query><question>why?</question></topic>
<topic id="2">plain</topic></topics>"""
    first, second = read_queries(_input(tmp_path, text))
    assert (first.id, first.text) == ("1", "a < b")
    assert first.fields == {"type": "faceted", "question": "why?"}
    assert (second.id, second.text) == ("2", "plain")


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ('{"_id": "q", "text": "a"}\n\n{"_id": "q", "text": "b"}', "'q' comes twice", 3),
        ("q\ta\nq\tb\n", r"query 'q' comes twice \(first on line 1\)", 2),
        ('{"_id": "q"}', "a query without text", 1),
        ('{"text": "a"}', "the _id id is missing", 1),
        ("q1 no tab\n", "not `id<TAB>text`", 1),
        ("<top>\n<title> x\n</top>", "a topic without <num>", 1),
        ("\n<top><num> 1 </top>", "topic '1' has no text", 2),
        ("<topics>\n<topic number='1'></topics>", "not well-formed", 2),
        ("<topics/>", "no <topic> or <top>", None),
        ("<topics><topic><query>x</query></topic></topics>", "topic 1 has no number", None),
        ("<t><topic id='1'><query>x</query></topic><topic id='1'>y</topic></t>", "twice", None),
    ],
)
def test_wrong_queries(tmp_path: Path, text: str, problem: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=problem) as e:
        read_queries(_input(tmp_path, text))
    assert e.value.line == line
    assert e.value.file.endswith("test.tsv")


@pytest.mark.parametrize(
    ("name", "queries", "judgments"),
    [
        ("scifact", 1109, 339),
        ("cranfield", 225, 1837),
        ("cacm", None, None),
        ("vaswani-npl", 93, 2083),
        ("dureader-demo", None, None),
        ("xquad/zh", None, None),
    ],
)
def test_shared_collections(name: str, queries: int | None, judgments: int | None) -> None:
    folder = SHARED / "collections" / name
    if not folder.exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    collection = read_folder(folder, None, _qrels)
    assert queries is None or len(collection.queries) == queries
    assert judgments is None or len(collection.qrels) == judgments
    assert set(collection.qrels.queries) <= {q.id for q in collection.queries}
    assert collection.documents is not None
    ids = [d.id for d in collection.documents()]
    assert len(set(ids)) == len(ids) > 100


def test_topics_of_trec_covid() -> None:
    path = SHARED / "runs" / "trec-covid-r1" / "topics.covid-round1-udel.xml"
    if not path.exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    queries = read_queries(Input(path))
    assert [q.id for q in queries] == [str(n) for n in range(1, 31)]
    assert queries[0].text == "coronavirus origin origin COVID-19"


def test_queries_of_the_llm_judge_track() -> None:
    path = SHARED / "collections" / "llmjudge" / "LLMJudge" / "data" / "llm4eval_query_2024.txt"
    if not path.exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    queries = read_queries(Input(path))
    assert queries[0].text == "dog age by teeth"
    assert len({q.id for q in queries}) == len(queries) == 50


def test_queries_and_documents_without_judgments(tmp_path):
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "x"}\n')
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "text": "y"}\n')
    from cranfield.formats.readers import read_collection

    with pytest.raises(NoSuchInput, match="holds no judgments"):
        read_collection(tmp_path)
    found = read_collection(tmp_path, judgments=False)
    assert found.documents is not None and [d.id for d in found.documents()] == ["d"]
    assert [q.id for q in found.queries] == ["q"] and len(found.qrels) == 0
