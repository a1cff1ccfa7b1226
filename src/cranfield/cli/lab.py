"""What the commands of a lab share: finding it, telling judgments from runs, hand-made cards."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.errors import FormatError, NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.experiment.config import Config
    from cranfield.experiment.lab import Lab

F = TypeVar("F", bound=Callable[..., Any])


def recording(command: F) -> F:
    """What is kept of an evaluation in a lab."""
    for option in reversed(
        [
            click.option("--note", help="In a lab: a sentence to keep with the evaluation."),
            click.option(
                "--config",
                "pairs",
                multiple=True,
                metavar="KEY=VALUE",
                help="In a lab: how the run was made. Repeat for several.",
            ),
            click.option(
                "--config-file", help="In a lab: the same from a TOML or JSON file; --config wins."
            ),
            click.option(
                "--no-record", is_flag=True, help="In a lab: do not keep it in the ledger."
            ),
        ]
    ):
        command = option(command)
    return command


def here() -> Lab | None:
    """The lab that the working directory is in."""
    if not any((Path(p) / "cranfield.toml").is_file() for p in _folders()):
        return None
    from cranfield.experiment.lab import lab

    return lab()


def _folders() -> list[Path]:
    place = Path(os.path.abspath(os.curdir))
    return [place, *place.parents]


def needed() -> Lab:
    """The lab that the working directory is in.

    Raises
    ------
    NoSuchInput
        It is in none.
    """
    from cranfield.experiment.lab import lab

    return lab()


def known_here(collection: str) -> dict[str, Any]:
    """What the lab around, if there is one, tells a check of a collection."""
    lab = here()
    if lab is None:
        return {}
    from cranfield.experiment.checking import known_of

    return known_of(lab, collection)


def told_apart(
    arguments: Sequence[str], qrels: str | None, config: Config | None
) -> tuple[str | None, list[str]]:
    """(qrels, runs) of `cranfield evaluate`; qrels None: those of the lab.

    Outside a lab the first argument is the qrels. In a lab that names a collection it may be left
    out; it is then told from what it holds, and where that could be either, the user says.
    """
    if qrels is not None:
        return qrels, list(arguments)
    first, *rest = arguments
    if config is None or config.collection is None:
        if not rest:
            said = "only one argument: the qrels or the run is missing"
            hint = "cranfield evaluate QRELS RUN"
            if config is not None:
                hint += f"; or name a collection in {config.path}"
            raise UsageError(said, hint)
        return first, rest
    kind = _kind(first, config.collection)
    if kind == "qrels" and not rest:
        raise UsageError(f"{first} is judgments; the run is missing", "cranfield evaluate RUN")
    if kind is None and rest:
        raise UsageError(
            f"{first} may be judgments or a run",
            f"say which: --qrels {shlex.quote(first)}, or for a run "
            f"--qrels {shlex.quote(os.path.relpath(config.collection))}",
        )
    return (first, rest) if kind == "qrels" else (None, list(arguments))


def base_and_runs(
    arguments: tuple[str, ...], qrels: str | None, lab: Any
) -> tuple[str | None, list[str]]:
    """(qrels, base and runs) of `cranfield compare` and `cranfield gate`, references among them."""
    if any(a.startswith("@") and not os.path.exists(a) for a in arguments):
        needed()  # or this is no lab, which is said
        return qrels, list(arguments)
    if len(arguments) == 1 and qrels is None:
        name = click.get_current_context().info_name
        raise UsageError("only one argument", f"cranfield {name} QRELS BASE RUN")
    judgments, runs = told_apart(arguments, qrels, None if lab is None else lab.config)
    if len(runs) < 2:
        raise UsageError("one run and nothing to compare it with", "give a base and a run")
    return judgments, runs


def _kind(argument: str, collection: str) -> str | None:
    from cranfield.formats.detect import looks_like
    from cranfield.formats.inputs import Input
    from cranfield.formats.readers import IRDS

    if argument.startswith(IRDS) or os.path.isdir(argument):
        return "qrels"
    if not os.path.isfile(argument):  # standard input and pipes can be read only once
        return None
    if os.path.exists(collection) and os.path.samefile(argument, collection):
        return "qrels"
    return looks_like(Input(argument))


def configuration(pairs: Sequence[str], file: str | None) -> dict[str, Any]:
    """How a run was made, as said by hand; a value that is JSON is read as JSON."""
    found = _config_file(file) if file is not None else {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--config {pair}: not KEY=VALUE", "for example --config bm25.k1=1.2")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def _config_file(file: str) -> dict[str, Any]:
    import tomllib

    try:
        text = Path(file).read_bytes().decode()
        data = json.loads(text) if file.lower().endswith(".json") else tomllib.loads(text)
    except OSError as e:
        raise NoSuchInput(f"{file}: {e.strerror}") from None
    except (ValueError, RecursionError) as e:
        raise FormatError(f"neither TOML nor (with .json) JSON: {e}", file=file) from None
    if not isinstance(data, dict):
        raise FormatError("not an object of keys and values", file=file)
    return data


def no_lab(choices: dict[str, Any]) -> None:
    """Drop the options that are for a lab; UsageError where one of them was typed."""
    for option in ("note", "pairs", "config_file", "no_record"):
        if choices.pop(option, None):
            name = {"pairs": "config"}.get(option, option).replace("_", "-")
            raise UsageError(f"--{name} is for a lab, and this is none", "cranfield init")


def typed() -> str:
    """The command as it was typed."""
    return shlex.join(["cranfield", *sys.argv[1:]])


def given_only(context: click.Context, choices: dict[str, Any]) -> dict[str, Any]:
    """Options that were typed; of the others a lab may have its own default."""
    default = click.core.ParameterSource.DEFAULT
    return {k: v for k, v in choices.items() if context.get_parameter_source(k) is not default}
