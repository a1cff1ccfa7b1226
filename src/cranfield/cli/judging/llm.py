"""`cranfield judge llm`, `rubrics` and `preferences`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.judging.llm_options import asking_options, budget, service, which_pairs
from cranfield.cli.judging.store import labels_option, store_of
from cranfield.cli.options import emit, keep_inputs, output, say
from cranfield.errors import ServiceError, UsageError

if TYPE_CHECKING:
    from cranfield.judging.labels import Labels
    from cranfield.judging.llm.judge import Judged, Prepared
    from cranfield.judging.llm.meter import Prices
    from cranfield.judging.llm.work import Which

MANY = 1000  # calls, above which one is asked first


@click.command("llm")
@click.argument("collection")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@which_pairs
@service
@asking_options
@budget
@labels_option
def command(collection: str, runs: tuple[str, ...], labels: str | None, **o: Any) -> None:
    """Let a language model judge documents of COLLECTION (a BEIR folder or irds:<id>): the first
    ones of the RUNs that have no label, those of a work-list, or labelled ones.

    The model is behind any address that speaks OpenAI's /v1/chat/completions. Every answer is in
    the label store as soon as it comes, and the same command goes on where it was interrupted. An
    answer that cannot be read is a row without a grade. With a rubric for preferences it is asked
    which of two documents is better, in both orders.
    """
    from cranfield.cli.making import read_params
    from cranfield.formats.readers import read_collection
    from cranfield.judging.llm.judge import prepare
    from cranfield.judging.llm.meter import Prices
    from cranfield.judging.llm.prompt import Asking
    from cranfield.judging.llm.rubric import read_rubric
    from cranfield.judging.llm.work import choose

    rubric = read_rubric(o["rubric"])
    asking = Asking(
        rubric,
        answer=o["answer"],
        batch=o["batch"],
        samples=o["samples"],
        temperature=o["temperature"],
        seed=o["seed"],
        max_chars=o["max_chars"] or None,
        max_tokens=o["max_answer_tokens"],
        fields=o["fields"],
        more=read_params(o["params"]),
        documents_first=o["documents_first"],
    )
    prices = Prices(o["price_in"], o["price_out"])
    if not o["model"]:
        raise UsageError("which model?", "--model NAME, or CRANFIELD_LLM_MODEL")
    store = _store(labels, dry=o["dry_run"])
    found = read_collection(collection, split=o["split"])
    which = _which(runs, store, o)
    chosen = choose(found, rubric, which)
    prepared = prepare(chosen.items, asking, o["model"], store, failed_again=o["failed"] == "again")
    say([*chosen.notes, *_own_work(o["model"], runs)])
    _preview(prepared, prices, o)
    if o["dry_run"] or not (prepared.plan.tasks or prepared.plan.copied):
        return
    assert store is not None
    _confirm(prepared, o)
    done = _ask(prepared, store, prices, {"collection": found.name, "runs": list(runs)}, o)
    _told(done, prepared, store)


def _own_work(model: str, runs: tuple[str, ...]) -> list[str]:
    """A word where a run was made with a model of the judge's family."""
    from cranfield.judging.kinship import kin, models_of_run

    return [
        f"by its card the run {run} was made with {', '.join(models)}: of the family {k.family}, "
        "as this judge, which would judge its own work (`agree` says what it gains)"
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


def _which(runs: tuple[str, ...], store: Labels | None, o: dict[str, Any]) -> Which:
    from cranfield.judging.llm.work import Which

    queries = None
    if o["part"] is not None:
        from cranfield.judging.parts import known_parts

        parts = None if store is None else known_parts(store)
        if parts is None:
            hint = "cranfield agree @human @llm --part tune draws them"
            raise UsageError("the label store has no parts yet", hint)
        queries = set(parts.of(o["part"]))
    return Which(
        runs=runs,
        depth=o["depth"],
        unjudged=not o["judged_too"],
        work_list=o["work_list"],
        labelled=o["labelled"],
        sample=o["sample"],
        balanced=o["balanced"],
        seed=o["seed"],
        queries=queries,
    )


def _preview(prepared: Prepared, prices: Prices, o: dict[str, Any]) -> None:
    plan, cost, asking = prepared.plan, prepared.cost, prepared.asking
    what = "pairs of documents" if asking.rubric.kind == "preference" else "pairs"
    lines = [
        f"{len(prepared.items)} {what} to judge by {asking.rubric.version} "
        f"(prompt {asking.prompt}) with {prepared.model}",
        f"{plan.kept} answers are there already, {len(plan.copied)} follow from documents with the "
        f"same texts, {plan.left} failed ones are left",
        f"calls: {cost.calls}; tokens sent: about {cost.tokens_in:,}; tokens back: at most "
        f"{cost.tokens_out:,}",
    ]
    if plan.again:
        lines.insert(2, f"{plan.again} answers that could not be read are asked for again")
    money = prices.of(cost.tokens_in, cost.tokens_out)
    if money is not None:
        lines.append(f"cost: about {money:.4g} at most, retries apart")
    for line in lines:
        click.echo(line)
    first = prepared.first()
    if o["show_prompt"] and first is not None:
        click.echo(f"--- system\n{first.system}\n--- user\n{first.user}\n---")


def _confirm(prepared: Prepared, o: dict[str, Any]) -> None:
    calls = prepared.cost.calls
    if calls <= MANY or o["yes"] or o["max_calls"] is not None or o["max_tokens"] is not None:
        return
    if not sys.stdin.isatty():
        raise UsageError(f"these are {calls} calls", "--yes, or a limit: --max-calls, --max-tokens")
    click.confirm(f"Make {calls} calls?", abort=True)


def _ask(
    prepared: Prepared, store: Labels, prices: Prices, about: dict[str, Any], o: dict[str, Any]
) -> Judged:
    from cranfield.cli.judging.llm_options import chat_of
    from cranfield.cli.lab import typed
    from cranfield.judging.llm.judge import judge
    from cranfield.judging.llm.meter import Meter
    from cranfield.kit.retry import Backoff

    chat = chat_of(prepared.asking, o)
    try:
        return judge(
            prepared,
            chat,
            store,
            meter=Meter(o["max_calls"], o["max_tokens"]),
            prices=prices,
            at_once=o["at_once"],
            assessor=o["assessor"],
            backoff=Backoff(o["attempts"], seed=o["seed"]),
            about={**about, "command": typed()},
        )
    finally:
        chat.close()


def _told(done: Judged, prepared: Prepared, store: Labels) -> None:
    tally, meter = done.tally, done.meter
    what = "preferences" if prepared.asking.rubric.kind == "preference" else "grades"
    click.echo(
        f"{store.name}: {tally.graded + done.copied} {what} added, {tally.failed} answers that "
        f"cannot be read, {tally.unanswered} questions without an answer"
    )
    used = f"{meter.calls} calls, {meter.tokens_in:,} tokens sent, {meter.tokens_out:,} back"
    click.echo(used if done.cost is None else f"{used}, cost {done.cost:.4g}")
    notes = [f"unread, {n} times: {why}" for why, n in tally.unreadable.most_common(3)]
    if meter.unsaid:
        notes.append(f"the tokens of {meter.unsaid} calls are guessed; the service does not say")
    if done.way not in ("json_schema", "token", None):
        notes.append(f"the server takes no JSON schema; answers were asked for as {done.way}")
    if done.loose:
        notes.append(f"the server takes a JSON schema and broke it {done.loose} times")
    if tally.cut:
        notes.append(f"{tally.cut} documents were cut, {tally.chars_cut:,} characters in all")
    if tally.neutralised:
        notes.append(f"in {tally.neutralised} documents something was neutralised")
    if tally.stopped is not None:
        open_ = tally.tasks - tally.asked - tally.unanswered
        notes.append(f"stopped: {tally.stopped}; {open_} questions are open")
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
def rubrics(name: str | None) -> None:
    """List the rubrics that come with Cranfield, or print one to begin your own with."""
    from cranfield.judging.llm.rubric import bundled, read_rubric, rubric_text

    if name is not None:
        click.echo(rubric_text(name), nl=False)
        return
    for one in bundled():
        found = read_rubric(one)
        parts = [f"grades {found.scale[0]}-{found.scale[-1]}" if found.grades else "preference"]
        parts += ["with a reason"] * found.reason + ["with a relevant document"] * found.reference
        click.echo(f"{found.version:<32} {', '.join(parts)}")


@click.command("preferences")
@click.option("--model", "models", multiple=True, help="Only of this model.")
@click.option("--source", "sources", multiple=True, help="Only of these: human, llm.")
@labels_option
@output
def preferences(
    models: tuple[str, ...], sources: tuple[str, ...], labels: str | None, output: str | None
) -> None:
    """Write preferences as `evaluate` reads them for prefs_simp and the like.

    A pair counts where both orders were answered alike. Ties and inconsistent pairs are no
    preference; they are counted.
    """
    from cranfield.errors import NothingToEvaluate
    from cranfield.judging.judgment import Wanted
    from cranfield.judging.preferences import current, prefs_lines, settled

    keep_inputs(output, labels)
    store = store_of(labels)
    found = settled(current(store, Wanted(sources=sources, models=models)))
    made = prefs_lines(found)
    if not made.preferences:
        raise NothingToEvaluate(
            f"no preference among {len(found)} pairs", "cranfield judge llm --rubric preference"
        )
    emit(made.text.encode(), output)
    listed = ", ".join(f"{n} {what}" for what, n in sorted(made.outcomes.items()))
    notes = [f"{len(found)} pairs: {listed}"]
    if made.groups == 1:
        notes.append("of one judge alone: `evaluate` reads such a file with --qrels-format prefs")
    if made.circles:
        notes.append(
            f"in {made.circles} queries preferences run in a circle; there each pair stands alone"
        )
    say(notes)
