"""The pages in a real browser: quiet, offline, legible in light, dark and print, at any width."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.studies import matrix, studied

from cranfield.report.blocks import Chart
from cranfield.report.charts.data import Line, Trend
from cranfield.report.page import Page
from cranfield.report.pages import comparison, study

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
MEASURE = (Path(__file__).parent / "measure_page.js").read_text()
WIDTHS = {"desk": 1100, "phone": 390}
SCHEMES = ("light", "dark")
KINDS = {"intervals", "waterfall", "scatter", "matrix"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as p:
        found = next(filter(None, map(shutil.which, NAMES)), p.chromium.executable_path)
        if not Path(found).exists():
            pytest.skip("no chromium here: apt-get install chromium")
        running = p.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def files(hostile, many, tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    pages = {
        "en": comparison(hostile),
        "zh": comparison(hostile, "zh"),
        "many": comparison(many),
        "trend": _trend(),
        "study": _study(),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page.to_html(), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


def _study() -> Page:
    """Every drawing of a study, with long and Chinese names."""
    return study([studied(matrix()), studied(matrix(8, 20, "second & last"), ())], "zh")


def _trend() -> Page:
    """Lines that end near each other, many steps, Chinese labels."""
    lines = [Line(f"指标 {i}", tuple(0.4 + i / 200 + j / 900 for j in range(40))) for i in range(5)]
    lines.append(Line("alone", (None,) * 39 + (0.4,)))
    steps = tuple(f"2026-11-{j:02d} evaluation" for j in range(40))
    trend = Trend("Trend", "What it says", steps, tuple(lines), "nDCG@10")
    return Page("Trend", "en", (Chart(trend),))


def opened(browser, file: Path, *, width: int = 1100, **more: Any) -> tuple[Any, list[str]]:
    """The page, and whatever it complained of or asked for beside itself."""
    page = browser.new_page(viewport={"width": width, "height": 900}, **more)
    said: list[str] = []
    page.on("console", lambda m: said.append(f"console: {m.text}"))
    page.on("pageerror", lambda e: said.append(f"error: {e}"))
    page.on("dialog", lambda d: (said.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: said.append(r.url) if r.url != file.as_uri() else None)
    page.goto(file.as_uri())
    return page, said


SCREENS = [(name, scheme, size) for name in ("en", "zh") for scheme in SCHEMES for size in WIDTHS]
SCREENS += [("many", "light", "desk"), ("many", "dark", "phone")]
SCREENS += [("trend", "light", "desk"), ("trend", "dark", "phone")]
SCREENS += [("study", scheme, size) for scheme in SCHEMES for size in WIDTHS]


@pytest.mark.parametrize(("name", "scheme", "size"), SCREENS)
def test_it_is_quiet_complete_and_legible(browser, files, name, scheme, size):
    page, said = opened(browser, files[name], width=WIDTHS[size], color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = page.evaluate(MEASURE)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.close()
    assert said == []
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    assert found["scroll"] <= found["width"] + 1
    assert found["wide"] == []
    kinds = {chart["kind"] for chart in found["charts"]}
    wanted = {"trend": {"trend"}, "study": {"curves", "panels", "agreement"}}
    assert kinds == wanted.get(name, KINDS)
    for chart in found["charts"]:
        left, top, right, bottom = chart["box"]
        assert right - left > 200 and bottom - top > 40
        assert chart["texts"] > 2 and chart["shapes"] > 3 and chart["named"]
        assert chart["over"] == []
        assert chart["cut"] == []
    assert all(seen and rows > 1 for seen, rows in found["tables"])
    assert found["faint"] == []
    if name in ("en", "zh"):
        assert {"g0", "g4", "hole"} <= {kind for kind, _ in found["lists"]}
        assert all(seen for _, seen in found["lists"])


def test_what_is_wrong_would_be_seen(browser, files, tmp_path):
    """Texts on each other, a cut label, a faint colour and a wide block are found."""
    text = files["en"].read_text(encoding="utf-8")
    first, rest = text.split("</svg>", 1)
    label = '<text x="100" y="50">on each other</text>'
    cut = '<text x="755" y="20">a label that is cut</text>'
    faint = '<p style="color:#999;width:2000px">faint and wide</p>'
    bad = tmp_path / "bad.html"
    bad.write_text(
        f"{first}{label}{label}{cut}</svg>{rest}".replace("<main>", f"<main>{faint}").replace(
            "Content-Security-Policy", "no-policy"
        ),
        encoding="utf-8",
    )
    page, _ = opened(browser, bad)
    found = page.evaluate(MEASURE)
    page.close()
    assert [pair[:2] for pair in found["charts"][0]["over"]] == [["on each other"] * 2]
    assert [c[0] for c in found["charts"][0]["cut"]] == ["a label that is cut"]
    assert [f[0] for f in found["faint"]] == ["faint and wide"]
    assert found["wide"] == ["P."]
    assert found["scroll"] > found["width"]


def test_it_needs_no_script(browser, files):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(files["en"].as_uri())
    assert page.locator("svg").count() > 4
    assert page.locator("h1").bounding_box()["height"] > 10
    page.locator("details").last.locator("summary").click()
    assert page.locator("details").last.locator("table").bounding_box()["height"] > 50
    context.close()


def test_a_style_sheet_of_another_is_refused(browser, files, tmp_path):
    """The policy is in force: what a document smuggled in would not be obeyed."""
    bad = tmp_path / "bad.html"
    text = files["en"].read_text(encoding="utf-8")
    smuggled = "<script>document.title='owned'</script><style>h1{display:none}</style>"
    bad.write_text(text.replace("<main>", f"<main>{smuggled}"), encoding="utf-8")
    page, said = opened(browser, bad)
    assert page.title() != "owned"
    assert page.locator("h1").is_visible()
    assert any("Content Security Policy" in s for s in said)
    page.close()


@pytest.mark.parametrize("name", ["zh", "study"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_prints(browser, files, scheme, name):
    page, said = opened(browser, files[name], color_scheme=scheme)
    page.emulate_media(media="print")
    found = page.evaluate(MEASURE)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert found["faint"] == []
    assert found["hidden"] and all(found["hidden"])  # what is folded away is printed
    printed = page.pdf(format="A4")
    page.close()
    assert said == []
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page/") > 3
