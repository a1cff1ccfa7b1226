"""A run, and judgments, looked at for each ailment in turn, as if those before were put right."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.data.columns import Floats, Ids
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.diagnosis import ailments
from cranfield.diagnosis.ailments import Reference, chance, hits, ids_differ, share
from cranfield.diagnosis.asked import MOST_DEPTH
from cranfield.diagnosis.duplicates import copies_of
from cranfield.diagnosis.finding import Cell, Finding, Rows
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.queries import REL
from cranfield.diagnosis.repair import Repair, repaired_qrels, repaired_run, run_by_columns
from cranfield.errors import CranfieldError
from cranfield.evaluation.align import align
from cranfield.evaluation.inputs import judged_queries
from cranfield.evaluation.lists import Lists
from cranfield.formats.readers import read_qrels, read_run
from cranfield.formats.sources import RunColumns, RunFile, RunSource
from cranfield.measures import Judgments, compute
from cranfield.scan.judged import JudgedIndex

FIXED = "FIXED"


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
        hit = ids_differ("qrels", kind, names, there, against) if able else None
        if hit is not None:
            findings.append(hit[0])
            repairs.append(Repair(kind, hit[1].meant))  # type: ignore[arg-type]
    command = _command(found, None, "--write-qrels")
    findings = [replace(f, values={**f.values, "command": command}) for f in findings]
    if repairs and found.runs:
        better = repaired_qrels(found.given, repairs)[0]
        lists = found.lists(MOST_DEPTH)[0]
        findings = _with_effect(findings, found, 0, better, lists, MOST_DEPTH)
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
    take(_ids(of, "documents", _docs(lists), known))
    if not any(f.key == "ids_differ" for f in findings):
        take(ailments.moved_documents(of, lists, known, k))
    strange = tuple(_elsewhere(f, found, r) for f in ailments.other_queries(of, lists, known))
    findings += strange
    take(_falling(found, r, repairs, qrels))
    if not strange and not any(r.what in ("documents", "negate") for r in repairs):
        take(ailments.moved_queries(of, lists, known, k))
    findings += _other_documents(of, lists, known, findings)
    findings = [with_command(f, found, r) for f in findings]
    if repairs and not all(r.what == "negate" for r in repairs):
        findings = _with_effect(findings, found, r, qrels, lists, depth)
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
    of: str, kind: str, names: list[str], known: Reference
) -> Iterator[tuple[Finding, Repair | None]]:
    against = "queries" if kind == "queries" else "corpus" if known.whole else "judged_documents"
    there = known.queries if kind == "queries" else known.known
    hit = ids_differ(of, kind, names, there, against)
    if hit is not None:
        finding, found = hit
        yield finding, Repair(kind, found.meant)  # type: ignore[arg-type]


def _falling(
    found: Examined, r: int, repairs: list[Repair], qrels: Qrels
) -> Iterator[tuple[Finding, Repair | None]]:
    """Scores that rise with the rank, where the other order scores better."""
    for finding, repair in ailments.falling(found.runs[r], found.sources[r]):
        given = [own for own in repairs if own.what != "columns"]
        run = repaired_run(_run_of(found, r), given)[0]
        better = _values(found, qrels, RunColumns(repaired_run(run, [repair])[0]))
        now = _values(found, qrels, RunColumns(run))
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
        run = repaired_run(_of_lists(lists), [repair])[0]
    out: dict[str, list[tuple[str, float]]] = {q: [] for q in run.queries.to_list()}
    names = list(out)
    for q, doc, score in zip(run.query.tolist(), run.docs, run.score.tolist(), strict=True):
        out[names[q]].append((doc, score))
    return {
        q: sorted(docs, key=lambda row: (-row[1], row[0]))[:MOST_DEPTH] for q, docs in out.items()
    }


def _of_lists(lists: Lists) -> Run:
    return Run.from_dict({q: dict(docs) for q, docs in lists.items()})


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


def _elsewhere(finding: Finding, found: Examined, r: int) -> Finding:
    """With what the run scores by the judgments of the split that it seems to be of."""
    if finding.key != "split_wrong":
        return finding
    try:
        other = read_qrels(found.paths.splits[finding.values["split"]], on_duplicate="first")
        then = _values(found, other, found.sources[r])
    except CranfieldError:
        return replace(finding, unpriced="right_unknown")
    return _priced(finding, found, r, then, range(len(found.measures)))


def _with_effect(
    findings: list[Finding], found: Examined, r: int, qrels: Qrels, lists: Lists, depth: int
) -> list[Finding]:
    """With what all repairs together do to the means, at the first of the findings that are put
    right; of measures that look no deeper than the lists."""
    able = [i for i, m in enumerate(found.measures) if m.cutoff and m.cutoff <= depth]
    if not findings:
        return findings
    if not able:
        return [f if f.effect else replace(f, unpriced="too_deep") for f in findings]
    then = _values(found, qrels, RunColumns(_of_lists(lists)))
    first, *others = findings
    more = [f if f.effect else replace(f, unpriced="together") for f in others]
    return [_priced(first, found, r, then, able), *more]


def _priced(
    finding: Finding, found: Examined, r: int, then: Floats, able: Sequence[int]
) -> Finding:
    """With the means before and after, which a finding without rows of its own lists too."""
    now = found.values[r].mean(axis=0)
    names = [str(m) for m in found.measures]
    effect = {names[i]: float(then[i] - now[i]) for i in able}
    rows = Rows(
        "repaired",
        ("run", "measure", "score", "once_right", "difference"),
        ("text", "text", "score", "score", "signed"),
        tuple(
            (found.runs[r], names[i], float(now[i]), float(then[i]), effect[names[i]]) for i in able
        ),
    )
    return replace(finding, effect=effect, unpriced="", rows=finding.rows or rows)


def _values(found: Examined, qrels: Qrels, source: RunSource) -> Floats:
    """The mean of every measure."""
    judged, _ = judged_queries(qrels)
    judgments = Judgments(len(judged.queries), judged.query, judged.grade)
    aligned = align(source, JudgedIndex(judged), ties=found.settings.order, k=found.asked.k)
    means: Floats = compute(list(found.measures), judgments, aligned.hits)[0].mean(axis=0)
    return means
