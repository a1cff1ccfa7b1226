"""A small hand for SVG: shapes with classes (colours belong to the style sheet), escaped text, and
text that is cut to the room it has."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

from cranfield.report.charts.data import Mark

SIZE = 12.0  # of text, in units of the drawing
MINUS = "−"


def num(value: float) -> str:
    """A coordinate: two decimals at most."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def signed(value: float, digits: int = 4) -> str:
    """A difference with its sign."""
    text = f"{value:+.{digits}f}"
    if float(text) == 0:
        text = text[1:]
    return text.replace("-", MINUS)


def extent(text: str, size: float = SIZE) -> float:
    """About how wide a text is; rather too wide than too narrow."""
    return sum(
        0
        if unicodedata.combining(c)
        else size * 1.03
        if unicodedata.east_asian_width(c) in "WF"
        else size * (0.82 if c in "MW@%—" else 0.72 if c.isupper() else 0.59)
        for c in text
    )


def fit(text: str, room: float, size: float = SIZE) -> str:
    """The text, or its two ends with a sign of omission between them: names of runs often begin
    alike and differ at the end."""
    text = clean(text)
    if extent(text, size) <= room:
        return text
    keep = len(text)
    while keep > 2:
        keep = min(keep - 1, int(keep * 0.97))
        left = (keep + 1) // 2
        cut = f"{text[:left]}…{text[len(text) - (keep - left) :]}"
        if extent(cut, size) <= room:
            return cut
    return "…"


def clean(text: str) -> str:
    """What XML may not hold, and what would turn the text around it, made visible."""
    return "".join(
        c if c.isprintable() else " " if c in "\t\n\r" else f"\\x{ord(c):02x}" for c in text
    )


def ticks(low: float, high: float, about: int = 5) -> tuple[list[float], int]:
    """Round values within a range, and the decimals that tell them apart."""
    if high - low <= 1e-9 * max(abs(low), abs(high)):  # nothing, or too little for a float
        return [low], 2
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(f * power for f in (1, 2, 2.5, 5, 10) if f * power >= raw * (1 - 1e-9))
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if abs(step * 10**digits - round(step * 10**digits)) > 1e-6:
        digits += 1
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)], digits


class Scale:
    """Values to coordinates, linearly."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return self.start + share * (self.end - self.start)


class Drawing:
    """An SVG under construction.

    Parameters
    ----------
    width, height : in units of the drawing; the page scales it.
    title, summary : read aloud in place of the picture.
    number : of the drawing on its page, for ids.
    """

    def __init__(self, width: float, height: float, title: str, summary: str, number: int) -> None:
        self.width, self.height = width, height
        self._title, self._summary, self._number = title, summary, number
        self._parts: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, cls: str) -> None:
        self._parts.append(
            f'<line class="{cls}" x1="{num(x1)}" y1="{num(y1)}" x2="{num(x2)}" y2="{num(y2)}"/>'
        )

    def rect(self, x: float, y: float, w: float, h: float, cls: str, title: str = "") -> None:
        self._shape(
            f'rect class="{cls}" x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}"',
            title,
        )

    def path(self, d: str, cls: str, title: str = "") -> None:
        self._shape(f'path class="{cls}" d="{d}"', title)

    def circle(self, x: float, y: float, r: float, cls: str, title: str = "") -> None:
        self._shape(f'circle class="{cls}" cx="{num(x)}" cy="{num(y)}" r="{num(r)}"', title)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        room: float | None = None,
        anchor: str = "start",
        cls: str = "",
        size: float = SIZE,
        turned: bool = False,
    ) -> None:
        """A text cut to `room`; what was cut can be read on hover."""
        shown = clean(text) if room is None else fit(text, room, size)
        place = f' x="{num(x)}" y="{num(y)}"'
        if turned:
            place += f' transform="rotate(-90 {num(x)} {num(y)})"'
        if anchor != "start":
            place += f' text-anchor="{anchor}"'
        if size != SIZE:
            place += f' font-size="{num(size)}"'
        if cls:
            place += f' class="{cls}"'
        whole = f"<title>{escape(clean(text))}</title>" if shown != clean(text) else ""
        self._parts.append(f"<text{place}>{escape(shown)}{whole}</text>")

    def mark(self, mark: Mark, x: float, y: float, r: float = 5, title: str = "") -> None:
        """A shape of its own for each thing said, so that colour is never alone."""
        a, b, c, d = (num(v) for v in (x - r, x + r, y - r, y + r))
        mx, my = num(x), num(y)
        shapes = {
            "better": f"M{mx} {c}L{b} {d}L{a} {d}Z",
            "worse": f"M{mx} {d}L{b} {c}L{a} {c}Z",
            "equivalent": f"M{a} {c}H{b}V{d}H{a}Z",
            "refused": f"M{a} {c}L{b} {d}M{b} {c}L{a} {d}",
        }
        if mark in shapes:
            self.path(shapes[mark], f"mark {mark}", title)
        else:
            self.circle(float(mx), float(my), r * 0.8, f"mark {mark}", title)

    def legend(self, x: float, y: float, items: Iterable[tuple[str, str]], right: float) -> float:
        """Marks and their words from left to right, in as many rows as it takes; the y below."""
        at = x
        for mark, word in items:
            need = 18 + extent(word) + 18
            if at > x and at + need > right:
                at, y = x, y + 18
            if mark in ("mean", "band", "same"):
                cls = {"mean": "mean", "band": "band", "same": "diagonal"}[mark]
                if mark == "band":
                    self.rect(at, y - 9, 12, 10, cls)
                else:
                    self.line(at, y - 4, at + 13, y - 4, cls)
            elif mark.startswith("p"):
                self.rect(at, y - 10, 12, 12, mark)
            else:
                self.mark(mark, at + 6, y - 4)  # type: ignore[arg-type]
            self.text(at + 18, y, word, room=right - at - 18)
            at += need
        return y + 10

    def to_svg(self) -> str:
        name = f"chart-{self._number}"
        head = (
            f'<svg viewBox="0 0 {num(self.width)} {num(self.height)}" width="{num(self.width)}" '
            f'height="{num(self.height)}" role="img" '
            f'aria-labelledby="{name}-title {name}-about" font-size="{num(SIZE)}">'
        )
        about = (
            f'<title id="{name}-title">{escape(clean(self._title))}</title>'
            f'<desc id="{name}-about">{escape(clean(self._summary))}</desc>'
        )
        return "\n".join([head + about, *self._parts, "</svg>"])

    def _shape(self, inside: str, title: str) -> None:
        if title:
            name = inside.split(" ", 1)[0]
            self._parts.append(f"<{inside}><title>{escape(clean(title))}</title></{name}>")
        else:
            self._parts.append(f"<{inside}/>")


def axis_bottom(
    d: Drawing, scale: Scale, top: float, bottom: float, *, signs: bool = False
) -> None:
    """Grid lines and their values below a plot, as many as there is room for."""
    values, digits = ticks(scale.low, scale.high, max(2, int((scale.end - scale.start) / 70)))
    for value in values:
        x = scale(value)
        d.line(x, top, x, bottom, "grid")
        d.text(x, bottom + 15, _tick(value, digits, signs), anchor="middle", cls="quiet")


def axis_left(d: Drawing, scale: Scale, left: float, right: float, *, signs: bool = False) -> None:
    """Grid lines and their values at the left of a plot."""
    values, digits = ticks(scale.low, scale.high, max(2, int(abs(scale.end - scale.start) / 45)))
    for value in values:
        y = scale(value)
        d.line(left, y, right, y, "grid")
        d.text(left - 6, y + 4, _tick(value, digits, signs), anchor="end", cls="quiet")


def _tick(value: float, digits: int, signs: bool) -> str:
    return signed(value, digits) if signs else f"{value:.{digits}f}".replace("-", MINUS)


def steps(points: Sequence[tuple[float, float]]) -> str:
    """The path through points."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)
