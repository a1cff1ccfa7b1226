"""A run, and judgments, looked at for each ailment in turn, as if those before were put right."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.diagnosis import ailments
from cranfield.diagnosis.ailments import Reference, chance, hits, share
from cranfield.diagnosis.asked import MOST_DEPTH
from cranfield.diagnosis.differing import ids_differ
from cranfield.diagnosis.duplicates import copies_of
from cranfield.diagnosis.finding import Cell, Finding
from cranfield.diagnosis.idforms import Match
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.put_right import elsewhere, run_of_lists, values_of, with_effect
from cranfield.diagnosis.queries import REL
from cranfield.diagnosis.repair import Repair, repaired_qrels, repaired_run, run_by_columns
from cranfield.errors import CranfieldError
from cranfield.evaluation.lists import Lists
from cranfield.formats.readers import read_qrels, read_run
from cranfield.formats.sources import RunColumns, RunFile, RunSource

FIXED = "FIXED"
PARTS = 4  # differences between ids that are looked for one after the other


@dataclass(frozen=True)
class Looked:
    """One run, or the judgments, with what was found."""

    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...]
    row: tuple[Cell, ...] = field(default=())


def reference(found: Examined) -> Reference:
    copies = copies_of(found)
    whole = copies is not None
    documents = copies.ids if copies is not None else tuple(dict.fromkeys(found.given.docs))
    relevant = {
        q: frozenset(d for d, g in docs.items() if g >= REL) for q, docs in found.grades.items()
    }
    return Reference(
        judged=frozenset(found.given.queries.to_list()),
        asked=tuple(q.id for q in found.collection.queries),
        documents=documents,
        whole=whole,
        relevant={q: docs for q, docs in relevant.items() if docs},
        splits={name: _queries_of(path) for name, path in found.paths.splits.items()},
        known=frozenset(documents),
    )


def _queries_of(path: str) -> frozenset[str]:
    try:
        return frozenset(read_qrels(path, on_duplicate="first").queries.to_list())
    except CranfieldError:
        return frozenset()  # another split that cannot be read explains nothing


def look_at_qrels(found: Examined, known: Reference) -> Looked:
    """Judgments whose ids are not those of the collection they are given with."""
    findings: list[Finding] = []
    repairs: list[Repair] = []
    queries = found.given.queries.to_list()
    docs = list(dict.fromkeys(found.given.docs.to_list()))
    asked = frozenset(known.asked)
    strange = known.whole and asked and share(queries, asked) < ailments.HALF
    if strange and min(share(docs, asked), share(queries, known.known)) >= ailments.HALF:
        findings.append(Finding("columns_swapped", "error", {"of": "qrels"}, "likely"))
        repairs.append(Repair("swap"))
        queries, docs = docs, queries
    for kind, names, there, against, able in (
        ("queries", queries, asked, "queries", bool(asked)),
        ("documents", docs, known.known, "corpus", known.whole),
    ):
        for _ in range(PARTS if able else 0):
            hit = ids_differ("qrels", kind, names, there, against, parts=kind == "documents")
            if hit is None:
                break
            findings.append(hit[0])
            repairs.append(Repair(kind, _only_lost(hit[1], there)))  # type: ignore[arg-type]
            names = list(dict.fromkeys(map(_only_lost(hit[1], there), names)))
    command = _command(found, None, "--write-qrels")
    findings = [replace(f, values={**f.values, "command": command}) for f in findings]
    if repairs and found.runs:
        better = repaired_qrels(found.given, repairs)[0]
        lists = found.lists(MOST_DEPTH)[0]
        findings = with_effect(findings, found, 0, better, lists, MOST_DEPTH)
    return Looked(tuple(findings), tuple(repairs))


def look_at_run(found: Examined, r: int, known: Reference, judged: Looked, depth: int) -> Looked:
    """One run against judgments (as they are once put right) and corpus."""
    given = found.lists(depth)[r]
    source, of, k = found.sources[r], found.runs[r], found.asked.k
    qrels = repaired_qrels(found.given, judged.repairs)[0] if judged.repairs else found.given
    if judged.repairs:
        known = _known_once_repaired(qrels, known)
    findings: list[Finding] = []
    repairs: list[Repair] = []
    lists: Lists = given

    def take(some: Iterator[tuple[Finding, Repair | None]]) -> None:
        nonlocal lists
        for finding, repair in some:
            findings.append(finding)
            if repair is not None:
                repairs.append(repair)
                lists = _lists_once(repair, lists, source)

    take(ailments.swapped(of, lists, known))
    take(ailments.other_columns(of, source, lists, known))
    take(_ids(of, "queries", list(lists), known))
    for _ in range(PARTS):
        before = len(repairs)
        take(_ids(of, "documents", _docs(lists), known, lists, k))
        if len(repairs) == before:
            break
    if not any(f.key == "ids_differ" for f in findings):
        take(ailments.moved_documents(of, lists, known, k))
    strange = tuple(elsewhere(f, found, r) for f in ailments.other_queries(of, lists, known))
    findings += strange
    take(_falling(found, r, repairs, qrels))
    if not strange and not any(r.what in ("documents", "negate") for r in repairs):
        take(ailments.moved_queries(of, lists, known, k))
    findings += _other_documents(of, lists, known, findings)
    findings = [with_command(f, found, r) for f in findings]
    if repairs and not all(r.what == "negate" for r in repairs):
        findings = with_effect(findings, found, r, qrels, lists, depth)
    relevant = hits(given, known.relevant, k, str)
    row = (of, share(given, known.judged), share(_docs(given), known.known), relevant)
    return Looked(tuple(findings), tuple(repairs), (*row, chance(given, known.relevant, k)))


def _known_once_repaired(qrels: Qrels, known: Reference) -> Reference:
    relevant: dict[str, set[str]] = {}
    names = qrels.queries.to_list()
    for q, doc, grade in zip(qrels.query.tolist(), qrels.docs, qrels.grade.tolist(), strict=True):
        if grade >= REL:
            relevant.setdefault(names[q], set()).add(doc)
    return replace(
        known,
        judged=frozenset(names),
        relevant={q: frozenset(docs) for q, docs in relevant.items()},
    )


def _docs(lists: Lists) -> list[str]:
    return list(dict.fromkeys(doc for results in lists.values() for doc, _ in results))


def _ids(
    of: str,
    kind: str,
    names: list[str],
    known: Reference,
    lists: Lists | None = None,
    k: int = MOST_DEPTH,
) -> Iterator[tuple[Finding, Repair | None]]:
    against = "queries" if kind == "queries" else "corpus" if known.whole else "judged_documents"
    there = known.queries if kind == "queries" else known.known
    hit = ids_differ(of, kind, names, there, against, parts=lists is not None)
    if hit is None:
        return
    finding, found = hit
    meant = _only_lost(found, there)
    bare = against == "judged_documents"
    if lists is not None and bare and found.part and not _pays(lists, meant, known, k):
        return
    yield finding, Repair(kind, meant)  # type: ignore[arg-type]


def _only_lost(found: Match, known: Collection[str]) -> Callable[[str], str]:
    """The id that is meant by one that is not known; the others mean themselves."""
    return lambda name: name if name in known else found.meant(name)


def _pays(lists: Lists, meant: Callable[[str], str], known: Reference, k: int) -> bool:
    """Whether a run finds more of what its queries want than by chance, once ids are put right;
    judged documents alone do not say that an id is wrong."""
    then = {q: [(meant(doc), score) for doc, score in docs] for q, docs in lists.items()}
    own = hits(then, known.relevant, k, str) - hits(lists, known.relevant, k, str)
    luck = chance(then, known.relevant, k) - chance(lists, known.relevant, k)
    return not known.relevant or own >= max(1, 2 * luck)


def _falling(
    found: Examined, r: int, repairs: list[Repair], qrels: Qrels
) -> Iterator[tuple[Finding, Repair | None]]:
    """Scores that rise with the rank, where the other order scores better."""
    for finding, repair in ailments.falling(found.runs[r], found.sources[r]):
        given = [own for own in repairs if own.what != "columns"]
        run = repaired_run(_run_of(found, r), given)[0]
        better = values_of(found, qrels, RunColumns(repaired_run(run, [repair])[0]))
        now = values_of(found, qrels, RunColumns(run))
        if better[0] > now[0]:
            moved = zip(found.measures, (better - now).tolist(), strict=True)
            yield replace(finding, effect={str(m): v for m, v in moved}), repair


def _run_of(found: Examined, r: int) -> Run:
    source = found.sources[r]
    if isinstance(source, RunFile):
        return read_run(source.source.path, on_duplicate=source.on_duplicate)
    lines = source.whole().lines
    assert lines is not None
    return Run(Ids.of(lines.names), lines.segment, lines.docs, lines.score, name=source.name)


def _lists_once(repair: Repair, lists: Lists, source: RunSource) -> Lists:
    """The lists once a repair has been made."""
    if repair.what == "negate":
        return lists
    if repair.columns is not None and isinstance(source, RunFile):
        run = run_by_columns(source.source.path, repair.columns, source.name)
    else:
        run = repaired_run(run_of_lists(lists), [repair])[0]
    out: dict[str, list[tuple[str, float]]] = {q: [] for q in run.queries.to_list()}
    names = list(out)
    for q, doc, score in zip(run.query.tolist(), run.docs, run.score.tolist(), strict=True):
        out[names[q]].append((doc, score))
    return {
        q: sorted(docs, key=lambda row: (-row[1], row[0]))[:MOST_DEPTH] for q, docs in out.items()
    }


def _other_documents(
    of: str, lists: Lists, known: Reference, so_far: list[Finding]
) -> Iterator[Finding]:
    """Documents that nobody knows, once nothing explains it."""
    docs = _docs(lists)
    fits = share(docs, known.known)
    if so_far or not docs or fits > (ailments.HALF if known.whole else 0):
        return
    strange = next(d for d in docs if d not in known.known)
    values: dict[str, Any] = {"of": of, "n": len(docs), "share": 1 - fits, "mine": strange}
    theirs = known.documents[0] if known.documents else ""
    yield Finding("documents_other", "error", {**values, "theirs": theirs})


def with_command(finding: Finding, found: Examined, r: int) -> Finding:
    """The finding with what to type; of passages that is another command."""
    values = finding.values
    how = values["how"] if finding.key == "ids_differ" else ()
    run = shlex.quote(found.paths.runs[r] or "RUN")
    if finding.key == "split_wrong":
        folder, path = found.paths.collection, found.paths.splits[values["split"]]
        inside = folder is not None and os.path.isdir(folder)
        option = f"--split {shlex.quote(values['split'])}" if inside else shlex.quote(path)
        return replace(finding, values={**values, "command": option})
    if [said.key for said in how] == ["differ.passage"]:
        command = f"cranfield rollup {run} -o {FIXED}.run"
        return replace(finding, values={**values, "command": command}, advice="ids_passages")
    return replace(finding, values={**values, "command": _command(found, r, "--write-run")})


def _command(found: Examined, r: int | None, option: str) -> str:
    paths = found.paths
    run = paths.runs[r if r is not None else 0] if paths.runs else None
    parts = ["cranfield", "doctor", paths.qrels or "QRELS", run or "RUN"]
    if paths.collection is not None and paths.collection != paths.qrels:
        parts += ["--collection", paths.collection]
    return " ".join([*map(shlex.quote, parts), option, FIXED])
