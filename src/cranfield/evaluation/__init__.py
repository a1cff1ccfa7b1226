"""Judgments and runs in, scores out."""
