"""Measures themselves are evaluated: which of them tells systems apart, and from how many queries
on."""
