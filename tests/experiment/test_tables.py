"""The tables of an experiment, held against numbers worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.comparison.compare import compare
from cranfield.evaluation.evaluate import evaluate
from cranfield.experiment.lab import lab
from cranfield.experiment.matrix import conduct
from cranfield.experiment.planfile import plan_of
from cranfield.experiment.tables import averages, rows
from cranfield.report.experiment import page, to_json
from cranfield.report.experiment_grids import plain_grid
from cranfield.stats.intervals import t_interval


def carried_out(folder: Path):
    here = lab(folder)
    found = conduct(here, plan_of(here.config))
    table = rows(found)
    return found, table, averages(found, table)


def test_rows_are_what_evaluate_says(matrix: Path) -> None:
    found, table, _ = carried_out(matrix)
    assert [(r.cell.collection.name, r.cell.label) for r in table] == [
        (name, run)
        for name in ("one", "two")
        for run in ("count", "count+length", "plain", "plain+length")
    ]
    row = table[1]
    assert (row.cell.label, row.against, row.n) == ("count+length", "count", 6)
    measures = ["nDCG@10", "Judged(any_row=true)@10"]
    files = {o.cell.label: str(o.path) for o in found.outcomes[:2]}
    scores = evaluate(str(matrix / "one"), list(files.values()), measures)
    assert row.means[0].value == scores.mean("nDCG@10", 1)
    assert row.judged.value == scores.mean(measures[1], 1) and row.judged.n == 6
    assert row.base[0].value == scores.mean("nDCG@10", 0)
    values = list(scores.per_query("nDCG@10", 1).values())
    interval = t_interval(values, 0.95)
    assert (row.means[0].low, row.means[0].high) == (interval.low, interval.high)
    (difference,) = row.differences
    assert difference.difference == pytest.approx(row.means[0].value - row.base[0].value)


def test_the_judge_rate_counts_rows_below_0(matrix: Path) -> None:
    """q0 finds five documents: d0 (grade 1), d1 (-1), and three that nobody looked at."""
    _, table, _ = carried_out(matrix)
    scores = evaluate(
        str(matrix / "one"), [str(table[0].outcome.path)], ["Judged(any_row=true)@10", "Judged@10"]
    )
    assert scores.per_query("Judged(any_row=true)@10")["q0"] == pytest.approx(2 / 5)
    assert scores.per_query("Judged@10")["q0"] == pytest.approx(1 / 5)
    assert table[0].judged.value == scores.mean("Judged(any_row=true)@10")


def test_collections_in_numbers(matrix: Path) -> None:
    found, _, _ = carried_out(matrix)
    one = found.facts[0]
    assert (one.documents, one.queries, one.judged, one.asked) == (6, 6, 6, 6)
    assert (one.positive, one.negative, one.below) == (6, 4, 1)
    assert (one.textless, one.lacking) == (0, 0)
    assert "1 pairs have a grade below 0" in page(found).to_text()


def test_beside_each_mean_stands_what_its_holes_leave_open(matrix: Path) -> None:
    """As evaluate bounds it, for the run and for its base; the judge rate has no range."""
    found, table, means = carried_out(matrix)
    row = table[1]
    files = [str(o.path) for o in found.outcomes[:2]]
    scores = evaluate(str(matrix / "one"), files, "nDCG@10", bounds="closed")
    for mean, r in ((row.base[0], 0), (row.means[0], 1)):
        assert (mean.at_least, mean.at_most) == scores.bounds(run=r)
        assert mean.at_least < mean.value < mean.at_most and mean.exact
        assert mean.holes == scores.holes(run=r) > 0
    assert (row.judged.holes, row.judged.at_least, row.judged.at_most) == (None, None, None)
    both = [r.means[0] for r in table if r.cell.label == "count+length"]
    every = next(m for m in means if (m.scope, m.label) == ("all", "count+length"))
    assert every.at_least[0] == pytest.approx(sum(m.at_least for m in both) / 2)
    assert every.at_most[0] == pytest.approx(sum(m.at_most for m in both) / 2)

    record = plain_grid(found, "results").records()[1]
    ends = [record[f"nDCG@10 {end}"] for end in ("holes", "at least", "at most")]
    assert ends == [row.means[0].holes, row.means[0].at_least, row.means[0].at_most]
    average = plain_grid(found, "averages").records()[1]
    assert (average["run"], average["nDCG@10 at most"]) == (every.label, every.at_most[0])
    data = json.loads(to_json(found))
    assert data["results"][1]["means"]["nDCG@10"]["at_most"] == row.means[0].at_most
    assert "at_most" not in data["results"][1]["judge_rate"]
    assert data["averages"][1]["at_least"] == {"nDCG@10": every.at_least[0]}


def test_without_a_hole_a_mean_is_its_own_range(matrix: Path) -> None:
    for name in ("one", "two"):
        corpus = (matrix / name / "corpus.jsonl").read_text().splitlines()
        ids = [json.loads(line)["_id"] for line in corpus]
        path = next((matrix / name / "qrels").glob("*.tsv"))
        lines = path.read_text().splitlines()
        there = {tuple(line.split("\t")[:2]) for line in lines[1:]}
        queries = dict.fromkeys(line.split("\t")[0] for line in lines[1:])
        lines += [f"{q}\t{doc}\t0" for q in queries for doc in ids if (q, doc) not in there]
        lines = [line.replace("\t-1", "\t0") for line in lines]
        path.write_text("\n".join(lines) + "\n")
    found, table, _ = carried_out(matrix)
    for mean in (table[0].means[0], table[1].base[0]):
        assert (mean.holes, mean.at_least, mean.at_most) == (0, mean.value, mean.value)
    assert "left open" not in page(found).to_text().lower()


def test_of_a_measure_without_bounds_the_range_is_said_to_be_unknown(matrix: Path) -> None:
    path = matrix / "cranfield.toml"
    path.write_text(path.read_text().replace("k = 5", 'k = 5\nmeasures = ["GMAP", "nDCG@10"]'))
    found, table, means = carried_out(matrix)
    gm, ndcg = table[0].means
    assert gm.holes > 0 and (gm.at_least, gm.at_most) == (None, None)
    assert ndcg.at_least < ndcg.at_most
    assert means[0].at_least[0] is None and means[0].at_most[1] is not None
    text = page(found).to_text()
    assert "unknown" in text and "no bounds are known for GMAP" in text
    assert "GMAP left open" in text and "nDCG@10 left open" in text


GROUPED = """\
[experiment]
k = 5

[[experiment.collection]]
name = "alone"
path = "alone"
task = "duplicates"

{members}
[[experiment.system]]
name = "count"
system = "count"

[[experiment.system]]
name = "plain"
system = "terms"
collections = ["alone", "gis"]

[[experiment.reranker]]
name = "length"
with = "length"
"""
TWELVE = (
    "android english gaming gis mathematica physics programmers stats tex unix webmasters wordpress"
).split()


@pytest.fixture
def grouped(tmp_path: Path, toys: Path, monkeypatch) -> Path:
    """One collection, and twelve that count as one."""
    from tests.experiment.matrices import write_collection

    members = ""
    write_collection(tmp_path / "alone", 4)
    for i, name in enumerate(TWELVE):
        write_collection(tmp_path / name, 3 + i % 4, seed=i)
        members += f'[[experiment.collection]]\nname = "{name}"\npath = "{name}"\n'
        members += 'group = "CQADupStack"\ntask = "duplicates"\n\n'
    (tmp_path / "cranfield.toml").write_text(GROUPED.format(members=members))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_twelve_of_cqadupstack_count_as_one(grouped: Path) -> None:
    found, table, means = carried_out(grouped)
    value = {
        r.cell.collection.name: r.means[0].value for r in table if r.cell.label == "count+length"
    }
    judged = {r.cell.collection.name: r.judged.value for r in table if r.cell.label == "count"}
    assert len(value) == 13 and len(set(value.values())) > 2
    twelve = sum(value[name] for name in TWELVE) / 12
    by = {(m.scope, m.name, m.label): m for m in means}
    group = by["group", "CQADupStack", "count+length"]
    assert group.means[0] == pytest.approx(twelve) and (group.n, group.of) == (12, 12)
    every = by["all", "", "count+length"]
    assert every.means[0] == pytest.approx((value["alone"] + twelve) / 2)
    assert every.means[0] != pytest.approx(sum(value.values()) / 13), "they would weigh the same"
    assert (every.n, every.of, every.without) == (2, 2, ())
    task = by["task", "duplicates", "count+length"]
    assert task.means == every.means
    of_judged = sum(judged[name] for name in TWELVE) / 12
    assert by["all", "", "count"].judged == pytest.approx((judged["alone"] + of_judged) / 2)
    assert "CQADupStack" in page(found).to_text()


def test_what_an_average_lacks_is_told(grouped: Path) -> None:
    found, _, means = carried_out(grouped)
    plain = next(m for m in means if m.scope == "group" and m.label == "plain")
    assert (plain.n, plain.of) == (1, 12)
    assert set(plain.without) == set(TWELVE) - {"gis"}
    assert "group: CQADupStack, plain: without android, english" in page(found).to_text()


def test_why_an_average_misleads_is_said_with_this_experiments_numbers(grouped: Path) -> None:
    found, _, means = carried_out(grouped)
    mean = next(m for m in means if m.scope == "all" and m.label == "count+length")
    better = mean.verdicts.get("better", 0)
    text = page(found).to_text()
    assert f"count+length: better than count on {better} of 13 collections" in text
    assert f"its average difference is {mean.means[0] - mean.base[0]:+.4f}" in text
    assert "counts a collection of 3 queries as much as one of 6" in text
    assert "跨集合平均可能误导" in page(found, "zh").to_text()


def test_tables_for_programs(matrix: Path) -> None:
    found, table, means = carried_out(matrix)
    grid = plain_grid(found, "results")
    records = grid.records()
    assert [r["run"] for r in records] == [r.cell.label for r in table]
    assert records[1]["nDCG@10"] == table[1].means[0].value
    assert records[1]["difference"] == table[1].differences[0].difference
    assert records[0]["against"] is None and records[2]["against"] == "count"
    assert plain_grid(found, "collections").records()[0]["below"] == 1
    lines = plain_grid(found, "averages").records()
    assert len(lines) == len(means) and lines[0]["collections"] == 2
    data = json.loads(to_json(found))
    assert data["schema"] == "cranfield.experiment/1"
    assert data["results"][1]["means"]["nDCG@10"]["value"] == table[1].means[0].value
    assert data["results"][1]["file"].startswith("runs/one/count+length-")
    assert data["settings"]["judge_rate"] == "Judged(any_row=true)@10"


def test_a_shallow_reranker_cannot_change_the_judge_rate(matrix: Path) -> None:
    found, table, _ = carried_out(matrix)
    for row in table:
        if row.base_judged is not None and row.cell.reranker is not None:
            assert row.judged == row.base_judged
    assert "+length: no more than the first 10 documents" in page(found).to_text()
    path = matrix / "cranfield.toml"
    path.write_text(path.read_text().replace("depth = 3", "depth = 11"))
    assert "no more than the first" not in page(carried_out(matrix)[0]).to_text()


def test_what_the_labels_say_of_a_difference_is_what_compare_says(matrix: Path) -> None:
    path = matrix / "cranfield.toml"
    text = path.read_text().replace("k = 5", 'k = 5\nmeasures = ["nDCG@2"]')
    path.write_text(text.replace('with = "length"', 'with = "length"\nparameters = {sign = -1}'))
    found, table, _ = carried_out(matrix)
    row = next(r for r in table if r.differences and r.labels[0] is not None)
    base = next(
        r for r in table
        if r.cell.label == row.against and r.cell.collection.name == row.cell.collection.name
    )  # fmt: skip
    files = [str(r.outcome.path) for r in (base, row)]
    compared = compare(str(matrix / row.cell.collection.name), *files, ["nDCG@2"])
    told = {"undecidable": "open", "decided": "decided"}
    (said,) = [told[c.key] for c in compared.cautions if c.key in told]
    assert row.labels == (said,)
    text = page(found).to_text()
    assert {"open": "leave it open", "decided": "decide it"}[said] in text
    assert "could turn the difference round" in " ".join(text.split())
    made = json.loads(to_json(found))
    differences = [d for r in made["results"] for d in r.get("differences", ())]
    assert said in {d["labels"] for d in differences}
