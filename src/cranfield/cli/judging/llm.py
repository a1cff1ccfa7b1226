"""`cranfield judge llm`, `rubrics` and `preferences`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import inputs
from cranfield.cli.judging.llm_options import asking_options, budget, service, which_pairs
from cranfield.cli.judging.store import labels_option, of_lab, store_of
from cranfield.cli.options import say
from cranfield.errors import ServiceError, UsageError

if TYPE_CHECKING:
    from cranfield.judging.labels import Labels
    from cranfield.judging.llm.judge import Judged, Prepared
    from cranfield.judging.llm.meter import Prices
    from cranfield.report.language import Words

MANY = 1000  # calls, above which one is asked first
# options that are called as in `prepare_judging`, and as in `judge`
_ALIKE = (
    *("work_list", "labelled", "sample", "balanced", "seed"),
    *("answer", "batch", "samples", "temperature", "fields", "documents_first", "assessor"),
)
_ASKED = (
    *("key_env", "ca_certs", "at_once", "rate", "timeout", "attempts", "max_calls"),
    *("max_tokens", "price_in", "price_out"),
)


@click.command("llm")
@click.argument("collection", required=False)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@which_pairs
@service
@asking_options
@budget
@inputs.lang
@labels_option
def command(
    collection: str | None, runs: tuple[str, ...], lang: str, labels: str | None, **o: Any
) -> None:
    """Let a language model judge documents of COLLECTION (a BEIR folder, irds:<id>, or a lab): the
    first ones of the RUNs that nobody has labelled, those of a work-list, or labelled ones.

    The model is behind any address that speaks OpenAI's /v1/chat/completions. Every answer is in
    the label store as soon as it comes, and the same command goes on where it was interrupted. An
    answer that cannot be read is a row without a grade. With a rubric for preferences it is asked
    which of two documents is better, in both orders. Without COLLECTION: that of the lab, which
    `.` names before RUNs.
    """
    from cranfield.cli.making import read_params
    from cranfield.judging.llm.meter import Prices
    from cranfield.judging.llm.service import prepare_judging
    from cranfield.report.lab_words import Count
    from cranfield.report.language import words

    w = words(lang)
    prices = Prices(o["price_in"], o["price_out"])
    if not o["model"]:
        raise UsageError("which model?", "--model NAME, or CRANFIELD_LLM_MODEL")
    own = of_lab(collection, labels)
    store = _store(labels if own is None else own.labels, dry=o["dry_run"])
    name = collection if own is None else own.collection
    assert name is not None
    prepared = prepare_judging(
        name,
        runs,
        model=o["model"],
        labels=store,
        rubric=o["rubric"],
        split=o["split"] or (None if own is None else own.split),
        failed_again=o["failed"] == "again",
        depth=o["depth"],
        unjudged=not o["judged_too"],
        queries=_queries(store, o["part"]),
        max_chars=o["max_chars"] or None,
        max_tokens=o["max_answer_tokens"],
        more=read_params(o["params"]),
        **{k: o[k] for k in _ALIKE},
    )
    left = [w(f"llm.left_out.{why}", n=Count(n)) for why, n in prepared.left_out.items()]
    say([*left, *_own_work(o["model"], runs, w)])
    _preview(prepared, prices, w, o)
    if o["dry_run"] or not (prepared.plan.tasks or prepared.plan.copied):
        return
    assert store is not None
    _confirm(prepared, w, o)
    done = _ask(prepared, store, {"collection": prepared.collection, "runs": list(runs)}, o)
    _told(done, prepared, store, w)


def _own_work(model: str, runs: tuple[str, ...], w: Words) -> list[str]:
    """A word where a run was made with a model of the judge's family."""
    from cranfield.judging.kinship import kin, models_of_run

    return [
        w("llm.own_work", run=run, models=", ".join(models), family=k.family)
        for k in kin([model], {run: models_of_run(run) for run in runs})
        for run, models in k.runs
    ]


def _store(labels: str | None, *, dry: bool) -> Labels | None:
    """The label store; for a preview there need not be one."""
    try:
        return store_of(labels, there=False)
    except UsageError:
        if dry:
            return None
        raise


def _queries(store: Labels | None, part: str | None) -> set[str] | None:
    """The queries of a part; None for all."""
    if part is None:
        return None
    from cranfield.judging.parts import known_parts

    parts = None if store is None else known_parts(store)
    if parts is None:
        hint = "cranfield agree @human @llm --part tune draws them"
        raise UsageError("the label store has no parts yet", hint)
    return set(parts.of(part))


def _preview(prepared: Prepared, prices: Prices, w: Words, o: dict[str, Any]) -> None:
    from cranfield.report.lab_words import Count

    plan, cost, asking = prepared.plan, prepared.cost, prepared.asking
    lines = [
        w(
            "llm.plan.two" if asking.rubric.kind == "preference" else "llm.plan",
            n=Count(len(prepared.items)),
            rubric=asking.rubric.version,
            prompt=asking.prompt,
            model=prepared.model,
        ),
        w(
            "llm.kept",
            kept=Count(plan.kept),
            copied=Count(len(plan.copied)),
            left=Count(plan.left),
        ),
        w("llm.calls", calls=cost.calls, sent=cost.tokens_in, back=cost.tokens_out),
    ]
    if plan.again:
        lines.insert(2, w("llm.again", n=Count(plan.again)))
    money = prices.of(cost.tokens_in, cost.tokens_out)
    if money is not None:
        lines.append(w("llm.cost", money=money))
    for line in lines:
        click.echo(line)
    first = prepared.first()
    if o["show_prompt"] and first is not None:
        click.echo(f"--- system\n{first.system}\n--- user\n{first.user}\n---")


def _confirm(prepared: Prepared, w: Words, o: dict[str, Any]) -> None:
    calls = prepared.cost.calls
    if calls <= MANY or o["yes"] or o["max_calls"] is not None or o["max_tokens"] is not None:
        return
    if not sys.stdin.isatty():
        raise UsageError(f"these are {calls} calls", "--yes, or a limit: --max-calls, --max-tokens")
    click.confirm(w("llm.confirm", n=calls), abort=True)


def _ask(prepared: Prepared, store: Labels, about: dict[str, Any], o: dict[str, Any]) -> Judged:
    from cranfield.cli.lab import typed
    from cranfield.judging.llm.service import judge

    if not o["url"]:
        raise UsageError(
            "where is the model?", "--url http://localhost:8080/v1, or CRANFIELD_LLM_URL"
        )
    return judge(
        prepared, store, o["url"], about={**about, "command": typed()}, **{k: o[k] for k in _ASKED}
    )


def _told(done: Judged, prepared: Prepared, store: Labels, w: Words) -> None:
    from cranfield.report.lab_words import Count

    tally, meter = done.tally, done.meter
    click.echo(
        w(
            "llm.added.two" if prepared.asking.rubric.kind == "preference" else "llm.added",
            store=store.name,
            n=Count(tally.graded + done.copied),
            failed=Count(tally.failed),
            unanswered=Count(tally.unanswered),
        )
    )
    used = w("llm.used", calls=Count(meter.calls), sent=meter.tokens_in, back=meter.tokens_out)
    click.echo(used if done.cost is None else w("llm.used.cost", used=used, cost=done.cost))
    notes = [w("llm.unread", n=Count(n), why=y) for y, n in tally.unreadable.most_common(3)]
    if meter.unsaid:
        notes.append(w("llm.guessed", n=Count(meter.unsaid)))
    if done.way not in ("json_schema", "token", None):
        notes.append(w("llm.way", way=done.way))
    if done.loose:
        notes.append(w("llm.loose", n=Count(done.loose)))
    if tally.cut:
        notes.append(w("llm.cut", n=Count(tally.cut), chars=tally.chars_cut))
    if tally.neutralised:
        notes.append(w("llm.neutralised", n=Count(tally.neutralised)))
    if tally.stopped is not None:
        open_ = tally.tasks - tally.asked - tally.unanswered
        notes.append(w("llm.stopped", why=tally.stopped, n=Count(open_)))
    say(notes)
    if tally.unanswered:
        why, n = tally.errors.most_common(1)[0]
        raise ServiceError(
            f"{tally.unanswered} questions had no answer, {n} of them: {why}",
            "answers so far are kept; the same command asks for the others",
        )
    if tally.failed and not tally.graded:
        raise ServiceError(
            f"no answer could be read, of {tally.asked}",
            "can the model write JSON? --show-prompt shows what it is asked; `judge log --format "
            "jsonl` what it said",
        )


@click.command("rubrics")
@click.argument("name", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["toml", "md"]),
    default="toml",
    show_default=True,
    help="Of the rubric that is printed.",
)
@inputs.lang
def rubrics(name: str | None, form: str, lang: str) -> None:
    """List the rubrics that come with Cranfield, or print one to begin your own with. NAME may be
    a file of your own, to write it in the other form with --format md."""
    from cranfield.judging.llm.markdown import to_markdown
    from cranfield.judging.llm.rubric import bundled, read_rubric, rubric_text
    from cranfield.report.language import words

    if name is not None and form == "md":
        click.echo(to_markdown(read_rubric(name)), nl=False)
        return
    if name is not None:
        click.echo(rubric_text(name), nl=False)
        return
    w = words(lang)
    for one in bundled():
        found = read_rubric(one)
        scale = found.scale
        parts = (
            [w("rubrics.grades", low=scale[0], high=scale[-1])]
            if scale
            else [w("rubrics.preference")]
        )
        parts += [w("rubrics.reason")] * found.reason + [w("rubrics.reference")] * found.reference
        click.echo(f"{found.version:<32} {w('rubrics.and').join(parts)}")
