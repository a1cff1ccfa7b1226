"""What is wrong with a file, one message a place: the first ends the reading, or up to twenty are
listed when asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cranfield.errors import FormatError, InputError

MOST = 20


class ManyProblems(InputError):
    """Several problems of one file, listed together (`--all-errors`)."""

    def __init__(self, problems: list[FormatError]) -> None:
        self.problems = problems
        more = f"\n({MOST} problems listed; there may be more)" if len(problems) >= MOST else ""
        super().__init__("\n".join(str(p) for p in problems) + more)


@dataclass
class Problems:
    """Raises the first problem, or with `keep_going` gathers up to twenty."""

    keep_going: bool = False
    found: list[FormatError] = field(default_factory=list)

    def add(self, problems: Iterable[FormatError]) -> None:
        for problem in problems:
            if not self.keep_going:
                raise problem
            self.found.append(problem)
            if len(self.found) >= MOST:
                self.done()

    def done(self) -> None:
        """Raise if anything was gathered."""
        if len(self.found) == 1:
            raise self.found[0]
        if self.found:
            raise ManyProblems(self.found)
