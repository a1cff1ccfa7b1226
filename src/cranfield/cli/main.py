"""`cranfield`: the commands, loaded when called, and how a command ends."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, NoReturn

# Evaluation multiplies no matrices; OpenBLAS would otherwise start a thread a processor at import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import click

from cranfield import __version__
from cranfield.errors import CranfieldError

COMMANDS = {
    "agree": "Say how far judges agree, and whether they put the systems in one order.",
    "bundle": "Pack a comparison for the appendix of a paper, or check such a pack.",
    "check": "Say what is wrong with a collection, and how much it moves the scores.",
    "compare": "Say whether a run is better than a base, and where the difference comes from.",
    "dedup": "Find duplicate documents, and write judgments that treat them alike.",
    "demo": "Judge a search system on the bundled bilingual collection.",
    "doctor": "Say why a run scores 0 or oddly low, and write it with the ids that are meant.",
    "evaluate": "Score runs against judgments.",
    "experiment": "Carry out a matrix of collections, systems and rerankers.",
    "explain": "Work out one query's score by hand, rank by rank.",
    "fuse": "Make one run of several.",
    "gate": "Say whether a release may pass, by rules, with an exit code.",
    "init": "Make a lab: a folder that remembers its evaluations.",
    "judge": "Keep labels of people and of models; let a model judge.",
    "log": "List the evaluations of a lab, with trends and what changed.",
    "measures": "List the measures, or explain one.",
    "overlap": "Rank collections by how near they are to your own.",
    "power": "Say how many queries show which difference.",
    "qrels": "Compare, merge and count sets of judgments.",
    "reconcile": "Find the tool or convention that gives a number seen elsewhere.",
    "report": "Write the report of a run, of a comparison, or of a lab.",
    "rerank": "Put the first documents of a run in a new order.",
    "retrieve": "Run a search system over the queries of a collection.",
    "review": "Look at the same queries with every new run, and tag what is wrong.",
    "rollup": "Make a run of documents from a run of passages.",
    "show": "Show a recorded evaluation.",
    "split": "Divide the queries into dev and test, and freeze the test.",
    "study": "Say which measure tells systems apart, and from how many queries on.",
    "topics": "Divide the queries by topic, so that results can be sliced by it.",
    "trec-eval": "Print what trec_eval would print, byte for byte.",
}


class Commands(click.Group):
    """Commands whose modules are imported only when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found: click.Command = import_module(f"cranfield.cli.{name.replace('-', '_')}").command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 success, 2 wrong call, 3 wrong data, 4 missing file, 5 missing package, "
    "6 nothing to evaluate, 130 interrupted.",
)
@click.version_option(__version__, prog_name="cranfield")
def main() -> None:
    """Decide, from evidence, whether a search engine got better."""


def run() -> NoReturn:
    """The program: never a traceback for a user's mistake."""
    sys.exit(_run())


def _run() -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # tables hold more than ASCII whatever the locale says
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        ended = main.main(standalone_mode=False)
    except CranfieldError as e:
        click.echo(f"error: {e}", err=True)
        return e.exit_code
    except click.exceptions.Exit as e:
        return e.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return 130
    except click.ClickException as e:
        e.show()
        return e.exit_code
    except BrokenPipeError:  # the reader (head, less) has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo("This is a bug in Cranfield; please report it with the lines above.", err=True)
        return 70
    return ended if isinstance(ended, int) else 0  # an answer that is an exit code, as of `gate`
