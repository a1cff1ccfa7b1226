"""The scale of labels, in words."""

from __future__ import annotations

from cranfield.judging.scale import Scale
from cranfield.report.language import Words
from cranfield.report.remarks import some


def scale_said(scale: Scale, w: Words) -> str:
    """From 0 to which grade, and who says so."""
    by = some(scale.rubrics) if scale.rubrics else ""
    return w(f"scale.{scale.source}", top=f"{scale.top:g}", by=by)
