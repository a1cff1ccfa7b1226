"""trec_eval's measures of preferences, for every topic that has some."""

from __future__ import annotations

import numpy as np

from cranfield.data.columns import Ids, Index
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError
from cranfield.evaluation.align import Aligned, align
from cranfield.evaluation.treceval_measures import PREFERENCES, Asked, columns
from cranfield.evaluation.treceval_values import Found, Options, read_judgments
from cranfield.formats.inputs import Input
from cranfield.formats.prefs import Preferences, preferences_of, read_prefs
from cranfield.formats.treceval import TaggedRun
from cranfield.measures.preference import Group, PreferenceView, preference_value
from cranfield.scan.judged import JudgedIndex

# {query: {group: {part: {document: level}}}}
Tree = dict[bytes, dict[bytes, dict[bytes, dict[bytes, float]]]]


def preference_values(path: str, source: TaggedRun, wanted: Asked, options: Options) -> Found:
    """Values of the measures of preferences.

    Equal scores are ordered by document id ascending here, as in trec_eval.
    """
    if options.form == "prefs":
        given = read_prefs(Input(path))
    else:
        given = preferences_of(read_judgments(path, options))
    tree = _tree(given, path)
    docs = {
        q: sorted({d for g in t.values() for p in g.values() for d in p}) for q, t in tree.items()
    }
    judged = Qrels.from_columns(
        Ids.of(q for q, own in docs.items() for _ in own),
        Ids.of(d for own in docs.values() for d in own),
        np.zeros(sum(map(len, docs.values()))),
    )
    aligned = align(source, JudgedIndex(judged), ties="docid-asc", single=options.version == 9)
    shown = columns(wanted, version=options.version)
    topics = judged.queries.to_bytes()
    values = np.ones((len(topics), len(shown)))
    first = np.searchsorted(judged.query, np.arange(len(topics)))
    for i, topic in enumerate(topics):
        view = _view(tree[topic], docs[topic], _returned(aligned, i, options) - first[i], topic)
        for j, column in enumerate(shown):
            if column.name in PREFERENCES:
                values[i, j] = preference_value(column.name, view)
    return Found(shown, topics, values, aligned.answered.tolist())


def _tree(given: Preferences, path: str) -> Tree:
    tree: Tree = {}
    for query, group, part, doc, level in zip(
        *(ids.to_bytes() for ids in (given.query, given.group, given.part, given.docs)),
        given.level.tolist(),
        strict=True,
    ):
        own = tree.setdefault(query, {}).setdefault(group, {}).setdefault(part, {})
        if doc in own:
            raise InputError(
                f"{path}: document {doc.decode()!r} has two levels in part {part.decode()!r} of "
                f"group {group.decode()!r} for query {query.decode()!r}"
            )
        own[doc] = level
    return tree


def _returned(aligned: Aligned, topic: int, options: Options) -> Index:
    """Rows of the documents of a topic that the run returned, in its order."""
    hits = aligned.hits
    mine = hits.query == topic
    if options.most is not None:
        mine &= hits.rank < options.most
    found: Index = hits.row[mine]
    return found


def _view(
    groups: dict[bytes, dict[bytes, dict[bytes, float]]],
    docs: list[bytes],
    returned: Index,
    topic: bytes,
) -> PreferenceView:
    """Documents numbered as they were returned, then those that were not, by id."""
    listed = [docs[i] for i in returned.tolist()]
    seen = set(listed)
    number = {doc: i for i, doc in enumerate([*listed, *(d for d in docs if d not in seen)])}
    made = []
    for name in sorted(groups):
        parts = [
            {number[doc]: level for doc, level in part.items()}
            for _, part in sorted(groups[name].items())
        ]
        try:
            made.append(Group.of(len(docs), parts))
        except InputError as e:
            raise InputError(
                f"query {topic.decode()!r}, group {name.decode()!r}: {e.message}", e.hint
            ) from None
    return PreferenceView(len(listed), made)
