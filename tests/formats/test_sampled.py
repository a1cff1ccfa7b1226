"""Pools sampled by strata: read, told from other files, written as tables, refused."""

from __future__ import annotations

import pytest

import cranfield
from cranfield.errors import FormatError, InputError
from cranfield.formats.detect import format_of, looks_like
from cranfield.formats.inputs import Input
from cranfield.formats.readers import read_qrels
from cranfield.formats.sampled import looks_like_sampled
from cranfield.formats.write import write_qrels

TEXT = """\
q1 0 101 1 2
q1 0 文档 1 0
q1 0 103 2 -1
q1 0 d4 2 1
q2 0 101 1 1
q2 0 d5 1 -1
"""


def rows(qrels) -> list[tuple]:
    names = qrels.queries.to_list()
    return [
        (names[q], d, s, g)
        for q, d, s, g in zip(
            qrels.query.tolist(), qrels.docs, qrels.stratum, qrels.grade.tolist(), strict=True
        )
    ]


def test_a_sampled_pool_is_recognised(write) -> None:
    qrels = read_qrels(write("pool", "# drawn\n" + TEXT.replace(" ", "\t")))
    assert rows(qrels)[:3] == [
        ("q1", "101", "1", 2),
        ("q1", "文档", "1", 0),
        ("q1", "103", "2", -1),
    ]
    assert "sampled by strata" in qrels.notes[0] and "1 comment line" in qrels.notes[1]
    assert not read_qrels(write("pool", TEXT), format="sampled").notes
    assert looks_like(Input(write("pool", TEXT))) == "qrels"


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("-1", "0"),  # nothing is left out: it might be a run without tags
        TEXT.replace(" 0 101", " 1 101", 1),  # column 2 varies
        TEXT.replace("d4 2", "d4 two"),  # a stratum that is no number
        "q1 d1 1 0 0.5\nq1 d2 0 0 1\n",  # prels
        "q1 Q0 d1 1 9.5\nq1 Q0 d2 2 -1\n",  # a run without tags
        "q1 0 d1 1\nq1 0 d2 0\n",
        "",
    ],
)
def test_what_may_be_something_else_is_not(text) -> None:
    assert not looks_like_sampled(text.encode())


def test_preferences_stay_preferences(write) -> None:
    text = "q1 0 0 d1 2\nq1 0 0 d2 1\nq1 0 0 d3 0\n"
    assert format_of(Input(write("p", text)), "qrels") == "prefs"


def test_a_table_may_name_the_stratum(write) -> None:
    qrels = read_qrels(write("pool", TEXT))
    path = write("x", "").parent / "pool.jsonl"
    assert not write_qrels(qrels, path)
    assert rows(read_qrels(path)) == rows(qrels)
    assert read_qrels(path).fingerprint() == qrels.fingerprint()
    plain = path.with_suffix(".txt")
    assert "stratum left out" in write_qrels(qrels, plain)[0]
    assert read_qrels(plain).fingerprint() != qrels.fingerprint()


def test_bad_lines_are_named(write) -> None:
    for bad in ("q1 0 d9 2\n", "q1 0 d9 2 x\n", "q1 0 d9 2 inf\n"):
        with pytest.raises(FormatError, match="no line of a sampled pool") as e:
            read_qrels(write("pool", TEXT + bad), format="sampled")
        assert e.value.line == 7
    with pytest.raises(FormatError, match="judged twice"):
        read_qrels(write("pool", TEXT + "q1 0 101 2 1\n"), format="sampled")
    with pytest.raises(InputError, match="no document in it"):
        read_qrels(write("pool", "# nothing\n"), format="sampled")


RUN = {"q1": {"101": 3.0, "103": 2.0, "d4": 1.0}, "q2": {"101": 1.0}}


def test_who_may_read_it(write) -> None:
    two, one = write("two", TEXT), write("one", TEXT.replace(" 2 ", " 1 "))
    assert 0 < cranfield.evaluate(two, RUN, "xinfAP").mean() < 1
    assert cranfield.evaluate(one, RUN, "xinfAP infAP".split()).mean("infAP") == pytest.approx(
        cranfield.evaluate(one, RUN, "xinfAP").mean(), abs=1e-12
    )
    for measure, why in (("AP", "for not relevant"), ("infAP", "one rate"), ("nDCG@5", "sampled")):
        with pytest.raises(InputError, match=why) as e:
            cranfield.evaluate(two, RUN, measure)
        assert "xinfAP" in e.value.hint
    cranfield.evaluate(two, RUN, "Judged@5")
    whole = write("whole", TEXT.replace("-1", "0"))
    qrels = read_qrels(whole, format="sampled")
    assert cranfield.evaluate(qrels, RUN, "AP").mean() == pytest.approx(
        cranfield.evaluate(qrels, RUN, "xinfAP").mean(), abs=1e-4
    )


def test_without_strata_there_is_no_estimate() -> None:
    with pytest.raises(InputError, match="needs the stratum") as e:
        cranfield.evaluate({"q1": {"d": 1, "e": -1}}, {"q1": {"d": 1.0}}, "xinfAP")
    assert "--format sampled" in e.value.hint
