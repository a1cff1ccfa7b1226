"""Which family a model belongs to, told from its name, and which runs a model had a hand in, told
from their cards."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.judging.judgment import Judgment

# What a name of the family holds. A model that was made of another belongs to both
# (deepseek-r1-distill-qwen, e5-mistral); a runtime is no family (llama.cpp).
_NAMES = {
    "gpt": r"gpt|davinci|text-embedding-(?:ada|3)|(?<![a-z0-9])o[134](?![a-z0-9.])",
    "claude": r"claude",
    "qwen": r"qwen|(?<![a-z])qwq",
    "llama": r"llama(?![-_. ]?(?:cpp|server|index))|vicuna|alpaca",
    "mistral": r"mistral|mixtral|ministral|magistral|codestral|devstral",
    "gemini": r"gemini|gemma|(?<![a-z])palm(?![a-z])",
    "deepseek": r"deepseek",
    "glm": r"glm",
    "phi": r"(?<![a-z])phi-?\d",
    "cohere": r"cohere|command-[ar]|(?<![a-z])aya-",
    "grok": r"(?<![a-z])grok",
    "yi": r"(?<![a-z])yi-\d",
    "kimi": r"kimi|moonshot",
    "ernie": r"ernie|文心",
    "doubao": r"doubao|豆包",
    "hunyuan": r"hunyuan|混元",
    "internlm": r"internlm",
    "baichuan": r"baichuan|百川",
    "minicpm": r"minicpm",
    "granite": r"(?<![a-z])granite",
    "nemotron": r"nemotron|nv-embed",
    "e5": r"(?<![a-z0-9])(?:nano)?e5(?![0-9])",
    "bge": r"(?<![a-z])bge",
    "gte": r"(?<![a-z])gte-",
    "jina": r"jina",
    "nomic": r"nomic",
    "minilm": r"minilm",
    "mpnet": r"mpnet",
    "colbert": r"colbert",
    "splade": r"splade",
    "monot5": r"mono-?t5|duo-?t5",
    "voyage": r"voyage-",
}
_FAMILIES = {family: re.compile(pattern) for family, pattern in _NAMES.items()}
_MODEL_KEYS = frozenset({"model", "model_id", "model_name"})


def families_of(model: str) -> tuple[str, ...]:
    """Of a model by its name; a name that says nothing is a family of its own, so that a model is
    at least known to be kin to itself."""
    name = model.casefold().strip()
    found = tuple(family for family, pattern in _FAMILIES.items() if pattern.search(name))
    own = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
    return found or ((own,) if own else ())


def models_in(config: Any) -> tuple[str, ...]:
    """The models that a card names, of embedders, rerankers and parts of a fusion alike."""
    found: dict[str, None] = {}
    if isinstance(config, Mapping):
        for key, value in config.items():
            if str(key) in _MODEL_KEYS and isinstance(value, str):
                found[value] = None
            else:
                found |= dict.fromkeys(models_in(value))
    elif isinstance(config, (list, tuple)):
        for part in config:
            found |= dict.fromkeys(models_in(part))
    return tuple(found)


def models_behind(judgments: Iterable[Judgment]) -> tuple[str, ...]:
    """The models that judged."""
    named = (j.model or (j.assessor if j.source == "llm" else "") for j in judgments)
    return tuple(dict.fromkeys(name for name in named if name))


def models_of_run(run: Any) -> tuple[str, ...]:
    """Of a run file with a card; none where there is none.

    Raises
    ------
    FormatError
        The card cannot be read.
    """
    from cranfield.formats.card import card_path, read_card

    path = card_path(run) if isinstance(run, (str, os.PathLike)) else None
    return () if path is None else models_in(read_card(path).config)


@dataclass(frozen=True)
class Kin:
    """Runs made with a model of a judge's family.

    Parameters
    ----------
    family : of both.
    judges : models that judged.
    runs : (run, the models of that family that its card names).
    """

    family: str
    judges: tuple[str, ...]
    runs: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def values(self) -> dict[str, Any]:
        """For a remark."""
        named = tuple(f"{run} ({', '.join(models)})" for run, models in self.runs)
        return {"family": self.family, "judges": self.judges, "runs": named}


def kin(judges: Sequence[str], runs: Mapping[str, Sequence[str]]) -> tuple[Kin, ...]:
    """The families that judges share with runs.

    Parameters
    ----------
    judges : models.
    runs : {run: models}.
    """
    found = []
    for family in dict.fromkeys(f for judge in judges for f in families_of(judge)):
        mine = tuple(j for j in judges if family in families_of(j))
        theirs = {
            run: tuple(m for m in models if family in families_of(m))
            for run, models in runs.items()
        }
        shared = tuple((run, models) for run, models in theirs.items() if models)
        if shared:
            found.append(Kin(family, mine, shared))
    return tuple(found)


def by_family(family: str, runs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """{run: family} for a table that sets one family against the others: a run that it had a hand
    in counts as its, whatever else it was made with; one without models is left out."""
    found = {}
    for run, models in runs.items():
        own = list(dict.fromkeys(f for m in models for f in families_of(m)))
        if own:
            found[run] = family if family in own else "+".join(own)
    return found
