"""A matrix carried out: what is made, found again, resumed after a kill; what a failure costs."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from cranfield.errors import CranfieldError, UnknownName
from cranfield.experiment import matrix as conducting
from cranfield.experiment.lab import lab
from cranfield.experiment.planfile import plan_of
from cranfield.report.experiment import page, to_json

ROOT = Path(__file__).resolve().parents[1]


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


killed = load("killed")


def conduct(only: tuple[str, ...] = (), **more):
    here = lab()
    return conducting.conduct(here, plan_of(here.config), only, **more)


def look_up(only: tuple[str, ...] = ()):
    return conducting.look_up(plan_of(lab().config), only)


def states(found) -> dict[str, str]:
    return {f"{o.cell.collection.name} {o.cell.label}": o.state for o in found.outcomes}


def asked(log: Path) -> list[str]:
    said = log.read_text().split("\n")[:-1]
    log.write_text("")
    return said


def edit(folder: Path, before: str, after: str) -> None:
    path = folder / "cranfield.toml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_every_cell_is_made_once(matrix: Path, toys: Path) -> None:
    assert set(states(look_up()).values()) == {"to do", "waits"}
    told = []
    first = conduct(tell=lambda n, of, cell: told.append((n, of, cell.label)))
    assert set(states(first).values()) == {"made"} and len(first.outcomes) == 8
    assert told[:2] == [(1, 8, "count"), (2, 8, "count+length")]
    # 6 + 5 queries by `count`, 11 reranked behind each of the two systems
    said = asked(toys)
    assert (said.count("count q0"), said.count("length q0")) == (2, 4)
    assert len(said) == 11 + 22
    assert set(states(look_up()).values()) == {"cached"}
    again = conduct(tell=lambda *_: pytest.fail("a cell was carried out again"))
    assert set(states(again).values()) == {"cached"}
    assert asked(toys) == []


def test_two_runs_give_the_same_bytes(matrix: Path, toys: Path, tmp_path: Path) -> None:
    first = conduct()
    runs = {p.relative_to(matrix): p.read_bytes() for p in sorted(matrix.glob("runs/*/*.run"))}
    assert len(runs) == 8
    for path in [*matrix.glob("runs/*/*")]:
        path.unlink()
    second = conduct()
    assert {p: (matrix / p).read_bytes() for p in runs} == runs
    third = conduct()
    for lang in ("en", "zh"):
        for form in ("text", "md", "html"):
            one, two, three = (page(found, lang).to(form) for found in (first, second, third))
            assert one == two == three
    assert to_json(first) == to_json(second) == to_json(third)


def test_a_changed_parameter_makes_only_its_cells_afresh(matrix: Path, toys: Path) -> None:
    conduct()
    asked(toys)
    edit(matrix, "depth = 3", "depth = 3\nparameters = {sign = -1}")
    found = states(conduct())
    assert {k for k, v in found.items() if v == "made"} == {k for k in found if "+" in k}
    assert {line.split()[0] for line in asked(toys)} == {"length"}
    edit(matrix, "parameters = {sign = -1}", "")
    assert set(states(conduct()).values()) == {"cached"}, "the first runs are still there"
    edit(matrix, 'system = "count"', 'system = "count"\nparameters = {weight = 2}')
    found = states(conduct())
    assert found["one count"] == "made" and found["one plain"] == "cached"
    # the scores doubled, so that the run is another file, and what reranks it is made afresh
    assert found["one count+length"] == "made" and found["one plain+length"] == "cached"


def test_a_grid_is_one_variant_a_choice(matrix: Path, toys: Path) -> None:
    edit(matrix, 'system = "count"', 'system = "count"\nparameters = {weight = [1, 2.5]}')
    names = [o.cell.label for o in look_up(("one",)).outcomes]
    assert names[:4] == [
        "count[weight=1]",
        "count[weight=1]+length",
        "count[weight=2.5]",
        "count[weight=2.5]+length",
    ]


def test_changed_documents_queries_and_code_make_it_afresh(matrix: Path, toys: Path) -> None:
    conduct(("count", "one", "two"))
    corpus = matrix / "one" / "corpus.jsonl"
    corpus.write_text(corpus.read_text().replace("brook1", "brook1 brook1"))
    queries = matrix / "two" / "queries.jsonl"
    queries.write_text(queries.read_text().replace("cloud0", "cloud0 ember2"))
    found = states(look_up(("count",)))
    assert found["one count"] == found["two count"] == "to do"
    assert states(look_up(("plain", "two")))["two plain"] == "to do"
    conduct()
    code = toys.with_name("toys.py")
    code.write_text(code.read_text() + "\n# another version\n")
    found = states(look_up())
    assert found["one count"] == "to do" and found["one plain"] == "cached"
    assert found["one plain+length"] == "to do"


def test_changed_judgments_change_scores_and_no_run(matrix: Path, toys: Path) -> None:
    before = to_json(conduct())
    asked(toys)
    qrels = matrix / "one" / "qrels" / "test.tsv"
    qrels.write_text(qrels.read_text().replace("q1\td1\t0", "q1\td1\t2"))
    again = conduct()
    assert set(states(again).values()) == {"cached"} and asked(toys) == []
    assert to_json(again) != before


def test_a_damaged_or_edited_run_is_made_again(matrix: Path, toys: Path) -> None:
    conduct(("one", "count"))
    (run,) = matrix.glob("runs/one/count-*.run")
    whole = run.read_bytes()
    run.write_bytes(whole[:-9])
    assert states(look_up(("one", "count")))["one count"] == "to do"
    conduct(("one", "count"))
    assert run.read_bytes() == whole


PROGRAM = """
import sys
from cranfield.experiment.lab import lab
from cranfield.experiment.matrix import conduct
from cranfield.experiment.planfile import plan_of
here = lab(sys.argv[1])
conduct(here, plan_of(here.config), tell=lambda *said: print(said[0], flush=True))
"""


@pytest.mark.parametrize("name", ["count", "length"])
def test_killed_inside_a_cell_it_goes_on_where_it_stopped(
    name: str, matrix: Path, toys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOYS_SLEEP", "0.1")
    worker = killed.Worker(PROGRAM, matrix, said=tmp_path / "said")
    first = {"count": 1, "length": 2}[name]
    worker.wait_for(first)
    while toys.read_text().count(f"{name} ") < 4:  # the fourth query is under way
        assert worker.finished() == first, "the cell is over"
    worker.kill()
    answered = asked(toys)
    monkeypatch.setenv("TOYS_SLEEP", "0")
    cell = {"count": "one count", "length": "one count+length"}[name]
    assert states(look_up())[cell] == "begun"
    assert not any(matrix.glob(f"runs/one/{cell.split()[1]}-*.run"))
    done = conduct()
    assert set(states(done).values()) <= {"made", "cached"}
    more = [line for line in asked(toys) if line in answered]
    # in this cell nothing is asked twice but the query that was under way
    assert more.count(f"{name} q0") == {"count": 1, "length": 3}[name]  # those of other cells
    assert not list(matrix.glob("runs/*/*.part"))
    runs = {p.relative_to(matrix): p.read_bytes() for p in matrix.glob("runs/*/*.run")}
    for path in matrix.glob("runs/*/*"):
        path.unlink()
    conduct()
    assert {p: (matrix / p).read_bytes() for p in runs} == runs, "as if nothing had happened"


def test_two_at_once_are_never_at_the_same_runs(
    matrix: Path, toys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOYS_SLEEP", "0.2")
    worker = killed.Worker(PROGRAM, matrix, said=tmp_path / "said")
    worker.wait_for(1)
    before = {p: p.stat().st_mtime_ns for p in matrix.rglob("runs/*/*.run")}
    with pytest.raises(CranfieldError, match=r"another experiment is under way .* by process \d+"):
        conduct()
    assert set(states(look_up()).values()) <= {"to do", "begun", "waits", "cached"}  # looks freely
    worker.kill()
    monkeypatch.setenv("TOYS_SLEEP", "0")
    assert set(states(conduct()).values()) <= {"made", "cached"}
    assert all(p.stat().st_mtime_ns == time for p, time in before.items())


def test_killed_before_the_mark_is_written_nothing_is_asked_again(
    matrix: Path, toys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last answer and the mark the journal is still there."""
    from cranfield.experiment import cells

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(cells, "write_card", dies)
        with pytest.raises(KeyboardInterrupt):
            conduct(("one", "count"))
    assert len([line for line in asked(toys) if line.startswith("count")]) == 6
    found = conduct(("one", "count"))
    assert states(found)["one count"] == "made"
    assert not [line for line in asked(toys) if line.startswith("count")]


def test_a_cell_that_fails_does_not_stop_the_others(matrix: Path, toys: Path) -> None:
    edit(matrix, 'system = "terms"', 'system = "broken"')
    found = conduct()
    assert states(found) == {
        f"{name} {run}": "failed" if "plain" in run else "made"
        for name in ("one", "two")
        for run in ("count", "count+length", "plain", "plain+length")
    }
    why = {o.cell.label: o.why for o in found.failed}
    assert why["plain"] == "RuntimeError: it never starts"
    assert "plain failed" in why["plain+length"]
    text = page(found).to_text()
    assert "Not carried out: 4" in text and "one, plain: RuntimeError: it never starts" in text
    assert len(json.loads(to_json(found))["failed"]) == 4


def test_a_collection_that_cannot_be_read_fails_alone(matrix: Path, toys: Path) -> None:
    (matrix / "one" / "queries.jsonl").unlink()
    found = states(conduct())
    assert {k.split()[0] for k, v in found.items() if v == "failed"} == {"one"}
    assert {v for k, v in found.items() if k.startswith("two")} == {"made"}


def test_queries_that_fail_are_asked_again(matrix: Path, toys: Path) -> None:
    bad = toys.with_name("bad")
    bad.write_text("q1 q3")
    found = conduct(("one", "count"))
    assert states(found) == {"one count": "incomplete", "one count+length": "made"}
    assert found.incomplete[0].errors == {
        "q1": "ValueError: no answer to q1",
        "q3": "ValueError: no answer to q3",
    }
    assert "2 of 6 queries failed" in page(found).to_text()
    asked(toys)
    bad.unlink()
    again = conduct(("one", "count"))
    assert states(again)["one count"] == "made"
    said = asked(toys)
    assert [line for line in said if line.startswith("count")] == ["count q1", "count q3"]
    # the run is another now, and is reranked again
    assert len([line for line in said if line.startswith("length")]) == 6


def test_a_sample_is_the_same_for_every_system(matrix: Path, toys: Path) -> None:
    edit(matrix, "depth = 3", "depth = 3\nsample = 3")
    found = conduct(("one",))
    own = {o.cell.label: [q.id for q in o.queries] for o in found.outcomes}
    assert len(own["count+length"]) == 3 and own["count+length"] == own["plain+length"]
    edit(matrix, "sample = 3", "sample = 4")
    more = {o.cell.label: [q.id for q in o.queries] for o in look_up(("one",)).outcomes}
    assert set(own["count+length"]) < set(more["count+length"])
    reranked = next(m for m in found.measured if m.scores.runs[-1] == "count+length")
    assert len(reranked.scores.queries) == 3 and reranked.scores.runs[0] == "count"
    # fewer judgments are used, and none has changed
    assert len(lab().history().points) == len(found.outcomes)
    assert [p.qrels_before for p in lab().history().points if p.qrels_before is not None] == []


def test_everything_is_recorded_once(matrix: Path, toys: Path) -> None:
    found = conduct(command="cranfield experiment")
    entries = lab().ledger.entries()
    assert len(entries) == 8 and found.remarks[0].values == {"first": 1, "last": 8, "n": 8}
    assert {e.command for e in entries} == {"cranfield experiment"}
    first = entries[0]
    assert first.qrels == "one" and first.note == "experiment: one"
    assert [m.text for m in first.measures] == ["nDCG@10", "Judged(any_row=true)@10"]
    assert first.runs[0].config["weight"] == 1.0
    assert first.runs[0].path == str(found.outcomes[0].path.relative_to(matrix))
    assert conduct().remarks == ()
    assert lab().ledger.last() == 8
    edit(matrix, "depth = 3", "depth = 2")
    assert conduct().remarks[0].values["n"] == 4


def test_only_some(matrix: Path, toys: Path) -> None:
    assert list(states(look_up(("two", "count")))) == ["two count", "two count+length"]
    assert len(states(look_up(("length",)))) == 8, "a reranker needs its retrievers"
    with pytest.raises(UnknownName, match="called 'three'"):
        look_up(("three",))


def test_judged_queries_without_a_text_are_told(matrix: Path, toys: Path) -> None:
    queries = matrix / "one" / "queries.jsonl"
    queries.write_text("".join(queries.read_text().splitlines(keepends=True)[:-1]))
    found = conduct(("one",))
    assert found.facts[0].textless == 1 and found.facts[0].asked == 5
    assert "one: 1 judged queries have no text" in page(found).to_text()
    assert len(found.measured[0].scores.queries) == 5


def test_a_document_judged_twice_is_what_the_lab_says(matrix: Path, toys: Path) -> None:
    qrels = matrix / "one" / "qrels" / "test.tsv"
    qrels.write_text(qrels.read_text() + "q0\td0\t2\n")
    found = states(conduct(("one", "count")))
    assert set(found.values()) == {"failed"}
    edit(matrix, "[experiment]", '[settings]\non_duplicate = "max"\n\n[experiment]')
    again = conduct(("one", "count"))
    assert set(states(again).values()) == {"made"} and again.facts[0].positive == 6
