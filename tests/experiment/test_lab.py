"""A lab in Python: evaluating, recording, splits and looks."""

from __future__ import annotations

import gzip
import json
import shutil

import numpy as np
import pytest

import cranfield
from cranfield.data.card import RunCard
from cranfield.errors import FormatError, InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.experiment.drawing import draw
from cranfield.experiment.splits import write_split


def keys(recorded) -> list[str]:
    return [r.key for r in recorded.remarks]


def freeze(folder, lab, n=2) -> dict[str, str]:
    """Draw a split; its test list."""
    split = draw(lab.queries, n).split
    write_split(split, folder / "split.json")
    return dict(split.test)


def test_an_evaluation_is_what_it_is_elsewhere_and_is_recorded(folder, lab):
    here = lab()
    scores = here.evaluate("good.run")
    plain = cranfield.evaluate("c", "good.run", ["nDCG@10", "AP"])
    assert np.array_equal(scores.values, plain.values) and scores.queries == plain.queries
    entry = here.entry("@last")
    assert (entry.id, entry.qrels, entry.command, entry.split) == (1, "c", "python", None)
    assert entry.at == "2026-01-31T12:01:00Z"
    assert entry.runs[0].path == "good.run"
    assert set(entry.versions) == {"cranfield", "numpy", "python"}


def test_defaults_come_from_the_file_and_a_call_wins(folder, lab):
    toml = folder / "cranfield.toml"
    toml.write_text(toml.read_text().replace('# missing = "zero"', 'missing = "skip"'))
    scores = lab().evaluate("good.run")
    assert scores.settings["missing"] == "skip"
    assert [m.text for m in scores.measures] == ["nDCG@10", "AP"]
    scores = lab().evaluate("good.run", "P@2", missing="zero")
    assert scores.settings["missing"] == "zero"
    assert [m.text for m in scores.measures] == ["P@2"]


def test_scores_outlive_the_run(folder, lab):
    before = lab().evaluate("good.run")
    (folder / "good.run").unlink()
    after = lab().scores("@last")
    assert np.array_equal(before.values, after.values)
    assert before.reports == after.reports and before.slices == after.slices


def test_fingerprints_are_of_content(folder, lab):
    here = lab()
    here.evaluate("good.run")
    (folder / "good.run.gz").write_bytes(gzip.compress((folder / "good.run").read_bytes()))
    here.evaluate("good.run.gz")
    here.evaluate("bad.run")
    one, packed, other = (here.entry(i).runs[0].fingerprint for i in (1, 2, 3))
    assert one == packed != other
    # the same judgments in another order and form
    judged = cranfield.read_qrels("c")
    rows = {"q4": {"e": 0}, **{q: dict(reversed(d.items())) for q, d in judged.to_dict().items()}}
    (folder / "other.json").write_text(json.dumps(rows))
    here.evaluate("good.run", qrels="other.json")
    assert here.entry(4).qrels_fingerprint == here.entry(1).qrels_fingerprint
    rows["q4"]["e"] = 1
    here.evaluate("good.run", qrels=rows)
    assert here.entry(5).qrels_fingerprint != here.entry(1).qrels_fingerprint


def test_runs_in_memory_are_recorded_too(folder, lab):
    here = lab()
    run = {"q1": {"a": 2.0, "b": 1.0}, "q3": {"d": 1.0}}
    here.evaluate({"one": run, "two": {"q1": {"b": 1.0}}})
    here.evaluate(run)
    here.evaluate({"q1": {"a": 2.0, "b": 1.5}, "q3": {"d": 1.0}})
    first, second, third = (here.entry(i).runs[0] for i in (1, 2, 3))
    assert first.path is None and first.fingerprint == second.fingerprint != third.fingerprint
    assert [r.name for r in here.entry(1).runs] == ["one", "two"]


def test_the_card_beside_a_run_is_kept_and_words_go_above_it(folder, lab):
    card = {"config": {"bm25": {"k1": 0.9}, "stem": True}, "latency_ms": {"q1": 10, "q2": 30}}
    (folder / "good.run.card.json").write_text(json.dumps(card))
    here = lab()
    here.evaluate("good.run", config={"stem": False}, note="no stemming", seed=3)
    entry = here.entry("@last")
    assert entry.runs[0].config == {"bm25": {"k1": 0.9}, "stem": False}
    assert (entry.runs[0].latency_median, entry.note, entry.seed) == (20.0, "no stemming", 3)
    with pytest.raises(UsageError, match="one configuration for 2 runs"):
        here.evaluate(["good.run", "bad.run"], config={"a": 1})


def test_scores_made_elsewhere_can_be_recorded(lab):
    here = lab()
    scores = cranfield.evaluate({"q": {"a": 1}}, {"r": {"q": {"a": 1.0}}}, "AP")
    assert here.record(scores, cards=[RunCard("r", {"x": 1})], note="by hand") == 1
    assert here.entry(1).runs[0].config == {"x": 1}
    assert here.scores(1).mean("AP") == 1


def test_a_ledger_that_cannot_be_written_does_not_stop_an_evaluation(folder, lab):
    (folder / ".cranfield").write_text("a file is in the way")
    done = lab().conduct("good.run")
    assert done.id is None and keys(done) == ["lab.not_recorded"]
    assert done.scores.mean("AP") > 0
    freeze(folder, lab())
    assert keys(lab().conduct("good.run")) == ["lab.look_not_counted"]


def test_a_damaged_ledger_does_not_stop_one_either(folder, lab):
    (folder / ".cranfield").mkdir()
    (folder / ".cranfield" / "ledger.sqlite").write_bytes(b"no database " * 500)
    done = lab().conduct("good.run")
    assert "damaged" in done.remarks[0].values["why"]
    with pytest.raises(InputError, match="damaged"):
        lab().entry("@last")


def test_not_to_record_is_a_choice(lab):
    done = lab().conduct("good.run", record=False)
    assert done.id is None and done.remarks == () and lab().ledger.last() == 0


def test_a_lab_without_a_collection_asks_for_qrels(folder, lab):
    toml = folder / "cranfield.toml"
    toml.write_text(toml.read_text().replace('collection = "c"', ""))
    with pytest.raises(UsageError, match="names no collection"):
        lab().evaluate("good.run")
    assert lab().evaluate("good.run", qrels="c").mean("AP") > 0


# ---------------------------------------------------------------------------- splits and looks


def test_a_part_is_evaluated_alone_and_on_the_scale_of_all(folder, lab):
    test = freeze(folder, lab())
    everything = lab().evaluate("good.run", ["AP", "ERR@10"])
    on_test = lab().evaluate("good.run", ["AP", "ERR@10"], split="test")
    on_dev = lab().evaluate("good.run", ["AP", "ERR@10"], split="dev")
    assert set(on_test.queries) == set(test) and len(on_dev.queries) == 2
    for measure in ("AP", "ERR@10"):
        alone = {**on_test.per_query(measure), **on_dev.per_query(measure)}
        assert alone == everything.per_query(measure)
    assert on_test.reports[0].unlabelled == ()
    entry = lab().entry("@last")
    assert entry.split == "dev" and entry.split_fingerprint is not None


def test_looks_at_the_test_are_counted_and_dev_is_free(folder, lab):
    here = lab()
    here.evaluate("good.run")
    assert here.looks() is None
    freeze(folder, here)
    here = lab()
    looks = here.looks()
    assert looks is not None and looks.count == 0 and here.look_remarks() == []
    assert keys(here.conduct("good.run", split="dev")) == ["lab.recorded"]
    assert keys(here.conduct("good.run", split="test")) == ["lab.recorded", "lab.looks"]
    here.evaluate("good.run")  # all queries: the test queries are among them
    here.evaluate("bad.run", split="test", record=False)
    looks = here.looks()
    assert looks is not None
    assert (looks.count, looks.runs, looks.configurations, looks.tuning) == (3, 2, 2, False)
    assert (here.ledger.last(), looks.first) == (4, "2026-01-31T12:03:00Z")


@pytest.mark.parametrize(
    ("looks", "systems", "tuning"), [(4, 4, False), (5, 2, False), (5, 3, True), (7, 3, True)]
)
def test_many_looks_at_changing_systems_are_called_tuning(folder, lab, looks, systems, tuning):
    freeze(folder, lab())
    here = lab()
    for i in range(looks):
        said = here.conduct("good.run", split="test", config={"k": i % systems})
    found = here.looks()
    assert found is not None and found.count == looks and found.runs == 1
    assert found.configurations == systems
    assert found.tuning == tuning == ("lab.tuning" in keys(said))


def test_a_longer_test_list_does_not_forget_its_looks(folder, lab):
    from cranfield.experiment.drawing import extend
    from cranfield.experiment.splits import read_split

    freeze(folder, lab(), 1)
    lab().evaluate("good.run", split="test")
    with (folder / "c" / "queries.jsonl").open("a") as file:
        for i in range(4):
            file.write(json.dumps({"_id": f"new{i}", "text": f"{i}{i}{i} is new"}) + "\n")
    write_split(extend(read_split("split.json"), lab().queries, 3).split, "split.json")
    here = lab()
    assert here.split is not None and len(here.split.test) == 3
    looks = here.looks()
    assert looks is not None and looks.count == 1


def test_a_changed_test_query_stops_an_evaluation_and_not_the_log(folder, lab):
    test = freeze(folder, lab())
    name, text = next(iter(test.items()))
    path = folder / "c" / "queries.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        if line["_id"] == name:
            line["text"] = "something else"
    path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(InputError, match=f"test query {name} has changed: it was {text!r}"):
        lab().evaluate("good.run", split="dev")
    assert [r.key for r in lab().look_remarks()] == ["lab.split_broken"]


def test_queries_outside_the_split_are_told(folder, lab):
    freeze(folder, lab())
    with (folder / "c" / "qrels.txt").open("a") as file:
        file.write("q5 0 a 1\n")
    done = lab().conduct("good.run", split="dev")
    assert "lab.outside_split" in keys(done)
    (folder / "c" / "qrels.txt").write_text("q5 0 a 1\n")
    with pytest.raises(NothingToEvaluate, match="none of the 2 dev queries"):
        lab().evaluate("good.run", split="dev")


def test_without_a_split_the_word_means_a_file_of_a_beir_folder(folder, lab):
    (folder / "c" / "qrels").mkdir()
    shutil.move(folder / "c" / "qrels.txt", folder / "c" / "qrels" / "dev.tsv")
    (folder / "c" / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    assert lab().evaluate("good.run", split="dev").queries == ("q1",)
    with pytest.raises(UnknownName, match="no split 'test'"):
        lab().evaluate("good.run", split="test")


def test_an_edited_split_file_is_refused(folder, lab):
    (folder / "split.json").write_text("{}")
    with pytest.raises(FormatError):
        lab().evaluate("good.run")
