"""Search systems: queries in, runs out."""
