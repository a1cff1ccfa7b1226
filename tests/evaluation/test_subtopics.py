from __future__ import annotations

import pytest

from cranfield import evaluate
from cranfield.errors import InputError

ROWS = """\
q1 1 a 1
q1 2 a 1
q1 1 b 1
q1 3 c 1
q1 3 d 1
q1 2 d 1
q1 4 e 1
q1 1 f 1
q1 1 e 0
"""
RUN = {"q1": {d: 9.0 - i for i, d in enumerate("abxcfdye")}}


def test_subtopic_judgments_give_diversity_measures(write) -> None:
    scores = evaluate(write("div.qrels", ROWS), RUN, ["alpha_nDCG@5", "ERR_IA@10", "MAP_IA"])
    assert scores.mean("alpha_nDCG@5") == pytest.approx(0.7374156049, abs=5e-11)
    assert scores.mean("ERR_IA@10") == pytest.approx(0.5125181723, abs=5e-11)
    assert scores.reports[0].judged == 0.8  # of the first five one has no row


def test_rows_may_stand_in_any_order(write) -> None:
    shuffled = "".join(sorted(ROWS.splitlines(keepends=True), key=lambda line: line[::-1]))
    texts = ["alpha_nDCG(alpha=0.3)@5", "nNRBP"]
    one = evaluate(write("a.qrels", ROWS), RUN, texts)
    other = evaluate(write("b.qrels", shuffled), RUN, texts)
    assert one.values.tobytes() == other.values.tobytes()


def test_other_measures_are_refused_with_subtopics(write) -> None:
    with pytest.raises(InputError, match="AP counts a document once") as error:
        evaluate(write("div.qrels", ROWS), RUN, ["NRBP", "AP"])
    assert "alpha_nDCG" in str(error.value.hint)
    assert "--on-duplicate max" in str(error.value.hint)


def test_diversity_is_refused_without_subtopics(write) -> None:
    for qrels in ({"q1": {"a": 1}}, write("plain.qrels", "q1 0 a 1\nq1 0 b 0\n")):
        with pytest.raises(InputError, match="NRBP needs judgments by subtopic"):
            evaluate(qrels, RUN, ["AP", "NRBP"])


def test_documents_of_one_subtopic_each_are_plain_too(write) -> None:
    qrels = write("one.qrels", "q1 1 a 1\nq1 2 b 1\n")
    scores = evaluate(qrels, RUN, ["AP", "StRecall@1"])
    assert scores.means() == {"run": {"AP": 1.0, "StRecall@1": 0.5}}
