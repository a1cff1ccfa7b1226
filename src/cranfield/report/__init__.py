"""How results are shown: tables, machine formats, the baseline report. No result knows of it."""
