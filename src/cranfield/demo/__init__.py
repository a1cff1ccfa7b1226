"""The bundled bilingual collection, and the demo that judges a system on it."""

from cranfield.demo.demo import DemoFolder, collection, make_demo

__all__ = ["DemoFolder", "collection", "make_demo"]
