"""What a study does with the collections that it was given, one after the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cranfield import __version__
from cranfield.errors import UsageError
from cranfield.experiment.keeping import Kept
from cranfield.experiment.study_texts import Terms, may_have_texts, predictions, read_terms
from cranfield.experiment.studyfile import StudyCollection
from cranfield.formats.matrix import read_matrix
from cranfield.kit.fingerprint import of_file, of_parts
from cranfield.kit.progress import progress
from cranfield.metaeval.across import StandardScores, standard_scores
from cranfield.metaeval.advice import Recommendation
from cranfield.metaeval.method_names import ACROSS, METHODS, ROBUST, Draws
from cranfield.metaeval.methods import Methods
from cranfield.metaeval.methods import methods as run_methods
from cranfield.metaeval.recommend import recommend
from cranfield.metaeval.results import Study
from cranfield.metaeval.robust import robustness
from cranfield.metaeval.standardised import Form
from cranfield.metaeval.studied import Studied
from cranfield.metaeval.study import study

RECOMMENDED = ("agreement", "error")  # methods that a recommendation rests on


@dataclass(frozen=True)
class Asked:
    """A study as it was asked for.

    Parameters
    ----------
    collections : one or several.
    measures, conditions : None for the defaults.
    methods, draws, of_methods : the other methods, how much they draw, and their other choices.
    weight : of the error rate in error and ties as one; form : of standardised scores.
    corpus, analyzer : queries and documents for predictors, and what cuts them into terms.
    options : of `cranfield.study`, for judgments and runs; `choices` those of its fields that a
        matrix takes too.
    """

    collections: tuple[StudyCollection, ...]
    measures: tuple[str, ...] | None
    conditions: tuple[str, ...] | None
    methods: tuple[str, ...]
    draws: Draws
    recommend: bool
    level: float
    weight: float = 0.5
    form: Form = "normal"
    corpus: str | None = None
    analyzer: str = "mixed"
    of_methods: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    rows: str | None = None
    missing: str = "refuse"
    threads: int | None = None


def conduct(
    asked: Asked, folder: str | None = None, told: Callable[[str], None] | None = None
) -> tuple[Studied, ...]:
    """Each collection studied, one after the other.

    Parameters
    ----------
    folder : where every finished collection is kept, and taken from if the same is asked again of
        the same files; None: nowhere.
    told : is handed what should be known at once, such as what was taken from there.

    Raises
    ------
    UsageError
        Predictors are asked for by name, and no collection has queries and documents.
    Others
        As `study`, the methods, and the readers of what is named.
    """
    _refuse_without_texts(asked)
    kept = None if folder is None else Kept(folder)
    found, taken = [], 0
    with progress("studying", len(asked.collections)) as advance:
        for collection in asked.collections:
            key = "" if kept is None else _fingerprint(asked, collection)
            made = None if kept is None else kept.get(key)
            taken += made is not None
            if made is None:
                made = _one(asked, collection)
                if kept is not None:
                    kept.put(key, made)
            found.append(made)
            advance(1)
    if taken and told is not None:
        told(f"{taken} of {len(found)} collections taken from {folder}")
    return tuple(found)


def _fingerprint(asked: Asked, collection: StudyCollection) -> str:
    """Of all that decides the result: the choices, and what the files hold."""
    said = asdict(replace(asked, collections=(), threads=None))
    said["options"] = {k: v for k, v in asked.options.items() if k != "all_errors"}
    parts = [__version__, json.dumps([said, asdict(collection)], sort_keys=True, default=str)]
    named = (collection.qrels, *collection.runs, *collection.scores, _texts_of(asked, collection))
    for name in dict.fromkeys(n for n in named if n):
        parts += [name, *map(of_file, _files(name))]
    return of_parts(parts)


def _files(name: str) -> list[Path]:
    """The files of a collection; none of `irds:<id>`, which never changes."""
    path = Path(name)
    if path.is_dir():
        inside = [*path.iterdir(), *(path / "qrels").glob("*")]
        return sorted(p for p in inside if p.is_file())
    return [path] if path.exists() else []


def _refuse_without_texts(asked: Asked) -> None:
    """Before any work: predictors that were asked for by name and cannot be made anywhere."""
    if "predictors" not in asked.methods or asked.methods == METHODS:
        return
    if not any(_texts_of(asked, collection) for collection in asked.collections):
        raise UsageError(
            "--method predictors needs queries and documents",
            "--collection names a folder with both, in a TOML file `corpus`",
        )


def _one(asked: Asked, collection: StudyCollection) -> Studied:
    terms, left_out = _terms(asked, collection), []
    made = _study(asked, collection)
    if "predictors" in asked.methods and terms is None:
        left_out.append("predictors, which need queries and documents")
    if collection.scores and any(m in asked.methods for m in ROBUST):
        left_out.append(f"{' and '.join(ROBUST)}, which need judgments and runs")
    if left_out:
        made = replace(made, notes=(*made.notes, f"left out: {'; '.join(left_out)}"))
    wanted = [m for m in asked.methods if m not in ("t", *ROBUST, *ACROSS)]
    wanted += [m for m in RECOMMENDED if asked.recommend and m not in wanted]
    methods: dict[str, Methods] = {
        condition.name: run_methods(
            condition.matrix,
            wanted,
            alpha=asked.level,
            draws=asked.draws,
            seed=asked.choices["seed"],
            **asked.of_methods,
        )
        for condition in (made.conditions if wanted else ())
    }
    advice: dict[str, Recommendation] = {}
    for condition in made.conditions if asked.recommend else ():
        found = methods[condition.name]
        assert found.agreement is not None
        errors = [r.by_sets for r in found.reliability]
        tau = found.agreement.tau
        advice[condition.name] = recommend(condition, tau, errors, level=asked.level)
    standard: dict[str, StandardScores] = {}
    if "standardised" in asked.methods:
        standard = {c.name: standard_scores(c.matrix) for c in made.conditions}
    whole = Studied(made, methods, advice, asked.weight, _robust(asked, collection, made),
                    standard, form=asked.form)  # fmt: skip
    if terms is None:
        return whole
    predicted, without = predictions(made, terms)
    return replace(whole, predicted=predicted, texts=replace(terms.about, without_text=without))


def _texts_of(asked: Asked, collection: StudyCollection) -> str | None:
    """Where queries and documents are: what was named, else the judgments' own folder."""
    named = collection.corpus or asked.corpus
    if named is not None or collection.qrels is None:
        return named
    return collection.qrels if may_have_texts(collection.qrels) else None


def _terms(asked: Asked, collection: StudyCollection) -> Terms | None:
    """Read before the work is done, so that a wrong name is said at once; of `all` methods what
    has no texts is left out."""
    source = _texts_of(asked, collection)
    if "predictors" not in asked.methods or source is None:
        return None
    own = collection.corpus is None and asked.corpus is None  # nobody named it
    needed = not own or asked.methods != METHODS
    return read_terms(source, collection.analyzer or asked.analyzer, needed=needed)


def _robust(asked: Asked, collection: StudyCollection, made: Study) -> dict[str, Any]:
    """What needs judgments and runs; `all` leaves it out where there are scores alone."""
    wanted = [m for m in asked.methods if m in ROBUST]
    if not wanted or collection.scores:
        return {}
    more = dict(asked.options)
    if collection.split is not None:
        more["split"] = collection.split
    return {
        condition.name: robustness(
            collection.qrels,
            collection.runs,
            condition,
            wanted,
            alpha=asked.level,
            seed=asked.choices["seed"],
            options=more,
        )
        for condition in made.conditions
    }


def _study(asked: Asked, collection: StudyCollection) -> Study:
    measures = collection.measures or asked.measures
    common = {**asked.choices, "name": collection.name or None, "threads": asked.threads}
    if collection.scores:
        matrix, notes = read_matrix(
            *collection.scores,
            rows=collection.rows or asked.rows,  # type: ignore[arg-type]
            missing=collection.missing or asked.missing,  # type: ignore[arg-type]
            all_errors=bool(asked.options.get("all_errors")),
        )
        common["name"] = collection.name or matrix.name
        made = study(matrix, None, measures, **common)
        return replace(made, notes=(*notes, *made.notes))
    more = dict(asked.options)
    if collection.split is not None:
        more["split"] = collection.split
    return study(
        collection.qrels,
        list(collection.runs),
        measures,
        conditions=asked.conditions,
        **common,
        **more,
    )
