"""The release check's page: its TOML is a plan, its YAML is YAML, its commands are commands."""

import re
import tomllib

import click
import yaml
from tests.docs import pages

from cranfield.cli.gate import command
from cranfield.comparison.rules import plan_of

PAGE = pages.ROOT / "docs" / "how-to" / "gate-a-release.md"


def _blocks(kind: str) -> list[str]:
    found = [b.text for b in pages.blocks(PAGE) if b.kind == kind]
    assert found
    return found


def test_the_file_of_rules_is_read() -> None:
    (toml,) = _blocks("toml")
    plan = plan_of(tomllib.loads(toml)["gate"], "cranfield.toml")
    assert len(plan.rules) == 5


def test_the_jobs_are_yaml_and_call_the_command_as_it_is() -> None:
    github, gitlab = map(yaml.safe_load, _blocks("yaml"))
    assert github["jobs"]["gate"]["steps"] and gitlab["gate"]["script"]
    assert gitlab["gate"]["allow_failure"]["exit_codes"] == [7]
    calls = re.findall(r"cranfield gate (eval/.*)", "\n".join(_blocks("yaml")))
    assert len(calls) == 2
    for call in calls:
        context = click.Context(command)
        command.parse_args(context, call.split())
        assert context.params["config"] == "cranfield.toml"
