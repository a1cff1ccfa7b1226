"""Write the pages of the documentation that the code can write itself.

    python tools/make_docs.py           write docs/measures/, docs/commands.md, docs/exit-codes.md
    python tools/make_docs.py --check   exit with 1 and name the files that are out of date

The same code gives the same bytes: no date, no version, no terminal width goes in.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from cranfield import errors
from cranfield.cli.main import COMMANDS, main
from cranfield.measures import (
    CATALOG,
    compute,
    example_block,
    explain_family,
    in_order,
    parse,
    parse_many,
)
from cranfield.measures.declaration import Sampled
from cranfield.report.measures import marks_of

DOCS = Path(__file__).resolve().parent.parent / "docs"
MADE = "<!-- Made by tools/make_docs.py. Do not edit: change the code and run it again. -->"

# What other tools call our measures; the parser says what each means.
SPELLINGS = {
    "trec_eval": """
        map map_cut_10 P_10 recall_100 set_P set_recall set_F set_F_4 ndcg ndcg_cut_10 Rprec
        recip_rank bpref success_5 num_q num_ret num_rel num_rel_ret map_cut.5,10 P.5,10
        recall.5,10 ndcg_cut.5,10 success.1,5 gm_map gm_bpref infAP 11pt_avg 11pt_avg.0.2,0.5,0.8
        iprec_at_recall_0.10 iprec_at_recall.0.1,0.2 Rprec_mult_0.20 Rprec_mult.0.5,2 relative_P_10
        set_relative_P set_map utility utility.2,-1,0,0 binG G ndcg_rel Rndcg yaap unj_5 rbp
        rbp.p=0.8 rbp_resid num_nonrel_judged_ret ndcg.1=3,2=9
        map_avgjg P_avgjg.5,10 Rprec_mult_avgjg_0.20 prefs_num_prefs_poss prefs_num_prefs_ful
        prefs_num_prefs_ful_ret prefs_simp prefs_simp_ret prefs_simp_imp prefs_pair prefs_pair_ret
        prefs_pair_imp prefs_avgjg prefs_avgjg_ret prefs_avgjg_imp prefs_avgjg_Rnonrel
        prefs_avgjg_Rnonrel_ret
    """.split(),
    "ir_measures": [
        *"AP AP(rel=2) AP@10 P@10 P(judged_only=True)@10 R@100 RR RR@10 nDCG nDCG@10".split(),
        *"Rprec Bpref Bpref(rel=2) Success@5 SetP SetR SetF SetF(beta=2) NumQ NumRet".split(),
        *"NumRet(rel=1) NumRel Judged@10 RBP RBP(p=0.5) ERR@10".split(),
        *"infAP IPrec@0.1 SetAP SetRelP Compat Compat(p=0.8) INST(max_rel=3)".split(),
        *"INSQ(T=2.0,max_rel=3) BPM(max_rel=3)@10 SDCG(max_rel=3)@10 NERR8(max_rel=3)@10".split(),
        *"alpha_nDCG@10 α_nDCG(alpha=0.3)@10 ERR_IA@20 nERR_IA@20 NRBP nNRBP MAP_IA".split(),
        *"P_IA@10 StRecall@10 NERR9(max_rel=3)@10 NERR10(max_rel=3) NERR11(max_rel=3)".split(),
        'nDCG(dcg="exp-log2")@10',
        "nDCG(gains={0:0,1:1,2:5})@10",
    ],
}


def pages() -> Iterator[tuple[str, str]]:
    """(path under docs/, text) of every page that is made."""
    yield "measures/index.md", measures_index()
    for name in CATALOG:
        yield f"measures/{name}.md", measure_page(name)
    yield "commands.md", commands()
    yield "exit-codes.md", exit_codes()


# ---------------------------------------------------------------------------------- measures


def measures_index() -> str:
    tables = []
    for title, families in in_order().items():
        tables.append(f"## {title[0].upper()}{title[1:]}")
        rows = ["| measure | written | what it is | range | summary |", "|---|---|---|---|---|"]
        for family in families:
            name, about = family.name, explain_family(family.name)
            rows.append(
                f"| [{name}]({name}.md) | `{_signature(about)}` | {_cell(family.title)} "
                f"| {about['range']} | {about['aggregate']} |"
            )
        tables.append("\n".join(rows))
    return _page(
        "Measures",
        f"There are {len(CATALOG)} families. A measure is a family with parameters, written as in "
        '`nDCG@10`, `AP(rel=2)` or `nDCG(gain="exp")@10`; an apostrophe (`nDCG\'@10`) takes '
        "unjudged documents out of the list first. The names that trec_eval and ir_measures use "
        "are understood too; each page lists them.",
        "`cranfield measures` prints this list, `cranfield measures nDCG` one page of it. The "
        "conventions that all measures share are on one page: "
        "[conventions](../concepts/conventions.md).",
        *tables,
    )


def measure_page(name: str) -> str:
    about = explain_family(name)
    facts = [
        ("formula", f"`{about['formula']}`"),
        ("range", about["range"]),
        ("no relevant document", about["no_relevant"]),
        ("equal scores", about["ties"]),
        ("summary", f"{about['aggregate']} over queries"),
        ("source", about["source"]),
    ]
    table = "\n".join(["| | |", "|---|---|", *(f"| {k} | {_cell(v)} |" for k, v in facts)])
    return _page(
        f"{name}: {about['title']}",
        f"Written `{_signature(about)}`. [All measures](index.md)",
        table,
        "## Parameters",
        _parameters(about),
        "## Other spellings",
        _spellings(name),
        "## Example",
        *_example(name),
    )


def _signature(about: dict[str, Any]) -> str:
    named = [p for p in about["parameters"] if p["name"] not in ("k", "condensed")]
    inside = ", ".join(f"{p['name']}={p['default']}" for p in named)
    cutoff = next((p for p in about["parameters"] if p["name"] == "k"), None)
    at = "" if cutoff is None else "@k" if cutoff["default"] == "required" else "[@k]"
    return about["name"] + (f"({inside})" if inside else "") + at


def _parameters(about: dict[str, Any]) -> str:
    if not about["parameters"]:
        return "None."
    rows = []
    for p in about["parameters"]:
        default = {"none": "not given"}.get(p["default"], p["default"])
        name = "`@k`" if p["name"] == "k" else f"`{p['name']}`"
        rows.append(f"| {name} | {_cell(default)} | {_cell(p['help'])} | {_cell(p['allowed'])} |")
    head = ["| parameter | default | meaning | allowed |", "|---|---|---|---|"]
    return "\n".join([*head, *rows])


def _spellings(name: str) -> str:
    rows = []
    for tool, texts in SPELLINGS.items():
        for text in texts:
            measures = parse_many([text])
            if measures[0].family == name:
                ours = ", ".join(f"`{m}`" for m in measures)
                rows.append(f"| {tool} | `{_cell(text)}` | {_cell(ours)} |")
    aliases = explain_family(name)["aliases"]
    also = f"`{name}` is also read as {', '.join(f'`{a}`' for a in aliases)}." if aliases else ""
    if not rows:
        return also or "None."
    return "\n".join([also, ""] * bool(also) + ["| tool | there | here |", "|---|---|---|", *rows])


_STRATA = {"grades by stratum": "grade and stratum"}


def _example(name: str) -> Iterator[str]:
    """The worked example: the list, the arithmetic, and the same in Python."""
    example = CATALOG[name].example
    measure = parse(example.measure)
    block = example_block(example)
    found = compute([measure], *block)[0][0, 0]
    assert abs(found - example.value) < 1e-9, f"{name}: the example says {example.value}"
    marks = marks_of(example.ranked)
    one = {"grades": "grade", "grades by group": "grade by group", **_STRATA}.get(marks, marks)
    cut = CATALOG[name].cutoff == "k" and not measure.condensed
    head = f"| rank | {one} |"
    head += " value if the list ended here |" if cut else ""
    rows = [head, "|---:|---:|" + ("---:|" if cut else "")]
    for rank, mark in enumerate(example.ranked, 1):
        row = f"| {rank} | {_mark(mark)} |"
        if cut and (measure.cutoff is None or rank <= measure.cutoff):
            value = compute([measure @ rank], *block)[0][0, 0]
            row += f" {value:.6f} |"
        rows.append(row)
    yield f"A list with these {marks}, the best score first:"
    yield "\n".join(rows)
    missed = ", ".join(map(_mark, example.missed))
    yield (
        f"Judged but not returned: documents of {one} {missed}."
        if missed
        else "No other document is judged."
    )
    note = f"{example.note}. So " if example.note else ""
    yield f"{note}`{example.measure}` = {found:.10g}."
    if marks == "grades":  # a dictionary has no column for them
        yield "The same in Python:"
        yield _python(example, found)


def _mark(mark: Any) -> str:
    """What was said of a document: a grade, its subtopics, or what each group gave it."""
    if isinstance(mark, tuple):
        return " and ".join(map(str, mark))
    if isinstance(mark, Sampled):
        return str(mark)
    if isinstance(mark, dict):
        return " and ".join(f"{group}: {grade:g}" for group, grade in mark.items())
    return "unjudged" if mark is None else f"{mark:g}"


def _python(example: Any, found: float) -> str:
    ranked = {f"d{i}": g for i, g in enumerate(example.ranked, 1)}
    missed = {f"m{i}": g for i, g in enumerate(example.missed, 1)}
    qrels = {d: g for d, g in {**ranked, **missed}.items() if g is not None}
    run = {d: len(ranked) - i for i, d in enumerate(ranked)}
    lines = [
        "```python",
        ">>> import cranfield",
        f">>> qrels = {_literal(qrels)}",
        f">>> run = {_literal(run)}",
        f">>> scores = cranfield.evaluate(qrels, run, {example.measure!r})",
        '>>> print(f"{scores.mean():.10g}")',
        f"{found:.10g}",
        "```",
    ]
    return "\n".join(lines)


def _literal(docs: dict[str, float]) -> str:
    return '{"q1": {' + ", ".join(f'"{d}": {v:g}' for d, v in docs.items()) + "}}"


# ---------------------------------------------------------------------------------- commands


def commands() -> str:
    parts = ["`cranfield COMMAND --help` prints these texts."]
    for name in ("", *COMMANDS):
        title = f"cranfield {name}".strip()
        parts += [f"## {title}", f"```text\n{_help(name)}\n```"]
        for inner in _inner(name):
            parts += [f"### {title} {inner}", f"```text\n{_help(f'{name} {inner}')}\n```"]
    parts.append("What the exit codes mean: [exit codes](exit-codes.md).")
    return _page("Commands", *parts)


def _inner(name: str) -> list[str]:
    """The commands of a command that has some."""
    found = main.get_command(click.Context(main), name) if name else None
    return list(found.commands) if isinstance(found, click.Group) else []


def _help(name: str) -> str:
    """The help text at a width of 80 columns, whatever the terminal."""
    call = [*name.split(), "--help"]
    result = CliRunner().invoke(main, call, prog_name="cranfield", terminal_width=80)
    if result.exit_code:
        raise click.ClickException(f"cranfield {' '.join(call)}: {result.output}")
    return result.output.rstrip("\n")


def exit_codes() -> str:
    codes = [f"| {code} | {meaning} |" for code, meaning in errors.EXIT_CODES.items()]
    classes = [
        f"| {'&nbsp;&nbsp;' * depth}`{kind.__name__}` | {kind.exit_code} | {_first_line(kind)} |"
        for kind, depth in _tree(errors.CranfieldError)
    ]
    return _page(
        "Exit codes",
        "A command ends with one of these codes, so that a script can tell a wrong call from "
        "wrong data. What is wrong, where, and what to do about it stands on the standard error "
        "stream, never as a traceback.",
        "\n".join(["| code | meaning |", "|---:|---|", *codes]),
        "## The errors in Python",
        "The same failures are exceptions there. Each has `message`, `hint` and `exit_code`; a "
        "`FormatError` has `file`, `line` and `text` too. They stand in `cranfield.errors`, and "
        "`cranfield.CranfieldError` is the root of all.",
        "\n".join(["| exception | exit code | raised when |", "|---|---:|---|", *classes]),
    )


def _tree(kind: type, depth: int = 0) -> Iterator[tuple[Any, int]]:
    yield kind, depth
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _tree(child, depth + 1)


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ").replace("    ", "")


# ---------------------------------------------------------------------------------- writing


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", MADE, *filter(None, parts)]) + "\n"


def _cell(text: str) -> str:
    """A text inside a Markdown table."""
    return text.replace("|", "\\|")


def stale(root: Path) -> Iterator[tuple[Path, str | None]]:
    """(file, text it should have; None: it should not be there) of all that is out of date."""
    made = dict(pages())
    for name, text in made.items():
        path = root / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield path, text
    for path in sorted((root / "measures").glob("*.md")):
        if f"measures/{path.name}" not in made:
            yield path, None


def run(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if out of date")
    parser.add_argument("--docs", type=Path, default=DOCS, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    found = list(stale(given.docs))
    for path, text in found:
        if given.check:
            print(f"out of date: {path}", file=sys.stderr)
        elif text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"written: {path}")
    if found and given.check:
        print("run: python tools/make_docs.py", file=sys.stderr)
    return int(bool(found) and given.check)


if __name__ == "__main__":
    sys.exit(run())
