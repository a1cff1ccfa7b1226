"""What other people's tests need: the contracts that back ends, ours or a stranger's, have to
keep to, and a release check as an assertion.

>>> from cranfield.testing import assert_not_worse, check_embedder, check_reranker, check_system
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.testing.assertions import assert_not_worse
    from cranfield.testing.models import check_embedder, check_reranker
    from cranfield.testing.systems import check_system

__all__ = ["assert_not_worse", "check_embedder", "check_reranker", "check_system"]
_HOME = {
    "assert_not_worse": "assertions",
    "check_embedder": "models",
    "check_reranker": "models",
    "check_system": "systems",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'cranfield.testing' has no attribute {name!r}")
    return getattr(import_module(f"cranfield.testing.{_HOME[name]}"), name)
