"""Build corpus.jsonl and qrels.txt from docs/, queries.jsonl and judgments.tsv.

Run it in place after a document, a query or a judgment has changed: ``python build.py``.
"""

import csv
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

HEADER = ["document", "query", "grade", "reason"]
APART = {"title", "h1", "script", "style"}  # what these hold is not the page's text
BLOCKS = {"p", "li", "ul", "ol", "pre", "table", "tr", "h2", "h3", "blockquote"}


class CollectionError(ValueError):
    """The collection's sources contradict each other."""


class PageText(HTMLParser):
    """The title and the plain text of an HTML page."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.title = self.text = self.inside = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in APART:
            self.inside = tag
        self.text += "\n" if tag in BLOCKS else ""

    def handle_endtag(self, tag: str) -> None:
        if tag == self.inside:
            self.inside = ""
        self.text += "\n" if tag in BLOCKS else ""

    def handle_data(self, data: str) -> None:
        if self.inside == "title":
            self.title += data
        elif not self.inside:
            self.text += data


def markdown_parts(source: str) -> tuple[str, str]:
    """Title and plain text of a Markdown file; lines of code are left as they are."""
    heading, _, body = source.partition("\n")
    lines: list[str] = []
    fenced = False
    for line in body.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            lines.append(line)
        elif not re.fullmatch(r"\|[-:| ]+\|", line):  # the rule under a table's head
            line = re.sub(r"^\s*(#+|[-*>]|\d+\.)\s+", "", line)
            line = line.strip("|").replace("|", " ") if line.startswith("|") else line
            lines.append(line.replace("**", "").replace("`", ""))
    return heading.removeprefix("# "), "\n".join(lines)


def language(text: str) -> str:
    """zh, en or mixed, by the share of Han characters among them and Latin words."""
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    share = han / max(1, han + len(re.findall(r"[A-Za-z]{2,}", text)))
    return "en" if share < 0.1 else "mixed" if share < 0.84 else "zh"


def read_document(path: Path) -> dict[str, str]:
    raw = path.read_bytes()
    if path.suffix == ".html":
        kind, page = "html", PageText(raw.decode("utf-8"))
        title, text = page.title, page.text
    else:
        kind, (title, text) = "md", markdown_parts(raw.decode("utf-8"))
    name = f"{kind}:{hashlib.sha256(raw).hexdigest()[:8]}"
    text = re.sub(r"\n\s*\n", "\n", text).strip()
    lang = language(f"{title}\n{text}")
    return {"_id": name, "title": title, "text": text, "path": f"docs/{path.name}", "lang": lang}


def read_grades(path: Path, documents: set[str], queries: set[str]) -> dict[tuple[str, str], int]:
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    grades: dict[tuple[str, str], int] = {}
    for number, row in enumerate([header, *rows], start=1):
        place = f"{path.name}, line {number}"
        if len(row) != len(HEADER) or (number == 1 and row != HEADER):
            raise CollectionError(f"{place}: expected the fields {', '.join(HEADER)}")
        if number == 1:
            continue
        document, query, grade, _ = row
        if document not in documents:
            raise CollectionError(f"{place}: unknown document {document!r}")
        if query not in queries:
            raise CollectionError(f"{place}: unknown query {query!r}")
        if grade not in {"0", "1", "2", "3"}:
            raise CollectionError(f"{place}: grade {grade!r} is not 0, 1, 2 or 3")
        if (document, query) in grades:
            raise CollectionError(f"{place}: {document} is judged twice for {query}")
        grades[document, query] = int(grade)
    return grades


def build(source: Path, target: Path) -> None:
    """Read the sources under ``source``; write corpus.jsonl and qrels.txt into ``target``."""
    files = sorted((source / "docs").glob("*.*"), key=lambda path: path.name)
    documents = {path.name: read_document(path) for path in files}
    asked = (source / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [str(json.loads(line)["_id"]) for line in asked]
    grades = read_grades(source / "judgments.tsv", set(documents), set(queries))
    pairs = [(query, name) for query in queries for name in documents]
    qrels = [f"{q} 0 {documents[name]['_id']} {grades.get((name, q), 0)}" for q, name in pairs]
    corpus = [json.dumps(document, ensure_ascii=False) for document in documents.values()]
    for output, lines in (("corpus.jsonl", corpus), ("qrels.txt", qrels)):
        (target / output).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    build(Path(__file__).resolve().parent, Path(__file__).resolve().parent)
