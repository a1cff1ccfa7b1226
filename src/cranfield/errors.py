"""Every error that Cranfield raises on purpose, and the one table of exit codes.

    CranfieldError                8   anything else of ours
    ├── UsageError                2   the call is wrong: an option, a choice, two options at odds
    │   ├── MeasureError          2   a measure's name or parameter
    │   └── UnknownName           2   a plug-in, query or format nobody knows
    ├── InputError                3   the data are wrong
    │   └── FormatError           3   ... at a line of a file
    ├── NoSuchInput               4   a file is missing or cannot be read
    ├── MissingExtra              5   an optional package is not installed
    ├── NothingToEvaluate         6   the data are well formed and share no query
    └── ServiceError              9   a service does not answer, or answers with an error

A message says what is wrong and where; the hint says what to do about it. Neither is ever a
traceback. Exit code 0 is success, 1 and 7 are answers and not errors (a release check that failed
or could not tell; a finding as grave as `cranfield check --fail-on`), 130 is an interrupt
(Ctrl-C), 70 a bug in Cranfield.
"""

from __future__ import annotations

EXIT_CODES: dict[int, str] = {
    0: "success",
    1: "a check did not pass (`cranfield gate`), or found something grave (`cranfield check`, "
    "`cranfield doctor`)",
    2: "the call is wrong (option, measure, name)",
    3: "the data are wrong (a malformed line, a duplicate, a score that is no number)",
    4: "a file is missing or cannot be read or written",
    5: "an optional package is needed",
    6: "nothing to evaluate (no query in common)",
    7: "a release check could not tell (`cranfield gate` with the policy `warn`)",
    8: "an error not listed here",
    9: "a service (a search engine, a model behind a URL) does not answer or answers wrongly",
    70: "a bug in Cranfield",
    130: "interrupted (Ctrl-C)",
}


class CranfieldError(Exception):
    """The root: `message` says what is wrong, `hint` (optional) what to do, `exit_code` how a
    command ends."""

    exit_code = 8

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message


class UsageError(CranfieldError):
    """The call is wrong."""

    exit_code = 2


class MeasureError(UsageError):
    """A measure that does not exist, or exists with other parameters."""


class UnknownName(UsageError):
    """A name that nobody registered or that the data do not hold."""


class InputError(CranfieldError):
    """The data are wrong."""

    exit_code = 3


class FormatError(InputError):
    """The data are wrong at a place: `file`, `line` (from 1; None where lines mean nothing) and
    the offending `text`."""

    def __init__(
        self,
        problem: str,
        hint: str | None = None,
        *,
        file: str,
        line: int | None = None,
        text: str | None = None,
    ) -> None:
        self.problem, self.file, self.line, self.text = problem, file, line, text
        where = file if line is None else f"{file}, line {line}"
        shown = "" if text is None else f"\n  text: {clip(text)}"
        super().__init__(f"{where}: {problem}{shown}", hint)


class NoSuchInput(CranfieldError):
    """A file is missing or cannot be read or written."""

    exit_code = 4


class MissingExtra(CranfieldError):
    """An optional package is needed; the hint is the command that installs it."""

    exit_code = 5

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs an optional package that is not installed",
            f"pip install 'cranfield[{extra}]'",
        )
        self.extra = extra


def needs_package(module: str, what: str, extra: str) -> None:
    """`MissingExtra` unless a module of an optional package is installed; it is not imported."""
    from importlib.util import find_spec

    try:
        there = find_spec(module) is not None
    except ValueError:  # something without a place of its own stands under that name
        there = True
    if not there:
        raise MissingExtra(what, extra)


class NothingToEvaluate(CranfieldError):
    """Well-formed data that share no query."""

    exit_code = 6


class ServiceError(CranfieldError):
    """A service does not answer, is overloaded, or answers what cannot be understood: asking again
    may help. `status` is that of HTTP, None where there was no answer; `retry_after` the seconds
    for which the service asks to be left alone."""

    exit_code = 9

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.status, self.retry_after = status, retry_after


def clip(text: str, width: int = 160) -> str:
    """One line of at most `width` characters; control characters are shown, not obeyed."""
    shown = text if len(text) <= width else text[: width - 1] + "…"
    return "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in shown).replace(
        "\t", "→"
    )
