"""People judging: which pairs, whose turn, and what they said."""
