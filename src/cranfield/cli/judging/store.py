"""What the commands of the label store share: where it is, and which judgments are meant."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.errors import NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.data.collection import Query
    from cranfield.judging.judgment import Wanted
    from cranfield.judging.labels import Labels

SOURCES = ("human", "llm", "propagated", "imported")  # those of `cranfield.judging.judgment`
F = TypeVar("F", bound=Callable[..., Any])


def labels_option(command: F) -> F:
    return click.option(
        "--labels",
        metavar="STORE",
        help="The label store: a file, or postgresql://host/database [default: $CRANFIELD_LABELS, "
        "or that of the lab].",
    )(command)


def which(command: F) -> F:
    """Which judgments are meant."""
    for option in reversed(
        [
            click.option(
                "--source", "sources", multiple=True, type=click.Choice(SOURCES), help="Only these."
            ),
            click.option("--assessor", "assessors", multiple=True, help="Only theirs."),
            click.option("--query", "only", multiple=True, help="Only of this query."),
        ]
    ):
        command = option(command)
    return which_told(command)


def which_told(command: F) -> F:
    """Of which model, by which prompt and rubric."""
    for option in reversed(
        [
            click.option("--model", "models", multiple=True, help="Only of this model."),
            click.option(
                "--prompt", "prompts", multiple=True, help="Only by this prompt, a fingerprint."
            ),
            click.option(
                "--rubric", "rubrics", multiple=True, help="Only by this version of the rubric."
            ),
        ]
    ):
        command = option(command)
    return command


def every_prompt_option(command: F) -> F:
    return click.option(
        "--every-prompt",
        is_flag=True,
        help="Labels of one model by several prompts or rubrics are all votes [the newest counts].",
    )(command)


def wanted_of(
    *,
    sources: Sequence[str] = (),
    assessors: Sequence[str] = (),
    models: Sequence[str] = (),
    prompts: Sequence[str] = (),
    rubrics: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Wanted:
    from cranfield.judging.judgment import Wanted

    return Wanted(
        sources=tuple(sources),
        assessors=tuple(assessors),
        models=tuple(models),
        prompts=tuple(prompts),
        rubrics=tuple(rubrics),
        queries=tuple(only),
    )


def store_of(labels: str | None, *, there: bool = True) -> Labels:
    """The label store that was named, or that of the lab.

    Parameters
    ----------
    there : whether it must hold something already.

    Raises
    ------
    UsageError
        None was named and this is no lab.
    NoSuchInput
        There is none.
    """
    from cranfield.judging.labels import ADDRESS, FILE, open_labels

    where = labels or os.environ.get(ADDRESS)
    if where is None:
        from cranfield.cli.lab import here

        lab = here()
        if lab is None:
            raise UsageError(
                "no label store: this is no lab", "name one: --labels labels.sqlite; or a lab: init"
            )
        where = lab.config.labels or str(lab.config.folder / FILE)
    if there and "://" not in where and not os.path.exists(where):
        raise NoSuchInput(f"{where}: no labels yet", "cranfield judge import FILE")
    if labels is not None or ADDRESS in os.environ:
        in_a_folder(where)  # that of a lab is made with its folder
    return open_labels(where)


def in_a_folder(where: str) -> None:
    """Refuse a path that is a folder, or in one that is not there.

    Raises
    ------
    UsageError, NoSuchInput
    """
    if "://" in where:
        return
    if os.path.isdir(where):
        raise UsageError(f"{where} is a folder", "a label store is a file")
    from cranfield.judging.labels import FILE

    folder = os.path.dirname(where) or "."
    if where.endswith(f"{os.sep}{FILE}"):  # a lab's own folder is made with the store
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise NoSuchInput(f"no folder {folder} for the label store", f"mkdir -p {folder}")


@dataclass(frozen=True)
class OfLab:
    """What a lab says of its collection (and which qrels of it) and of its label store."""

    collection: str
    split: str | None
    labels: str


def of_lab(name: str | None, labels: str | None) -> OfLab | None:
    """What the lab that a collection's name means says: a folder that is one, or without a name
    the one around; None for any other name.

    Parameters
    ----------
    labels : a store that was named, and is taken before the lab's.

    Raises
    ------
    NoSuchInput, FormatError
        There is no lab, or its file is wrong.
    UsageError
        It names no collection.
    """
    if name is not None and not os.path.isfile(os.path.join(name, "cranfield.toml")):
        return None
    from cranfield.experiment.lab import lab
    from cranfield.judging.labels import ADDRESS, FILE

    config = lab(name).config
    if config.collection is None:
        raise UsageError(f"{config.path} names no collection", 'for example collection = "my-docs"')
    where = labels or os.environ.get(ADDRESS) or config.labels or str(config.folder / FILE)
    return OfLab(config.collection, config.qrels_split, where)


def store_where_meant(labels: str | None, *names: str | None) -> Labels | None:
    """The label store where one is named, or a name such as @human asks for one."""
    asked = any(x is not None and x.startswith("@") and not os.path.exists(x) for x in names)
    return store_of(labels) if labels is not None or asked else None


def queries_of(path: str | None) -> Sequence[Query] | None:
    """The queries of a file, else those of the lab; None where neither is there."""
    from cranfield.cli.options import read_queries

    if path is not None:
        found: Sequence[Query] = read_queries(path)
        return found
    from cranfield.cli.lab import here

    lab = here()
    return (lab.queries or None) if lab is not None else None
