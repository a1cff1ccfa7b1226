"""A report as blocks, written as text for a terminal, as Markdown, or as an HTML page."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.data.show import ljust, width
from cranfield.report.grid import Grid
from cranfield.report.render import aligned, render, shown


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True)
class Facts:
    """Names and values, one a line."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    grid: Grid


@dataclass(frozen=True)
class Text:
    text: str


Block = Heading | Facts | Table | Text


@dataclass(frozen=True)
class Page:
    """A titled sequence of blocks in one language (`en` or `zh`)."""

    title: str
    lang: str
    blocks: tuple[Block, ...]

    def to_text(self) -> str:
        """For a terminal; columns line up with Chinese text too. Without a title the first block
        comes first."""
        lines = [f"===== {self.title} ====="] if self.title else []
        for block in self.blocks:
            if isinstance(block, Heading):
                lines += ["", f"--- {block.text} ---"]
            elif isinstance(block, Facts):
                column = max(width(name) for name, _ in block.items)
                lines += [f"{ljust(name, column)}  {value}" for name, value in block.items]
            elif isinstance(block, Table):
                lines += ["", aligned(block.grid).rstrip("\n")]
            else:
                lines += ["", block.text]
        return "\n".join(lines).lstrip("\n") + "\n"

    def to_markdown(self) -> str:
        """For a repository or a wiki."""
        parts = [f"# {self.title}"]
        for block in self.blocks:
            if isinstance(block, Heading):
                parts.append(f"{'#' * block.level} {block.text}")
            elif isinstance(block, Facts):
                parts.append("\n".join(f"- {name}: {value}" for name, value in block.items))
            elif isinstance(block, Table):
                parts.append(render(block.grid, "md").decode().rstrip("\n"))
            else:
                parts.append(block.text)
        return "\n\n".join(parts) + "\n"

    def to_html(self) -> str:
        """One self-contained page; every text is escaped."""
        from jinja2 import Environment, PackageLoader

        templates = Environment(
            loader=PackageLoader("cranfield.report"), autoescape=True, trim_blocks=True
        )
        blocks = [(type(b).__name__.lower(), b) for b in self.blocks]
        return templates.get_template("page.html").render(page=self, blocks=blocks, shown=shown)
