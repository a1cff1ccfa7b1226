"""Is the difference between two systems real, how large is it, and where does it come from."""
