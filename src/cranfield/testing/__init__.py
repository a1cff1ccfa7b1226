"""Contract kits: what any back end, ours or a stranger's, has to keep to. Use them in your tests.

>>> from cranfield.testing import check_system
"""

from cranfield.testing.systems import check_system

__all__ = ["check_system"]
