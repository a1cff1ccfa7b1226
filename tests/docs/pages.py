"""The documentation as data: its pages, their blocks, headings and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_FENCE = re.compile(
    r"^(?P<indent>[ ]*)```(?P<kind>\w*) ?(?P<needs>\w*)[^\n]*\n(?P<body>.*?)^(?P=indent)```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_ANY = frozenset(("...", "…"))


@dataclass(frozen=True)
class Block:
    """A fenced block: the word after its fence, its text, the line it begins on, and what it needs
    beside Cranfield, a second word after the fence: ```console cluster."""

    kind: str
    text: str
    line: int
    needs: str = ""


@dataclass(frozen=True)
class Call:
    """A command of a console block and what should be printed."""

    command: str
    expected: list[str]


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for fence in _FENCE.finditer(text):
        indent = fence["indent"]
        body = "".join(
            line.removeprefix(indent) for line in fence["body"].splitlines(keepends=True)
        )
        found.append(
            Block(fence["kind"], body, text.count("\n", 0, fence.start()) + 1, fence["needs"])
        )
    return found


def prose(page: Path) -> str:
    """The page without its blocks and without code in running text."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return re.sub(r"`[^`\n]*`", "", text)


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ .*$", prose(page), re.MULTILINE)


def links(page: Path) -> list[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return [link["target"] for link in _LINK.finditer(text)]


def calls(block: Block) -> Iterator[Call]:
    """`$ command` lines (continued while a line ends in a backslash) and the lines below each."""
    command, expected, more = "", [], False
    for line in block.text.splitlines():
        if more:
            command += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            if command:
                yield Call(command, expected)
            command, expected = line.removeprefix("$ "), []
        else:
            expected.append(line.rstrip())
            continue
        more = line.endswith("\\")
    if command:
        yield Call(command, expected)


def matches(expected: list[str], printed: list[str]) -> bool:
    """Whether the lines are those expected, where `...` or `…` stands for any lines or none."""
    pattern = "".join(
        r"(?:[^\n]*\n)*?" if line.strip() in _ANY else re.escape(line) + r"\n" for line in expected
    )
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed)) is not None


def anchors(page: Path) -> set[str]:
    """What the headings of a page can be linked by."""
    names = (re.sub(r"^#+ ", "", h).strip().lower() for h in headings_with_code(page))
    return {re.sub(r"[^\w\- ]", "", name).replace(" ", "-") for name in names}


def headings_with_code(page: Path) -> list[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return re.findall(r"^#+ .*$", text, re.MULTILINE)
