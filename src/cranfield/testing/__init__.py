"""Contract kits: what any back end, ours or a stranger's, has to keep to. Use them in your tests.

>>> from cranfield.testing import check_embedder, check_reranker, check_system
"""

from cranfield.testing.models import check_embedder, check_reranker
from cranfield.testing.systems import check_system

__all__ = ["check_embedder", "check_reranker", "check_system"]
