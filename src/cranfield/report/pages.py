"""Every page there is, each a function from data to a `Page`: the command line writes them as
files, and a server can show the same ones."""

from __future__ import annotations

from cranfield.report.baseline import baseline as baseline
from cranfield.report.comparison_page import comparison as comparison
from cranfield.report.lab_page import lab as lab
from cranfield.report.study_page import study as study
