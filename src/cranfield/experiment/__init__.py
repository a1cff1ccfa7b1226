"""The lab: evaluations that are remembered, frozen splits, and a set of queries to look at."""
