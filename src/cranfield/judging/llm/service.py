"""A model at an address judges documents of a collection: what it would be asked, and asking it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from cranfield.data.collection import TestCollection
from cranfield.errors import NoSuchInput, UnknownName, UsageError
from cranfield.judging.judgment import Wanted
from cranfield.judging.labels import Labels, at_hand
from cranfield.judging.llm.judge import Judged, Prepared, prepare
from cranfield.judging.llm.judge import judge as judge_by
from cranfield.judging.llm.meter import Meter, Prices
from cranfield.judging.llm.prompt import Asking
from cranfield.judging.llm.rubric import Rubric, read_rubric
from cranfield.judging.llm.work import Which, choose
from cranfield.judging.preferences import current_preferences
from cranfield.kit.retry import Backoff

if TYPE_CHECKING:
    from cranfield.kit.chat import Chat

KEY = "CRANFIELD_LLM_KEY"  # the variable that holds the key, where none is named
Place = str | os.PathLike[str]
_OF_WHICH = {f.name for f in fields(Which)} - {"runs"}
_OF_ASKING = {f.name for f in fields(Asking)} - {"rubric"}


def prepare_judging(
    collection: TestCollection | Place,
    runs: Sequence[Place] = (),
    *,
    model: str,
    labels: Labels | Place | None = None,
    rubric: Rubric | str = "grades-en",
    split: str | None = None,
    failed_again: bool = True,
    assessor: str = "",
    **choices: Any,
) -> Prepared:
    """What a model would be asked and what that would cost; nothing is asked, nothing written.

    Parameters
    ----------
    collection : a BEIR folder, `irds:<id>`, or a `TestCollection` with documents. It needs
        judgments for `labelled` and where the rubric shows a relevant document.
    runs : files; their first documents are judged. Without runs `work_list` or `labelled` says
        what is.
    model : its name where it is served.
    labels : the label store, or where it is: what is answered there is not asked again; and with
        `unjudged`, as by default, nothing that people have labelled there (or that was imported
        without saying whose it is), unless it is `labelled` pairs that are to be judged.
    rubric : a bundled one by name, a file, or a `Rubric`; one of preferences asks which of two
        documents is better.
    split : which qrels of a BEIR folder.
    failed_again : ask again where an answer could not be read.
    assessor : a name for this judge's role. What the same model has answered to the same prompt
        under another name is kept under this one too, without a call.
    choices : the fields of `Which` (`depth`, `unjudged`, `work_list`, `labelled`, `sample`,
        `balanced`, `queries`) and of `Asking` (`answer`, `batch`, `samples`, `temperature`,
        `max_chars`, `max_tokens`, `fields`, `more`, `documents_first`); `seed` is of both.

    Raises
    ------
    UsageError
        A choice that does not exist, or two at odds.
    As `read_collection`, `read_rubric` and `choose`.
    """
    if odd := sorted(choices.keys() - _OF_WHICH - _OF_ASKING):
        known = ", ".join(sorted(_OF_WHICH | _OF_ASKING))
        raise UsageError(f"no choice {odd[0]!r}", f"choices: {known}")
    asked = rubric if isinstance(rubric, Rubric) else read_rubric(rubric)
    asking = Asking(asked, **{k: v for k, v in choices.items() if k in _OF_ASKING})
    which = Which(
        tuple(os.fspath(r) for r in runs),
        **{k: v for k, v in choices.items() if k in _OF_WHICH},
    )
    found = collection if isinstance(collection, TestCollection) else _read(collection, split)
    _known_fields(found, asking.fields)
    with contextlib.nullcontext() if labels is None else at_hand(labels) as store:
        people = frozenset() if store is None else _by_people(store, asked)
        chosen = choose(found, asked, which, people)
        made = prepare(
            chosen.items, asking, model, store, failed_again=failed_again, assessor=assessor
        )
    return replace(made, left_out=chosen.left_out, collection=found.name)


def _read(collection: Place, split: str | None) -> TestCollection:
    """With its judgments, which need not be there yet."""
    from cranfield.formats.readers import read_collection

    try:
        return read_collection(collection, split=split)
    except NoSuchInput:
        return read_collection(collection, judgments=False)


def _known_fields(found: TestCollection, fields: Sequence[str]) -> None:
    """Whether every field is one of some query."""
    known = dict.fromkeys(name for q in found.queries for name in q.fields)
    if strange := [name for name in fields if name not in known]:
        raise UnknownName(
            f"no query has a field {strange[0]!r}", f"fields: {', '.join(known) or 'none'}"
        )


def _by_people(labels: Labels, rubric: Rubric) -> frozenset[tuple[str, ...]]:
    """What people have graded, or which preferences they have; imported rows count as theirs."""
    wanted = Wanted(sources=("human", "imported"), states=("graded",))
    preference = rubric.kind == "preference"
    rows = current_preferences(labels, wanted) if preference else labels.current(wanted)
    return frozenset(row.pair for row in rows)


def judge(
    prepared: Prepared,
    labels: Labels | Place,
    url: str,
    *,
    key_env: str | None = None,
    ca_certs: str | None = None,
    at_once: int = 1,
    rate: float | None = None,
    timeout: float = 120.0,
    attempts: int = 4,
    max_calls: int | None = None,
    max_tokens: int | None = None,
    price_in: float | None = None,
    price_out: float | None = None,
    about: Mapping[str, Any] | None = None,
) -> Judged:
    """Ask what was prepared, and keep every answer in the label store as it comes.

    Parameters
    ----------
    labels : the label store, or where it is.
    url : the base address, such as `http://localhost:8080/v1`.
    key_env : the variable that holds the key; CRANFIELD_LLM_KEY by default, where it is set.
    ca_certs : a file with an authority to trust.
    at_once, rate : calls under way; calls a second at most.
    timeout, attempts : seconds of a call; how often one that fails is made.
    max_calls, max_tokens : where to stop.
    price_in, price_out : of a million tokens.
    about : more to keep of where this comes from.

    Raises
    ------
    UsageError
        The service refuses access.
    ServiceError
        It cannot be used. Questions without an answer are counted in `tally`; asking
        again asks only for those.
    MissingExtra
        The extra `http` is not installed.
    """
    chat = _chat(prepared, url, key_env, ca_certs, rate, timeout)
    with at_hand(labels) as store, contextlib.closing(chat):
        return judge_by(
            prepared,
            chat,
            store,
            meter=Meter(max_calls, max_tokens),
            prices=Prices(price_in, price_out),
            at_once=at_once,
            backoff=Backoff(attempts, seed=prepared.asking.seed),
            about=about,
        )


def _chat(
    prepared: Prepared,
    url: str,
    key_env: str | None,
    ca_certs: str | None,
    rate: float | None,
    timeout: float,
) -> Chat:
    from cranfield.kit.chat import Chat, completions
    from cranfield.kit.http import Client

    name = key_env or (KEY if KEY in os.environ else None)
    headers = {"Accept": "application/json"}
    headers |= {} if name is None else {"Authorization": f"Bearer {{env.{name}}}"}
    client = Client(timeout=timeout, headers=headers, ca_certs=ca_certs, rate=rate)
    return Chat(completions(url), prepared.model, client, prepared.asking.more)
