"""The grades of the first documents as one short text: trec_eval's `relstring`."""

from __future__ import annotations

from cranfield.measures.hits import Hits, Judgments


def relstring(judgments: Judgments, hits: Hits, k: int = 10) -> list[str]:
    """One character a returned document, at most `k` of them, for each topic of a block.

    `0` to `9` are grades (a fraction is cut off), `>` is a grade of 10 or more, `-` a document
    without a row in the qrels, `.` one with the grade -1 and `<` one with a grade below that.

    Examples
    --------
    >>> from cranfield.measures import Topic, block
    >>> relstring(*block([Topic((2, 0, None, -1, 12))]))
    ['20-.>']
    """
    texts = [["-"] * min(int(returned), k) for returned in hits.n_ret]
    grades = judgments.grade[hits.row].tolist()
    for query, rank, grade in zip(hits.query.tolist(), hits.rank.tolist(), grades, strict=True):
        if rank < k:
            texts[query][rank] = _character(grade)
    return ["".join(text) for text in texts]


def _character(grade: float) -> str:
    if grade < 0:
        return "." if grade == -1 else "<"
    return str(int(grade)) if grade < 10 else ">"
