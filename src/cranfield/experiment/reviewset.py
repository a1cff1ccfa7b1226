"""The review set: some queries that a person looks at again with every new run.

Nothing is overwritten: a query that is put on the list or taken off, a note, a tag, a tag taken
back are rows of the ledger, and the state is what they come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.errors import UnknownName, UsageError
from cranfield.experiment.ledger import Ledger
from cranfield.experiment.packing import pack_json, unpack_json
from cranfield.experiment.review import (
    TAGS,
    Beside,
    Kept,
    Lists,
    Note,
    Review,
    Reviewed,
    TagCounts,
    lines_of,
    tag_name,
)
from cranfield.experiment.rows import insert


class ReviewSet:
    """The review set of a lab, in its ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def queries(self) -> dict[str, Kept]:
        """{query: what is known of it} for the queries on the list, in the order they came."""
        kept: dict[str, Kept] = {}
        notes: dict[str, list[Note]] = {}
        tags: dict[str, dict[str, dict[str, None]]] = {}
        rows = self.ledger.store.rows("SELECT * FROM review ORDER BY id")
        for row in rows:
            query, run, text = row["query"], row["run"], row["text"]
            if row["kind"] == "add":
                kept[query] = Kept(query)
            elif row["kind"] == "remove":
                kept.pop(query, None)
            elif row["kind"] == "note":
                notes.setdefault(query, []).append(Note(row["at"], text, run))
            elif row["kind"] == "tag":
                tags.setdefault(query, {}).setdefault(run, {})[text] = None
            else:
                tags.setdefault(query, {}).setdefault(run, {}).pop(text, None)
        return {
            q: Kept(
                q,
                tuple(notes.get(q, ())),
                {run: tuple(found) for run, found in tags.get(q, {}).items() if found},
            )
            for q in kept
        }

    def add(self, queries: Sequence[str], note: str | None = None) -> tuple[str, ...]:
        """Put queries on the list; returns those that were not there yet."""
        there = self.queries()
        new = tuple(q for q in dict.fromkeys(queries) if q not in there)
        rows = [("add", q, None, "") for q in new]
        self._write(rows + [("note", q, None, note) for q in dict.fromkeys(queries) if note])
        return new

    def remove(self, query: str) -> None:
        """Take a query off the list; what was said of it stays in the ledger."""
        self._known(query)
        self._write([("remove", query, None, "")])

    def note(self, query: str, text: str, run: str | None = None) -> None:
        self._known(query)
        if not text.strip():
            raise UsageError("an empty note")
        self._write([("note", query, run, text)])

    def tag(self, query: str, tag: str, run: Reviewed, *, off: bool = False) -> str:
        """Say what is wrong with a run's answer to a query, or take it back; the tag's name."""
        self._known(query)
        name = tag_name(tag, self.own_tags())
        self._write([("untag" if off else "tag", query, run.fingerprint, name)])
        return name

    def own_tags(self) -> tuple[str, ...]:
        """Tags of the lab that are not built in."""
        rows = self.ledger.store.rows("SELECT DISTINCT text FROM review WHERE kind = 'tag'")
        return tuple(sorted(r[0] for r in rows if r[0] not in TAGS))

    # ------------------------------------------------------------------ runs

    def reviewed(self) -> tuple[Reviewed, ...]:
        """Runs that were shown, the oldest first; of one run shown several times the last."""
        found: dict[str, Reviewed] = {}
        for row in self.ledger.store.rows("SELECT * FROM reviewed ORDER BY id"):
            lists = {
                q: tuple((d, s, g) for d, s, g in rows)
                for q, rows in unpack_json(row["lists"]).items()
            }
            same = {k: row[k] for k in ("id", "at", "name", "fingerprint", "k")}
            found[row["fingerprint"]] = Reviewed(**same, lists=lists)
        first = {name: i for i, name in enumerate(found)}
        return tuple(sorted(found.values(), key=lambda r: first[r.fingerprint]))

    def run(self, name: str | None = None) -> Reviewed:
        """The reviewed run of a name or fingerprint, or the last one.

        Raises
        ------
        UnknownName
            None has been reviewed yet, or none of this name.
        """
        runs = self.reviewed()
        if not runs:
            raise UnknownName("no run has been reviewed yet", "cranfield review show RUN")
        if name is None:
            return runs[-1]
        for run in reversed(runs):
            if name in (run.name, run.fingerprint):
                return run
        have = ", ".join(dict.fromkeys(r.name for r in runs))
        raise UnknownName(f"run {name!r} has not been reviewed", f"reviewed: {have}")

    def show(
        self,
        name: str,
        fingerprint: str,
        lists: Lists,
        *,
        k: int,
        texts: Mapping[str, str] | None = None,
        titles: Mapping[str, str] | None = None,
        keep: bool = True,
    ) -> Review:
        """Hold a run against the one reviewed before it, and remember that it was shown.

        Parameters
        ----------
        lists : its first k results for every query of the review set.
        """
        runs = self.reviewed()
        others = [r for r in runs if r.fingerprint != fingerprint]
        before = others[-1] if others else None
        held = [r for r in runs if r.fingerprint == fingerprint]
        known = held[-1] if held else None
        if known is not None and runs and runs[-1].fingerprint != fingerprint:
            place = runs.index(known)  # shown once more: against what came before it then
            before = runs[place - 1] if place else None
        if keep and (known is None or known.k != k or set(known.lists) != set(lists)):
            cells = {"name": name, "fingerprint": fingerprint, "k": k}
            packed = pack_json({q: [list(r) for r in rows] for q, rows in lists.items()})
            with self.ledger.store.transaction() as db:
                insert(db, "reviewed", at=self.ledger.time(), **cells, lists=packed)
        shown = []
        for query, kept in self.queries().items():
            then = () if before is None else before.lists.get(query, ())
            compared = before is not None and query in before.lists
            shown.append(
                Beside(
                    query,
                    (texts or {}).get(query),
                    kept.notes,
                    kept.tags.get(fingerprint, ()),
                    () if before is None else kept.tags.get(before.fingerprint, ()),
                    lines_of(lists.get(query, ()), then[:k], titles or {}, compared),
                )
            )
        return Review(name, None if before is None else before.name, k, tuple(shown))

    def tag_counts(self) -> TagCounts:
        """Built-in tags first, then the lab's own; a tag that never stood is left out."""
        runs, queries = self.reviewed(), self.queries()
        counts = {}
        for tag in (*TAGS, *self.own_tags()):
            row = tuple(
                sum(tag in q.tags.get(r.fingerprint, ()) for q in queries.values()) for r in runs
            )
            if any(row):
                counts[tag] = row
        return TagCounts(runs, counts)

    def _known(self, query: str) -> None:
        there = self.queries()
        if query not in there:
            have = ", ".join(list(there)[:10]) or "none yet"
            raise UnknownName(f"query {query!r} is not in the review set", f"in it: {have}")

    def _write(self, rows: Sequence[tuple[str, str, str | None, str | None]]) -> None:
        if not rows:
            return
        with self.ledger.store.transaction() as db:
            at = self.ledger.time()
            for kind, query, run, text in rows:
                insert(db, "review", at=at, kind=kind, query=query, run=run, text=text or "")
