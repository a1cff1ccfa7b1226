"""An evaluation inside a lab: with its defaults, on a part of the queries, ready to be recorded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.comparison.outcome import Remark
from cranfield.data.collection import Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.scores import Scores
from cranfield.errors import UsageError
from cranfield.evaluation.evaluate import DEFAULT_MEASURES, evaluate
from cranfield.evaluation.settings import check
from cranfield.experiment.entries import About
from cranfield.experiment.sources import (
    card_of,
    given_runs,
    only_strangers,
    restricted,
    shown_path,
)
from cranfield.experiment.splits import Split, fingerprint_of
from cranfield.formats.inputs import Input
from cranfield.formats.readers import IRDS, read_collection, read_qrels, refuse_split
from cranfield.formats.sources import RunSource
from cranfield.formats.topics import read_queries

if TYPE_CHECKING:
    from cranfield.experiment.lab import Lab

PARTS = ("dev", "test")


@dataclass(frozen=True)
class Conducted:
    """Scores, what to record of them, what to say, and what they were made from: all judgments
    and the runs."""

    scores: Scores
    about: About
    remarks: tuple[Remark, ...]
    judged: Qrels | TestCollection
    sources: tuple[RunSource, ...]


def conduct(
    lab: Lab,
    runs: Any,
    measures: Any = None,
    *,
    qrels: Any = None,
    queries: Iterable[Query] | str | None = None,
    split: str | None = None,
    config: Mapping[str, Any] | None = None,
    **options: Any,
) -> Conducted:
    """Score runs with the defaults of a lab; nothing is written.

    Parameters
    ----------
    qrels, queries : where they are not those of cranfield.toml
    split : `dev` or `test` of the frozen split; where none is made, or for another name, which
        qrels of a BEIR folder
    config : how the one run was made, over what its card says
    options : arguments of `cranfield.evaluate`, over the settings of cranfield.toml
    """
    options = {**lab.config.settings, **options}
    policy = options.get("on_duplicate", "error")
    check("on_duplicate", policy)
    all_errors = bool(options.get("all_errors", False))
    part = split if split in PARTS and lab.split is not None else None
    name = lab.config.collection if qrels is None else qrels
    file = split if part is None and split is not None else None
    if file is None and qrels is None:
        file = lab.config.qrels_split
    judged = judged_by(lab, name, options.pop("qrels_format", None), policy, all_errors, file)
    everything = judged.qrels if isinstance(judged, TestCollection) else judged
    given = given_runs(runs, options.pop("run_format", None), policy, all_errors)
    if config and len(given) != 1:
        raise UsageError(
            f"one configuration for {len(given)} runs", "evaluate them one by one, or write cards"
        )
    remarks: list[Remark] = []
    side = _side(lab.split, part, everything, remarks)
    scores = evaluate(
        judged if side is None else restricted(judged, side, str(part)),
        [g.source for g in given],
        measures if measures else lab.config.measures or DEFAULT_MEASURES,
        queries=_queries(lab, queries, qrels),
        **options,
    )
    if side is not None:
        scores = only_strangers(scores, everything)
    about = About(
        qrels=_name_of(name, lab),
        qrels_fingerprint=everything.fingerprint(),
        paths=tuple(
            None if g.path is None else shown_path(g.path, lab.config.folder) for g in given
        ),
        fingerprints=tuple(g.fingerprint() for g in given),
        cards=tuple(card_of(g, config or {}) for g in given),
        split=part,
        split_fingerprint=None if side is None else fingerprint_of(side),
    )
    remarks += [Remark("lab.card", {"note": note}) for card in about.cards for note in card.notes]
    sources = tuple(g.source for g in given)
    return Conducted(scores, about, tuple(remarks), judged, sources)


def judged_by(
    lab: Lab, name: Any, form: str | None, policy: Any, all_errors: bool, file: str | None
) -> Qrels | TestCollection:
    """The judgments, with documents and queries where they come along."""
    if name is None:
        raise UsageError(
            f"no judgments: {lab.config.path} names no collection",
            "name it there, or give qrels (--qrels)",
        )
    if isinstance(name, (Qrels, TestCollection)):
        return name
    if isinstance(name, (str, os.PathLike)):
        text = os.fspath(name)
        if text.startswith(IRDS) or os.path.isdir(text):
            return read_collection(text, split=file, on_duplicate=policy)
        refuse_split(text, file)
    return read_qrels(name, format=form, on_duplicate=policy, all_errors=all_errors)


def _side(
    split: Split | None, part: str | None, judged: Qrels, remarks: list[Remark]
) -> Mapping[str, str] | None:
    """The queries of a part, and a remark on those that nobody has judged."""
    if split is None or part is None:
        return None
    side = split.part(part)
    known = set(judged.queries.to_list())
    bare = [q for q in side if q not in known]
    if bare:
        values = {"n": len(bare), "of": len(side), "part": part, "some": ", ".join(bare[:5])}
        remarks.append(Remark("lab.unjudged_part", values))
    new = [q for q in known if q not in split.test and q not in split.dev and q not in split.held]
    if new:
        some = ", ".join(sorted(new)[:5])
        remarks.append(Remark("lab.outside_split", {"n": len(new), "some": some}))
    return side


def _queries(lab: Lab, queries: Iterable[Query] | str | None, qrels: Any) -> Any:
    """Queries with fields: those given, those of the lab with its own judgments, or none."""
    if isinstance(queries, (str, os.PathLike)):
        return read_queries(Input(queries))
    if queries is not None:
        return tuple(queries)
    return read_queries(Input(lab.config.queries)) if qrels is None and lab.config.queries else None


def _name_of(name: Any, lab: Lab) -> str:
    """What the judgments are called: a path from the folder of the lab, or their own name."""
    if isinstance(name, (str, os.PathLike)):
        text = os.fspath(name)
        return shown_path(text, lab.config.folder) if os.path.exists(text) else text
    return str(getattr(name, "name", "python"))
