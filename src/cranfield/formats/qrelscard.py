"""The card of merged judgments as a JSON file beside them: `<qrels file>.card.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.formats.card import ENDING
from cranfield.kit.files import write_whole

SCHEMA = "cranfield.qrels-card/1"


def write_qrels_card(members: Mapping[str, Any], qrels: str | os.PathLike[str]) -> Path:
    """Write what is known of a file of judgments beside it, whole or not at all; its path.

    Parameters
    ----------
    members : JSON values by name, after `schema`
    """
    text = json.dumps({"schema": SCHEMA, **members}, ensure_ascii=False, indent=1, allow_nan=False)
    path = Path(os.fspath(qrels) + ENDING)
    with write_whole(path) as stream:
        stream.write(text.encode() + b"\n")
    return path
