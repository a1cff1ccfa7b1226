"""What a model is asked: the messages of one call, and the JSON it is to answer with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.data.texts import text_of
from cranfield.errors import UsageError
from cranfield.judging.llm.data import Shown, fenced, hides, mark_for, shown
from cranfield.judging.llm.members import check_members
from cranfield.judging.llm.phrases import VERSION, phrase
from cranfield.judging.llm.rubric import Rubric
from cranfield.kit.fingerprint import of_mapping, of_parts

ANSWERS = ("json", "token")
UNSEEN = "unseen 2"  # to be raised where such characters are shown otherwise: asks for those again


@dataclass(frozen=True)
class Asking:
    """Everything that decides what a model is asked, apart from the documents.

    Parameters
    ----------
    rubric : what it judges by.
    answer : `json`, an object; `token`, one token, whose probabilities are read.
    batch : documents in one call.
    samples : answers to the same prompt; their majority is taken where labels are exported.
    temperature : 0 for one answer as sure as can be.
    seed : of the order of documents in batches and of preferences, and of samples.
    max_chars : a document is cut after so many characters; None cuts none.
    max_tokens : of an answer; None: enough for what is asked.
    fields : further fields of a query that are shown.
    more : further members of every request, such as {"top_p": 0.9}; None leaves out one that is
        set here, such as {"temperature": None}.
    documents_first : the documents stand before the task, the grades and the query, so that the
        last word is ours and not that of a document that asks for a grade. Otherwise they stand
        behind them, and a server can keep the first part of the prompt from call to call.
    """

    rubric: Rubric
    answer: str = "json"
    batch: int = 1
    samples: int = 1
    temperature: float = 0.0
    seed: int = 0
    max_chars: int | None = 8000
    max_tokens: int | None = None
    fields: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict, hash=False)
    documents_first: bool = True

    def __post_init__(self) -> None:
        if self.answer not in ANSWERS:
            raise UsageError(f"no answer {self.answer!r}", f"one of {', '.join(ANSWERS)}")
        if self.batch < 1 or self.samples < 1 or not 0 <= self.temperature < math.inf:
            raise UsageError("batch and samples are 1 or more, temperature is 0 or more")
        if self.max_chars is not None and self.max_chars < 1:
            raise UsageError(f"max_chars is {self.max_chars}", "1 or more")
        preference = self.rubric.kind == "preference"
        if self.answer == "token" and (self.batch > 1 or self.rubric.reason or preference):
            raise UsageError(
                "one token holds one grade: no reason, no batch and no preference",
                "answer `json`, or a rubric such as grades-en",
            )
        if preference and self.batch > 1:
            raise UsageError("a preference is asked of two documents, so there are no batches")
        if self.samples > 1 and (self.temperature == 0 or self.answer == "token"):
            raise UsageError(
                "several samples of what is always the same say nothing more",
                "a temperature above 0, for example 0.7, and the answer `json`",
            )
        check_members(self.more, seeded=self.samples > 1)

    @property
    def prompt(self) -> str:
        """The fingerprint of the prompt: of everything here."""
        return of_mapping(self.record())[:12]

    def record(self) -> dict[str, Any]:
        """For provenance: what is asked and how, with the words of it. The seed counts where it
        decides something."""
        drawn = self.batch > 1 or self.samples > 1
        return {
            "rubric": self.rubric.version,
            "system": system_of(self),
            "form": VERSION,
            "answer": self.answer,
            "batch": self.batch,
            "samples": self.samples,
            "temperature": self.temperature,
            "max_chars": self.max_chars,
            "max_tokens": self.max_tokens,
            "fields": list(self.fields),
            "more": dict(self.more),
            **({"seed": self.seed} if drawn else {}),
            **({"documents_first": True, "after": _rules(self)} if self.documents_first else {}),
        }


@dataclass(frozen=True)
class Call:
    """One request.

    Parameters
    ----------
    system, user : the two messages.
    schema : of the answer; None for one token.
    max_tokens : of the answer.
    documents : as they are shown, in order.
    mark : of the fences.
    """

    system: str
    user: str
    schema: Mapping[str, Any] | None
    max_tokens: int
    documents: tuple[Shown, ...]
    mark: str

    @property
    def messages(self) -> list[dict[str, str]]:
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]


def system_of(asking: Asking) -> str:
    """What is the same in every call: the task, the grades, that documents are data."""
    if asking.documents_first:
        return asking.rubric.task
    parts = [_rules(asking)]
    if asking.batch == 1:
        parts.append(_form(asking, 1))
    return "\n\n".join(parts)


def _rules(asking: Asking) -> str:
    rubric = asking.rubric
    parts = [rubric.task]
    if rubric.grades:
        listed = "\n".join(f"{g.grade} ({g.name}): {g.text}" for g in rubric.grades)
        parts.append(f"{phrase('grades', rubric.lang)}\n{listed}")
    parts.append(phrase("data", rubric.lang))
    if asking.max_chars is not None:
        parts.append(phrase("cut", rubric.lang))
    return "\n\n".join(parts)


def call_for(
    asking: Asking,
    query: Query,
    documents: Sequence[Document],
    reference: Document | None = None,
) -> Call:
    """One request about these documents; for a preference, the first of the two is A."""
    lang = asking.rubric.lang
    asked = shown(query.text)
    extra = [
        (name, shown(str(query.fields[name]))) for name in asking.fields if query.fields.get(name)
    ]
    known = None if reference is None else shown(text_of(reference), asking.max_chars)
    texts = tuple(shown(text_of(d), asking.max_chars) for d in documents)
    every = [asked, *(s for _, s in extra), *texts, *([] if known is None else [known])]
    mark = mark_for([s.text for s in every])
    parts = [f"{phrase('query', lang)}\n{fenced('query', asked.text, mark)}"]
    for name, text in extra:
        parts.append(f"{phrase('field', lang, name=name)}\n{fenced('query', text.text, mark)}")
    material = []
    if known is not None:
        material.append(f"{phrase('known', lang)}\n{fenced('known', known.text, mark)}")
    for n, text in enumerate(texts):
        title = _title(asking, n)
        material.append(f"{title}\n{fenced('document', text.text, mark)}")
    if asking.documents_first:
        parts = [*material, phrase("ended", lang), _rules(asking), *parts]
    else:
        parts += material
    parts.append(_form(asking, len(documents)))
    most = asking.max_tokens or _enough(asking, len(documents))
    schema = None if asking.answer == "token" else schema_for(asking, len(documents))
    return Call(system_of(asking), "\n\n".join(parts), schema, most, texts, mark)


def key_of(
    asking: Asking,
    model: str,
    query: Query,
    documents: Sequence[Document],
    reference: Document | None = None,
    sample: int = 0,
) -> str:
    """The fingerprint of a question: the model, the prompt, the number of the sample, and the
    whole texts, cut or not. Ids do not count."""
    fields = [str(query.fields.get(name, "")) for name in asking.fields]
    known = "" if reference is None else text_of(reference)
    texts = [text_of(d) for d in documents]
    told = [query.text, *fields, known, *texts]
    parts = [model, asking.prompt, str(sample), *told]
    parts += [UNSEEN] if any(map(hides, told)) else []
    return of_parts(part.encode("utf-8", "surrogatepass") for part in parts)[:16]


def schema_for(asking: Asking, n: int) -> dict[str, Any]:
    """The JSON schema of an answer about n documents."""
    rubric = asking.rubric
    reason: dict[str, Any] = {"reason": {"type": "string"}} if rubric.reason else {}
    if rubric.kind == "preference":
        return _object({**reason, "better": {"type": "string", "enum": ["A", "B", "tie"]}})
    grade = {"type": "integer", "enum": list(rubric.scale)}
    if asking.batch == 1:
        return _object({**reason, "grade": grade})
    number = {"type": "integer", "enum": list(range(1, n + 1))}
    one = _object({"document": number, **reason, "grade": grade})
    return _object({"grades": {"type": "array", "items": one, "minItems": n, "maxItems": n}})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _form(asking: Asking, n: int) -> str:
    rubric = asking.rubric
    scale = ", ".join(map(str, rubric.scale))
    reason = ".reason" if rubric.reason else ""
    if rubric.kind == "preference":
        return phrase(f"answer.preference{reason}", rubric.lang)
    if asking.answer == "token":
        return phrase("answer.token", rubric.lang, scale=scale)
    if asking.batch == 1:
        return phrase(f"answer.grade{reason}", rubric.lang, scale=scale)
    inner = '"reason": "...", "grade": G' if rubric.reason else '"grade": G'
    return phrase("answer.batch", rubric.lang, n=n, scale=scale, inner=inner)


def _title(asking: Asking, n: int) -> str:
    lang = asking.rubric.lang
    if asking.rubric.kind == "preference":
        return phrase("letter", lang, n="AB"[n])
    return phrase("document", lang) if asking.batch == 1 else phrase("documents", lang, n=n + 1)


def _enough(asking: Asking, n: int) -> int:
    """Tokens for the JSON of an answer, with room for blanks; more for reasons."""
    if asking.answer == "token":
        return 1
    return 40 + n * (300 if asking.rubric.reason else 30)
