"""What a file of labels does not say itself, and what every reader of one hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cranfield.data.collection import Query
from cranfield.errors import FormatError, InputError
from cranfield.judging.judgment import SOURCES, Judgment, Source, State
from cranfield.judging.preferences import Preference
from cranfield.kit.clock import kept


@dataclass(frozen=True)
class Brought:
    """What the rows of one file are to a store.

    Parameters
    ----------
    new : rows that were added.
    there : rows that the store had already.
    changed : pairs of a judge who had judged them, for which something else counts now.
    """

    new: int
    there: int
    changed: int


@dataclass(frozen=True)
class Origin:
    """For rows that do not say it themselves.

    Parameters
    ----------
    source, assessor, model, prompt, rubric, at : as in `Judgment`.
    """

    source: Source = "imported"
    assessor: str = ""
    model: str = ""
    prompt: str = ""
    rubric: str = ""
    at: str = ""


@dataclass(frozen=True, eq=False)
class Found:
    """The judgments of a file, or the preferences.

    Parameters
    ----------
    preferences : only in a file that was written as rows of a label store, without judgments.
    form : the format it was read as.
    notes : what was passed over or recognised, in words.
    brought : what it is to the store that it was added to, once it was.
    """

    judgments: tuple[Judgment, ...]
    form: str
    notes: tuple[str, ...] = ()
    preferences: tuple[Preference, ...] = ()
    brought: Brought | None = None


@dataclass(eq=False)
class Rows:
    """Judgments as they are read, one after another, each with its place in the file."""

    file: str
    origin: Origin
    texts: TextIds
    judgments: list[Judgment] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)

    def add(
        self,
        query: str,
        doc: str,
        grade: float | None,
        line: int | None = None,
        *,
        state: State = "graded",
        source: str = "",
        assessor: str = "",
        reason: str = "",
        model: str = "",
        prompt: str = "",
        rubric: str = "",
        at: str = "",
        by_text: bool = False,
    ) -> None:
        """`by_text`: the query is given by its text, and by its id only where no queries are
        known."""
        origin = self.origin
        if source and source not in SOURCES:
            raise FormatError(
                f"no source {source!r}", f"one of {', '.join(SOURCES)}", file=self.file, line=line
            )
        name = self.texts.id_of(query, self.file, line) if by_text else query
        try:
            made = Judgment(
                name,
                doc,
                grade,
                state=state,
                source=source or origin.source,
                assessor=assessor or origin.assessor,
                model=model or origin.model,
                prompt=prompt or origin.prompt,
                rubric=rubric or origin.rubric,
                reason=reason,
                at=kept(at) if at else origin.at,
            )
        except InputError as e:
            raise FormatError(e.message, e.hint, file=self.file, line=line) from None
        except ValueError:
            raise FormatError(
                f"{at!r} is no time", "such as 2026-01-31T12:00:00Z", file=self.file, line=line
            ) from None
        self.judgments.append(made)
        self.lines.append(line)


class TextIds:
    """Ids of queries by their texts, for tools that know no ids.

    Parameters
    ----------
    queries : None where none are known: a text is then its own id.
    """

    def __init__(self, queries: Sequence[Query] | None) -> None:
        self._ids: dict[str, list[str]] | None = None
        self.texts: Mapping[str, str] = {}
        if queries is not None:
            self._ids = {}
            for query in queries:
                self._ids.setdefault(" ".join(query.text.split()), []).append(query.id)
            self.texts = {query.id: query.text for query in queries}

    def id_of(self, text: str, file: str, line: int | None) -> str:
        if self._ids is None:
            return text
        found = self._ids.get(" ".join(text.split()), [])
        if len(found) == 1:
            return found[0]
        if not found and text in self.texts:  # it was an id after all
            return text
        what = "is the text of no query" if not found else f"is the text of {' and '.join(found)}"
        raise FormatError(
            f"{text!r} {what}", "the queries given must be those judged", file=file, line=line
        )

    def text_of(self, query: str) -> str:
        """The text where it is known, else the id."""
        return self.texts.get(query, query)
