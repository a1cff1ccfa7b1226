"""The nouns: judgments, runs, collections and scores, as frozen columns."""

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run

__all__ = ["Document", "Ids", "Qrels", "Query", "Run", "TestCollection"]
