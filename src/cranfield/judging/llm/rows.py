"""Rows of the label store from what a model answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cranfield.judging.judgment import Judgment
from cranfield.judging.llm.answer import Unreadable, Verdict
from cranfield.judging.llm.ask import Answered
from cranfield.judging.llm.prompt import Asking
from cranfield.judging.llm.tasks import Item, Row
from cranfield.judging.preferences import Preference


@dataclass(frozen=True)
class Signed:
    """Who judges: what stands in every row.

    Parameters
    ----------
    asking : number of the row that says what the model was asked; see `askings`.
    """

    model: str
    how: Asking
    assessor: str = ""
    asking: int = 0

    def row(
        self,
        item: Item,
        verdict: Verdict | Unreadable,
        sample: int,
        details: dict[str, Any],
        seconds: float | None,
    ) -> Row:
        """One row. An answer that could not be read is a row without a grade, and says why."""
        read = isinstance(verdict, Verdict)
        said = {"asking": self.asking, **details}
        said |= dict(verdict.details) if isinstance(verdict, Verdict) else {"error": str(verdict)}
        if item.reference is not None:
            said["reference"] = item.reference.id
        common: dict[str, Any] = {
            "state": "graded" if read else "failed",
            "source": "llm",
            "assessor": self.assessor,
            "model": self.model,
            "prompt": self.how.prompt,
            "sample": sample,
            "rubric": self.how.rubric.version,
            "reason": verdict.reason if isinstance(verdict, Verdict) else "",
            "seconds": None if seconds is None else round(seconds, 3),
            "details": {k: v for k, v in said.items() if v not in (None, "", 0)},
        }
        if self.how.rubric.kind == "preference":
            a, b = item.documents
            better = str(verdict.value).lower() if isinstance(verdict, Verdict) else None
            return Preference(item.query.id, a.id, b.id, better, **common)
        grade = float(verdict.value) if isinstance(verdict, Verdict) else None
        return Judgment(item.query.id, item.documents[0].id, grade, **common)

    def rows(self, answered: Answered) -> Iterator[Row]:
        """Of one question: for each of its items, and for those with the same texts."""
        task, n = answered.task, len(answered.task.items)
        shown = answered.call.documents
        pairs = zip(task.items, task.keys, answered.verdicts, strict=True)
        for place, (item, key, verdict) in enumerate(pairs):
            parts = shown if len(task.items) == 1 else shown[place : place + 1]
            details = {
                "asked": key,
                "way": answered.way,
                "chars": sum(s.chars for s in parts),
                "chars_cut": sum(s.cut for s in parts),
                "neutralised": sum(s.neutralised for s in parts),
                "tokens_in": _share(answered.tokens_in, place, n),
                "tokens_out": _share(answered.tokens_out, place, n),
                "batch": {"place": place + 1, "of": n, "first": task.keys[0]} if n > 1 else None,
                "reply": answered.reply,
            }
            yield self.row(item, verdict, task.sample, details, answered.seconds / n)
            for other in task.alike(place):
                details = details | {"tokens_in": None, "tokens_out": None}
                details |= {"same_texts_as": list(item.ids)}
                yield self.row(other, verdict, task.sample, details, None)

    def copy(self, item: Item, sample: int, row: Row) -> Row:
        """The row of another document with the same texts, or of another name of the same judge,
        for this one."""
        kept = {
            k: v
            for k, v in row.details.items()
            if k not in ("tokens_in", "tokens_out", "batch", "asking", "asking_there", "reference")
        }
        ids = (
            [row.query, row.doc] if isinstance(row, Judgment) else [row.query, row.doc_a, row.doc_b]
        )
        if isinstance(row, Judgment):
            assert row.grade is not None
            value: int | str = int(row.grade)
        else:
            value = str(row.better)
        details = {**kept, "same_answer_as": row.id, "same_texts_as": ids}
        return self.row(item, Verdict(value, row.reason), sample, details, None)


def _share(tokens: int | None, place: int, n: int) -> int | None:
    """What of the tokens of one call falls to one of its n rows; together they are all."""
    return None if tokens is None else tokens * (place + 1) // n - tokens * place // n
