"""The bundled collection keeps what its documentation promises."""

import hashlib
import importlib.util
import json
import shutil
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import cranfield

COLLECTION = Path(cranfield.__file__).parent / "demo" / "collection"
TYPES = ["exact", "identifier", "mixed", "paraphrase", "multi", "no-answer"]
DOCUMENTS = 64


def load_builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("collection_build", COLLECTION / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def json_lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (COLLECTION / name).read_text("utf-8").splitlines()]


def terms(query: dict[str, str]) -> list[str]:
    return query["text"].lower().split()


build = load_builder()
corpus = json_lines("corpus.jsonl")
queries = json_lines("queries.jsonl")
qrels = [line.split(" ") for line in (COLLECTION / "qrels.txt").read_text("utf-8").splitlines()]
grades = {(query, document): int(grade) for query, _, document, grade in qrels}
haystacks = {row["_id"]: f"{row['title']}\n{row['text']}".lower() for row in corpus}
answerable = [query for query in queries if query["type"] != "no-answer"]
unanswerable = [query for query in queries if query["type"] == "no-answer"]


def matches(query: dict[str, str]) -> list[str]:
    """The documents that contain every term, as a sequential scan would find them."""
    return [name for name, text in haystacks.items() if all(t in text for t in terms(query))]


def by_id(query: dict[str, str]) -> str:
    return query["_id"]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of the sources that a test may spoil."""
    copy = tmp_path / "collection"
    shutil.copytree(COLLECTION, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_built_files_are_what_the_script_makes(tmp_path: Path) -> None:
    build.build(COLLECTION, tmp_path)
    for name in ("corpus.jsonl", "qrels.txt"):
        assert (tmp_path / name).read_bytes() == (COLLECTION / name).read_bytes(), name


def test_documents_in_file_order_with_ids_of_their_content() -> None:
    assert len(corpus) == DOCUMENTS
    assert len({row["_id"] for row in corpus}) == DOCUMENTS
    paths = [row["path"] for row in corpus]
    assert paths == sorted(f"docs/{file.name}" for file in (COLLECTION / "docs").iterdir())
    for row in corpus:
        file = COLLECTION / row["path"]
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert row["_id"] == f"{file.suffix[1:]}:{digest[:8]}"


def test_documents_are_clean_text_files() -> None:
    for row in corpus:
        raw = (COLLECTION / row["path"]).read_bytes()
        assert raw.endswith(b"\n"), row["path"]
        assert not raw.endswith(b"\n\n"), row["path"]
        assert b"\r" not in raw, row["path"]
        assert Path(row["path"]).name == Path(row["path"]).name.lower()
        assert row["title"].strip()
        assert "**" not in row["text"].replace("2 ** attempt", ""), row["path"]
        assert not any(tag in row["text"] for tag in ("<p>", "<li>", "<code>", "```", "&lt;"))


def test_formats_and_languages_are_spread() -> None:
    formats = Counter(row["_id"].partition(":")[0] for row in corpus)
    assert set(formats) == {"md", "html"}
    assert min(formats.values()) >= 28
    languages = Counter(row["lang"] for row in corpus)
    assert set(languages) == {"zh", "en", "mixed"}
    assert min(languages.values()) >= DOCUMENTS // 5


def test_thirty_queries_in_six_types_of_five() -> None:
    assert [query["_id"] for query in queries] == [f"q{n:02}" for n in range(1, 31)]
    assert [query["type"] for query in queries] == [name for name in TYPES for _ in range(5)]
    assert {query["lang"] for query in queries} == {"zh", "en", "mixed"}


def test_every_pair_is_judged_once_in_order() -> None:
    pairs = [(query, document) for query, _, document, _ in qrels]
    assert len(pairs) == 1920
    assert pairs == [(query["_id"], row["_id"]) for query in queries for row in corpus]
    assert {iteration for _, iteration, _, _ in qrels} == {"0"}
    assert {grade for *_, grade in qrels} == {"0", "1", "2", "3"}


@pytest.mark.parametrize("query", answerable, ids=by_id)
def test_answerable_query_has_a_best_and_a_lesser_document(query: dict[str, str]) -> None:
    found = [grades[query["_id"], name] for name in haystacks if grades[query["_id"], name]]
    assert 2 <= len(found) <= 9
    assert 3 in found
    assert {1, 2}.intersection(found)


@pytest.mark.parametrize(
    "query", [query for query in queries if query["type"] == "paraphrase"], ids=by_id
)
def test_paraphrase_is_answered_in_other_words(query: dict[str, str]) -> None:
    good = [text for name, text in haystacks.items() if grades[query["_id"], name] >= 2]
    foreign = [text for text in good if not any(term in text for term in terms(query))]
    assert len(foreign) >= 2
    if len(terms(query)) == 1:
        (phrase,) = terms(query)
        pieces = [phrase[at : at + 2] for at in range(len(phrase) - 1)]
        assert any(not any(piece in text for piece in pieces) for text in foreign)


def test_words_in_another_sense_are_graded_zero() -> None:
    false = [
        (query["_id"], name)
        for query in answerable
        for name in matches(query)
        if grades[query["_id"], name] == 0
    ]
    assert len(false) >= 8
    assert len({query for query, _ in false}) >= 5


def test_queries_without_answer() -> None:
    for query in unanswerable:
        assert all(grades[query["_id"], name] == 0 for name in haystacks), query["_id"]
    assert sum(bool(matches(query)) for query in unanswerable) >= 2
    silent = [
        query
        for query in unanswerable
        if not any(term in text for term in terms(query) for text in haystacks.values())
    ]
    assert len(silent) >= 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nowhere.md\tq01\t1\tx", "unknown document 'nowhere.md'"),
        ("simhash.html\tq99\t1\tx", "unknown query 'q99'"),
        ("simhash.html\tq02\t4\tx", "grade '4' is not 0, 1, 2 or 3"),
        ("simhash.html\tq19\t3\tx", "simhash.html is judged twice for q19"),
        ("simhash.html\tq02\t1", "3 fields instead of 4"),
    ],
)
def test_contradicting_judgment_is_refused(sources: Path, line: str, message: str) -> None:
    path = sources / "judgments.tsv"
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(build.CollectionError, match=message):
        build.build(sources, sources)


def test_missing_header_is_refused(sources: Path) -> None:
    (sources / "judgments.tsv").write_text("simhash.html\tq19\t3\tx\n", "utf-8")
    with pytest.raises(build.CollectionError, match="the first line must name"):
        build.build(sources, sources)


def test_every_judgment_gives_its_reason() -> None:
    rows = (COLLECTION / "judgments.tsv").read_text("utf-8").splitlines()[1:]
    listed = {tuple(row.split("\t")[:2]): row.split("\t")[3] for row in rows}
    assert all(reason.strip() for reason in listed.values())
    for row in corpus:
        for query in queries:
            if grades[query["_id"], row["_id"]]:
                assert (Path(row["path"]).name, query["_id"]) in listed
