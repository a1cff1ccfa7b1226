"""Which format a file is in, told by what it holds, not by what it is called."""

from __future__ import annotations

from typing import Literal

from cranfield.errors import InputError, UnknownName
from cranfield.formats.inputs import Input
from cranfield.formats.names import is_beir_header, is_header
from cranfield.formats.prefs import looks_like_prefs
from cranfield.formats.sampled import looks_like_sampled

Kind = Literal["qrels", "run"]
FORMATS = ("trec", "beir", "json", "jsonl", "csv", "parquet", "arrow")
# Judgments of several people, as trec_eval calls their forms. The last two look like qrels.
PREFS, GROUPED = "prefs", ("qrels_prefs", "qrels_jg")
SAMPLED = "sampled"  # a pool of which a sample was judged, stratum by stratum
QRELS_FORMATS = (*FORMATS, PREFS, *GROUPED, SAMPLED)


def format_of(source: Input, kind: Kind, declared: str | None = None) -> str:
    """One of `FORMATS`, for judgments of `QRELS_FORMATS`.

    Raises
    ------
    InputError
        The file is empty (nothing but blanks).
    UnknownName
        `declared` is no format.
    """
    known = QRELS_FORMATS if kind == "qrels" else FORMATS
    if declared is not None and declared not in known:
        raise UnknownName(f"no format {declared!r}", f"formats: {', '.join(known)}")
    head = source.head
    if not head.strip():
        what = "qrels" if kind == "qrels" else "run"
        raise InputError(f"{source.name}: the {what} file is empty", "was the right file given?")
    return declared or _sniff(head, kind)


def _sniff(head: bytes, kind: Kind) -> str:
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return "arrow"
    text = head.lstrip()
    if text.startswith((b"{", b"[")):
        return _json_or_lines(text)
    first = text.split(b"\n", 1)[0].split(b"\r", 1)[0]
    if kind == "qrels" and is_beir_header(first):
        return "beir"
    if is_header(first.decode("utf-8", "replace"), kind):
        return "csv"
    if kind == "qrels" and looks_like_prefs(head):
        return PREFS
    return SAMPLED if kind == "qrels" and looks_like_sampled(head) else "trec"


def _json_or_lines(text: bytes) -> str:
    """JSON lines if the first line alone is a record of plain values, else one JSON document."""
    import json

    try:
        record = json.loads(text.split(b"\n", 1)[0])
    except (ValueError, RecursionError):  # the reader says what is wrong
        return "json"
    flat = isinstance(record, dict) and not any(
        isinstance(v, (dict, list)) for v in record.values()
    )
    return "jsonl" if flat and record else "json"


def looks_like(source: Input) -> Kind | None:
    """Whether a file is judgments or a run, told from its beginning; None where it could be
    either, as JSON and Parquet may."""
    text = source.head.lstrip()
    if looks_like_sampled(source.head):
        return "qrels"
    for line in text.splitlines()[:50]:
        words = line.decode("utf-8", "replace").split()
        if not words or words[0].startswith("#"):
            continue
        if text.startswith((b"{", b"[", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
            return None
        first = line.decode("utf-8", "replace")
        if is_beir_header(line):
            return "qrels"
        judged, ranked = is_header(first, "qrels"), is_header(first, "run")
        if judged or ranked:
            return None if judged and ranked else "qrels" if judged else "run"
        return "qrels" if len(words) == 4 else "run" if len(words) in (5, 6) else None
    return None
