"""The demo: the collection laid out in a folder, a baseline run over it, and its report."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from cranfield.data.card import RunCard
from cranfield.data.collection import TestCollection
from cranfield.data.run import Run
from cranfield.errors import NoSuchInput, UsageError
from cranfield.formats.card import write_card
from cranfield.formats.readers import read_collection
from cranfield.formats.write import write_run
from cranfield.kit.files import write_whole
from cranfield.plugins import system
from cranfield.report.baseline import baseline
from cranfield.report.page import Page
from cranfield.retrieval.system import retrieve

RUN = "sequential-scan.run"
SECOND = "terms.run"
_PARTS = ("corpus.jsonl", "queries.jsonl", "qrels.txt", "judgments.tsv")


@dataclass(frozen=True)
class DemoFolder:
    """What `make_demo` left: the folder, the run and the report."""

    path: Path
    run: Run
    report: Page


def collection() -> TestCollection:
    """The bundled collection: 64 documents in Chinese, English and both, 30 queries of six types,
    every document judged 0 to 3 for every query."""
    with as_file(files("cranfield.demo") / "collection") as folder:
        return read_collection(folder)


def make_demo(folder: Path, lang: str = "en") -> DemoFolder:
    """Lay out the collection in `folder`, run the sequential scan over it, write the report.

    The folder holds `corpus.jsonl`, `queries.jsonl`, `qrels.txt`, `judgments.tsv` (with the reason
    for each grade), the documents under `docs/`, the run and `report.md` / `report.html`; and a
    second run, of the term counter, to compare with. Each run has its card beside it.

    Raises
    ------
    UsageError
        The folder holds something else already.
    """
    _prepare(folder)
    with as_file(files("cranfield.demo") / "collection") as source:
        for name in _PARTS:
            _copy(source / name, folder / name)
        for document in sorted((source / "docs").iterdir()):
            _copy(document, folder / "docs" / document.name)
    found = read_collection(folder)
    assert found.documents is not None
    run = retrieve(system("scan", documents=found.documents()), found.queries)
    _write(run, folder / RUN, {"system": "scan"})
    second = retrieve(system("terms", documents=found.documents()), found.queries)
    _write(second, folder / SECOND, {"system": "terms"})
    report = baseline(found, run, lang=lang, exhaustive=True)
    for name, text in (("report.md", report.to_markdown()), ("report.html", report.to_html())):
        with write_whole(folder / name) as stream:
            stream.write(text.encode())
    return DemoFolder(folder, run, report)


def _write(run: Run, path: Path, config: dict[str, str]) -> None:
    """A run and its card, which says what a run file cannot: which results were empty."""
    write_run(run, path)
    answered = set(run.query.tolist())
    empty = tuple(q for i, q in enumerate(run.queries.to_list()) if i not in answered)
    write_card(RunCard(run.name, config, empty=empty), path)


def _prepare(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", "name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / RUN).exists():
        raise UsageError(f"{folder} holds other files", "name a new folder: cranfield demo FOLDER")
    try:
        (folder / "docs").mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise NoSuchInput(f"{folder} cannot be made: {e.strerror}") from None


def _copy(source: Path, target: Path) -> None:
    with write_whole(target) as stream:
        stream.write(source.read_bytes())
