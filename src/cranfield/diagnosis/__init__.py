"""What is wrong with a test collection, or with runs on it, and how much that moves the scores."""
