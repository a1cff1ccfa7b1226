"""The code behind a back end, by fingerprint: what it is made of decides whether a run that was
made with it may be used again."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cranfield import plugins
from cranfield.kit.fingerprint import of_parts

_OWN = "cranfield.retrieval"
_ELSEWHERE = ("cranfield", "numpy")  # what decides no result


def code_of(
    group: str, name: str, options: Mapping[str, Any], more: Iterable[str] = ()
) -> dict[str, Any]:
    """`source`: the fingerprint of the module that a back end is written in and of all that it
    imports from its own package (for ours: the room `retrieval`, so that a changed analyzer is
    other code); `libraries`: the versions of what these import from elsewhere. A back end that
    takes an `embedder` by name has its code too, and `more` names further modules.
    """
    factory = plugins.load(group, name)
    roots = [str(factory.__module__), *more]
    given = inspect.signature(factory).parameters.get("embedder")
    model = options.get("embedder", None if given is None else given.default)
    if model in plugins.names(plugins.EMBEDDERS):
        roots.append(str(plugins.load(plugins.EMBEDDERS, model).__module__))
    sources: dict[str, bytes] = {}
    libraries: set[str] = set()
    for root in roots:
        _gather(root, _family(root), sources, libraries)
    listed = sorted(sources.items())
    return {
        "source": of_parts(part for pair in listed for part in pair),
        "libraries": {n: v for lib in sorted(libraries) for n, v in _versions(lib).items()},
    }


def _family(module: str) -> str:
    """The package whose modules belong to a back end's code."""
    return _OWN if module.startswith(f"{_OWN}.") else module.partition(".")[0]


def _gather(module: str, family: str, sources: dict[str, bytes], libraries: set[str]) -> None:
    text = _source(module)
    if module in sources or text is None:
        return
    sources[module] = text
    for name in _imported(text, module):
        if name == family or name.startswith(f"{family}."):
            _gather(name, family, sources, libraries)
        elif name.partition(".")[0] not in (*sys.stdlib_module_names, *_ELSEWHERE):
            libraries.add(name.partition(".")[0])


def _source(module: str) -> bytes | None:
    try:
        spec = find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin).read_bytes()


@cache
def _imported(source: bytes, module: str) -> tuple[str, ...]:
    """The modules that a source names, imports inside functions too."""
    return tuple(_names(source, module))


def _names(source: bytes, module: str) -> Iterator[str]:
    package = module.split(".")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level]] if node.level else []
            whole = ".".join([*base, *([node.module] if node.module else [])])
            yield whole
            yield from (f"{whole}.{alias.name}" for alias in node.names)


@cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()


def _versions(library: str) -> dict[str, str]:
    """{package: version} of what is imported under a name; none where it is not installed."""
    found = {}
    for package in _distributions().get(library, ()):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # removed while we looked
            continue
    return found
