"""Build corpus.jsonl and qrels.txt from docs/, queries.jsonl and judgments.tsv: python build.py"""

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


class PageReader(HTMLParser):
    """Collects the title and the plain text of an HTML page."""

    title = text = inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag if tag in APART else self.inside
        self.text += "\n" if tag in BLOCKS else ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = "" if tag == self.inside else self.inside
        self.text += "\n" if tag in BLOCKS else ""

    def handle_data(self, data: str) -> None:
        if self.inside == "title":
            self.title += data
        elif not self.inside:
            self.text += data


def html_parts(source: str) -> tuple[str, str]:
    page = PageReader()
    page.feed(source)
    page.close()
    return page.title, page.text


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
            line = re.sub(r"\s*\|\s*", " ", line).strip()
            lines.append(line.replace("**", "").replace("`", ""))
    return heading.removeprefix("# "), "\n".join(lines)


def language(text: str) -> str:
    """zh, en or mixed, by the share of Han characters among them and Latin words."""
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    share = han / max(1, han + len(re.findall(r"[A-Za-z]{2,}", text)))
    return "en" if share < 0.1 else "mixed" if share < 0.84 else "zh"


def read_document(path: Path) -> dict[str, str]:
    raw = path.read_bytes()
    kind = path.suffix.removeprefix(".")
    title, text = (html_parts if kind == "html" else markdown_parts)(raw.decode("utf-8"))
    name = f"{kind}:{hashlib.sha256(raw).hexdigest()[:8]}"
    text = re.sub(r"\n\s*\n", "\n", text).strip()
    told = {"_id": name, "title": title, "text": text, "path": f"docs/{path.name}"}
    return told | {"lang": language(f"{title}\n{text}")}


def read_grades(path: Path, documents: set[str], queries: set[str]) -> dict[tuple[str, str], int]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if rows[:1] != [HEADER]:
        raise CollectionError(f"{path.name}: the first line must name {', '.join(HEADER)}")
    grades: dict[tuple[str, str], int] = {}
    for number, row in enumerate(rows[1:], start=2):
        place = f"{path.name}, line {number}"
        if len(row) != len(HEADER):
            raise CollectionError(f"{place}: {len(row)} fields instead of {len(HEADER)}")
        document, query, grade, _ = row
        for kind, name, known in (("document", document, documents), ("query", query, queries)):
            if name not in known:
                raise CollectionError(f"{place}: unknown {kind} {name!r}")
        if grade not in {"0", "1", "2", "3"}:
            raise CollectionError(f"{place}: grade {grade!r} is not 0, 1, 2 or 3")
        if (document, query) in grades:
            raise CollectionError(f"{place}: {document} is judged twice for {query}")
        grades[document, query] = int(grade)
    return grades


def build(source: Path, target: Path) -> None:
    """Read the sources under ``source``; write corpus.jsonl and qrels.txt into ``target``."""
    files = [path for path in (source / "docs").iterdir() if path.suffix in {".html", ".md"}]
    documents = {path.name: read_document(path) for path in sorted(files, key=lambda p: p.name)}
    with (source / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = [str(json.loads(line)["_id"]) for line in lines]
    grades = read_grades(source / "judgments.tsv", set(documents), set(queries))
    pairs = [(query, name, told["_id"]) for query in queries for name, told in documents.items()]
    qrels = [f"{query} 0 {id_} {grades.get((name, query), 0)}" for query, name, id_ in pairs]
    corpus = [json.dumps(document, ensure_ascii=False) for document in documents.values()]
    for output, rows in (("corpus.jsonl", corpus), ("qrels.txt", qrels)):
        (target / output).write_text("\n".join([*rows, ""]), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    build(Path(__file__).resolve().parent, Path(__file__).resolve().parent)
