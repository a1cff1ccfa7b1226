"""A model judges: the plan and what it costs, the questions, and what is kept of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from cranfield import __version__
from cranfield.judging.judgment import Judgment, Wanted
from cranfield.judging.labels import Labels
from cranfield.judging.llm.ask import Answered, Asker
from cranfield.judging.llm.conduct import Tally, conduct
from cranfield.judging.llm.meter import Estimate, Meter, Prices, estimate
from cranfield.judging.llm.prompt import Asking, Call, system_of
from cranfield.judging.llm.rows import Signed
from cranfield.judging.llm.tasks import Item, Plan, Row, plan
from cranfield.judging.preferences import Preference, current_preferences, record_preferences
from cranfield.kit.chat import Chat
from cranfield.kit.progress import progress
from cranfield.kit.retry import Backoff

TABLE = "askings"


@dataclass(frozen=True)
class Prepared:
    """What would be done.

    Parameters
    ----------
    items : to be judged.
    plan : what of it has to be asked.
    cost : of that.
    left_out : {why: pairs that were passed over}, see `Chosen`.
    assessor : a name for the judge's role, under which its answers are kept.
    collection : its name.
    """

    items: tuple[Item, ...]
    asking: Asking
    model: str
    plan: Plan
    cost: Estimate
    left_out: Mapping[str, int] = field(default_factory=dict)
    assessor: str = ""
    collection: str = ""

    def first(self) -> Call | None:
        """The first question, to look at."""
        return self.plan.tasks[0].call(self.asking) if self.plan.tasks else None


@dataclass(frozen=True)
class Judged:
    """What was done.

    Parameters
    ----------
    tally : of the questions.
    meter : calls and tokens.
    cost : in the currency of the prices; None without any.
    copied : rows made without a call, from answers about the same texts.
    way : how JSON was asked for.
    loose : answers that kept to no schema although the server takes one.
    """

    tally: Tally
    meter: Meter
    cost: float | None
    copied: int
    way: str | None
    loose: int


def prepare(
    items: Sequence[Item],
    asking: Asking,
    model: str,
    labels: Labels | None,
    *,
    failed_again: bool = True,
    assessor: str = "",
) -> Prepared:
    """The plan, given what the store holds already; nothing is asked or written. An answer that
    is there under another name of the same model is taken for this one without a call."""
    known: Sequence[Row] = ()
    if labels is not None:
        wanted = Wanted(sources=("llm",), models=(model,), prompts=(asking.prompt,))
        preference = asking.rubric.kind == "preference"
        known = current_preferences(labels, wanted) if preference else labels.current(wanted)
    made = plan(items, asking, model, known, failed_again=failed_again, assessor=assessor)
    with progress("estimating", len(made.tasks)) as advance:

        def calls() -> Iterator[Call]:
            for task in made.tasks:
                yield task.call(asking)
                advance(1)

        cost = estimate(calls())
    return Prepared(tuple(items), asking, model, made, cost, assessor=assessor)


def judge(
    prepared: Prepared,
    chat: Chat,
    labels: Labels,
    *,
    meter: Meter | None = None,
    prices: Prices | None = None,
    at_once: int = 1,
    backoff: Backoff | None = None,
    about: Mapping[str, Any] | None = None,
) -> Judged:
    """Ask, and keep every answer as it comes.

    A work that was interrupted goes on when it is prepared again: what is in the store is not
    asked again.

    Parameters
    ----------
    at_once : questions under way.
    about : for provenance, with what is asked: collection, runs, command.

    Raises
    ------
    As `conduct`. What was answered before is in the store.
    """
    asking, made = prepared.asking, prepared.plan
    meter = meter or Meter()
    asker = Asker(chat, asking, meter, backoff)
    begun = _note(labels, asking, {"began": _record(prepared, chat, at_once, about)})
    sign = Signed(chat.model, asking, prepared.assessor, begun)
    _keep(labels, [sign.copy(*one) for one in made.copied])
    tally = Tally(len(made.tasks))
    ended = "interrupted"

    def keep(answered: Answered) -> None:
        _keep(labels, list(sign.rows(answered)))

    try:
        with progress("judging", len(made.tasks)) as advance:
            tally = conduct(made.tasks, asker, keep, at_once=at_once, advance=advance, tally=tally)
        ended = tally.stopped or "done"
    except Exception as e:
        ended = str(e)
        raise
    finally:
        cost = (prices or Prices()).of(meter.tokens_in, meter.tokens_out)
        said = {
            "ended": ended,
            "of": begun,
            "way": asker.way,
            "calls": meter.calls,
            "tokens_in": meter.tokens_in,
            "tokens_out": meter.tokens_out,
            "tokens_guessed_of_calls": meter.unsaid,
            "cost": cost,
            "copied": len(made.copied),
            **tally.record(),
        }
        _note(labels, asking, said)
    return Judged(tally, meter, cost, len(made.copied), asker.way, asker.loose)


def askings(labels: Labels) -> list[dict[str, Any]]:
    """What models were asked and what came of it, in the order in which it happened."""
    rows = labels.database.rows(TABLE, {})
    return [{**row, "content": json.loads(row["content"])} for row in rows]


def _record(
    prepared: Prepared, chat: Chat, at_once: int, about: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What is asked of whom, in full: from it the prompt of a label can be read years later."""
    asking = prepared.asking
    return {
        "cranfield": __version__,
        "url": chat.where,
        "model": chat.model,
        **asking.record(),
        "rubric_in_full": asdict(asking.rubric),
        "system": system_of(asking),
        "items": len(prepared.items),
        "questions": len(prepared.plan.tasks),
        "kept": prepared.plan.kept,
        "at_once": at_once,
        "estimate": asdict(prepared.cost),
        **(about or {}),
    }


def _note(labels: Labels, asking: Asking, content: Mapping[str, Any]) -> int:
    text = json.dumps(content, ensure_ascii=True, sort_keys=True, default=str)
    row = {"at": labels.time(), "prompt": asking.prompt, "content": text}
    return labels.database.add(TABLE, [row])[0]


def _keep(labels: Labels, rows: Sequence[Row]) -> None:
    labels.record([row for row in rows if isinstance(row, Judgment)])
    record_preferences(labels, [row for row in rows if isinstance(row, Preference)])
