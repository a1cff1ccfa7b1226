"""Results kept in a folder."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

from cranfield import ScoreMatrix, study
from cranfield.errors import InputError
from cranfield.experiment.keeping import Kept, decode, encode
from cranfield.metaeval.across import standard_scores
from cranfield.metaeval.method_names import Draws
from cranfield.metaeval.methods import methods
from cranfield.metaeval.recommend import recommend
from cranfield.metaeval.studied import Studied, Texts
from cranfield.report.study_data import as_json
from cranfield.report.study_page import study as page


@pytest.fixture(scope="module")
def result() -> Studied:
    rng = np.random.default_rng(5)
    quality = np.linspace(0.2, 0.5, 6)[:, None]
    values = np.clip(np.stack([quality + rng.normal(0, sd, (6, 24)) for sd in (0.1, 0.3)], 2), 0, 1)
    runs, queries = tuple(f"系统{i}" for i in range(6)), tuple(f"q{i}" for i in range(24))
    matrix = ScoreMatrix(runs, queries, ("AP", "RR"), values, "集")
    made = study(matrix, resamples=20, repeats=2)
    found = methods(matrix, draws=Draws(30, 30, 30, 20, 20, 10))
    errors = [r.by_sets for r in found.reliability]
    advice = recommend(made["given"], found.agreement.tau, errors)
    return Studied(made, {"given": found}, {"given": advice}, standard={
        "given": standard_scores(matrix)}, texts=Texts("集", "mixed", 3, 4))  # fmt: skip


def test_what_comes_back_is_what_was_kept(result):
    data = encode(result)
    assert data == encode(result)
    again = decode(data)
    assert as_json([again]) == as_json([result])
    assert page([again]).to_html() == page([result]).to_html()
    assert encode(again) == data


def test_a_folder(result, tmp_path):
    kept = Kept(str(tmp_path / "new" / "folder"))
    assert kept.get("ab" * 32) is None
    kept.put("ab" * 32, result)
    assert as_json([kept.get("ab" * 32)]) == as_json([result])
    (file,) = (tmp_path / "new" / "folder").iterdir()
    for damaged in (b"", b"nothing", file.read_bytes()[:-99], file.read_bytes()[:400]):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match="not a kept result") as told:
            kept.get("ab" * 32)
        assert "delete it" in told.value.hint
    with pytest.raises(InputError, match="cannot be made"):
        Kept(str(file / "below a file"))


def test_nothing_but_results_is_made_of_a_file():
    for tree in (
        {"made": "subprocess:Popen", "fields": {"args": ["true"]}},
        {"made": "cranfield.metaeval.study:study", "fields": {}},
        {"made": "cranfield.metaeval.study:os.system", "fields": {}},
        {"made": "cranfield.metaeval.methods:Methods", "fields": {"lacking": 1}},
    ):
        out = io.BytesIO()
        np.savez(out, tree=np.frombuffer(json.dumps(tree).encode(), np.uint8))
        with pytest.raises(InputError, match="not a kept result"):
            decode(out.getvalue())
    with pytest.raises(TypeError, match="object cannot be kept"):
        encode({"a": object()})
