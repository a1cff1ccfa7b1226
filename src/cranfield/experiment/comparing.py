"""A comparison inside a lab: of what was recorded, of files, or of both."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.comparison.compare import compare_scores
from cranfield.comparison.material import Material
from cranfield.comparison.outcome import Comparison, Remark
from cranfield.comparison.results import with_results
from cranfield.data.collection import TestCollection
from cranfield.errors import CranfieldError, UsageError
from cranfield.experiment.conduct import PARTS, judged_by
from cranfield.experiment.entries import About
from cranfield.experiment.lab import Lab
from cranfield.experiment.references import Reference, is_reference, merged
from cranfield.formats.readers import open_run
from cranfield.kit.fingerprint import of_file


@dataclass(frozen=True)
class Compared:
    """A comparison, and what a lab says of it."""

    found: Comparison
    remarks: tuple[Remark, ...]


def compare_in_lab(
    lab: Lab,
    arguments: Sequence[str],
    measures: Sequence[str] = (),
    *,
    by: Sequence[str] = (),
    top: int = 5,
    k: int = 10,
    command: str = "python",
    choices: Mapping[str, Any] | None = None,
    **options: Any,
) -> Compared:
    """Compare the first of `arguments` with the others.

    Parameters
    ----------
    arguments : run files and references such as `@2`; files are evaluated and recorded, in one
        evaluation, or beside references one by one on the same queries and with their settings
    choices : fields of `Choices`
    options : arguments of `Lab.conduct`

    Raises
    ------
    UsageError
        Fewer than two runs, a file given twice, recorded evaluations that are not comparable.
    """
    chosen = dict(choices or {})
    seed = chosen.get("seed")
    references = [a for a in arguments if is_reference(a)]
    if not references:
        return _of_files(lab, arguments, measures, by, top, k, command, seed, chosen, options)
    if len(references) == len(arguments):
        typed = [o for o, v in options.items() if o != "queries" and v not in (None, False, True)]
        if typed:
            raise UsageError(
                f"{typed[0]} is for an evaluation; recorded scores have been made already"
            )
    names, remarks = _recorded_all(lab, arguments, measures, command, seed, options)
    scores, found, cards = merged(lab.ledger, names, measures)
    result = compare_scores(scores, by=by, cards=cards, texts=_texts(lab), top=top, **chosen)
    result, about = _with_lists(lab, result, found, k)
    if len(references) == len(arguments) and lab.test_seen(scores) is not None:
        prints = tuple(r.fingerprint for _, r in _runs(lab, found))
        first = lab.ledger.entry(found[0].id)
        paths = (None,) * len(prints)
        lab.look(
            scores.runs,
            About(first.qrels, first.qrels_fingerprint, paths, prints, cards, command),
        )
        remarks += lab.look_remarks()
    return _told(result, (*remarks, *about))


def _of_files(
    lab: Lab,
    files: Sequence[str],
    measures: Sequence[str],
    by: Sequence[str],
    top: int,
    k: int,
    command: str,
    seed: int | None,
    choices: Mapping[str, Any],
    options: Mapping[str, Any],
) -> Compared:
    real = [os.path.realpath(f) for f in files]
    twice = next((f for f, r in zip(files, real, strict=True) if real.count(r) > 1), None)
    if twice is not None:
        raise UsageError(f"{twice} is given twice", "a base and other runs, each once")
    if len(files) < 2:
        raise UsageError("one run and nothing to compare it with", "give a base and a run")
    done = lab.conduct(list(files), measures, seed=seed, command=command, **options)
    result = compare_scores(
        done.scores, by=by, cards=done.made.about.cards, texts=_texts(lab), top=top, **choices
    )
    threads = min(4, os.cpu_count() or 1)
    queries = _queries(done.made.judged)
    material = Material(done.made.judged, queries, done.made.sources, tuple(files), threads)
    return _told(with_results(result, material, k), done.remarks)


def _told(result: Comparison, remarks: Sequence[Remark]) -> Compared:
    """How often the test was looked at stands among the cautions, in every form of report."""
    looks = tuple(r for r in remarks if r.key in ("lab.looks", "lab.tuning"))
    # of several looks in one call the last count is the one that holds
    looks = tuple({r.key: r for r in looks}.values())
    others = tuple(r for r in remarks if r.key not in ("lab.looks", "lab.tuning"))
    return Compared(replace(result, cautions=(*result.cautions, *looks)), (*others, *looks))


def _recorded_all(
    lab: Lab,
    arguments: Sequence[str],
    measures: Sequence[str],
    command: str,
    seed: int | None,
    options: Mapping[str, Any],
) -> tuple[list[str], list[Remark]]:
    """References for all arguments: files are evaluated as the first reference was."""
    like = lab.entry(next(a for a in arguments if is_reference(a)))
    asked = list(measures) or [m.text for m in like.measures]
    same = {**like.settings, **({"split": like.split} if like.split in PARTS else {})}
    names: list[str] = []
    remarks: list[Remark] = []
    fixed = {a: lab.resolve(a) for a in arguments if is_reference(a)}  # @last is about to move
    for argument in arguments:
        if (there := fixed.get(argument)) is not None:
            names.append(f"@{there.id}" + (f":{there.run}" if there.run is not None else ""))
            continue
        done = lab.conduct([argument], asked, seed=seed, command=command, **{**same, **options})
        remarks += done.remarks
        if done.id is None:
            raise UsageError(
                f"{argument} was not recorded and cannot be compared with references",
                "let it be recorded (no --no-record), or compare two files",
            )
        names.append(f"@{done.id}")
    return names, remarks


def _runs(lab: Lab, found: Sequence[Reference]) -> list[tuple[int, Any]]:
    """(number of the evaluation, run) of each run in the order of the merged scores."""
    return [
        (ref.id, run)
        for ref in found
        for run in lab.ledger.entry(ref.id).runs
        if ref.run is None or run.name == ref.run
    ]


def _with_lists(
    lab: Lab, result: Comparison, found: Sequence[Reference], k: int
) -> tuple[Comparison, list[Remark]]:
    """The result lists beside the changes, where all files and the judgments are still what they
    were; else a remark that says why there are none."""
    if k <= 0 or not result.changes:
        return result, []
    paths = []
    for number, run in _runs(lab, found):
        path = None if run.path is None else os.path.join(lab.config.folder, run.path)
        if path is None or not os.path.exists(path):
            return result, [Remark("lab.list_gone", {"id": number, "run": run.name})]
        if of_file(path) != run.fingerprint:
            return result, [Remark("lab.list_changed", {"id": number, "run": run.path})]
        paths.append(path)
    entry = lab.ledger.entry(found[0].id)
    try:
        name = entry.qrels
        inside = os.path.join(lab.config.folder, name)
        place = inside if os.path.exists(inside) else name
        judged = judged_by(
            lab,
            place,
            None,
            lab.config.settings.get("on_duplicate", "error"),
            False,
            lab.config.qrels_split,
        )
    except CranfieldError:
        return result, [Remark("lab.list_qrels", {"qrels": entry.qrels})]
    qrels = judged.qrels if isinstance(judged, TestCollection) else judged
    if qrels.fingerprint() != entry.qrels_fingerprint:
        return result, [Remark("lab.list_qrels", {"qrels": entry.qrels})]
    policy = lab.config.settings.get("on_duplicate", "error")
    sources = tuple(
        open_run(path, name=run, on_duplicate=policy)
        for path, run in zip(paths, result.scores.runs, strict=True)
    )
    threads = min(4, os.cpu_count() or 1)
    material = Material(judged, _queries(judged), sources, tuple(paths), threads)
    return with_results(result, material, k), []


def _queries(judged: Any) -> tuple[Any, ...]:
    return judged.queries if isinstance(judged, TestCollection) else ()


def _texts(lab: Lab) -> dict[str, str]:
    """{query: text}; none where the collection is not there any more."""
    try:
        return {q.id: q.text for q in lab.queries if q.text}
    except CranfieldError:
        return {}
