"""Cards of runs: what is written reads back, and what is wrong is named."""

from __future__ import annotations

import json
import shutil

import pytest

from cranfield.data.card import RunCard
from cranfield.errors import FormatError, InputError, NoSuchInput
from cranfield.formats.card import card_path, read_card, write_card

FULL = RunCard(
    "运行",
    {"engine": "bm25", "bm25": {"k1": 0.9}, "stop": None},
    {"q1": 12.5, "q2": 0.0},
    {"q1": 0.25},
    ("q3",),
    "EUR",
    ("q4",),
)


def test_what_is_written_reads_back(tmp_path):
    run = tmp_path / "x.run"
    run.write_text("")
    path = write_card(FULL, run)
    assert path == tmp_path / "x.run.card.json" == card_path(run)
    assert read_card(path) == FULL
    assert "运行" in path.read_text(encoding="utf-8")
    before = path.read_bytes()
    write_card(FULL, run)
    assert path.read_bytes() == before
    assert read_card(path, "other").name == "other"


def test_a_packed_run_has_its_card_with_or_without_that_ending(tmp_path):
    run = tmp_path / "x.run.gz"
    assert card_path(run) is None
    plain = write_card(RunCard("plain"), tmp_path / "x.run")
    assert card_path(run) == plain
    packed = write_card(RunCard("packed"), run)
    assert card_path(run) == packed


def test_an_empty_card_has_the_name_of_the_file(write):
    card = read_card(write("x.run.card.json", "{}"))
    assert card == RunCard("x.run")
    assert read_card(write("y.run.card.json", b"\xef\xbb\xbf{}")) == RunCard("y.run")


def test_unknown_members_are_noted(write):
    card = read_card(write("x.run.card.json", '{"latency": 3, "config": {"a": 1}, "autor": ""}'))
    (note,) = card.notes
    assert note.endswith("unknown members not used: latency, autor")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ('{"name": 3}', "'name' is a number, not a text"),
        ('{"config": []}', "'config' is a list, not an object"),
        ('{"config": "k1=2"}', "'config' is a text, not an object"),
        ('{"latency_ms": 3}', "'latency_ms' is a number, not an object"),
        ('{"latency_ms": {"q1": "3"}}', "'latency_ms' of query 'q1' is \"3\""),
        ('{"latency_ms": {"q1": true}}', "'latency_ms' of query 'q1' is true"),
        ('{"cost": {"q1": -1}}', "'cost' of query 'q1' is -1"),
        ('{"cost": {"q1": NaN}}', "'cost' of query 'q1' is NaN"),
        ('{"cost": {"q1": null}}', "'cost' of query 'q1' is null"),
        ('{"failed": {"q1": 1}}', "'failed' is not a list of query ids"),
        ('{"empty": [1]}', "'empty' is not a list of query ids"),
        ('{"currency": 1}', "'currency' is a number, not a text"),
    ],
)
def test_wrong_shapes_name_the_file_and_the_member(write, text, told):
    path = write("x.run.card.json", text)
    with pytest.raises(FormatError) as e:
        read_card(path)
    assert str(path) in e.value.message and told in e.value.message
    assert e.value.hint


def test_a_query_cannot_have_failed_and_be_empty(write):
    with pytest.raises(InputError, match="'q1' both failed and"):
        read_card(write("x.card.json", '{"failed": ["q1"], "empty": ["q1"]}'))


def test_bytes_that_are_no_text(write):
    with pytest.raises(FormatError, match="not JSON in UTF-8"):
        read_card(write("x.card.json", b'{"name": "\xff"}'))
    with pytest.raises(NoSuchInput):
        read_card("no-such.card.json")


@pytest.mark.parametrize("value", [{1, 2}, float("nan")])
def test_what_json_cannot_hold_is_refused_and_nothing_written(tmp_path, value):
    with pytest.raises(InputError, match="cannot be written"):
        write_card(RunCard("x", {"a": value}), tmp_path / "x.run")
    assert not list(tmp_path.iterdir())


def test_a_card_that_is_copied_along_still_fits(tmp_path):
    write_card(FULL, tmp_path / "x.run")
    shutil.copy(tmp_path / "x.run.card.json", tmp_path / "y.run.card.json")
    assert json.loads((tmp_path / "y.run.card.json").read_text())["name"] == "运行"
    assert card_path(tmp_path / "y.run") is not None
