"""Options on what is read are spelled, and explained, alike in every command."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from cranfield.cli.main import main

READING = ("check", "doctor", "qrels diff", "qrels merge", "qrels stats", "study", "evaluate")
WORDS = {
    "split": "Which qrels of a BEIR folder [default: test].",
    "qrels_format": "as this format, whatever they look like.",
    "run_format": "as this format.",
    "on_duplicate": "an error, or which to keep.",
    "all_errors": "List up to 20 problems, not only the first.",
    "threads": "[default: processors, at most 4]",
}


def command(name: str) -> click.Command:
    found: click.Command = main
    for word in name.split():
        assert isinstance(found, click.Group)
        got = found.get_command(click.Context(found), word)
        assert got is not None
        found = got
    return found


def shared(name: str) -> Iterator[click.Option]:
    for option in command(name).params:
        if option.name in WORDS:
            assert isinstance(option, click.Option)
            yield option


@pytest.mark.parametrize("name", READING)
def test_a_command_that_reads_judgments_has_the_shared_options(name: str) -> None:
    found = {str(option.name): option for option in shared(name)}
    assert {"split", "qrels_format"} <= set(found)
    for key, option in found.items():
        if (name, key) == ("evaluate", "split"):  # a lab has splits of its own
            continue
        assert (option.help or "").endswith(WORDS[key])


def test_they_take_the_same_values() -> None:
    kinds: dict[str, set[str]] = {}
    for name in READING:
        for option in shared(name):
            kinds.setdefault(str(option.name), set()).add(repr(option.type.to_info_dict()))
    assert all(len(some) == 1 for some in kinds.values())
