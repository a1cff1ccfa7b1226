"""Collections of ir_datasets, tried on one that is registered here from files of a few lines."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cranfield.errors import InputError, MissingExtra, NoSuchInput, UnknownName
from cranfield.formats.irds import read_irds
from cranfield.formats.rows import Rows

ID = "cranfield-tests"


class _Query(NamedTuple):
    query_id: str
    title: str
    description: str
    tags: tuple[str, ...]


class _Doc(NamedTuple):
    doc_id: str
    title: str
    url: str
    text: str

    def default_text(self) -> str:
        return f"{self.title} {self.text}"


class _Prel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    method: int
    iprob: float


class _Path:
    """What ir_datasets asks of a file: to be opened."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def stream(self) -> Any:
        return self._path.open("rb")

    def path(self, force: bool = True) -> Path:
        return self._path


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """ir_datasets with our small collections, its home a temporary folder."""
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets is an optional package")
    before = dict(ir_datasets.registry._registered)
    yield _register(ir_datasets, tmp_path)
    ir_datasets.registry._registered.clear()
    ir_datasets.registry._registered.update(before)


def _register(ir_datasets: Any, folder: Path) -> Any:
    formats = ir_datasets.formats

    class Docs(formats.BaseDocs):
        def docs_iter(self) -> Iterator[_Doc]:
            yield _Doc("d1", "Crime", "u1", "organized")
            yield _Doc("d2", "", "u2", "plain")

        def docs_cls(self) -> type:
            return _Doc

    class Queries(formats.BaseQueries):
        def queries_iter(self) -> Iterator[_Query]:
            yield _Query("301", "crime", "organized crime", ("a",))
            yield _Query("302", "", "only this", ())

        def queries_cls(self) -> type:
            return _Query

    (folder / "qrels").write_text("301 1 d1 2\n301 0 d2 -1\n302 0 d-é 0\n", "utf-8")
    qrels = formats.TrecQrels(_Path(folder / "qrels"), {2: "yes", 0: "no", -1: "unjudged"})
    both = ir_datasets.Dataset(Docs(), Queries())
    ir_datasets.registry.register(ID, both)
    ir_datasets.registry.register(f"{ID}/judged", ir_datasets.Dataset(Docs(), Queries(), qrels))
    return ir_datasets


def _broken(ir_datasets: Any, name: str, records: Any) -> None:
    class Qrels(ir_datasets.formats.BaseQrels):  # type: ignore[misc]
        def qrels_iter(self) -> Iterator[Any]:
            if isinstance(records, Exception):
                raise records
            return iter(records)

    base = ir_datasets.registry[ID]
    ir_datasets.registry.register(name, ir_datasets.Dataset(base, Qrels()))


@pytest.mark.usefixtures("registry")
def test_a_collection() -> None:
    collection = read_irds(f"{ID}/judged")
    assert collection.name == f"{ID}/judged"
    assert collection.qrels.to_dict() == {"301": {"d1": 2, "d2": -1}, "302": {"d-é": 0}}
    assert collection.qrels.iteration is not None
    assert collection.qrels.iteration.to_list() == ["1", "0", "0"]
    first, second = collection.queries
    assert (first.id, first.text) == ("301", "crime")
    assert first.fields == {"description": "organized crime"}
    assert second.text == "only this"
    assert collection.documents is not None
    one, two = collection.documents()
    assert (one.id, one.title, one.text, one.fields) == ("d1", "Crime", "organized", {"url": "u1"})
    assert (two.title, two.text) == ("", " plain")
    assert len(list(collection.documents())) == 2  # every call is a new pass


@pytest.mark.usefixtures("registry")
def test_the_caller_may_build_the_judgments() -> None:
    seen: list[Rows] = []

    def build(rows: Rows) -> Any:
        seen.append(rows)
        return "built"

    assert read_irds(f"{ID}/judged", build).qrels == "built"  # type: ignore[comparison-overlap]
    assert seen[0].value.tolist() == [2.0, -1.0, 0.0]


@pytest.mark.usefixtures("registry")
def test_unknown_ids_get_the_nearest() -> None:
    with pytest.raises(UnknownName, match="no collection 'cranfield-tests/juged'") as e:
        read_irds(f"{ID}/juged")
    assert f"{ID}/judged" in (e.value.hint or "")


@pytest.mark.usefixtures("registry")
def test_a_collection_without_judgments_names_its_parts() -> None:
    with pytest.raises(InputError, match=f"irds:{ID} has no qrels") as e:
        read_irds(ID)
    assert f"{ID}/judged" in (e.value.hint or "")
    found = read_irds(ID, judgments=False)
    assert len(found.queries) == 2 and len(found.qrels) == 0


def test_judgments_of_another_kind(registry: Any) -> None:
    _broken(registry, f"{ID}/prels", [_Prel("301", "d1", 1, 1, 0.5)])
    with pytest.raises(InputError, match="unequal probabilities"):
        read_irds(f"{ID}/prels")
    _broken(registry, f"{ID}/odd", [_Query("301", "", "", ())])
    with pytest.raises(InputError, match="have no relevance, only query_id, title"):
        read_irds(f"{ID}/odd")


def test_a_download_that_fails_is_said_in_a_line(registry: Any) -> None:
    _broken(registry, f"{ID}/away", ConnectionError("no route\nto host"))
    with pytest.raises(NoSuchInput, match="away could not be fetched or read: no route\n"):
        read_irds(f"{ID}/away")


def test_without_ir_datasets_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "ir_datasets":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"cranfield\[irds\]"):
        read_irds("vaswani")
