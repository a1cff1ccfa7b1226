"""A report as blocks, written as text for a terminal, Markdown, HTML or JSON."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.report.blocks import Block as Block
from cranfield.report.blocks import Facts as Facts
from cranfield.report.blocks import Heading as Heading
from cranfield.report.blocks import Table as Table
from cranfield.report.blocks import Text as Text

FORMATS = ("text", "md", "html", "json")


@dataclass(frozen=True)
class Page:
    """A titled sequence of blocks in one language (`en` or `zh`)."""

    title: str
    lang: str
    blocks: tuple[Block, ...]

    def to_text(self) -> str:
        """For a terminal; columns line up with Chinese text too. Without a title the first block
        comes first."""
        from cranfield.report.as_text import to_text

        return to_text(self.title, self.blocks)

    def to_markdown(self) -> str:
        """For a repository or a wiki."""
        from cranfield.report.as_text import to_markdown

        return to_markdown(self.title, self.blocks)

    def to_html(self) -> str:
        """One self-contained page; every text is escaped."""
        from cranfield.report.as_html import to_html

        return to_html(self.title, self.lang, self.blocks)

    def to_json(self) -> str:
        """The same blocks for programs; schema `cranfield.page/1`."""
        from cranfield.report.as_json import to_json

        return to_json(self.title, self.lang, self.blocks)

    def to(self, form: str) -> str:
        """In one of `FORMATS`."""
        ways = (self.to_text, self.to_markdown, self.to_html, self.to_json)
        return dict(zip(FORMATS, ways, strict=True))[form]()
