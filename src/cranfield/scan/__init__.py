"""A run read as bytes: tokenised, ranked and met with its judgments, no document id ever built."""
