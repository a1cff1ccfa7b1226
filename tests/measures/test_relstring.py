from __future__ import annotations

from cranfield.measures import Topic, block, relstring


def test_one_character_a_document() -> None:
    topics = [Topic((2, 0, None, -1, -2, 12, 9, 0.5)), Topic(), Topic((None,) * 12 + (1,))]
    assert relstring(*block(topics)) == ["20-.<>90", "", "----------"]
    assert relstring(*block(topics), k=13) == ["20-.<>90", "", "------------1"]
    assert relstring(*block(topics), k=2) == ["20", "", "--"]
